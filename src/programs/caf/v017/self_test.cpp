// A small program is performed once, in which each of the functions that matter is called from
// inside the library. What was not seen is named: then the library was linked in another way (with
// -Bsymbolic-functions, or into the program), and whatever was explored would be worth nothing.
#include "programs/caf/v017/self_test.hpp"

#include <vector>

#include "core/execution.hpp"
#include "core/process_names.hpp"
#include "core/run.hpp"
#include "programs/caf/caf_program.hpp"
#include "programs/caf/v017/world.hpp"

namespace mazurka::caf::v017 {

namespace {

using Answer = ::caf::atom_constant<::caf::atom("selftest")>;

::caf::behavior echo(::caf::event_based_actor* self) {
  return {[](int number) { return number + 1; }, [=](Answer) { self->quit(); }};
}

/// Asks, hears the answer, and of the end of the other.
struct Seen {
  bool answer = false;
  bool down = false;
  bool received = false;
};

::caf::behavior asker(::caf::event_based_actor* self, const ::caf::actor& other, Seen* seen) {
  self->set_down_handler([=](const ::caf::down_msg&) { seen->down = true; });
  self->monitor(other);
  self->request(other, ::caf::infinite, 1).then([=](int number) {
    seen->answer = number == 2;
    self->send(other, Answer::value);
    self->send(other, 3.5);  // nobody handles this
  });
  return {[](const std::string&) {}};
}

}  // namespace

std::string self_test(::caf::actor_system& system) {
  Seen seen;
  World world(system, [&seen](::caf::actor_system& sys) {
    const auto other = sys.spawn(echo);
    sys.spawn(asker, other, &seen);
    ::caf::scoped_actor self(sys);
    self->request(other, ::caf::infinite, 5)
        .receive([&seen](int number) { seen.received = number == 6; }, [](const ::caf::error&) {});
  });
  Rules rules;
  rules.channels = Channels::none;
  CafProgram program(world, rules);
  ProcessNames names;
  Execution execution;
  Run run(program.vocabulary(), names, execution);
  constexpr std::uint64_t plenty = 1000;
  run.start({}, {plenty, false, 0});
  program.run(run);
  run.finish_execution();
  std::string missing;
  const auto expect = [&missing](bool condition, const char* what) {
    if (!condition) missing += (missing.empty() ? "" : ", ") + std::string(what);
  };
  constexpr std::size_t fewest = 6;  // two beginnings, two requests, two responses
  expect(execution.size() >= fewest, "messages");
  expect(seen.answer, "responses");
  expect(seen.received, "receive in main");
  expect(seen.down, "the end of actors");
  if (missing.empty()) return {};
  return "libcaf_core can not be watched (not seen: " + missing +
         "): it was linked with -Bsymbolic-functions, or into the program; link the shared library "
         "of CAF " +
         std::to_string(CAF_MAJOR_VERSION) + "." + std::to_string(CAF_MINOR_VERSION);
}

}  // namespace mazurka::caf::v017
