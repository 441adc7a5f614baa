#include "programs/threads/runtime/memory_model/variable_bounds.hpp"

#include <algorithm>

#include "programs/threads/runtime/memory_model/races.hpp"

namespace mazurka::threads {

void VariableBounds::require(std::uintptr_t address, std::size_t size, bool write,
                             const void* code) {
  const bool somewhere_else = in_zone(address) && !in_own_stack(address);  // as blocks are
  if (!request_.checks.heap || size == 0 || somewhere_else) return;
  EngineScope scope;
  if (within_.contains({address, size, code})) return;
  RawEvent access;
  access.process = self().id;
  access.action = write ? Action::write : Action::read;
  access.address = address;
  access.stack = capture_stack(&access.ends);
  RaceQuestion question;
  question.story.events = {access};
  question.story.blocks.push_back({address, size, self().id, 0, {}});
  const std::string beyond = races_.ask(question).race;
  if (beyond.empty()) {
    within_.emplace(address, size, code);
    return;
  }
  if (RawEvent* event = record(access.action, address, std::min<std::size_t>(size, 255))) {
    event->flags |= flag_plain | flag_racing | flag_not_done;
  }
  fail(FindingKind::memory_error,
       (write ? "writes " : "reads ") + std::to_string(size) + " bytes, " + beyond,
       "memory " + std::to_string(address_of(code)));
}

}  // namespace mazurka::threads
