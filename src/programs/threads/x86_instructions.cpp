#include "programs/threads/x86_instructions.hpp"

#include <array>
#include <cstring>

namespace mazurka::threads {

namespace {

/// What follows an opcode.
enum Tail : std::uint8_t {
  nothing = 0,
  operand = 1,    // a byte for registers or an address in memory, with what that needs
  byte = 2,       // a constant of one byte
  half = 4,       // of two
  word = 8,       // of four; of two behind the prefix 66
  distance = 16,  // of four, always
  full = 32,      // as `word`, but of eight in an instruction on wide registers
  address = 64,   // of eight; of four behind the prefix 67
  unknown = 128,
};

using Table = std::array<std::uint8_t, 256>;

constexpr void fill(Table& table, unsigned first, unsigned last, unsigned tail) {
  for (unsigned at = first; at <= last; ++at) table.at(at) = static_cast<std::uint8_t>(tail);
}

constexpr Table one_byte() {
  Table table{};
  for (unsigned row = 0; row < 0x40; row += 8) {  // add, or, adc, ...
    fill(table, row, row + 3, operand);
    table.at(row + 4) = byte;
    table.at(row + 5) = word;
    fill(table, row + 6, row + 7, unknown);
  }
  fill(table, 0x60, 0x62, unknown);
  table[0x63] = operand;
  table[0x68] = word;
  table[0x69] = operand | word;
  table[0x6a] = byte;
  table[0x6b] = operand | byte;
  fill(table, 0x70, 0x7f, byte);
  table[0x80] = table[0x83] = operand | byte;
  table[0x81] = operand | word;
  table[0x82] = unknown;
  fill(table, 0x84, 0x8f, operand);
  table[0x9a] = unknown;
  fill(table, 0xa0, 0xa3, address);
  table[0xa8] = byte;
  table[0xa9] = word;
  fill(table, 0xb0, 0xb7, byte);
  fill(table, 0xb8, 0xbf, full);
  fill(table, 0xc0, 0xc1, operand | byte);
  table[0xc2] = table[0xca] = half;
  table[0xc6] = operand | byte;
  table[0xc7] = operand | word;
  table[0xc8] = half | byte;
  table[0xcd] = byte;
  table[0xce] = unknown;
  fill(table, 0xd0, 0xd3, operand);
  fill(table, 0xd4, 0xd6, unknown);
  fill(table, 0xd8, 0xdf, operand);
  fill(table, 0xe0, 0xe7, byte);
  fill(table, 0xe8, 0xe9, distance);
  table[0xea] = unknown;
  table[0xeb] = byte;
  fill(table, 0xf6, 0xf7, operand);  // `test` has a constant besides: see below
  fill(table, 0xfe, 0xff, operand);
  return table;
}

constexpr Table two_bytes() {
  Table table{};
  fill(table, 0x00, 0xff, operand);
  fill(table, 0x05, 0x09, nothing);
  table[0x04] = table[0x0a] = table[0x0c] = unknown;
  table[0x0b] = table[0x0e] = nothing;
  table[0x0f] = operand | byte;
  fill(table, 0x24, 0x27, unknown);
  fill(table, 0x30, 0x37, nothing);
  fill(table, 0x39, 0x3f, unknown);
  fill(table, 0x70, 0x73, operand | byte);
  table[0x77] = nothing;
  fill(table, 0x80, 0x8f, distance);
  fill(table, 0xa0, 0xa2, nothing);
  fill(table, 0xa8, 0xaa, nothing);
  table[0xa4] = table[0xac] = table[0xba] = operand | byte;
  table[0xc2] = operand | byte;
  fill(table, 0xc4, 0xc6, operand | byte);
  fill(table, 0xc8, 0xcf, nothing);
  return table;
}

constexpr Table by_one_byte = one_byte();
constexpr Table by_two_bytes = two_bytes();

class Decoder {
 public:
  explicit Decoder(std::span<const std::uint8_t> code) : code_(code) {}

  std::optional<X86Instruction> decode() {
    prefixes();
    unsigned tail = opcode();
    if ((tail & unknown) != 0) return std::nullopt;
    if ((tail & operand) != 0) {
      const unsigned which = memory_or_registers();
      if (found_.map == 0 && which <= 1) {
        if (found_.opcode == 0xf6) tail |= byte;
        if (found_.opcode == 0xf7) tail |= word;
      }
    } else {
      found_.reg = (found_.opcode & 7U) | base_;
    }
    if ((tail & distance) != 0) found_.displacement = displacement(4);
    at_ += constants(tail);
    if (at_ > code_.size()) return std::nullopt;
    found_.length = at_;
    found_.narrow = narrow_ && !wide_;
    return found_;
  }

 private:
  /// The next byte; beyond the end any will do, as the instruction is refused then.
  std::uint8_t next() {
    const std::uint8_t byte = at_ < code_.size() ? code_[at_] : 0;
    ++at_;
    return byte;
  }
  [[nodiscard]] std::uint8_t peek() const { return at_ < code_.size() ? code_[at_] : 0; }

  void prefixes() {
    for (;; ++at_) {
      switch (peek()) {
        case 0x66: narrow_ = true; continue;
        case 0x67: short_address_ = true; continue;
        case 0xf0: found_.locked = true; continue;
        case 0xf2:
        case 0xf3:  // repeat
        case 0x26:
        case 0x2e:
        case 0x36:
        case 0x3e: continue;  // segments
        case 0x64:
        case 0x65: found_.of_thread = true; continue;
        default: break;
      }
      break;
    }
    if ((peek() & 0xf0U) == 0x40) extend(next());
  }

  void extend(unsigned prefix) {
    found_.extended = true;
    wide_ = (prefix & 8U) != 0;
    reg_ = (prefix & 4U) << 1U;
    index_ = (prefix & 2U) << 2U;
    base_ = (prefix & 1U) << 3U;
  }

  unsigned opcode() {
    const std::uint8_t first = next();
    if (first == 0xc5) return vector(1, 1);
    if (first == 0xc4) return vector(peek() & 0x1fU, 2);
    if (first == 0x62) return vector(peek() & 7U, 3);
    if (first != 0x0f) {
      found_.opcode = first;
      return by_one_byte.at(first);
    }
    const std::uint8_t second = next();
    if (second == 0x38) return of_map(2);
    if (second == 0x3a) return of_map(3);
    --at_;
    return of_map(1);
  }

  /// Behind the prefixes of vector instructions, which name the table of the opcode. Their
  /// registers are not told apart.
  unsigned vector(unsigned map, std::size_t rest_of_prefix) {
    found_.vector = true;
    at_ += rest_of_prefix;
    return of_map(map);
  }

  unsigned of_map(unsigned map) {
    found_.map = static_cast<std::uint8_t>(map);
    found_.opcode = next();
    switch (map) {
      case 1: return by_two_bytes.at(found_.opcode);
      case 2:
      case 5:
      case 6: return operand;
      case 3: return operand | byte;
      default: return unknown;
    }
  }

  /// What the byte for operands says, and how many bytes it needs: an address can have a second
  /// one, and a displacement. The result is its middle field, which may belong to the opcode.
  unsigned memory_or_registers() {
    const unsigned described = next();
    const unsigned mode = described >> 6U;
    const unsigned low = described & 7U;
    const unsigned middle = described >> 3U & 7U;
    found_.reg = middle | reg_;
    if (mode == 3) {
      found_.direct = low | base_;
      return middle;
    }
    found_.in_memory = true;
    unsigned base = low;
    if (low == 4) {
      const unsigned scaled = next();
      base = scaled & 7U;
      const unsigned index = (scaled >> 3U & 7U) | index_;
      if (index != 4) found_.index = index;
    }
    const bool without_base = mode == 0 && base == 5;  // relative to the instruction, or to nothing
    if (!without_base) found_.base = base | base_;
    found_.relative = without_base && low == 5;
    const std::size_t size = mode == 1 ? 1 : mode == 2 || without_base ? 4 : 0;
    found_.displacement = displacement(size);
    at_ += size;
    return middle;
  }

  /// Of so many bytes, which come next.
  [[nodiscard]] std::int32_t displacement(std::size_t size) const {
    if (size == 0 || at_ + size > code_.size()) return 0;
    std::int32_t value = 0;
    if (size == 1) return static_cast<std::int8_t>(code_[at_]);
    std::memcpy(&value, code_.data() + at_, size);
    return value;
  }

  [[nodiscard]] std::size_t constants(unsigned tail) const {
    const std::size_t usual = narrow_ && !wide_ ? 2 : 4;
    std::size_t length = 0;
    if ((tail & byte) != 0) length += 1;
    if ((tail & half) != 0) length += 2;
    if ((tail & word) != 0) length += usual;
    if ((tail & distance) != 0) length += 4;
    if ((tail & full) != 0) length += wide_ ? 8 : usual;
    if ((tail & address) != 0) length += short_address_ ? 4 : 8;
    return length;
  }

  std::span<const std::uint8_t> code_;
  std::size_t at_ = 0;
  X86Instruction found_;
  unsigned reg_ = 0;  // what the prefix adds to the registers' numbers
  unsigned index_ = 0;
  unsigned base_ = 0;
  bool narrow_ = false;
  bool short_address_ = false;
  bool wide_ = false;
};

}  // namespace

std::optional<X86Instruction> x86_instruction(std::span<const std::uint8_t> code) {
  return code.empty() ? std::nullopt : Decoder(code).decode();
}

}  // namespace mazurka::threads
