#include "programs/caf/v017/coordinator.hpp"

#include <iostream>
#include <limits>
#include <utility>

#include "programs/caf/v017/world.hpp"

namespace mazurka::caf::v017 {

namespace {

/// What actors print with aout. It is no actor that could be scheduled: it prints at once.
class Printer final : public ::caf::monitorable_actor {
 public:
  explicit Printer(::caf::actor_config& config) : monitorable_actor(config) {
    handler_.assign(
        [](::caf::add_atom, ::caf::actor_id, const std::string& text) { std::cout << text; });
  }
  using abstract_actor::enqueue;
  void enqueue(::caf::mailbox_element_ptr what, ::caf::execution_unit*) override {
    handler_(what->content());
  }

 private:
  ::caf::message_handler handler_;
};

}  // namespace

void Coordinator::enqueue(::caf::resumable* what) {
  if (World* const world = active_world()) {
    world->runnable(what);
  } else {
    jobs_.push_back(what);
  }
}

void Coordinator::start() {
  ::caf::scoped_execution_unit unit(&system());
  ::caf::actor_config config{&unit};
  utility_actors_[printer_id] = ::caf::make_actor<Printer, ::caf::actor>(
      system().next_actor_id(), system().node(), &system(), config);
}

void Coordinator::stop() {
  ::caf::scoped_execution_unit unit(&system());
  while (!jobs_.empty()) {
    ::caf::resumable* const job = jobs_.back();
    jobs_.pop_back();
    job->resume(&unit, std::numeric_limits<std::size_t>::max());
    ::caf::intrusive_ptr_release(job);
  }
  utility_actors_[printer_id] = nullptr;
}

void use_coordinator(::caf::actor_system_config& config) {
  config.module_factories.emplace_back(
      [](::caf::actor_system& system) -> ::caf::actor_system::module* {
        return new Coordinator(system);
      });
}

Coordinator& coordinator_of(::caf::actor_system& system) {
  return static_cast<Coordinator&>(system.scheduler());
}

}  // namespace mazurka::caf::v017
