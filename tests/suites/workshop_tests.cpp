// A suite as it could have been before anybody thought of checking it: thirty tests, and nothing of
// ours in them. suites_test.py runs it under the checker as it is.
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <tuple>

#include "workshop.hpp"

namespace {

using workshop::Account;
using workshop::Once;
using workshop::Queue;
using workshop::Registry;
using workshop::SpinLock;

// --- plain tests ---------------------------------------------------------------------------------

TEST(Account, BeginsWithItsBalance) { EXPECT_EQ(Account(7).balance(), 7); }

TEST(Account, RefusesWhatItDoesNotHave) {
  Account account(5);
  EXPECT_FALSE(account.withdraw(6));
  EXPECT_TRUE(account.withdraw(5));
  EXPECT_EQ(account.balance(), 0);
}

TEST(Account, DepositsOfTwoThreadsAddUp) {
  Account account;
  std::thread one([&] { account.deposit(1); });
  std::thread two([&] { account.deposit(2); });
  one.join();
  two.join();
  EXPECT_EQ(account.balance(), 3);
}

TEST(Account, OnlyOneOfTwoGetsTheLastCoin) {
  Account account(1);
  bool first = false;
  bool second = false;
  std::thread one([&] { first = account.withdraw(1); });
  std::thread two([&] { second = account.withdraw(1); });
  one.join();
  two.join();
  EXPECT_NE(first, second);
}

TEST(Account, TransfersInBothDirectionsEnd) {
  Account left(10);
  Account right(10);
  std::thread one([&] { transfer(left, right, 3); });
  std::thread two([&] { transfer(right, left, 4); });
  one.join();
  two.join();
  EXPECT_EQ(left.balance() + right.balance(), 20);
}

TEST(Account, MayBeLookedAtMeanwhile) {
  Account account;
  std::thread other([&] { account.deposit(1); });
  const int seen = account.balance();
  other.join();
  EXPECT_TRUE(seen == 0 || seen == 1) << seen;
}

TEST(Spin, KeepsOthersOut) {
  SpinLock lock;
  int inside = 0;
  const auto enter = [&] {
    const std::lock_guard<SpinLock> guard(lock);
    ++inside;
  };
  std::thread other(enter);
  enter();
  other.join();
  EXPECT_EQ(inside, 2);
}

TEST(Spin, TryingDoesNotWait) {
  SpinLock lock;
  ASSERT_TRUE(lock.try_lock());
  std::thread other([&] { EXPECT_FALSE(lock.try_lock()); });
  other.join();
  lock.unlock();
}

TEST(Registry, ReadersAndAWriter) {
  Registry registry;
  std::thread writer([&] { registry.add("anvil"); });
  std::thread reader([&] { (void)registry.knows("anvil"); });
  writer.join();
  reader.join();
  EXPECT_TRUE(registry.knows("anvil"));
  EXPECT_FALSE(registry.knows("forge"));
}

TEST(Atomics, AHandshake) {
  std::atomic<bool> ready{false};
  int value = 0;
  std::thread other([&] {
    value = 42;
    ready.store(true, std::memory_order_release);
  });
  while (!ready.load(std::memory_order_acquire)) std::this_thread::yield();
  EXPECT_EQ(value, 42);
  other.join();
}

TEST(Atomics, AMaximumByCompareExchange) {
  std::atomic<int> largest{0};
  const auto offer = [&](int value) {
    int seen = largest.load();
    while (seen < value && !largest.compare_exchange_weak(seen, value)) {
    }
  };
  std::thread other(offer, 2);
  offer(1);
  other.join();
  EXPECT_EQ(largest, 2);
}

TEST(Futures, AValueFromAnotherThread) {
  std::future<int> answer = std::async(std::launch::async, [] { return 6 * 7; });
  EXPECT_EQ(answer.get(), 42);
}

TEST(Futures, TwoAtOnce) {
  std::atomic<int> begun{0};
  const auto work = [&] { return ++begun; };
  auto one = std::async(std::launch::async, work);
  auto two = std::async(std::launch::async, work);
  EXPECT_EQ(one.get() + two.get(), 3);
}

TEST(Futures, AnExceptionArrives) {
  auto broken = std::async(std::launch::async, [] { throw std::runtime_error("no steel"); });
  EXPECT_THROW(broken.get(), std::runtime_error);
}

TEST(Futures, APromiseIsKept) {
  std::promise<std::string> promise;
  auto future = promise.get_future();
  std::thread other([&] { promise.set_value("tongs"); });
  EXPECT_EQ(future.get(), "tongs");
  other.join();
}

TEST(CallOnce, HappensOnce) {
  std::once_flag flag;
  int calls = 0;
  const auto call = [&] { std::call_once(flag, [&] { ++calls; }); };
  std::thread other(call);
  call();
  other.join();
  EXPECT_EQ(calls, 1);
}

TEST(SharedPointer, TheLastOwnerDestroys) {
  struct Noted {
    explicit Noted(int& deaths) : deaths_(deaths) {}
    ~Noted() { ++deaths_; }
    int& deaths_;
  };
  int deaths = 0;
  auto one = std::make_shared<Noted>(deaths);
  std::thread other([two = one]() mutable { two.reset(); });
  one.reset();
  other.join();
  EXPECT_EQ(deaths, 1);
}

// --- a fixture -----------------------------------------------------------------------------------

class QueueTest : public testing::Test {
 protected:
  void SetUp() override { queue_ = std::make_unique<Queue<int>>(1); }
  void TearDown() override { EXPECT_EQ(queue_->size(), 0U); }
  static void SetUpTestSuite() { ++suites; }
  std::unique_ptr<Queue<int>> queue_;
  static int suites;
};
int QueueTest::suites = 0;

TEST_F(QueueTest, BeginsEmpty) {
  EXPECT_FALSE(queue_->try_pop().has_value());
  EXPECT_EQ(suites, 1);
}

TEST_F(QueueTest, HandsOver) {
  std::thread producer([&] { queue_->push(1); });
  EXPECT_EQ(queue_->pop(), 1);
  producer.join();
}

TEST_F(QueueTest, KeepsTheOrderThoughItHasNoRoom) {
  std::thread producer([&] {
    queue_->push(1);
    queue_->push(2);
  });
  EXPECT_EQ(queue_->pop(), 1);
  EXPECT_EQ(queue_->pop(), 2);
  producer.join();
}

TEST_F(QueueTest, TwoProducers) {
  std::thread one([&] { queue_->push(1); });
  std::thread two([&] { queue_->push(2); });
  EXPECT_EQ(queue_->pop() + queue_->pop(), 3);
  one.join();
  two.join();
}

TEST_F(QueueTest, MayBeEmptyStill) {
  std::thread producer([&] { queue_->push(1); });
  const std::optional<int> early = queue_->try_pop();
  producer.join();
  if (early) {
    EXPECT_EQ(*early, 1);
  } else {
    ASSERT_EQ(queue_->size(), 1U);
    EXPECT_EQ(queue_->pop(), 1);
  }
}

// --- with parameters -----------------------------------------------------------------------------

class Deposits : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(Deposits, AddUp) {
  const auto [first, second] = GetParam();
  Account account;
  std::thread other([&account, amount = second] { account.deposit(amount); });
  account.deposit(first);
  other.join();
  EXPECT_EQ(account.balance(), first + second);
}
INSTANTIATE_TEST_SUITE_P(Some, Deposits,
                         testing::Combine(testing::Values(0, 5), testing::Values(1, 2)));

// --- for several types ---------------------------------------------------------------------------

template <typename Value>
class OnceTest : public testing::Test {
 protected:
  Once<Value> once_;
};
using Values = testing::Types<int, std::string>;
TYPED_TEST_SUITE(OnceTest, Values);

TYPED_TEST(OnceTest, TheFirstWins) {
  bool there = false;
  std::thread other([&] { there = this->once_.set(TypeParam{}); });
  const bool here = this->once_.set(TypeParam{});
  other.join();
  EXPECT_NE(here, there);
  EXPECT_TRUE(this->once_.get().has_value());
}

TYPED_TEST(OnceTest, NobodyHasSetItYet) { EXPECT_EQ(this->once_.get(), std::nullopt); }

}  // namespace
