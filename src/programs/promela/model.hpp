// A Promela model, ready to be executed.
//
// A proctype is a graph of locations with transitions; a transition is a basic statement (one that
// SPIN executes as one step) and the location that it leads to. Variables are cells of a state's
// bytes, at offsets that are known: in the globals, or in the locals of a process. Names are gone,
// but for what people are shown.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "programs/promela/error.hpp"

namespace mazurka::promela {

using ExpressionId = std::uint32_t;
using ReferenceId = std::uint32_t;
using StatementId = std::uint32_t;
using ReceiveId = std::uint32_t;
using LocationId = std::uint16_t;
inline constexpr std::uint32_t none = 0xffffffffU;

// --- data

enum class CellKind : std::uint8_t { bit, byte, short_int, full_int, few_bits };
struct Cell {
  CellKind kind = CellKind::byte;
  std::uint8_t bits = 0;  // of few_bits: unsigned x : 3
};
[[nodiscard]] constexpr std::uint32_t size_of(CellKind kind) {
  switch (kind) {
    case CellKind::bit:
    case CellKind::byte: return 1;
    case CellKind::short_int: return 2;
    default: return 4;
  }
}

/// One cell, or one of many where there are indices.
struct Reference {
  struct Index {
    ExpressionId at = none;
    std::uint32_t count = 0;
    std::uint32_t stride = 0;
  };
  bool local = false;
  std::uint32_t offset = 0;
  Cell cell;
  std::vector<Index> indices;
  std::string name;
  Place place;
};

// --- expressions

enum class Operator : std::uint8_t {
  constant,
  variable,
  own_pid,
  process_count,
  timeout,
  logical_not,
  minus,
  complement,
  multiply,
  divide,
  modulo,
  add,
  subtract,
  shift_left,
  shift_right,
  less,
  at_most,
  greater,
  at_least,
  equal,
  unequal,
  bit_and,
  bit_xor,
  bit_or,
  logical_and,
  logical_or,
  conditional,
  length,
  full,
  empty,
  not_full,
  not_empty,
  poll,
};

struct Expression {
  Operator kind{};
  std::int32_t value = 0;  // of a constant; the number of a reference, of a receive
  ExpressionId first = none;
  ExpressionId second = none;
  ExpressionId third = none;
  Place place;
};

// --- statements

struct Pattern {
  enum class Kind : std::uint8_t { match, store, ignore };
  Kind kind{};
  ExpressionId value = none;    // to match
  ReferenceId variable = none;  // to store in
};
struct Receive {
  ExpressionId channel = none;
  std::vector<Pattern> patterns;
  bool anywhere = false;  // ??: the first message that matches, else the first if it matches
  bool keep = false;      // <...>: the message stays
};

enum class Act : std::uint8_t {
  condition,
  assign,
  send,
  receive,
  assertion,
  skip,  // also printf, and jumps that are steps
  otherwise,
  run,
  end,
  d_step,
};

struct Statement {
  Act act{};
  Place place;
  std::string text;
  ExpressionId expression = none;       // a condition, what is assigned, a channel
  ReferenceId target = none;            // of an assignment, also of `x = run P()`
  std::vector<ExpressionId> arguments;  // of a send, of run
  bool sorted = false;                  // !!
  ReceiveId receive = none;
  std::uint32_t proctype = none;  // of run
  LocationId inside = 0;          // where the d_step begins
  std::uint32_t d_step = none;    // its number
};

struct Transition {
  StatementId statement = none;
  LocationId target = 0;
  bool atomic = false;  // nobody else moves in the target, unless the process can not move there
};
struct Location {
  std::vector<Transition> transitions;
  bool may_end = false;         // a process may stay here for ever
  std::uint32_t d_step = none;  // inside of this one
  Place place;
};

// --- processes and channels

struct ChannelType {
  std::uint32_t capacity = 0;  // 0: rendezvous
  std::vector<Cell> fields;
  std::vector<std::uint32_t> offsets;  // of the fields in a message
  std::uint32_t message_size = 0;
  [[nodiscard]] std::uint32_t slots() const { return capacity == 0 ? 1 : capacity; }
  [[nodiscard]] std::uint32_t size() const { return 1 + slots() * message_size; }
};

/// Done when the program starts, or the process: a value, or a channel that is made.
struct Initial {
  ReferenceId variable = none;
  ExpressionId value = none;
  std::uint32_t channel = none;  // the type of the channel
};

struct Proctype {
  std::string name;
  Place place;
  std::uint32_t active = 0;  // so many at the start
  std::vector<Location> locations;
  LocationId initial = 0;
  std::uint32_t size = 0;  // of its locals, in bytes
  std::vector<ReferenceId> parameters;
  std::vector<Initial> initials;
  std::vector<std::uint32_t> channels;  // types of those that each process makes for itself
  ExpressionId provided = none;
};

struct Model {
  std::vector<std::string> files;
  std::uint32_t global_size = 0;
  struct Span {
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
  };
  std::vector<Span> cells;  // of the global variables
  std::vector<Initial> initials;
  std::vector<std::uint32_t> channels;  // types of the global ones
  std::vector<Proctype> proctypes;
  std::vector<ChannelType> channel_types;
  std::vector<Expression> expressions;
  std::vector<Reference> references;
  std::vector<Receive> receives;
  std::vector<Statement> statements;
  bool has_timeout = false;

  [[nodiscard]] std::string where(const Place& place) const {
    return files[place.file] + ":" + std::to_string(place.line);
  }
};

/// Reads the text. Throws PromelaError.
[[nodiscard]] Model parse_model(std::string_view text, const std::string& file);
[[nodiscard]] Model load_model(const std::string& file);

}  // namespace mazurka::promela
