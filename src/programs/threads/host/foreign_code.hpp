// Code in the program under test that the compiler has not instrumented.
//
// A library in binary form runs like all the rest, and what it asks of the C library (mutexes,
// threads, memory) is taken over by the runtime. But its own accesses to memory are not seen, and
// neither are atomic operations that it performs itself: a lock that is made of those orders
// nothing that we could notice. So the report names such libraries. A data race may only look like
// one if one of the two threads came to such code between the two accesses: that is noticed when
// the finding is performed once more (runtime/machine/traps.hpp).
//
// Whether code performs atomic operations is read off its instructions: where the compiler has
// instrumented it, there are calls in their place.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/launcher.hpp"
#include "host/protocol.hpp"

namespace mazurka::threads {
using namespace host;

struct ForeignCode {
  std::string name;  // "libqueue.so", or "the program itself"
  bool instrumented = false;
  bool library = true;
  bool has_atomics = false;  // atomic instructions of its own, first of all in ...
  std::string function;      // ... this function, if that is known
  bool uses_threads = false;
  bool allocates = false;

  /// It may order what others do without anyone noticing.
  [[nodiscard]] bool hides_order() const { return has_atomics; }
  [[nodiscard]] bool matters() const {
    return has_atomics || (!instrumented && (uses_threads || allocates));
  }
  /// One line for the report.
  [[nodiscard]] std::string text() const;
};

/// The modules that matter. Those that belong to every program (the C and C++ libraries) do not.
[[nodiscard]] std::vector<ForeignCode> foreign_code(const std::vector<RawModule>& modules);

/// Addresses at which a thread comes to code that may order what others do without anyone noticing:
/// that of modules with atomic operations of their own, and inline assembly with such. GoogleTest
/// and Catch2 are known: they order nothing of their tests'. Only where the instructions can be
/// read (machine_code.hpp).
[[nodiscard]] std::vector<std::uint64_t> hidden_code(const std::vector<RawModule>& modules);
/// The launch, told of that if it is to perform a data race once more.
[[nodiscard]] Launch watching_hidden_code(Launch launch, const Reply& reply);
/// Which of these modules the address is in, as code whose atomic operations are not seen.
[[nodiscard]] ForeignCode hidden_code_at(const std::vector<RawModule>& modules,
                                         std::uint64_t address);

/// Where in these instructions of the machine that we run on the first atomic one is; or npos.
/// `wide_ones`: whether those of 16 bytes count.
[[nodiscard]] std::size_t first_atomic(std::span<const std::uint8_t> code, bool wide_ones = true);

}  // namespace mazurka::threads
