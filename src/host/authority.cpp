#include "host/authority.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "host/descriptor.hpp"

namespace mazurka::host {

namespace {

// As in <linux/landlock.h>, of which systems have versions that know less than their kernels.
constexpr long create_ruleset = 444;
constexpr long add_rule = 445;
constexpr long restrict_self = 446;
constexpr unsigned ask_version = 1;
constexpr int path_beneath = 1;

namespace right {
enum : std::uint64_t {
  write_file = 1U << 1U,
  make_and_remove = 0x1ff0U,
  move_elsewhere = 1U << 13U,
  truncate_file = 1U << 14U,
  control_device = 1U << 15U,
};
}  // namespace right

struct Ruleset {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
  std::uint64_t scoped = 0;
};
struct [[gnu::packed]] PathRule {
  std::uint64_t allowed;
  std::int32_t parent;
};

struct KnownRuleset {
  Ruleset ruleset;
  std::size_t size;  // of it, as far as this version goes
};

/// Each version adds to the one before.
KnownRuleset known_to(long version) {
  constexpr std::uint64_t bind_and_connect = 3;
  constexpr std::uint64_t sockets_and_signals = 3;
  KnownRuleset known{{.files = right::write_file | right::make_and_remove}, sizeof(std::uint64_t)};
  if (version >= 2) known.ruleset.files |= right::move_elsewhere;
  if (version >= 3) known.ruleset.files |= right::truncate_file;
  if (version >= 4) known = {{known.ruleset.files, bind_and_connect}, 2 * sizeof(std::uint64_t)};
  if (version >= 5) known.ruleset.files |= right::control_device;
  if (version >= 6) {
    known.ruleset.scoped = sockets_and_signals;
    known.size = sizeof(Ruleset);
  }
  return known;
}

// Devices that are the same whatever is written to them.
constexpr const char* sinks[] = {"/dev/null", "/dev/zero", "/dev/full"};

int make_ruleset() {
  const long version = syscall(create_ruleset, nullptr, 0, ask_version);
  if (version < 1) return -1;
  const auto [ruleset, size] = known_to(version);
  const int made = static_cast<int>(syscall(create_ruleset, &ruleset, size, 0));
  if (made < 0) return -1;
  for (const char* sink : sinks) {
    const Descriptor file(open(sink, O_PATH | O_CLOEXEC));
    if (file.get() < 0) continue;
    const PathRule rule{ruleset.files & (right::write_file | right::truncate_file), file.get()};
    (void)syscall(add_rule, made, path_beneath, &rule, 0);
  }
  return made;
}

/// The same for all children; kept.
int common_ruleset() {
  static const int ruleset = make_ruleset();
  return ruleset;
}

}  // namespace

Authority::Authority(const OnlyProgram& program)
    : ruleset_(common_ruleset()), forbidden_(program) {}

void Authority::give_up() {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  if (ruleset_ >= 0) (void)syscall(restrict_self, ruleset_, 0);
  forbidden_.fill_in(getpid());
  const sock_fprog filter{static_cast<unsigned short>(forbidden_.instructions.size()),
                          reinterpret_cast<sock_filter*>(forbidden_.instructions.data())};
  (void)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

}  // namespace mazurka::host
