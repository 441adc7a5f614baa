// The techniques that can be asked for by name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/technique.hpp"

namespace mazurka {

/// All of them, one row each: what help, completion, manual and messages are made from.
[[nodiscard]] std::span<const Technique> techniques();

/// Those that explore everything, in every program whose states can be compared.
[[nodiscard]] std::vector<const Technique*> general_techniques();

/// The technique of that name, or null.
[[nodiscard]] const Technique* find_technique(std::string_view name);

/// The technique that a request, with or without switches, asks for; one without a name if there is
/// none.
[[nodiscard]] const Technique& technique_of(std::string_view request);

/// The technique as it can be asked for: without options, with each alone, and with all of them
/// that go together.
[[nodiscard]] std::vector<std::string> variants_of(const Technique& technique);

/// What `NAME` or `NAME:OPTION,OPTION` asks for.
struct TechniqueRequest {
  const Technique* technique = nullptr;
  TechniqueOptions options;
  std::string error;  // what is wrong with the text; empty if nothing is

  [[nodiscard]] std::unique_ptr<Explorer> make() const { return technique->make(options); }
  /// What the technique promises with these switches.
  [[nodiscard]] Promises promises() const;
};
[[nodiscard]] TechniqueRequest parse_technique(std::string_view text);

}  // namespace mazurka
