#include "messages/model_program.hpp"

#include <string>

namespace mazurka::messages {

void ModelProgram::announce(Run& run, std::size_t actor) {
  machine_.footprint(actor, accesses_);
  const bool enabled = machine_.enabled(actor);
  run.announce(names_[actor], {accesses_, no_process, false}, enabled, enabled);
  if (!enabled || machine_.position(actor) == 0) return;
  if (const std::uint32_t cause = machine_.cause(actor); cause != no_event) {
    run.caused_by(names_[actor], cause);
  }
}

bool ModelProgram::commit(Run& run, std::size_t actor) {
  fulfilled_.clear();
  for (std::size_t other = 0; other < machine_.actors(); ++other) {
    if (other != actor && machine_.fulfils(actor, other)) fulfilled_.push_back(other);
  }
  return run.commit({}, machine_.choices(actor));
}

void ModelProgram::go_on(Run& run, std::size_t actor) {
  for (const std::size_t other : fulfilled_) {
    run.release(names_[other]);
    run.enable(names_[other], true);
    run.caused_by(names_[other], static_cast<std::uint32_t>(run.position() - 1));
  }
  if (machine_.failed(actor)) {
    const std::string where =
        "assert p" + std::to_string(actor) + ':' + std::to_string(machine_.position(actor) - 1);
    run.fail(names_[actor], FindingKind::assertion, "assertion failed", where);
  } else if (!machine_.running(actor)) {
    run.finish(names_[actor]);
  } else {
    announce(run, actor);
  }
}

void ModelProgram::run(Run& run) {
  machine_.start();
  for (std::size_t actor = 0; actor < machine_.actors(); ++actor) {
    names_[actor] = actor == 0 ? Run::root() : run.create(Run::root());
  }
  for (std::size_t actor = 0; actor < machine_.actors(); ++actor) announce(run, actor);
  for (;;) {
    bool by_choice = false;
    for (std::size_t actor = 0; actor < machine_.actors(); ++actor) {
      if (machine_.waits_by_choice(actor)) by_choice = true;
    }
    run.excuse_waiting(by_choice);
    const auto decision = run.next();
    if (!decision) return;
    const std::size_t actor = index(decision->process);
    const auto event = static_cast<std::uint32_t>(run.position());
    if (!commit(run, actor)) return;
    machine_.perform(actor, decision->choice, event);
    go_on(run, actor);
  }
}

}  // namespace mazurka::messages
