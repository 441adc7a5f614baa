// The tree of a stateless search in a network, in words.
#pragma once

#include "driver/tree_recorder.hpp"
#include "programs/automata/automata_program.hpp"
#include "report/model/exploration_tree.hpp"

namespace mazurka::cli {

[[nodiscard]] ExplorationTree told_tree(automata::AutomataProgram& program, UntoldTree untold);

}  // namespace mazurka::cli
