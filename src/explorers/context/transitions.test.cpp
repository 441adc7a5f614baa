#include "explorers/context/transitions.hpp"

#include <gtest/gtest.h>

namespace mazurka {
namespace {

constexpr ProcessId p{0};
constexpr ProcessId q{1};

Fingerprint state(std::uint64_t number) { return fingerprint_of(number, 0); }

TEST(Transitions, AreRememberedByStateAndProcess) {
  Transitions transitions;
  EXPECT_EQ(transitions.find(state(0), p), nullptr);
  transitions.learn(state(0), p, state(1));
  transitions.learn(state(0), q, state(2));
  ASSERT_NE(transitions.find(state(0), p), nullptr);
  EXPECT_EQ(*transitions.find(state(0), p), state(1));
  ASSERT_NE(transitions.find(state(0), q), nullptr);
  EXPECT_EQ(*transitions.find(state(0), q), state(2));
  EXPECT_EQ(transitions.find(state(1), p), nullptr);
}

TEST(Transitions, NoneIsForgottenWhileTheTableGrows) {
  Transitions transitions;
  constexpr std::uint64_t many = 20'000;
  for (std::uint64_t at = 0; at < many; ++at) transitions.learn(state(at), p, state(at + 1));
  for (std::uint64_t at = 0; at < many; ++at) {
    const Fingerprint* next = transitions.find(state(at), p);
    ASSERT_NE(next, nullptr) << at;
    EXPECT_EQ(*next, state(at + 1)) << at;
  }
}

}  // namespace
}  // namespace mazurka
