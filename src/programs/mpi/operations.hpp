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

}  // namespace mazurka::mpi
