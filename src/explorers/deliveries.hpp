// The search common to dpor and trans on programs of messages (Steps::one).
//
// Each node has a backtrack set: the messages to be delivered from there, in the order in which
// they were asked for. A technique looks at the new deliveries of an execution, in their order, and
// asks for more at earlier nodes. What it needs to know of them is here: which one sent which
// message, and which happen before which.
#pragma once

#include <cstdint>
#include <vector>

#include "core/execution.hpp"
#include "core/ids.hpp"
#include "core/session.hpp"
#include "core/vocabulary.hpp"
#include "explorers/path.hpp"

namespace mazurka {

/// Which deliveries of an execution happen before which: a clock for each, with an entry for each
/// *chain* of deliveries that happen one after the other (as in analysis/happens_before.hpp). Those
/// to one receiver are all in order, so the latest of them stands for the others. Steps that are
/// merely counted have no order among themselves, and race with nobody.
class Causality {
 public:
  explicit Causality(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  /// Takes in an execution whose first `kept` events are those of the previous call's.
  void update(const Execution& execution, std::size_t kept);
  /// Whether `one` happens before `other`, or is the same event.
  [[nodiscard]] bool before(std::size_t one, std::size_t other) const {
    return known(clock(other), static_cast<std::uint32_t>(one));
  }
  /// The events before `end` that share an object with the footprint and do not happen before `by`
  /// (no_event: none does), in order.
  void not_before(std::uint32_t by, std::uint32_t end, Footprint accesses,
                  std::vector<std::uint32_t>& out) const;

 private:
  struct Touch {
    std::uint32_t event;
    bool counted;
  };

  struct Place {
    std::uint32_t chain = 0;
    std::uint32_t position = 0;         // in the chain
    std::uint32_t previous = no_event;  // event of the chain
  };

  [[nodiscard]] const std::uint32_t* clock(std::size_t event) const {
    return clocks_.data() + event * width_;
  }
  [[nodiscard]] bool known(const std::uint32_t* clock, std::uint32_t event) const {
    return clock[places_[event].chain] > places_[event].position;
  }
  void forget_from(std::size_t kept);
  void widen(std::size_t chains);
  void join(std::uint32_t* into, std::uint32_t event) const;
  void put_into_chain(std::uint32_t event);
  void add_event(const Execution& execution, std::uint32_t event);
  void add_access(const Access& access, std::uint32_t event);

  const Vocabulary& vocabulary_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> last_of_chain_;  // events
  std::vector<std::uint32_t> clocks_;
  std::size_t width_ = 8;                     // entries per clock
  std::vector<std::vector<Touch>> touching_;  // per object: events, in order
};

/// One message of an execution, delivered or not.
struct Sent {
  Step step;
  std::uint32_t by = no_event;  // the delivery that sent it; no_event: the set-up
  std::uint32_t delivered = no_event;
};

class Deliveries {
 public:
  enum class Rule : std::uint8_t { dpor, trans };

  Deliveries(Session& session, Rule rule);
  [[nodiscard]] bool explore();

 private:
  struct Node {
    std::vector<ProcessId> backtrack;  // what was or will be delivered here
    std::size_t done = 1;              // so many of them were, or are being explored
    bool frozen = false;               // trans: something was added that is not yet explored ...
    bool replaceable = false;          // ... and a better candidate may take its place
  };

  void extend_nodes();
  void collect_messages();
  [[nodiscard]] std::size_t deepest_open() const;

  void look_at_delivery_dpor(std::uint32_t event);
  void look_at_sending(std::uint32_t event);
  void look_at_delivery(std::uint32_t event);
  void look_at_the_undelivered();
  void look_at(const Sent& message, std::uint32_t end);

  [[nodiscard]] bool known(std::uint32_t node, ProcessId candidate) const;
  void add(std::uint32_t node, ProcessId candidate);
  void add_all(std::uint32_t node);
  void ask_instead(std::uint32_t node, ProcessId candidate);
  void ask_for_receiver(std::uint32_t node, ProcessId candidate);

  [[nodiscard]] bool conflict(std::uint32_t event, const Step& step) const;
  [[nodiscard]] bool in_turn(std::uint32_t event, const Sent& message) const;
  [[nodiscard]] bool enabled(std::uint32_t node, ProcessId process) const {
    return path_.execution().enabled[node].contains(process);
  }
  /// The message of the first event after `event` that leads to the event `target` or is it.
  [[nodiscard]] ProcessId first_cause(std::uint32_t event, std::uint32_t target) const;

  Session& session_;
  Rule rule_;
  bool sleep_sets_;
  Path path_;
  Causality causality_;
  std::vector<Node> nodes_;
  std::vector<Sent> messages_;             // of the latest execution
  std::vector<std::uint32_t> message_of_;  // by process: index into messages_
  std::vector<std::uint32_t> racing_;      // scratch
};

}  // namespace mazurka
