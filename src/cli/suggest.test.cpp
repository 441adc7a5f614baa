#include "cli/suggest.hpp"

#include <gtest/gtest.h>

#include <array>

namespace mazurka::cli {
namespace {

TEST(Suggest, FindsWhatWasMeant) {
  constexpr std::array<std::string_view, 3> words{"exhaustive", "optimal", "source"};
  EXPECT_EQ(nearest("optmal", words), "optimal");
  EXPECT_EQ(nearest("suorce", words), "source");
  EXPECT_EQ(nearest("exh", words), "exhaustive");
  EXPECT_EQ(nearest("quantum", words), "");
  EXPECT_EQ(edit_distance("ab", "ba"), 1U);
}

}  // namespace
}  // namespace mazurka::cli
