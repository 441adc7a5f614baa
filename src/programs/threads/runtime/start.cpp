// How the program under test begins: as a checker of itself, if it is asked to be.
//
// Without a request in the environment the program runs as if it had been built by an ordinary
// compiler. With one, the C library's start-up code is asked to call checked_main instead of main,
// and nothing instead of the executable's constructors; those of libraries have been put off
// (first.c). So nothing of the program has run when checked_main puts everything in force and
// performs the request: executions begin with the first constructor (beginning.hpp). Then it sends
// the reply and ends.
#include <cxxabi.h>
#include <malloc.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>

#include <exception>
#include <ios>
#include <string>
#include <typeinfo>
#include <vector>

#include "host/channel.hpp"
#include "programs/threads/runtime/beginning.hpp"
#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/loops/twins.hpp"
#include "programs/threads/runtime/machine/confinement.hpp"
#include "programs/threads/runtime/machine/kernel.hpp"
#include "programs/threads/runtime/machine/rank_images.hpp"
#include "programs/threads/runtime/machine/signals.hpp"
#include "programs/threads/runtime/machine/traps.hpp"
#include "programs/threads/runtime/modules.hpp"
#include "programs/threads/runtime/surroundings/library_calls.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"
#include "programs/threads/runtime/worker.hpp"

namespace mazurka::threads {
using namespace host;

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

// A copy of the program (loops/twins.hpp) goes on from where it was not: what does not hold there
// tells nothing, and it has no answer. The C library's way of ending is the program's, too, and
// would be taken for it.
void report_failed_check(const char* text) {
  if (runtime != nullptr && runtime->is_twin()) end_twin();
  hand_on_failed_check(text);
  call_kernel(SYS_exit_group, exit_failed_check);
}

[[noreturn]] void send(const Channel& channel, const Reply& reply) {
  channel.send(reply);
  native()._exit(0);
  __builtin_unreachable();
}

Traps::Next come_to_hidden_code(std::uintptr_t place) {
  const EngineScope scope;
  if (runtime->running() && runtime->recorder() != nullptr) {
    runtime->recorder()->come_to_hidden_code(runtime->current().id, place);
  }
  return Traps::Next::again;
}

/// Where nobody else is nothing can go wrong by it: it is asked again when there are others.
Traps::Next access_unseen(std::uintptr_t place) {
  const EngineScope scope;
  if (!runtime->running() || runtime->alone()) return Traps::Next::later;
  runtime->grounds().unseen_at = place;
  return Traps::Next::never;
}

/// Replays are told of the one, searches of the other. The ranks of MPI have nothing in common.
void watch_unseen_code(const Request& request) {
  const bool replays = request.task != Task::explore;
  const std::uintptr_t program = loaded_modules().front().base;
  std::vector<std::uintptr_t> places;
  for (const std::uint64_t place : replays ? request.hidden : request.unseen) {
    places.push_back(program + place);
  }
  if (places.empty() || request.checks.ranks > 0 || request.task == Task::debug) return;
  compiled_byte = [](std::uintptr_t at) { return traps.byte_at(at); };
  const bool all_set = traps.set(places, replays ? come_to_hidden_code : access_unseen);
  if (!all_set && !replays) runtime->grounds().unseen_at = places.front();  // who knows
}

[[noreturn]] void answer(const Course::Subject& subject, const Request& request, Progress& progress,
                         const Channel& channel) {
  inside_engine = true;
  Reply reply;
  try {
    std::set_terminate(terminated);
    (void)capture_stack();  // the unwinder sets itself up now, as part of the initial state
    if (request.checks.ranks > 0) {
      load_rank_images(request.checks.ranks, subject.argc, subject.argv);
    }
    watch_library_calls();
    runtime = new Runtime(subject, request, progress);
    runtime->ask_about_races_at(channel.races, loaded_modules());
    surroundings.keep({channel.reply, channel.races, channel.files});
    bool confined = true;
    if (request.task != Task::debug) {
      install_signal_handlers(request.stall_seconds);
      confined = confine(request.filter, request.filter_key);
      progress.confined.store(confined ? 1 : 0, std::memory_order_relaxed);
    }
    watch_unseen_code(request);
    reply = carry_out(request, progress, channel);
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

[[noreturn]] void refuse(const Channel& channel, const std::string& why) {
  Reply reply;
  reply.error = why;
  send(channel, reply);
}

// The first stream object of a program has the C++ library set up its streams, and the C library
// with it, which could not be put back; the last one has them written out. With one before, the
// program's are neither the first nor the last to be made, but the last to go.
void set_up_streams() { const std::ios_base::Init once; }

int checked_main(int argc, char** argv, char** environment) {
  auto channel = inherited_channel();
  inside_engine = true;
  Request request;
  try {
    request = channel->receive();
  } catch (const std::exception& problem) {
    refuse(*channel, problem.what());
  }
  if (!allow_fibers()) {
    refuse(*channel,
           "the processor's shadow stacks are on and can not be turned off; set "
           "GLIBC_TUNABLES=glibc.cpu.x86_shstk=off");
  }
  if (const std::string problem = problem_of_beginning(); !problem.empty()) {
    refuse(*channel, problem);
  }
  Progress& progress = channel->map_progress();
  hand_on_failed_checks(progress);
  on_failed_check(report_failed_check);
  channel->withdraw();
  forget_channel();
  __libc_single_threaded = 0;
  mallopt(M_ARENA_MAX, 1);  // fibers would get one each
  if (request.task == Task::explore) silence_program();
  set_up_streams();
  answer({program_main, argc, argv, environment}, request, progress, *channel);
}

void do_nothing() {}

}  // namespace

}  // namespace mazurka::threads

MAZURKA_HOOK int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv,
                                   void (*init)(), void (*fini)(), void (*rtld_fini)(),
                                   void* stack_end) {
  using namespace mazurka::threads;
  learn_modules();
  learn_beginning(init);
  if (!inherited_channel()) {
    begin_libraries(argc, argv, environ);
    return native().libc_start_main(main, argc, argv, init, fini, rtld_fini, stack_end);
  }
  program_main = main;
  return native().libc_start_main(checked_main, argc, argv, do_nothing, fini, rtld_fini, stack_end);
}
