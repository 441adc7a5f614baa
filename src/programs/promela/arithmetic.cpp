#include "programs/promela/arithmetic.hpp"

namespace mazurka::promela {

namespace {

std::int32_t wrapped(std::uint32_t value) { return static_cast<std::int32_t>(value); }

std::optional<std::int32_t> divided(Operator kind, std::int32_t left, std::int32_t right) {
  if (right == 0) return std::nullopt;
  if (right == -1) {
    return kind == Operator::divide ? wrapped(0U - static_cast<std::uint32_t>(left)) : 0;
  }
  return kind == Operator::divide ? left / right : left % right;
}

}  // namespace

std::optional<std::int32_t> apply(Operator kind, std::int32_t left, std::int32_t right) {
  const auto one = static_cast<std::uint32_t>(left);
  const auto other = static_cast<std::uint32_t>(right);
  switch (kind) {
    case Operator::multiply: return wrapped(one * other);
    case Operator::divide:
    case Operator::modulo: return divided(kind, left, right);
    case Operator::add: return wrapped(one + other);
    case Operator::subtract: return wrapped(one - other);
    case Operator::shift_left: return wrapped(one << (other & 31U));
    case Operator::shift_right: return left >> (other & 31U);
    case Operator::less: return left < right ? 1 : 0;
    case Operator::at_most: return left <= right ? 1 : 0;
    case Operator::greater: return left > right ? 1 : 0;
    case Operator::at_least: return left >= right ? 1 : 0;
    case Operator::equal: return left == right ? 1 : 0;
    case Operator::unequal: return left != right ? 1 : 0;
    case Operator::bit_and: return wrapped(one & other);
    case Operator::bit_xor: return wrapped(one ^ other);
    case Operator::bit_or: return wrapped(one | other);
    case Operator::logical_and: return left != 0 && right != 0 ? 1 : 0;
    case Operator::logical_or: return left != 0 || right != 0 ? 1 : 0;
    case Operator::minus: return wrapped(0U - one);
    case Operator::complement: return wrapped(~one);
    case Operator::logical_not: return left == 0 ? 1 : 0;
    default: return std::nullopt;
  }
}

std::optional<std::int32_t> constant_value(const Model& model, ExpressionId id) {
  const Expression& expression = model.expressions[id];
  if (expression.kind == Operator::constant) return expression.value;
  if (expression.first == none || expression.third != none) return std::nullopt;
  const std::optional<std::int32_t> left = constant_value(model, expression.first);
  if (!left) return std::nullopt;
  if (expression.second == none) return apply(expression.kind, *left, 0);
  const std::optional<std::int32_t> right = constant_value(model, expression.second);
  return right ? apply(expression.kind, *left, *right) : std::nullopt;
}

}  // namespace mazurka::promela
