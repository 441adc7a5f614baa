// The parts of a check that its two callers share: in this process, and on request of the checker.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/finding.hpp"
#include "core/process_names.hpp"
#include "core/run.hpp"
#include "driver/plan.hpp"
#include "driver/tree_recorder.hpp"
#include "explorers/table.hpp"
#include "programs/actors/actor_program.hpp"
#include "report/model/exploration_tree.hpp"
#include "report/model/story.hpp"

namespace mazurka::actors {

/// fifo, eca, lca or urgent; nothing for any other text but the empty one, which means fifo.
[[nodiscard]] std::optional<Order> parse_order(const std::string& text);

/// Why the technique can not explore the program in this way; empty if it can.
[[nodiscard]] std::string refusal(const TechniqueRequest& technique, const ActorProgram& program,
                                  bool sleep_sets);

/// What the driver is asked for.
[[nodiscard]] Plan plan_of(const std::string& name, const TechniqueRequest& technique,
                           const Limits& limits);

/// One execution, performed again to be shown.
struct Performed {
  std::vector<Finding> findings;
  std::optional<Divergence> divergence;
  Ending ending = Ending::complete;
  Story story;
};
/// `finding`: what the schedule leads to, if that is known. `decisions` are numbered by creation,
/// or as the names say.
[[nodiscard]] Performed perform(ActorProgram& program, const std::vector<Decision>& decisions,
                                const Finding* finding, std::uint64_t max_events,
                                ProcessNames names = {});

/// The tree of a search in words.
[[nodiscard]] ExplorationTree told_tree(ActorProgram& program, UntoldTree untold);

}  // namespace mazurka::actors
