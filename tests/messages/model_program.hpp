// Runs a message model under the checker: a front-end of its own, for tests.
#pragma once

#include <array>
#include <vector>

#include "core/program.hpp"
#include "messages/machine.hpp"

namespace mazurka::messages {

class ModelProgram final : public Program {
 public:
  explicit ModelProgram(const Model& model) : machine_(model) {}

  [[nodiscard]] const Vocabulary& vocabulary() const override { return model_vocabulary(); }
  void run(Run& run) override;

  /// The state in which the latest execution ended.
  [[nodiscard]] const Machine& machine() const { return machine_; }

 private:
  void announce(Run& run, std::size_t actor);
  bool commit(Run& run, std::size_t actor);
  void go_on(Run& run, std::size_t actor);

  Machine machine_;
  std::array<ProcessId, most_actors> names_{};
  std::vector<Access> accesses_;
  std::vector<std::size_t> fulfilled_;
};

}  // namespace mazurka::messages
