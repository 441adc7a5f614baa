#include "programs/threads/runtime/surroundings/execution_files.hpp"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>

#include "programs/threads/runtime/machine/kernel.hpp"
#include "programs/threads/runtime/runtime.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"

namespace mazurka::threads {

namespace {

constexpr off_t largest_copy = off_t{64} << 20;

long open_outside(const std::string& name, int flags, mode_t mode = 0) {
  return call_kernel(SYS_openat, AT_FDCWD, as_argument(name.c_str()), flags, mode);
}

long look_at(const std::string& name, struct stat& status) {
  return call_kernel(SYS_newfstatat, AT_FDCWD, as_argument(name.c_str()), as_argument(&status));
}

std::string link_of(int file) { return "/proc/self/fd/" + std::to_string(file); }

std::string text_of_link(const std::string& link) {
  char text[PATH_MAX];
  const long length = call_kernel(SYS_readlinkat, AT_FDCWD, as_argument(link.c_str()),
                                  as_argument(text), sizeof text);
  return length > 0 ? std::string(text, static_cast<std::size_t>(length)) : "";
}

/// The true name of a file or folder that exists outside.
ExecutionFiles::Found true_file(const std::string& name) {
  const long file = open_outside(name, O_PATH | O_CLOEXEC);
  return {ExecutionFiles::Where::outside, static_cast<int>(file), file < 0 ? file : 0};
}

/// A file in memory, out of the way of the numbers that the program gets.
long make_file() {
  const long file = call_kernel(SYS_memfd_create, as_argument("file"), 0);
  return file < 0 ? file : surroundings.move_away(static_cast<int>(file));
}

long copy_into(int file, const std::string& name, off_t size) {
  const long from = open_outside(name, O_RDONLY | O_CLOEXEC);
  if (from < 0) return from;
  long done = 0;
  while (size > 0 && (done = call_kernel(SYS_sendfile, file, from, 0, size)) > 0) size -= done;
  call_kernel(SYS_close, from);
  return done < 0 ? done : 0;
}

mode_t mode_mask() {
  runtime->use_outside("the file mode mask", Use::looks);
  const long mask = call_kernel(SYS_umask, 0);
  call_kernel(SYS_umask, mask);
  return static_cast<mode_t>(mask);
}

/// Another description of the same file, with a position of its own.
long open_again(int file, int flags) {
  constexpr int about_names = O_CREAT | O_EXCL | O_NOFOLLOW;
  return open_outside(link_of(file), flags & ~about_names);
}

std::string parent_of(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == 0 ? "/" : name.substr(0, slash);
}

/// Of what is read there, others miss it, or it comes from them: but for memory and chance.
bool has_readers_that_wait(const std::string& name) {
  struct stat status {};
  if (look_at(name, status) < 0) return false;
  return S_ISFIFO(status.st_mode) || (S_ISCHR(status.st_mode) && major(status.st_rdev) != 1);
}

// Devices that are the same whatever is written to them.
bool is_sink(const struct stat& status) {
  if (!S_ISCHR(status.st_mode) || major(status.st_rdev) != 1) return false;
  const unsigned device = minor(status.st_rdev);
  return device == 3 || device == 5 || device == 7;  // null, zero, full
}

}  // namespace

const char* ExecutionFiles::words(long refusal) {
  switch (refusal) {
    case a_folder:
      return "folders that a program makes, or makes or removes files in, can not be listed or "
             "renamed, nor others removed";
    case a_device: return "what is written to a device, a pipe or a socket can not be taken back";
    case a_pipe:
      return "whoever opens a pipe or a device for reading may wait for ever, and takes away what "
             "others would have read";
    case no_regular_file:
      return "modes and owners of folders, devices, links and pipes outside can not be changed";
    case a_large_file: return "a file of more than 64 MB would be changed";
    default: return nullptr;
  }
}

bool ExecutionFiles::is_in_memory(int descriptor) {
  return text_of_link(link_of(descriptor)).starts_with("/memfd:");
}

ExecutionFiles::Name ExecutionFiles::resolve(int folder, const char* path, Use use) const {
  Name name = find_name(folder, path);
  if (name.text.empty()) return name;
  runtime->use_outside("the file " + name.text, use);
  const std::string parent = parent_of(name.text);
  if (name.error < 0 || entry(parent) != nullptr) {
    runtime->use_outside("the file " + parent, Use::looks);
  }
  return name;
}

ExecutionFiles::Name ExecutionFiles::find_name(int folder, const char* path) const {
  // The kernel finds out whether there is a text at all.
  if (const long seen = call_kernel(SYS_faccessat, AT_FDCWD, as_argument(path), 0);
      seen == -EFAULT || seen == -ENAMETOOLONG) {
    return {{}, seen};
  }
  std::string text = path;
  if (text.empty()) return {{}, -ENOENT};
  if (text.front() != '/') {
    if (folder == AT_FDCWD) runtime->use_outside("the current folder", Use::looks);
    const std::string where =
        text_of_link(folder == AT_FDCWD ? std::string("/proc/self/cwd") : link_of(folder));
    if (where.empty()) return {{}, -EBADF};
    text = where + "/" + text;
  }
  text = std::filesystem::path(text).lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  if (entry(text) != nullptr) return {text, 0};
  if (const Found real = true_file(text); real.file >= 0) {
    const std::string name = text_of_link(link_of(real.file));
    call_kernel(SYS_close, real.file);
    return {name, 0};
  }
  const std::string parent = parent_of(text);
  if (const Entry* made = entry(parent)) return {text, made->folder ? 0 : -ENOENT};
  const Found real = true_file(parent);
  if (real.file < 0) return {text, real.error};
  const std::string name = text_of_link(link_of(real.file));
  call_kernel(SYS_close, real.file);
  return {(name == "/" ? "" : name) + text.substr(text.rfind('/')), 0};
}

const ExecutionFiles::Entry* ExecutionFiles::entry(const std::string& name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : &found->second;
}

bool ExecutionFiles::lists_otherwise(const std::string& folder) const {
  struct stat status {};
  if (look_at(folder, status) < 0 || !S_ISDIR(status.st_mode)) return false;
  runtime->use_outside("the list of files in " + folder, Use::looks);
  const auto differs = [&](const auto& one) {
    return parent_of(one.first) == folder &&
           (one.second.removed() || look_at(one.first, status) < 0);
  };
  return std::any_of(entries_.begin(), entries_.end(), differs);
}

void ExecutionFiles::put(const std::string& name, Entry entry) {
  struct stat status {};
  if (entry.removed() || look_at(name, status) < 0) {
    runtime->use_outside("the list of files in " + parent_of(name), Use::adds);
  }
  Entry& known = entries_[name];
  if (known.file >= 0 && known.file != entry.file) surroundings.close_own(known.file);
  known = entry;
}

long ExecutionFiles::open(int folder, const char* path, int flags, mode_t mode) {
  constexpr int temporary = O_TMPFILE & ~O_DIRECTORY;
  const bool changes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
  if ((flags & temporary) != 0) {
    const long file = make_file();
    if (file < 0) return file;
    facts_.of(static_cast<int>(file)) = FileFacts::of_new(mode & ~mode_mask());
    const long opened = open_again(static_cast<int>(file), flags & ~O_TMPFILE);
    surroundings.close_own(static_cast<int>(file));
    return opened;
  }
  const auto unchanged = [&] {
    return call_kernel(SYS_openat, folder, as_argument(path), flags, mode);
  };
  if ((flags & O_PATH) != 0) return unchanged();
  const Name name = resolve(folder, path, changes ? Use::changes : Use::looks);
  if (name.error < 0) return changes ? name.error : unchanged();
  if (changes) return open_to_write(name.text, flags, mode);
  const Entry* known = entry(name.text);
  if (known == nullptr) {
    if (has_readers_that_wait(name.text)) return a_pipe;
    return lists_otherwise(name.text) ? a_folder : unchanged();
  }
  if (known->folder) return a_folder;
  return known->removed() ? -ENOENT : open_known(known->file, flags);
}

long ExecutionFiles::open_to_write(const std::string& name, int flags, mode_t mode) {
  const Entry* known = entry(name);
  struct stat status {};
  const bool outside_has_it = known == nullptr && look_at(name, status) == 0;
  const bool exists = known != nullptr ? !known->removed() : outside_has_it;
  if (exists && (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) return -EEXIST;
  if (!exists && (flags & O_CREAT) == 0) return -ENOENT;
  if (known != nullptr && known->folder) return -EISDIR;
  if (known != nullptr && known->file >= 0) {
    if ((flags & O_TRUNC) != 0) note_open_file(known->file, Use::changes);
    return open_known(known->file, flags);
  }
  if (outside_has_it) {
    if (S_ISDIR(status.st_mode)) return -EISDIR;
    if (is_sink(status)) return open_outside(name, flags & ~O_CREAT);
    if (!S_ISREG(status.st_mode)) return a_device;
  }
  constexpr long write_permission = 2;
  const std::string changed = outside_has_it ? name : parent_of(name);
  if (const Entry* made = entry(changed); made == nullptr) {
    const long allowed =
        call_kernel(SYS_faccessat, AT_FDCWD, as_argument(changed.c_str()),
                    (flags & O_ACCMODE) == O_RDONLY && exists ? 0 : write_permission);
    if (allowed < 0) return allowed;
  }
  if (outside_has_it) {
    const long file = take_in(name, status, (flags & O_TRUNC) == 0);
    return file < 0 ? file : open_again(static_cast<int>(file), flags);
  }
  const long file = make_file();
  if (file < 0) return file;
  facts_.of(static_cast<int>(file)) = FileFacts::of_new(mode & ~mode_mask());
  put(name, {static_cast<int>(file)});
  return open_again(static_cast<int>(file), flags);
}

long ExecutionFiles::take_in(const std::string& name, const struct stat& status,
                             bool with_contents) {
  if (status.st_size > largest_copy) return a_large_file;
  const long file = make_file();
  if (file < 0) return file;
  const auto number = static_cast<int>(file);
  const long copied = with_contents ? copy_into(number, name, status.st_size) : 0;
  if (copied < 0) {
    surroundings.close_own(number);
    return copied;
  }
  facts_.of(number) = FileFacts::of(status);
  put(name, {number});
  return file;
}

long ExecutionFiles::open_known(int file, int flags) {
  constexpr mode_t to_read = 4;
  constexpr mode_t to_write = 2;
  const int access = flags & O_ACCMODE;
  const mode_t wanted = (access != O_WRONLY ? to_read : 0U) |
                        (access != O_RDONLY || (flags & O_TRUNC) != 0 ? to_write : 0U);
  const long allowed = facts_.of(file).allow(wanted);
  return allowed < 0 ? allowed : open_again(file, flags);
}

long ExecutionFiles::facts_to_change(int folder, const char* path, FileFacts*& facts) {
  const Name name = resolve(folder, path, Use::changes);
  if (name.error < 0) return name.error;
  if (const auto known = entries_.find(name.text); known != entries_.end()) {
    if (known->second.removed()) return -ENOENT;
    facts = known->second.folder ? &known->second.facts : &facts_.of(known->second.file);
    return 0;
  }
  struct stat status {};
  if (const long looked = look_at(name.text, status); looked < 0) return looked;
  if (!S_ISREG(status.st_mode)) return no_regular_file;
  const long file = take_in(name.text, status, true);
  if (file < 0) return file;
  facts = &facts_.of(static_cast<int>(file));
  return 0;
}

long ExecutionFiles::change_mode(int folder, const char* path, mode_t mode) {
  FileFacts* facts = nullptr;
  const long failure = facts_to_change(folder, path, facts);
  return failure < 0 ? failure : facts->change_mode(mode);
}

long ExecutionFiles::change_owner(int folder, const char* path, uid_t owner, gid_t group,
                                  int flags) {
  struct stat status {};
  if ((flags & AT_SYMLINK_NOFOLLOW) != 0 &&
      call_kernel(SYS_newfstatat, folder, as_argument(path), as_argument(&status),
                  AT_SYMLINK_NOFOLLOW) == 0 &&
      S_ISLNK(status.st_mode)) {
    return no_regular_file;
  }
  FileFacts* facts = nullptr;
  const long failure = facts_to_change(folder, path, facts);
  return failure < 0 ? failure : facts->change_owner(owner, group);
}

long ExecutionFiles::unlink(int folder, const char* path, int flags) {
  const Name name = resolve(folder, path, Use::changes);
  if (name.error < 0) return name.error;
  const Entry* known = entry(name.text);
  struct stat status {};
  if (known == nullptr && look_at(name.text, status) < 0) return -ENOENT;
  if (known != nullptr && known->removed()) return -ENOENT;
  const bool is_folder = known != nullptr ? known->folder : S_ISDIR(status.st_mode);
  if ((flags & AT_REMOVEDIR) == 0) {
    if (is_folder) return -EISDIR;
    put(name.text, {});
    return 0;
  }
  if (!is_folder) return -ENOTDIR;
  if (known == nullptr) return a_folder;
  for (const auto& [other, one] : entries_) {
    if (other.starts_with(name.text + "/") && !one.removed()) return -ENOTEMPTY;
  }
  put(name.text, {});
  return 0;
}

long ExecutionFiles::rename(int from_folder, const char* from, int to_folder, const char* to) {
  const Name source = resolve(from_folder, from, Use::changes);
  if (source.error < 0) return source.error;
  const Name target = resolve(to_folder, to, Use::changes);
  if (target.error < 0) return target.error;
  if (source.text == target.text) return 0;
  const Found found = find(from_folder, from);
  if (found.error < 0) return found.error;
  if (found.where == Where::made_folder) return a_folder;
  if (const Entry* over = entry(target.text); over != nullptr && over->folder) return -EISDIR;
  if (found.where == Where::outside) {
    struct stat status {};
    if (const long looked = look_at(source.text, status); looked < 0) return looked;
    if (S_ISDIR(status.st_mode)) return a_folder;
    const long copy = take_in(source.text, status, true);
    if (copy < 0) return copy;
  }
  const Entry moved = *entry(source.text);
  runtime->use_outside("the list of files in " + parent_of(source.text), Use::adds);
  entries_[source.text] = {};
  put(target.text, moved);
  return 0;
}

long ExecutionFiles::make_folder(int folder, const char* path, mode_t mode) {
  const Name name = resolve(folder, path, Use::changes);
  if (name.error < 0) return name.error;
  const Entry* known = entry(name.text);
  struct stat status {};
  const bool exists = known != nullptr ? !known->removed() : look_at(name.text, status) == 0;
  if (exists) return -EEXIST;
  put(name.text, {-1, true, FileFacts::of_new(mode & ~mode_mask())});
  return 0;
}

ExecutionFiles::Found ExecutionFiles::find(int folder, const char* path) {
  const Name name = resolve(folder, path, Use::looks);
  if (name.error < 0) return {};  // the kernel says the same
  const Entry* known = entry(name.text);
  if (known == nullptr) return {};
  if (known->folder) return {Where::made_folder, -1, 0, known->facts};
  if (known->removed()) return {Where::in_memory, -1, -ENOENT};
  note_open_file(known->file, Use::looks);
  return {Where::in_memory, known->file, 0, facts_.of(known->file)};
}

void ExecutionFiles::forget() {
  for (const auto& [name, one] : entries_) {
    if (one.file >= 0) surroundings.close_own(one.file);
  }
  entries_.clear();
  facts_.forget();
}

}  // namespace mazurka::threads
