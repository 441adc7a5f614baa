// The scheduler module: it has no threads, and only tells who became able to run.
#pragma once

#include <vector>

#include "caf/all.hpp"
#include "programs/caf/v017/clock.hpp"

namespace mazurka::caf::v017 {

class Coordinator final : public ::caf::scheduler::abstract_coordinator {
 public:
  using ::caf::scheduler::abstract_coordinator::abstract_coordinator;

  void enqueue(::caf::resumable* what) override;
  [[nodiscard]] bool detaches_utility_actors() const override { return false; }
  void start() override;
  void stop() override;
  Clock& clock() noexcept override { return clock_; }

 private:
  Clock clock_;
  std::vector<::caf::resumable*> jobs_;  // of the time before and after all executions
};

/// From now on every system that is made with this configuration is ours.
void use_coordinator(::caf::actor_system_config& config);
[[nodiscard]] Coordinator& coordinator_of(::caf::actor_system& system);

}  // namespace mazurka::caf::v017
