// What led to a finding is told from here: addresses are those of the machine on which it happened.
#pragma once

#include <string>
#include <vector>

#include "host/launcher.hpp"

namespace mazurka::cluster {

/// Performs the findings of the reply once more, each in a process of its own, for their stories.
void retell(const host::Launch& whole, host::Reply& reply, std::vector<std::string>& notes);

}  // namespace mazurka::cluster
