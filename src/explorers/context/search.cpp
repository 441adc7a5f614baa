#include "explorers/context/search.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/check.hpp"
#include "explorers/context/anticipation.hpp"
#include "explorers/context/nodes.hpp"
#include "explorers/context/pending_sequences.hpp"
#include "explorers/context/pruning.hpp"
#include "explorers/context/races.hpp"
#include "explorers/path.hpp"

namespace mazurka {

namespace {

class Search {
 public:
  /// What was learnt by searches that had to begin again.
  struct Knowledge {
    Futures futures;
    Observation::Guarded guarded;
  };

  Search(Session& session, const ContextSearchKind& kind, Knowledge& knowledge)
      : session_(session),
        path_(session, Path::Sleepers::kept_asleep, true),
        nodes_(session.vocabulary()),
        races_(session.vocabulary(),
               {kind.context, kind.observers,
                kind.source ? ContextRaces::Asks::for_an_initial
                            : ContextRaces::Asks::for_the_sequence},
               path_, nodes_),
        pending_(races_.initials()),
        guided_(kind.guided),
        weighs_futures_(kind.context && !kind.source),
        knowledge_(knowledge),
        anticipation_(session.vocabulary(), path_, knowledge.futures) {
    races_.observation().know_guarded(knowledge.guarded);
    path_.schedule().record_states = kind.context;
    path_.schedule().whole_states = kind.whole_states;
    path_.schedule().tentative = true;
    path_.schedule().watch_reads = kind.observers;
    if (kind.context) {
      path_.follow(pruning_);
      pruning_.deal_with(dealt_with_);
      dealt_with_.resize(1);
    }
    if (kind.anticipating) pruning_.anticipate(knowledge.futures);
    nodes_.make_room(1);
    if (kind.context) aim(0);
  }

  /// What the processes were thought to do, or to wait for, turned out to be too little: some of
  /// what was pruned may be missing. What was learnt is kept, so this ends.
  [[nodiscard]] bool must_begin_again() const {
    return anticipation_.was_mistaken() || races_.observation().was_mistaken();
  }

  bool explore() {
    while (path_.perform()) {
      take_in();
      if (weighs_futures_ || pruning_.anticipates()) anticipation_.take_in();
      if (anticipation_.was_mistaken()) return false;
      races_.analyse(pending_);
      if (races_.observation().was_mistaken()) {
        knowledge_.guarded = races_.observation().all_guarded();
        return false;
      }
      if (races_.something_commutes() && !pruning_.keeps_canonical()) {
        begin_to_remember();
      }
      if (path_.execution().nothing_else_either) ask_for_unseen_races();
      const auto node = next_node();
      if (!node) return all_explored(session_);
      if (session_.stop()) return false;
      if (path_.schedule().record_states) aim(*node);
    }
    return false;
  }

 private:
  void aim(std::size_t node) { pruning_.avoid(nodes_[node].avoided, nodes_.sequences()); }

  // Until something commutes, no step can have come too late.
  void begin_to_remember() {
    const Execution& execution = path_.execution();
    MAZURKA_CHECK(execution.changes.size() == execution.size(), "each event has its change");
    Fingerprint state;
    for (std::size_t at = 0; at < execution.size(); ++at) {
      const Fingerprint next = state ^ execution.changes[at];
      transitions_.insert({state, execution.steps.process(at)}, next);
      state = next;
    }
    pruning_.keep_canonical(transitions_, races_.canonical_orders());
  }

  // Brings what is known of the nodes up to date with the execution.
  void take_in() {
    const Execution& execution = path_.execution();
    nodes_.make_room(execution.size() + 1);
    cut_ = false;
    for (std::size_t at = path_.kept(); at < execution.size(); ++at) {
      const Step event = execution.steps[at];
      const std::size_t wish = at - path_.kept();
      const bool wished = wish < wishes_.size();
      if (wished && !granted(wish, event)) {
        give_up(at, wish);
        wishes_.clear();
      }
      nodes_.clear(at + 1);
      pending_.clear(at + 1);
      pending_.hand_down(at, event);
      if (!nodes_[at].avoided.empty()) nodes_.inherit(at, event, execution.changes[at]);
      if (execution.reached_known_state && at + 1 == execution.size()) {
        cut_ = true;
        nodes_.cut(at, event, execution.changes[at]);
        if (wished && planned(wish)) nodes_[at].wish_was_cut = true;
        pending_.clear(at + 1);
        pending_.take_back(at);
      } else {
        nodes_[at].explored = true;
      }
    }
    MAZURKA_CHECK(path_.kept() <= execution.size(), "an execution has all events that it repeats");
    if (wishes_.size() > execution.size() - path_.kept()) {  // it could not be done to its end
      const std::size_t at = execution.size();
      if (!cut_) give_up(at, at - path_.kept());
    }
  }

  // What was cut in anticipation would have shown races of later steps with the events so far. They
  // are not known; so wherever there may be one, everybody moves.
  void ask_for_unseen_races() {
    const Execution& execution = path_.execution();
    for (std::size_t at = 0; at + 1 < execution.size(); ++at) {
      const Step event = execution.steps[at];
      bool possible = false;
      for (std::size_t other = 0; other < execution.pending.size() && !possible; ++other) {
        const ProcessId process = execution.pending.process(other);
        possible = process != event.process() && anticipation_.may_ever_conflict(process, event);
      }
      if (possible) everybody_moves(at);
    }
  }

  void everybody_moves(std::size_t node) {
    const Execution& execution = path_.execution();
    const auto ask = [&](const Step& step) {
      if (!execution.enabled[node].contains(step.process())) return;
      const auto choice = path_.sleepers().free_choice(step.process(), node);
      if (!choice || step.process() == execution.steps.process(node)) return;
      Step first = step;
      first.decision.choice = *choice;
      first.released = {};
      planned_.clear();
      planned_.push_back(first);
      pending_.add_an_initial(node, planned_);
    };
    moved_.clear();
    for (std::size_t at = node; at < execution.size(); ++at) {
      const Step step = execution.steps[at];
      if (moved_.contains(step.process())) continue;
      moved_.insert(step.process());
      ask(step);
    }
    for (std::size_t at = 0; at < execution.pending.size(); ++at) {
      if (!moved_.contains(execution.pending.process(at))) ask(execution.pending[at]);
    }
  }

  // Whether the wish is for something pending, not for what may be known.
  [[nodiscard]] bool planned(std::size_t wish) const {
    return wish < planned_.size() && planned_.decision(wish) == wishes_[wish];
  }

  // Whether the event is what was wished for. From the first that is not, the execution went on by
  // itself. The same process may have moved, but with another step than the plan has: a sequence
  // that rests on two steps commuting knows what one of them leads to after the other alone.
  [[nodiscard]] bool granted(std::size_t wish, const Step& event) const {
    if (wishes_[wish] != event.decision) return false;
    if (!planned(wish)) return true;
    const Step wanted = planned_[wish];
    return wanted.awaited == event.awaited && wanted.exits == event.exits &&
           same_accesses(wanted.widest(), event.widest());
  }

  // The wish could not be granted at the node.
  void give_up(std::size_t node, std::size_t wish) {
    if (planned(wish)) pending_.give_up(node, planned_[wish]);
  }

  // The deepest node at which something is left to explore; makes the schedule that does so.
  std::optional<std::size_t> next_node() {
    const Execution& execution = path_.execution();
    for (std::size_t at = execution.size(); at-- > 0;) {
      const bool was_cut = cut_ && at + 1 == execution.size();
      nodes_.clear(at + 1);
      pending_.clear(at + 1);
      if (!was_cut) pending_.settle(at);
      const bool undisturbed = was_cut && weighs_futures_ && anticipation_.rely_on_cut();
      if (undisturbed) pending_.clear(at);
      wishes_.clear();
      planned_.clear();
      MAZURKA_CHECK(dealt_with_.empty() || at < dealt_with_.size(), "each node is dealt with");
      if (!dealt_with_.empty()) dealt_with_[at].insert(execution.steps.process(at));
      while (!pending_.empty(at) && was_cut_before(at, pending_.first(at).process())) {
        pending_.drop_first(at);
      }
      if (!pending_.empty(at)) {
        pending_.plan_ahead(at, planned_);
        for (std::size_t step = 0; step < planned_.size(); ++step) {
          wishes_.push_back(planned_.decision(step));
        }
        if (guided_) try_known_first(at);
      } else if (!nodes_[at].explored && !(was_cut && execution.nothing_else_either) &&
                 !undisturbed) {
        if (const auto other = other_process(at)) wishes_.push_back(*other);
      }
      if (wishes_.empty()) continue;
      if (was_cut) {
        path_.keep_awake(at);
      } else {
        path_.put_to_sleep(at);
      }
      path_.leave(at);
      for (std::size_t wish = 0; wish < wishes_.size(); ++wish) {
        if (planned(wish)) {
          path_.expect(planned_[wish]);
        } else {
          path_.decide(wishes_[wish]);
        }
      }
      return at;
    }
    return std::nullopt;
  }

  // A step that may lead to a known state goes before those that do not: it costs little, and
  // others are pruned by what it tells.
  void try_known_first(std::size_t node) {
    known_ = nodes_[node].avoided;
    for (std::size_t step = 0; step <= planned_.size() && !known_.empty(); ++step) {
      for (const Avoided& entry : known_) {
        const ProcessId process = nodes_.sequences().completes(entry);
        if (process == no_process) continue;
        if (step < planned_.size() && process == planned_.process(step)) continue;
        if (step == 0 && (dealt_with_[node].contains(process) ||
                          !path_.execution().enabled[node].contains(process))) {
          continue;
        }
        wishes_.resize(step);
        wishes_.push_back({process, 0});
        return;
      }
      if (step == planned_.size()) return;
      std::erase_if(known_, [&](Avoided& entry) {
        return nodes_.sequences().follow(entry, planned_[step]) ==
                   AvoidedSequences::Follow::forgotten ||
               entry.complete();
      });
    }
  }

  [[nodiscard]] bool was_cut_before(std::size_t at, ProcessId process) {
    const std::vector<ProcessId>& cut = nodes_[at].cut;
    return std::find(cut.begin(), cut.end(), process) != cut.end();
  }

  // Somebody else who can move at a node where all that was tried led to known states; failing
  // that, somebody whose step will be cut too, but whose races were not seen yet.
  [[nodiscard]] std::optional<Decision> other_process(std::size_t at) {
    const ContextNodes::Node& node = nodes_[at];
    std::optional<Decision> found;
    std::optional<Decision> known;
    path_.execution().enabled[at].for_each([&](ProcessId process) {
      if (was_cut_before(at, process)) return;
      const auto choice = path_.sleepers().free_choice(process, at);
      if (!choice) return;
      std::optional<Decision>& slot = nodes_.forbidden(at, process) ? known : found;
      if (!slot) slot = Decision{process, *choice};
    });
    if (found || node.wish_was_cut) return found;
    return known;
  }

  Session& session_;
  Path path_;
  ContextNodes nodes_;
  ContextRaces races_;
  PendingSequences pending_;
  bool guided_;
  bool weighs_futures_;
  Knowledge& knowledge_;
  Anticipation anticipation_;
  Transitions transitions_;
  std::vector<ProcessSet> dealt_with_;
  Pruning pruning_;
  StepList planned_;
  std::vector<Avoided> known_;  // scratch
  ProcessSet moved_;            // scratch
  std::vector<Decision> wishes_;
  bool cut_ = false;
};

class ContextSearch final : public Explorer {
 public:
  explicit ContextSearch(const ContextSearchKind& kind) : kind_(kind) {}

  bool explore(Session& session) override {
    if (kind_.context) require_states(session, kind_.technique);
    if (kind_.whole_states && !session.has_whole_states()) {
      throw std::runtime_error("technique " + std::string(kind_.technique) +
                               ": option whole-states is for programs of threads; leave it out");
    }
    ContextSearchKind kind = kind_;
    if (!session.states_tell_all()) kind.context = kind.anticipating = kind.whole_states = false;
    Search::Knowledge knowledge;
    while (true) {
      Search search(session, kind, knowledge);
      const bool everything = search.explore();
      if (!search.must_begin_again()) return everything;
      session.begin_again();
    }
  }

 private:
  ContextSearchKind kind_;
};

}  // namespace

std::unique_ptr<Explorer> make_context_search(const ContextSearchKind& kind) {
  return std::make_unique<ContextSearch>(kind);
}

void require_states(const Session& session, std::string_view technique) {
  if (session.has_states()) return;
  throw std::runtime_error("technique " + std::string(technique) +
                           " needs to compare states, and this front-end cannot");
}

}  // namespace mazurka
