#include "programs/automata/builder.hpp"

#include <gtest/gtest.h>

#include "explorers/stateful/search.hpp"
#include "programs/automata/document.hpp"
#include "programs/automata/writer.hpp"

namespace mazurka::automata {
namespace {

std::string refusal(NetworkBuilder& net) {
  try {
    (void)net.take();
  } catch (const NetworkError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Builder, MakesWhatItIsTold) {
  NetworkBuilder net("pair");
  net.client("P", "start").lock("m").variable("x", 0, 2);
  net.acquire("P", "start", "m", "in")
      .write("P", "in", "x", 2, "out")
      .release("P", "out", "m", "end");
  const Network network = net.take();
  ASSERT_EQ(network.processes.size(), 3U);
  EXPECT_EQ(network.processes[0].role, Role::client);
  EXPECT_EQ(network.processes[2].states, (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(network.processes[2].transitions.size(), 3U);
  EXPECT_EQ(network.actions.front(), "P_take_m");
}

TEST(Builder, RefusesACyclicClient) {
  NetworkBuilder net("loop");
  net.client("P", "a").server("S", "s");
  net.edge("P", "a", "go", "b").edge("P", "b", "back", "a");
  net.edge("S", "s", "go", "s").edge("S", "s", "back", "s");
  EXPECT_NE(refusal(net).find("client P has a cycle (a -> b -> a)"), std::string::npos);
}

TEST(Builder, RefusesAnActionOfServersOnly) {
  NetworkBuilder net("servers");
  net.server("S", "s").edge("S", "s", "tick", "s");
  EXPECT_NE(refusal(net).find("action tick has no client"), std::string::npos);
}

TEST(Builder, RefusesNondeterminism) {
  NetworkBuilder net("two");
  net.client("P", "a").edge("P", "a", "go", "b").edge("P", "a", "go", "c");
  EXPECT_NE(refusal(net).find("two transitions with action go"), std::string::npos);
}

TEST(Builder, DrawsProcesses) {
  NetworkBuilder net("one");
  net.client("P", "a").edge("P", "a", "say \"hi\"", "b");
  const std::string dot = processes_to_dot(net.take());
  EXPECT_NE(dot.find("P (client)"), std::string::npos);
  EXPECT_NE(dot.find(R"(say \"hi\")"), std::string::npos);
}

TEST(Predicate, SaysWhatIsWrong) {
  NetworkBuilder net("one");
  net.client("P", "a").variable("x", 0, 3).write("P", "a", "x", 2, "b");
  const Network network = net.take();
  EXPECT_THROW((void)parse_predicate(network, "Q=a"), NetworkError);
  EXPECT_THROW((void)parse_predicate(network, "P=zz"), NetworkError);
  EXPECT_THROW((void)parse_predicate(network, "P<3"), NetworkError);
  EXPECT_THROW((void)parse_predicate(network, "nonsense"), NetworkError);
  EXPECT_EQ(parse_predicate(network, "P=a && x>=1 || x=3").alternatives.size(), 2U);
}

}  // namespace
}  // namespace mazurka::automata
