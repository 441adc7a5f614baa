// Runs a model under the checker: a front-end of its own, for tests.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/program.hpp"
#include "oracle/model.hpp"

namespace mazurka::oracle {

/// In which sums commute, unless some step of the model waits for the value of a variable.
[[nodiscard]] const Vocabulary& model_vocabulary(const Model& model);

class ModelProgram final : public Program {
 public:
  explicit ModelProgram(const Model& model);

  [[nodiscard]] const Vocabulary& vocabulary() const override { return vocabulary_; }
  [[nodiscard]] bool has_states() const override { return true; }
  void run(Run& run) override;

  /// The state in which the latest execution ended.
  [[nodiscard]] const State& state() const { return state_; }
  /// Which of the model's processes the checker knows by that name.
  [[nodiscard]] std::size_t process_of(ProcessId process) const {
    return process_of_.at(index(process));
  }

 private:
  struct Prepared {  // a step as the checker sees it
    std::vector<Access> accesses;
    std::vector<Access> look;  // instead, if it is an attempt that changes nothing
    bool exits = false;
    bool waits = false;  // can be disabled
    bool signalled = false;
  };
  void begin(Run& run, std::size_t process, ProcessId name);
  void announce(Run& run, std::size_t process);
  bool commit(Run& run, std::size_t process, std::uint16_t choice);
  void go_on(Run& run, std::size_t process, const Effect& effect);
  void tell_effects(Run& run, const Prepared& step, const State& before, std::size_t process,
                    const Effect& effect);
  void prepare_to_give_back(Prepared& step, std::size_t process, std::uint8_t lock);
  [[nodiscard]] Prepared& prepared(std::size_t process) {
    return prepared_[process][state_.positions[process]];
  }

  Model model_;
  const Vocabulary& vocabulary_;
  std::vector<std::vector<Prepared>> prepared_;
  State state_;
  std::array<ProcessId, most_processes> names_{};
  std::vector<std::size_t> process_of_;
  std::vector<std::uint64_t> before_;
  std::vector<std::uint64_t> after_;
  std::vector<ProcessId> released_;
};

}  // namespace mazurka::oracle
