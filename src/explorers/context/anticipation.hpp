// What a context-sensitive search relies on: that nobody will come to interfere with certain steps.
//
// What is known of what the processes may still do (futures.hpp) is only what was seen so far. A
// search that goes by it writes down which steps it took for undisturbed; if something is seen
// later that conflicts with one of them, some of what was pruned may be missing, and the search has
// to begin again. It knows more then, so this ends.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"
#include "explorers/context/futures.hpp"
#include "explorers/path.hpp"

namespace mazurka {

class Anticipation {
 public:
  Anticipation(const Vocabulary& vocabulary, const Path& path, Futures& futures)
      : vocabulary_(vocabulary), path_(path), futures_(futures) {}

  /// Learns from the path's execution.
  void take_in();
  /// Whether something new conflicts with a step that was taken for undisturbed before.
  [[nodiscard]] bool was_mistaken() const { return mistaken_; }

  /// Whether nobody may come to do anything that conflicts with the step that ended the path's
  /// execution, or that races with one before it and would not be seen. If so, that is relied on.
  [[nodiscard]] bool rely_on_cut();

  /// Whether any step of the process may conflict with this one.
  [[nodiscard]] bool may_ever_conflict(ProcessId process, const Step& step) const {
    return futures_.may_conflict(vocabulary_, process, 0, step);
  }

 private:
  void recall_ended();
  [[nodiscard]] Futures::Some& ended_of(ProcessId process);
  void count_steps();
  [[nodiscard]] std::uint32_t steps_of(ProcessId process) const {
    return index(process) < steps_.size() ? steps_[index(process)] : 0;
  }
  void learn(const Step& step, std::uint32_t nth, Futures::Some ended);
  void rely_on(const Step& step);
  [[nodiscard]] bool may_be_disturbed(const Step& step) const;

  const Vocabulary& vocabulary_;
  const Path& path_;
  Futures& futures_;
  StepList undisturbed_;  // steps that were taken for that
  bool mistaken_ = false;
  std::vector<Futures::Some> ended_;        // whose end each process has waited for so far
  std::vector<Futures::Some> ended_after_;  // whose end each event's process has waited for
  std::size_t first_join_ = 0;              // on the path; its length if there is none
  std::vector<std::uint32_t> steps_;        // how many each process has taken
};

}  // namespace mazurka
