#include "words.hpp"

namespace certify {
namespace {

std::string name_of(const Certificate& certificate, std::uint32_t process) {
  const Process& described = certificate.processes[process];
  if (described.parent == none) return "process " + std::to_string(process);
  return "process " + std::to_string(process) + " (child " + std::to_string(described.nth) +
         " of process " + std::to_string(described.parent) + ")";
}

std::string words(const Certificate& certificate, const Part& part) {
  std::string text(name(part.action));
  if (has_operand(part.action)) text += " " + std::to_string(part.operand);
  return text + ", " + std::string(name(certificate.objects[part.object].kind)) + " " +
         std::to_string(part.object);
}

std::string words(const Certificate& certificate, const Operation& operation) {
  if (operation.end) return "has ended";
  if (operation.ending == Ending::stop) return "stop the program";
  if (operation.ending == Ending::exit) return "end the program";
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  for (const Part& part : operation.parts) add(words(certificate, part));
  for (const std::uint32_t child : operation.spawns) {
    add("create process " + std::to_string(child));
  }
  if (operation.joins != none) add("join process " + std::to_string(operation.joins));
  if (operation.choices > 1) add("choose one of " + std::to_string(operation.choices));
  return text.empty() ? "a step that touches nothing" : text;
}

std::string schedule(const Histories& history) {
  return "schedule " + std::to_string(history.number() + 1);
}

std::string line(const Histories& history, std::uint32_t at) {
  const Certificate& certificate = history.certificate();
  const Event& event = history[at];
  std::string text = "  " + std::to_string(at + 1) + ". process " + std::to_string(event.process) +
                     ": " + words(certificate, history.operation(event));
  const Outcome& outcome = certificate.nodes[event.after].outcome;
  if (event.choices > 1) text += " [choice " + std::to_string(outcome.choice) + "]";
  for (std::size_t part = 0; part < outcome.parts.size(); ++part) {
    const Action action = history.operation(event).parts[part].action;
    if (observes(action)) text += " [was " + std::to_string(outcome.parts[part].observed) + "]";
    if (may_fail(action) && !outcome.parts[part].succeeded) text += " [failed]";
  }
  return text + "\n";
}

std::string why(const Demand& demand) {
  const auto number = [](std::uint32_t at) { return "event " + std::to_string(at + 1); };
  switch (demand.reason) {
    case Reason::race:
      return number(demand.event) + " could have come without " + number(demand.earlier) +
             " before it";
    case Reason::waits:
      return "it waits at the end, but could have come before " + number(demand.earlier);
    case Reason::choice: return number(demand.event) + " has other outcomes";
    case Reason::exit:
      return "it could have ended the program in the place of " + number(demand.earlier);
  }
  return "";
}

}  // namespace

std::string words_for_log(const Histories& history, const NoExecution& wrong) {
  std::string text = "schedule " + std::to_string(history.number() + 2) +
                     " is no execution of the described program: " + wrong.what() + ", after\n";
  const std::uint32_t end = std::min(wrong.event, history.size());
  for (std::uint32_t at = 0; at < end; ++at) text += line(history, at);
  if (end == 0) text += "  no event\n";
  return text;
}

std::string words_for_nondeterminism(const Histories& history, std::uint32_t process,
                                     std::uint32_t event) {
  return schedule(history) + ": " + name_of(history.certificate(), process) +
         (event == none ? " is at its end in another state"
                        : " goes on with event " + std::to_string(event + 1) + " in another way") +
         " than in an earlier schedule in which the same happened before\n";
}

std::string words_for_too_many_cuts(const Histories& history) {
  return schedule(history) + ": there are too many ways in which a step could come earlier; " +
         "whether the set is complete is not decided\n";
}

std::string words_for_demand(const Histories& history, const Demand& demand) {
  const Certificate& certificate = history.certificate();
  const Operation& next = demand.event == none ? history.operation_at_end(demand.process)
                                               : history.operation(history[demand.event]);
  std::string text = "an execution is missing. After these events of " + schedule(history) + ":\n";
  bool any = false;
  for (std::uint32_t at = 0; at < history.size(); ++at) {
    if (!history.contains(demand.cut, at)) continue;
    text += line(history, at);
    any = true;
  }
  if (!any) text += "  (none)\n";
  text += name_of(certificate, demand.process) + " can go on with: " + words(certificate, next);
  if (demand.choice != none) text += " [choice " + std::to_string(demand.choice) + "]";
  return text + ",\nbecause " + why(demand) + ". No schedule has these events and goes on so.\n";
}

}  // namespace certify
