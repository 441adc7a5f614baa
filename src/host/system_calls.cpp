#include "host/system_calls.hpp"

#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <span>

#include "driver/file_bytes.hpp"
#include "host/protocol.hpp"

namespace mazurka::threads {

namespace {

struct Release {
  void operator()(void* filter) const { seccomp_release(filter); }
};

/// Concern memory, open files and the process itself, and may be done as often as one likes.
constexpr const char* harmless[] = {
    // memory
    "brk", "madvise", "membarrier", "mincore", "mlock", "mlock2", "mlockall", "mmap", "mprotect",
    "mremap", "msync", "munlock", "munlockall", "munmap",
    // files that are open: none of those outside is open for writing
    "copy_file_range", "fadvise64", "fallocate", "fdatasync", "flock", "fstat", "fstatfs", "fsync",
    "ftruncate", "getdents", "getdents64", "lseek", "pread64", "preadv", "preadv2", "pwrite64",
    "pwritev", "pwritev2", "read", "readahead", "readv", "sendfile", "sync_file_range", "write",
    "writev",
    // the threads that the runtime parks, and whatever the C library does for them
    "arch_prctl", "futex", "ppoll", "restart_syscall", "rseq", "rt_sigprocmask", "rt_sigreturn",
    "sched_yield", "set_robust_list", "set_tid_address",
    // who and where
    "getcpu", "getcwd", "getegid", "geteuid", "getgid", "getgroups", "getresgid", "getresuid",
    "getrusage", "getuid", "sysinfo", "times", "uname"};

/// What the runtime asks for itself, and what it passes on.
constexpr const char* with_key[] = {"access",
                                    "chdir",
                                    "clock_getres",
                                    "clock_gettime",
                                    "clock_nanosleep",
                                    "clone",
                                    "close",
                                    "close_range",
                                    "dup",
                                    "dup2",
                                    "dup3",
                                    "exit",
                                    "exit_group",
                                    "faccessat",
                                    "faccessat2",
                                    "fchdir",
                                    "fchmod",
                                    "fchown",
                                    "fcntl",
                                    "getpid",
                                    "getpgid",
                                    "getpgrp",
                                    "getppid",
                                    "getpriority",
                                    "getrandom",
                                    "getsid",
                                    "gettid",
                                    "gettimeofday",
                                    "ioctl",
                                    "kill",
                                    "lstat",
                                    "memfd_create",
                                    "mkdir",
                                    "mkdirat",
                                    "nanosleep",
                                    "newfstatat",
                                    "open",
                                    "openat",
                                    "pipe",
                                    "pipe2",
                                    "prctl",
                                    "prlimit64",
                                    "readlink",
                                    "readlinkat",
                                    "rename",
                                    "renameat",
                                    "renameat2",
                                    "rmdir",
                                    "rt_sigaction",
                                    "sched_getaffinity",
                                    "sched_getparam",
                                    "sched_getscheduler",
                                    "setitimer",
                                    "sigaltstack",
                                    "stat",
                                    "statfs",
                                    "statx",
                                    "tgkill",
                                    "time",
                                    "timer_create",
                                    "timer_delete",
                                    "timer_settime",
                                    "tkill",
                                    "umask",
                                    "unlink",
                                    "unlinkat",
                                    "wait4"};

bool allow(scmp_filter_ctx filter, const char* name, std::span<const scmp_arg_cmp> when) {
  const int number = seccomp_syscall_resolve_name(name);
  if (number == __NR_SCMP_ERROR || number < 0) return true;  // not of this processor
  return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, static_cast<unsigned>(when.size()),
                                when.data()) == 0;
}

scmp_arg_cmp is(unsigned argument, std::uint64_t value) {
  return {argument, SCMP_CMP_EQ, value, 0};
}

bool fill(scmp_filter_ctx filter, std::uint64_t key) {
  bool done = true;
  for (const char* name : harmless) done = allow(filter, name, {}) && done;
  const scmp_arg_cmp knows_key = is(5, key);
  for (const char* name : with_key) done = allow(filter, name, {&knows_key, 1}) && done;

  // Threads, not processes: the runtime's parked ones.
  const scmp_arg_cmp thread{0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD};
  done = allow(filter, "clone", {&thread, 1}) && done;
  for (const int request : {TCGETS, TIOCGWINSZ, FIONREAD}) {
    const scmp_arg_cmp asks = is(1, static_cast<std::uint64_t>(request));
    done = allow(filter, "ioctl", {&asks, 1}) && done;
  }
  const scmp_arg_cmp lost = is(0, exit_overwritten);
  done = allow(filter, "exit_group", {&lost, 1}) && done;
  // The C library then makes threads in the other way, which can be told from making processes.
  seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  return done;
}

}  // namespace

std::vector<std::uint64_t> make_filter(std::uint64_t key) {
  const std::unique_ptr<void, Release> filter(seccomp_init(SCMP_ACT_TRAP));
  if (filter == nullptr || !fill(filter.get(), key)) return {};
  seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);
  const int file = memfd_create("filter", MFD_CLOEXEC);
  if (file < 0) return {};
  std::vector<std::uint64_t> instructions;
  if (seccomp_export_bpf(filter.get(), file) == 0) {
    const std::vector<std::byte> bytes = read_bytes(file);
    instructions.resize(bytes.size() / sizeof(std::uint64_t));
    __builtin_memcpy(instructions.data(), bytes.data(),
                     instructions.size() * sizeof(std::uint64_t));
  }
  close(file);
  return instructions;
}

std::string system_call_name(int number) {
  char* name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
  if (name == nullptr) return std::to_string(number);
  const std::string text = name;
  std::free(name);
  return text;
}

}  // namespace mazurka::threads
