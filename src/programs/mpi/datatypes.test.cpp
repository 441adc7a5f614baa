#include "programs/mpi/datatypes.hpp"

#include <gtest/gtest.h>

#include <array>

namespace mazurka::mpi {
namespace {

constexpr BasicType int_type = 0x209;
constexpr BasicType double_type = 0x214;
constexpr BasicType byte_type = 0x247;
constexpr BasicType packed_type = 0x207;

const Datatype& basic(BasicType type) { return *predefined_type(type); }

TEST(Datatypes, PredefinedOnesAreThere) {
  EXPECT_EQ(basic(int_type).size, sizeof(int));
  EXPECT_EQ(basic(int_type).name, "MPI_INT");
  EXPECT_EQ(predefined_type(0x200), nullptr);
  struct DoubleInt {
    double value;
    int place;
  };
  EXPECT_EQ(basic(0x229).extent, sizeof(DoubleInt));
  EXPECT_EQ(basic(0x229).size, sizeof(double) + sizeof(int));
}

TEST(Datatypes, SignaturesAreComparedValueByValue) {
  const Signature three{{int_type, 3}};
  EXPECT_EQ(compare(three, {{int_type, 3}}), Fit::fits);
  EXPECT_EQ(compare(three, {{int_type, 1}, {int_type, 5}}), Fit::fits);
  EXPECT_EQ(compare(three, {{int_type, 2}}), Fit::too_long);
  EXPECT_EQ(compare(three, {{double_type, 3}}), Fit::other_type);
  EXPECT_EQ(compare(three, {{int_type, 2}, {double_type, 1}}), Fit::other_type);
  EXPECT_EQ(compare(three, {{byte_type, 12}}), Fit::other_type);
  EXPECT_EQ(compare(three, {{packed_type, 12}}), Fit::fits);
  EXPECT_EQ(compare({}, {}), Fit::fits);
}

TEST(Datatypes, AColumnIsPackedAndUnpacked) {
  const std::array<Part, 3> rows{
      {{0, 1, &basic(int_type)}, {12, 1, &basic(int_type)}, {24, 1, &basic(int_type)}}};
  const Datatype column = made_of(rows, "column");
  EXPECT_EQ(column.size, 12U);
  EXPECT_EQ(column.extent, 28);
  const std::array<int, 9> matrix{1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::vector<std::byte> bytes = pack(&matrix[1], column, 1);
  ASSERT_EQ(bytes.size(), 12U);
  std::array<int, 3> row{};
  EXPECT_EQ(unpack(bytes, row.data(), basic(int_type), 3), 12U);
  EXPECT_EQ(row, (std::array<int, 3>{2, 5, 8}));
}

TEST(Datatypes, NeighbouringValuesAreOneBlock) {
  const std::array<Part, 2> parts{{{0, 2, &basic(int_type)}, {8, 1, &basic(int_type)}}};
  const Datatype made = made_of(parts, "three");
  ASSERT_EQ(made.blocks.size(), 1U);
  EXPECT_EQ(made.blocks[0].count, 3U);
  EXPECT_EQ(text(signature_of(made, 2)), "6 x MPI_INT");
}

TEST(Datatypes, AMixedTypeRepeatsItsSignature) {
  const std::array<Part, 2> parts{{{0, 1, &basic(int_type)}, {8, 1, &basic(double_type)}}};
  const Datatype made = made_of(parts, "pair");
  const Signature expected{{int_type, 1}, {double_type, 1}, {int_type, 1}, {double_type, 1}};
  EXPECT_EQ(signature_of(made, 2), expected);
}

}  // namespace
}  // namespace mazurka::mpi
