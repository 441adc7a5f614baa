// Programs of the C++ Actor Framework (CAF), explored: docs/caf.md.
//
// Include this before, or in the place of, CAF's own headers; CAF_MAIN then makes a program that
// can be checked. Everything else stays as it is.
#ifndef MAZURKA_CAF_HPP
#define MAZURKA_CAF_HPP

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <type_traits>
#include <vector>

#include "caf/all.hpp"

#if CAF_VERSION < 1700 || CAF_VERSION >= 1800
#error "mazurka/caf.hpp is for CAF 0.17"
#endif

namespace mazurka {
namespace caf {

using Main = std::function<void(::caf::actor_system&)>;

/// Performs what the checker asks for, or one execution if nobody asks. `modules`: what the program
/// loads into the system, in words.
[[gnu::visibility("default")]] int run(::caf::actor_system_config& config, const Main& main,
                                       const std::string& modules);

// --- in a test, in the same process
// ---------------------------------------------------------------

/// What a test has to work with: an ordinary actor system, and an actor that acts for the test.
class [[gnu::visibility("default")]] Test {
 public:
  ::caf::actor_system& sys;
  ::caf::scoped_actor self;

  explicit Test(::caf::actor_system & system) : sys(system), self(system) {}
  /// Everything is delivered until nothing is left: in every order.
  void run() { run_until_idle(); }
  /// The same, where there is no test at hand.
  static void run_until_idle();
  /// Must hold; in a handler as well as here.
  static void expect(bool condition, const std::string& text);
  /// What the actor is called in charts and findings.
  static void name(const ::caf::actor& actor, const std::string& name);
};

struct CheckOptions {
  std::string technique = "optimal";
  std::string channels = "mailbox";  // or fifo, none
  std::string timeouts = "idle";     // or any, never
  // What is no finding: unhandled, unanswered, errors, running.
  std::vector<std::string> allow = {"running"};
  bool left = false;  // messages that are skipped for ever are findings
  bool keep_going = false;
  std::uint64_t max_executions = 0;  // 0: no limit
  double max_seconds = 0;
  std::uint64_t max_events = 100000;  // per execution
  std::uint64_t seed = 0;
};

struct [[gnu::visibility("default")]] CheckResult {
  struct Problem {
    std::string kind;
    std::string message;
    std::string chart;
  };
  bool complete = false;
  std::string error;  // why nothing was explored; empty: it was
  std::vector<Problem> problems;
  std::uint64_t executions = 0;
  std::uint64_t asleep = 0;
  std::uint64_t events = 0;
  double seconds = 0;

  [[nodiscard]] bool verified() const { return complete && error.empty() && problems.empty(); }
  /// For a test's log.
  [[nodiscard]] std::string text() const;
};

/// Explores the test, which is performed anew for every order.
[[nodiscard, gnu::visibility("default")]] CheckResult check(
    const std::function<void(Test&)>& test, const CheckOptions& options = CheckOptions());

/// The same for a function of a fixture, a class derived from Test that is made anew for every
/// order, as CAF's own deterministic fixture is for every test.
template <class Fixture>
[[nodiscard]] CheckResult check(void (Fixture::*test)(),
                                const CheckOptions& options = CheckOptions()) {
  return check(
      [test](Test& made) {
        Fixture fixture(made.sys);
        (fixture.*test)();
      },
      options);
}

namespace detail {

inline void call(void (*main)(::caf::actor_system&), ::caf::actor_system& system,
                 ::caf::actor_system_config&) {
  main(system);
}
template <class Config>
void call(void (*main)(::caf::actor_system&, const Config&), ::caf::actor_system& system,
          Config& config) {
  main(system, config);
}

inline ::caf::actor_system_config config_of(void (*)(::caf::actor_system&));
template <class Config>
Config config_of(void (*)(::caf::actor_system&, const Config&));

// What CAF_MAIN is given: modules, which are refused, and types of messages, which are announced.
template <class Part>
using IsModule = std::is_base_of<::caf::actor_system::module, Part>;

template <class Part>
typename std::enable_if<IsModule<Part>::value>::type load_types(::caf::actor_system_config&) {}
template <class Part>
typename std::enable_if<!IsModule<Part>::value>::type load_types(
    ::caf::actor_system_config& config) {
  config.load<Part>();
}

template <class... Parts, class Function>
int run_program(Function main, const std::string& parts, int argc, char** argv) {
  decltype(config_of(main)) config;
  bool has_modules = false;
  for (const bool one : {false, IsModule<Parts>::value...}) has_modules = has_modules || one;
  for (const int one : {0, (load_types<Parts>(config), 0)...}) static_cast<void>(one);
  if (auto failure = config.parse(argc, argv)) {
    std::cerr << "error in the options of CAF: " << ::caf::actor_system_config::render(failure)
              << std::endl;
    return EXIT_FAILURE;
  }
  if (config.cli_helptext_printed) return EXIT_SUCCESS;
  return run(
      config, [&](::caf::actor_system& system) { call(main, system, config); },
      has_modules ? parts : "");
}

}  // namespace detail
}  // namespace caf
}  // namespace mazurka

#undef CAF_MAIN
#define CAF_MAIN(...)                                                                            \
  int main(int argc, char** argv) {                                                              \
    return ::mazurka::caf::detail::run_program<__VA_ARGS__>(caf_main, #__VA_ARGS__, argc, argv); \
  }

#endif
