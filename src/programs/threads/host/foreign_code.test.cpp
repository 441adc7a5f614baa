#include "programs/threads/host/foreign_code.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace mazurka::threads {
namespace {

#if defined(__aarch64__)

std::size_t first_in(std::initializer_list<std::uint32_t> words, bool wide_ones = true) {
  std::vector<std::uint8_t> code(words.size() * 4);
  std::memcpy(code.data(), words.begin(), code.size());
  return first_atomic(code, wide_ones);
}

TEST(ForeignCode, KnowsAtomicInstructions) {
  EXPECT_EQ(first_in({0xd503201f, 0x885ffc01}), 4U);  // nop; ldaxr w1, [x0]
  EXPECT_EQ(first_in({0x88e0fc41}), 0U);              // casal w0, w1, [x2]
  EXPECT_EQ(first_in({0xb8e00041}), 0U);              // ldaddal w0, w1, [x2]
}

TEST(ForeignCode, LeavesOrdinaryInstructionsAlone) {
  EXPECT_EQ(first_in({0xb9400000, 0xb9000001, 0x08dffc00, 0xd65f03c0}),  // ldr, str, ldarb, ret
            std::string::npos);
  EXPECT_EQ(first_in({0xb8626820}), std::string::npos);  // ldr w0, [x1, x2]
}

TEST(ForeignCode, MayLeaveOutWideOnes) {
  EXPECT_EQ(first_in({0xc87fa568, 0xc82aa568}), 0U);  // ldaxp x8, x9, [x11]; stlxp w10, ...
  EXPECT_EQ(first_in({0xc87fa568, 0xc82aa568}, false), std::string::npos);
  EXPECT_EQ(first_in({0xc87fa568, 0xc85ffc01}, false), 4U);  // ldaxr x1, [x0]
}

#else

TEST(ForeignCode, MayLeaveOutWideOnes) {
  const std::array<std::uint8_t, 5> exchange{0xf0, 0x48, 0x0f, 0xc7, 0x0f};  // lock cmpxchg16b
  EXPECT_EQ(first_atomic(exchange), 0U);
  EXPECT_EQ(first_atomic(exchange, false), std::string::npos);
}

TEST(ForeignCode, KnowsAtomicInstructions) {
  const std::array<std::uint8_t, 5> exchange{0x90, 0xf0, 0x0f, 0xb1, 0x0f};  // lock cmpxchg
  EXPECT_EQ(first_atomic(exchange), 1U);
  const std::array<std::uint8_t, 5> add{0xf0, 0x48, 0x0f, 0xc1, 0x07};  // lock xadd
  EXPECT_EQ(first_atomic(add), 0U);
}

TEST(ForeignCode, LeavesOrdinaryInstructionsAlone) {
  const std::array<std::uint8_t, 6> code{0x48, 0x89, 0xe5, 0x0f, 0xb6, 0xc0};
  EXPECT_EQ(first_atomic(code), std::string::npos);
  const std::array<std::uint8_t, 6> fence{0xf0, 0x48, 0x83, 0x0c, 0x24, 0x00};
  EXPECT_EQ(first_atomic(fence), std::string::npos);
}

TEST(ForeignCode, BytesWithinAnInstructionAreNone) {
  const std::array<std::uint8_t, 6> call{0xe8, 0xf0, 0x09, 0x00, 0x00, 0xc3};  // not: lock or
  EXPECT_EQ(first_atomic(call), std::string::npos);
  const std::array<std::uint8_t, 7> data{0x06, 0x06, 0x90, 0xf0, 0x0f, 0xb1, 0x0f};
  EXPECT_EQ(first_atomic(data), 3U);
}

TEST(ForeignCode, ExchangesWithMemoryNeedNoPrefix) {
  const std::array<std::uint8_t, 3> memory{0x90, 0x87, 0x07};  // xchg %eax, (%rdi)
  EXPECT_EQ(first_atomic(memory), 1U);
  const std::array<std::uint8_t, 3> registers{0x90, 0x87, 0xc7};
  EXPECT_EQ(first_atomic(registers), std::string::npos);
}

#endif

TEST(ForeignCode, SaysWhatIsNotSeen) {
  ForeignCode code;
  code.name = "libqueue.so";
  code.has_atomics = true;
  code.function = "enqueue";
  EXPECT_NE(code.text().find("libqueue.so"), std::string::npos);
  EXPECT_NE(code.text().find("enqueue"), std::string::npos);
  EXPECT_NE(code.text().find("mazurka-cc"), std::string::npos);
  EXPECT_TRUE(code.hides_order());
}

}  // namespace
}  // namespace mazurka::threads
