// From the nesting of statements to a graph of locations.
//
// A state space is counted in locations of processes, and which places of a program are locations
// is a matter of definition: is `goto` a step, is the end of a selection a place? The answers here
// are SPIN's (its manual, and what `pan -d` shows), so that the number of states is the same:
//
// - A basic statement is a location. So is a selection, a loop, a sequence in braces, an atomic
//   one: from there its first statements are possible.
// - A jump, a break and the end of a selection are no locations: who comes there is where they
//   lead to. They are steps only as the first statement of an option, and where the way leads out
//   of an atomic sequence: what comes before is still indivisible, what comes after is not.
#pragma once

#include <string>
#include <vector>

#include "programs/promela/model.hpp"

namespace mazurka::promela {

using ElementId = std::uint32_t;

struct Sequence {
  ElementId first = none;
  ElementId last = none;
};

struct Element {
  enum class Kind : std::uint8_t {
    basic,
    otherwise,
    jump,
    join,  // the end of a selection, the beginning of a loop
    exit,  // of a loop
    selection,
    loop,
    block,
    atomic,
    d_step,
    end,
  };
  Kind kind{};
  StatementId statement = none;
  ElementId next = none;
  std::vector<Sequence> options;  // of a selection or a loop
  Sequence body;                  // of a block, an atomic or a d_step
  ElementId target = none;        // of a jump
  bool breaks = false;            // it leaves a loop
  bool atomic = false;            // inside of an atomic sequence ...
  bool last_atomic = false;       // ... as its last element
  bool labelled = false;
  bool may_end = false;  // has a label that begins with "end"
  bool skips = false;    // `skip`, `true`, `1`: the second of two in a row is left out
  bool prints = false;
  std::uint32_t d_step = none;
  Place place;
};

/// The elements of one proctype, linked.
struct Body {
  std::vector<Element> elements;
  Sequence sequence;
};

/// Appends to a sequence.
void append(Body& body, Sequence& sequence, ElementId element);

/// What an atomic sequence does to its elements; `d_step` is the number of it if it is one.
void make_indivisible(Body& body, const Sequence& sequence, std::uint32_t d_step);

/// Superfluous skips in the options of a selection or loop are left out.
void prune_skips(Body& body, ElementId selection);

/// Fills in the locations of the proctype. May add statements to the model.
void build_locations(Body& body, Model& model, Proctype& proctype);

}  // namespace mazurka::promela
