// Three processes whose clocks a test moves by hand: who knows of whom is all that it says.
#pragma once

#include <gtest/gtest.h>

#include <array>

#include "core/ids.hpp"
#include "native/memory_model/clocks.hpp"

namespace mazurka::threads {
using namespace native;

inline constexpr ProcessId a{0}, b{1}, c{2};

class ThreeProcesses : public testing::Test {
 protected:
  ThreeProcesses() {
    for (const ProcessId process : {a, b, c}) clocks_[index(process)].tick(process);
  }
  [[nodiscard]] const VectorClock& clock(ProcessId process) const {
    return clocks_[index(process)];
  }
  /// Whatever `from` has done so far comes before what `to` does from now on.
  void order(ProcessId from, ProcessId to) {
    clocks_[index(to)].join(clocks_[index(from)]);
    clocks_[index(from)].tick(from);
  }

 private:
  std::array<VectorClock, 3> clocks_;
};

}  // namespace mazurka::threads
