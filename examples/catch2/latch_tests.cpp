// A gate that opens once, in Catch2: with and without a mistake. One of the tests fails, and is
// meant to.
#if __has_include(<catch2/catch_test_macros.hpp>)  // version 3
#include <catch2/catch_test_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif
#include <mazurka/catch2.hpp>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

class Gate {
 public:
  void open() {
    const std::lock_guard<std::mutex> guard(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void pass() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return open_; });
  }

 protected:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

/// Whoever has found it open need not wait for others to leave: it is closed behind him.
class Turnstile : public Gate {
 public:
  bool pass_alone() {
    pass();
    const std::lock_guard<std::mutex> guard(mutex_);
    const bool first = open_;  // two may have passed before one of them comes here
    open_ = false;
    return first;
  }
};

TEST_CASE("Plain.IsNotChecked") { REQUIRE(1 + 1 == 2); }

MAZURKA_TEST(Gate, LetsEverybodyThrough) {
  Gate gate;
  int passed = 0;
  std::thread visitor([&] {
    gate.pass();
    passed = 1;
  });
  gate.open();
  visitor.join();
  REQUIRE(passed == 1);
}

// Fails: both may find it open before one of them closes it.
MAZURKA_TEST(Turnstile, LetsOneThrough) {
  Turnstile gate;
  gate.open();
  bool first = false, second = false;
  std::thread one([&] { first = gate.pass_alone(); });
  std::thread two([&] {
    gate.open();
    second = gate.pass_alone();
  });
  one.join();
  two.join();
  REQUIRE(first);
  REQUIRE(second);
}

}  // namespace
