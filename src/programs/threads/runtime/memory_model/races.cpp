// Data races that the user accepts.
//
// Whether a race is accepted is said in words of the source (functions, files, variables), which
// only the front process can read out of addresses. So each race that was not seen before, with
// these two stacks and at this object, is shown to it once, and the answer is kept.
//
// An execution goes on after an accepted race. But plain accesses are no scheduling decisions, for
// the reason that a program without races can not tell when they happen; with a race it can. So
// from the first accepted race on the accesses to that place are decisions, as those to an atomic
// variable are; what was explored before that is void.
#include <algorithm>
#include <utility>

#include "driver/file_bytes.hpp"
#include "programs/threads/runtime/runtime.hpp"
#include "programs/threads/wire.hpp"

namespace mazurka::threads {

namespace {

constexpr std::uint32_t unknown_stack = 0xffff'ffff;
constexpr std::uintptr_t granule = 8;

bool is_write(AccessKind kind) {
  return kind == AccessKind::write || kind == AccessKind::atomic_write;
}

RawEvent event_of(const NotedAccess& access, const std::vector<std::uint64_t>& stack) {
  const bool plain = access.kind == AccessKind::read || access.kind == AccessKind::write;
  RawEvent event;
  event.process = access.process;
  event.action = is_write(access.kind) ? Action::write : Action::read;
  event.flags = static_cast<std::uint8_t>(flag_racing | (plain ? flag_plain : 0));
  event.size = static_cast<std::uint8_t>(std::min<std::size_t>(access.size, 255));
  event.address = access.address;
  event.stack = stack;
  return event;
}

/// By which the object is named: the smaller of the two.
const NotedAccess& naming(const NotedAccess& earlier, const NotedAccess& later) {
  return earlier.size < later.size ? earlier : later;
}

}  // namespace

void Runtime::judge_races(std::uintptr_t address, std::size_t size, AccessKind kind,
                          const void* code, bool primitive) {
  if (size == 0 || !state_.races.watches(address)) return;
  const Clock& clock = current_->knowledge.now;
  const NotedAccess access{current_->id,
                           clock[index(current_->id)],
                           address,
                           size,
                           kind,
                           primitive,
                           stack_numbers_.number_of(capture_stack())};
  // Asking moves nothing, but what is found is overwritten by the next access.
  const std::vector<NotedAccess> racing = state_.ledger.add(access, clock);
  if (racing.empty() || is_tolerated(address, size)) return;
  for (const NotedAccess& earlier : racing) {
    // A primitive that is set up or destroyed while it is used is no use of a variable.
    if (primitive || earlier.primitive || !answer_about(earlier, access).accepted) {
      report_pair(earlier, access, code);
      return;
    }
  }
  for (const NotedAccess& earlier : racing) note_accepted(answer_about(earlier, access));
  for (const NotedAccess& earlier : racing) expose(earlier, access);
  if (must_restart_) leave();
}

void Runtime::report_pair(const NotedAccess& earlier, const NotedAccess& later, const void* code) {
  if (recorder_ != nullptr) {
    if (later.primitive && later.kind == AccessKind::atomic_read) {
      record(Action::read, later.address, later.size)->flags |= flag_plain;
    }
    auto& events = recorder_->story.events;
    const auto mark = [&](const NotedAccess& access) {
      const auto fits = [&](const RawEvent& event) {
        const std::uint64_t length = std::max<std::uint64_t>(event.size, 1);
        return event.process == access.process &&
               event.stack == stack_numbers_.stack(access.stack) &&
               event.address < access.address + access.size &&
               access.address < event.address + length;
      };
      const auto found = std::find_if(events.rbegin(), events.rend(), fits);
      if (found != events.rend()) found->flags |= flag_racing;
    };
    mark(earlier);
    mark(later);
    if (later.kind == AccessKind::write && !events.empty() &&
        events.back().process == current_->id) {
      events.back().flags |= flag_not_done;
    }
  }
  report(FindingKind::data_race, "two accesses that nothing orders",
         "race " + std::to_string(reinterpret_cast<std::uintptr_t>(code)));
}

Runtime::PairOfAccesses Runtime::pair_of(const NotedAccess& earlier, const NotedAccess& later) {
  const NotedAccess& named = naming(earlier, later);
  PairOfAccesses pair{{earlier.stack, later.stack},
                      {earlier.kind, later.kind},
                      unknown_stack,
                      named.address,
                      named.size};
  if (!in_zone(named.address)) return pair;
  const std::size_t slot = slot_of(named.address);
  if (in_stack_of(slot, named.address)) {
    const Process* owner = state_.processes.find(static_cast<ProcessId>(slot));
    pair.made_by = stack_numbers_.number_of(owner == current_ || owner == nullptr ? capture_stack()
                                                                                  : owner->stack);
    return pair;
  }
  void* block = heaps.block_near(named.address);
  const auto known = state_.allocations.find(reinterpret_cast<std::uintptr_t>(block));
  if (block != nullptr && known != state_.allocations.end()) {
    pair.made_by = known->second.stack;
    pair.place = named.address - known->first;
  }
  return pair;
}

const RaceAnswer& Runtime::answer_about(const NotedAccess& earlier, const NotedAccess& later) {
  const PairOfAccesses pair = pair_of(earlier, later);
  const auto known = answers_.find(pair);
  if (known != answers_.end()) return known->second;
  return answers_.emplace(pair, ask_about(earlier, later)).first->second;
}

RaceAnswer Runtime::ask_about(const NotedAccess& earlier, const NotedAccess& later) {
  if (races_socket_ < 0) {  // under a debugger: only the schedule is known, at whose end a race is
    RaceAnswer answer;
    answer.accepted = run_->position() < request_.schedule.size();
    return answer;
  }
  RaceQuestion question;
  RawStory& story = question.story;
  story.events = {event_of(earlier, stack_numbers_.stack(earlier.stack)),
                  event_of(later, stack_numbers_.stack(later.stack))};
  const NotedAccess& named = naming(earlier, later);
  const std::size_t slot = in_zone(named.address) ? slot_of(named.address) : 0;
  if (in_zone(named.address) && in_stack_of(slot, named.address)) {
    const Process& owner = process(static_cast<ProcessId>(slot));
    RawEvent frames;
    frames.process = owner.id;
    frames.stack = owner.stack;
    frames.ends = owner.ends;
    if (&owner == current_) {
      frames.ends.clear();
      frames.stack = capture_stack(&frames.ends);
    }
    story.events.push_back(std::move(frames));
    story.stacks.push_back({owner.id, slot_begin(slot), stack_top(slot)});
  } else if (in_zone(named.address)) {
    void* block = heaps.block_near(named.address);
    const auto known = state_.allocations.find(reinterpret_cast<std::uintptr_t>(block));
    if (block != nullptr && known != state_.allocations.end()) {
      story.blocks.push_back({known->first, Heaps::header(block).size,
                              ProcessId{static_cast<std::uint16_t>(slot)}, known->second.nth,
                              stack_numbers_.stack(known->second.stack)});
    }
  }
  question.modules = modules_;
  if (!send_message(races_socket_, encode(question))) return {};
  const auto bytes = receive_message(races_socket_);
  ++steps_;  // waiting for an answer is not the program's way of computing without end
  stall_requested = false;
  return bytes ? decode_answer(*bytes) : RaceAnswer{};
}

void Runtime::note_accepted(const RaceAnswer& answer) {
  std::vector<AcceptedRace>& all = learned_.accepted;
  const auto known = std::find_if(all.begin(), all.end(), [&](const AcceptedRace& one) {
    return one.suppression == answer.suppression && one.race == answer.race;
  });
  const auto at = static_cast<std::size_t>(known - all.begin());
  if (known == all.end()) all.push_back({answer.suppression, answer.race, 0});
  if (std::find(state_.met.begin(), state_.met.end(), at) == state_.met.end())
    state_.met.push_back(at);
}

void Runtime::expose(const NotedAccess& one, const NotedAccess& other) {
  const std::uintptr_t begin = std::max(one.address, other.address);
  const std::uintptr_t end = std::min(one.address + one.size, other.address + other.size);
  for (std::uintptr_t at = begin / granule; at <= (end - 1) / granule; ++at) {
    if (!learned_.exposed.insert(at * granule)) continue;
    if (!must_restart_) {
      for (AcceptedRace& known : learned_.accepted) known.executions = 0;
    }
    must_restart_ = true;
  }
}

bool Runtime::is_exposed(std::uintptr_t address, std::size_t size) const {
  if (size == 0 || learned_.exposed.empty()) return false;
  for (std::uintptr_t at = address / granule; at <= (address + size - 1) / granule; ++at) {
    if (learned_.exposed.contains(at * granule)) return true;
  }
  return false;
}

// A block is about to be freed: a step that touches what of it is exposed.
void Runtime::visit_exposed(std::uintptr_t address, std::size_t size) {
  scratch_.clear();
  for (std::uintptr_t at = address / granule; at <= (address + size - 1) / granule; ++at) {
    if (!learned_.exposed.contains(at * granule)) continue;
    cells_.for_each(at * granule, granule, [&](ObjectId object) {
      scratch_.push_back({object, kind::memory, memory_mode::write, 0});
    });
  }
  heed_blocks();
  note(Action::release, address);
  park({scratch_, no_process, false}, true);
  commit();
}

}  // namespace mazurka::threads
