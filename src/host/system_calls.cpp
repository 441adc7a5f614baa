#include "host/system_calls.hpp"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "host/protocol.hpp"

namespace mazurka::host {

namespace {

/// Concern memory, open files and the process itself, and may be done as often as one likes.
constexpr const char* harmless[] = {
    // memory
    "brk", "madvise", "membarrier", "mincore", "mlock", "mlock2", "mlockall", "mmap", "mprotect",
    "mremap", "msync", "munlock", "munlockall", "munmap",
    // files that are open: none of those outside is open for writing
    "copy_file_range", "fadvise64", "fallocate", "fdatasync", "fstatfs", "fsync", "ftruncate",
    "getdents", "getdents64", "lseek", "pread64", "preadv", "preadv2", "pwrite64", "pwritev",
    "pwritev2", "read", "readahead", "readv", "sendfile", "sync_file_range", "write", "writev",
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
                                    "fcntl",
                                    "fstat",
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

/// The filter, instruction by instruction. libseccomp would make a shorter one, but that takes a
/// twentieth of the time of a short check.
class Filter {
 public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, seccomp_arch_native(), 1, 0);
    answer(SECCOMP_RET_TRAP);
    load(offsetof(seccomp_data, nr));
    if (seccomp_arch_native() == SCMP_ARCH_X86_64) {  // which has calls of another kind beside them
      constexpr std::uint32_t first_of_them = 0x4000'0000;
      add(BPF_JMP | BPF_JEQ | BPF_K, ~0U, 2, 0);  // no call at all
      add(BPF_JMP | BPF_JGE | BPF_K, first_of_them, 0, 1);
      answer(SECCOMP_RET_TRAP);
    }
  }

  void allow(const char* name) {
    if (!at_call(name, 1)) return;
    answer(SECCOMP_RET_ALLOW);
  }
  /// If the argument has this value; otherwise what is added later decides.
  void allow_if(const char* name, unsigned argument, std::uint64_t value) {
    if (!at_call(name, 6)) return;
    load(place_of(argument) + sizeof(std::uint32_t));
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(value >> 32U), 0, 3);
    load(place_of(argument));
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(value), 0, 1);
    answer(SECCOMP_RET_ALLOW);
    load(offsetof(seccomp_data, nr));
  }
  /// The same if this bit of the argument is set.
  void allow_if_set(const char* name, unsigned argument, std::uint32_t bit) {
    if (!at_call(name, 4)) return;
    load(place_of(argument));
    add(BPF_JMP | BPF_JSET | BPF_K, bit, 0, 1);
    answer(SECCOMP_RET_ALLOW);
    load(offsetof(seccomp_data, nr));
  }
  void refuse(const char* name, std::uint32_t error) {
    if (!at_call(name, 1)) return;
    answer(SECCOMP_RET_ERRNO | error);
  }

  /// As the kernel takes it. All else comes to the runtime.
  [[nodiscard]] std::vector<std::uint64_t> finish() {
    answer(SECCOMP_RET_TRAP);
    static_assert(sizeof(sock_filter) == sizeof(std::uint64_t));
    std::vector<std::uint64_t> words(instructions_.size());
    std::memcpy(words.data(), instructions_.data(), words.size() * sizeof(std::uint64_t));
    return words;
  }

 private:
  void add(int code, std::uint32_t operand, std::uint8_t if_so = 0, std::uint8_t if_not = 0) {
    instructions_.push_back({static_cast<std::uint16_t>(code), if_so, if_not, operand});
  }
  void load(std::size_t place) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(place)); }
  void answer(std::uint32_t answer) { add(BPF_RET | BPF_K, answer); }
  /// So many instructions are only for this call. False: the processor has none of this name.
  bool at_call(const char* name, std::uint8_t instructions) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number < 0) return false;
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, instructions);
    return true;
  }
  /// The lower half of the argument; the higher one follows.
  static std::size_t place_of(unsigned argument) {
    static_assert(std::endian::native == std::endian::little);
    return offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t);
  }

  std::vector<sock_filter> instructions_;
};

}  // namespace

std::vector<std::uint64_t> make_filter(std::uint64_t key) {
  Filter filter;
  for (const char* name : harmless) filter.allow(name);
  for (const char* name : with_key) filter.allow_if(name, 5, key);
  filter.allow_if_set("clone", 0, CLONE_THREAD);  // no processes: the runtime's parked threads
  for (const int request : {TCGETS, TIOCGWINSZ, FIONREAD}) {
    filter.allow_if("ioctl", 1, static_cast<std::uint64_t>(request));
  }
  filter.allow_if("exit_group", 0, exit_overwritten);
  // The C library then makes threads in the other way, which can be told from making processes.
  filter.refuse("clone3", ENOSYS);
  return filter.finish();
}

std::string system_call_name(int number) {
  char* name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
  if (name == nullptr) return std::to_string(number);
  const std::string text = name;
  std::free(name);
  return text;
}

}  // namespace mazurka::host
