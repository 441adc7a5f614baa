// The instructions of x86-64, as far as we look at them.
//
// They have 1 to 15 bytes, and any byte can stand in the middle of one: whoever looks for an
// instruction by its bytes alone finds it in constants and distances, too. This is no disassembler:
// it tells how long an instruction is, and of what it does the opcode and the operands' registers.
// That is enough to find atomic instructions (host/foreign_code.cpp), who reads a register
// (runtime/loops/result_use.cpp), and what accesses memory (host/machine_code.cpp). Everything that
// compilers emit is known, with the vector extensions. The test compares lengths with objdump's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace mazurka::threads {

struct X86Instruction {
  static constexpr unsigned none = 16;

  std::size_t length = 0;
  std::uint8_t map = 0;     // which table the opcode is in: 0 one byte, 1 behind 0f, 2 0f38, 3 0f3a
  std::uint8_t opcode = 0;  // the last byte of it
  bool locked = false;      // has the prefix `lock`
  bool narrow = false;      // on 16 bits
  bool extended = false;    // has a prefix that names further registers
  bool vector = false;      // has the prefix of vector instructions
  bool in_memory = false;   // has an operand in memory
  bool relative = false;    // ... whose address is relative to the next instruction
  bool of_thread = false;   // ... in a segment: thread-local
  unsigned reg = 0;        // the register of the other operand, or that the opcode names, or a part
                           // of the opcode
  unsigned direct = none;  // the register that is the operand, if it is not in memory
  unsigned base = none;    // the registers that its address is made of
  unsigned index = none;
  std::int32_t displacement =
      0;  // what is added to that; or where a call or jump goes, from its end

  [[nodiscard]] bool on_stack() const { return base == 4; }
};

/// The instruction that `code` begins with; nothing if there is none, or if it is cut off.
[[nodiscard]] std::optional<X86Instruction> x86_instruction(std::span<const std::uint8_t> code);

}  // namespace mazurka::threads
