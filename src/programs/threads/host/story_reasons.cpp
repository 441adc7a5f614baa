// The storyteller's reasons: why a process stopped, what it waits for, where a value came from.
#include <fmt/format.h>

#include <algorithm>

#include "programs/threads/host/storyteller.hpp"

namespace mazurka::threads {

namespace {

bool acquires(const RawEvent& event) {
  return event.action == Action::lock || (event.action == Action::try_lock && event.value == 1);
}

bool overlap(const RawEvent& a, const RawEvent& b) {
  const std::uint64_t a_size = std::max<std::uint64_t>(a.size, 1);
  const std::uint64_t b_size = std::max<std::uint64_t>(b.size, 1);
  return a.address < b.address + b_size && b.address < a.address + a_size;
}

}  // namespace

Storyteller::Switch Storyteller::switch_from(ProcessId process, std::size_t before) const {
  const std::string name = process_name(process);
  const ProcessId follower = raw_.events[before].process;
  const auto latest = last_event(process, before);
  if (latest && raw_.events[*latest].action == Action::create &&
      raw_.events[*latest].peer == follower) {
    // What it did so far, if anything, was its preparation.
    return {SwitchKind::begins, process_name(follower) + " begins"};
  }
  if (latest && raw_.events[*latest].action == Action::failure) {
    return {SwitchKind::ended, name + " failed"};
  }
  if (has_ended(process, before)) return {SwitchKind::ended, name + " finished"};
  const auto next =
      std::find_if(raw_.events.begin() + static_cast<std::ptrdiff_t>(before), raw_.events.end(),
                   [&](const RawEvent& event) { return event.process == process; });
  if (next == raw_.events.end()) return switch_for_ever(process);
  if (next->action == Action::exit_process) {
    return {SwitchKind::preempted, name + " has only its end left"};
  }
  if (next->action == Action::wake) {
    return {SwitchKind::waits, name + " waits on " + object(next->address, 0)};
  }
  if (next->action == Action::join) {
    if (!has_ended(next->peer, before)) {
      return {SwitchKind::waits,
              fmt::format("{} waits for {} to finish", name, process_name(next->peer))};
    }
  }
  if (next->action == Action::lock) {
    const auto held = holder_event(next->address, before);
    if (held && raw_.events[*held].process != process) {
      return {SwitchKind::waits,
              fmt::format("{} waits for mutex {}, held by {}", name, object(next->address, 0),
                          process_name(raw_.events[*held].process))};
    }
  }
  return {SwitchKind::preempted, name + " is held up before: " + intent(*next)};
}

/// Of a process that does not move again.
Storyteller::Switch Storyteller::switch_for_ever(ProcessId process) const {
  const std::string name = process_name(process);
  for (const RawWaiting& waiting : raw_.waiting) {
    if (waiting.process != process) continue;
    if (!waiting.enabled) return {SwitchKind::waits, name + " " + waiting_for(waiting)};
    const RawEvent planned{.process = process,
                           .action = waiting.action,
                           .address = waiting.address,
                           .peer = waiting.peer,
                           .stack = {},
                           .ends = {},
                           .words = waiting.words};
    return {SwitchKind::preempted, name + " is held up before: " + intent(planned)};
  }
  return {SwitchKind::preempted, name + " does not move again"};
}

std::optional<std::size_t> Storyteller::last_event(ProcessId process, std::size_t before) const {
  for (std::size_t i = before; i-- > 0;) {
    if (raw_.events[i].process == process) return i;
  }
  return std::nullopt;
}

/// It has begun, does nothing from raw event `before` on, and is not parked at the end.
bool Storyteller::has_ended(ProcessId process, std::size_t before) const {
  const auto is_its = [&](const auto& item) { return item.process == process; };
  const auto from = raw_.events.begin() + static_cast<std::ptrdiff_t>(before);
  const bool begun = std::any_of(raw_.events.begin(), from, [&](const RawEvent& event) {
    return event.process == process || (event.action == Action::create && event.peer == process);
  });
  return begun &&
         std::none_of(from, raw_.events.end(),
                      [&](const RawEvent& event) {
                        return is_its(event) && event.action != Action::exit_process;
                      }) &&
         std::none_of(raw_.waiting.begin(), raw_.waiting.end(), is_its);
}

/// The event by which the mutex is held just before raw event `before`.
std::optional<std::size_t> Storyteller::holder_event(std::uint64_t mutex,
                                                     std::size_t before) const {
  std::vector<std::size_t> held;  // more than one: a recursive mutex
  for (std::size_t i = 0; i < before && i < raw_.events.size(); ++i) {
    const RawEvent& event = raw_.events[i];
    if (event.address == mutex && acquires(event)) held.push_back(i);
    if (event.address == mutex && event.action == Action::unlock && !held.empty()) held.pop_back();
    if (event.second_address == mutex && event.action == Action::wait) held.clear();
    if (event.second_address == mutex && event.action == Action::wake) held.push_back(i);
  }
  if (held.empty()) return std::nullopt;
  return held.front();
}

std::optional<std::size_t> Storyteller::last_write(const RawEvent& event,
                                                   std::size_t before) const {
  for (std::size_t i = before; i-- > 0;) {
    const RawEvent& earlier = raw_.events[i];
    const bool newest = (earlier.flags & flag_overtakes) == 0;  // else memory was left as it was
    const bool is_write =
        newest && (earlier.action == Action::write || earlier.action == Action::update);
    if (is_write && overlap(earlier, event)) return i;
  }
  return std::nullopt;
}

std::string Storyteller::waiting_for(const RawWaiting& waiting) const {
  switch (waiting.action) {
    case Action::join: return fmt::format("waits for {} to finish", process_name(waiting.peer));
    case Action::barrier_leave: return "waits at barrier " + object(waiting.address, 0);
    case Action::latch_pass: return "waits at latch " + object(waiting.address, 0);
    case Action::acquire: return "waits for semaphore " + object(waiting.address, 0);
    case Action::read_lock:
    case Action::spin_lock: return "waits for lock " + object(waiting.address, 0);
    case Action::wait: return "waits on " + object(waiting.address, 0);
    case Action::wake:
    case Action::lock: {
      std::string text = "waits for mutex " + object(waiting.address, 0);
      const auto held = holder_event(waiting.address, raw_.events.size());
      ProcessId holder = waiting.holder;
      if (holder == no_process && held) holder = raw_.events[*held].process;
      if (holder == no_process) return text;
      text += holder == waiting.process ? ", which it holds itself"
                                        : ", held by " + process_name(holder);
      const std::string at = held ? place(raw_.events[*held].stack) : std::string();
      return at.empty() ? text : fmt::format("{} (locked at {})", text, at);
    }
    case Action::spin:
      return "waits in a loop" +
             (waiting.address == 0 ? "" : " for a change of " + object(waiting.address, 0));
    case Action::compute: return "loops for ever without waiting for anything";
    case Action::wait_sent:
      return fmt::format("waits for its message in {} to be received", object(waiting.address, 1));
    case Action::wait_received: return "waits for a message in " + object(waiting.address, 1);
    case Action::wait_mutex:
      return fmt::format(
          "waits for mutex {}{}", object(waiting.address, 1),
          waiting.holder == no_process ? "" : ", owned by " + process_name(waiting.holder));
    case Action::wait_semaphore: return "waits for semaphore " + object(waiting.address, 1);
    case Action::wait_barrier: return "waits at barrier " + object(waiting.address, 1);
    case Action::wait_condition: return "waits for a signal of " + object(waiting.address, 1);
    case Action::mpi: return waiting.words;
    case Action::static_begin:
      return "waits for the initialisation of " + object(waiting.address, 0);
    default: {
      const RawEvent planned{.process = waiting.process,
                             .action = waiting.action,
                             .address = waiting.address,
                             .peer = waiting.peer,
                             .stack = {},
                             .ends = {}};
      return "waits before: " + intent(planned);
    }
  }
}

}  // namespace mazurka::threads
