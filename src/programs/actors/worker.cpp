// mazurka::run: the program under test as a checker of itself.
//
// With a request in the environment it performs the request, sends the reply and is done; without
// one it performs a single execution, as a program of actors would. The conversation is that of
// programs/threads/protocol.hpp, so the front process needs to know nothing new but how to compile.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <span>

#include "core/session.hpp"
#include "explorers/registry.hpp"
#include "programs/actors/check.hpp"
#include "programs/threads/wire.hpp"

namespace mazurka {

namespace actors {
namespace {

using threads::Progress;
using threads::RawDivergence;
using threads::Reply;
using threads::Request;
using threads::Task;

int descriptor(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? -1 : static_cast<int>(std::strtol(text, nullptr, 10));
}

std::vector<std::byte> read_all(int file) {
  std::vector<std::byte> bytes;
  lseek(file, 0, SEEK_SET);
  std::byte buffer[4096];
  for (;;) {
    const ssize_t count = read(file, buffer, sizeof buffer);
    if (count <= 0) return bytes;
    bytes.insert(bytes.end(), buffer, buffer + count);
  }
}

void write_all(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count <= 0) return;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

Progress& map_progress() {
  const int file = descriptor(threads::progress_variable);
  void* memory = MAP_FAILED;
  if (file >= 0) {
    memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  if (memory == MAP_FAILED) {
    memory =
        mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  return *static_cast<Progress*>(memory);
}

// Handlers may print; while the search repeats them thousands of times nobody wants to read that.
void silence_program() {
  std::fflush(nullptr);
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

RawDivergence describe(const Divergence& divergence) {
  const auto in_words = [](const StepList& steps) {
    return steps.empty() ? std::string("a message that is not there or can not be handled")
                         : "message " + std::to_string(index(steps.process(0))) + " for object " +
                               std::to_string(index(steps[0].accesses[0].object));
  };
  RawDivergence raw{divergence.event, in_words(divergence.expected), in_words(divergence.seen)};
  if (divergence.endings) {
    raw.expected = "the execution ends: " + std::string(name(divergence.endings->first));
    raw.seen = "the execution ends: " + std::string(name(divergence.endings->second));
  }
  if (divergence.expected.empty() && divergence.wanted) {
    raw.expected = "message " + std::to_string(index(divergence.wanted->process)) + " is handled";
  }
  return raw;
}

class Worker {
 public:
  Worker(const System& system, const Request& request, Progress& progress)
      : request_(request),
        progress_(progress),
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
      reply_.error = "there is no order `" + request_.order + "`; it is fifo, eca or lca";
    } else if (request_.racy) {
      reply_.error = "actors share nothing, so there are no races to tolerate; leave out --racy";
    } else if (request_.must_save || !request_.resume_file.empty()) {
      reply_.error = "a search in a program of actors can not be saved and resumed";
    } else if (request_.task == Task::explore) {
      explore();
    } else {
      replay();
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    reply_.peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    return std::move(reply_);
  }

 private:
  void watch(Session& session) {
    session.on_execution = [this, &session](const Execution& execution) {
      const Statistics& now = session.statistics();
      progress_.executions.store(now.executions, std::memory_order_relaxed);
      progress_.asleep.store(now.asleep, std::memory_order_relaxed);
      progress_.events.store(now.events, std::memory_order_relaxed);
      progress_.depth.store(execution.size(), std::memory_order_relaxed);
      progress_.explored.store(now.explored, std::memory_order_relaxed);
      if (progress_.interrupt.load(std::memory_order_relaxed) != 0) session.interrupt();
    };
  }

  void explore() {
    const TechniqueRequest technique = parse_technique(request_.technique);
    reply_.error = refusal(technique, program_, request_.limits.sleep_sets);
    if (!reply_.error.empty()) return;
    Session session(program_, request_.limits);
    watch(session);
    reply_.complete = technique.make()->explore(session);
    reply_.seconds = session.seconds();
    reply_.stopped = session.stopped();
    reply_.statistics = session.statistics();
    if (reply_.stopped == Stop::interrupted || reply_.stopped == Stop::max_executions ||
        reply_.stopped == Stop::max_seconds) {
      reply_.notes.emplace_back(
          "searches in programs of actors are not saved: there is nothing to --resume");
    }
    if (session.divergence()) reply_.divergence.push_back(describe(*session.divergence()));
    if (request_.measure_replay) measure(technique);
    for (const Finding& finding : session.findings()) {
      const Performed again =
          perform(program_, finding.schedule, &finding, request_.limits.max_events);
      reply_.findings.push_back({finding, {}, {again.story}});
    }
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
  void measure(const TechniqueRequest& technique) {
    constexpr std::size_t sample_size = 20'000;
    std::vector<std::vector<Decision>> sample;
    ProcessNames names;
    {
      Limits limits = request_.limits;
      if (limits.max_executions == 0 || limits.max_executions > sample_size) {
        limits.max_executions = sample_size;
      }
      Session session(program_, limits);
      session.on_execution = [&](const Execution& execution) {
        if (execution.ending == Ending::asleep) return;
        std::vector<Decision>& decisions = sample.emplace_back();
        for (std::size_t at = 0; at < execution.size(); ++at) {
          decisions.push_back(execution.steps.decision(at));
        }
      };
      technique.make()->explore(session);
      names = session.names();
    }
    Configuration& plain = program_.configuration();
    Execution execution;
    Run run(program_.vocabulary(), names, execution);
    std::vector<std::vector<std::uint32_t>> orders;
    for (const std::vector<Decision>& decisions : sample) {
      run.start({.prefix = decisions}, {request_.limits.max_events, false, 0});
      program_.run(run);
      run.finish_execution();
      orders.push_back(plain.history());
    }
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
  ActorProgram program_;
  Reply reply_;
};

int answer(const System& system, int request_file, int reply_file) {
  Reply reply;
  try {
    const Request request = threads::decode_request(read_all(request_file));
    Progress& progress = map_progress();
    if (request.task == Task::explore) silence_program();
    reply = Worker(system, request, progress).carry_out();
  } catch (const std::exception& problem) {
    reply.error = problem.what();
  }
  std::fflush(nullptr);
  write_all(reply_file, threads::encode(reply));
  return 0;
}

int perform_once(const System& system) {
  ActorProgram program(system);
  const Performed performed = perform(program, {}, nullptr, Limits{}.max_events);
  for (const Finding& finding : performed.findings) {
    std::fprintf(stderr, "%s: %s\n", std::string(name(finding.kind)).c_str(),
                 finding.message.c_str());
  }
  return performed.findings.empty() ? 0 : 1;
}

}  // namespace
}  // namespace actors

int run(const System& system) {
  const int request_file = actors::descriptor(threads::request_variable);
  const int reply_file = actors::descriptor(threads::reply_variable);
  if (request_file >= 0 && reply_file >= 0) return actors::answer(system, request_file, reply_file);
  return actors::perform_once(system);
}

}  // namespace mazurka
