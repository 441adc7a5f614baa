// What goes on in a cluster, for people and for programs.
#pragma once

#include <string>

#include "cluster/address.hpp"

namespace mazurka::cluster {

/// Throws host::InputError when the server can not be reached.
[[nodiscard]] std::string status_text(const Address& address);
[[nodiscard]] std::string status_json(const Address& address);

/// Ends a search, or all of them if none is named, and removes what is known of it. What was done,
/// in a line each. Throws host::InputError when there is no such search.
[[nodiscard]] std::string cancel(const Address& address, const std::string& id);

}  // namespace mazurka::cluster
