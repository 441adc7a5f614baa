// mazurka::run: the program under test as a checker of itself.
//
// With a request in the environment it performs the request, sends the reply and is done; without
// one it performs a single execution, as a program of actors would. The conversation is that of
// host/protocol.hpp, so the front process needs to know nothing new but how to compile.
#include <cstdio>
#include <ctime>
#include <exception>

#include "driver/driver.hpp"
#include "explorers/table.hpp"
#include "host/channel.hpp"
#include "host/deliveries.hpp"
#include "host/sent_files.hpp"
#include "programs/actors/check.hpp"

namespace mazurka {

namespace actors {
namespace {

using host::Progress;
using host::RawDivergence;
using host::Reply;
using host::Request;
using host::Task;

RawDivergence describe(const Divergence& divergence) {
  return host::describe_delivery(
      divergence, "a message that is not there or can not be handled", [](Step step) {
        return "message " + std::to_string(index(step.process())) + " for object " +
               std::to_string(index(step.accesses[0].object));
      });
}

class Worker {
 public:
  Worker(const System& system, const Request& request, Progress& progress, int files)
      : request_(request),
        progress_(progress),
        files_(files),
        program_(system, parse_order(request.order).value_or(Order::fifo)) {
    program_.keep({progress.schedule, Progress::max_schedule,
                   [](void* owner, std::uint32_t size) {
                     static_cast<Progress*>(owner)->schedule_size.store(size,
                                                                        std::memory_order_relaxed);
                   },
                   &progress});
  }

  Reply carry_out() {
    if (!parse_order(request_.order)) {
      reply_.error = "there is no order `" + request_.order + "`; it is fifo, eca, lca or urgent";
    } else if (request_.racy) {
      reply_.error = "actors share nothing, so there are no races to tolerate; leave out --racy";
    } else if (request_.must_save) {
      reply_.error = "a search in a program of actors can not be saved and resumed";
    } else if (request_.task == Task::explore) {
      explore();
    } else {
      replay();
    }
    reply_.peak_memory = host::peak_memory();
    return std::move(reply_);
  }

 private:
  void explore() {
    const TechniqueRequest technique = parse_technique(request_.technique);
    reply_.error = refusal(technique, program_, request_.limits.sleep_sets);
    if (!reply_.error.empty()) return;
    Subject subject(program_);
    host::FrontProcess front(progress_);
    Plan plan = plan_of(request_.technique, technique, request_.limits);
    plan.saving = host::saving_of(request_);
    plan.make_file = host::files_sent_over(files_, request_);
    TreeRecorder tree;
    if (request_.tree) plan.tree = &tree;
    Driver driver(subject, front, plan);
    const Explored explored = driver.explore();
    host::take_over(explored, "programs of actors", reply_);
    if (explored.divergence) reply_.divergence.push_back(describe(*explored.divergence));
    if (request_.measure_replay) measure(driver.sample());
    driver.tell(explored.findings, [this](const Finding& finding, const auto&) {
      const Performed again =
          perform(program_, finding.schedule, &finding, request_.limits.max_events);
      reply_.findings.push_back({finding, {}, {again.story}});
    });
    if (request_.tree) reply_.tree.tree = told_tree(program_, tree.tree());
  }

  void replay() {
    const Performed performed =
        perform(program_, request_.schedule, nullptr, request_.limits.max_events);
    reply_.complete = true;
    reply_.statistics.executions = 1;
    if (performed.divergence) reply_.divergence.push_back(describe(*performed.divergence));
    for (const Finding& finding : performed.findings) {
      reply_.findings.push_back({finding, {}, {performed.story}});
    }
  }

  // The same executions without a search: what the handlers and the bookkeeping alone cost.
  void measure(Sample sample) {
    Configuration& plain = program_.configuration();
    std::vector<std::vector<std::uint32_t>> orders;
    mazurka::replay(program_, sample, {request_.limits.max_events, false, 0},
                    [&] { orders.push_back(plain.mails().history()); });
    const std::clock_t begin = std::clock();  // processor time: others may be at work, too
    for (const std::vector<std::uint32_t>& order : orders) {
      plain.reset();
      for (const std::uint32_t mail : order) plain.deliver(mail);
    }
    reply_.replay_seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    reply_.replay_executions = orders.size();
  }

  const Request& request_;
  Progress& progress_;
  int files_;
  ActorProgram program_;
  Reply reply_;
};

int answer(const System& system, const host::Channel& channel) {
  Reply reply;
  try {
    const Request request = channel.receive();
    Progress& progress = channel.map_progress();
    host::hand_on_failed_checks(progress);
    if (request.task == Task::explore) {  // handlers may print
      std::fflush(nullptr);
      host::silence_program();
    }
    reply = Worker(system, request, progress, channel.files).carry_out();
  } catch (const std::exception& problem) {
    reply.error = problem.what();
  }
  channel.send(reply);
  return 0;
}

int perform_once(const System& system) {
  ActorProgram program(system);
  const Performed performed = perform(program, {}, nullptr, Limits{}.max_events);
  host::print_findings(performed.findings);
  return performed.findings.empty() ? 0 : 1;
}

}  // namespace
}  // namespace actors

int run(const System& system) {
  if (const auto channel = host::inherited_channel()) return actors::answer(system, *channel);
  return actors::perform_once(system);
}

}  // namespace mazurka
