// What there is while the program runs: the request, the state, what was learned, and who moves.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/run.hpp"
#include "host/protocol.hpp"
#include "programs/messages/independence.hpp"
#include "programs/mpi/vocabulary.hpp"
#include "programs/threads/runtime/recorder.hpp"
#include "programs/threads/runtime/state/execution_state.hpp"
#include "programs/threads/runtime/state/learned.hpp"
#include "programs/threads/runtime/state/names.hpp"

namespace mazurka::threads {
using namespace host;

class ExecutionContext {
 public:
  ExecutionContext(const ExecutionContext&) = delete;
  ExecutionContext& operator=(const ExecutionContext&) = delete;

  [[nodiscard]] const Request& request() const { return request_; }
  [[nodiscard]] ExecutionState& state() { return state_; }
  [[nodiscard]] Learned& learned() { return learned_; }
  [[nodiscard]] Names& names() { return names_; }
  [[nodiscard]] Run& run() { return *run_; }

  /// Records everything for a report from the next execution on; null: stop recording.
  void record_into(Recorder* recorder) { recorder_ = recorder; }
  [[nodiscard]] Recorder* recorder() const { return recorder_; }
  /// What is performed now is no part of the search: nobody is told how far it has come.
  void perform_unseen(bool unseen) { is_unseen_ = unseen; }
  /// There are suppressions: whether a race is accepted is asked (memory_model/races.hpp).
  [[nodiscard]] bool judges_races() const { return judges_races_; }

  [[nodiscard]] Process& current() { return *current_; }
  /// Null: there is none in this execution.
  [[nodiscard]] Process* find(ProcessId id) { return state_.processes.find(id); }
  [[nodiscard]] bool running() const { return current_ != nullptr; }
  [[nodiscard]] Process& process(ProcessId id) { return *state_.processes.find(id); }
  /// Nobody else is there to interfere.
  [[nodiscard]] bool alone() const { return state_.live == 1 && state_.unjoined == 0; }
  /// Whether an access to memory need not be an event: nobody can interfere, and if it reads,
  /// nobody can have written what it observes.
  [[nodiscard]] bool silent(bool reads) const { return alone() && !(reads && state_.had_company); }

  /// This is a copy of the program that tries something out (loops/twins.cpp).
  void become_twin() { is_twin_ = true; }
  [[nodiscard]] bool is_twin() const { return is_twin_; }

  /// The current process was told something by others.
  void tell(std::uint64_t value) {
    if (state_.tracking) state_.tracker.tell(current_->id, value);
  }
  [[nodiscard]] std::uint64_t value_of(ObjectId object) const;

 protected:
  ExecutionContext(const Request& request, Progress& progress)
      : request_(request),
        progress_(progress),
        judges_races_(!request.checks.suppressions.empty() && !request.racy) {}
  ~ExecutionContext() = default;

  /// The current process commits its step: keeps what that touches, with the values before it.
  void note_values(std::vector<std::uint64_t>& values);
  /// The values now of what the step touches that was committed last.
  void values_of_step(std::vector<std::uint64_t>& values) const;

  Request request_;
  Progress& progress_;
  ExecutionState state_;
  Learned learned_;
  Names names_;
  Run* run_ = nullptr;
  Process* current_ = nullptr;
  bool is_twin_ = false;
  bool is_unseen_ = false;
  bool judges_races_;
  Recorder* recorder_ = nullptr;
  Vocabulary vocabulary_ = make_vocabulary();
  std::uint8_t first_message_kind_ = messages::add_kinds(vocabulary_);
  std::uint8_t first_mpi_kind_ = mpi::add_kinds(vocabulary_);
};

}  // namespace mazurka::threads
