// One random system, explored by every technique and by brute force.
#pragma once

#include <cstdint>
#include <string>

#include "caf/random_system.hpp"

namespace mazurka::caf_test {

struct Compared {
  bool too_large = false;  // for brute force; nothing was compared
  std::string wrong;       // empty: all agree
  std::uint64_t traces = 0;
  std::uint64_t orders = 0;  // of brute force
  bool refused = false;      // the system does what can not be explored
  bool reversed = false;     // reverse search could explore it, too
  bool transitive = false;   // and so could trans
};

class Comparison {
 public:
  Comparison();
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;
  ~Comparison();

  /// Number n of all.
  [[nodiscard]] Compared compare(std::uint64_t number, std::uint64_t most_orders);

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace mazurka::caf_test
