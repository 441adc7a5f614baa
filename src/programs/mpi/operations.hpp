// What the predefined operations of reductions do with basic values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "programs/mpi/datatypes.hpp"

namespace mazurka::mpi {

/// Whether there is a predefined operation with this handle.
[[nodiscard]] bool is_predefined_op(std::uint64_t op);
[[nodiscard]] std::string_view op_name(std::uint64_t op);
/// Whether the operation is defined for values of this type.
[[nodiscard]] bool goes_with(std::uint64_t op, const Datatype& type);
/// inout[i] = in[i] op inout[i], of packed values; `in` comes first.
void combine(std::uint64_t op, const Datatype& type, std::span<const std::byte> in,
             std::span<std::byte> inout);

// What MPI_Accumulate and its relatives do: these, to take the new value, and to leave the old.
inline constexpr std::uint64_t op_replace = 0x3c;
inline constexpr std::uint64_t op_nothing = 0x3d;
/// The basic type, or pair, that all values of the type are of; null: they differ.
[[nodiscard]] const Datatype* element_of(const Datatype& type);
[[nodiscard]] bool can_accumulate(std::uint64_t op, const Datatype& element);
/// Whether MPI_Compare_and_swap is for values of this type: integers, logical values and bytes.
[[nodiscard]] bool can_compare(const Datatype& type);
/// inout[i] = in[i] op inout[i]
void accumulate(std::uint64_t op, const Datatype& element, std::span<const std::byte> in,
                std::span<std::byte> inout);
/// Whether several of them leave the same bits in any order.
[[nodiscard]] bool adds_up(std::uint64_t op, const Datatype& element);

}  // namespace mazurka::mpi
