// The program under test as a checker of itself.
//
// The C library's start-up code is asked to call checked_main instead of main. With a request in
// the environment it performs the request, sends the reply and ends; without one the program runs
// as if it had been built by an ordinary compiler.
#include <cxxabi.h>
#include <link.h>
#include <sys/single_threaded.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <typeinfo>

#include "core/session.hpp"
#include "explorers/shorten.hpp"
#include "explorers/table.hpp"
#include "programs/threads/channel.hpp"
#include "programs/threads/runtime/check_function.hpp"
#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/hunt.hpp"
#include "programs/threads/runtime/library_calls.hpp"
#include "programs/threads/runtime/machine/confinement.hpp"
#include "programs/threads/runtime/machine/signals.hpp"
#include "programs/threads/runtime/saver.hpp"
#include "programs/threads/runtime/surroundings.hpp"
#include "programs/threads/runtime/survey.hpp"

namespace mazurka::threads {

namespace {

int (*program_main)(int, char**, char**) = nullptr;

// An exception that nobody catches ends up here, as does every other call of std::terminate.
[[noreturn]] void terminated() {
  if (!scheduled()) native().abort();
  inside_engine = true;
  std::string message = "std::terminate called";
  if (const std::type_info* type = abi::__cxa_current_exception_type()) {
    int status = 0;
    char* readable = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    const std::string name = status == 0 ? readable : type->name();
    __libc_free(readable);
    message = "exception of type " + name + " is not caught";
    try {
      throw;
    } catch (const std::exception& exception) {
      message += ": " + std::string(exception.what());
    } catch (...) {
      message += "";
    }
    runtime->fail(FindingKind::uncaught_exception, message, message);
  }
  runtime->fail(FindingKind::abort, message + " (a joinable std::thread was destroyed?)", message);
}

std::vector<RawModule> modules() {
  std::vector<RawModule> all;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        std::string path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
        if (path.empty()) {
          char own[4096];
          const ssize_t length = readlink("/proc/self/exe", own, sizeof own);
          if (length > 0) path.assign(own, static_cast<std::size_t>(length));
        }
        static_cast<std::vector<RawModule>*>(out)->push_back({info->dlpi_addr, path});
        return 0;
      },
      &all);
  return all;
}

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

/// Whether two processes touch one object in this execution.
bool interacts(const Execution& execution) {
  std::vector<ProcessId> first;  // by object
  for (std::size_t at = 0; at < execution.size(); ++at) {
    const Step step = execution.steps[at];
    for (const Access& access : step.accesses) {
      if (index(access.object) >= first.size()) first.resize(index(access.object) + 1, no_process);
      ProcessId& known = first[index(access.object)];
      if (known == no_process) known = step.process();
      if (known != step.process()) return true;
    }
  }
  return false;
}

RawDivergence describe(const Divergence& divergence) {
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

constexpr double seconds_of_profile = 0.15;

class Worker {
 public:
  Worker(const Request& request, Progress& progress, const Channel& channel)
      : request_(request), progress_(progress), channel_(channel) {}

  Reply carry_out() {
    switch (request_.task) {
      case Task::explore: explore(); break;
      case Task::replay:
      case Task::debug: replay_request(); break;
    }
    reply_.modules = modules();
    reply_.exposed = runtime->exposed();
    reply_.peak_memory = peak_memory();
    return std::move(reply_);
  }

 private:
  [[nodiscard]] static bool void_so_far() {
    return runtime->must_restart() || !runtime->error().empty();
  }

  [[nodiscard]] bool interrupted() const {
    return progress_.interrupt.load(std::memory_order_relaxed) != 0;
  }

  void watch(Session& session) {
    session.on_execution = [this, &session](const Execution& execution) {
      publish(session, execution, progress_);
      progress_.position.store(0, std::memory_order_relaxed);  // no execution is under way
      Grounds& grounds = runtime->grounds();
      grounds.interacted = grounds.interacted || interacts(execution);
      if (!runtime->must_restart()) runtime->count_accepted_races();
      if (interrupted() || void_so_far()) session.interrupt();
    };
  }

  void explore() {
    const TechniqueRequest technique = parse_technique(request_.technique);
    if (!technique.error.empty()) {
      reply_.error = technique.error;
      return;
    }
    if (!request_.order.empty() || !request_.limits.sleep_sets) {
      reply_.error = "--order and --sleep-sets are for programs of actors; leave them out here";
      return;
    }
    bool resuming = !request_.resume_file.empty();
    Limits limits = request_.limits;
    limits.stop_when_cut = request_.bound_is_default && !is_sample();
    std::unique_ptr<Session> given_up;
    for (;;) {
      auto owned = std::make_unique<Session>(*runtime, limits);
      Session& session = *owned;
      if (given_up != nullptr) session.begin_again_after(*given_up);
      session.began(begun_);
      session.crashing = request_.crashing;
      watch(session);
      const std::unique_ptr<Explorer> explorer = technique.make();
      Saver saver(request_, progress_, session, *explorer);
      Hunt hunt(*runtime, request_, progress_);
      Survey survey(*runtime, request_, progress_);
      session.on_pause = [&] {
        if (request_.technique_is_default && !limits.keep_going) hunt.pause(session);
        survey.pause(session);
        saver.pause();
      };
      const bool complete = resuming ? saver.resume(*explorer) : explorer->explore(session);
      resuming = false;
      if (session.stopped() == Stop::cut && !void_so_far()) {
        hunt.instead(session.seconds());
        for (const Finding& finding : hunt.findings()) session.adopt(finding);
      }
      if (runtime->must_restart() && runtime->error().empty()) {
        runtime->restarted();
        given_up = std::move(owned);
        continue;
      }
      session.settle_earlier_findings();
      take_over(session, complete);
      if (const std::string account = hunt.account(); !account.empty()) {
        const bool found = !hunt.findings().empty();
        reply_.notes.push_back("beside the search, " + account +
                               (found ? ": that is how the finding was made" : ""));
      }
      if (!explorer->resumable()) note_that_nothing_is_saved(session.stopped());
      if (saver.failure() != 0 && was_cut(session.stopped())) {
        reply_.notes.push_back("the exploration could not be saved to " + request_.save_file +
                               ": " + std::strerror(saver.failure()));
      }
      if (was_cut(session.stopped()) && reply_.findings.empty() && !runtime->abandoned()) {
        reply_.profile = survey.profile(seconds_of_profile);
      }
      break;
    }
    if (request_.measure_replay && reply_.error.empty() && seconds_left() > 0) measure(technique);
    progress_.telling.store(1, std::memory_order_relaxed);
    if (!reply_.findings.empty()) send_draft();
    for (RawFinding& found : reply_.findings) {
      if (request_.shorten) make_shorter(found);
      found.story = tell_for_good(found.finding).story;
    }
  }

  [[nodiscard]] static bool was_cut(Stop stopped) {
    return stopped == Stop::interrupted || stopped == Stop::max_executions ||
           stopped == Stop::max_seconds || stopped == Stop::cut;
  }

  /// Telling may take too long, or be what the process dies of: what was found is safe then.
  void send_draft() {
    surroundings.restore();  // nothing of the program's is to be waited for
    reply_.draft = true;
    reply_.modules = modules();
    channel_.send(reply_);
    reply_.draft = false;
  }

  [[nodiscard]] double seconds_left() const {
    if (request_.limits.max_seconds <= 0) return std::numeric_limits<double>::infinity();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begun_;
    return request_.limits.max_seconds - passed.count();
  }

  // A sample (random, pct) has no end to come to: the search can as well go on with another seed.
  void note_that_nothing_is_saved(Stop stopped) {
    if (!was_cut(stopped) || stopped == Stop::cut || is_sample()) return;
    reply_.notes.emplace_back("the technique " + request_.technique +
                              " can not save its exploration: there is nothing to --resume");
  }

  [[nodiscard]] bool is_sample() const { return technique_of(request_.technique).is_sample(); }

  // What kills the process can not be tried again and again.
  void make_shorter(RawFinding& found) {
    for (const CrashingSchedule& crashing : request_.crashing) {
      if (crashing.message == found.finding.message) return;
    }
    const double seconds = std::min(1.0, seconds_left());
    if (seconds <= 0 || interrupted()) return;
    const ShortenBudget budget{.seconds = seconds / static_cast<double>(reply_.findings.size())};
    // Of a program that goes on for ever only what is about as long is of interest.
    const std::uint64_t bound = std::min<std::uint64_t>(request_.limits.max_events,
                                                        found.finding.schedule.size() * 2 + 1000);
    auto result = shorten(*runtime, found.finding, bound, budget);
    if (runtime->must_restart()) {  // something was learnt that changes the steps: once more
      runtime->restarted();
      result = shorten(*runtime, found.finding, bound, budget);
      runtime->restarted();
    }
    if (!result || result->finding.message != found.finding.message) return;
    found.finding = result->finding;
    const bool all_seen = runtime->grounds().unordered.empty();
    found.shortened = {true, result->switches, result->fewest && all_seen,
                       result->always_fails && all_seen, result->no_return};
  }

  void take_over(const Session& session, bool complete) {
    reply_.seconds = session.seconds_in_all();
    reply_.complete = complete;
    reply_.stopped = session.stopped();
    reply_.statistics = session.statistics();
    reply_.error = runtime->error().empty() ? session.refusal() : runtime->error();
    reply_.refused_call = runtime->refused_call();
    reply_.refused_at = runtime->refused_at();
    reply_.stalled_at = runtime->stalled_at();
    reply_.stalled_process = runtime->stalled_process();
    if (session.divergence()) reply_.divergence.push_back(describe(*session.divergence()));
    for (const Finding& finding : session.findings()) {
      reply_.findings.emplace_back().finding = finding;
    }
    if (runtime->ended_with_locks()) {
      reply_.notes.emplace_back("a thread ended while it held a lock");
    }
    if (runtime->had_too_many_threads()) reply_.limit = "went beyond 1000 threads";
    if (runtime->was_short_of_memory()) {
      reply_.limit = "needed more than 504 MB of heap for one thread (all that there is for each)";
    }
    if (runtime->gave_up_rounds()) {
      reply_.notes.emplace_back(
          "threads that try to lock, give way and try again were followed for two such rounds; "
          "they "
          "are assumed to get through in the end");
    }
    if (runtime->loops_for_ever()) reply_.complete = false;
    reply_.grounds = runtime->grounds();
    reply_.accepted = runtime->accepted_races();
  }

  struct Told {
    RawStory story;
    std::vector<Finding> findings;
    std::size_t events = 0;
  };

  // A finding may have been made while another thread stood before a failure of its own: that must
  // not end the execution then.
  Told tell(const Finding& finding) {
    Told told = tell(finding, true);
    const bool early = told.events < finding.schedule.size();
    const auto same = [&](const Finding& one) {
      return finding.message.empty() ? !early : one.message == finding.message;
    };
    if (told.findings.empty() || std::any_of(told.findings.begin(), told.findings.end(), same)) {
      return told;
    }
    Told all = tell(finding, false);
    if (all.findings.empty()) return told;
    const auto wanted =
        std::find_if(all.findings.begin(), all.findings.end(),
                     [&](const Finding& one) { return one.message == finding.message; });
    if (wanted != all.findings.end()) std::swap(*wanted, all.findings.back());
    all.findings.erase(all.findings.begin(), all.findings.end() - 1);
    return all;
  }

  // Performs a finding's schedule once more and writes everything down. `stops`: at the first
  // finding, else where the schedule ends.
  Told tell(const Finding& finding, bool stops) {
    Recorder recorder;
    runtime->record_into(&recorder);
    ProcessNames names;
    Execution execution;
    Run run(runtime->vocabulary(), names, execution);
    std::vector<CrashingSchedule> crashing;  // with the processes numbered as in this execution
    for (const CrashingSchedule& known : request_.crashing) {
      if (known.message == finding.message) crashing.push_back({finding.schedule, known.message});
    }
    const std::uint64_t most = stops ? request_.limits.max_events : finding.schedule.size();
    run.start({.prefix = finding.schedule}, {most, stops, 0, crashing});
    runtime->run(run);
    run.finish_execution();
    runtime->record_into(nullptr);
    recorder.story.waiting = runtime->waiting();
    for (const RawProcess& process : recorder.story.processes) {
      recorder.story.stacks.push_back(
          {process.id, slot_begin(index(process.id)), stack_top(index(process.id))});
    }
    recorder.keep_blocks_mentioned();
    Told told{std::move(recorder.story), std::move(run.findings()), execution.size()};
    if (run.divergence()) reply_.divergence.push_back(describe(*run.divergence()));
    return told;
  }

  // Once more, while something is learnt on the way that changes the steps.
  Told tell_for_good(const Finding& finding) {
    const std::vector<RawDivergence> before = reply_.divergence;
    Told told = tell(finding);
    while (runtime->must_restart()) {
      runtime->restarted();
      reply_.divergence = before;
      told = tell(finding);
    }
    return told;
  }

  void replay_request() {
    Finding wanted;
    wanted.schedule = request_.schedule;
    if (!request_.crashing.empty()) wanted.message = request_.crashing.front().message;
    Told told = tell_for_good(wanted);
    reply_.error = runtime->error();
    reply_.refused_call = runtime->refused_call();
    reply_.refused_at = runtime->refused_at();
    reply_.complete = true;
    reply_.statistics.executions = 1;
    reply_.accepted = runtime->accepted_races();
    for (Finding& finding : told.findings) {
      RawFinding& found = reply_.findings.emplace_back();
      found.finding = std::move(finding);
      found.story = told.story;
    }
    reply_.replayed = std::move(told.story);
  }

  // How long the same executions take without any analysis: explores once more to collect a sample
  // of schedules, then performs them.
  void measure(const TechniqueRequest& technique) {
    const std::unique_ptr<Explorer> explorer = technique.make();
    Limits limits = request_.limits;
    if (limits.max_seconds > 0) limits.max_seconds = seconds_left();
    Sample sample = take_sample(*runtime, *explorer, limits);
    Execution execution;
    Run run(runtime->vocabulary(), sample.names, execution);
    const auto begin = std::chrono::steady_clock::now();
    for (const std::vector<Decision>& decisions : sample.schedules) {
      run.start({.prefix = decisions},
                {request_.limits.max_events, !request_.limits.keep_going, 0});
      runtime->run(run);
      run.finish_execution();
    }
    reply_.replay_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    reply_.replay_executions = sample.schedules.size();
  }

  const Request& request_;
  Progress& progress_;
  const Channel& channel_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  Reply reply_;
};

[[noreturn]] void send(const Channel& channel, const Reply& reply) {
  channel.send(reply);
  native()._exit(0);
  __builtin_unreachable();
}

/// Carries the request out on a function that is called like main. `callers`: see Runtime.
[[noreturn]] void answer(int (*main)(int, char**, char**), int argc, char** argv,
                         char** environment, const Request& request, Progress& progress,
                         const Channel& channel, std::span<std::byte> callers) {
  inside_engine = true;
  Reply reply;
  try {
    std::set_terminate(terminated);
    (void)capture_stack();  // the unwinder sets itself up now, as part of the initial state
    watch_library_calls();
    runtime = new Runtime(main, argc, argv, environment, request, progress, callers);
    runtime->ask_about_races_at(channel.races, modules());
    surroundings.keep({channel.reply, channel.races});
    bool confined = true;
    if (request.task != Task::debug) {
      install_signal_handlers(request.stall_seconds);
      confined = confine(request.filter, request.filter_key);
    }
    reply = Worker(request, progress, channel).carry_out();
    if (!confined) {
      reply.notes.emplace_back(
          "the kernel offers no filter of system calls: what the program does outside was not kept "
          "from it");
    }
    surroundings.restore();  // what it has printed goes where it should
  } catch (const std::exception& problem) {
    reply.error = problem.what();
  }
  send(channel, reply);
}

/// A request about a call of mazurka::check that the program has not come to yet.
struct Awaited {
  Request request;
  Progress* progress = nullptr;
  Channel channel;
  void* stack_end = nullptr;  // of the callers of main
  void (*body)(void*) = nullptr;
  void* argument = nullptr;
};
Awaited* awaited = nullptr;

/// The program runs as usual until it calls mazurka::check.
int run_until_check(int argc, char** argv, char** environment) {
  inside_engine = false;
  program_main(argc, argv, environment);
  inside_engine = true;
  Reply reply;
  reply.error = "the program ended without a call of mazurka::check that is named `" +
                awaited->request.check + "`";
  send(awaited->channel, reply);
}

int checked_main(int argc, char** argv, char** environment) {
  auto channel = inherited_channel();
  if (!channel) return program_main(argc, argv, environment);
  inside_engine = true;
  Request request;
  try {
    request = channel->receive();
  } catch (const std::exception& problem) {
    Reply reply;
    reply.error = problem.what();
    send(*channel, reply);
  }
  if (!allow_fibers()) {
    Reply reply;
    reply.error =
        "the processor's shadow stacks are on and can not be turned off; set "
        "GLIBC_TUNABLES=glibc.cpu.x86_shstk=off";
    send(*channel, reply);
  }
  Progress& progress = channel->map_progress();
  channel->withdraw();
  forget_channel();
  __libc_single_threaded = 0;
  if (request.task == Task::explore) silence_program();
  if (request.check.empty()) {
    answer(program_main, argc, argv, environment, request, progress, *channel, {});
  }
  awaited = new Awaited{request, &progress, *channel, __builtin_frame_address(0)};
  return run_until_check(argc, argv, environment);
}

}  // namespace

bool awaits_checks() { return awaited != nullptr; }

void answer_if_awaited(const char* name, void (*body)(void*), void* argument, void* frame) {
  if (awaited == nullptr || awaited->request.check != name) return;
  inside_engine = true;
  awaited->body = body;
  awaited->argument = argument;
  const auto call = [](int, char**, char**) {
    awaited->body(awaited->argument);
    return 0;
  };
  auto* begin = static_cast<std::byte*>(frame);
  auto* end = static_cast<std::byte*>(awaited->stack_end);
  answer(call, 0, nullptr, nullptr, awaited->request, *awaited->progress, awaited->channel,
         {begin, end});
}

}  // namespace mazurka::threads

MAZURKA_HOOK int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv,
                                   void (*init)(), void (*fini)(), void (*rtld_fini)(),
                                   void* stack_end) {
  mazurka::threads::program_main = main;
  mazurka::threads::learn_modules();
  return mazurka::threads::native().libc_start_main(mazurka::threads::checked_main, argc, argv,
                                                    init, fini, rtld_fini, stack_end);
}
