#include "host/forbidden_calls.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <map>
#include <span>

namespace mazurka::host {

namespace {

constexpr const char* forbidden[] = {
    // what is known about files, and their names
    "chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat", "utime", "utimes",
    "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr",
    "fremovexattr", "link", "linkat", "symlink", "symlinkat", "mknod", "mknodat", "flock",
    "open_by_handle_at",
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease",
    "kcmp", "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "rt_sigqueueinfo",
    "rt_tgsigqueueinfo", "migrate_pages", "move_pages", "ioprio_set", "execveat", "unshare",
    "setns", "perf_event_open", "bpf", "fanotify_init", "io_uring_setup", "io_uring_enter",
    "io_uring_register",
    // what is shared by name, or over the network
    "socket", "bind", "connect", "listen", "accept", "accept4", "shmget", "shmat", "shmctl",
    "semget", "semop", "semtimedop", "semctl", "msgget", "msgsnd", "msgrcv", "msgctl", "mq_open",
    "mq_unlink", "mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr", "add_key",
    "request_key", "keyctl",
    // the system
    "mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen",
    "fsconfig", "fsmount", "fspick", "mount_setattr", "swapon", "swapoff", "reboot", "sethostname",
    "setdomainname", "init_module", "finit_module", "delete_module", "kexec_load",
    "kexec_file_load", "acct", "quotactl", "quotactl_fd", "settimeofday", "clock_settime",
    "clock_adjtime", "adjtimex", "syslog", "vhangup", "ioperm", "iopl"};

/// Of calls that can do many things, what they may be asked for.
constexpr int harmless_controls[] = {F_DUPFD,     F_DUPFD_CLOEXEC, F_GETFD,  F_SETFD,
                                     F_GETFL,     F_SETFL,         F_GETLK,  F_OFD_GETLK,
                                     F_ADD_SEALS, F_GET_SEALS,     F_GETOWN, F_GETPIPE_SZ};
constexpr int harmless_requests[] = {TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX};

// Newer calls are not there. None of them is needed: libraries do without.
constexpr std::uint32_t first_unknown = 450;

/// What becomes of one system call, from where the filter knows which one it is.
using Instructions = std::vector<sock_filter>;

// Stands for the process's number until that is known.
constexpr std::uint32_t own = 0xffff'fff0;

class SystemCallRules {
 public:
  void forbid(const char* name) { set(name, {ends(SECCOMP_RET_TRAP)}); }

  /// Only with one of these values of an argument. As the kernel takes these: 32 bits.
  void restrict_argument(const char* name, unsigned argument, std::span<const std::uint32_t> to) {
    Instructions rule{load(argument, false)};
    add_choice(rule, to);
    set(name, rule);
  }

  /// Only with these values of the first arguments.
  void restrict_to(const char* name, std::initializer_list<const void*> arguments) {
    Instructions rule;
    const auto each = static_cast<std::uint8_t>(4);
    auto left = static_cast<std::uint8_t>(arguments.size() * each);
    unsigned at = 0;
    for (const void* const argument : arguments) {
      const auto value = reinterpret_cast<std::uintptr_t>(argument);
      for (const bool upper : {false, true}) {
        rule.push_back(load(at, upper));
        left = static_cast<std::uint8_t>(left - 2);
        rule.push_back(is(static_cast<std::uint32_t>(upper ? value >> 32U : value), 0,
                          static_cast<std::uint8_t>(left + 1)));
      }
      ++at;
    }
    rule.push_back(ends(SECCOMP_RET_ALLOW));
    rule.push_back(ends(SECCOMP_RET_TRAP));
    set(name, rule);
  }

  /// Only for the process itself, and not for a group of which it is one.
  void restrict_priority() {
    Instructions rule{load(0, false), is(PRIO_PROCESS, 1, 0), ends(SECCOMP_RET_TRAP),
                      load(1, false)};
    constexpr std::uint32_t itself[] = {0, own};
    add_choice(rule, itself);
    set("setpriority", rule);
  }

  [[nodiscard]] Instructions all() const {
    Instructions all{{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, arch)},
                     is(seccomp_arch_native(), 1, 0),
                     ends(SECCOMP_RET_TRAP),
                     {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
                     {BPF_JMP | BPF_JGE | BPF_K, 0, 1, first_unknown},
                     ends(SECCOMP_RET_ERRNO | ENOSYS)};
    const Instructions tree = tree_of(lines());
    all.insert(all.end(), tree.begin(), tree.end());
    return all;
  }

 private:
  using Known = std::map<std::uint32_t, Instructions>;  // by number

  static sock_filter ends(std::uint32_t answer) { return {BPF_RET | BPF_K, 0, 0, answer}; }
  static sock_filter is(std::uint32_t value, std::uint8_t if_so, std::uint8_t if_not) {
    return {BPF_JMP | BPF_JEQ | BPF_K, if_so, if_not, value};
  }
  static sock_filter load(unsigned argument, bool upper) {
    const std::size_t place = offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t) +
                              (upper ? sizeof(std::uint32_t) : 0);
    return {BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(place)};
  }
  static void add_choice(Instructions& rule, std::span<const std::uint32_t> values) {
    for (std::size_t at = 0; at < values.size(); ++at) {
      rule.push_back(is(values[at], static_cast<std::uint8_t>(values.size() - at), 0));
    }
    rule.push_back(ends(SECCOMP_RET_TRAP));
    rule.push_back(ends(SECCOMP_RET_ALLOW));
  }

  void set(const char* name, const Instructions& rule) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number >= 0) rules_[static_cast<std::uint32_t>(number)] = rule;  // else it has none
  }

  /// What becomes of all calls from some number on, as far as the next such line.
  struct Line {
    std::uint32_t from;
    const Instructions* rule;
  };

  /// Neighbours of which the same becomes share a line.
  [[nodiscard]] std::vector<Line> lines() const {
    static const Instructions allowed{ends(SECCOMP_RET_ALLOW)};
    std::vector<Line> lines{{0, &allowed}};
    const auto add = [&](std::uint32_t from, const Instructions& rule) {
      if (lines.back().from == from) lines.pop_back();
      if (lines.empty() || !are_same(*lines.back().rule, rule)) lines.push_back({from, &rule});
    };
    for (const auto& [number, rule] : rules_) {
      add(number, rule);
      add(number + 1, allowed);
    }
    return lines;
  }
  static bool are_same(const Instructions& left, const Instructions& right) {
    return left.size() == right.size() &&
           std::memcmp(left.data(), right.data(), left.size() * sizeof(sock_filter)) == 0;
  }

  /// Halves them: the kernel runs the filter for every call that there is before it takes it.
  static Instructions tree_of(std::span<const Line> lines) {
    if (lines.size() == 1) return *lines.front().rule;
    const std::size_t half = lines.size() / 2;
    const Instructions below = tree_of(lines.first(half));
    const Instructions above = tree_of(lines.subspan(half));
    constexpr std::size_t longest_jump = 255;
    const std::uint32_t from = lines[half].from;
    Instructions both;
    if (below.size() <= longest_jump) {
      both = {{BPF_JMP | BPF_JGE | BPF_K, static_cast<std::uint8_t>(below.size()), 0, from}};
    } else {
      both = {{BPF_JMP | BPF_JGE | BPF_K, 0, 1, from},
              {BPF_JMP | BPF_JA, 0, 0, static_cast<std::uint32_t>(below.size())}};
    }
    both.insert(both.end(), below.begin(), below.end());
    both.insert(both.end(), above.begin(), above.end());
    return both;
  }

  Known rules_;
};

template <std::size_t size>
std::vector<std::uint32_t> values_of(const int (&numbers)[size]) {
  return {std::begin(numbers), std::end(numbers)};
}

SystemCallRules rules_for(const OnlyProgram& program) {
  SystemCallRules rules;
  for (const char* name : forbidden) rules.forbid(name);
  constexpr std::uint32_t only_own[] = {own};
  constexpr std::uint32_t itself[] = {0, own};
  for (const char* name : {"kill", "tkill", "tgkill"}) rules.restrict_argument(name, 0, only_own);
  for (const char* name : {"prlimit64", "sched_setaffinity", "sched_setattr", "sched_setparam",
                           "sched_setscheduler"}) {
    rules.restrict_argument(name, 0, itself);
  }
  rules.restrict_priority();
  rules.restrict_argument("fcntl", 1, values_of(harmless_controls));
  rules.restrict_argument("ioctl", 1, values_of(harmless_requests));
  rules.restrict_to("execve", {program.path, program.arguments, program.environment});
  return rules;
}

}  // namespace

ForbiddenCalls::ForbiddenCalls(const OnlyProgram& program) {
  const Instructions all = rules_for(program).all();
  static_assert(sizeof(sock_filter) == sizeof(std::uint64_t));
  instructions.resize(all.size());
  std::memcpy(instructions.data(), all.data(), all.size() * sizeof(std::uint64_t));
  for (std::size_t at = 0; at < all.size(); ++at) {
    const bool compares = all[at].code == (BPF_JMP | BPF_JEQ | BPF_K);
    if (compares && all[at].k == own) own_numbers.push_back(at);
  }
}

void ForbiddenCalls::fill_in(pid_t own_number) {
  for (const std::size_t at : own_numbers) {
    sock_filter instruction{};
    std::memcpy(&instruction, &instructions[at], sizeof instruction);
    instruction.k = static_cast<std::uint32_t>(own_number);
    std::memcpy(&instructions[at], &instruction, sizeof instruction);
  }
}

}  // namespace mazurka::host
