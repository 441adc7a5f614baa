// A certificate, as it is read from a file: a described program and schedules of it.
//
// The program is a tree of nodes for each process. A node has the operation that the process
// performs next, or says that it has ended; a child of a node has the outcome with which it is
// reached. A schedule names processes, and children where the outcome alone does not decide.
// docs/certificates.md has the format byte by byte.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "operation.hpp"

namespace certify {

/// The bytes are no certificate. The message says what is wrong, and at which byte.
struct BadCertificate : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Object {
  Kind kind = Kind::memory;
  std::uint64_t initial = 0;
};

struct Process {
  std::uint32_t parent = none;       // none: there from the beginning
  std::uint32_t nth = 0;             // child of its parent
  std::vector<std::uint32_t> first;  // its first nodes: one, unless histories differ at its birth
};

struct Node {
  std::uint32_t process = 0;
  std::uint32_t operation = 0;
  Outcome outcome;  // of the parent's operation; empty in the first node of a process
  std::vector<std::uint32_t> children;
};

struct Step {
  std::uint32_t process = 0;
  std::uint32_t child = 0;  // which child of the process's node
  friend bool operator==(const Step&, const Step&) = default;
};

/// One schedule: what it adds to a prefix of the schedule before it.
struct Schedule {
  std::uint32_t shared = 0;  // steps in common with the one before
  std::size_t added = 0;     // where its own steps begin, in Certificate::steps
  std::uint32_t count = 0;   // of its own steps
  std::vector<std::pair<std::uint32_t, std::uint32_t>> begins;  // processes and their first nodes,
                                                                // where it is not the first of them
};

/// What a process's next operation depends on.
enum class Determined : std::uint8_t {
  by_views,      // what the process has done, observed and chosen
  by_histories,  // all that happens before, as plain data protected by locks is read, too
};

struct Certificate {
  std::string technique;
  std::string model;
  Determined determined = Determined::by_views;
  std::vector<Operation> operations;
  std::vector<Object> objects;
  std::vector<Process> processes;
  std::vector<Node> nodes;
  std::vector<Step> steps;
  std::vector<Schedule> schedules;
  std::optional<std::string> incomplete;   // why the search did not see everything
  std::optional<std::string> not_covered;  // what no certificate can speak of yet
};

/// Throws BadCertificate.
[[nodiscard]] Certificate read_certificate(std::string_view bytes);

}  // namespace certify
