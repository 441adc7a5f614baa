// Small systems of CAF's actors whose numbers of traces are worked out by hand, and the outcomes
// that must all be seen, by every technique and without reduction.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "mazurka/caf.hpp"

namespace mazurka::caf {
namespace {

using ::caf::actor;
using ::caf::behavior;
using ::caf::event_based_actor;
using ::caf::infinite;
using ::caf::skip;

using Get = ::caf::atom_constant<::caf::atom("get")>;
using Put = ::caf::atom_constant<::caf::atom("put")>;
using Ping = ::caf::atom_constant<::caf::atom("ping")>;
using Take = ::caf::atom_constant<::caf::atom("take")>;
using Taken = ::caf::atom_constant<::caf::atom("taken")>;
using Drop = ::caf::atom_constant<::caf::atom("drop")>;
using Go = ::caf::atom_constant<::caf::atom("go")>;

using System = std::function<void(Test&)>;

CheckResult explore(const System& system, const std::string& technique,
                    const std::string& channels = "mailbox") {
  CheckOptions options;
  options.technique = technique;
  options.channels = channels;
  options.keep_going = true;
  options.allow = {"running", "unhandled", "unanswered", "errors"};
  return check(system, options);
}

const std::vector<std::string> that_count_traces{"optimal", "source", "dpor", "reverse", "trans"};

void expect_traces(const System& system, std::uint64_t number,
                   const std::string& channels = "mailbox") {
  for (const std::string& technique : that_count_traces) {
    // There a message waits for two things, its turn and the beginning of its receiver.
    if (technique == "reverse" && channels == "fifo") continue;
    if (technique == "trans" && channels == "mailbox") continue;  // dependence is not transitive
    const CheckResult result = explore(system, technique, channels);
    EXPECT_TRUE(result.verified()) << technique << ": " << result.text();
    EXPECT_EQ(result.executions, number) << technique << " " << channels;
  }
}

// --- the bank
// ------------------------------------------------------------------------------------- The account
// takes a get and a put of each customer, the get first: (2n)! / 2^n orders.

behavior account(event_based_actor*, int* balance) {
  *balance = 0;
  return {[=](Get) { return *balance; }, [=](Put, int value) { *balance = value; }};
}

behavior customer(event_based_actor* self, const actor& bank) {
  self->request(bank, infinite, Get::value).then([=](int balance) {
    self->send(bank, Put::value, balance + 100);
  });
  return {[](Go) {}};
}

System bank(int customers, std::set<int>* outcomes = nullptr) {
  return [=](Test& test) {
    int balance = 0;
    const actor one = test.sys.spawn(account, &balance);
    for (int at = 0; at < customers; ++at) test.sys.spawn(customer, one);
    test.run();
    if (outcomes != nullptr) outcomes->insert(balance);
  };
}

TEST(CafBank, HasAsManyTracesAsOrders) {
  expect_traces(bank(2), 6);
  expect_traces(bank(3), 90);
}

TEST(CafBank, WithFourCustomers) {
  for (const char* technique : {"optimal", "source"}) {
    EXPECT_EQ(explore(bank(4), technique).executions, 2520U) << technique;
  }
}

TEST(CafBank, LosesDeposits) {
  std::set<int> outcomes;
  EXPECT_TRUE(explore(bank(2, &outcomes), "optimal").verified());
  EXPECT_EQ(outcomes, (std::set<int>{100, 200}));
}

// Beginnings of customers are messages of main, in this order: without reduction there are more
// executions, and the same balances.
TEST(CafBank, WithoutReduction) {
  std::set<int> outcomes;
  const CheckResult all = explore(bank(2, &outcomes), "exhaustive");
  EXPECT_TRUE(all.verified()) << all.text();
  EXPECT_GT(all.executions, 6U);
  EXPECT_EQ(outcomes, (std::set<int>{100, 200}));
}

// --- ping-pong
// ------------------------------------------------------------------------------------ A server
// that answers after it was told what: n clients' pings and one put in any order.

behavior server(event_based_actor* self, bool patient) {
  if (patient) self->set_default_handler(skip);
  return {[=](Put, int answer) { self->become([=](Ping) { return answer; }); }};
}

behavior client(event_based_actor* self, const actor& other) {
  self->request(other, infinite, Ping::value).then([](int) {}, [](const ::caf::error&) {});
  return {[](Go) {}};
}

System ping_pong(int clients, bool patient) {
  return [=](Test& test) {
    const actor other = test.sys.spawn(server, patient);
    for (int at = 0; at < clients; ++at) test.sys.spawn(client, other);
    test.self->send(other, Put::value, 7);
    test.run();
  };
}

TEST(CafPingPong, ThePutIsBeforeOrAfterThePing) {
  expect_traces(ping_pong(1, false), 2);
  expect_traces(ping_pong(1, true), 2);
  expect_traces(ping_pong(2, true), 6);
}

// --- orders of two senders
// -------------------------------------------------------------------------- cross: A and D each
// send to B, then to C. opposite: D sends to C, then to B.

behavior sink(event_based_actor*) {
  return {[](int) {}};
}

behavior sender(event_based_actor* self, const actor& first, const actor& second) {
  self->send(first, 1);
  self->send(second, 2);
  return {[](Go) {}};
}

System two_senders(bool opposite) {
  return [=](Test& test) {
    const actor b = test.sys.spawn(sink);
    const actor c = test.sys.spawn(sink);
    test.sys.spawn(sender, b, c);
    test.sys.spawn(sender, opposite ? c : b, opposite ? b : c);
    test.run();
  };
}

TEST(CafChannels, OneOutboxPerSender) {
  expect_traces(two_senders(false), 4);
  expect_traces(two_senders(true), 3);
}

TEST(CafChannels, OnePerPair) {
  expect_traces(two_senders(false), 4, "fifo");
  expect_traces(two_senders(true), 4, "fifo");
  expect_traces(two_senders(true), 4, "none");
}

// --- dining philosophers
// ----------------------------------------------------------------------------

behavior fork_of(event_based_actor* self) {
  self->set_default_handler(skip);
  return {[=](Take) {
    self->become(::caf::keep_behavior, [=](Drop) { self->unbecome(); });
    return Taken::value;
  }};
}

behavior philosopher(event_based_actor* self, const actor& first, const actor& second, int* eaten) {
  self->request(first, infinite, Take::value).then([=](Taken) {
    self->request(second, infinite, Take::value).then([=](Taken) {
      ++*eaten;
      self->send(first, Drop::value);
      self->send(second, Drop::value);
    });
  });
  return {[](Go) {}};
}

System dining(bool in_order, std::set<int>* outcomes = nullptr) {
  return [=](Test& test) {
    int eaten = 0;
    const actor one = test.sys.spawn(fork_of);
    const actor other = test.sys.spawn(fork_of);
    test.sys.spawn(philosopher, one, other, &eaten);
    test.sys.spawn(philosopher, in_order ? one : other, in_order ? other : one, &eaten);
    test.run();
    if (outcomes != nullptr) outcomes->insert(eaten);
  };
}

TEST(CafDining, OnePairOfForks) {
  expect_traces(dining(false), 5);
  expect_traces(dining(false), 9, "fifo");
  expect_traces(dining(true), 8, "fifo");
}

TEST(CafDining, SomebodyStarvesUnlessForksAreInOrder) {
  std::set<int> outcomes;
  EXPECT_TRUE(explore(dining(false, &outcomes), "optimal").verified());
  EXPECT_EQ(outcomes, (std::set<int>{0, 2}));
  outcomes.clear();
  EXPECT_TRUE(explore(dining(true, &outcomes), "optimal").verified());
  EXPECT_EQ(outcomes, (std::set<int>{2}));
}

// --- the last reference
// ----------------------------------------------------------------------------- Two actors drop
// their references to a third, and its end is reported to a monitor, which also hears from both of
// them.

using Outcomes = std::set<std::string>;

behavior watcher(event_based_actor* self, const actor& third, std::string* log) {
  log->clear();
  self->monitor(third);
  self->set_down_handler([=](const ::caf::down_msg&) { *log += "down "; });
  return {[=](int who) { *log += std::to_string(who) + " "; }};
}

behavior third_actor(event_based_actor*) {
  return {[](Go) {}};
}

behavior dropper(event_based_actor* self, const actor& held, const actor& to, int number) {
  return {[=](Go) {
    self->send(to, number);
    self->send(held, Go::value);
    self->quit();
  }};
}

System last_reference(Outcomes* outcomes) {
  return [=](Test& test) {
    std::string log;
    {
      const actor third = test.sys.spawn(third_actor);
      const actor observer = test.sys.spawn(watcher, third, &log);
      const actor one = test.sys.spawn(dropper, third, observer, 1);
      const actor two = test.sys.spawn(dropper, third, observer, 2);
      test.self->send(one, Go::value);
      test.self->send(two, Go::value);
    }
    test.run();
    outcomes->insert(log);
  };
}

// A monitor that quits when it hears from one of two, and may do so before the other is heard.
behavior leaver(event_based_actor* self, const actor& third, std::string* log) {
  log->clear();
  self->monitor(third);
  self->set_down_handler([=](const ::caf::down_msg&) { *log += "down "; });
  return {[=](int who) {
    *log += std::to_string(who) + " ";
    if (who == 2) self->quit();
  }};
}

behavior ender(event_based_actor* self, const actor& whom, const actor& to, int number) {
  return {[=](Go) {
    self->send_exit(whom, ::caf::exit_reason::user_shutdown);
    self->send(to, number);
  }};
}

System monitor_may_leave(Outcomes* outcomes) {
  return [=](Test& test) {
    std::string log;
    const actor third = test.sys.spawn(third_actor);
    const actor observer = test.sys.spawn(leaver, third, &log);
    const actor one = test.sys.spawn(ender, third, observer, 1);
    const actor two = test.sys.spawn(ender, third, observer, 2);
    test.self->send(one, Go::value);
    test.self->send(two, Go::value);
    test.run();
    outcomes->insert(log);
  };
}

void expect_all_outcomes(const std::function<System(Outcomes*)>& system) {
  for (const char* channels : {"mailbox", "fifo", "none"}) {
    Outcomes truth;
    const CheckResult all = explore(system(&truth), "exhaustive", channels);
    EXPECT_TRUE(all.verified()) << all.text();
    for (const char* technique : {"optimal", "source", "dpor"}) {
      Outcomes seen;
      const CheckResult result = explore(system(&seen), technique, channels);
      EXPECT_TRUE(result.verified()) << technique << ": " << result.text();
      EXPECT_EQ(seen, truth) << technique << " " << channels;
    }
  }
}

TEST(CafReferences, TheLastOneMayBeDroppedByEither) { expect_all_outcomes(last_reference); }
TEST(CafReferences, AMonitorMayGoFirst) { expect_all_outcomes(monitor_may_leave); }

// --- actors that hold each other
// ------------------------------------------------------------------

class Holder final : public event_based_actor {
 public:
  Holder(::caf::actor_config& config, int* alive, bool ends)
      : event_based_actor(config), alive_(alive), ends_(ends) {
    ++*alive_;
  }
  ~Holder() override { --*alive_; }

 private:
  behavior make_behavior() override {
    return {[this](const actor& other) {
      held_ = other;
      if (ends_) quit();
    }};
  }
  int* alive_;
  bool ends_;
  actor held_;
};

// Whether they have ended or not: after an execution there must be nothing left of them.
TEST(CafReferences, WhatHoldsEachOtherIsDestroyed) {
  for (const bool ends : {false, true}) {
    int alive = 0;
    int most = 0;
    const CheckResult result = explore(
        [&](auto& test) {
          const actor one = test.sys.template spawn<Holder>(&alive, ends);
          const actor other = test.sys.template spawn<Holder>(&alive, ends);
          most = std::max(most, alive);
          test.self->send(one, other);
          test.self->send(other, one);
          test.self->send(one, one);
          test.run();
        },
        "optimal", "none");
    EXPECT_TRUE(result.verified()) << result.text();
    EXPECT_GT(result.executions, 1U);
    EXPECT_EQ(most, 2);
    EXPECT_EQ(alive, 0);
  }
}

TEST(CafReferences, AnActorOfAnEarlierExecutionIsRefused) {
  actor kept;
  const CheckResult result = explore(
      [&](auto& test) {
        if (kept == nullptr) kept = test.sys.spawn(sink);
        test.self->send(kept, 1);
        test.run();
      },
      "optimal");
  EXPECT_NE(result.error.find("of an earlier execution"), std::string::npos) << result.text();
}

}  // namespace
}  // namespace mazurka::caf
