// Lengths are compared with those that objdump shows, of all instructions of this program and of
// what is in the C library (hand-written vector code) if it is for the same machine.
#include "programs/threads/x86_instructions.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mazurka::threads {
namespace {

std::size_t length_of(std::initializer_list<std::uint8_t> code) {
  const std::optional<X86Instruction> found = x86_instruction({code.begin(), code.size()});
  return found.has_value() ? found->length : 0;
}

TEST(X86Instructions, AreFoundWithAllTheyConsistOf) {
  EXPECT_EQ(length_of({0x90, 0x90}), 1U);                                // nop
  EXPECT_EQ(length_of({0x48, 0x8b, 0x44, 0x24, 0xf0}), 5U);              // mov -16(%rsp), ...
  EXPECT_EQ(length_of({0xe8, 0xf0, 0x09, 0x00, 0x00, 0xc3}), 5U);        // call
  EXPECT_EQ(length_of({0x66, 0x81, 0x3d, 0, 0, 0, 0, 0x34, 0x12}), 9U);  // cmpw $, x(%rip)
  EXPECT_EQ(length_of({0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8}), 10U);       // movabs
  EXPECT_EQ(length_of({0xf7, 0x00, 1, 2, 3, 4}), 6U);                    // testl $, (%rax)
  EXPECT_EQ(length_of({0xf7, 0x10, 1, 2, 3, 4}), 2U);                    // notl (%rax)
  EXPECT_EQ(length_of({0xc5, 0xf8, 0x77}), 3U);                          // vzeroupper
  EXPECT_EQ(length_of({0xc4, 0xe3, 0x7d, 0x39, 0xc1, 0x01}), 6U);        // vextracti128
  EXPECT_EQ(length_of({0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x46, 0x01}), 7U);  // vmovdqu64
  EXPECT_EQ(length_of({0xf3, 0x0f, 0x1e, 0xfa}), 4U);                    // endbr64
}

TEST(X86Instructions, CutOffOrUnknownOnesAreNone) {
  EXPECT_EQ(length_of({0x48}), 0U);
  EXPECT_EQ(length_of({0xe8, 0xf0, 0x09, 0x00}), 0U);
  EXPECT_EQ(length_of({0x8b, 0x04}), 0U);
  EXPECT_EQ(length_of({0x06}), 0U);
  EXPECT_FALSE(x86_instruction({}).has_value());
}

TEST(X86Instructions, TellWhatLocksMemory) {
  const std::array<std::uint8_t, 4> exchange{0xf0, 0x0f, 0xb1, 0x0f};  // lock cmpxchg %ecx, (%rdi)
  const X86Instruction found = x86_instruction(exchange).value();
  EXPECT_TRUE(found.locked);
  EXPECT_TRUE(found.in_memory);
  EXPECT_FALSE(found.on_stack());
  EXPECT_EQ(found.map, 1U);
  EXPECT_EQ(found.opcode, 0xb1U);
}

TEST(X86Instructions, TellTheirRegisters) {
  const std::array<std::uint8_t, 4> sum{0x4a, 0x8d, 0x04, 0x20};  // lea (%rax,%r12), %rax
  const X86Instruction found = x86_instruction(sum).value();
  EXPECT_EQ(found.reg, 0U);
  EXPECT_EQ(found.base, 0U);
  EXPECT_EQ(found.index, 12U);
  EXPECT_EQ(found.direct, X86Instruction::none);
  const std::array<std::uint8_t, 3> copy{0x49, 0x89, 0xc7};  // mov %rax, %r15
  EXPECT_EQ(x86_instruction(copy).value().direct, 15U);
  const std::array<std::uint8_t, 7> near{0x48, 0x8b, 0x05, 0, 0, 0, 0};  // mov x(%rip), %rax
  EXPECT_EQ(x86_instruction(near).value().base, X86Instruction::none);
  const std::array<std::uint8_t, 5> stack{0x48, 0x8b, 0x44, 0x24, 0x08};  // mov 8(%rsp), %rax
  EXPECT_TRUE(x86_instruction(stack).value().on_stack());
  EXPECT_EQ(x86_instruction(stack).value().index, X86Instruction::none);
}

#if defined(__x86_64__)

struct Compared {
  std::size_t instructions = 0;
  std::vector<std::string> different;
};

/// A line of objdump is "  401000:\t48 8b 04 \tmov ...".
void compare_line(std::string_view line, Compared& compared) {
  const std::size_t first = line.find('\t');
  const std::size_t second = line.find('\t', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return;
  if (line.find("(bad)") != std::string_view::npos) return;
  std::vector<std::uint8_t> code;
  for (std::size_t at = first + 1; at + 2 <= second && line[at] != ' '; at += 3) {
    code.push_back(
        static_cast<std::uint8_t>(std::stoul(std::string(line.substr(at, 2)), nullptr, 16)));
  }
  const std::size_t length = code.size();
  code.resize(length + 16, 0x90);  // what comes behind must not matter
  const std::optional<X86Instruction> found = x86_instruction(code);
  ++compared.instructions;
  if (!found.has_value() || found->length != length) compared.different.emplace_back(line);
}

Compared compared_with_objdump(const std::string& file) {
  const std::string command = fmt::format("objdump --disassemble --wide '{}'", file);
  const auto close = [](std::FILE* stream) { pclose(stream); };
  const std::unique_ptr<std::FILE, decltype(close)> lines(popen(command.c_str(), "r"), close);
  Compared compared;
  std::array<char, 512> line{};
  while (lines && std::fgets(line.data(), line.size(), lines.get()) != nullptr) {
    compare_line(line.data(), compared);
  }
  return compared;
}

TEST(X86Instructions, TellWhereTheyGoAndLook) {
  const std::array<std::uint8_t, 5> call{0xe8, 0xfb, 0xff, 0xff, 0xff};
  EXPECT_EQ(x86_instruction(call).value().displacement, -5);
  const std::array<std::uint8_t, 6> variable{0x8b, 0x05, 0x10, 0, 0, 0};  // mov 16(%rip), %eax
  EXPECT_TRUE(x86_instruction(variable).value().relative);
  EXPECT_EQ(x86_instruction(variable).value().displacement, 16);
  const std::array<std::uint8_t, 3> local{0x8b, 0x45, 0xfc};  // mov -4(%rbp), %eax
  EXPECT_FALSE(x86_instruction(local).value().relative);
  EXPECT_EQ(x86_instruction(local).value().displacement, -4);
  const std::array<std::uint8_t, 9> canary{0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0};
  EXPECT_TRUE(x86_instruction(canary).value().of_thread);  // mov %fs:40, %rax
}

TEST(X86Instructions, AreAsLongAsObjdumpSays) {
  const char* other = std::getenv("MAZURKA_DISASSEMBLE");  // for a look at other files by hand
  for (const std::string file :
       {other != nullptr ? other : "/proc/self/exe", "/lib64/ld-linux-x86-64.so.2"}) {
    const Compared compared = compared_with_objdump(file);
    EXPECT_GT(compared.instructions, 10'000U) << file;
    EXPECT_EQ(compared.different.size(), 0U)
        << file << " of " << compared.instructions << ":\n"
        << fmt::format("{}", fmt::join(compared.different, ""));
  }
}

#endif

}  // namespace
}  // namespace mazurka::threads
