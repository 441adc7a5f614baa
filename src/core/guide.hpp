// Who moves, decided step by step while an execution goes on: for walks that look at what can move
// before they draw a lot.
#pragma once

#include <optional>

#include "core/ids.hpp"

namespace mazurka {

class Run;

class Guide {
 public:
  Guide() = default;
  Guide(const Guide&) = delete;
  Guide& operator=(const Guide&) = delete;
  virtual ~Guide() = default;

  /// Somebody can move. Nothing: the execution ends here, as asleep.
  [[nodiscard]] virtual std::optional<Decision> choose(const Run& run) = 0;
};

}  // namespace mazurka
