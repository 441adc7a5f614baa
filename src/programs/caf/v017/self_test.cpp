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

/// What the hooks have told of an execution.
struct Told {
  std::ptrdiff_t messages = 0;
  std::ptrdiff_t news = 0;
  std::ptrdiff_t ends = 0;
};

Told perform(::caf::actor_system& system, const World::Main& main) {
  World world(system, main);
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
  Told told;
  for (const std::uint32_t number : program.latest().history()) {
    told.messages += program.latest()[number].kind == Mail::Kind::message ? 1 : 0;
    told.news += program.latest()[number].kind == Mail::Kind::news ? 1 : 0;
  }
  for (const Actor& actor : program.latest().actors()) told.ends += actor.ended ? 1 : 0;
  return told;
}

/// What was expected and not seen.
class Missing {
 public:
  void expect(bool condition, const char* what) {
    if (!condition) text_ += (text_.empty() ? "" : ", ") + std::string(what);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

std::string self_test(::caf::actor_system& system) {
  Seen seen;
  Missing missing;
  const Told told = perform(
      system, [&seen](::caf::actor_system& sys) { sys.spawn(asker, sys.spawn(echo), &seen); });
  constexpr std::ptrdiff_t fewest = 4;  // a request, its response, and two more
  missing.expect(told.messages >= fewest, "messages");
  missing.expect(seen.answer, "responses");
  missing.expect(told.news > 0 && seen.down, "monitors");
  missing.expect(told.ends > 0, "the end of actors");
  // Main would wait for ever if nobody took over its waiting.
  if (missing.text().empty()) {
    perform(system, [&seen](::caf::actor_system& sys) {
      ::caf::scoped_actor self(sys);
      self->request(sys.spawn(echo), ::caf::infinite, 5)
          .receive([&seen](int number) { seen.received = number == 6; },
                   [](const ::caf::error&) {});
    });
    missing.expect(seen.received, "receive in main");
  }
  if (missing.text().empty()) return {};
  return "libcaf_core can not be watched (not seen: " + missing.text() +
         "): it was linked with -Bsymbolic-functions, into the program, or before libmazurka-caf; "
         "link the shared library of CAF " +
         std::to_string(CAF_MAJOR_VERSION) + "." + std::to_string(CAF_MINOR_VERSION) +
         ", after -lmazurka-caf";
}

}  // namespace mazurka::caf::v017
