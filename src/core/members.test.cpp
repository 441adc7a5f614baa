#include "core/members.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mazurka {
namespace {

struct Nothing {};
struct Pair {
  int one;
  double other;
};
enum class Colour : std::uint8_t { red };
struct Many {
  Pair pair;
  std::optional<std::size_t> number{};
  std::string text;
  std::vector<Pair> list{};
  bool flag = false;
  Colour colour{};
  const char* pointer = nullptr;
  std::map<int, std::string> map{};
  Nothing nothing;
};
struct Derived : Pair {
  int third;
};

TEST(Members, AreCounted) {
  EXPECT_EQ(count_of_members<Nothing>, 0U);
  EXPECT_EQ(count_of_members<Pair>, 2U);
  EXPECT_EQ(count_of_members<Many>, 9U);
  EXPECT_EQ(count_of_members<Derived>, 2U);  // what it is derived from is one of them
}

}  // namespace
}  // namespace mazurka
