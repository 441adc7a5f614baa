// What operators do to numbers: those of a C int, where what C leaves open wraps around.
#pragma once

#include <cstdint>
#include <optional>

#include "programs/promela/model.hpp"

namespace mazurka::promela {

/// Nothing for a division by zero.
[[nodiscard]] std::optional<std::int32_t> apply(Operator kind, std::int32_t left,
                                                std::int32_t right);

/// Of an expression without variables; else nothing.
[[nodiscard]] std::optional<std::int32_t> constant_value(const Model& model, ExpressionId id);

}  // namespace mazurka::promela
