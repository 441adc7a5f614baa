#include "programs/threads/runtime/loops/result_use.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "programs/threads/x86_instructions.hpp"

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

constexpr unsigned rax = 0;

/// Of a byte: without a prefix that names further registers, the fifth one is a part of rax.
bool is_of_rax(unsigned reg, bool of_a_byte, bool extended) {
  return reg == rax || (of_a_byte && !extended && reg == 4);
}

/// Instructions that compute with two operands, and set one of them; if it is the same register,
/// some have a result that does not depend on it.
RegisterUse use_by_arithmetic(const X86Instruction& one, bool reads) {
  const unsigned operation = one.opcode >> 3U;
  constexpr unsigned subtract = 5;
  constexpr unsigned exclusive_or = 6;
  const bool clears = (operation == subtract || operation == exclusive_or) &&
                      one.direct == one.reg && (one.opcode & 1U) != 0 && !one.narrow;
  return clears ? used(false, one.reg == rax) : used(reads, false);
}

// Empty: not known.
std::optional<RegisterUse> use_by_one_byte(const X86Instruction& one) {
  const std::uint8_t code = one.opcode;
  const bool of_a_byte = (code & 1U) == 0;
  const bool in_address = one.base == rax || one.index == rax;
  const bool is_reg = is_of_rax(one.reg, of_a_byte, one.extended);
  const bool is_direct = is_of_rax(one.direct, of_a_byte, one.extended);
  // What is written on fewer than 32 bits keeps the rest.
  const bool whole = !of_a_byte && !one.narrow;
  if (code < 0x40 && (code & 7U) < 4) {  // add, or, adc, sbb, and, sub, xor, cmp
    return use_by_arithmetic(one, in_address || is_reg || is_direct);
  }
  switch (code) {
    case 0x90: return used(one.reg != rax, false);  // nop, or xchg of another register with rax
    case 0xc9: return RegisterUse::none;            // leave
    case 0x63: return used(in_address || one.direct == rax, one.reg == rax);  // movslq
    case 0x69:
    case 0x6b:  // imul of a constant
      return used(in_address || one.direct == rax || (one.narrow && is_reg), one.reg == rax);
    case 0x84:
    case 0x85:  // test
      return used(in_address || is_reg || is_direct, false);
    case 0x80:
    case 0x81:
    case 0x83:
    case 0xc0:
    case 0xc1:
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3: return used(in_address || is_direct, false);  // of a constant; shifts
    case 0x88:
    case 0x89:  // mov to
      return used(in_address || is_reg || (is_direct && !whole), is_direct);
    case 0x8a:
    case 0x8b:  // mov from
      return used(in_address || is_direct || (is_reg && !whole), is_reg);
    case 0x8d: return used(in_address || (one.narrow && is_reg), one.reg == rax);  // lea
    case 0xc6:
    case 0xc7:  // mov of a constant
      if ((one.reg & 7U) != 0) return std::nullopt;
      return used(in_address || (is_direct && !whole), is_direct);
    case 0xf6:
    case 0xf7:  // test, not, neg; what multiplies and divides uses rax
      if ((one.reg & 7U) > 3) return std::nullopt;
      return used(in_address || is_direct, false);
    case 0xfe:
    case 0xff:  // inc, dec
      if ((one.reg & 7U) > 1) return std::nullopt;
      return used(in_address || is_direct, false);
    default: return std::nullopt;
  }
}

std::optional<RegisterUse> use_behind_0f(const X86Instruction& one) {
  const std::uint8_t code = one.opcode;
  const bool in_address = one.base == rax || one.index == rax;
  const bool between_vector_registers = (code >= 0x10 && code <= 0x17) || code == 0x28 ||
                                        code == 0x29 || code == 0x2e || code == 0x2f ||
                                        (code >= 0x51 && code <= 0x5f) || code == 0x6f ||
                                        code == 0x7f || code == 0xd6 || code == 0xef;
  if (between_vector_registers) return used(in_address, false);
  if (code == 0x1f) return RegisterUse::none;  // a longer nop
  if (code == 0x1e) return used(one.direct == rax, false);
  if (code >= 0x40 && code <= 0x4f) {  // cmov: keeps what was there, perhaps
    return used(in_address || one.direct == rax || one.reg == rax, false);
  }
  if (code >= 0x90 && code <= 0x9f) {  // set on a condition: a byte
    return used(in_address || is_of_rax(one.direct, true, one.extended), false);
  }
  switch (code) {
    case 0xa3:
    case 0xab:
    case 0xb3:
    case 0xbb:
    case 0xaf:  // bit tests; imul
      return used(in_address || one.direct == rax || one.reg == rax, false);
    case 0xb6:
    case 0xbe:
    case 0xb7:
    case 0xbf:  // mov with zeroes or signs, of a byte or two
      return used(in_address || is_of_rax(one.direct, (code & 1U) == 0, one.extended) ||
                      (one.narrow && one.reg == rax),
                  one.reg == rax);
    default: return std::nullopt;
  }
}

std::optional<RegisterUse> use_of_rax(const X86Instruction& one) {
  if (one.vector || one.locked || one.map > 1) return std::nullopt;
  if (one.map == 1) return use_behind_0f(one);
  const bool is_rax = one.reg == rax;
  switch (one.opcode & 0xf8U) {
    case 0x50: return used(is_rax, false);                                  // push
    case 0x58: return used(is_rax && one.narrow, is_rax);                   // pop
    case 0xb0: return used(is_of_rax(one.reg, true, one.extended), false);  // mov, a byte
    case 0xb8: return used(is_rax && one.narrow, is_rax);                   // mov of a constant
    default: return use_by_one_byte(one);
  }
}

}  // namespace

bool may_use_result_x86_64(const void* code) {
  const auto step = [](std::uintptr_t at) -> Step {
    constexpr std::size_t longest = 15;  // only what belongs to the instruction is read
    const auto* there = reinterpret_cast<const std::uint8_t*>(at);
    std::array<std::uint8_t, longest> bytes{};
    constexpr std::uint8_t trap = 0xcc;
    if (*there == trap && compiled_byte != nullptr) {
      constexpr std::size_t page = 4096;
      std::copy_n(there, std::min(longest, page - at % page), bytes.begin());
      bytes[0] = compiled_byte(at);
      there = bytes.data();
    }
    const auto found = x86_instruction({there, longest});
    if (!found.has_value()) return may_be_read;
    const X86Instruction& one = *found;
    const std::uintptr_t next = at + one.length;
    const auto target = [&](bool near) {
      const std::int64_t distance = near ? static_cast<std::int8_t>(read<std::uint8_t>(next - 1))
                                         : static_cast<std::int32_t>(read<std::uint32_t>(next - 4));
      return next + static_cast<std::uintptr_t>(distance);
    };
    if (one.map == 0 && one.opcode == 0xe8) return lost;  // call
    if (one.map == 0 && one.opcode == 0xff && (one.reg & 7U) == 2 && one.base != rax &&
        one.index != rax && one.direct != rax) {
      return lost;  // call through a table
    }
    if (one.map == 0 && one.opcode == 0xe9) return goes_on(target(false));  // jmp
    if (one.map == 0 && one.opcode == 0xeb) return goes_on(target(true));
    const bool on_a_condition = (one.map == 0 && (one.opcode & 0xf0U) == 0x70) ||
                                (one.map == 1 && (one.opcode & 0xf0U) == 0x80);
    if (on_a_condition) return goes_on(next, target(one.map == 0));
    const std::optional<RegisterUse> use = use_of_rax(one);
    if (!use || *use == RegisterUse::reads) return may_be_read;
    return *use == RegisterUse::overwrites ? lost : goes_on(next);
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
