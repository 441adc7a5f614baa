// The functions that programs of the software verification competition leave to the verifier.
//
// They are weak: a program that defines them itself keeps its own. A value that may be anything
// can not be explored in full; a few are tried, and unless that finds something the verdict says
// that not all was covered. A truth value is explored in full.
#include <array>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/call_site.hpp"
#include "programs/threads/runtime/own_functions.hpp"

using mazurka::FindingKind;
using mazurka::threads::Meaning;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;

#define MAZURKA_WEAK_HOOK extern "C" __attribute__((visibility("default"), weak))

namespace {

constexpr std::array<long, 4> samples{0, 1, 2, -1};
constexpr std::uint32_t most_samples = 12;  // calls per process and execution that have a choice

long any_value(bool has_sign) {
  if (!scheduled()) return 0;
  runtime->note_sampled();
  if (runtime->current().samples++ >= most_samples) return 0;
  return samples[static_cast<std::size_t>(runtime->threads.choose(has_sign ? 4 : 3))];
}

long any_truth() {
  if (!scheduled()) return 0;
  if (runtime->current().samples++ >= most_samples) {
    runtime->note_sampled();
    return 0;
  }
  return runtime->threads.choose(2);
}

[[noreturn]] void reached() {
  if (!scheduled()) mazurka::threads::native().abort();
  mazurka::threads::inside_engine = true;
  runtime->fail(FindingKind::assertion, "the error location is reached", "reach_error");
}

}  // namespace

#define MAZURKA_NONDET(name, type, sign) \
  MAZURKA_WEAK_HOOK type __VERIFIER_nondet_##name() { return static_cast<type>(any_value(sign)); }

MAZURKA_NONDET(int, int, true)
MAZURKA_NONDET(uint, unsigned, false)
MAZURKA_NONDET(unsigned, unsigned, false)
MAZURKA_NONDET(unsigned_int, unsigned, false)
MAZURKA_NONDET(long, long, true)
MAZURKA_NONDET(ulong, unsigned long, false)
MAZURKA_NONDET(longlong, long long, true)
MAZURKA_NONDET(ulonglong, unsigned long long, false)
MAZURKA_NONDET(short, short, true)
MAZURKA_NONDET(ushort, unsigned short, false)
MAZURKA_NONDET(char, char, false)
MAZURKA_NONDET(uchar, unsigned char, false)
MAZURKA_NONDET(size_t, std::size_t, false)
MAZURKA_NONDET(u8, unsigned char, false)
MAZURKA_NONDET(u16, unsigned short, false)
MAZURKA_NONDET(u32, unsigned, false)
MAZURKA_NONDET(float, float, true)
MAZURKA_NONDET(double, double, true)
MAZURKA_WEAK_HOOK bool __VERIFIER_nondet_bool() { return any_truth() != 0; }
MAZURKA_WEAK_HOOK bool __VERIFIER_nondet__Bool() { return any_truth() != 0; }
MAZURKA_WEAK_HOOK void* __VERIFIER_nondet_pointer() {
  if (scheduled()) runtime->note_sampled();
  return nullptr;
}

MAZURKA_WEAK_HOOK void __VERIFIER_assume(int holds) {
  if (holds != 0 || !scheduled()) return;
  runtime->sections.take_back_block(__builtin_dwarf_cfa());
  runtime->spins.give_up();
}
MAZURKA_WEAK_HOOK void __VERIFIER_error() { reached(); }
MAZURKA_WEAK_HOOK void reach_error() { reached(); }
MAZURKA_WEAK_HOOK void __VERIFIER_assert(int holds) {
  if (holds == 0) reached();
}

// An indivisible piece of code: nobody else does anything in between.
MAZURKA_WEAK_HOOK void __VERIFIER_atomic_begin() {
  mazurka_call_site.stack_pointer = 0;  // this hook does not note where it was called
  if (scheduled()) runtime->sections.begin_block();
}
MAZURKA_WEAK_HOOK void __VERIFIER_atomic_end() {
  if (scheduled()) runtime->sections.end_block();
}

// A program that has functions whose names mean something is compiled so that it tells when a
// function begins and ends (host/compiler.cpp).
MAZURKA_HOOK void __cyg_profile_func_enter(void* function, void*) {
  if (!scheduled()) return;
  const Meaning meaning = mazurka::threads::meaning_of(function);
  if (meaning == Meaning::error) reached();
  if (meaning != Meaning::indivisible) return;
  mazurka_call_site.stack_pointer = 0;
  runtime->sections.begin_block();
}
MAZURKA_HOOK void __cyg_profile_func_exit(void* function, void*) {
  if (!scheduled() || mazurka::threads::meaning_of(function) != Meaning::indivisible) return;
  runtime->sections.end_block();
}
