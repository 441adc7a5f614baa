#include "programs/mpi/datatypes.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace mazurka::mpi {

namespace {

struct Basic {
  BasicType type;
  std::size_t size;
  std::string_view name;
};

// As mpi.h numbers them.
constexpr Basic basics[] = {
    {0x201, sizeof(std::intptr_t), "MPI_AINT"},
    {0x202, 8, "MPI_COUNT"},
    {0x203, 8, "MPI_OFFSET"},
    {0x207, 1, "MPI_PACKED"},
    {0x208, sizeof(short), "MPI_SHORT"},
    {0x209, sizeof(int), "MPI_INT"},
    {0x20a, sizeof(long), "MPI_LONG"},
    {0x20b, sizeof(long long), "MPI_LONG_LONG"},
    {0x20c, sizeof(short), "MPI_UNSIGNED_SHORT"},
    {0x20d, sizeof(int), "MPI_UNSIGNED"},
    {0x20e, sizeof(long), "MPI_UNSIGNED_LONG"},
    {0x20f, sizeof(long long), "MPI_UNSIGNED_LONG_LONG"},
    {0x210, sizeof(float), "MPI_FLOAT"},
    {0x212, 2 * sizeof(float), "MPI_C_FLOAT_COMPLEX"},
    {0x213, 2 * sizeof(float), "MPI_CXX_FLOAT_COMPLEX"},
    {0x214, sizeof(double), "MPI_DOUBLE"},
    {0x216, 2 * sizeof(double), "MPI_C_DOUBLE_COMPLEX"},
    {0x217, 2 * sizeof(double), "MPI_CXX_DOUBLE_COMPLEX"},
    {0x218, sizeof(int), "MPI_LOGICAL"},
    {0x219, sizeof(int), "MPI_INTEGER"},
    {0x21a, sizeof(float), "MPI_REAL"},
    {0x21b, 2 * sizeof(float), "MPI_COMPLEX"},
    {0x21c, sizeof(double), "MPI_DOUBLE_PRECISION"},
    {0x21d, 2 * sizeof(double), "MPI_DOUBLE_COMPLEX"},
    {0x21e, 1, "MPI_CHARACTER"},
    {0x220, sizeof(long double), "MPI_LONG_DOUBLE"},
    {0x224, 2 * sizeof(long double), "MPI_C_LONG_DOUBLE_COMPLEX"},
    {0x225, 2 * sizeof(long double), "MPI_CXX_LONG_DOUBLE_COMPLEX"},
    {0x238, 1, "MPI_C_BOOL"},
    {0x239, 1, "MPI_CXX_BOOL"},
    {0x23c, sizeof(wchar_t), "MPI_WCHAR"},
    {0x240, 1, "MPI_INT8_T"},
    {0x241, 1, "MPI_UINT8_T"},
    {0x243, 1, "MPI_CHAR"},
    {0x244, 1, "MPI_SIGNED_CHAR"},
    {0x245, 1, "MPI_UNSIGNED_CHAR"},
    {0x247, 1, "MPI_BYTE"},
    {0x248, 2, "MPI_INT16_T"},
    {0x249, 2, "MPI_UINT16_T"},
    {0x250, 4, "MPI_INT32_T"},
    {0x251, 4, "MPI_UINT32_T"},
    {0x258, 8, "MPI_INT64_T"},
    {0x259, 8, "MPI_UINT64_T"},
    {0x2c1, 1, "MPI_INTEGER1"},
    {0x2c9, 2, "MPI_INTEGER2"},
    {0x2d1, 4, "MPI_INTEGER4"},
    {0x2d2, 4, "MPI_REAL4"},
    {0x2d9, 8, "MPI_INTEGER8"},
    {0x2da, 8, "MPI_REAL8"},
};

constexpr BasicType packed = 0x207;
constexpr BasicType int_type = 0x209;

/// A value and a place, as structures of C.
struct Pair {
  BasicType type;
  BasicType first;
  BasicType second;
  std::int64_t second_at;
  std::int64_t extent;
  std::string_view name;
};

template <typename First, typename Second>
struct Both {
  First first;
  Second second;
};
template <typename First, typename Second>
constexpr Pair pair(BasicType type, BasicType first, BasicType second, std::string_view name) {
  using Struct = Both<First, Second>;
  return {type, first, second, offsetof(Struct, second), sizeof(Struct), name};
}

constexpr Pair pairs[] = {
    pair<float, int>(0x228, 0x210, int_type, "MPI_FLOAT_INT"),
    pair<double, int>(0x229, 0x214, int_type, "MPI_DOUBLE_INT"),
    pair<long, int>(0x22a, 0x20a, int_type, "MPI_LONG_INT"),
    pair<int, int>(0x22b, int_type, int_type, "MPI_2INT"),
    pair<short, int>(0x22c, 0x208, int_type, "MPI_SHORT_INT"),
    pair<long double, int>(0x22d, 0x220, int_type, "MPI_LONG_DOUBLE_INT"),
    pair<float, float>(0x230, 0x21a, 0x21a, "MPI_2REAL"),
    pair<double, double>(0x231, 0x21c, 0x21c, "MPI_2DOUBLE_PRECISION"),
    pair<int, int>(0x232, 0x219, 0x219, "MPI_2INTEGER"),
};

const Basic* find(BasicType type) {
  const auto* const found = std::find_if(std::begin(basics), std::end(basics),
                                         [&](const Basic& one) { return one.type == type; });
  return found == std::end(basics) ? nullptr : found;
}

std::map<std::uint64_t, Datatype> make_predefined() {
  std::map<std::uint64_t, Datatype> all;
  for (const Basic& one : basics) {
    all[one.type] = {
        {{0, one.type, 1}},    0,       static_cast<std::int64_t>(one.size), one.size, true,
        std::string(one.name), one.type};
  }
  for (const Pair& one : pairs) {
    all[one.type] = {{{0, one.first, 1}, {one.second_at, one.second, 1}},
                     0,
                     one.extent,
                     size_of(one.first) + size_of(one.second),
                     true,
                     std::string(one.name),
                     one.type};
  }
  all[0x2fe] = {{}, 0, 0, 0, true, "MPI_LB", 0, true, false};
  all[0x2ff] = {{}, 0, 0, 0, true, "MPI_UB", 0, false, true};
  return all;
}

}  // namespace

const Datatype* predefined_type(std::uint64_t handle) {
  static const std::map<std::uint64_t, Datatype> all = make_predefined();
  const auto found = all.find(handle);
  return found == all.end() ? nullptr : &found->second;
}

const Datatype* predefined_pair(const Datatype& type) {
  for (const Pair& one : pairs) {
    const Datatype* known = predefined_type(one.type);
    if (known->blocks == type.blocks && known->extent == type.extent) return known;
  }
  return nullptr;
}

std::size_t size_of(BasicType type) {
  const Basic* found = find(type);
  return found == nullptr ? 0 : found->size;
}

std::size_t alignment_of(BasicType type) {
  constexpr BasicType of_two[] = {0x212, 0x213, 0x216, 0x217, 0x21b, 0x21d, 0x224, 0x225};
  const bool is_complex = std::find(std::begin(of_two), std::end(of_two), type) != std::end(of_two);
  return is_complex ? size_of(type) / 2 : size_of(type);
}

std::string_view name_of(BasicType type) {
  const Basic* found = find(type);
  return found == nullptr ? "?" : found->name;
}

void append(Signature& signature, const Run& run) {
  if (run.count == 0) return;
  if (!signature.empty() && signature.back().type == run.type) {
    signature.back().count += run.count;
  } else {
    signature.push_back(run);
  }
}

std::uint64_t values_in(const Signature& signature) {
  std::uint64_t count = 0;
  for (const Run& run : signature) count += run.count;
  return count;
}

std::string text(const Signature& signature) {
  if (signature.empty()) return "nothing";
  std::string words;
  for (const Run& run : signature) {
    if (!words.empty()) words += ", ";
    if (run.count != 1) words += std::to_string(run.count) + " x ";
    words += name_of(run.type);
  }
  return words;
}

Fit compare(const Signature& sent, const Signature& received) {
  std::size_t at = 0;
  std::uint64_t used = 0;  // of received[at]
  for (const Run& run : sent) {
    std::uint64_t left = run.count;
    while (left > 0) {
      if (at == received.size()) return Fit::too_long;
      const Run& other = received[at];
      if (run.type == packed || other.type == packed) return Fit::fits;  // sizes are compared
      if (other.type != run.type) return Fit::other_type;
      const std::uint64_t both = std::min(left, other.count - used);
      left -= both;
      used += both;
      if (used == other.count) {
        ++at;
        used = 0;
      }
    }
  }
  return Fit::fits;
}

Signature signature_of(const Datatype& type, std::uint64_t count) {
  Signature signature;
  if (type.blocks.size() == 1) {
    append(signature, {type.blocks[0].type, type.blocks[0].count * count});
    return signature;
  }
  for (std::uint64_t nth = 0; nth < count; ++nth) {
    for (const Block& block : type.blocks) append(signature, {block.type, block.count});
  }
  return signature;
}

namespace {

/// Whether the blocks of one value come one behind the other, and the next value behind them all.
bool is_in_order(const Datatype& type, std::uint64_t count) {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool any = false;
  for (const Block& block : type.blocks) {
    const auto bytes = static_cast<std::int64_t>(block.count * size_of(block.type));
    if (bytes == 0) continue;
    if (any && block.offset < end) return false;
    if (!any) begin = block.offset;
    end = block.offset + bytes;
    any = true;
  }
  return count == 1 || type.extent >= end - begin;
}

}  // namespace

bool overlaps_itself(const Datatype& type, std::uint64_t count) {
  if (count == 0 || is_in_order(type, count)) return false;
  std::vector<std::pair<std::int64_t, std::int64_t>> pieces;
  for_each_piece(type, count, [&](std::int64_t offset, std::size_t size) {
    pieces.emplace_back(offset, offset + static_cast<std::int64_t>(size));
  });
  std::sort(pieces.begin(), pieces.end());
  return std::adjacent_find(pieces.begin(), pieces.end(), [](const auto& one, const auto& next) {
           return next.first < one.second;
         }) != pieces.end();
}

std::vector<std::byte> pack(const void* buffer, const Datatype& type, std::uint64_t count) {
  std::vector<std::byte> bytes;
  bytes.reserve(type.size * count);
  const auto* from = static_cast<const std::byte*>(buffer);
  for_each_piece(type, count, [&](std::int64_t offset, std::size_t size) {
    bytes.insert(bytes.end(), from + offset, from + offset + size);
  });
  return bytes;
}

std::size_t unpack(std::span<const std::byte> bytes, void* buffer, const Datatype& type,
                   std::uint64_t count) {
  auto* to = static_cast<std::byte*>(buffer);
  std::size_t used = 0;
  for_each_piece(type, count, [&](std::int64_t offset, std::size_t size) {
    const std::size_t part = std::min(size, bytes.size() - used);
    if (part == 0) return;
    std::memcpy(to + offset, bytes.data() + used, part);
    used += part;
  });
  return used;
}

namespace {

// Of all of these, if it is the same.
BasicType common_element(std::span<const Part> parts) {
  BasicType common = 0;
  for (const Part& part : parts) {
    if (part.count == 0 || part.type->size == 0) continue;
    if (part.type->element == 0 || (common != 0 && common != part.type->element)) return 0;
    common = part.type->element;
  }
  return common;
}

/// The least of all values, or of those that were said if there are any.
struct Least {
  std::int64_t value = 0;
  bool any = false;
  bool is_set = false;

  void add(std::int64_t other, bool other_is_set) {
    if (is_set && !other_is_set) return;
    if (!any || other < value || (other_is_set && !is_set)) value = other;
    any = true;
    is_set = other_is_set;
  }
};

}  // namespace

Datatype made_of(std::span<const Part> parts, std::string name) {
  Datatype made;
  made.name = std::move(name);
  made.element = common_element(parts);
  Least lower;
  Least upper;  // with the other sign
  for (const Part& part : parts) {
    for (std::uint64_t nth = 0; nth < part.count; ++nth) {
      const std::int64_t at = part.offset + static_cast<std::int64_t>(nth) * part.type->extent;
      for (Block block : part.type->blocks) {
        block.offset += at;
        const bool goes_on =
            !made.blocks.empty() && made.blocks.back().type == block.type &&
            made.blocks.back().offset +
                    static_cast<std::int64_t>(made.blocks.back().count * size_of(block.type)) ==
                block.offset;
        if (goes_on) {
          made.blocks.back().count += block.count;
        } else {
          made.blocks.push_back(block);
        }
      }
      made.size += part.type->size;
      lower.add(at + part.type->lower, part.type->lower_set);
      upper.add(-(at + part.type->upper()), part.type->upper_set);
    }
  }
  made.lower = lower.value;
  made.extent = -upper.value - made.lower;
  made.lower_set = lower.is_set;
  made.upper_set = upper.is_set;
  return made;
}

}  // namespace mazurka::mpi
