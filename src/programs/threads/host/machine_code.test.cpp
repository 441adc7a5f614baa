#include "programs/threads/host/machine_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

extern "C" {
int machine_code_test_shared;
// NOLINTBEGIN(misc-use-internal-linkage): they are looked for by their names
__attribute__((noinline, used)) void machine_code_test_writes() { machine_code_test_shared = 1; }
__attribute__((noinline, used)) void machine_code_test_adds(std::atomic<int>* to) { *to += 1; }
__attribute__((noinline, used)) int machine_code_test_computes(int value) {
  volatile int own = value;  // on its stack
  return own + 1;
}
__attribute__((noinline, used)) void machine_code_test_calls() {
  machine_code_test_writes();
  machine_code_test_writes();
}
// NOLINTEND(misc-use-internal-linkage)
}

namespace mazurka::threads {
namespace {

#if defined(__x86_64__)

FunctionCode named(const std::string& name) {
  static const std::vector<FunctionCode> all = functions_of("/proc/self/exe");
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const FunctionCode& one) { return one.name == name; });
  return found == all.end() ? FunctionCode{} : *found;
}

TEST(MachineCode, AccessesThatOthersMaySee) {
  EXPECT_TRUE(named("machine_code_test_writes").is_unseen());
  EXPECT_EQ(named("machine_code_test_writes").accesses.size(), 1U);
  EXPECT_NE(named("machine_code_test_computes").begin, 0U);
  EXPECT_FALSE(named("machine_code_test_computes").is_unseen());
}

TEST(MachineCode, AtomicOperations) {
  EXPECT_EQ(named("machine_code_test_adds").atomics.size(), 1U);
  EXPECT_TRUE(named("machine_code_test_writes").atomics.empty());
}

TEST(MachineCode, WhereCallsReturnTo) {
  const FunctionCode calls = named("machine_code_test_calls");
  ASSERT_FALSE(calls.returns.empty());
  EXPECT_GT(calls.returns.front(), calls.begin);
}

#endif

TEST(MachineCode, KnowsTestFrameworks) {
  EXPECT_TRUE(is_of_test_framework("_ZN7testing8internal10UnitTestImplC1Ev"));
  EXPECT_TRUE(is_of_test_framework("_ZNK5Catch8TestCase6invokeEv"));
  EXPECT_FALSE(is_of_test_framework("_ZN9workshops8internalEv"));
  EXPECT_FALSE(is_of_test_framework("testing"));
}

}  // namespace
}  // namespace mazurka::threads
