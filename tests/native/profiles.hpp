// The kinds of random programs: which statements each profile is made of, and how often.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "native/program.hpp"

namespace mazurka::native {

struct Weighted {
  Op op;
  int weight;
};

struct Profile {
  std::string_view name;
  std::vector<Weighted> ops;
};

std::span<const Profile> all_profiles();

}  // namespace mazurka::native
