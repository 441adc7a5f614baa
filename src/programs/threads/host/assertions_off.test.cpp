#include "programs/threads/host/assertions_off.hpp"

#include <gtest/gtest.h>

namespace mazurka::threads {
namespace {

TEST(AssertionsOff, CountsAssertionsInCodeOnly) {
  EXPECT_EQ(count_assertions("int f() { assert(x == 1); assert (y); return 0; }"), 2U);
  EXPECT_EQ(count_assertions("// assert(x)\n/* assert(y) */ char* t = \"assert(z)\";"), 0U);
  EXPECT_EQ(count_assertions("static_assert(1); my_assert(2); asserted(3); int assert_all(int);"),
            0U);
  EXPECT_EQ(count_assertions("char c = '\"'; assert(c);"), 1U);
}

TEST(AssertionsOff, SeesWhereTheMacroIsDefined) {
  EXPECT_TRUE(defines_ndebug("#define NDEBUG\n#include <assert.h>\n"));
  EXPECT_TRUE(defines_ndebug("  # define NDEBUG 1\n"));
  EXPECT_FALSE(defines_ndebug("// #define NDEBUG\n#ifdef NDEBUG\n#endif\n"));
  EXPECT_FALSE(defines_ndebug("#define NDEBUGGING\n"));
}

}  // namespace
}  // namespace mazurka::threads
