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
#include "programs/threads/runtime/memory_model/races.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "driver/file_bytes.hpp"
#include "host/wire.hpp"

namespace mazurka::threads {
using namespace host;

namespace {

constexpr std::uint32_t unknown_stack = 0xffff'ffff;

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

void Races::judge(std::uintptr_t address, std::size_t size, AccessKind kind, const void* code,
                  bool primitive) {
  if (size == 0 || !state_.races.watches(address)) return;
  const VectorClock& clock = self().knowledge.now;
  const NotedAccess access{self().id,
                           clock[index(self().id)],
                           address,
                           size,
                           kind,
                           primitive,
                           stack_numbers_.number_of(capture_stack())};
  // Asking moves nothing, but what is found is overwritten by the next access.
  std::vector<NotedAccess> racing = state_.ledger.add(access, clock);
  std::erase_if(racing, [&](const NotedAccess& one) { return is_between_ranks(one.process); });
  if (racing.empty() || is_tolerated(address, size)) return;
  scheduler_.be_certain_of_order();
  for (const NotedAccess& earlier : racing) {
    // A primitive that is set up or destroyed while it is used is no use of a variable.
    if (primitive || earlier.primitive || !answer_about(earlier, access).accepted) {
      report_pair(earlier, access, code);
      return;
    }
  }
  for (const NotedAccess& earlier : racing) note_accepted(answer_about(earlier, access));
  for (const NotedAccess& earlier : racing) expose(earlier, access);
  if (scheduler_.must_restart()) leave();
}

void Races::report_pair(const NotedAccess& earlier, const NotedAccess& later, const void* code) {
  if (recorder() != nullptr) {
    if (later.primitive && later.kind == AccessKind::atomic_read) {
      record(Action::read, later.address, later.size)->flags |= flag_plain;
    }
    if (later.primitive && later.kind == AccessKind::write) record_owner(later.address);
    recorder()->keep_latest(self().id);
    auto& events = recorder()->story.events;
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
    if (later.kind == AccessKind::write && !events.empty() && events.back().process == self().id) {
      events.back().flags |= flag_not_done;
    }
  }
  scheduler_.report(FindingKind::data_race, "two accesses that nothing orders",
                    "race " + std::to_string(reinterpret_cast<std::uintptr_t>(code)));
}

Races::PairOfAccesses Races::pair_of(const NotedAccess& earlier, const NotedAccess& later) {
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
    const bool own = owner == nullptr || owner == &self();
    pair.made_by =
        own ? stack_numbers_.number_of(capture_stack()) : stack_numbers_.number_of(owner->stack);
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

const RaceAnswer& Races::answer_about(const NotedAccess& earlier, const NotedAccess& later) {
  const PairOfAccesses pair = pair_of(earlier, later);
  const auto known = answers_.find(pair);
  if (known != answers_.end()) return known->second;
  return answers_.emplace(pair, ask_about(earlier, later)).first->second;
}

RaceAnswer Races::ask_about(const NotedAccess& earlier, const NotedAccess& later) {
  if (socket_ < 0) {  // under a debugger: only the schedule is known, at whose end a race is
    RaceAnswer answer;
    answer.accepted = run().position() < request_.schedule.size();
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
    if (&owner == &self()) {
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
  return ask(question);
}

RaceAnswer Races::ask(RaceQuestion& question) {
  question.modules = modules_;
  if (socket_ < 0 || !send_message(socket_, encode(question))) return {};
  const auto bytes = receive_message(socket_);
  scheduler_.note_progress();  // waiting for an answer is not the program's way to compute for ever
  return bytes ? decode_answer(*bytes) : RaceAnswer{};
}

void Races::note_accepted(const RaceAnswer& answer) {
  std::vector<AcceptedRace>& all = learned_.accepted;
  const auto known = std::find_if(all.begin(), all.end(), [&](const AcceptedRace& one) {
    return one.suppression == answer.suppression && one.race == answer.race;
  });
  MAZURKA_CHECK(answer.accepted, "only what is accepted is noted as accepted");
  const auto at = static_cast<std::size_t>(known - all.begin());
  if (known == all.end()) all.push_back({answer.suppression, answer.race, 0});
  if (std::find(state_.met.begin(), state_.met.end(), at) == state_.met.end())
    state_.met.push_back(at);
}

void Races::expose(const NotedAccess& one, const NotedAccess& other) {
  const std::uintptr_t begin = std::max(one.address, other.address);
  const std::uintptr_t end = std::min(one.address + one.size, other.address + other.size);
  MAZURKA_CHECK(begin < end, "two accesses race in bytes that both touch");
  for (std::uintptr_t at = begin / granule; at <= (end - 1) / granule; ++at) {
    if (!learned_.exposed.insert(at * granule)) continue;
    if (!scheduler_.must_restart()) {
      for (AcceptedRace& known : learned_.accepted) known.executions = 0;
    }
    scheduler_.restart();
  }
}

bool Races::has_exposed(std::uintptr_t address, std::size_t size) const {
  if (size == 0) return false;
  for (std::uintptr_t at = address / granule; at <= (address + size - 1) / granule; ++at) {
    if (learned_.exposed.contains(at * granule)) return true;
  }
  return false;
}

void Races::pass_on(const void* object) {
  auto known = std::find_if(state_.annotated.begin(), state_.annotated.end(),
                            [&](const Annotated& one) { return one.object == object; });
  if (known == state_.annotated.end()) known = state_.annotated.insert(known, {object, {}});
  known->released.join(self().knowledge.now);
  self().knowledge.now.tick(self().id);
}

void Races::learn_from(const void* object) {
  for (const Annotated& one : state_.annotated) {
    if (one.object == object) self().knowledge.now.join(one.released);
  }
}

// In the story: the two accesses of a race, this one and the latest of the other process that can
// be the other one. Two reads do not race, nor do two atomic accesses.
void Races::mark_racing(std::uintptr_t address, std::size_t size, AccessKind kind) {
  const ProcessId other = state_.races.other();
  const bool writes = kind == AccessKind::write || kind == AccessKind::atomic_write;
  const bool atomic = kind == AccessKind::atomic_read || kind == AccessKind::atomic_write;
  const auto overlaps = [&](const RawEvent& event) {
    const std::size_t length = std::max<std::size_t>(event.size, 1);  // a primitive has no size
    return event.address < address + size && address < event.address + length;
  };
  const auto can_be_other = [&](const RawEvent& event) {
    const bool reads_only = event.action == Action::read || event.action == Action::update_failed;
    const bool plain = event.size == 0 || (event.flags & flag_plain) != 0;
    return (writes || !reads_only) && (!atomic || plain);
  };
  recorder()->keep_latest(self().id);
  auto& events = recorder()->story.events;
  const auto mark_latest = [&](auto&& fits) {
    const auto found = std::find_if(events.rbegin(), events.rend(), fits);
    if (found != events.rend()) found->flags |= flag_racing;
    return found != events.rend();
  };
  mark_latest([&](const RawEvent& event) { return event.process == self().id && overlaps(event); });
  // A story ends with its race, and a plain write is told before it happens.
  if (kind == AccessKind::write && !events.empty() && events.back().process == self().id) {
    events.back().flags |= flag_not_done;
  }
  const bool is_told = mark_latest([&](const RawEvent& event) {
    return event.process == other && overlaps(event) && can_be_other(event);
  });
  const Process* parked = state_.processes.find(other);
  if (is_told || parked == nullptr || parked->address - address >= size) return;
  // It has come to that operation, and not taken the step yet.
  RawEvent event;
  event.process = other;
  event.action = parked->action;
  event.flags = flag_plain | flag_racing;
  event.address = parked->address;
  event.position = static_cast<std::uint32_t>(run().position());
  event.stack.assign(parked->stack.begin(), parked->stack.end());
  event.ends.assign(parked->ends.begin(), parked->ends.end());
  events.push_back(std::move(event));
}

// Ranks have nothing in common but variables of libraries, which are not what they seem to share.
bool Races::is_between_ranks(ProcessId other) const {
  const Process* one = state_.processes.find(other);
  return one != nullptr && one->rank != self().rank;
}

bool Races::is_tolerated(std::uintptr_t address, std::size_t size) const {
  return std::any_of(state_.tolerated.begin(), state_.tolerated.end(), [&](const Tolerated& one) {
    return address < one.begin + one.size && one.begin < address + size;
  });
}

void Races::report(std::uintptr_t address, std::size_t size, AccessKind kind, const void* code) {
  if (is_tolerated(address, size) || is_between_ranks(state_.races.other())) return;
  scheduler_.be_certain_of_order();
  if (recorder() != nullptr) mark_racing(address, size, kind);
  scheduler_.report(FindingKind::data_race, "two accesses that nothing orders",
                    "race " + std::to_string(reinterpret_cast<std::uintptr_t>(code)));
}

bool Races::is_firm(std::uintptr_t address, std::size_t size, AccessKind kind) {
  const Knowledge& known = self().knowledge;
  return state_.firm_order.access(self().id, known.now[index(self().id)], known.firm, address, size,
                                  kind);
}

void Races::be_firm(std::uintptr_t address, std::size_t size, AccessKind kind) {
  if (!state_.races.watches(address) || is_firm(address, size, kind) ||
      is_tolerated(address, size)) {
    return;
  }
  keep_orders_of(address, size);
}

void Races::keep_orders_of(std::uintptr_t address, std::size_t size) {
  RawObject object;
  object.address = address;
  object.size = size;
  object.stack = capture_stack(&object.ends);
  keep_orders(std::move(object));
}

bool Races::in_order(std::uintptr_t place, std::size_t size, AccessKind kind,
                     std::uintptr_t object) {
  if (!looks()) return true;
  const bool fine = state_.races.access(self().id, self().knowledge.now, place, size, kind) ||
                    is_between_ranks(state_.races.other());
  if (!fine) scheduler_.be_certain_of_order();
  note_use(place, size, kind, nullptr, false);
  if (fine && state_.tracking && !is_firm(place, size, kind)) keep_orders_of(object, size);
  return fine;
}

// What is outside of memory is no scheduling point either.
void Races::use_outside(const std::string& what, Use use, std::uint64_t key) {
  if (state_.tracking) state_.tracker.use(self().id, key, use);
  if (alone()) return;
  judge_outside(state_.outside.use({self().id, self().knowledge.now}, what, use, key), key, use);
}

void Races::judge_outside(std::string open, std::uint64_t key, Use use) {
  if (!open.empty()) {
    scheduler_.be_certain_of_order();
    learned_.grounds.unordered = std::move(open);
  }
  if (!state_.tracking) return;
  static constexpr AccessKind kinds[] = {AccessKind::read, AccessKind::atomic_write,
                                         AccessKind::write};
  const bool firm = is_firm(OutsideUses::everything, 1, AccessKind::read) &&
                    is_firm(key, 1, kinds[static_cast<int>(use)]);
  if (!firm) keep_orders({});
}

void Races::keep_orders(RawObject object) {
  learned_.order_matters = true;
  learned_.grounds.order_matters = true;
  learned_.grounds.order_object = std::move(object);
  scheduler_.restart();
  leave();
}

void Races::use_primitive(const void* address, const void* code) {
  if (racy() || alone() || !looks()) return;
  if (scheduler_.judges_races()) {
    judge(address_of(address), sizeof(int), AccessKind::atomic_read, code, true);
  } else if (!state_.races.access(self().id, self().knowledge.now, address_of(address), sizeof(int),
                                  AccessKind::atomic_read)) {
    if (RawEvent* event = record(Action::read, address_of(address), sizeof(int))) {
      event->flags |= flag_plain;
    }
    report(address_of(address), sizeof(int), AccessKind::atomic_read, code);
  }
  note_use(address_of(address), sizeof(int), AccessKind::atomic_read, code, false);
  if (state_.tracking) be_firm(address_of(address), sizeof(int), AccessKind::atomic_read);
}

void Races::own_primitive(const void* address, const void* code) {
  EngineScope scope;
  if (racy() || alone() || in_section() || !looks()) return;
  const std::uintptr_t where = address_of(address);
  if (scheduler_.judges_races()) {
    judge(where, sizeof(int), AccessKind::write, code, true);
  } else if (!state_.races.access(self().id, self().knowledge.now, where, sizeof(int),
                                  AccessKind::write)) {
    if (recorder() != nullptr) record_owner(where);
    report(where, sizeof(int), AccessKind::write, code);
  }
  note_use(where, sizeof(int), AccessKind::write, code, false);
  if (state_.tracking) be_firm(where, sizeof(int), AccessKind::write);
}

// In the story of a race: who initialises a primitive, or has just destroyed it.
void Races::record_owner(std::uintptr_t address) {
  const auto& events = recorder()->story.events;
  const bool is_told = !events.empty() && events.back().process == self().id &&
                       events.back().address == address && events.back().action == Action::destroy;
  if (!is_told) record(Action::set_up, address);
}

}  // namespace mazurka::threads
