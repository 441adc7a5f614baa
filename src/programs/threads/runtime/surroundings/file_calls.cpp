// System calls that name files: those of the execution come first (execution_files.hpp), what only
// looks at others is passed on.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>

#include "programs/threads/runtime/runtime.hpp"
#include "programs/threads/runtime/surroundings/answers.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"

namespace mazurka::threads::answers {

namespace {

Answer open_file(long folder, long path, long flags, long mode) {
  note_numbers(Use::changes);
  surroundings.descriptors_change();
  return opened(result(surroundings.files().open(
      static_cast<int>(folder), text(path), static_cast<int>(flags), static_cast<mode_t>(mode))));
}
Answer remove(long folder, long path, long flags) {
  return result(
      surroundings.files().unlink(static_cast<int>(folder), text(path), static_cast<int>(flags)));
}
Answer make_folder(long folder, long path, long mode) {
  return result(surroundings.files().make_folder(static_cast<int>(folder), text(path),
                                                 static_cast<mode_t>(mode)));
}
Answer change_mode(long folder, long path, long mode) {
  return result(surroundings.files().change_mode(static_cast<int>(folder), text(path),
                                                 static_cast<mode_t>(mode)));
}
Answer change_owner(long folder, long path, long owner, long group, long flags) {
  return result(surroundings.files().change_owner(
      static_cast<int>(folder), text(path), static_cast<uid_t>(owner), static_cast<gid_t>(group),
      static_cast<int>(flags)));
}
Answer rename(long from_folder, long from, long to_folder, long to) {
  return result(surroundings.files().rename(static_cast<int>(from_folder), text(from),
                                            static_cast<int>(to_folder), text(to)));
}

/// Looks at a file by its name. `where`: which argument that is; what stands before it, if
/// anything, is the folder. `in_memory`: the same question about a descriptor.
template <typename InMemory>
Answer look_at_file(const SystemCall& call, std::size_t where, InMemory&& in_memory) {
  const auto folder = static_cast<int>(where == 0 ? AT_FDCWD : call.arguments[where - 1]);
  const long path = call.arguments[where];
  if (path == 0) return passed_on(call);
  const ExecutionFiles::Found found = surroundings.files().find(folder, text(path));
  if (found.error < 0) return result(found.error);
  switch (found.where) {
    case ExecutionFiles::Where::outside: return passed_on(call);
    case ExecutionFiles::Where::made_folder: {
      const long root = call_kernel(SYS_openat, AT_FDCWD, as_argument("/"), O_PATH);
      const Answer same = in_memory(root, *found.facts);
      call_kernel(SYS_close, root);
      return same;
    }
    case ExecutionFiles::Where::in_memory: break;
  }
  return in_memory(found.file, *found.facts);
}

Answer status(const SystemCall& call, std::size_t where) {
  return look_at_file(call, where, [&](long file, const FileFacts& facts) {
    const long into = call.arguments[where + 1];
    const long looked = call_kernel(SYS_newfstatat, file, as_argument(""), into, AT_EMPTY_PATH);
    if (looked == 0) facts.tell(*reinterpret_cast<struct stat*>(into));
    return result(looked);
  });
}

Answer extended_status(const SystemCall& call) {
  return look_at_file(call, 1, [&](long file, const FileFacts& facts) {
    const long looked =
        call_kernel(SYS_statx, file, as_argument(""), call.arguments[2] | AT_EMPTY_PATH,
                    call.arguments[3], call.arguments[4]);
    if (looked == 0) facts.tell(*reinterpret_cast<struct statx*>(call.arguments[4]));
    return result(looked);
  });
}

/// Of a descriptor. `into`: which argument says where to.
Answer own_status(const SystemCall& call, std::size_t into) {
  Answer answer = passed_on(call);
  if (answer.kind != Answer::Kind::result || answer.value != 0) return answer;
  auto& status = *reinterpret_cast<struct stat*>(call.arguments[into]);
  if (const FileFacts* facts = surroundings.files().facts().find(status)) facts->tell(status);
  return answer;
}

Answer own_extended_status(const SystemCall& call) {
  Answer answer = passed_on(call);
  if (answer.kind != Answer::Kind::result || answer.value != 0) return answer;
  const FileFacts* facts = surroundings.files().facts().find(static_cast<int>(call.arguments[0]));
  if (facts != nullptr) facts->tell(*reinterpret_cast<struct statx*>(call.arguments[4]));
  return answer;
}

Answer access(const SystemCall& call, std::size_t where) {
  return look_at_file(call, where, [&](long, const FileFacts& facts) {
    return result(facts.allow(static_cast<mode_t>(call.arguments[where + 1])));
  });
}

Answer read_link(const SystemCall& call, std::size_t where) {
  return look_at_file(call, where, [&](long, const FileFacts&) { return result(-EINVAL); });
}

Answer change_folder(const SystemCall& call) {
  if (call.number == SYS_chdir) {
    const ExecutionFiles::Found found =
        surroundings.files().find(AT_FDCWD, text(call.arguments[0]));
    if (found.where == ExecutionFiles::Where::made_folder) {
      return refused("a change into a folder that the program has made");
    }
  }
  runtime->use_outside("the current folder", Use::changes);
  surroundings.folder_changes();
  return passed_on(call);
}

Answer change_mode_mask(const SystemCall& call) {
  runtime->use_outside("the file mode mask", Use::changes);
  Answer before = passed_on(call);
  surroundings.mode_mask_changes(static_cast<mode_t>(before.value));
  return before;
}

/// Without a name the question is about a descriptor.
bool has_name(long path) { return path != 0 && *text(path) != '\0'; }

}  // namespace

std::optional<Answer> about_files(const SystemCall& call) {
  const auto& [a, b, c, d, e, f] = call.arguments;
  switch (call.number) {
    case SYS_openat: return open_file(a, b, c, d);
    case SYS_unlinkat: return remove(a, b, c);
    case SYS_mkdirat: return make_folder(a, b, c);
    case SYS_renameat2: return e != 0 ? refused() : rename(a, b, c, d);
#if defined(SYS_renameat)
    case SYS_renameat: return rename(a, b, c, d);
#endif
    case SYS_fchmodat: return change_mode(a, b, c);
    case SYS_fchownat:
      return (e & ~AT_SYMLINK_NOFOLLOW) != 0 ? refused() : change_owner(a, b, c, d, e);
    case SYS_newfstatat: return has_name(b) ? status(call, 1) : own_status(call, 2);
    case SYS_fstat: return own_status(call, 1);
    case SYS_statx: return has_name(b) ? extended_status(call) : own_extended_status(call);
    case SYS_faccessat:
    case SYS_faccessat2: return access(call, 1);
    case SYS_readlinkat: return read_link(call, 1);
    case SYS_statfs: return passed_on(call);
#if defined(SYS_open)
    case SYS_open: return open_file(AT_FDCWD, a, b, c);
    case SYS_creat: return open_file(AT_FDCWD, a, O_CREAT | O_WRONLY | O_TRUNC, b);
    case SYS_stat:
    case SYS_lstat: return status(call, 0);
    case SYS_access: return access(call, 0);
    case SYS_readlink: return read_link(call, 0);
    case SYS_unlink: return remove(AT_FDCWD, a, 0);
    case SYS_rmdir: return remove(AT_FDCWD, a, AT_REMOVEDIR);
    case SYS_mkdir: return make_folder(AT_FDCWD, a, b);
    case SYS_chmod: return change_mode(AT_FDCWD, a, b);
    case SYS_chown: return change_owner(AT_FDCWD, a, b, c, 0);
    case SYS_lchown: return change_owner(AT_FDCWD, a, b, c, AT_SYMLINK_NOFOLLOW);
    case SYS_rename: return rename(AT_FDCWD, a, AT_FDCWD, b);
#endif
    case SYS_chdir:
    case SYS_fchdir: return change_folder(call);
    case SYS_umask: return change_mode_mask(call);
    default: return std::nullopt;
  }
}

}  // namespace mazurka::threads::answers
