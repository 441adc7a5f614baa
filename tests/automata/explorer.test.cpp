// The stateful search as an explorer: what it shares with the others through the session.
#include <gtest/gtest.h>

#include "core/session.hpp"
#include "driver/driver.hpp"
#include "explorers/stateful/stateful.hpp"
#include "explorers/table.hpp"
#include "programs/automata/automata_program.hpp"
#include "programs/automata/builder.hpp"
#include "programs/automata/models.hpp"

namespace mazurka::automata_test {
namespace {

using automata::AutomataProgram;
using stateful::StatefulExplorer;
using stateful::Wishes;

Network crossed_locks() {
  automata::NetworkBuilder net("crossed");
  net.client("P", "0").client("Q", "0").lock("a").lock("b");
  net.acquire("P", "0", "a", "1").acquire("P", "1", "b", "2");
  net.acquire("Q", "0", "b", "1").acquire("Q", "1", "a", "2");
  return net.take();
}

Network apart() {
  automata::NetworkBuilder net("apart");
  net.client("P", "0").lock("a");
  net.acquire("P", "0", "a", "1").release("P", "1", "a", "2");
  return net.take();
}

Wishes one_variant(const char* name) {
  Wishes wishes;
  wishes.entry = {stateful::find_variant(name), stateful::Order::declared};
  return wishes;
}

TEST(StatefulExplorer, EndsAtAFinding) {
  AutomataProgram program(crossed_locks());
  Session session(program, {});
  EXPECT_FALSE(StatefulExplorer().explore(session));
  EXPECT_EQ(session.stopped(), Stop::finding);
  ASSERT_EQ(session.findings().size(), 1U);
  EXPECT_EQ(session.findings()[0].kind, FindingKind::deadlock);
  EXPECT_EQ(session.statistics().executions, 0U);
}

TEST(StatefulExplorer, KeepsThePathToWhatItFinds) {
  for (const char* name : {"reach", "full+sleep", "pifs"}) {
    AutomataProgram program(crossed_locks());
    Session session(program, {.max_events = 0, .keep_going = true});
    StatefulExplorer explorer(one_variant(name));
    EXPECT_TRUE(explorer.explore(session)) << name;
    ASSERT_EQ(session.findings().size(), 1U) << name;
    EXPECT_EQ(explorer.path_to(FindingKind::deadlock).size(), 2U) << name;
    EXPECT_EQ(session.stopped(), Stop::none) << name;
  }
}

TEST(StatefulExplorer, FindsAPredicate) {
  const Network network = apart();
  Wishes wishes = one_variant("full+sleep");
  wishes.predicate = parse_predicate(network, "P=1");
  wishes.wanted = "P=1";
  AutomataProgram program(network);
  Session session(program, {});
  StatefulExplorer explorer(wishes);
  EXPECT_FALSE(explorer.explore(session));
  ASSERT_EQ(session.findings().size(), 1U);
  EXPECT_EQ(session.findings()[0].message, "reached: P=1");
  EXPECT_EQ(explorer.path_to(FindingKind::assertion).size(), 1U);
}

TEST(StatefulExplorer, ObeysTheSession) {
  for (const char* name : {"reach", "full+sleep", "pifs"}) {
    AutomataProgram program(automata::find_model("dp")->make(9));
    Session session(program, {.max_events = 0, .keep_going = true});
    std::uint64_t pauses = 0;
    session.on_pause = [&] {
      if (++pauses == 2) session.interrupt();
    };
    StatefulExplorer explorer(one_variant(name));
    EXPECT_FALSE(explorer.explore(session)) << name;
    EXPECT_EQ(session.stopped(), Stop::interrupted) << name;
    EXPECT_GT(explorer.counts().nodes, 0U) << name;
  }
}

TEST(StatefulExplorer, TheBoundOnEventsIsADepth) {
  AutomataProgram program(automata::find_model("dp")->make(4));
  Session session(program, {.max_events = 3, .keep_going = true});
  StatefulExplorer explorer(one_variant("reach"));
  EXPECT_TRUE(explorer.explore(session));
  EXPECT_GT(explorer.counts().cut, 0U);
}

TEST(StatefulExplorer, RefusesWhatIsNoNetwork) {
  class Nothing final : public Program {
   public:
    [[nodiscard]] const Vocabulary& vocabulary() const override { return vocabulary_; }
    void run(mazurka::Run&) override {}

   private:
    Vocabulary vocabulary_;
  } nothing;
  Session session(nothing, {});
  EXPECT_FALSE(StatefulExplorer().explore(session));
  EXPECT_EQ(session.stopped(), Stop::refused);
  EXPECT_NE(session.refusal(), "");
}

TEST(StatefulExplorer, IsDrivenLikeTheOthers) {
  class Impatient final : public Watcher {
   public:
    [[nodiscard]] bool wants_end() const override { return pauses > 0; }
    void paused(const Session&) override { ++pauses; }
    std::uint64_t pauses = 0;
  };
  AutomataProgram program(automata::find_model("dp")->make(9));
  Subject subject(program);
  Impatient watcher;
  Plan plan;
  plan.technique = "stateful";
  plan.make = [] { return std::make_unique<StatefulExplorer>(); };
  plan.limits.keep_going = true;
  const Explored explored = Driver(subject, watcher, plan).explore();
  EXPECT_EQ(explored.stopped, Stop::interrupted);
  EXPECT_FALSE(explored.complete);
  EXPECT_TRUE(explored.notes.empty());
}

// What holds only on the way, or only at the beginning, is found by stateless techniques, too, and
// its schedule leads there.
TEST(StatelessOnNetworks, FindAPredicateThatDoesNotLast) {
  for (const char* wanted : {"P=0", "P=1"}) {
    const Network network = apart();
    AutomataProgram program(network, parse_predicate(network, wanted), wanted);
    Session session(program, {.keep_going = true});
    EXPECT_TRUE(find_technique("optimal")->make()->explore(session)) << wanted;
    ASSERT_EQ(session.findings().size(), 1U) << wanted;
    EXPECT_EQ(program.replay(session.findings()[0].schedule).size(), wanted[2] - '0') << wanted;
  }
}

}  // namespace
}  // namespace mazurka::automata_test
