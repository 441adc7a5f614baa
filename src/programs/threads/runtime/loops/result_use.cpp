#include "programs/threads/runtime/loops/result_use.hpp"

#include <algorithm>
#include <array>
#include <optional>

extern "C" void __tsan_func_exit();

namespace mazurka::threads {

namespace {

constexpr int most_instructions = 48;

// Byte by byte: memcpy is a hook of this library.
template <typename Number>
Number read(std::uintptr_t address) {
  Number value = 0;
  for (std::size_t at = 0; at < sizeof(Number); ++at) {
    value |= static_cast<Number>(*reinterpret_cast<const std::uint8_t*>(address + at)) << (8 * at);
  }
  return value;
}

/// What an instruction does with the register that has the result.
enum class RegisterUse : std::uint8_t { none, reads, overwrites };

/// Where it goes on after an instruction, or what became of the result there.
struct Step {
  enum class Fate : std::uint8_t { goes_on, may_be_read, lost };
  Fate fate = Fate::may_be_read;
  std::uintptr_t next = 0;
  std::uintptr_t other = 0;  // a second way to go, if there is one
};

Step goes_on(std::uintptr_t next, std::uintptr_t other = 0) {
  return {Step::Fate::goes_on, next, other};
}
constexpr Step may_be_read{};
constexpr Step lost{Step::Fate::lost, 0, 0};

/// Goes every way from there; `step(address)` reads one instruction.
template <typename Reader>
bool may_be_read_after(std::uintptr_t code, const Reader& step) {
  std::array<std::uintptr_t, most_instructions> open{code};
  std::array<std::uintptr_t, most_instructions> seen{};
  std::size_t ways = 1;
  std::size_t count = 0;
  while (ways > 0) {
    const std::uintptr_t at = open[--ways];
    if (std::find(seen.begin(), seen.begin() + count, at) != seen.begin() + count) continue;
    if (count == seen.size() || ways + 2 > open.size()) return true;
    seen[count++] = at;
    const Step one = step(at);
    if (one.fate == Step::Fate::may_be_read) return true;
    if (one.fate == Step::Fate::lost) continue;
    open[ways++] = one.next;
    if (one.other != 0) open[ways++] = one.other;
  }
  return false;
}

RegisterUse used(bool reads, bool writes) {
  if (reads) return RegisterUse::reads;
  return writes ? RegisterUse::overwrites : RegisterUse::none;
}

}  // namespace

// --- aarch64: x0 has the result, and is the first argument of a call -----------------------------

namespace {

constexpr std::int64_t sign_extended(std::uint64_t value, unsigned bits) {
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  return static_cast<std::int64_t>((value ^ sign) - sign);
}

// Empty: not known.
std::optional<RegisterUse> use_of_x0(std::uint32_t code) {
  const std::uint32_t rd = code & 31U;
  const std::uint32_t rn = code >> 5 & 31U;
  const std::uint32_t rm = code >> 16 & 31U;
  const std::uint32_t second = code >> 10 & 31U;
  const bool floating = (code >> 26 & 1U) != 0;
  if ((code & 0xfffff01fU) == 0xd503201fU) return RegisterUse::none;  // nop and other hints
  if ((code & 0x7f800000U) == 0x52800000U || (code & 0x7f800000U) == 0x12800000U) {
    return used(false, rd == 0);  // movz, movn
  }
  if ((code & 0x7f800000U) == 0x72800000U) return used(rd == 0, false);  // movk: a part of it
  if ((code & 0x1f000000U) == 0x10000000U) return used(false, rd == 0);  // adr, adrp
  if ((code & 0x1e000000U) == 0x0a000000U) {  // mov, mvn, and, orr, add, sub, of registers
    return used(rn == 0 || rm == 0, rd == 0);
  }
  if ((code & 0x7f800000U) == 0x12000000U || (code & 0x7f800000U) == 0x32000000U) {
    return used(rn == 0, rd == 0);  // and, orr of a number
  }
  if ((code & 0x7f800000U) == 0x53000000U || (code & 0x7f800000U) == 0x13000000U) {
    return used(rn == 0, rd == 0);  // shifts by a number, extensions
  }
  if ((code & 0x1f000000U) == 0x11000000U) return used(rn == 0, rd == 0);  // add, sub of a number
  const bool prefetches =  // what would be the register is how
      (code & 0xff000000U) == 0xd8000000U || (code & 0xfec00000U) == 0xf8800000U;
  if (prefetches) return std::nullopt;
  if ((code & 0x3b000000U) == 0x18000000U) return used(false, !floating && rd == 0);  // ldr, near
  const bool with_offset = (code & 0x3b000000U) == 0x39000000U;
  const bool indexed = (code & 0x3b200000U) == 0x38000000U;
  if (with_offset || indexed) {  // ldr, str
    const bool store = (code >> 22 & 3U) == 0;
    if (floating) return used(rn == 0, false);
    return used(rn == 0 || (store && rd == 0), !store && rd == 0);
  }
  if ((code & 0x3a000000U) == 0x28000000U) {  // ldp, stp
    const bool store = (code >> 22 & 1U) == 0;
    const bool pair = !floating && (rd == 0 || second == 0);
    return used(rn == 0 || (store && pair), !store && pair);
  }
  return std::nullopt;
}

}  // namespace

bool may_use_result_aarch64(const void* code, bool (*ignores_arguments)(std::uintptr_t)) {
  const auto step = [&](std::uintptr_t at) -> Step {
    const auto instruction = read<std::uint32_t>(at);
    const auto target = [&](unsigned shift, unsigned bits) {
      const std::uint64_t field = instruction >> shift & ((std::uint64_t{1} << bits) - 1);
      return at + static_cast<std::uintptr_t>(sign_extended(field, bits) * 4);
    };
    if ((instruction & 0xfc000000U) == 0x14000000U) {  // b
      // A last call: the caller returns nothing.
      return ignores_arguments(target(0, 26)) ? lost : goes_on(target(0, 26));
    }
    if ((instruction & 0xfc000000U) == 0x94000000U) {  // bl
      return ignores_arguments(target(0, 26)) ? lost : may_be_read;
    }
    if ((instruction & 0xff000010U) == 0x54000000U)
      return goes_on(at + 4, target(5, 19));                           // b.cond
    const bool compares = (instruction & 0x7e000000U) == 0x34000000U;  // cbz
    const bool tests = (instruction & 0x7e000000U) == 0x36000000U;     // tbz
    if (compares || tests) {
      if ((instruction & 31U) == 0) return may_be_read;
      return goes_on(at + 4, compares ? target(5, 19) : target(5, 14));
    }
    const std::optional<RegisterUse> use = use_of_x0(instruction);
    if (!use || *use == RegisterUse::reads) return may_be_read;
    return *use == RegisterUse::overwrites ? lost : goes_on(at + 4);
  };
  return may_be_read_after(reinterpret_cast<std::uintptr_t>(code), step);
}

// --- x86-64: eax has the result, and is no argument ----------------------------------------------

namespace {

/// An operand that follows an instruction's first bytes: a register, or memory.
struct Operand {
  std::size_t size = 0;  // of its bytes
  unsigned reg = 0;      // the other operand, or what the instruction does
  unsigned direct = 16;  // the register that it is, if it is one
  bool through_rax = false;
};

Operand operand_at(std::uintptr_t at, unsigned rex) {
  const auto modes = read<std::uint8_t>(at);
  const unsigned mode = modes >> 6U;
  const unsigned low = modes & 7U;
  Operand operand;
  operand.size = 1;
  operand.reg = (modes >> 3U & 7U) | (rex & 4U) << 1U;
  if (mode == 3) {
    operand.direct = low | (rex & 1U) << 3U;
    return operand;
  }
  unsigned base = low | (rex & 1U) << 3U;
  bool has_base = !(mode == 0 && low == 5);  // else relative to the instruction
  if (low == 4) {
    const auto scaled = read<std::uint8_t>(at + 1);
    ++operand.size;
    base = (scaled & 7U) | (rex & 1U) << 3U;
    has_base = !(mode == 0 && (scaled & 7U) == 5);
    const unsigned scale = (scaled >> 3U & 7U) | (rex & 2U) << 2U;
    operand.through_rax = scale == 0;
  }
  operand.through_rax = operand.through_rax || (has_base && base == 0);
  if (mode == 1) operand.size += 1;
  if (mode == 2 || (mode == 0 && !has_base)) operand.size += 4;
  return operand;
}

struct Decoded {
  std::size_t size = 0;  // 0: not known
  RegisterUse use = RegisterUse::none;
};

Decoded decode_x86(std::uintptr_t at) {
  const std::uintptr_t begin = at;
  unsigned rex = 0;
  auto code = read<std::uint8_t>(at);
  if ((code & 0xf0U) == 0x40U) {
    rex = code;
    code = read<std::uint8_t>(++at);
  }
  ++at;
  const auto done = [&](std::size_t more, bool reads, bool writes) {
    return Decoded{at + more - begin, used(reads, writes)};
  };
  const unsigned low = (code & 7U) | (rex & 1U) << 3U;
  if (code == 0x90) return done(0, false, false);                                      // nop
  if (code == 0xc9) return done(0, false, false);                                      // leave
  if ((code & 0xf8U) == 0xb8U) return done((rex & 8U) != 0 ? 8 : 4, false, low == 0);  // mov number
  if ((code & 0xf8U) == 0x50U) return done(0, low == 0, false);                        // push
  if ((code & 0xf8U) == 0x58U) return done(0, false, low == 0);                        // pop
  if (code == 0x0f && read<std::uint8_t>(at) == 0x1f) {  // a longer nop
    return done(1 + operand_at(at + 1, rex).size, false, false);
  }
  const Operand other = operand_at(at, rex);
  const bool direct = other.direct == 0;
  switch (code) {
    case 0x31:
    case 0x33:  // xor: of a register with itself, clears it
      if (other.direct == other.reg) return done(other.size, false, direct);
      return done(other.size, direct || other.reg == 0 || other.through_rax, false);
    case 0x89: return done(other.size, other.reg == 0 || other.through_rax, direct);  // mov to
    case 0x8b: return done(other.size, direct || other.through_rax, other.reg == 0);  // mov from
    case 0x8d: return done(other.size, other.through_rax, other.reg == 0);            // lea
    case 0xc7:
      if ((other.reg & 7U) != 0) break;
      return done(other.size + 4, other.through_rax, direct);  // mov number
    case 0xc6:
      if ((other.reg & 7U) != 0) break;
      return done(other.size + 1, other.through_rax || direct, false);
    case 0x83: return done(other.size + 1, direct || other.through_rax, false);  // add, cmp, ...
    case 0x81: return done(other.size + 4, direct || other.through_rax, false);
    default: break;
  }
  return {};
}

}  // namespace

bool may_use_result_x86_64(const void* code) {
  const auto step = [](std::uintptr_t at) -> Step {
    const auto first = read<std::uint8_t>(at);
    const auto second = read<std::uint8_t>(at + 1);
    const auto near = [&](std::size_t size) {
      return at + size +
             static_cast<std::uintptr_t>(static_cast<std::int64_t>(
                 static_cast<std::int8_t>(read<std::uint8_t>(at + size - 1))));
    };
    const auto far = [&](std::size_t size) {
      return at + size +
             static_cast<std::uintptr_t>(static_cast<std::int64_t>(
                 static_cast<std::int32_t>(read<std::uint32_t>(at + size - 4))));
    };
    if (first == 0xe8) return lost;                    // call
    if (first == 0xff && second == 0x15) return lost;  // call through a table
    if (first == 0xe9) return goes_on(far(5));         // jmp
    if (first == 0xeb) return goes_on(near(2));
    if ((first & 0xf0U) == 0x70U) return goes_on(at + 2, near(2));  // on a condition
    if (first == 0x0f && (second & 0xf0U) == 0x80U) return goes_on(at + 6, far(6));
    if (read<std::uint32_t>(at) == 0xfa1e0ff3U) return goes_on(at + 4);  // endbr64
    const Decoded one = decode_x86(at);
    if (one.size == 0 || one.use == RegisterUse::reads) return may_be_read;
    return one.use == RegisterUse::overwrites ? lost : goes_on(at + one.size);
  };
  return may_be_read_after(reinterpret_cast<std::uintptr_t>(code), step);
}

// --- here ----------------------------------------------------------------------------------------

#if defined(__aarch64__)
namespace {

// The end of a function is announced by a call, directly or through the linker's table:
// adrp x16, page; ldr x17, [x16, offset]; ...
bool is_func_exit(std::uintptr_t target) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(&__tsan_func_exit);
  if (target == wanted) return true;
  const auto first = read<std::uint32_t>(target);
  const auto second = read<std::uint32_t>(target + 4);
  if ((first & 0x9f00001fU) != 0x90000010U || (second & 0xffc003ffU) != 0xf9400211U) return false;
  const std::uint64_t pages = (first >> 5 & 0x7ffffU) << 2 | (first >> 29 & 3U);
  const std::uintptr_t page = (target & ~std::uintptr_t{4095}) +
                              static_cast<std::uintptr_t>(sign_extended(pages, 21)) * 4096;
  return read<std::uint64_t>(page + (second >> 10 & 4095U) * 8) == wanted;
}

}  // namespace

bool may_use_result(const void* code) { return may_use_result_aarch64(code, is_func_exit); }
#else
bool may_use_result(const void* code) { return may_use_result_x86_64(code); }
#endif

}  // namespace mazurka::threads
