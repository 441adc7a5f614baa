// Which uses of the same thing need an order, and which orders are enough.
#include "programs/threads/runtime/surroundings/outside_uses.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "programs/threads/runtime/memory_model/three_processes.test.hpp"

namespace mazurka::threads {
namespace {

class OutsideUsesTest : public ThreeProcesses {
 protected:
  OutsideUses::User user(ProcessId process) { return {process, clock(process)}; }
  std::string use(ProcessId process, Use use, const char* what = "the file") {
    return uses_.use(user(process), what, use, std::hash<std::string>{}(what));
  }
  std::string call_unknown(ProcessId process) {
    return uses_.use_unknown(user(process), "strange");
  }
  OutsideUses uses_;
};

TEST_F(OutsideUsesTest, LooksNeedNoOrder) {
  EXPECT_EQ(use(a, Use::looks), "");
  EXPECT_EQ(use(b, Use::looks), "");
}

TEST_F(OutsideUsesTest, ChangeAndLookNeedOneEitherWay) {
  EXPECT_EQ(use(a, Use::changes), "");
  EXPECT_EQ(use(b, Use::looks), "the file");
  uses_ = {};
  EXPECT_EQ(use(a, Use::looks), "");
  EXPECT_EQ(use(b, Use::changes), "the file");
}

TEST_F(OutsideUsesTest, OrderedUsesAreFine) {
  EXPECT_EQ(use(a, Use::changes), "");
  order(a, b);
  EXPECT_EQ(use(b, Use::changes), "");
  order(b, c);
  EXPECT_EQ(use(c, Use::looks), "");
}

TEST_F(OutsideUsesTest, DifferentThingsNeedNoOrder) {
  EXPECT_EQ(use(a, Use::changes, "one"), "");
  EXPECT_EQ(use(b, Use::changes, "another"), "");
}

TEST_F(OutsideUsesTest, AdditionsNeedNoOrderUnlessSomebodyLooks) {
  EXPECT_EQ(use(a, Use::adds), "");
  EXPECT_EQ(use(b, Use::adds), "");
  order(a, c);
  order(b, c);
  EXPECT_EQ(use(c, Use::looks), "the file") << "it sees in which order they were added";
}

TEST_F(OutsideUsesTest, UnknownFunctionNeedsAnOrderWithEverything) {
  EXPECT_EQ(call_unknown(a), "");
  EXPECT_NE(use(b, Use::looks).find("strange()"), std::string::npos);
  uses_ = {};
  EXPECT_EQ(use(b, Use::looks), "");
  EXPECT_NE(call_unknown(a).find("strange()"), std::string::npos);
  uses_ = {};
  EXPECT_EQ(call_unknown(a), "");
  EXPECT_NE(call_unknown(b), "");
}

TEST_F(OutsideUsesTest, UnknownFunctionThatIsOrderedIsFine) {
  EXPECT_EQ(use(a, Use::looks), "");
  EXPECT_EQ(use(b, Use::looks), "");
  order(a, c);
  order(b, c);
  EXPECT_EQ(call_unknown(c), "");
}

}  // namespace
}  // namespace mazurka::threads
