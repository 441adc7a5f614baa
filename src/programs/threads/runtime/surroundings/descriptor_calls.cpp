// System calls that make, change or close descriptors, by their numbers.
//
// Those of the runtime itself are not there for the program; its own are put back when the
// execution is over (surroundings.hpp).
#include <fcntl.h>
#include <sys/syscall.h>

#include <cerrno>

#include "programs/threads/runtime/runtime.hpp"
#include "programs/threads/runtime/surroundings/answers.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"

namespace mazurka::threads::answers {

namespace {

bool has_target(const SystemCall& call) {
#if defined(SYS_dup2)
  if (call.number == SYS_dup2) return true;
#endif
  return call.number == SYS_dup3;
}

Answer copy_or_close(const SystemCall& call) {
  const auto descriptor = static_cast<int>(call.arguments[0]);
  const auto target = static_cast<int>(call.arguments[1]);
  if (surroundings.is_own(descriptor) || (has_target(call) && surroundings.is_own(target))) {
    return result(-EBADF);
  }
  note_numbers(Use::changes);
  const bool closes = call.number == SYS_close;
  note_descriptor(descriptor, closes ? Use::changes : Use::looks);
  if (has_target(call)) note_descriptor(target, Use::changes);
  surroundings.descriptors_change();
  if (closes) surroundings.locks().closing(descriptor);
  if (has_target(call) && target != descriptor) surroundings.locks().closing(target);
  return closes ? passed_on(call) : opened(passed_on(call));
}

Answer lock(int descriptor, int operation) {
  note_open_file(descriptor, Use::changes);
  const long locked = surroundings.locks().lock(descriptor, operation);
  if (locked != FileLocks::waits_for_itself) return result(locked);
  return refused("a lock that waits for another one of the program's own");
}

/// Of what is open, and in memory.
Answer change_facts(const SystemCall& call) {
  const auto descriptor = static_cast<int>(call.arguments[0]);
  if (!ExecutionFiles::is_in_memory(descriptor)) return refused();
  note_open_file(descriptor, Use::changes);
  FileFacts& facts = surroundings.files().facts().of(descriptor);
  if (call.number == SYS_fchmod) {
    return result(facts.change_mode(static_cast<mode_t>(call.arguments[1])));
  }
  return result(facts.change_owner(static_cast<uid_t>(call.arguments[1]),
                                   static_cast<gid_t>(call.arguments[2])));
}

Answer control(const SystemCall& call) {
  const auto descriptor = static_cast<int>(call.arguments[0]);
  switch (call.arguments[1]) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC: return copy_or_close(call);
    case F_GETFD:
    case F_GETFL: note_descriptor(descriptor, Use::looks); return passed_on(call);
    case F_SETFD:
    case F_SETFL: note_descriptor(descriptor, Use::changes); return passed_on(call);
    case F_SETLK:
    case F_SETLKW: {
      const auto* wanted = reinterpret_cast<const struct flock*>(call.arguments[2]);
      note_open_file(descriptor, Use::changes);
      return result(wanted == nullptr ? -EFAULT : FileLocks::may_have(descriptor, wanted->l_type));
    }
    case F_OFD_SETLK:
    case F_OFD_SETLKW: return refused("a lock of what was opened (F_OFD_SETLK)");
    case F_GETLK:
    case F_OFD_GETLK:
    case F_ADD_SEALS:
    case F_GET_SEALS: note_open_file(descriptor, Use::changes); return passed_on(call);
    default: return refused();
  }
}

}  // namespace

Answer opened(Answer answer) {
  if (answer.kind == Answer::Kind::result && answer.value >= 0) {
    surroundings.opened(static_cast<int>(answer.value));
  }
  return answer;
}

std::optional<Answer> about_descriptors(const SystemCall& call) {
  const auto& [a, b, c, d, e, f] = call.arguments;
  switch (call.number) {
    case SYS_close:
    case SYS_dup:
#if defined(SYS_dup2)
    case SYS_dup2:
#endif
    case SYS_dup3: return copy_or_close(call);
    case SYS_fcntl: return control(call);
    case SYS_close_range:
      runtime->use_unknown("close_range");
      return result(surroundings.close_range(static_cast<unsigned>(a), static_cast<unsigned>(b),
                                             static_cast<unsigned>(c)));
    case SYS_memfd_create:
      note_numbers(Use::changes);
      surroundings.descriptors_change();
      return opened(passed_on(call));
    case SYS_flock: return lock(static_cast<int>(a), static_cast<int>(b));
    case SYS_fchmod:
    case SYS_fchown: return change_facts(call);
    default: return std::nullopt;
  }
}

}  // namespace mazurka::threads::answers
