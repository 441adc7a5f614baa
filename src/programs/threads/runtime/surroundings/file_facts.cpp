#include "programs/threads/runtime/surroundings/file_facts.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "programs/threads/runtime/machine/kernel.hpp"

namespace mazurka::threads {

namespace {

constexpr mode_t permissions = 07777;
constexpr mode_t of_others = 07;
constexpr mode_t executable = 01;
constexpr mode_t executable_by_anybody = 0111;

bool is_superuser() { return ::geteuid() == 0; }

bool is_in_group(gid_t group) {
  if (group == ::getegid()) return true;
  std::vector<gid_t> groups(static_cast<std::size_t>(std::max(0, ::getgroups(0, nullptr))));
  const int count = ::getgroups(static_cast<int>(groups.size()), groups.data());
  return std::find(groups.begin(), groups.begin() + std::max(0, count), group) != groups.end();
}

bool look_at(int file, struct stat& status) {
  return call_kernel(SYS_fstat, file, as_argument(&status)) == 0;
}

}  // namespace

FileFacts FileFacts::of_new(mode_t mode) { return {mode & permissions, ::geteuid(), ::getegid()}; }

FileFacts FileFacts::of(const struct stat& status) {
  return {status.st_mode & permissions, status.st_uid, status.st_gid};
}

long FileFacts::allow(mode_t wanted) const {
  if (is_superuser()) {
    return (wanted & executable) == 0 || (mode & executable_by_anybody) != 0 ? 0 : -EACCES;
  }
  const unsigned shift = owner == ::geteuid() ? 6 : is_in_group(group) ? 3 : 0;
  return (wanted & ~(mode >> shift) & of_others) == 0 ? 0 : -EACCES;
}

long FileFacts::change_mode(mode_t to) {
  if (!is_superuser() && owner != ::geteuid()) return -EPERM;
  mode = to & permissions;
  if (!is_superuser() && !is_in_group(group)) mode &= ~static_cast<mode_t>(S_ISGID);
  return 0;
}

long FileFacts::change_owner(uid_t to_owner, gid_t to_group) {
  constexpr auto stays = static_cast<uid_t>(-1);
  const bool is_own = owner == ::geteuid();
  const bool other_owner = to_owner != stays && to_owner != owner;
  const bool other_group = to_group != stays && to_group != group;
  if (!is_superuser()) {
    if (other_owner || !is_own || (other_group && !is_in_group(to_group))) return -EPERM;
  }
  if (to_owner != stays) owner = to_owner;
  if (to_group != stays) group = to_group;
  if ((mode & executable_by_anybody) != 0) mode &= ~static_cast<mode_t>(S_ISUID | S_ISGID);
  return 0;
}

void FileFacts::tell(struct stat& status) const {
  status.st_mode = (status.st_mode & S_IFMT) | mode;
  status.st_uid = owner;
  status.st_gid = group;
}

void FileFacts::tell(struct statx& status) const {
  status.stx_mode = static_cast<std::uint16_t>((status.stx_mode & S_IFMT) | mode);
  status.stx_uid = owner;
  status.stx_gid = group;
}

FileFacts* FactsOfFiles::find(int file) {
  struct stat status {};
  if (known_.empty() || !look_at(file, status)) return nullptr;
  return const_cast<FileFacts*>(find(status));
}

const FileFacts* FactsOfFiles::find(const struct stat& status) const {
  if (status.st_dev != device_) return nullptr;
  const auto found = known_.find(status.st_ino);
  return found == known_.end() ? nullptr : &found->second;
}

FileFacts& FactsOfFiles::of(int file) {
  struct stat status {};
  look_at(file, status);
  device_ = status.st_dev;
  return known_.try_emplace(status.st_ino, FileFacts::of(status)).first->second;
}

}  // namespace mazurka::threads
