#include "programs/threads/runtime/divergence.hpp"

#include <cstdio>
#include <string>

#include "programs/threads/runtime/hooks/hooks.hpp"

namespace mazurka::threads {

namespace {

std::string in_words(const Step& step, bool present) {
  if (!present) return "nothing: the process cannot move or has ended";
  std::string text = "process " + std::to_string(index(step.process())) + ": ";
  if (step.exits) return text + "ends the program";
  if (step.awaited != no_process) {
    return text + "joins process " + std::to_string(index(step.awaited));
  }
  if (step.accesses.empty()) return text + "creates a process or makes a choice";
  const Vocabulary& vocabulary = runtime->vocabulary();
  for (const Access& access : step.accesses) {
    char address[32];
    std::snprintf(address, sizeof address, " at 0x%lx",
                  static_cast<unsigned long>(runtime->objects()[access.object].address));
    if (&access != step.accesses.data()) text += ", ";
    text += vocabulary.modes(access.kind)[access.mode].name + " of " +
            vocabulary.kind_name(access.kind) + address;
  }
  return text;
}

}  // namespace

RawDivergence divergence_in_words(const Divergence& divergence) {
  RawDivergence raw;
  raw.event = divergence.event;
  const bool expected = !divergence.expected.empty();
  const bool seen = !divergence.seen.empty();
  raw.expected = in_words(expected ? divergence.expected[0] : Step{}, expected);
  raw.seen = in_words(seen ? divergence.seen[0] : Step{}, seen);
  if (divergence.endings) {
    raw.expected = "the execution ends: " + std::string(name(divergence.endings->first));
    raw.seen = "the execution ends: " + std::string(name(divergence.endings->second));
    if (raw.expected == raw.seen) raw.seen += ", after another number of operations";
  }
  raw.stack = runtime->diverged_at();
  if (!expected && divergence.wanted) {
    raw.expected = "process " + std::to_string(index(divergence.wanted->process)) + " moves";
  }
  return raw;
}

}  // namespace mazurka::threads
