// The program's own symbols and lines: whose a function is, and what a place in it is called.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mazurka::caf {

/// Whose code it is that accesses memory.
enum class Owner : std::uint8_t {
  unknown,
  user,      // the program's own
  standard,  // the C++ library's templates: whoever calls them
  count,     // ... where they count references
  library,   // CAF's templates, and ours
};

/// By the name that the linker knows it by.
[[nodiscard]] Owner owner_of(std::string_view symbol);

class CodeNames {
 public:
  CodeNames();
  CodeNames(const CodeNames&) = delete;
  CodeNames& operator=(const CodeNames&) = delete;
  ~CodeNames();

  /// Of the code of the program itself, libraries left out.
  [[nodiscard]] bool contains(std::uintptr_t code) const { return code - begin_ < owners_.size(); }
  /// Of an address inside of it.
  [[nodiscard]] Owner owner(std::uintptr_t code) {
    const auto known = static_cast<Owner>(owners_[code - begin_]);
    return known != Owner::unknown ? known : look_up(code);
  }
  /// "bank.cpp:12"; the address is one that a call returns to.
  [[nodiscard]] std::string place(std::uintptr_t code) const;
  /// The global variable there; empty if it is none.
  [[nodiscard]] std::string variable(std::uintptr_t address) const;

 private:
  struct Symbols;
  Owner look_up(std::uintptr_t code);

  std::uintptr_t begin_ = 0;
  std::vector<std::uint8_t> owners_;  // of every address, as far as it was asked for
  std::unique_ptr<Symbols> symbols_;
};

}  // namespace mazurka::caf
