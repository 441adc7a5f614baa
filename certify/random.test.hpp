// Random small programs, in families of operations that belong together.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "program.test.hpp"

namespace certify::tests {

struct Family {
  std::string name;
  std::vector<std::string> kinds;
};

/// Families of operations; the last one has all.
[[nodiscard]] const std::vector<Family>& families();

[[nodiscard]] Program random_program(std::mt19937_64& random, const Family& family);

}  // namespace certify::tests
