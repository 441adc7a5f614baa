#include "programs/threads/runtime/loops/result_use.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <initializer_list>
#include <vector>

// Not in this test: the runtime's own.
extern "C" void __tsan_func_exit() {}

namespace mazurka::threads {
namespace {

bool nothing_is_known(std::uintptr_t) { return false; }
bool all_ignore_them(std::uintptr_t) { return true; }

bool on_aarch64(std::initializer_list<std::uint32_t> code, bool (*known)(std::uintptr_t)) {
  const std::vector<std::uint32_t> words(code);
  return may_use_result_aarch64(words.data(), known);
}

constexpr std::uint32_t mov_w0_0 = 0x52800000;
constexpr std::uint32_t mov_x19_x0 = 0xaa0003f3;
constexpr std::uint32_t ldr_x19_sp = 0xf94017f3;
constexpr std::uint32_t ldr_w0_sp = 0xb9403fe0;
constexpr std::uint32_t str_w0_sp = 0xb9003fe0;
constexpr std::uint32_t cmn_w0_1 = 0x3100041f;
constexpr std::uint32_t bl_next = 0x94000001;
constexpr std::uint32_t ret = 0xd65f03c0;
constexpr std::uint32_t ldp_fp = 0xa8c17bfd;

TEST(ResultUse, Aarch64OverwrittenIsNotLookedAt) {
  EXPECT_FALSE(on_aarch64({mov_w0_0, ret}, nothing_is_known));
  EXPECT_FALSE(on_aarch64({ldr_x19_sp, ldr_w0_sp, ret}, nothing_is_known));
}

TEST(ResultUse, Aarch64WhatReadsItLooks) {
  for (const std::uint32_t code : {mov_x19_x0, str_w0_sp, cmn_w0_1}) {
    EXPECT_TRUE(on_aarch64({code, mov_w0_0, ret}, nothing_is_known)) << std::hex << code;
  }
}

TEST(ResultUse, Aarch64KnowsWhatComputesWithRegisters) {
  // mvn w1, w19; add x1, x2, x3; and w1, w2, #1; lsl w1, w2, #3; uxth w1, w2
  for (const std::uint32_t code :
       {0x2a3303e1U, 0x8b030041U, 0x12000041U, 0x531d7041U, 0x53003c41U}) {
    EXPECT_FALSE(on_aarch64({code, mov_w0_0, ret}, nothing_is_known)) << std::hex << code;
    EXPECT_FALSE(on_aarch64({code & ~1U, ret}, nothing_is_known)) << std::hex << code;
  }
  // mvn w1, w0; add x1, x0, x3; and w1, w0, #1; lsl w1, w0, #3; uxth w1, w0
  for (const std::uint32_t code :
       {0x2a2003e1U, 0x8b030001U, 0x12000001U, 0x531d7001U, 0x53003c01U}) {
    EXPECT_TRUE(on_aarch64({code, mov_w0_0, ret}, nothing_is_known)) << std::hex << code;
    EXPECT_TRUE(on_aarch64({code & ~1U, ret}, nothing_is_known)) << std::hex << code;
  }
  EXPECT_FALSE(on_aarch64({0x72a00021, mov_w0_0}, nothing_is_known));  // movk w1, #1, lsl #16
  EXPECT_TRUE(on_aarch64({0x72a00020, mov_w0_0}, nothing_is_known));   // movk w0, #1, lsl #16
  EXPECT_TRUE(on_aarch64({0x331d7041, mov_w0_0}, nothing_is_known));   // bfi w1, w2: not known
}

TEST(ResultUse, Aarch64APrefetchOverwritesNothing) {
  // prfm pldl1keep, of [x1], [x1, #-8] and near; then mov x19, x0
  for (const std::uint32_t code : {0xf9800020U, 0xf89f8020U, 0xd8000040U}) {
    EXPECT_TRUE(on_aarch64({code, mov_x19_x0, mov_w0_0, ret}, nothing_is_known))
        << std::hex << code;
  }
}

TEST(ResultUse, Aarch64PassedOnOrReturned) {
  EXPECT_TRUE(on_aarch64({bl_next, mov_w0_0}, nothing_is_known));
  EXPECT_FALSE(on_aarch64({bl_next, ret}, all_ignore_them));
  EXPECT_TRUE(on_aarch64({ldp_fp, ret}, nothing_is_known));
}

bool on_x86_64(std::vector<std::uint8_t> bytes) {
  bytes.resize(bytes.size() + 16, 0xcc);
  return may_use_result_x86_64(bytes.data());
}

TEST(ResultUse, X86OverwrittenOrLostIsNotLookedAt) {
  EXPECT_FALSE(on_x86_64({0xb8, 0, 0, 0, 0, 0xc3}));                    // mov $0, %eax
  EXPECT_FALSE(on_x86_64({0x31, 0xc0, 0xc3}));                          // xor %eax, %eax
  EXPECT_FALSE(on_x86_64({0x48, 0x8b, 0x45, 0xe8}));                    // mov -24(%rbp), %rax
  EXPECT_FALSE(on_x86_64({0x48, 0x89, 0xdf, 0xe8, 0, 0, 0, 0}));        // mov %rbx, %rdi; call
  EXPECT_FALSE(on_x86_64({0x83, 0x45, 0xfc, 0x01, 0x8b, 0x45, 0xfc}));  // addl; mov -4(%rbp), %eax
  EXPECT_FALSE(on_x86_64({0xeb, 0x01, 0xc3, 0x31, 0xc0}));              // jmp over ret; xor
}

TEST(ResultUse, Aarch64EveryWayCounts) {
  constexpr std::uint32_t b_le_2 = 0x5400004d;    // b.le, over the next one
  constexpr std::uint32_t cbz_w1_2 = 0x34000041;  // cbz w1
  constexpr std::uint32_t cbz_w0_2 = 0x34000040;
  for (const std::uint32_t jump : {b_le_2, cbz_w1_2}) {
    EXPECT_FALSE(on_aarch64({jump, mov_w0_0, ldr_w0_sp, ret}, nothing_is_known));
    EXPECT_TRUE(on_aarch64({jump, str_w0_sp, ldr_w0_sp, ret}, nothing_is_known));
    EXPECT_TRUE(on_aarch64({jump, mov_w0_0, str_w0_sp, ret}, nothing_is_known));
  }
  EXPECT_TRUE(on_aarch64({cbz_w0_2, mov_w0_0, ldr_w0_sp, ret}, nothing_is_known));
}

TEST(ResultUse, X86EveryWayCounts) {
  // addl $1, -4(%rbp); cmpl $2, -4(%rbp); jle back to xor; ...
  EXPECT_FALSE(on_x86_64({0x83, 0x45, 0xfc, 0x01, 0x83, 0x7d, 0xfc, 0x02, 0x7e, 0x02,  //
                          0x31, 0xc0, 0xb8, 0, 0, 0, 0}));
  EXPECT_TRUE(on_x86_64({0x7e, 0x02, 0x31, 0xc0, 0xc3}));  // ret where it jumps to
  EXPECT_TRUE(on_x86_64({0x7e, 0x01, 0xc3, 0x31, 0xc0}));  // ret where it does not
  EXPECT_FALSE(on_x86_64({0x0f, 0x8e, 2, 0, 0, 0, 0x31, 0xc0, 0x31, 0xc0}));
  EXPECT_FALSE(on_x86_64({0x7e, 0xfe, 0x31, 0xc0}));  // round and round
}

TEST(ResultUse, X86WhatReadsItLooks) {
  EXPECT_TRUE(on_x86_64({0x83, 0xf8, 0xff, 0x74, 0x10}));   // cmp $-1, %eax
  EXPECT_TRUE(on_x86_64({0x89, 0x45, 0xfc, 0x31, 0xc0}));   // mov %eax, -4(%rbp)
  EXPECT_TRUE(on_x86_64({0x89, 0xc3, 0xe8, 0, 0, 0, 0}));   // mov %eax, %ebx
  EXPECT_TRUE(on_x86_64({0x85, 0xc0}));                     // test %eax, %eax: not known
  EXPECT_TRUE(on_x86_64({0xc3}));                           // ret
  EXPECT_TRUE(on_x86_64({0x48, 0x8b, 0x38, 0x31, 0xc0}));   // mov (%rax), %rdi
  EXPECT_TRUE(on_x86_64({0x48, 0x8d, 0x04, 0x00}));         // lea (%rax,%rax), %rax
  EXPECT_FALSE(on_x86_64({0x49, 0x8b, 0x38, 0x31, 0xc0}));  // mov (%r8), %rdi
}

TEST(ResultUse, X86KnowsWhatComputesWithRegisters) {
  for (const std::vector<std::uint8_t>& other : std::vector<std::vector<std::uint8_t>>{
           {0x0f, 0xb7, 0xf3},              // movzwl %bx, %esi
           {0xd3, 0xc6},                    // rol %cl, %esi
           {0x48, 0x01, 0xd9},              // add %rbx, %rcx
           {0x85, 0xdb},                    // test %ebx, %ebx
           {0xf7, 0xd9},                    // neg %ecx
           {0x4c, 0x0f, 0xaf, 0xf3},        // imul %rbx, %r14
           {0xf2, 0x0f, 0x11, 0x45, 0xf0},  // movsd %xmm0, -16(%rbp): no rax
           {0x44, 0x8d, 0x04, 0x1b},        // lea (%rbx,%rbx), %r8d
           {0xff, 0x45, 0xfc},              // incl -4(%rbp)
           {0x40, 0x88, 0x65, 0xfc},        // mov %spl, -4(%rbp)
       }) {
    std::vector<std::uint8_t> code = other;
    code.insert(code.end(), {0x31, 0xc0, 0xc3});
    EXPECT_FALSE(on_x86_64(code)) << std::hex << +other[0] << " " << +other[1];
  }
}

TEST(ResultUse, X86APartOfTheRegisterIsAResultToo) {
  for (const std::vector<std::uint8_t>& other : std::vector<std::vector<std::uint8_t>>{
           {0x0f, 0xb7, 0xf0},        // movzwl %ax, %esi
           {0x0f, 0xb6, 0xf4},        // movzbl %ah, %esi
           {0x88, 0x65, 0xfc},        // mov %ah, -4(%rbp)
           {0xb0, 0x01},              // mov $1, %al
           {0xb4, 0x01},              // mov $1, %ah
           {0x66, 0xb8, 0x01, 0x00},  // mov $1, %ax
           {0x66, 0x31, 0xc0},        // xor %ax, %ax
           {0x0f, 0x94, 0xc0},        // sete %al
           {0x0f, 0x44, 0xc3},        // cmove %ebx, %eax
           {0x0f, 0xaf, 0xc3},        // imul %ebx, %eax
           {0x19, 0xc0},              // sbb %eax, %eax
           {0x98},                    // cwtl
           {0xf7, 0xe3},              // mul %ebx
           {0x66, 0x0f, 0x6e, 0xc0},  // movd %eax, %xmm0
           {0xf3, 0xab},              // rep stos
           {0x49, 0x90},              // xchg %rax, %r8: no nop
           {0xff, 0xd0},              // call *%rax
           {0xff, 0x14, 0xc3},        // call *(%rbx,%rax,8)
           {0x42, 0x8b, 0x0c, 0x20},  // mov (%rax,%r12), %ecx
       }) {
    std::vector<std::uint8_t> code = other;
    code.insert(code.end(), {0x31, 0xc0, 0xc3});
    EXPECT_TRUE(on_x86_64(code)) << std::hex << +other[0] << " " << +other[1];
  }
}

// Places that are far apart are remembered in the same place.
TEST(ResultUse, WhatIsRememberedIsWhatIsRead) {
#if defined(__aarch64__)
  const std::vector<std::uint32_t> lost{mov_w0_0, ret};
  const std::vector<std::uint32_t> used{mov_x19_x0, mov_w0_0, ret};
#else
  const std::vector<std::uint8_t> lost{0x31, 0xc0, 0xc3};              // xor %eax, %eax; ret
  const std::vector<std::uint8_t> used{0x89, 0xc3, 0x31, 0xc0, 0xc3};  // mov %eax, %ebx before it
#endif
  constexpr std::size_t places = 600;
  constexpr std::size_t size = 16;
  alignas(size) static std::array<std::uint8_t, places * size> memory{};
  for (std::size_t at = 0; at < places; ++at) {
    const auto& code = at % 3 == 0 ? used : lost;
    std::memcpy(&memory[at * size], code.data(), code.size() * sizeof code[0]);
  }
  ResultUses uses;
  for (std::size_t nth = 0; nth < 20 * places; ++nth) {
    const std::size_t at = nth * nth / 7 % places;
    ASSERT_EQ(uses.may_use(&memory[at * size]), at % 3 == 0) << at;
  }
}

}  // namespace
}  // namespace mazurka::threads
