#include "programs/threads/runtime/machine/confinement.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "programs/threads/runtime/machine/kernel.hpp"
#include "programs/threads/runtime/machine/signals.hpp"
#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

long kernel_key = 0;

namespace {

// What the handler leaves for the code that runs after it.
SystemCall latest;
Answer latest_answer;

SystemCall call_in(const siginfo_t& info, const ucontext_t& context) {
  SystemCall call;
  call.number = info.si_syscall;
#if defined(__aarch64__)
  for (std::size_t at = 0; at < call.arguments.size(); ++at) {
    call.arguments[at] = static_cast<long>(context.uc_mcontext.regs[at]);
  }
#else
  const greg_t* registers = context.uc_mcontext.gregs;
  call.arguments = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                    registers[REG_R10], registers[REG_R8],  registers[REG_R9]};
#endif
  return call;
}

void return_from_call(ucontext_t& context, long result) {
#if defined(__aarch64__)
  context.uc_mcontext.regs[0] = static_cast<std::uint64_t>(result);
#else
  context.uc_mcontext.gregs[REG_RAX] = result;
#endif
}

void end_program() { runtime->threads.end_program(false, static_cast<int>(latest_answer.value)); }

void kill_or_refuse() {
  inside_engine = true;
  if (latest_answer.kind == Answer::Kind::killed) {
    runtime->kill_program(static_cast<int>(latest_answer.value));
  }
  runtime->refuse(static_cast<int>(latest.number), latest_answer.reason);
}

/// Made as programs for another processor make it, or as if it were one of their calls.
bool is_foreign(const siginfo_t& info) {
#if defined(__x86_64__)
  constexpr int first_of_x32 = 0x4000'0000;
  return info.si_arch != AUDIT_ARCH_X86_64 || info.si_syscall >= first_of_x32;
#else
  return info.si_arch != AUDIT_ARCH_AARCH64;
#endif
}

Answer refuse_foreign() {
  return {Answer::Kind::refused, 0,
          "a system call in the way of another processor (int $0x80, say) is not supported"};
}

void handle_system_call(int, siginfo_t* info, void* raw_context) {
  auto& context = *static_cast<ucontext_t*>(raw_context);
  if (runtime != nullptr) die_if_overwritten();
  const int program_errno = errno;
  const SystemCall call = call_in(*info, context);
  const auto& [a, b, c, d, e, key] = call.arguments;
  const bool foreign = is_foreign(*info);
  if (key == kernel_key && !foreign) {  // not even with it
    return_from_call(context, -ENOSYS);
  } else if (runtime == nullptr || !runtime->running() || inside_engine || !checking) {
    return_from_call(context, foreign ? -ENOSYS : call_kernel(call.number, a, b, c, d, e));
  } else {
    const EngineScope scope;
    Answer found = foreign ? refuse_foreign() : answer(call);
    if (found.kind == Answer::Kind::result) {
      return_from_call(context, found.value);
    } else {
      latest = call;
      if (foreign) latest.number = -1;  // it has no name here
      latest_answer = std::move(found);
      if (latest_answer.kind == Answer::Kind::ends) {
        go_on_in(context, end_program);  // others may still move before that
      } else {
        runtime->set_failure_stack(capture_stack());
        land_in(context, kill_or_refuse);
      }
    }
  }
  errno = program_errno;
}

}  // namespace

bool confine(const std::vector<std::uint64_t>& filter, std::uint64_t key) {
  if (filter.empty()) return false;
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  action.sa_sigaction = handle_system_call;
  sigaction(SIGSYS, &action, nullptr);
  static_assert(sizeof(sock_filter) == sizeof(std::uint64_t));
  static std::vector<sock_filter> instructions;
  instructions.resize(filter.size());
  std::memcpy(instructions.data(), filter.data(), filter.size() * sizeof(std::uint64_t));
  const sock_fprog program{static_cast<unsigned short>(instructions.size()), instructions.data()};
  kernel_key = static_cast<long>(key);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  return call_kernel(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
                     as_argument(&program)) == 0;
}

}  // namespace mazurka::threads
