// Source DPOR that never explores twice from one state: chains of steps that commute as a whole.
//
// Idea. When all that could follow a node of the tree is explored, every final state that can be
// reached from the node's state has been seen. So whoever arrives in that state again, by whatever
// chain of steps, can stop; and likewise in any state that could be reached from it. Two ways to
// notice: the states of finished nodes are remembered (explorers/context/known_states.hpp); and if
// e then e' was explored at a node, the sequence (what e' needs) e' e need not be done there if it
// makes the same change (explorers/context/avoidance.hpp), since e and then e' leads to the same
// state, from a finished node. "Finished" is an order in time, so no two parts of the search can
// leave something to each other.
//
// What an execution that stops misses are the races of its events with steps that would have
// followed. All that may follow from a known state is known (prospects.hpp): where an event
// conflicts with some of that, and does not come before all of it anyway, an initial of the
// reversed continuation is asked for; where the steps so far do not tell one, everybody moves.
// Races of events above the node of a don't-do sequence have been seen in the order that was
// explored.
//
// Source. The sleep sequences of Albert and others, made longer: as printed, their algorithm does
// not give the 2^N executions that the paper has for producer and consumer. Yang, Chen,
// Gopalakrishnan, Kirby: stateful dynamic partial order reduction, for the races that are not seen.
//
// Neighbours. source.cpp is this without states. search.cpp goes by pairs only and needs nothing
// but the current path; this remembers every state, up to the limit of known_states.hpp.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/commutation.hpp"
#include "analysis/happens_before.hpp"
#include "analysis/reversal.hpp"
#include "core/explorer.hpp"
#include "explorers/context/known_states.hpp"
#include "explorers/context/nodes.hpp"
#include "explorers/context/prospects.hpp"
#include "explorers/context/pruning.hpp"
#include "explorers/context/search.hpp"
#include "explorers/path.hpp"

namespace mazurka {
namespace {

class ChainSearch {
 public:
  explicit ChainSearch(Session& session)
      : session_(session),
        path_(session, Path::Sleepers::kept_asleep, true),
        happens_before_(session.vocabulary()),
        reversal_(session.vocabulary(), happens_before_, path_.sleepers()),
        nodes_(session.vocabulary()),
        prospects_(session.vocabulary()) {
    path_.schedule().record_states = true;
    path_.follow(pruning_);
    pruning_.know(known_);
    nodes_.make_room(1);
    ahead_.resize(1);
  }

  bool explore() {
    while (path_.perform()) {
      take_in();
      look_for_races();
      if (path_.execution().reached_known_state) ask_for_unseen_races();
      const std::size_t node = backtrack_.deepest();
      if (node == no_node) return all_explored(session_);
      if (session_.stop()) return false;
      finish_below(node);
      path_.put_to_sleep(node);
      asleep_.resize(path_.sleepers().size());
      asleep_.back() = ahead_[node + 1];
      path_.leave(node);
      path_.decide(backtrack_.take(node));
      pruning_.avoid(nodes_[node].avoided, nodes_.sequences());
    }
    return false;
  }

 private:
  // Brings what is known of the nodes up to date with the execution.
  void take_in() {
    const Execution& execution = path_.execution();
    const std::size_t size = execution.size();
    states_.resize(path_.kept() + 1);
    nodes_.make_room(size + 1);
    if (ahead_.size() <= size) ahead_.resize(size + 1);
    completed_ = no_sequence;
    for (std::size_t at = path_.kept(); at < size; ++at) {
      states_.push_back(states_.back() ^ execution.changes[at]);
      nodes_.clear(at + 1);
      ahead_[at + 1].clear();
      pass_on(at);
    }
    if (completed_ != no_sequence) find_second();
    look_ahead_from_the_end();
  }

  // What the event leaves of the sequences that need not be done.
  void pass_on(std::size_t at) {
    const Execution& execution = path_.execution();
    AvoidedSequences& sequences = nodes_.sequences();
    for (Avoided entry : nodes_[at].avoided) {
      const auto followed = sequences.follow(entry, execution.steps[at]);
      if (followed == AvoidedSequences::Follow::forgotten) continue;
      if (followed == AvoidedSequences::Follow::shortened &&
          sequences.arrived(entry, execution.steps[at], execution.changes[at])) {
        completed_ = entry.sequence;
      }
      if (!entry.complete()) nodes_[at + 1].avoided.push_back(entry);
    }
  }

  // e' is the latest event of the process that takes the step before last in the sequence.
  void find_second() {
    const StepList& steps = nodes_.sequences()[completed_].steps;
    second_ = path_.execution().size() - 1;
    while (path_.execution().steps.process(second_) != steps.process(steps.size() - 2)) --second_;
  }

  // What may still happen from where the execution ended.
  void look_ahead_from_the_end() {
    const Execution& execution = path_.execution();
    const std::size_t size = execution.size();
    Prospects::Set& ahead = ahead_[size];
    for (std::size_t at = 0; at < execution.pending.size(); ++at) {
      const Step step = execution.pending[at];
      scratch_.clear();
      prospects_.precede(scratch_, step);
      Prospects::widen(ahead, scratch_);
    }
    if (!execution.reached_known_state) return;
    if (const std::uint32_t* known = known_.find(states_[size]); known != nullptr) {
      ahead = prospects_[*known];
    } else {
      ahead = after_completed();
    }
  }

  // All that may follow e at the node where the sequence was born, but for what has happened since.
  const Prospects::Set& after_completed() {
    const Execution& execution = path_.execution();
    const std::size_t node = born_at_[completed_];
    const SleepStack& sleepers = path_.sleepers();
    const Step last = execution.steps[execution.size() - 1];
    scratch_.clear();
    for (std::size_t at = 0; at < sleepers.size(); ++at) {
      if (sleepers.born(at) == node && sleepers[at].decision == last.decision) {
        scratch_ = asleep_[at];
      }
    }
    for (std::size_t at = node; at + 1 < execution.size(); ++at) {
      prospects_.follow(scratch_, execution.steps[at]);
    }
    return scratch_;
  }

  void look_for_races() {
    const Execution& execution = path_.execution();
    happens_before_.update(execution, path_.kept());
    for (const Race& race : happens_before_.races()) {
      if (reversal_.begins_asleep(execution, race)) continue;
      reversal_.build_brief();
      ask_for(race);
      if (race.kind == Race::Kind::events) avoid(race);
    }
  }

  // Asks for some step that could come first in the reversed continuation v, unless one is asked
  // for already: the first that e' needs, or e' itself, which leads to a known state soonest.
  void ask_for(const Race& race) {
    const std::size_t node = race.first;
    std::size_t chosen = reversal_.size();
    for (std::size_t at = 0; at < reversal_.size(); ++at) {
      if (!reversal_.initial(at)) continue;
      if (backtrack_.contains(node, reversal_.decision(at))) return;
      if (chosen == reversal_.size() && needed_by_second(race, at)) chosen = at;
    }
    backtrack_.add(node, reversal_.decision(chosen == reversal_.size() ? 0 : chosen));
  }

  [[nodiscard]] bool needed_by_second(const Race& race, std::size_t at) const {
    if (race.kind == Race::Kind::alternative) return at == 0;
    if (at + 1 == reversal_.size()) return true;  // e' itself
    return race.kind == Race::Kind::events &&
           happens_before_.before(reversal_.event(at), race.second);
  }

  // The race's other order need not be done if it leads to the same state. (A guarded step races
  // with more than its neighbours; then something between the two depends on both.)
  void avoid(const Race& race) {
    const Execution& execution = path_.execution();
    if (!conflict_in_values_only(execution, race.first, race.second)) return;
    if (race.second + std::size_t{1} >= execution.failed_at)
      return;  // it may not fail the other way
    sequence_.clear();
    for (std::uint32_t at = race.first + 1; at < race.second; ++at) {
      if (!happens_before_.before(at, race.second)) continue;
      if (happens_before_.before(race.first, at)) return;
      sequence_.push_back(execution.steps[at]);
    }
    const Commutes commutes = commute(session_.vocabulary(), execution, race.first, race.second);
    if (commutes == Commutes::no || commutes == Commutes::never_met) return;
    sequence_.push_back(execution.steps[race.second]);
    sequence_.push_back(execution.steps[race.first]);
    const std::size_t before = nodes_[race.first].born.size();
    nodes_.avoid(race.first, sequence_,
                 execution.changes[race.first] ^ execution.changes[race.second],
                 commutes == Commutes::yes);
    if (nodes_[race.first].born.size() == before) return;
    const std::uint32_t fresh = nodes_[race.first].born.back();
    if (born_at_.size() <= fresh) born_at_.resize(fresh + 1);
    born_at_[fresh] = race.first;
  }

  // What was cut would have shown races of later steps with the events so far.
  void ask_for_unseen_races() {
    const Execution& execution = path_.execution();
    const Prospects::Set& ahead = ahead_[execution.size()];
    for (std::size_t at = 0; at < execution.size(); ++at) {
      if (!seen_in_the_other_order(at) && prospects_.conflict(ahead, execution.steps[at]) &&
          !orders_all_that_follows(at)) {
        ask_for_others(at);
      }
    }
  }

  // The event is above the node of the sequence that was completed. Then its races with what
  // follows were found when e came before e'; unless it comes before one of the two only, they ask
  // for the same here, or for what leads to the same state.
  [[nodiscard]] bool seen_in_the_other_order(std::size_t event) const {
    if (completed_ == no_sequence || event >= born_at_[completed_]) return false;
    const std::size_t last = path_.execution().size() - 1;
    return happens_before_.before(event, last) == happens_before_.before(event, second_);
  }

  // Whether nobody can move any more without the event having happened before.
  [[nodiscard]] bool orders_all_that_follows(std::size_t event) const {
    const Execution& execution = path_.execution();
    if (!happens_before_.before(event, execution.size() - 1)) return false;
    for (std::size_t at = 0; at < execution.pending.size(); ++at) {
      const std::uint32_t latest = happens_before_.last_event(execution.pending.process(at));
      bool after = latest != no_event && happens_before_.before(event, latest);
      execution.for_each_pending_cause(
          at, [&](std::uint32_t cause) { after = after || happens_before_.before(event, cause); });
      if (!after) return false;
    }
    return true;
  }

  // Asks for something that could come before the node's event: the steps that do not happen after
  // it come first in every continuation that reverses one of its races.
  void ask_for_others(std::size_t node) {
    const Execution& execution = path_.execution();
    first_.clear();
    happens_before_.not_after(node, execution.size(), first_);
    if (first_.empty()) {
      everybody_moves(node);
      return;
    }
    for (std::size_t at = 0; at < first_.size(); ++at) {
      const Step step = execution.steps[first_[at]];
      bool initial = true;
      for (std::size_t before = 0; before < at && initial; ++before) {
        initial = !dependent(session_.vocabulary(), execution.steps[first_[before]], step);
      }
      if (initial && (backtrack_.contains(node, step.decision) ||
                      path_.sleepers().contains(step.decision, node))) {
        return;
      }
    }
    backtrack_.add(node, execution.steps.decision(first_.front()));
  }

  void everybody_moves(std::size_t node) {
    const Execution& execution = path_.execution();
    execution.enabled[node].for_each([&](ProcessId process) {
      if (process == execution.steps.process(node)) return;
      const auto choice = path_.sleepers().free_choice(process, node);
      if (!choice) return;
      for (const Decision open : backtrack_.decisions(node)) {
        if (open.process == process) return;
      }
      backtrack_.add(node, {process, *choice});
    });
  }

  // Everything after the nodes below this one is explored.
  void finish_below(std::size_t node) {
    const Execution& execution = path_.execution();
    for (std::size_t at = execution.size(); at > node; --at) {
      look_ahead_from_sleepers(at);
      if (is_all_there_is(at)) remember(at);
      scratch_ = ahead_[at];
      prospects_.precede(scratch_, execution.steps[at - 1]);
      Prospects::widen(ahead_[at - 1], scratch_);
    }
  }

  void remember(std::size_t node) {
    if (prospects_.is_full()) {
      prospects_.forget_sets();
      known_ = KnownStates{};
    }
    known_.insert(states_[node], prospects_.intern(ahead_[node]));
  }

  // Who is asleep was explored further up; what has happened since then is not ahead any more.
  void look_ahead_from_sleepers(std::size_t node) {
    const SleepStack& sleepers = path_.sleepers();
    for (std::size_t at = 0; at < sleepers.size(); ++at) {
      if (!sleepers.asleep(at, node)) continue;
      scratch_ = asleep_[at];
      for (std::size_t event = sleepers.born(at); event < node; ++event) {
        prospects_.follow(scratch_, path_.execution().steps[event]);
      }
      prospects_.precede(scratch_, sleepers[at]);
      Prospects::widen(ahead_[node], scratch_);
    }
  }

  // Whether the node's state decides what follows. After a failure or an exit it does not: others
  // may arrive there without.
  [[nodiscard]] bool is_all_there_is(std::size_t node) const {
    const Execution& execution = path_.execution();
    if (node >= execution.failed_at) return false;
    if (node < execution.size()) return true;
    if (execution.reached_known_state || execution.steps[node - 1].exits) return false;
    return execution.ending == Ending::complete || execution.ending == Ending::deadlock ||
           execution.ending == Ending::asleep;
  }

  static constexpr std::uint32_t no_sequence = ~std::uint32_t{0};

  Session& session_;
  Path path_;
  HappensBefore happens_before_;
  Reversal reversal_;
  BacktrackSets backtrack_;
  ContextNodes nodes_;
  Prospects prospects_;
  KnownStates known_;
  Pruning pruning_;
  std::vector<Fingerprint> states_{{}};  // at each node
  std::vector<Prospects::Set> ahead_;    // of each node
  std::vector<Prospects::Set> asleep_;   // of each sleeper
  std::vector<std::size_t> born_at_;     // node of each sequence
  std::uint32_t completed_ = no_sequence;
  std::size_t second_ = 0;
  std::vector<std::uint32_t> first_;  // scratch
  StepList sequence_;                 // scratch
  Prospects::Set scratch_;            // scratch
};

class SourceChains final : public Explorer {
 public:
  bool explore(Session& session) override {
    require_states(session, "source-context");
    if (!session.states_tell_all()) {
      return make_context_search({.technique = "source-context", .context = true, .source = true})
          ->explore(session);
    }
    return ChainSearch(session).explore();
  }
};

}  // namespace

std::unique_ptr<Explorer> make_source_chains() { return std::make_unique<SourceChains>(); }

}  // namespace mazurka
