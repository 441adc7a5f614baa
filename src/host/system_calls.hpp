// What the program under test may ask of the kernel.
//
// The worker is confined by a filter in the kernel (seccomp). It lets through what only concerns
// the process's own memory and the files that it has open; everything else, whoever asks for it and
// in whatever way, comes to the runtime instead (runtime/confinement.hpp), which answers on the
// kernel's behalf, or refuses by name. What the runtime itself needs it asks for with a key; that
// keeps accidents apart from intentions, not attackers out (authority.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mazurka::host {

/// The filter, as the kernel takes it; empty where it can not be made.
[[nodiscard]] std::vector<std::uint64_t> make_filter(std::uint64_t key);

[[nodiscard]] std::string system_call_name(int number);

}  // namespace mazurka::host
