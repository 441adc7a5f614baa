#include "core/archive.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/journey.test.hpp"

namespace mazurka {
namespace {

enum class Colour : std::uint8_t { red, green };

/// One of each that can be written.
struct All {
  bool flag = false;
  std::uint8_t small = 0;
  std::int32_t negative = 0;
  std::uint64_t large = 0;
  Colour colour = Colour::red;
  double real = 0;
  std::string text;
  std::optional<std::size_t> some;
  std::optional<std::size_t> none = 3;
  std::vector<std::string> list;
  std::vector<std::vector<Decision>> nested;
  Finding finding;
};
template <typename Archive>
void members(Archive& archive, Same<All> auto& v) {
  archive(v.flag, v.small, v.negative, v.large, v.colour, v.real, v.text, v.some, v.none, v.list,
          v.nested, v.finding);
}

All sample() {
  All all;
  all.flag = true;
  all.small = 200;
  all.negative = -5;
  all.large = std::numeric_limits<std::uint64_t>::max() - 1;
  all.colour = Colour::green;
  all.real = -0.125;
  all.text = std::string("two\0words", 9);
  all.some = 17;
  all.none = std::nullopt;
  all.list = {"", "a", "bc"};
  all.nested = {{}, {{ProcessId{1}, 2}, {ProcessId{3}, 4}}};
  all.finding = {FindingKind::livelock, ProcessId{7}, "message", "key", {{ProcessId{5}, 6}}};
  return all;
}

TEST(Archive, IsTheSameInPieces) {
  const std::vector<std::string> list(1000, std::string(1000, 'x'));
  const std::vector<Decision> decisions(100'000, {ProcessId{1}, 2});
  std::vector<std::byte> whole;
  ArchiveWriter writer_of_all(whole);
  writer_of_all(list, decisions, sample());

  std::vector<std::byte> together;
  std::vector<std::byte> piece;
  std::size_t largest = 0;
  ArchiveWriter writer(piece, [&] {
    largest = std::max(largest, piece.size());
    together.insert(together.end(), piece.begin(), piece.end());
    piece.clear();
  });
  for (const std::string& text : list) writer(text);
  writer(decisions, sample());
  together.insert(together.end(), piece.begin(), piece.end());
  const auto length = static_cast<std::ptrdiff_t>(sizeof(std::uint64_t));  // of the list
  EXPECT_TRUE(std::equal(whole.begin() + length, whole.end(), together.begin(), together.end()));
  EXPECT_GT(largest, 0U);
  EXPECT_LT(largest, whole.size() / 4);
}

TEST(Archive, AValueIsTheSameAfterAJourney) {
  const All back = read<All>(written(sample()));
  EXPECT_TRUE(back.flag);
  EXPECT_EQ(back.small, 200);
  EXPECT_EQ(back.negative, -5);
  EXPECT_EQ(back.large, sample().large);
  EXPECT_EQ(back.colour, Colour::green);
  EXPECT_EQ(back.real, -0.125);
  EXPECT_EQ(back.text, sample().text);
  EXPECT_EQ(back.some, 17U);
  EXPECT_EQ(back.none, std::nullopt);
  EXPECT_EQ(back.list, sample().list);
  EXPECT_EQ(back.nested, sample().nested);
  EXPECT_EQ(back.finding.kind, FindingKind::livelock);
  EXPECT_EQ(back.finding.process, ProcessId{7});
  EXPECT_EQ(back.finding.message, "message");
  EXPECT_EQ(back.finding.key, "key");
  EXPECT_EQ(back.finding.schedule, sample().finding.schedule);
}

TEST(Archive, TheFormDoesNotDependOnTheMachine) {
  const std::vector<std::byte> bytes = written(std::uint32_t{0x01020304});
  EXPECT_EQ(bytes,
            (std::vector<std::byte>{std::byte{4}, std::byte{3}, std::byte{2}, std::byte{1}}));
}

TEST(Archive, WhatIsCutShortIsRefused) {
  const std::vector<std::byte> bytes = written(sample());
  ASSERT_GT(bytes.size(), 100U);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(read<All>(std::span(bytes).first(size)), ArchiveError) << size;
  }
}

TEST(Archive, WhatGoesOnIsRefused) {
  std::vector<std::byte> bytes = written(sample());
  bytes.push_back(std::byte{0});
  EXPECT_THROW(read<All>(bytes), ArchiveError);
  ArchiveReader reader(bytes);
  All all;
  reader(all);
  EXPECT_EQ(reader.rest().size(), 1U);
}

TEST(Archive, ATruthValueIsOneOrZero) {
  EXPECT_TRUE(read<bool>(std::array{std::byte{1}}));
  EXPECT_THROW(read<bool>(std::array{std::byte{2}}), ArchiveError);
}

// Not even memory is asked for.
TEST(Archive, ALengthIsNotTrusted) {
  for (const std::uint64_t length :
       {std::uint64_t{9}, std::uint64_t{1} << 40U, ~std::uint64_t{0}}) {
    std::vector<std::byte> bytes = written(length);
    bytes.resize(bytes.size() + 8);
    EXPECT_THROW(read<std::string>(bytes), ArchiveError);
    EXPECT_THROW(read<std::vector<std::uint8_t>>(bytes), ArchiveError);
    EXPECT_THROW(read<std::vector<std::uint64_t>>(bytes), ArchiveError);
    EXPECT_THROW(read<StepList>(bytes), ArchiveError);
  }
}

// Whatever the bytes are: a value, or a refusal.
TEST(Archive, AnyChangedByteIsTakenOrRefused) {
  const std::vector<std::byte> bytes = written(sample());
  std::size_t taken = 0;
  std::size_t refused = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::vector<std::byte> changed = bytes;
    changed[at] ^= std::byte{0x81};
    try {
      (void)read<All>(changed);
      ++taken;
    } catch (const ArchiveError&) {
      ++refused;
    }
  }
  EXPECT_GT(taken, 30U);
  EXPECT_GT(refused, 30U);
}

StepList some_steps() {
  const std::array<Access, 2> accesses{{{ObjectId{3}, 1, 2, 4}, {ObjectId{5}, 6, 7}}};
  const std::array<Access, 2> announced{{{ObjectId{3}, 1, 3, 4}, {ObjectId{5}, 6, 7}}};
  const std::array<ProcessId, 1> released{ProcessId{9}};
  StepList steps;
  steps.push_back({{ProcessId{1}, 2}, 3, ProcessId{4}, true, accesses, released, announced});
  steps.push_back({{ProcessId{2}, 0}, 1, no_process, false, {}, {}, {}});
  return steps;
}

TEST(Archive, StepsAreTheSameAfterAJourney) {
  const StepList back = read<StepList>(written(some_steps()));
  ASSERT_EQ(back.size(), 2U);
  const StepList steps = some_steps();
  EXPECT_EQ(back[0].decision, steps[0].decision);
  EXPECT_EQ(back[0].choices, 3U);
  EXPECT_EQ(back[0].awaited, ProcessId{4});
  EXPECT_TRUE(back[0].exits);
  EXPECT_TRUE(same_accesses(back[0].accesses, steps[0].accesses));
  EXPECT_TRUE(same_accesses(back[0].announced, steps[0].announced));
  ASSERT_EQ(back[0].released.size(), 1U);
  EXPECT_EQ(back[0].released[0], ProcessId{9});
  EXPECT_EQ(back.process(1), ProcessId{2});
  EXPECT_TRUE(back[1].accesses.empty() && back[1].announced.empty() && !back[1].exits);
}

TEST(Archive, AStepAnnouncesWhatItAccesses) {
  std::vector<std::byte> crooked;
  ArchiveWriter writer(crooked);
  writer(std::uint64_t{1}, Decision{}, std::uint16_t{1}, no_process, false, std::vector<Access>(2),
         std::vector<ProcessId>(), std::vector<Access>(1));
  EXPECT_THROW(read<StepList>(crooked), ArchiveError);
}

}  // namespace
}  // namespace mazurka
