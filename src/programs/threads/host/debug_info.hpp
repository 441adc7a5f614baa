// The debugging information of the program's modules, opened once, as elfutils sees it.
//
// Only what lies in the files themselves is read: no debug server is asked, and no separate debug
// files of the system's libraries are searched, since their frames are not shown anyway.
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/protocol.hpp"

namespace mazurka::threads {
using namespace host;

class DebugInfo {
 public:
  enum class Of : std::uint8_t { all, users };

  /// `which`: those that are asked about; the system's libraries are large.
  explicit DebugInfo(const std::vector<RawModule>& modules, Of which = Of::all);

  [[nodiscard]] Dwfl* get() const { return dwfl_.get(); }
  [[nodiscard]] Dwfl_Module* module_of(std::uint64_t address) const {
    return dwfl_addrmodule(dwfl_.get(), address);
  }
  /// The modules that are the user's: not under /lib or /usr, not our runtime.
  [[nodiscard]] const std::vector<Dwfl_Module*>& user_modules() const { return user_modules_; }

 private:
  struct EndDwfl {
    void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
  };
  std::unique_ptr<Dwfl, EndDwfl> dwfl_;
  std::vector<Dwfl_Module*> user_modules_;
};

// --- small conveniences over DWARF --------------------------------------------------------------

/// The compilation unit that the code belongs to, or null.
[[nodiscard]] Dwarf_Die* unit_of(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr& bias);
struct Scopes {
  Scopes() = default;
  Scopes(const Scopes&) = delete;
  Scopes& operator=(const Scopes&) = delete;
  Dwarf_Die* list = nullptr;
  int count = 0;
  ~Scopes() { std::free(list); }
};

/// The lexical scopes around an address, each inside the next, through inlined calls.
void find_scopes(Dwfl_Module* module, Dwarf_Die* unit, Dwarf_Addr address, Scopes& scopes);
/// The variables and parameters of all these scopes, the innermost first.
[[nodiscard]] std::vector<Dwarf_Die> variables_in(const Scopes& scopes);

[[nodiscard]] std::optional<Dwarf_Die> referenced_die(Dwarf_Die* die, unsigned attribute);
/// The type that is the n-th argument of a template's instance.
[[nodiscard]] std::optional<Dwarf_Die> template_argument(Dwarf_Die* type, std::size_t nth);
/// The class that the function is a member of.
[[nodiscard]] std::optional<Dwarf_Die> class_of(Dwarf_Die* function);
[[nodiscard]] std::optional<std::uint64_t> number(Dwarf_Die* die, unsigned attribute);
/// Also looks at the declaration or the abstract instance that the DIE completes.
[[nodiscard]] std::string text(Dwarf_Die* die, unsigned attribute);

}  // namespace mazurka::threads
