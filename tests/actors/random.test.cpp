// Every technique on random systems of actors, against brute force.
//
// For more of them: MAZURKA_RANDOM_ACTORS=40 build/bin/actors_test
// --gtest_filter='Part/RandomActors.*' checks 40 times as many.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "actors/random_system.hpp"
#include "core/session.hpp"
#include "explorers/table.hpp"
#include "oracle/parted_search.hpp"
#include "programs/actors/actor_program.hpp"

namespace mazurka::actors_test {
namespace {

using actors::ActorProgram;
using actors::Configuration;
using actors::Mail;
using actors::nobody;

/// Names as brute force gives them, from the latest execution.
class Naming {
 public:
  explicit Naming(const Configuration& configuration) : configuration_(configuration) {
    std::map<std::uint32_t, int> sent;
    for (const Mail& mail : configuration.mails()) {
      const std::string nth = std::to_string(sent[mail.sent_by]++);
      messages_.push_back(mail.sent_by == nobody ? "m" + nth : messages_[mail.sent_by] + "." + nth);
    }
  }

  [[nodiscard]] std::string trace() const {
    std::map<std::string, std::vector<Handled>> handled;
    for (const std::uint32_t number : configuration_.mails().history()) {
      const Mail& mail = configuration_.mails()[number];
      const bool read = mail.kind == Mail::Kind::message && mail.handler->only_reads &&
                        mail.channel == nobody && !mail.handler->actor->mortal;
      handled[actor(mail.receiver)].push_back({messages_[number], read});
    }
    return trace_text(handled);
  }

  /// The local states, and the contents of what nobody will handle.
  [[nodiscard]] std::string state() const {
    std::map<std::string, std::multiset<std::string>> parts;
    for (std::size_t at = 0; at < configuration_.actor_count(); ++at) {
      const std::uint32_t id = configuration_.actor_at(at);
      parts[actor(id)].insert(std::to_string(configuration_.population().state_hash(id)));
    }
    for (const Mail& mail : configuration_.mails()) {
      if (!mail.delivered) parts[actor(mail.receiver)].insert(label(mail, configuration_));
    }
    std::string text;
    for (const auto& [name, contents] : parts) {
      text += name + ":";
      for (const std::string& content : contents) text += " " + content;
      text += ";";
    }
    return text;
  }

 private:
  [[nodiscard]] std::string actor(std::uint32_t id) const {
    const actors::Actor& known = configuration_.population()[id];
    return (known.creator == nobody ? "" : actor(known.creator)) + "a" + std::to_string(known.nth);
  }

  const Configuration& configuration_;
  std::vector<std::string> messages_;
};

struct Totals {
  std::uint64_t dpor = 0;  // transitions, with sleep sets
  std::uint64_t trans = 0;
  int pairs = 0;
  int larger = 0;  // the tree of trans
  std::uint64_t traces = 0;
  std::uint64_t explored = 0;
  int reversed = 0;  // scripts that reverse search does not refuse
  std::uint64_t parts = 0;
  int urgent = 0;  // scripts of which more traces are possible than without urgent messages
};

struct Explored {
  std::map<std::string, int> times;
  std::map<std::string, bool> deadlock;
  std::set<std::string> final_states;
  Statistics statistics;
  bool complete = false;
  bool refused = false;
};

Explored explore(const std::shared_ptr<const Script>& script, const Technique& technique,
                 Order order = Order::fifo, bool sleep_sets = true,
                 const TechniqueOptions& options = {}) {
  ActorProgram program(system_of(script), order);
  Session session(program, {.keep_going = true, .sleep_sets = sleep_sets});
  Explored explored;
  session.on_execution = [&](const Execution& execution) {
    if (execution.ending == Ending::asleep) return;
    const Naming naming(program.configuration());
    const std::string trace = naming.trace();
    ++explored.times[trace];
    explored.deadlock[trace] = execution.ending == Ending::deadlock;
    explored.final_states.insert(naming.state());
  };
  explored.complete = technique.make(options)->explore(session);
  explored.statistics = session.statistics();
  explored.refused = session.stopped() == Stop::refused;
  return explored;
}

void expect_all(const Explored& explored, const Traces& truth, const std::string& what) {
  EXPECT_TRUE(explored.complete) << what;
  for (const auto& [trace, deadlock] : truth) {
    EXPECT_TRUE(explored.times.contains(trace)) << what << " misses " << trace;
    if (!explored.times.contains(trace)) return;
    EXPECT_EQ(explored.deadlock.at(trace), deadlock) << what << " on " << trace;
  }
  EXPECT_EQ(explored.times.size(), truth.size()) << what;
}

void expect_once(const Explored& explored, const std::string& what) {
  for (const auto& [trace, times] : explored.times) EXPECT_EQ(times, 1) << what << ": " << trace;
}

void check_trans_and_dpor(const std::shared_ptr<const Script>& script, const Traces& truth,
                          Totals& totals) {
  for (const Order order : {Order::fifo, Order::eca, Order::lca, Order::urgent}) {
    for (const bool sleep_sets : {false, true}) {
      const std::string how = " order " + std::to_string(static_cast<int>(order)) +
                              (sleep_sets ? " with" : " without") + " sleep sets";
      const Explored dpor = explore(script, *find_technique("dpor"), order, sleep_sets);
      const Explored trans = explore(script, *find_technique("trans"), order, sleep_sets);
      expect_all(dpor, truth, "dpor" + how);
      expect_all(trans, truth, "trans" + how);
      if (!sleep_sets) {
        EXPECT_LE(trans.statistics.transitions, dpor.statistics.transitions) << how;
        continue;
      }
      // Each trace once for both, so the trees differ in where they branch only: now one is
      // smaller, now the other, and dpor's seldom and by little.
      expect_once(dpor, "dpor" + how);
      expect_once(trans, "trans" + how);
      ++totals.pairs;
      if (trans.statistics.transitions > dpor.statistics.transitions) ++totals.larger;
      totals.dpor += dpor.statistics.transitions;
      totals.trans += trans.statistics.transitions;
    }
  }
}

// A message may have to wait for its turn in a channel and for the actor's state at once.
void check_reverse(const std::shared_ptr<const Script>& script, const Traces& truth,
                   Totals& totals) {
  const Explored explored = explore(script, *find_technique("reverse"));
  if (explored.refused) return;
  ++totals.reversed;
  expect_all(explored, truth, "reverse");
  expect_once(explored, "reverse");
  EXPECT_EQ(explored.statistics.asleep, 0U);
}

// The same executions when parts of the search go on elsewhere, where actors, channels and local
// states have other numbers.
void check_parts(const std::shared_ptr<const Script>& script, const Traces& truth, Totals& totals) {
  const Explored alone = explore(script, *find_technique("reverse"));
  if (alone.refused) return;
  ++totals.reversed;
  Explored explored;
  oracle::PartedSearch parted;
  parted.make_explorer = [] { return find_technique("reverse")->make(); };
  parted.seed = truth.size();
  parted.make_part = [&] {
    auto program = std::make_unique<ActorProgram>(system_of(script), Order::fifo);
    auto seen = std::make_shared<std::map<std::string, bool>>();
    oracle::PartedSearch::Part part;
    part.performed = [seen, &here = *program](const Execution& execution) {
      (*seen)[Naming(here.configuration()).trace()] = execution.ending == Ending::deadlock;
    };
    part.counts = [seen, &explored] {
      for (const auto& [trace, deadlock] : *seen) {
        ++explored.times[trace];
        explored.deadlock[trace] = deadlock;
      }
    };
    part.program = std::move(program);
    return part;
  };
  explored.complete = parted.run();
  EXPECT_EQ(parted.problem, "");
  expect_all(explored, truth, "parts");
  expect_once(explored, "parts");
  EXPECT_EQ(parted.statistics.executions, alone.statistics.executions);
  EXPECT_EQ(parted.statistics.events, alone.statistics.events);
  EXPECT_NEAR(parted.explored, 1, 1e-6);
  totals.parts += parted.parts;
}

void check_all(const std::shared_ptr<const Script>& script, const Traces& truth, Totals& totals) {
  if (script->urgent) {
    Script plain = *script;
    plain.urgent = false;
    if (brute_force(plain, truth.size() + 1).size() < truth.size()) ++totals.urgent;
  }
  for (const char* name : {"sleep", "source", "optimal"}) {
    const Explored explored = explore(script, *find_technique(name));
    expect_all(explored, truth, name);
    expect_once(explored, name);
    if (std::string(name) == "optimal") {
      EXPECT_EQ(explored.statistics.asleep, 0U);
    }
  }
  check_reverse(script, truth, totals);
  check_trans_and_dpor(script, truth, totals);
}

/// What the techniques that leave out traces must not lose: a state in which the system can end.
void check_final_states(const std::shared_ptr<const Script>& script, const Traces& truth,
                        Totals& totals) {
  const Explored optimal = explore(script, *find_technique("optimal"));
  for (const Technique* const one : general_techniques()) {
    const Technique& technique = *one;
    if (technique.promises.seen == Promises::Seen::traces) continue;
    for (const std::string& name : variants_of(technique)) {
      const TechniqueOptions options = parse_technique(name).options;
      const Explored explored = explore(script, technique, Order::fifo, true, options);
      EXPECT_TRUE(explored.complete) << name;
      EXPECT_EQ(explored.final_states, optimal.final_states) << name;
      EXPECT_LE(explored.times.size(), truth.size()) << name;
      totals.traces += truth.size();
      totals.explored += explored.times.size();
    }
  }
}

class RandomActors : public testing::TestWithParam<int> {
 protected:
  template <typename Check>
  void on_random_scripts(int programs, std::size_t largest, const Check& check) {
    if (const char* times = std::getenv("MAZURKA_RANDOM_ACTORS")) programs *= std::atoi(times);
    int checked = 0;
    for (std::uint64_t seed = 1'000'000 * (static_cast<std::uint64_t>(GetParam()) + 1);
         checked < programs; ++seed) {
      const auto script = std::make_shared<const Script>(random_script(seed));
      const Traces truth = brute_force(*script, largest);
      if (truth.size() < 2) continue;
      ++checked;
      SCOPED_TRACE("seed " + std::to_string(seed) + ": " + to_string(*script));
      check(script, truth, totals_);
      if (HasFailure()) return;
    }
  }

  Totals totals_;
};

TEST_P(RandomActors, AgreeWithBruteForce) {
  on_random_scripts(250, 1500, check_all);
  EXPECT_GE(totals_.pairs, 250 * 4);
  EXPECT_GE(totals_.urgent, 10) << "systems in which urgent messages overtake others";
  EXPECT_LT(totals_.trans, totals_.dpor);
  RecordProperty("pairs", totals_.pairs);
  RecordProperty("trans_larger", totals_.larger);
  EXPECT_LT(totals_.larger, totals_.pairs / 50);
  RecordProperty("reversed", totals_.reversed);
  EXPECT_GE(totals_.reversed, 50);
}

TEST_P(RandomActors, AreExploredInParts) {
  on_random_scripts(100, 300, check_parts);
  EXPECT_GE(totals_.reversed, 20);
  EXPECT_GE(totals_.parts, 200U);
}

TEST_P(RandomActors, EndInTheSameStatesWhateverIsLeftOut) {
  on_random_scripts(100, 300, check_final_states);
  EXPECT_LT(totals_.explored, totals_.traces);
}

INSTANTIATE_TEST_SUITE_P(Part, RandomActors, testing::Range(0, 8));

}  // namespace
}  // namespace mazurka::actors_test
