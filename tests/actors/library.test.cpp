// What include/mazurka/actors.hpp promises, one small system per promise.
#include <gtest/gtest.h>

#include <cassert>
#include <stdexcept>
#include <string>
#include <vector>

#include "mazurka/actors.hpp"
#include "programs/actors/actor_program.hpp"

namespace mazurka {
namespace {

struct Log {
  std::vector<int> seen;
  void add(int value) { seen.push_back(value); }
};

struct Sender {
  Ref<Log> log;
  int value = 0;
  void go(Context& context) {
    context.send<&Log::add>(log, value);
    context.send<&Log::add>(log, value + 1);
  }
};

void two_senders(Setup& system) {
  const auto log = system.spawn<Log>();
  system.send<&Sender::go>(system.spawn<Sender>(log, 10));
  system.send<&Sender::go>(system.spawn<Sender>(log, 20));
}

TEST(Actors, MessagesArriveInAnyOrder) {
  EXPECT_EQ(check(two_senders).executions, 24U);  // 4!
}

TEST(Actors, FifoChannelsKeepTheOrderOfEachPair) {
  const CheckResult result = check([](mazurka::Setup& system) {
    system.use_fifo_channels();
    two_senders(system);
  });
  EXPECT_EQ(result.executions, 6U);  // 4! / (2! 2!)
  EXPECT_TRUE(result.verified());
}

struct Siren {
  std::vector<int> seen;
  void add(int value) { seen.push_back(value); }
  void alarm(int value) { seen.push_back(value); }
  static constexpr bool urgent(on<&Siren::alarm>) { return true; }
};

struct Operator {
  Ref<Siren> siren;
  void go(Context& context) {
    context.send<&Siren::add>(siren, 1);
    context.send<&Siren::alarm>(siren, 2);
    context.send<&Siren::add>(siren, 3);
    context.send<&Siren::alarm>(siren, 4);
  }
};

// 2 may come before 1, and 4 before 3 and 1: what is sent later and ordinary overtakes nothing.
TEST(Actors, UrgentMessagesOvertakeOthersOfTheirChannel) {
  const auto system = [](mazurka::Setup& setup) {
    setup.use_fifo_channels();
    const auto siren = setup.spawn<Siren>();
    setup.send<&Operator::go>(setup.spawn<Operator>(siren));
    setup.finally("an order of a mailbox", [=](const View& view) {
      const std::vector<int>& seen = view[siren].seen;
      return seen == std::vector{1, 2, 3, 4} || seen == std::vector{2, 1, 3, 4} ||
             seen == std::vector{1, 2, 4, 3} || seen == std::vector{2, 1, 4, 3} ||
             seen == std::vector{2, 4, 1, 3};
    });
  };
  for (const Order order : {Order::fifo, Order::urgent}) {
    const CheckResult result = check(system, {.order = order});
    EXPECT_TRUE(result.verified());
    EXPECT_EQ(result.executions, 5U);
  }
}

TEST(Actors, UrgentMessagesAreTriedFirstIfTheOrderSaysSo) {
  const auto first_seen = [](Order order) {
    const CheckResult result = check(
        [](mazurka::Setup& system) {
          const auto siren = system.spawn<Siren>();
          system.send<&Siren::add>(siren, 1);
          system.send<&Siren::alarm>(siren, 2);
          system.finally("ordinary first",
                         [=](const View& view) { return view[siren].seen.front() == 1; });
        },
        {.order = order});
    return result.executions;
  };
  EXPECT_EQ(first_seen(Order::urgent), 1U) << "the first execution is the one that fails";
  EXPECT_EQ(first_seen(Order::fifo), 2U);
}

TEST(Actors, ASystemWithNothingToDoIsVerified) {
  EXPECT_TRUE(check([](mazurka::Setup& system) { (void)system.spawn<Log>(); }).verified());
}

// --- guards and become --------------------------------------------------------------------------

struct Cell {
  int items = 0;
  void put() { ++items; }
  void take() { --items; }
  bool accepts(on<&Cell::take>) const { return items > 0; }
};

TEST(Actors, AGuardedMessageWaits) {
  const CheckResult result = check([](mazurka::Setup& system) {
    const auto cell = system.spawn<Cell>();
    system.send<&Cell::put>(cell);
    system.send<&Cell::take>(cell);
    system.finally("empty", [=](const View& view) { return view[cell].items == 0; });
  });
  EXPECT_TRUE(result.verified()) << result.error;
  EXPECT_EQ(result.executions, 1U);
}

TEST(Actors, AMessageThatNothingEnablesIsADeadlock) {
  const System system = [](mazurka::Setup& setup) {
    const auto cell = setup.spawn<Cell>();
    setup.send<&Cell::put>(cell);
    setup.send<&Cell::take>(cell);
    setup.send<&Cell::take>(cell);
  };
  const CheckResult result = check(system);
  ASSERT_EQ(result.problems.size(), 1U);
  EXPECT_EQ(result.problems[0].kind, "deadlock");
  EXPECT_TRUE(check([&](mazurka::Setup& setup) {
                system(setup);
                setup.allow_waiting();
              }).verified());
}

struct Closed;
struct Door {
  using becomes = void;
  int passed = 0;
  void pass() { ++passed; }
  void close(Context& context);
};
struct Closed {
  using becomes = void;
  int passed = 0;
  void open(Context& context) { context.become(Door{passed}); }
};
void Door::close(Context& context) { context.become(Closed{passed}); }

TEST(Actors, WhoBecomesAnotherTakesItsMessagesOnly) {
  const CheckResult result = check([](mazurka::Setup& system) {
    const auto door = system.spawn<Door>();
    system.send<&Door::pass>(door);
    system.send<&Door::close>(door);
    system.send<&Closed::open>(door.as<Closed>());
    system.finally("all passed",
                   [=](const View& view) { return view.has(door) && view[door].passed == 1; });
  });
  EXPECT_TRUE(result.verified()) << result.error;
  EXPECT_EQ(result.executions, 2U);  // pass before the door is closed, or after it is open again
}

// --- requests -----------------------------------------------------------------------------------

struct Adder {
  int calls = 0;
  int add(int a, int b) {
    ++calls;
    return a + b;
  }
};
struct Asker {
  Ref<Adder> adder;
  int result = 0;
  void go(Context& context) {
    context.await<&Asker::got>(context.ask<&Adder::add>(adder, 2, 3), 4);
  }
  void got(int sum, int factor) { result = sum * factor; }
};

TEST(Actors, AnAnswerResumesWhoAwaitsIt) {
  const CheckResult result = check([](mazurka::Setup& system) {
    const auto asker = system.spawn<Asker>(system.spawn<Adder>());
    system.send<&Asker::go>(asker);
    system.finally("answered", [=](const View& view) { return view[asker].result == 20; });
  });
  EXPECT_TRUE(result.verified()) << result.error;
  EXPECT_EQ(result.transitions, 3U);
}

struct Relay {
  Ref<Adder> adder;
  std::vector<int> heard;
  int total(Context& context) {
    context.await<&Relay::got>(context.ask<&Adder::add>(adder, 2, 3));
    heard.assign(8, -1);  // in memory that awaiting may have given back
    return 7;
  }
  void got(int sum) { heard.assign(1, sum); }
};
struct Client {
  Ref<Relay> relay;
  int result = 0;
  void go(Context& context) { context.await<&Client::got>(context.ask<&Relay::total>(relay)); }
  void got(int total) { result = total; }
};

TEST(Actors, WhoAnswersMayAwaitAnAnswer) {
  const CheckResult result = check([](mazurka::Setup& system) {
    const auto relay = system.spawn<Relay>(system.spawn<Adder>());
    const auto client = system.spawn<Client>(relay);
    system.send<&Client::go>(client);
    system.finally("both answered", [=](const View& view) {
      return view[client].result == 7 && view[relay].heard == std::vector{5};
    });
  });
  EXPECT_TRUE(result.verified()) << result.error;
}

// --- failures and monitors ----------------------------------------------------------------------

struct Mortal {
  static constexpr bool mortal = true;
  int handled = 0;
  void work() { ++handled; }
  void leave(Context& context) { context.stop(); }
};
struct Watcher {
  int told = 0;
  void down(Ref<Mortal>) { ++told; }
  void look(Context& context, Ref<Mortal> whom) { context.monitor<&Watcher::down>(whom); }
};

TEST(Actors, AFailureLosesWhatWasNotHandled) {
  const auto system = [](mazurka::Setup& setup) {
    const auto mortal = setup.spawn<Mortal>();
    setup.send<&Mortal::work>(mortal);
    setup.send<&Mortal::work>(mortal);
    setup.crash(mortal);
  };
  for (const char* technique : {"exhaustive", "sleep", "source", "optimal", "dpor", "trans"}) {
    CheckOptions options;
    options.technique = technique;
    const CheckResult result = check(system, options);
    EXPECT_TRUE(result.verified()) << result.error;
    // none, the first, the second, both in either order
    EXPECT_EQ(result.executions, 5U) << technique;
  }
  const CheckResult orphans = check([&](mazurka::Setup& setup) {
    system(setup);
    setup.forbid_orphans();
  });
  ASSERT_FALSE(orphans.problems.empty());
  EXPECT_EQ(orphans.problems[0].kind, "orphan");
}

TEST(Actors, MonitorsAreToldHoweverLateTheyAsk) {
  const CheckResult result = check([](mazurka::Setup& system) {
    const auto mortal = system.spawn<Mortal>();
    const auto early = system.spawn<Watcher>();
    const auto late = system.spawn<Watcher>();
    system.monitor<&Watcher::down>(early, mortal);
    system.send<&Watcher::look>(late, mortal);
    system.send<&Mortal::leave>(mortal);
    system.finally("both are told", [=](const View& view) {
      return view[early].told == 1 && view[late].told == 1 && !view.has(mortal);
    });
  });
  EXPECT_TRUE(result.verified()) << result.error;
  EXPECT_EQ(result.executions, 2U);
}

// --- properties ---------------------------------------------------------------------------------

struct Fussy {
  int last = 0;
  void take(Context& context, int value) {
    context.expect(value > last, "values grow");
    last = value;
  }
  void hard(int value) { assert(value != 2); }
  void thrower() { throw std::runtime_error("no"); }
};

TEST(Actors, ExpectationsAssertionsAndExceptionsAreFindings) {
  const CheckResult expectation = check([](mazurka::Setup& system) {
    const auto fussy = system.spawn<Fussy>();
    system.send<&Fussy::take>(fussy, 1);
    system.send<&Fussy::take>(fussy, 2);
  });
  ASSERT_EQ(expectation.problems.size(), 1U);
  EXPECT_EQ(expectation.problems[0].message, "assertion `values grow` fails");
  EXPECT_NE(expectation.problems[0].chart.find("take(2)"), std::string::npos);

  const CheckResult assertion =
      check([](mazurka::Setup& system) { system.send<&Fussy::hard>(system.spawn<Fussy>(), 2); });
  ASSERT_EQ(assertion.problems.size(), 1U);
  EXPECT_EQ(assertion.problems[0].kind, "assertion");

  const CheckResult exception =
      check([](mazurka::Setup& system) { system.send<&Fussy::thrower>(system.spawn<Fussy>()); });
  ASSERT_EQ(exception.problems.size(), 1U);
  EXPECT_EQ(exception.problems[0].kind, "uncaught exception");
}

struct Account {
  int balance = 0;
  void change(int amount) { balance += amount; }
};

// Two accounts never interact, so no technique would look at both orders; the invariant over both
// is violated in one of them only.
TEST(Actors, InvariantsSeeEveryOrderOfWhatTheyRead) {
  for (const char* technique : {"exhaustive", "source", "optimal", "dpor", "trans"}) {
    CheckOptions options;
    options.technique = technique;
    const CheckResult result = check(
        [](mazurka::Setup& system) {
          const auto one = system.spawn<Account>();
          const auto other = system.spawn<Account>();
          system.send<&Account::change>(one, 1);
          system.send<&Account::change>(other, 1);
          invariant<Account>(system, "the first comes first", [=](const View& view) {
            return view[one].balance >= view[other].balance;
          });
        },
        options);
    ASSERT_EQ(result.problems.size(), 1U) << technique;
    EXPECT_EQ(result.problems[0].kind, "assertion");
  }
}

struct Clerk {
  int opened = 0;
  void open(Context& context) {
    ++opened;
    (void)context.spawn<Account>();
  }
};

// Else some orders that the invariant could tell apart would not be explored.
TEST(Actors, InvariantsMustNameWhatTheyDependOn) {
  const auto clerk_and = [](auto add_invariant) {
    return check([=](mazurka::Setup& system) {
      const auto clerk = system.spawn<Clerk>();
      system.send<&Clerk::open>(clerk);
      add_invariant(system, clerk);
    });
  };
  const CheckResult reads = clerk_and([](mazurka::Setup& system, Ref<Clerk> clerk) {
    invariant<Account>(system, "one", [=](const View& view) { return view[clerk].opened < 2; });
  });
  EXPECT_NE(reads.error.find("`Clerk`"), std::string::npos) << reads.error;
  const auto few = [](const View& view) {
    return view.count<Account>([](const Account&) { return true; }) < 2;
  };
  const CheckResult creates = clerk_and(
      [=](mazurka::Setup& system, Ref<Clerk>) { invariant<Account>(system, "few", few); });
  EXPECT_NE(creates.error.find("`Clerk`"), std::string::npos) << creates.error;
  const CheckResult messages = clerk_and([](mazurka::Setup& system, Ref<Clerk>) {
    invariant<Clerk>(system, "none",
                     [](const View& view) { return view.pending<&Clerk::open>() < 2; });
  });
  EXPECT_NE(messages.error.find("messages"), std::string::npos) << messages.error;
  EXPECT_TRUE(clerk_and([=](mazurka::Setup& system, Ref<Clerk>) {
                invariant<Account, Clerk>(system, "few", few);
              }).verified());
}

// --- the rest -----------------------------------------------------------------------------------

TEST(Actors, MistakesAreErrorsNotVerdicts) {
  EXPECT_FALSE(
      check([](mazurka::Setup& system) { system.send<&Log::add>(Ref<Log>(), 1); }).error.empty());
  CheckOptions options;
  options.technique = "nonsense";
  EXPECT_FALSE(check(two_senders, options).error.empty());
}

TEST(Actors, FingerprintsDependOnContentsNotOnNames) {
  const auto fingerprint_after = [](const std::vector<std::size_t>& order) {
    actors::Configuration configuration([](mazurka::Setup& system) {
      const auto account = system.spawn<Account>();
      system.send<&Account::change>(account, 5);
      system.send<&Account::change>(account, 5);
      system.send<&Account::change>(account, 7);
    });
    configuration.track_changes(true);
    configuration.reset();
    Fingerprint stepwise = configuration.fingerprint();
    for (const std::size_t mail : order) {
      configuration.deliver(mail);
      stepwise ^= configuration.latest_change();
      EXPECT_EQ(stepwise, configuration.fingerprint());
    }
    return std::pair(stepwise.low, stepwise.high);
  };
  EXPECT_EQ(fingerprint_after({0}), fingerprint_after({1}));
  EXPECT_NE(fingerprint_after({0}), fingerprint_after({2}));
  EXPECT_EQ(fingerprint_after({0, 2}), fingerprint_after({2, 1}));
}

struct Point {
  int x = 0;
  std::string label;
};

TEST(Values, AggregatesAreHashedComparedAndShownWithoutHelp) {
  class Nobody final : public actors::Names {
   public:
    [[nodiscard]] std::string name_of(std::uint32_t) const override { return "?"; }
  };
  EXPECT_EQ(actors::hash_of(Point{1, "a"}), actors::hash_of(Point{1, "a"}));
  EXPECT_NE(actors::hash_of(Point{1, "a"}), actors::hash_of(Point{2, "a"}));
  EXPECT_TRUE(actors::same(Point{1, "a"}, Point{1, "a"}));
  EXPECT_FALSE(actors::same(Point{1, "a"}, Point{1, "b"}));
  EXPECT_EQ(actors::show(Point{1, "a"}, Nobody()), "{1, \"a\"}");
  EXPECT_EQ(actors::show(std::vector<int>{1, 2}, Nobody()), "[1, 2]");
}

}  // namespace
}  // namespace mazurka
