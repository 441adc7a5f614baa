// The journey of a value into bytes and back, for tests of what is archived.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/archive.hpp"

namespace mazurka {

template <typename Value>
[[nodiscard]] std::vector<std::byte> written(const Value& value) {
  std::vector<std::byte> bytes;
  ArchiveWriter writer(bytes);
  writer(value);
  return bytes;
}

/// Throws ArchiveError unless the bytes are a value and nothing else.
template <typename Value>
Value read(std::span<const std::byte> bytes) {
  Value value;
  ArchiveReader reader(bytes);
  reader(value);
  reader.expect_end();
  return value;
}

}  // namespace mazurka
