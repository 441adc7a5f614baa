// Memory for what messages carry: handed out piece by piece, taken back all at once.
//
// Messages live as long as the execution, so the next one begins again where this one did, in the
// same chunks. Who constructs a value in a piece destroys it, too.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "mazurka/actors/erased.hpp"

namespace mazurka::actors {

class MessageMemory {
 public:
  /// Throws std::invalid_argument if the type is aligned more than any plain one.
  [[nodiscard]] void* allocate(const ValueType& type);

  /// What was handed out so far is not taken back.
  void keep() { kept_ = next_; }
  void reset() { next_ = kept_; }

 private:
  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size;
  };
  struct Place {
    std::size_t chunk = 0;
    std::size_t used = 0;  // of it
  };
  std::vector<Chunk> chunks_;
  Place next_;
  Place kept_;
};

}  // namespace mazurka::actors
