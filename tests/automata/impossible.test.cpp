// A client that has come to an edge which can never be taken waits for ever: that is a deadlock, in
// every technique, however the edge became impossible.
#include <gtest/gtest.h>

#include <string>

#include "automata/checks.hpp"
#include "explorers/stateful/search.hpp"
#include "programs/automata/document.hpp"
#include "programs/automata/writer.hpp"

namespace mazurka::automata_test {
namespace {

struct Case {
  const char* what;
  const char* text;  // after `head`
};

// A client that goes and then wants to come back, and a door.
const std::string head =
    "system:s\nevent:go\nevent:back\nevent:ring\n"
    "process:C{kind: client}\nlocation:C:home{initial:}\nlocation:C:out\nlocation:C:again\n"
    "process:D{kind: server}\nlocation:D:open{initial:}\nlocation:D:shut\n"
    "int:1:0:5:0:x\nint:1:0:5:0:y\n";

const Case impossible[] = {
    {"a guard that holds for no value",
     "edge:C:home:out:go{do: x=2}\nedge:C:out:again:back{provided: x>=6}\n"},
    {"a guard without variables", "edge:C:home:out:go\nedge:C:out:again:back{provided: 0}\n"},
    {"a guard over two variables",
     "edge:C:home:out:go{do: x=2}\nedge:C:out:again:back{provided: x+y>=11}\n"},
    {"an assignment that always leaves the range",
     "edge:C:home:out:go\nedge:C:out:again:back{do: x=6}\n"},
    {"a participant without such an edge",
     "edge:C:home:out:go\nedge:C:out:again:back\nedge:D:open:shut:go\nsync:C@go:D@go\n"
     "sync:C@back:D@back\n"},
    {"a participant whose guard holds for no value",
     "edge:C:home:out:go\nedge:C:out:again:back\nedge:D:open:shut:go\n"
     "edge:D:shut:open:back{provided: x>5}\nsync:C@go:D@go\nsync:C@back:D@back\n"},
    {"nothing is possible from the beginning", "edge:C:home:out:go{provided: x>5}\n"},
};

void expect_deadlock(const Network& network, const std::string& what, bool expected) {
  for (const stateful::Variant& variant : stateful::variants()) {
    stateful::Settings settings;
    settings.variant = variant;
    const stateful::Result found = search(stateful::System(network), settings);
    EXPECT_EQ(found.deadlock.has_value(), expected) << what << ", " << variant.name;
  }
  CheckLimits limits;  // certificates, threads, the stateless techniques, written and read again
  limits.stateless = true;
  limits.threads = {1, 2};
  EXPECT_EQ(check_network(network, 1, limits).wrong, "") << what;
}

TEST(Impossible, WhoWaitsForItIsInADeadlock) {
  for (const Case& one : impossible) {
    const Network network = automata::parse_network(head + one.text, "f.tck");
    expect_deadlock(network, one.what, true);
    const std::string written = automata::write_network(network);
    expect_deadlock(automata::parse_network(written, "written"), one.what, true);
  }
}

TEST(Impossible, AnEdgeThatIsNotTheOnlyWayIsNoDeadlock) {
  const char* const text =
      "edge:C:home:out:go\nedge:C:home:again:back{provided: x>5}\nedge:C:out:again:ring\n";
  expect_deadlock(automata::parse_network(head + text, "f.tck"), "another way", false);
  const char* const partly = "edge:C:home:out:go{do: x=2}\nedge:C:out:again:back{provided: x>=2}\n";
  expect_deadlock(automata::parse_network(head + partly, "f.tck"), "possible", false);
}

// Servers do not wait, and what has a cycle as it is written is a server unless it says otherwise.
TEST(Impossible, ServersDoNotWait) {
  const char* const server =
      "edge:C:home:out:go\nedge:D:open:shut:go\nedge:D:shut:open:ring{provided: x>5}\n"
      "sync:C@go:D@go\nsync:C@ring:D@ring\n";
  expect_deadlock(automata::parse_network(head + server, "f.tck"), "a server", false);
  const std::string cyclic =
      "process:L\nlocation:L:free{initial:}\nlocation:L:held\nedge:L:free:held:go\n"
      "edge:L:held:free:back\nedge:C:home:out:go\nsync:C@go:L@go\nsync:D@back:L@back\n";
  expect_deadlock(automata::parse_network(head + cyclic, "f.tck"), "a lock", false);
}

}  // namespace
}  // namespace mazurka::automata_test
