// Happens-before and races of one execution, kept up to date from one execution to the next.
//
// An event happens before another if program order, creation, signalling, joining or dependence
// leads from one to the other; vector clocks answer that in O(1). The clocks of the events that an
// execution shares with the previous one are kept, so the work is proportional to what is new.
//
// A clock has an entry for each *chain* of events, in which every event happens before the next. A
// process goes on with its chain; its first event may go on with one that ends before it. So there
// are at most as many chains as processes, and few of them where each message is a process.
//
// A *race* is a pair that could be reversed: dependent, of different processes, and with nothing
// in between in happens-before. Blocking operations need more care (docs/techniques.md,
// "Blocking"):
//
//  - unlock -> lock orders two events but can never be reversed. What can be reversed is the
//    acquisition before it: a guarded step races with an earlier event of the guard's object if
//    its guard held just before that event, whatever unlocks lie in between;
//  - if those whose events it must come before commute (readers of a lock, before a writer), the
//    value before such an event is not all: who else has shared the lock by then must be able to
//    stop without that event, or must come later, too (left_out_with());
//  - a step that is still disabled when the execution ends races in the same way: it might have
//    come first.
//
// A step that ends the program comes after all others (core/run.hpp) and can be reversed with none
// of them; whoever could have moved in its place, though, might have come before it.
//
// A step with several outcomes is an *alternative* to itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/check.hpp"
#include "core/execution.hpp"
#include "core/ids.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

struct Race {
  enum class Kind : std::uint8_t {
    events,       // `second` is an event: it could have come before `first`
    pending,      // `second` is an index into Execution::pending: it could have run before `first`
    alternative,  // `first` could have had the outcome `choice`
  };
  Kind kind{};
  std::uint16_t choice = 0;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};

/// Dependent events that need not be ordered after all: writes that nobody observes, steps that
/// commute in the state in which they meet. It may remember what it was asked.
class LooseOrder {
 public:
  virtual ~LooseOrder() = default;
  /// Whether these two need not be ordered, whatever they access.
  [[nodiscard]] virtual bool loose(std::uint32_t first, std::uint32_t second) = 0;
  /// Whether nobody whose access is like `first` (the same object, in the same mode) need happen
  /// before an event because of its access `second`, number `at` of all in the execution.
  [[nodiscard]] virtual bool irrelevant(const Access& first, const Access& second,
                                        std::size_t at) = 0;
  /// Whether nothing is loose among the accesses to the object.
  [[nodiscard]] virtual bool strict(ObjectId object) const = 0;
};

class HappensBefore {
 public:
  enum class Wanted : std::uint8_t { order_and_races, order };

  explicit HappensBefore(const Vocabulary& vocabulary, Wanted wanted = Wanted::order_and_races)
      : vocabulary_(vocabulary), with_races_(wanted == Wanted::order_and_races) {}

  /// Takes in an execution whose first `kept` events are those of the previous call's.
  /// With a loose order everything is worked out anew (`kept` must be 0), and takes longer.
  void update(const Execution& execution, std::size_t kept, LooseOrder* loose = nullptr);

  /// The races whose second event is new since the last update(), those of pending steps included.
  [[nodiscard]] std::span<const Race> races() const { return races_; }

  /// Whether `one` happens before `other`, or is the same event.
  [[nodiscard]] bool before(std::size_t one, std::size_t other) const {
    return known(clock(other), static_cast<std::uint32_t>(one));
  }
  /// Where only the order is wanted each process is a chain: of each, how many of its events happen
  /// before this one; of its own, itself too.
  /// Requires: only the order is wanted.
  [[nodiscard]] std::span<const std::uint32_t> past(std::size_t event) const {
    MAZURKA_CHECK(!with_races_ && event < process_of_.size(), "each process is a chain");
    return {clock(event), stride_};
  }
  /// So many processes such a row has room for.
  [[nodiscard]] std::size_t width() const { return stride_; }
  /// The events after `event`, and before `end`, that do not happen after it, in order. Not where
  /// only the order is wanted.
  void not_after(std::size_t event, std::size_t end, std::vector<std::uint32_t>& out) const;

  /// Where a race of a guarded step is reversed: the events, besides the first, that must come
  /// later too, with all that happens after them, so that the guard holds. They can; of most guards
  /// there are none.
  void left_out_with(const Execution& execution, const Race& race,
                     std::vector<std::uint32_t>& out) const;

  /// The latest event of the process, or no_event.
  [[nodiscard]] std::uint32_t last_event(ProcessId process) const {
    return index(process) < last_event_.size() ? last_event_[index(process)] : no_event;
  }
  /// The event of the same process before this one, or no_event.
  [[nodiscard]] std::uint32_t previous_of_process(std::size_t event) const {
    return previous_of_process_[event];
  }

  /// A walk back through the accesses to one object that a certain access to it depends on. Those
  /// that are independent of it are stepped over, a whole run of them at once where they come in
  /// runs. Elsewhere it ends at one that its process knows of anyway, and with it all before.
  class Earlier {
   public:
    [[nodiscard]] bool any() const { return at_ != none; }
    [[nodiscard]] std::uint32_t event() const { return order_.links_[at_].event; }
    /// Whether everything earlier that the access depends on happens before this event: the event
    /// depends on all of that too (of two sends, the second on what a third does), or is the first
    /// of a run.
    [[nodiscard]] bool is_enough() const {
      return order_.comes_after_all(at_) ||
             (!runs_ && order_.vocabulary_.covers(order_.accesses_[at_], access_));
    }
    void go_back() {
      at_ = order_.links_[at_].previous;
      step_over_independent();
    }

   private:
    friend class HappensBefore;
    Earlier(const HappensBefore& order, const Access& access, std::uint32_t at,
            const std::uint32_t* own)
        : order_(order),
          access_(access),
          at_(at),
          runs_(order.vocabulary_.comes_in_runs(access.kind)),
          own_(own) {
      step_over_independent();
    }
    void step_over_independent() {
      while (at_ != none && order_.independent_of(access_, at_)) {
        const Link& link = order_.links_[at_];
        const bool end = !runs_ && own_ != nullptr && order_.is_known_with_all_before(at_, own_);
        at_ = end ? none : runs_ ? link.before_run : link.previous;
      }
    }
    const HappensBefore& order_;
    Access access_;
    std::uint32_t at_;
    bool runs_;
    const std::uint32_t* own_;  // a clock: what its process knows without these accesses; or null
  };
  /// From the last access by another event before the one that has this number in its event.
  /// `known`: an event, or no_event; what happens before it is known anyway.
  [[nodiscard]] Earlier earlier(std::size_t event, std::size_t number, std::uint32_t known) const;
  /// From the last of all.
  [[nodiscard]] Earlier earlier(const Access& pending, std::uint32_t known = no_event) const {
    return from_last(pending, known == none ? nullptr : clock(known));
  }

 private:
  static constexpr std::uint32_t none = no_event;

  struct Link {  // one access, in the chain of accesses to its object
    std::uint32_t event = 0;
    std::uint32_t previous = none;    // access
    std::uint32_t before_run = none;  // the latest access before its run (comes_in_runs) ...
    // ... or the previous one, if all accesses to the object happen before this one.
  };
  // The accesses to an object, in order, and of each process, so many of these it has known at
  // least.
  struct OfObject {
    std::vector<std::uint32_t> accesses;
    std::vector<std::size_t> known;
    /// The last access that the process knows with all before, or none. What it has known once it
    /// knows later, too.
    template <typename Knows>
    std::uint32_t last_known(ProcessId process, Knows&& knows) {
      if (known.size() <= index(process)) known.resize(index(process) + 1, 0);
      std::size_t& count = known[index(process)];
      while (count < accesses.size() && knows(accesses[count])) ++count;
      return count == 0 ? none : accesses[count - 1];
    }
  };
  struct Latest {  // of the accesses to an object by one process in one mode
    std::uint16_t process = 0;
    std::uint32_t access = none;
  };

  [[nodiscard]] const std::uint32_t* clock(std::size_t event) const {
    return clocks_.data() + event * stride_;
  }
  [[nodiscard]] std::uint32_t* clock(std::size_t event) { return clocks_.data() + event * stride_; }
  [[nodiscard]] bool known(const std::uint32_t* clock, std::uint32_t event) const {
    return clock[chain_of_[event]] > position_[event];
  }
  /// Whether all earlier accesses to the object that this one could depend on happen before it.
  [[nodiscard]] bool comes_after_all(std::uint32_t at) const {
    return links_[at].previous == links_[at].before_run;
  }
  /// Where accesses do not come in runs: its event, and all that accessed the object before. (An
  /// event that accesses it in several modes is one of those before its second access.)
  [[nodiscard]] bool is_known_with_all_before(std::uint32_t at, const std::uint32_t* clock) const {
    const std::uint32_t previous = links_[at].previous;
    const bool first_of_event = previous == none || links_[previous].event != links_[at].event;
    return first_of_event && comes_after_all(at) && known(clock, links_[at].event);
  }
  [[nodiscard]] bool independent_of(const Access& access, std::uint32_t earlier) const {
    return !vocabulary_.related(access.kind, accesses_[earlier].mode, access.mode);
  }
  void join(std::uint32_t* into, std::uint32_t event) const;
  void forget_from(std::size_t kept);
  void make_room(std::size_t chains);
  void add_event(const Execution& execution, std::uint32_t event);
  void put_into_chain(std::uint32_t event);
  [[nodiscard]] std::uint16_t chain_for(std::uint32_t event);
  void add_accesses(const Execution& execution, std::uint32_t event, const Step& step);
  void add_exit(std::uint32_t event);
  void add_guard(const Execution& execution, const Access& access, const Step& step, Race found,
                 const std::uint32_t* own, std::size_t number);
  void add_pending(const Execution& execution);
  [[nodiscard]] Earlier from_last(const Access& access, const std::uint32_t* own) const;
  [[nodiscard]] bool knows_all_from(std::uint32_t access, const std::uint32_t* clock) const;
  void collect_candidates(std::uint32_t event, std::size_t number, const Access& access,
                          ProcessId process);
  [[nodiscard]] bool is_behind_partner(std::uint32_t event) const;
  [[nodiscard]] bool guard_holds_before(const Execution& execution, const Access& access,
                                        std::uint32_t at, const std::uint32_t* own);
  [[nodiscard]] bool can_hold(const Execution& execution, const Access& access, std::uint32_t first,
                              std::uint32_t latest, std::vector<std::uint32_t>& left_out) const;
  void note_move(std::uint32_t event, int moves) const;
  [[nodiscard]] bool guards_hold_before(const Execution& execution, const Step& step,
                                        std::uint32_t first) const;
  void link(const Execution& execution, std::uint32_t event);
  void link_alike(std::uint32_t event, std::uint32_t at);
  void collect_loose_candidates(std::uint32_t event, std::size_t number, const Access& access,
                                ProcessId process);
  /// Whether everything before a total access to the object happens before it.
  [[nodiscard]] bool strict(const Access& access) const {
    return loose_ == nullptr || loose_->strict(access.object);
  }

  const Vocabulary& vocabulary_;
  bool with_races_;
  LooseOrder* loose_ = nullptr;
  std::vector<std::uint16_t> process_of_;
  std::vector<std::uint16_t> chain_of_;
  std::vector<std::uint32_t> position_;  // in its chain
  std::vector<std::uint32_t> previous_of_chain_;
  std::vector<std::uint32_t> last_of_chain_;
  std::vector<std::uint32_t> previous_of_process_;
  std::vector<std::uint32_t> last_event_;
  std::vector<std::vector<std::uint32_t>> events_of_;  // by process, if races are wanted
  std::vector<std::uint32_t> clocks_;
  std::size_t stride_ = 0;

  std::vector<Access> accesses_;  // parallel to links_
  std::vector<Link> links_;
  std::vector<std::uint32_t> first_link_;   // per event
  std::vector<std::uint32_t> last_access_;  // per object
  // In a loose order only: what process accessed what in which mode.
  std::vector<std::vector<Latest>> latest_;    // per object
  std::vector<std::uint32_t> previous_alike_;  // parallel to links_: by the same process, likewise
  std::vector<OfObject> of_objects_;           // per object

  std::vector<Race> races_;
  std::vector<std::uint32_t> own_;         // scratch: what a step knows before its accesses
  std::vector<std::uint32_t> partners_;    // scratch: of a guarded access, so far
  std::vector<std::uint32_t> candidates_;  // scratch
  // Scratch of can_hold().
  mutable std::vector<std::uint32_t> left_out_;
  mutable std::vector<std::uint32_t> between_;  // accesses, latest first
  mutable std::vector<std::uint32_t> open_;     // events that were not taken back
};

}  // namespace mazurka
