#include "host/link_failure.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace mazurka::host {
namespace {

constexpr const char* gnu_ld =
    "/usr/bin/ld: /tmp/a.o: in function `main':\n"
    "a.c:5: undefined reference to `twice'\n"
    "a.c:6: undefined reference to `twice'\n"
    "a.c:7: undefined reference to `thrice'\n"
    "collect2: error: ld returned 1 exit status\n";

TEST(LinkFailure, IsToldFromAFailureToCompile) {
  EXPECT_TRUE(is_failed_link(gnu_ld));
  EXPECT_TRUE(
      is_failed_link("ld.lld: error: undefined symbol: twice\n"
                     "clang: error: linker command failed with exit code 1\n"));
  EXPECT_FALSE(is_failed_link("a.c:3:1: error: expected ';' before '}' token\n"));
}

TEST(LinkFailure, NamesWhatIsMissingOnce) {
  EXPECT_EQ(undefined_functions(gnu_ld), (std::vector<std::string>{"twice", "thrice"}));
  EXPECT_EQ(undefined_functions("ld.lld: error: undefined symbol: twice\n"),
            std::vector<std::string>{"twice"});
}

TEST(LinkFailure, AFunctionThatIsInlineInCHasAHint) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     ("mazurka-inline-" + std::to_string(getpid()) + ".c");
  std::ofstream(file) << "/* inline thrice() */\ninline int twice(int a) { return 2 * a; }\n"
                         "int thrice(int);\nint main(void) { return twice(thrice(1)); }\n";
  EXPECT_NE(hint_for_inline({"thrice", "twice"}, {file}).find("`twice` is `inline` in"),
            std::string::npos);
  EXPECT_EQ(hint_for_inline({"thrice"}, {file}), "");
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace mazurka::host
