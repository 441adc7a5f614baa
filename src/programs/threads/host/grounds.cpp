#include "programs/threads/host/grounds.hpp"

#include <utility>

#include "programs/threads/host/storyteller.hpp"
#include "programs/threads/host/symbols.hpp"

namespace mazurka::threads {

namespace {

std::string executions(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " execution" : " executions");
}

std::string who_was_left(const Reply& reply) {
  const Symbols symbols(reply.modules);
  std::string text = "the program ended while other threads waited for ever in " +
                     executions(reply.statistics.left_waiting) +
                     " (--liveness makes that a finding)";
  std::string before = "; in one of them ";
  for (const std::string& line : Storyteller(symbols, reply.left_waiting).who_waits()) {
    text += std::exchange(before, ", and ") + line;
  }
  return text;
}

std::string unseen_code_in_words(const Reply& reply) {
  const std::vector<std::uint64_t> stack{reply.grounds.unseen_at + 1};  // as after a call there
  const std::string place = place_of(Symbols(reply.modules), stack);
  const std::string function = hidden_code_at(reply.modules, reply.grounds.unseen_at).function;
  return (place.empty() ? "`" + function + "`" : place) +
         " accesses memory while other threads run, and these accesses are not seen: it is inline "
         "assembly, is excepted from instrumentation (no_sanitize_thread), or was not built for "
         "Mazurka; build it with mazurka-cc or mazurka-c++, without the exception, and with a "
         "plain "
         "or atomic access in the place of assembly";
}

}  // namespace

std::string why_not_verified(const Reply& reply) {
  const Statistics& counts = reply.statistics;
  if (reply.grounds.sampled) {
    return "of values that may be anything (__VERIFIER_nondet_...) only a few were tried";
  }
  if (!reply.grounds.unordered.empty()) {
    return "two threads use " + reply.grounds.unordered +
           " with nothing to order them, and calls of the system are no scheduling points: only "
           "one of the orders was seen; put a lock around both";
  }
  if (reply.grounds.unseen_at != 0) {
    return unseen_code_in_words(reply);
  }
  if (!reply.grounds.unexplored.empty()) {
    return reply.grounds.unexplored + ": some of the behaviours may not have been explored";
  }
  if (counts.executions > counts.repeated) return {};
  if (counts.assumed > 0) {
    return "no execution met the assumptions; " + executions(counts.assumed) +
           (counts.assumed == 1 ? " was" : " were") + " ended by them";
  }
  if (counts.in_vain > 0) return "in every execution a thread is left waiting in a loop";
  return "no execution came to an end";
}

std::vector<std::string> grounds_of(const Request& request, const Reply& reply,
                                    const std::vector<ForeignCode>& foreign,
                                    const std::string& assertions) {
  const Statistics& counts = reply.statistics;
  const Grounds& grounds = reply.grounds;
  std::vector<std::string> lines;
  if (grounds.weak_orders) {
    std::string line = "memory orders weaker than seq_cst were run as seq_cst";
    if (!grounds.as_strong.empty()) line += ", because of " + grounds.as_strong;
    const std::string object = name_of(Symbols(reply.modules), grounds.as_strong_object);
    if (!object.empty()) line += " (" + object + ")";
    lines.push_back(line + "; what only weaker memory can show was not explored");
  }
  if (grounds.order_matters) {
    const std::string object = name_of(Symbols(reply.modules), grounds.order_object);
    lines.push_back(
        "states were not compared: whether anything orders two accesses" +
        (object.empty() ? std::string() : " (" + object + ")") +
        " depends on the order of steps that lead to one state; --races off does not ask for that");
  }
  if (!request.checks.races && !request.racy) {
    lines.emplace_back(
        "data races were not looked for (--races off), and what accesses that race can cause was "
        "not explored (--racy explores it)");
  }
  for (const ForeignCode& code : foreign) lines.push_back(code.text());
  if (counts.assumed > 0 && counts.executions > counts.repeated) {
    lines.push_back(executions(counts.assumed) + (counts.assumed == 1 ? " was" : " were") +
                    " ended by an assumption that does not hold");
  }
  if (!assertions.empty()) lines.push_back(assertions);
  if (grounds.chance || grounds.clocks) {
    const std::string what = !grounds.clocks   ? "random numbers were"
                             : !grounds.chance ? "clocks were"
                                               : "random numbers and clocks were";
    lines.push_back(what + " the same sequence in every execution");
  }
  if (counts.bad_exits > 0) {
    lines.push_back("the program ended with exit code " + std::to_string(counts.exit_code) +
                    " in " + executions(counts.bad_exits) +
                    " (--exit-code finding makes that a finding)");
  }
  if (counts.left_waiting > 0) lines.push_back(who_was_left(reply));
  // Where something was not seen, that is not known.
  const bool all_seen = foreign.empty() && grounds.unseen_at == 0 && request.checks.races &&
                        grounds.unordered.empty() && grounds.unexplored.empty();
  if (reply.complete && counts.processes > 1 && !grounds.interacted && all_seen) {
    lines.emplace_back(
        "the threads had nothing in common whose order matters: is that what you meant to check?");
  }
  return lines;
}

}  // namespace mazurka::threads
