// The parts of a check that its two callers share: in this process, and on request of the checker.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/finding.hpp"
#include "core/process_names.hpp"
#include "driver/plan.hpp"
#include "driver/subject.hpp"
#include "explorers/table.hpp"
#include "programs/caf/caf_program.hpp"
#include "report/model/story.hpp"

namespace mazurka::caf {

/// Why the technique can not explore programs of CAF; empty if it can.
[[nodiscard]] std::string refusal(const TechniqueRequest& technique, bool sleep_sets);

[[nodiscard]] Plan plan_of(const std::string& name, const TechniqueRequest& technique,
                           const Limits& limits);

/// A search begins anew when an urgent message is seen: then outboxes are per receiver, since an
/// urgent message may overtake what others wait behind.
class CafSubject final : public Subject {
 public:
  explicit CafSubject(CafProgram& program) : Subject(program), program_(program) {}
  [[nodiscard]] bool must_restart() const override { return program_.must_restart(); }
  void restarted() override { program_.restart(); }
  [[nodiscard]] bool failed() const override { return !program_.refusal().empty(); }

 private:
  CafProgram& program_;
};

/// One execution, performed again to be shown.
struct Performed {
  std::vector<Finding> findings;
  std::optional<Divergence> divergence;
  Ending ending = Ending::complete;
  Story story;
};
[[nodiscard]] Performed perform(CafProgram& program, const std::vector<Decision>& decisions,
                                const Finding* finding, std::uint64_t max_events,
                                ProcessNames names = {});

/// The finding with the words that are known where it is shown.
[[nodiscard]] Finding in_words(const Finding& finding, const Performed& again);

}  // namespace mazurka::caf
