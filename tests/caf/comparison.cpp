#include "caf/comparison.hpp"

#include <map>
#include <set>
#include <vector>

#include "core/session.hpp"
#include "explorers/table.hpp"
#include "programs/caf/caf_program.hpp"
#include "programs/caf/v017/coordinator.hpp"
#include "programs/caf/v017/self_test.hpp"
#include "programs/caf/v017/world.hpp"

namespace mazurka::caf_test {

namespace {

using caf::Actor;
using caf::CafProgram;
using caf::Mail;
using caf::nobody;
using caf::Rules;
using caf::Traffic;

/// The latest execution, as what each actor was given in which order. Names are made of causes.
class Trace {
 public:
  explicit Trace(const Traffic& traffic) : traffic_(traffic) {
    std::map<std::uint32_t, int> sent;
    for (std::size_t at = 0; at < traffic.size(); ++at) {
      const std::uint32_t by = traffic[at].sent_by;
      const std::string nth = std::to_string(sent[by]++);
      mails_.push_back(by == nobody ? "m" + nth : mails_[by] + "." + nth);
    }
    std::map<std::uint32_t, int> created;
    for (const Actor& actor : traffic.actors()) {
      const std::uint32_t by = actor.created_by;
      const std::string nth = std::to_string(created[by]++);
      actors_.push_back("a" + nth + (by == nobody ? "" : " of " + mails_[by]));
    }
  }

  [[nodiscard]] std::string text() const {
    std::map<std::string, std::string> given;
    for (const std::uint32_t number : traffic_.history()) {
      const Mail& mail = traffic_[number];
      if (mail.idle) continue;
      given[actors_[mail.receiver]] += mails_[number] + " ";
      // What is attached to the end of another comes before or after what the asker does.
      if (mail.asker != nobody && mail.asker != mail.receiver) {
        given[actors_[mail.asker]] += mails_[number] + " ";
      }
    }
    std::string all;
    for (const auto& [actor, mails] : given) all += actor + ": " + mails + "\n";
    return all;
  }

 private:
  const Traffic& traffic_;
  std::vector<std::string> mails_;
  std::vector<std::string> actors_;
};

struct Explored {
  std::map<std::string, int> traces;  // and how often
  std::set<Log> logs;
  std::uint64_t executions = 0;
  bool complete = false;
  bool refused = false;  // by the technique
  std::string cannot;    // what of the system can not be explored
  std::string problem;
};

std::string text_of(const Log& log) {
  std::string text;
  for (const auto& [actor, seen] : log) text += "  " + actor + " sees " + seen + "\n";
  return text;
}

Rules rules_of(std::uint64_t number) {
  Rules rules;
  rules.channels = static_cast<caf::Channels>(number % 3);
  rules.timeouts = static_cast<caf::Timeouts>(number / 3 % 3);
  rules.allow_unhandled = rules.allow_unanswered = rules.allow_errors = rules.allow_running = true;
  return rules;
}

}  // namespace

struct Comparison::Parts {
  ::caf::actor_system_config config;
  ::caf::actor_system system;

  Parts() : system(prepared(config)) {}

  static ::caf::actor_system_config& prepared(::caf::actor_system_config& config) {
    caf::v017::use_coordinator(config);
    return config;
  }

  Explored explore(const Script& script, const Rules& rules, const std::string& technique,
                   std::uint64_t most) {
    Log log;
    caf::v017::World world(system, [&](::caf::actor_system& sys) { perform(script, sys, log); });
    CafProgram program(world, rules);
    if (technique == "trans") program.expect_deliveries_only();
    for (;;) {
      Explored explored;
      std::map<std::string, Log> log_of;
      Session session(program, {.max_executions = most, .max_events = 1000, .keep_going = true});
      session.on_execution = [&](const Execution& execution) {
        if (program.must_restart() || !program.refusal().empty()) session.interrupt();
        if (execution.ending == Ending::cut) session.interrupt();  // it goes on for ever
        if (execution.ending == Ending::asleep) return;
        ++explored.executions;
        const std::string trace = Trace(program.latest()).text();
        ++explored.traces[trace];
        explored.logs.insert(log);
        const auto [known, is_new] = log_of.emplace(trace, log);
        if (!is_new && known->second != log) {
          explored.problem = "has two logs for one trace:\n" + trace + text_of(known->second) +
                             "and\n" + text_of(log);
        }
      };
      explored.complete = find_technique(technique)->make({})->explore(session);
      explored.refused = session.stopped() == Stop::refused;
      if (session.divergence()) {
        explored.problem = "is not deterministic at event " +
                           std::to_string(session.divergence()->event) + " of\n" +
                           Trace(program.latest()).text();
      }
      explored.cannot = program.refusal();
      if (!session.findings().empty()) explored.problem = session.findings().front().message;
      if (!program.must_restart()) return explored;
      program.restart();
    }
  }
};

Comparison::Comparison() : parts_(new Parts) {}
Comparison::~Comparison() { delete parts_; }

Compared Comparison::compare(std::uint64_t number, std::uint64_t most_orders) {
  const Script script = make_script(number);
  const Rules rules = rules_of(number);
  Compared result;
  const Explored truth = parts_->explore(script, rules, "exhaustive", most_orders);
  if (!truth.cannot.empty()) {
    result.refused = true;
    for (const char* technique : {"sleep", "dpor", "source", "optimal"}) {
      constexpr std::uint64_t plenty = 5000;
      const Explored explored = parts_->explore(script, rules, technique, plenty);
      if (explored.complete && explored.cannot.empty()) {
        result.wrong += std::string(technique) + " does not see that " + truth.cannot + "\n";
      }
    }
    if (!result.wrong.empty()) result.wrong += to_text(script);
    return result;
  }
  if (!truth.complete && truth.problem.empty()) {
    result.too_large = true;
    return result;
  }
  result.traces = truth.traces.size();
  result.orders = truth.executions;
  const auto wrong = [&](const std::string& technique, const std::string& why) {
    result.wrong += technique + " " + why + "\n";
  };
  if (!truth.problem.empty()) wrong("exhaustive", truth.problem);
  for (const char* technique : {"sleep", "dpor", "source", "optimal", "reverse", "trans"}) {
    const Explored explored = parts_->explore(script, rules, technique, 0);
    if (explored.refused || !explored.cannot.empty()) continue;  // reverse and trans take less
    if (std::string(technique) == "reverse") result.reversed = true;
    if (std::string(technique) == "trans") result.transitive = true;
    if (!explored.problem.empty()) wrong(technique, explored.problem);
    if (!explored.complete) wrong(technique, "does not come to an end");
    if (explored.logs != truth.logs) {
      wrong(technique, "sees " + std::to_string(explored.logs.size()) + " of " +
                           std::to_string(truth.logs.size()) + " outcomes");
    }
    if (explored.traces.size() != truth.traces.size()) {
      wrong(technique, "has " + std::to_string(explored.traces.size()) + " of " +
                           std::to_string(truth.traces.size()) + " traces");
    }
    for (const auto& [trace, times] : explored.traces) {
      if (times == 1) continue;
      wrong(technique, "repeats a trace:\n" + trace);
      break;
    }
  }
  if (!result.wrong.empty()) result.wrong += to_text(script);
  return result;
}

}  // namespace mazurka::caf_test
