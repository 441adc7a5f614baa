#include "programs/mpi/operations.hpp"

#include <algorithm>
#include <complex>
#include <cstring>
#include <type_traits>

#include "core/check.hpp"

namespace mazurka::mpi {

namespace {

// As mpi.h numbers them.
enum Op : std::uint64_t {
  sum = 0x21,
  min = 0x22,
  max = 0x23,
  prod = 0x24,
  band = 0x28,
  bor = 0x29,
  bxor = 0x2a,
  land = 0x30,
  lor = 0x31,
  lxor = 0x32,
  minloc = 0x38,
  maxloc = 0x39,
  replace = 0x3c,
  no_op = 0x3d,
};

struct Named {
  std::uint64_t op;
  std::string_view name;
};
constexpr Named names[] = {
    {sum, "MPI_SUM"},         {min, "MPI_MIN"},     {max, "MPI_MAX"},       {prod, "MPI_PROD"},
    {band, "MPI_BAND"},       {bor, "MPI_BOR"},     {bxor, "MPI_BXOR"},     {land, "MPI_LAND"},
    {lor, "MPI_LOR"},         {lxor, "MPI_LXOR"},   {minloc, "MPI_MINLOC"}, {maxloc, "MPI_MAXLOC"},
    {replace, "MPI_REPLACE"}, {no_op, "MPI_NO_OP"},
};

template <typename Value>
constexpr bool is_complex = false;
template <typename Value>
constexpr bool is_complex<std::complex<Value>> = true;

template <typename Value>
bool defined_for(std::uint64_t op) {
  switch (op) {
    case sum:
    case prod: return !std::is_same_v<Value, bool>;
    case min:
    case max: return !is_complex<Value> && !std::is_same_v<Value, bool>;
    case band:
    case bor:
    case bxor: return std::is_integral_v<Value> && !std::is_same_v<Value, bool>;
    case land:
    case lor:
    case lxor: return std::is_integral_v<Value>;
    default: return false;
  }
}

template <typename Value>
Value combined(std::uint64_t op, Value a, Value b) {
  if constexpr (std::is_integral_v<Value>) {
    switch (op) {
      case band: return static_cast<Value>(a & b);
      case bor: return static_cast<Value>(a | b);
      case bxor: return static_cast<Value>(a ^ b);
      case land: return static_cast<Value>(a && b);
      case lor: return static_cast<Value>(a || b);
      case lxor: return static_cast<Value>(!a != !b);
      default: break;
    }
  }
  if constexpr (!is_complex<Value>) {
    if (op == min) return std::min(a, b);
    if (op == max) return std::max(a, b);
  }
  if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
    // Overflow is the program's business, not ours.
    using Unsigned = std::make_unsigned_t<Value>;
    const auto x = static_cast<std::uint64_t>(static_cast<Unsigned>(a));
    const auto y = static_cast<std::uint64_t>(static_cast<Unsigned>(b));
    return static_cast<Value>(op == sum ? x + y : x * y);
  } else {
    return static_cast<Value>(op == sum ? a + b : a * b);
  }
}

/// Calls visit with a value of the C type that the basic type stands for; false: it is a byte, or
/// stands for none.
template <typename Visit>
bool with_value_of(BasicType type, Visit&& visit) {
  switch (type) {
    case 0x201:
    case 0x202:
    case 0x203:
    case 0x258:
    case 0x2d9: visit(std::int64_t{}); return true;
    case 0x208:
    case 0x248:
    case 0x2c9: visit(std::int16_t{}); return true;
    case 0x209:
    case 0x219:
    case 0x218:
    case 0x250:
    case 0x2d1: visit(int{}); return true;
    case 0x20a: visit(long{}); return true;
    case 0x20b: visit(static_cast<long long>(0)); return true;
    case 0x20c:
    case 0x249: visit(std::uint16_t{}); return true;
    case 0x20d:
    case 0x251: visit(unsigned{}); return true;
    case 0x20e: visit(static_cast<unsigned long>(0)); return true;
    case 0x20f: visit(static_cast<unsigned long long>(0)); return true;
    case 0x259: visit(std::uint64_t{}); return true;
    case 0x210:
    case 0x21a:
    case 0x2d2: visit(float{}); return true;
    case 0x214:
    case 0x21c:
    case 0x2da: visit(double{}); return true;
    case 0x220: visit(static_cast<long double>(0)); return true;
    case 0x212:
    case 0x213:
    case 0x21b: visit(std::complex<float>{}); return true;
    case 0x216:
    case 0x217:
    case 0x21d: visit(std::complex<double>{}); return true;
    case 0x224:
    case 0x225: visit(std::complex<long double>{}); return true;
    case 0x238:
    case 0x239: visit(bool{}); return true;
    case 0x240:
    case 0x244:
    case 0x2c1: visit(static_cast<signed char>(0)); return true;
    case 0x241:
    case 0x245: visit(static_cast<unsigned char>(0)); return true;
    default: return false;
  }
}

bool is_byte(BasicType type) { return type == 0x247; }

bool is_pair(const Datatype& type) { return type.blocks.size() == 2; }

void combine_basic(std::uint64_t op, BasicType type, const std::byte* in, std::byte* inout) {
  if (is_byte(type)) type = 0x241;
  (void)with_value_of(type, [&](auto value) {
    auto a = value;
    auto b = value;
    std::memcpy(&a, in, sizeof a);
    std::memcpy(&b, inout, sizeof b);
    b = combined(op, a, b);
    std::memcpy(inout, &b, sizeof b);
  });
}

/// The smaller or larger value, with its place; of equal values the smaller place.
void combine_pair(std::uint64_t op, const Datatype& type, const std::byte* in, std::byte* inout) {
  const std::size_t first = size_of(type.blocks[0].type);
  (void)with_value_of(type.blocks[0].type, [&](auto value) {
    using Value = decltype(value);
    if constexpr (!is_complex<Value>) {
      Value a{};
      Value b{};
      std::memcpy(&a, in, sizeof a);
      std::memcpy(&b, inout, sizeof b);
      int place_a = 0;
      int place_b = 0;
      std::memcpy(&place_a, in + first, sizeof place_a);
      std::memcpy(&place_b, inout + first, sizeof place_b);
      const bool better = op == minloc ? a < b : b < a;
      if (better || (a == b && place_a < place_b)) std::memcpy(inout, in, type.size);
    }
  });
}

}  // namespace

bool is_predefined_op(std::uint64_t op) {
  return std::any_of(std::begin(names), std::end(names),
                     [&](const Named& one) { return one.op == op; });
}

std::string_view op_name(std::uint64_t op) {
  for (const Named& one : names) {
    if (one.op == op) return one.name;
  }
  return "a user's operation";
}

bool goes_with(std::uint64_t op, const Datatype& type) {
  if (op == minloc || op == maxloc) return is_pair(type) && predefined_type(0x229) != nullptr;
  if (type.blocks.size() != 1 || type.blocks[0].count != 1) return false;
  const BasicType basic = type.blocks[0].type;
  if (is_byte(basic)) return op == band || op == bor || op == bxor;
  bool defined = false;
  return with_value_of(basic, [&](auto value) { defined = defined_for<decltype(value)>(op); }) &&
         defined;
}

void combine(std::uint64_t op, const Datatype& type, std::span<const std::byte> in,
             std::span<std::byte> inout) {
  MAZURKA_CHECK(type.size > 0 && !type.blocks.empty(), "values that are combined have a size");
  for (std::size_t at = 0; at + type.size <= std::min(in.size(), inout.size()); at += type.size) {
    if (op == minloc || op == maxloc) {
      combine_pair(op, type, in.data() + at, inout.data() + at);
    } else {
      combine_basic(op, type.blocks[0].type, in.data() + at, inout.data() + at);
    }
  }
}

const Datatype* element_of(const Datatype& type) {
  if (type.blocks.empty()) return nullptr;
  if (type.element != 0) return predefined_type(type.element);
  if (is_pair(type)) {
    const Datatype* known = predefined_pair(type);
    if (known != nullptr) return known;
  }
  const BasicType basic = type.blocks.front().type;
  const bool same = std::all_of(type.blocks.begin(), type.blocks.end(),
                                [&](const Block& one) { return one.type == basic; });
  return same ? predefined_type(basic) : nullptr;
}

bool can_accumulate(std::uint64_t op, const Datatype& element) {
  return op == op_replace || op == op_nothing || (is_predefined_op(op) && goes_with(op, element));
}

bool can_compare(const Datatype& type) {
  if (type.blocks.size() != 1 || type.blocks[0].count != 1) return false;
  bool floating = false;
  (void)with_value_of(type.blocks[0].type, [&](auto value) {
    floating = !std::is_integral_v<decltype(value)>;  // or a complex number
  });
  return !floating;
}

void accumulate(std::uint64_t op, const Datatype& element, std::span<const std::byte> in,
                std::span<std::byte> inout) {
  MAZURKA_CHECK(can_accumulate(op, element), "an operation goes with the type of its elements");
  if (op == op_nothing) return;
  if (op != op_replace) {
    combine(op, element, in, inout);
    return;
  }
  std::copy_n(in.begin(), std::min(in.size(), inout.size()), inout.begin());
}

bool adds_up(std::uint64_t op, const Datatype& element) {
  if (op == op_replace) return false;
  if (op != sum && op != prod) return true;
  bool exact = true;
  (void)with_value_of(element.blocks.front().type, [&](auto value) {
    exact = std::is_integral_v<decltype(value)>;  // others are rounded
  });
  return exact;
}

}  // namespace mazurka::mpi
