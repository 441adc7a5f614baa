// Addresses of the program under test, in the words of its source.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/protocol.hpp"

namespace mazurka::threads {
using namespace host;

struct Frame {
  std::string function;  // short: "withdraw", "lambda in main"; may be empty
  std::string file;      // as shown to the user; may be empty
  int line = 0;
  int column = 0;             // 0: not known
  bool system = false;        // the compiler's or the system's code, not the user's
  std::string full_function;  // with scopes, arguments and template arguments
  std::string source;         // the file, as the debugging information has it
  std::string module;         // the program or library

  [[nodiscard]] std::string place() const;  // "bank.cpp:14"
  [[nodiscard]] std::string text() const;   // "withdraw (bank.cpp:14)"
};

struct NamedPlace;
struct VariableEnd;
struct BlockType;

class Symbols {
 public:
  explicit Symbols(const std::vector<RawModule>& modules);
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;
  ~Symbols();

  /// The frames of a stack of return addresses, inlined calls included, innermost first. Frames of
  /// the system above the user's innermost one are left out, as are those below its outermost.
  [[nodiscard]] std::vector<Frame> frames(std::span<const std::uint64_t> stack) const;

  /// All of them.
  [[nodiscard]] std::vector<Frame> all_frames(std::span<const std::uint64_t> stack) const;

  /// Those in the system's headers that are called, one by the other, by the first of frames().
  [[nodiscard]] std::vector<Frame> header_frames(std::span<const std::uint64_t> stack) const;

  /// What the user's code has called of the library, if the innermost code is the library's.
  [[nodiscard]] std::string function_of_library(std::span<const std::uint64_t> stack) const;

  /// The innermost code is the library's that starts threads, and no code of the user's called it
  /// for another purpose.
  [[nodiscard]] bool is_thread_machinery(std::span<const std::uint64_t> stack) const;

  /// A global or static variable, or a part of it; else a symbol of the program; else nothing.
  [[nodiscard]] std::optional<NamedPlace> variable(std::uint64_t address, std::uint64_t size) const;

  /// A local variable, or a part of it, by the frames of the stack that it lies on (RawEvent).
  [[nodiscard]] std::optional<NamedPlace> local(std::span<const std::uint64_t> stack,
                                                std::span<const std::uint64_t> ends,
                                                std::uint64_t address, std::uint64_t size) const;

  /// Where the local or global variable ends in which the address lies; of a local one as local().
  [[nodiscard]] std::optional<VariableEnd> end_of_variable(std::span<const std::uint64_t> stack,
                                                           std::span<const std::uint64_t> ends,
                                                           std::uint64_t address) const;

  /// What a heap block of this size is that was allocated with this stack.
  [[nodiscard]] std::optional<BlockType> block_type(std::span<const std::uint64_t> stack,
                                                    std::uint64_t size) const;

  /// The line of the program that the frame is at.
  [[nodiscard]] std::string source_line(const Frame& frame) const;
  /// All of the file; empty if it can not be read.
  [[nodiscard]] std::string source_text(const Frame& frame) const;

  /// The function that begins here; empty if unknown or the system's.
  [[nodiscard]] std::string function(std::uint64_t address) const;

 private:
  struct Parts;
  [[nodiscard]] Parts& parts() const;
  void add_frames(std::uint64_t return_address, std::vector<Frame>& frames) const;
  void look_up_frames(std::uint64_t return_address, std::vector<Frame>& frames) const;

  std::vector<RawModule> modules_;
  mutable std::unique_ptr<Parts> parts_;  // since the first question: most checks ask none
};

/// What the source calls it, and where the program was at it; as much of that as is known.
[[nodiscard]] std::string name_of(const Symbols& symbols, const RawObject& object);

/// The innermost frame of which the source is known, in words; empty: there is none.
[[nodiscard]] std::string place_of(const Symbols& symbols, const std::vector<std::uint64_t>& stack);

}  // namespace mazurka::threads
