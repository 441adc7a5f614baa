// The conversation is that of host/protocol.hpp, so the front process needs to know nothing new but
// how to compile.
#include "programs/caf/worker.hpp"

#include <cstdio>
#include <exception>

#include "driver/driver.hpp"
#include "explorers/table.hpp"
#include "host/deliveries.hpp"
#include "host/sent_files.hpp"
#include "programs/caf/check.hpp"

namespace mazurka::caf {

namespace {

using host::Progress;
using host::RawDivergence;
using host::Reply;
using host::Request;
using host::Task;

RawDivergence describe(const Divergence& divergence) {
  return host::describe_delivery(divergence, "a message that is not there", [](Step step) {
    return "message " + std::to_string(index(step.process()));
  });
}

class Worker {
 public:
  Worker(System& system, const Rules& rules, const Request& request, Progress& progress, int files)
      : request_(request), progress_(progress), files_(files), program_(system, rules) {
    program_.keep({progress.schedule, Progress::max_schedule,
                   [](void* owner, std::uint32_t size) {
                     static_cast<Progress*>(owner)->schedule_size.store(size,
                                                                        std::memory_order_relaxed);
                   },
                   &progress});
  }

  Reply carry_out() {
    if (request_.must_save) {
      reply_.error = "a search in a program of CAF can not be saved and resumed";
    } else if (request_.task == Task::explore) {
      explore();
    } else {
      replay();
    }
    if (!program_.refusal().empty()) {
      reply_.error = "the program does what can not be explored: " + program_.refusal();
    }
    reply_.peak_memory = host::peak_memory();
    return std::move(reply_);
  }

 private:
  void explore() {
    const TechniqueRequest technique = parse_technique(request_.technique);
    reply_.error = refusal(technique, request_.limits.sleep_sets);
    if (!reply_.error.empty()) return;
    if (technique.technique->needs == Needs::messages) program_.expect_deliveries_only();
    CafSubject subject(program_);
    host::FrontProcess front(progress_);
    Plan plan = plan_of(request_.technique, technique, request_.limits);
    plan.saving = host::saving_of(request_);
    plan.make_file = host::files_sent_over(files_, request_);
    Driver driver(subject, front, plan);
    const Explored explored = driver.explore();
    host::take_over(explored, "programs of CAF", reply_);
    if (explored.divergence) reply_.divergence.push_back(describe(*explored.divergence));
    if (program_.has_too_many_messages()) {
      reply_.complete = false;
      reply_.stopped = Stop::cut;
      reply_.limit = "sends more than 65,534 messages";
    }
    reply_.grounds.unexplored = program_.unexplored();
    if (!Watch::instrumented()) {
      reply_.notes.emplace_back(
          "what actors share besides messages was not looked at: the program was compiled without "
          "it (--races off, or not by mazurka check)");
    }
    if (!program_.refusal().empty()) return;
    driver.tell(explored.findings, [this](const Finding& finding, const auto&) {
      const Performed again =
          perform(program_, finding.schedule, &finding, request_.limits.max_events);
      reply_.findings.push_back({in_words(finding, again), {}, {again.story}});
    });
  }

  void replay() {
    Performed performed = perform(program_, request_.schedule, nullptr, request_.limits.max_events);
    if (program_.must_restart()) {
      program_.restart();
      performed = perform(program_, request_.schedule, nullptr, request_.limits.max_events);
    }
    reply_.complete = true;
    reply_.statistics.executions = 1;
    if (performed.divergence) reply_.divergence.push_back(describe(*performed.divergence));
    for (const Finding& finding : performed.findings) {
      reply_.findings.push_back({finding, {}, {performed.story}});
    }
  }

  const Request& request_;
  Progress& progress_;
  int files_;
  CafProgram program_;
  Reply reply_;
};

}  // namespace

int answer(System* system, const std::string& refusal, const host::Channel& channel) {
  Reply reply;
  try {
    const Request request = channel.receive();
    Progress& progress = channel.map_progress();
    host::hand_on_failed_checks(progress);
    std::string words = request.checks.rules;
    const auto rules = parse_rules(words);
    if (system == nullptr || !refusal.empty()) {
      reply.error = refusal;
    } else if (!rules) {
      reply.error = "programs of CAF have no setting `" + words + "`";
    } else {
      if (request.task == Task::explore) {  // actors may print
        std::fflush(nullptr);
        host::silence_program();
      }
      reply = Worker(*system, *rules, request, progress, channel.files).carry_out();
    }
  } catch (const std::exception& problem) {
    reply.error = problem.what();
  }
  channel.send(reply);
  return 0;
}

int perform_once(System& system) {
  CafProgram program(system, {});
  Performed performed = perform(program, {}, nullptr, Limits{}.max_events);
  if (program.must_restart()) {
    program.restart();
    performed = perform(program, {}, nullptr, Limits{}.max_events);
  }
  if (program.has_too_many_messages()) {
    std::fprintf(stderr, "the program sends more than 65,534 messages\n");
  }
  if (!program.refusal().empty()) std::fprintf(stderr, "%s\n", program.refusal().c_str());
  host::print_findings(performed.findings);
  return performed.findings.empty() && program.refusal().empty() ? 0 : 1;
}

}  // namespace mazurka::caf
