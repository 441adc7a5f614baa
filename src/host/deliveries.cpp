#include "host/deliveries.hpp"

#include <cstdio>

#include "core/check.hpp"

namespace mazurka::host {

RawDivergence describe_delivery(const Divergence& divergence, std::string_view absent,
                                const std::function<std::string(Step)>& in_words) {
  const auto described = [&](const StepList& steps) {
    return steps.empty() ? std::string(absent) : in_words(steps[0]);
  };
  RawDivergence raw{divergence.event, described(divergence.expected), described(divergence.seen)};
  if (divergence.endings) {
    raw.expected = "the execution ends: " + std::string(name(divergence.endings->first));
    raw.seen = "the execution ends: " + std::string(name(divergence.endings->second));
  }
  if (divergence.expected.empty() && divergence.wanted) {
    raw.expected = "message " + std::to_string(index(divergence.wanted->process)) + " is handled";
  }
  return raw;
}

Saving saving_of(const Request& request) {
  return {request.save_file, request.save_about, request.save_seconds, request.resume_file,
          request.part,      request.parts,      request.shared};
}

void take_over(const Explored& explored, const std::string& programs, Reply& reply) {
  reply.error = explored.refusal;
  reply.complete = explored.complete;
  reply.must_begin_anew = explored.must_begin_anew;
  reply.seconds = explored.seconds;
  reply.stopped = explored.stopped;
  reply.statistics = explored.statistics;
  reply.rest = explored.rest;
  reply.grounds.interacted = true;  // a question for threads: actors do nothing but interact
  reply.notes = explored.notes;
  const bool is_part = explored.rest.tasks > 0;
  if (could_go_on(explored.stopped) && !is_part) {
    reply.notes.push_back("searches in " + programs +
                          " are not saved: there is nothing to --resume");
  }
}

void print_findings(std::span<const Finding> findings) {
  for (const Finding& finding : findings) {
    std::fprintf(stderr, "%s: %s\n", std::string(name(finding.kind)).c_str(),
                 finding.message.c_str());
  }
}

std::string lines_of(const Story& story) {
  std::string text;
  for (const StoryRow& row : story.rows) {
    MAZURKA_CHECK(row.process < story.processes.size(), "a row is that of a process");
    text += story.processes[row.from.value_or(row.process)] + " -> " +
            story.processes[row.process] + ": " + row.action + (row.failing ? "  <- here\n" : "\n");
  }
  for (const std::string& ending : story.endings) text += ending + "\n";
  return text;
}

}  // namespace mazurka::host
