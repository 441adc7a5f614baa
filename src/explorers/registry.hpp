// The techniques that can be asked for by name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/explorer.hpp"

namespace mazurka {

/// All techniques, from the plainest to the best.
[[nodiscard]] std::span<const Technique> techniques();

/// Techniques that explore a part, for programs that are too large to exhaust.
[[nodiscard]] std::span<const Technique> partial_techniques();

/// Techniques for programs of messages only (Steps::one).
[[nodiscard]] std::span<const Technique> message_techniques();

/// Techniques for programs whose operations, once enabled, stay so until they are performed.
[[nodiscard]] std::span<const Technique> persistent_techniques();

/// Every name that the user can ask for, the stateful search of networks (which has no Explorer)
/// among them: what help, completion, manual and messages are made from.
[[nodiscard]] std::vector<const Technique*> all_techniques();

/// The technique of that name, of any list above that has explorers, or null.
[[nodiscard]] const Technique* find_technique(std::string_view name);

/// The technique as it can be asked for: without options, with each alone, and with all of them
/// that go together.
[[nodiscard]] std::vector<std::string> variants_of(const Technique& technique);

/// What `NAME` or `NAME:OPTION,OPTION` asks for.
struct TechniqueRequest {
  const Technique* technique = nullptr;
  TechniqueOptions options;
  std::string error;  // what is wrong with the text; empty if nothing is

  [[nodiscard]] std::unique_ptr<Explorer> make() const { return technique->make(options); }
};
[[nodiscard]] TechniqueRequest parse_technique(std::string_view text);

}  // namespace mazurka
