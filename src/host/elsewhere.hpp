// A search that is carried out elsewhere, not by processes of our own.
#pragma once

#include <string>

#include "host/supervisor.hpp"

namespace mazurka::host {

class Elsewhere {
 public:
  Elsewhere() = default;
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;
  virtual ~Elsewhere() = default;

  /// Like supervise(). `name`: of the program and the options that decide what is explored.
  [[nodiscard]] virtual Supervised explore(const Launch& launch, const std::string& name) = 0;
  /// The outcome is safe: what is elsewhere can go, if the search has come to its end.
  virtual void told() = 0;
};

}  // namespace mazurka::host
