// One execution of a certificate, with what happens before what.
//
// A schedule is performed in the checker's own model of the objects. Each event gets the clock of
// its past (per process, how many of its events happen before it) and a name that is a hash of all
// of that. A *cut* is a set of events closed under what happens before; it is written as a clock.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "certificate.hpp"
#include "key.hpp"
#include "objects.hpp"

namespace certify {

/// A log that is no maximal execution of the described program. `event` is where that shows.
struct NoExecution : std::runtime_error {
  NoExecution(const std::string& what, std::uint32_t where)
      : std::runtime_error(what), event(where) {}
  std::uint32_t event;
};

/// Per process, the number of its events.
using Cut = std::vector<std::uint32_t>;

struct Event {
  std::uint32_t process = 0;
  std::uint32_t index = 0;    // n-th event of its process
  std::uint32_t node = 0;     // the operation it performs
  std::uint32_t after = 0;    // the node that it leads to
  std::uint32_t choices = 1;  // in how many ways it could have been performed
  std::uint32_t first_direct = 0;
  std::uint32_t directs = 0;
  std::vector<Class> classes;  // per part of its operation
  Key before;                  // names what its process knew: its last event, or its birth
  Key id;
};

/// Follows the schedules of a certificate one after the other.
class Histories {
 public:
  Histories(const Certificate& certificate, const Secret& secret);

  /// Goes to the first schedule (again).
  void rewind() { position_ = 0; }
  /// Performs the next schedule; false if there is none. Throws NoExecution.
  bool next();

  /// The schedule that was performed last, from 0.
  [[nodiscard]] std::uint32_t number() const { return position_ - 1; }
  /// How many of its first events are those of the schedule before.
  [[nodiscard]] std::uint32_t shared() const { return shared_; }

  [[nodiscard]] const Certificate& certificate() const { return certificate_; }
  [[nodiscard]] const Secret& secret() const { return secret_; }
  [[nodiscard]] std::uint32_t processes() const { return processes_; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(events_.size()); }
  [[nodiscard]] const Event& operator[](std::uint32_t at) const { return events_[at]; }
  [[nodiscard]] const Operation& operation(const Event& event) const {
    return certificate_.operations[certificate_.nodes[event.node].operation];
  }
  [[nodiscard]] std::uint32_t node_at_end(std::uint32_t process) const { return at_[process]; }
  /// What the process would do next, at the end.
  [[nodiscard]] const Operation& operation_at_end(std::uint32_t process) const {
    return certificate_.operations[certificate_.nodes[at_[process]].operation];
  }

  /// The events before this one: without itself.
  [[nodiscard]] std::span<const std::uint32_t> before(std::uint32_t event) const {
    return {clocks_.data() + std::size_t{event} * processes_, processes_};
  }
  /// The events from which this one is reached without a race: those up to the one before it of
  /// its process, or up to its birth, and where it joins a process those of that one.
  [[nodiscard]] Cut past(std::uint32_t event) const;
  [[nodiscard]] Cut past_at_end(std::uint32_t process) const;
  /// The events before it that it conflicts with and that nothing else puts before it.
  [[nodiscard]] std::span<const std::uint32_t> directs(std::uint32_t event) const {
    return {directs_.data() + events_[event].first_direct, events_[event].directs};
  }
  /// The events of a process, and of an object's users, in the order of the log.
  [[nodiscard]] const std::vector<std::uint32_t>& of_process(std::uint32_t process) const {
    return own_[process];
  }
  [[nodiscard]] const std::vector<std::uint32_t>& of_object(std::uint32_t object) const {
    return users_[object];
  }

  [[nodiscard]] bool is_born(std::uint32_t process) const { return born_[process]; }
  /// True if the process has ended and can be joined.
  [[nodiscard]] bool has_ended(std::uint32_t process) const;
  /// True if an event ended the whole program; it is the last one.
  [[nodiscard]] bool is_stopped() const;
  /// Names what a process knows at the end: its last event, or its birth.
  [[nodiscard]] Key known_at_end(std::uint32_t process) const { return known_[process]; }

  [[nodiscard]] Cut all() const;
  /// What remains of the execution without this event and all after it.
  [[nodiscard]] Cut without(std::uint32_t event) const;
  /// A name for the cut: equal cuts of any two executions have equal names.
  [[nodiscard]] Key name(std::span<const std::uint32_t> cut) const;
  [[nodiscard]] bool contains(std::span<const std::uint32_t> cut, std::uint32_t event) const {
    return events_[event].index < cut[events_[event].process];
  }

 private:
  void begin(const Schedule& schedule);
  void forget(std::uint32_t from);
  void perform_again();
  void perform(Step step);
  void change_objects(Event& event, const Operation& operation, const Outcome& outcome);
  void find_past(std::uint32_t event, const Operation& operation);
  void name_event(std::uint32_t event, const Outcome& outcome);
  void note(std::uint32_t event);
  void give_birth(std::uint32_t child, std::uint32_t event);
  void check_end() const;
  [[nodiscard]] bool can_be_performed(std::uint32_t process) const;
  [[noreturn]] void refuse(const std::string& what) const;
  void add_past(std::uint32_t event, Cut& cut) const;
  [[nodiscard]] Cut past(std::uint32_t process, std::uint32_t events, std::uint32_t joined) const;

  const Certificate& certificate_;
  Secret secret_;
  std::uint32_t processes_;
  std::uint32_t position_ = 0;  // schedules performed
  std::uint32_t shared_ = 0;

  std::vector<Event> events_;
  std::vector<std::uint32_t> clocks_;
  std::vector<std::uint32_t> directs_;
  std::vector<std::vector<std::uint32_t>> own_;
  std::vector<std::vector<std::uint32_t>> users_;
  std::vector<std::uint32_t> ends_program_;  // events that do
  std::vector<Value> values_;
  std::vector<std::uint32_t> at_;     // the node of each process
  std::vector<Key> known_;            // what each process knows, by name
  std::vector<std::uint32_t> birth_;  // the event that created the process
  std::vector<bool> born_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> begins_;
  std::vector<std::uint32_t> scratch_;
};

}  // namespace certify
