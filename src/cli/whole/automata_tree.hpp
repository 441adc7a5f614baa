// The tree of a stateless search in a network, in words.
#pragma once

#include "core/exploration_tree.hpp"
#include "driver/tree_recorder.hpp"
#include "programs/automata/automata_program.hpp"

namespace mazurka::cli {

[[nodiscard]] ExplorationTree told_tree(automata::AutomataProgram& program, UntoldTree untold);

}  // namespace mazurka::cli
