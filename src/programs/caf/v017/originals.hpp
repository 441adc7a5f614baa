// The library's own functions, behind those that have taken their place (hooks.cpp).
#pragma once

#include "caf/all.hpp"

namespace mazurka::caf::v017::original {

void enqueue(::caf::scheduled_actor& actor, ::caf::mailbox_element_ptr element,
             ::caf::execution_unit* unit);
void enqueue(::caf::blocking_actor& actor, ::caf::mailbox_element_ptr element,
             ::caf::execution_unit* unit);

}  // namespace mazurka::caf::v017::original
