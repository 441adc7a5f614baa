// Local variables: what lies at an address of a stack, in the words of the function whose frame it
// belongs to.
//
// The runtime notes with each event the frames of the stack: return addresses, and for each frame
// where it ends. The debugging information has the place of a variable relative to that end, or to
// a register that is a known distance from it, or to the stack pointer. Variables that an optimised
// program keeps elsewhere, or only now and then, are not found.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "programs/threads/host/debug_info.hpp"
#include "programs/threads/host/variables.hpp"

namespace mazurka::threads {

class Locals {
 public:
  explicit Locals(const DebugInfo& info) : info_(info) {}

  /// `stack` and `ends`: as in RawEvent.
  [[nodiscard]] std::optional<NamedPlace> find(std::span<const std::uint64_t> stack,
                                               std::span<const std::uint64_t> ends,
                                               std::uint64_t address, std::uint64_t size);

  /// Of the variable in which the address lies.
  [[nodiscard]] std::optional<VariableEnd> end_of(std::span<const std::uint64_t> stack,
                                                  std::span<const std::uint64_t> ends,
                                                  std::uint64_t address);

 private:
  struct Local {
    bool from_begin = false;   // counted from the lower end of the frame: the stack pointer
    std::uint64_t offset = 0;  // else from its upper end
    Dwarf_Die die;
  };
  /// The frame that the address is in; none: the number of them.
  [[nodiscard]] static std::size_t frame_of(std::span<const std::uint64_t> stack,
                                            std::span<const std::uint64_t> ends,
                                            std::uint64_t address);
  [[nodiscard]] std::vector<Local>& locals_at(std::uint64_t return_address);
  [[nodiscard]] std::vector<Local> look_up(std::uint64_t return_address) const;

  const DebugInfo& info_;
  std::map<std::uint64_t, std::vector<Local>> known_;  // by return address, innermost scope first
};

}  // namespace mazurka::threads
