#include "programs/actors/message_memory.hpp"

#include <algorithm>
#include <stdexcept>

namespace mazurka::actors {

namespace {

constexpr std::size_t chunk_size = std::size_t{1} << 16;
constexpr std::size_t widest_alignment = 64;

}  // namespace

void* MessageMemory::allocate(const ValueType& type) {
  for (;;) {
    if (next_.chunk < chunks_.size()) {
      const std::size_t begin = (next_.used + type.alignment - 1) / type.alignment * type.alignment;
      if (begin + type.size <= chunks_[next_.chunk].size) {
        next_.used = begin + type.size;
        return chunks_[next_.chunk].memory.get() + begin;
      }
      next_ = {next_.chunk + 1, 0};
      continue;
    }
    if (type.alignment > alignof(std::max_align_t)) {
      throw std::invalid_argument("a message's parameters are aligned more than any plain type");
    }
    const std::size_t size = std::max(chunk_size, type.size + widest_alignment);
    chunks_.push_back({std::make_unique<std::byte[]>(size), size});
  }
}

}  // namespace mazurka::actors
