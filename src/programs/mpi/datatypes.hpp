// What a datatype of MPI is: which basic values lie where.
//
// A type map is kept as blocks of equal basic values in a row. Two things are made of it: the bytes
// of a message, packed, and its signature, which says of what basic types they are and in which
// order. Signatures decide whether a send and a receive go together, wherever the values lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mazurka::mpi {

/// A basic type: the value of its predefined handle.
using BasicType = std::uint16_t;

/// So many basic values of one type in a row.
struct Run {
  BasicType type = 0;
  std::uint64_t count = 0;
  friend bool operator==(const Run&, const Run&) = default;
};
using Signature = std::vector<Run>;

void append(Signature& signature, const Run& run);
[[nodiscard]] std::uint64_t values_in(const Signature& signature);
/// "3 x MPI_INT, MPI_DOUBLE"
[[nodiscard]] std::string text(const Signature& signature);

enum class Fit : std::uint8_t { fits, too_long, other_type };
/// Whether what is sent can be received with the other: value by value the same basic types, and
/// no more of them. Packed data goes with everything.
[[nodiscard]] Fit compare(const Signature& sent, const Signature& received);

struct Block {
  std::int64_t offset = 0;
  BasicType type = 0;
  std::uint64_t count = 0;
  friend bool operator==(const Block&, const Block&) = default;
};

struct Datatype {
  std::vector<Block> blocks;
  std::int64_t lower = 0;   // bound
  std::int64_t extent = 0;  // from one value of an array to the next
  std::uint64_t size = 0;   // bytes of data
  bool committed = false;
  std::string name;
  BasicType element = 0;   // the predefined type, or pair, that all of it is of; 0: there is none
  bool lower_set = false;  // said, and not only where the values end: goes for all it is a part of
  bool upper_set = false;

  [[nodiscard]] std::int64_t upper() const { return lower + extent; }
  friend bool operator==(const Datatype&, const Datatype&) = default;
};

/// Null: there is no predefined type with this handle.
[[nodiscard]] const Datatype* predefined_type(std::uint64_t handle);
/// The predefined pair with these blocks; null: it is none.
[[nodiscard]] const Datatype* predefined_pair(const Datatype& type);
[[nodiscard]] std::size_t size_of(BasicType type);
/// As C aligns it.
[[nodiscard]] std::size_t alignment_of(BasicType type);
[[nodiscard]] std::string_view name_of(BasicType type);

[[nodiscard]] Signature signature_of(const Datatype& type, std::uint64_t count);

/// Calls visit(offset, bytes) for each piece of memory that so many values take.
template <typename Visit>
void for_each_piece(const Datatype& type, std::uint64_t count, Visit&& visit) {
  const bool dense = type.blocks.size() == 1 && type.blocks[0].offset == 0 &&
                     static_cast<std::uint64_t>(type.extent) == type.size;
  if (dense) {
    if (count * type.size > 0) visit(std::int64_t{0}, count * type.size);
    return;
  }
  for (std::uint64_t nth = 0; nth < count; ++nth) {
    for (const Block& block : type.blocks) {
      const std::size_t bytes = block.count * size_of(block.type);
      if (bytes > 0) visit(static_cast<std::int64_t>(nth) * type.extent + block.offset, bytes);
    }
  }
}

/// Whether so many values have a byte twice: they can be sent, but not received.
[[nodiscard]] bool overlaps_itself(const Datatype& type, std::uint64_t count);

[[nodiscard]] std::vector<std::byte> pack(const void* buffer, const Datatype& type,
                                          std::uint64_t count);
/// As many bytes as there are; returns how many were used.
std::size_t unpack(std::span<const std::byte> bytes, void* buffer, const Datatype& type,
                   std::uint64_t count);

// Made of others.
/// So many blocks of values of the old type at these offsets, in bytes.
struct Part {
  std::int64_t offset = 0;
  std::uint64_t count = 0;
  const Datatype* type = nullptr;
};
[[nodiscard]] Datatype made_of(std::span<const Part> parts, std::string name);

}  // namespace mazurka::mpi
