// A smaller program that still fails.
//
// Idea. Take away one thing at a time (a thread, a statement, an unusual size or kind) as long as
// the program still fails; begin again after each success.
#pragma once

#include <functional>

#include "native/program.hpp"

namespace mazurka::native {

Program shrink(Program program, const std::function<bool(const Program&)>& fails);

}  // namespace mazurka::native
