#include "programs/threads/host/story_order.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "core/check.hpp"

namespace mazurka::threads {

namespace {

using EventOf = std::map<ProcessId, std::size_t>;  // the latest of each process

/// What has been published through one object.
struct Published {
  EventOf alone;                           // by whoever held it alone, or gave a token
  EventOf shared;                          // by those who shared it
  std::map<ProcessId, std::size_t> holds;  // how often it is held for reading
  EventOf arrived;                         // at a barrier, in this round ...
  EventOf passing;                         // ... and in the one whose processes are leaving
  bool leaving = false;
  std::vector<std::size_t> released;  // atomic writes whose values can be read
  EventOf signalled;                  // who was last woken by which event
  std::deque<std::size_t> sent;
  std::deque<std::size_t> asked;
};

class OrderFinder {
 public:
  explicit OrderFinder(const std::vector<RawEvent>& events) : events_(events) {}

  EventOrder find() {
    order_.released.resize(events_.size());
    for (at_ = 0; at_ < events_.size(); ++at_) {
      const RawEvent& event = events_[at_];
      if (const auto start = started_by_.find(event.process); start != started_by_.end()) {
        add(start->second);
        started_by_.erase(start);
      }
      look_at(event);
      latest_[event.process] = at_;
    }
    return std::move(order_);
  }

 private:
  void look_at(const RawEvent& event) {
    switch (event.action) {
      case Action::create: started_by_[event.peer] = at_; break;
      case Action::join:
        if (const auto last = latest_.find(event.peer); last != latest_.end()) add(last->second);
        break;
      case Action::read:
      case Action::write:
      case Action::update:
      case Action::update_failed: access(event); break;
      case Action::fence: fence(event); break;
      case Action::try_lock:
        if (event.value == 1) take_alone(event.address);
        break;
      case Action::lock:
      case Action::spin_lock:
      case Action::wait_mutex: take_alone(event.address); break;
      case Action::read_lock:
        take(objects_[event.address].alone);
        ++objects_[event.address].holds[event.process];
        break;
      case Action::unlock:
      case Action::mutex_release: give_back(event.address); break;
      case Action::acquire:
      case Action::wait_semaphore:
      case Action::static_begin:
      case Action::latch_pass: take(objects_[event.address].alone); break;
      case Action::latch_look:
        if (event.value == 1) take(objects_[event.address].alone);
        break;
      case Action::latch_down:
      case Action::post:
      case Action::semaphore_post:
      case Action::static_end: objects_[event.address].alone[event.process] = at_; break;
      default: meet(event); break;
    }
  }

  /// Barriers, conditions and messages: several take part.
  void meet(const RawEvent& event) {
    Published& object = objects_[event.address];
    switch (event.action) {
      case Action::barrier_arrive:
      case Action::barrier_request: arrive(object, event); break;
      case Action::barrier_leave:
      case Action::barrier_call:
      case Action::wait_barrier: leave(object); break;
      case Action::barrier_complete: object.arrived[event.process] = at_; break;
      case Action::wait:
        objects_[event.second_address].alone[event.process] = at_;
        object.signalled.erase(event.process);
        waiting_[event.address].push_back(event.process);
        break;
      case Action::futex_wait:
        if (event.value == 1) waiting_[event.address].push_back(event.process);
        break;
      case Action::condition_enqueue: waiting_[event.address].push_back(event.process); break;
      case Action::signal:
        if (event.value > 0) wake(ProcessId{static_cast<std::uint16_t>(event.value - 1)}, event);
        break;
      case Action::broadcast:
      case Action::condition_broadcast:
        while (!waiting_[event.address].empty()) wake(waiting_[event.address].front(), event);
        break;
      case Action::condition_signal:
        if (!waiting_[event.address].empty()) wake(waiting_[event.address].front(), event);
        break;
      case Action::wake:
        woken(object, event);
        if (event.second_address != 0) take_alone(event.second_address);
        break;
      case Action::futex_wake:
      case Action::wait_condition: woken(object, event); break;
      case Action::message_send: object.sent.push_back(at_); break;
      case Action::message_receive: object.asked.push_back(at_); break;
      case Action::wait_received: take_first_of(object.sent, event.peer); break;
      case Action::wait_sent: take_first_of(object.asked, event.peer); break;
      default: break;
    }
  }

  void add(std::size_t from, EdgeKind kind = EdgeKind::orders) {
    MAZURKA_CHECK(from < at_, "an event is ordered after an earlier one");
    if (events_[from].process != events_[at_].process) {
      order_.edges.push_back({from, at_, kind});
    }
  }
  void take(const EventOf& published) {
    for (const auto& [process, event] : published) add(event);
  }
  void take_alone(std::uint64_t address) {
    take(objects_[address].alone);
    take(objects_[address].shared);
  }
  void give_back(std::uint64_t address) {
    Published& object = objects_[address];
    const ProcessId self = events_[at_].process;
    std::size_t& reads = object.holds[self];
    (reads > 0 ? object.shared : object.alone)[self] = at_;
    if (reads > 0) --reads;
  }

  /// A read-modify-write that does not release continues what others have released.
  void access(const RawEvent& event) {
    if ((event.flags & (flag_plain | flag_ordinary)) != 0) return;
    if ((event.flags & flag_source) != 0) {
      access_weakly(event);
      return;
    }
    std::vector<std::size_t>& released = objects_[event.address].released;
    if ((event.flags & flag_acquires) != 0 && event.action != Action::write) {
      for (const std::size_t from : released) add(from);
    }
    if (event.action == Action::write) released.clear();
    const bool writes = event.action == Action::write || event.action == Action::update;
    if (writes && (event.flags & flag_releases) != 0) released.push_back(at_);
  }

  /// It comes after what was released to the value that it has read, whichever that is.
  void access_weakly(const RawEvent& event) {
    Fences& fences = fences_[event.process];
    std::vector<std::size_t> seen;
    if (event.action != Action::write && event.source < at_) {
      seen = order_.released[event.source];
    }
    if ((event.flags & flag_acquires) != 0) {
      for (const std::size_t from : seen) add(from);
    } else {
      fences.to_acquire.insert(fences.to_acquire.end(), seen.begin(), seen.end());
    }
    if (event.action != Action::write && event.action != Action::update) return;
    std::vector<std::size_t>& released = order_.released[at_];
    released = (event.flags & flag_releases) != 0 ? std::vector{at_} : fences.released;
    if (event.action == Action::update) released.insert(released.end(), seen.begin(), seen.end());
  }
  void fence(const RawEvent& event) {
    Fences& fences = fences_[event.process];
    if ((event.flags & flag_acquires) != 0) {
      for (const std::size_t from : fences.to_acquire) add(from);
      fences.to_acquire.clear();
    }
    if ((event.flags & flag_releases) != 0) fences.released = {at_};
  }

  /// The first one who leaves ends the round: who arrives after that is in the next.
  void arrive(Published& object, const RawEvent& event) {
    if (object.leaving) {
      object.passing = std::move(object.arrived);
      object.arrived.clear();
      object.leaving = false;
    }
    object.arrived[event.process] = at_;
  }
  void leave(Published& object) {
    const ProcessId self = events_[at_].process;
    const bool of_before = object.passing.contains(self) && !object.arrived.contains(self);
    if (!of_before) object.leaving = true;
    take(of_before ? object.passing : object.arrived);
  }

  void wake(ProcessId process, const RawEvent& event) {
    std::erase(waiting_[event.address], process);
    objects_[event.address].signalled[process] = at_;
  }
  void woken(Published& object, const RawEvent& event) {
    std::erase(waiting_[event.address], event.process);
    const auto by = object.signalled.find(event.process);
    if (by == object.signalled.end()) return;
    add(by->second, EdgeKind::wakes);
    object.signalled.erase(by);
  }

  void take_first_of(std::deque<std::size_t>& queue, ProcessId peer) {
    const auto first = std::find_if(queue.begin(), queue.end(), [&](std::size_t event) {
      return events_[event].process == peer;
    });
    if (first == queue.end()) return;
    add(*first);
    queue.erase(first);
  }

  const std::vector<RawEvent>& events_;
  std::size_t at_ = 0;
  std::map<std::uint64_t, Published> objects_;
  std::map<std::uint64_t, std::vector<ProcessId>> waiting_;
  EventOf started_by_;
  EventOf latest_;
  struct Fences {                         // of one process
    std::vector<std::size_t> to_acquire;  // released to what was read without acquiring
    std::vector<std::size_t> released;    // at most one: the latest that releases
  };
  std::map<ProcessId, Fences> fences_;
  EventOrder order_;
};

}  // namespace

EventOrder event_order_of(const std::vector<RawEvent>& events) {
  return OrderFinder(events).find();
}

std::vector<OrderEdge> order_of(const std::vector<RawEvent>& events) {
  return event_order_of(events).edges;
}

}  // namespace mazurka::threads
