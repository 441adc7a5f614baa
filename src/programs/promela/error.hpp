// What is wrong with a Promela model: one line with the place, which is all that the user sees.
#pragma once

#include <cstdint>
#include <string>

#include "core/network.hpp"

namespace mazurka::promela {

struct Place {
  std::uint32_t file = 0;  // index into the list of files of the source
  std::uint32_t line = 0;
};

/// "FILE:LINE: what is wrong".
class PromelaError : public NetworkError {
 public:
  PromelaError(const std::string& file, std::uint32_t line, const std::string& message)
      : NetworkError(file + ":" + std::to_string(line) + ": " + message) {}
};

}  // namespace mazurka::promela
