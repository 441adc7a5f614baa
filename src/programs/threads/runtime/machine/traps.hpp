// Notices when the program comes to certain instructions.
//
// Each of them is replaced by a trap. Whoever runs into it gets the instruction back: for one step,
// so that nothing is missed, which takes some microseconds each time; or until all are set again.
// Nothing is done in another way. x86-64 only.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <vector>

namespace mazurka::threads {

class Traps {
 public:
  enum class Next : std::uint8_t {
    again,  // set for the next time
    later,  // until set_again()
    never,  // neither this one nor another one
  };
  using Tell = Next (*)(std::uintptr_t place);

  /// From now on; `tell` is called before the instruction there.
  /// False: not all of them could be set.
  [[nodiscard]] bool set(const std::vector<std::uintptr_t>& places, Tell tell);
  void set_again();
  /// The byte of code there, as it is without traps.
  [[nodiscard]] std::uint8_t byte_at(std::uintptr_t place) const;
  /// In a handler of SIGTRAP. False: it was none of ours.
  bool handle(ucontext_t& context);

 private:
  struct Trap {
    std::uintptr_t place = 0;
    std::uint8_t instruction = 0;  // its first byte
  };
  [[nodiscard]] const Trap* at(std::uintptr_t place) const;

  std::vector<Trap> traps_;  // by place
  std::vector<std::uintptr_t> resting_;
  Tell tell_ = nullptr;
  std::uintptr_t stepping_ = 0;  // the instruction that has been given back
};

extern Traps traps;

}  // namespace mazurka::threads
