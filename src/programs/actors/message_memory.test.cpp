// Pieces do not overlap, are aligned, and come again after a reset.
#include "programs/actors/message_memory.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <stdexcept>

namespace mazurka::actors {
namespace {

template <typename T>
void* piece(MessageMemory& memory) {
  static constexpr ValueType type{.size = sizeof(T), .alignment = alignof(T)};
  return memory.allocate(type);
}

TEST(MessageMemory, PiecesAreApartAndAligned) {
  MessageMemory memory;
  auto* letter = static_cast<char*>(piece<char>(memory));
  auto* number = static_cast<double*>(piece<double>(memory));
  *letter = 'a';
  *number = 0.5;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(number) % alignof(double), 0U);
  EXPECT_EQ(*letter, 'a');
}

TEST(MessageMemory, PiecesComeAgainAfterAResetExceptThoseKept) {
  MessageMemory memory;
  void* const kept = piece<int>(memory);
  memory.keep();
  void* const first = piece<int>(memory);
  void* const second = piece<int>(memory);
  memory.reset();
  EXPECT_EQ(piece<int>(memory), first);
  EXPECT_EQ(piece<int>(memory), second);
  EXPECT_NE(first, kept);
}

TEST(MessageMemory, LargePiecesHaveChunksOfTheirOwn) {
  using Large = std::array<std::byte, 100'000>;
  MessageMemory memory;
  memory.keep();
  void* const small = piece<int>(memory);
  void* const large = piece<Large>(memory);
  std::memset(large, 1, sizeof(Large));
  EXPECT_NE(piece<int>(memory), small);
  memory.reset();
  EXPECT_EQ(piece<int>(memory), small);
  EXPECT_EQ(piece<Large>(memory), large);
}

TEST(MessageMemory, UnusualAlignmentIsRefused) {
  struct alignas(128) Wide {
    char bytes[128];
  };
  MessageMemory memory;
  EXPECT_THROW(piece<Wide>(memory), std::invalid_argument);
}

}  // namespace
}  // namespace mazurka::actors
