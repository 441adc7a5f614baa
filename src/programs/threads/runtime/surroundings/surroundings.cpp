#include "programs/threads/runtime/surroundings/surroundings.hpp"

#include <fcntl.h>
#include <getopt.h>
#include <linux/close_range.h>
#include <locale.h>
#include <stdio_ext.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "programs/threads/runtime/machine/engine.hpp"
#include "programs/threads/runtime/machine/kernel.hpp"
#include "programs/threads/runtime/machine/memory.hpp"
#include "programs/threads/runtime/machine/native.hpp"
#include "programs/threads/runtime/runtime.hpp"
#include "programs/threads/runtime/surroundings/text_streams.hpp"

namespace mazurka::threads {

Surroundings surroundings;

namespace {

// From here on our own descriptors have their numbers, if the limit allows.
constexpr long far_away = 900;

std::vector<int> open_descriptors() {
  std::vector<int> numbers;
  DIR* folder = ::opendir("/proc/self/fd");
  if (folder == nullptr) return {0, 1, 2};
  while (const dirent* entry = ::readdir(folder)) {
    const int number = std::atoi(entry->d_name);
    if (entry->d_name[0] != '.' && number != dirfd(folder)) numbers.push_back(number);
  }
  ::closedir(folder);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// A process may have been given up in the middle of printing.
void release(std::FILE* stream) {
  struct Lock {
    int held, depth;
    void* owner;
  };
  if (stream->_lock != nullptr) *static_cast<Lock*>(stream->_lock) = {};
}

}  // namespace

void Surroundings::keep(std::initializer_list<int> own) {
  for (const int one : own) {
    if (one >= 0) own_.push_back(one);
  }
  const std::vector<int> numbers = open_descriptors();
  for (const int number : numbers) {
    if (is_own(number)) continue;
    const long copy = call_kernel(SYS_fcntl, number, F_DUPFD_CLOEXEC, far_away);
    if (copy < 0) continue;
    own_.push_back(static_cast<int>(copy));
    struct stat status {};
    const bool has_position = fstat(number, &status) == 0 && S_ISREG(status.st_mode);
    known_.push_back(
        {number, static_cast<int>(copy), has_position ? lseek(number, 0, SEEK_CUR) : off_t{-1}});
  }
  folder_ = static_cast<int>(
      call_kernel(SYS_openat, AT_FDCWD, as_argument("."), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (folder_ >= 0) folder_ = static_cast<int>(move_away(folder_));
  environment_begin_ = environ;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    environment_.push_back(*entry);
  }
  options_ = {optind, opterr, optopt};
}

bool Surroundings::changed_but_handlers() const {
  return !streams_.empty() || !folders_.empty() || !opened_.empty() || standard_streams_changed_ ||
         files_.any() || locks_.any() || descriptors_changed_ || folder_changed_ || mode_mask_ ||
         environment_changed_ || !locale_.empty() || !mappings_.empty() || !executable_.empty() ||
         limits_changed_ || file_in_memory_ || priority_ != 0 || !options_of_process_.empty();
}

void Surroundings::restore() {
  for (std::FILE* stream : streams_) {
    __fsetlocking(stream, FSETLOCKING_BYCALLER);
    natively("fclose", stream);
  }
  streams_.clear();
  text_streams.forget();
  for (DIR* folder : folders_) natively("closedir", folder);
  folders_.clear();
  opened_.clear();
  for (std::FILE* stream : {stdin, stdout, stderr}) release(stream);
  if (std::exchange(standard_streams_changed_, false)) {
    for (std::FILE* stream : {stdin, stdout, stderr}) {
      __fpurge(stream);
      clearerr(stream);
    }
  }
  files_.forget();
  locks_.forget();
  dispositions_.reset();
  if (descriptors_changed_) restore_descriptors();
  for (const Known& one : known_) {
    if (one.position >= 0) call_kernel(SYS_lseek, one.number, one.position, SEEK_SET);
  }
  if (std::exchange(folder_changed_, false)) call_kernel(SYS_fchdir, folder_);
  if (mode_mask_) call_kernel(SYS_umask, *mode_mask_);
  mode_mask_.reset();
  if (std::exchange(environment_changed_, false)) restore_environment();
  if (!locale_.empty()) natively<char*>("setlocale", LC_ALL, locale_.c_str());
  locale_.clear();
  for (const Range& range : mappings_) {
    call_kernel(SYS_munmap, static_cast<long>(range.begin),
                static_cast<long>(range.end - range.begin));
  }
  mappings_.clear();
  for (const Range& range : executable_) {
    call_kernel(SYS_mprotect, static_cast<long>(range.begin),
                static_cast<long>(range.end - range.begin), PROT_READ | PROT_WRITE);
  }
  executable_.clear();
  memory_protected_ = false;
  if (std::exchange(limits_changed_, false)) limits_.fill(std::nullopt);
  file_in_memory_ = false;
  priority_ = 0;
  options_of_process_.clear();
  optind = options_[0];
  opterr = options_[1];
  optopt = options_[2];
}

namespace {

// To where the program prints.
void show(long file) {
  call_kernel(SYS_lseek, file, 0, SEEK_SET);
  std::array<char, 4096> buffer{};
  while (true) {
    const long size = call_kernel(SYS_read, file, as_argument(buffer.data()), buffer.size());
    if (size <= 0) return;
    call_kernel(SYS_write, STDOUT_FILENO, as_argument(buffer.data()), size);
  }
}

}  // namespace

void Surroundings::hold_output() {
  held_output_ = move_away(
      static_cast<int>(call_kernel(SYS_memfd_create, as_argument("output"), MFD_CLOEXEC)));
  if (held_output_ < 0) return;
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    call_kernel(SYS_dup3, held_output_, stream, 0);
  }
}

void Surroundings::let_go_of_output(bool shown) {
  if (held_output_ < 0) return;
  if (shown) {
    natively("fflush", stdout);
  } else {
    __fpurge(stdout);
  }
  restore_descriptors();
  if (shown) show(held_output_);
  close_own(static_cast<int>(std::exchange(held_output_, -1)));
}

namespace {

std::uint64_t place_of(int descriptor) { return static_cast<std::uint64_t>(descriptor) + 1; }
std::uint64_t place_of(const void* handle) { return reinterpret_cast<std::uintptr_t>(handle); }

std::uint64_t key_at(const std::unordered_map<std::uint64_t, std::uint64_t>& opened,
                     std::uint64_t place) {
  constexpr unsigned bits_of_address = 48;
  const auto times = opened.find(place);
  return place | (times == opened.end() ? 1 : times->second + 1) << bits_of_address;
}

}  // namespace

void Surroundings::opened(std::FILE* stream) {
  streams_.push_back(stream);
  ++opened_[place_of(stream)];
}

void Surroundings::opened(DIR* folder) {
  folders_.push_back(folder);
  ++opened_[place_of(folder)];
}

void Surroundings::opened(int descriptor) { ++opened_[place_of(descriptor)]; }

std::uint64_t Surroundings::key_of(int descriptor) const {
  return key_at(opened_, place_of(descriptor));
}

std::uint64_t Surroundings::key_of(const void* handle) const {
  return key_at(opened_, place_of(handle));
}

bool Surroundings::is_own(int descriptor) const {
  return std::find(own_.begin(), own_.end(), descriptor) != own_.end();
}

long Surroundings::move_away(int descriptor) {
  const long moved = call_kernel(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, far_away);
  if (moved < 0) {  // the limit is lower
    own_.push_back(descriptor);
    return descriptor;
  }
  call_kernel(SYS_close, descriptor);
  own_.push_back(static_cast<int>(moved));
  return moved;
}

void Surroundings::close_own(int descriptor) {
  std::erase(own_, descriptor);
  call_kernel(SYS_close, descriptor);
}

void Surroundings::close_all_between(unsigned first, unsigned last, unsigned flags) const {
  if (first > last) return;
  if (call_kernel(SYS_close_range, first, last, flags) != -ENOSYS || flags != 0) return;
  constexpr unsigned most = 65'536;
  for (unsigned one = first; one <= std::min(last, most); ++one) call_kernel(SYS_close, one);
}

long Surroundings::close_range(unsigned first, unsigned last, unsigned flags) {
  if (first > last || flags > 7) return -EINVAL;
  descriptors_changed_ = true;
  if ((flags & CLOSE_RANGE_CLOEXEC) == 0) locks_.closing(first, last);
  std::vector<int> spared = own_;
  std::sort(spared.begin(), spared.end());
  for (const int one : spared) {
    const auto number = static_cast<unsigned>(one);
    if (number < first || number > last) continue;
    if (number > first) close_all_between(first, number - 1, flags);
    first = number + 1;
  }
  close_all_between(first, last, flags);
  return 0;
}

void Surroundings::restore_descriptors() {
  close_range(0, ~0U, 0);
  for (const Known& one : known_) call_kernel(SYS_dup3, one.copy, one.number, 0);
  descriptors_changed_ = false;
}

void Surroundings::restore_environment() {
  environ = environment_begin_;
  if (environ == nullptr) return;
  std::copy(environment_.begin(), environment_.end(), environ);
  environ[environment_.size()] = nullptr;
}

void Surroundings::mode_mask_changes(mode_t before) {
  if (!mode_mask_) mode_mask_ = before;
}

void Surroundings::locale_changes() {
  if (!locale_.empty()) return;
  const char* now = natively<char*>("setlocale", LC_ALL, static_cast<const char*>(nullptr));
  locale_ = now == nullptr ? "C" : now;
}

void Surroundings::mapped(void* memory, std::size_t size) {
  const std::size_t page = page_size();
  size = (size + page - 1) / page * page;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  unmapped(memory, size);  // it may replace a part of another
  mappings_.push_back({begin, begin + size});
}

void Surroundings::made_executable(const void* memory, std::size_t size) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  executable_.push_back({begin, round_up(begin + size, page_size())});
}

bool Surroundings::has_mapped(const void* memory, std::size_t size) const {
  auto at = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t end = at + size;
  const auto covers = [&](const Range& one) { return one.begin <= at && at < one.end; };
  while (at < end) {
    const auto range = std::find_if(mappings_.begin(), mappings_.end(), covers);
    if (range == mappings_.end()) return false;
    at = range->end;
  }
  return end >= reinterpret_cast<std::uintptr_t>(memory);
}

void Surroundings::unmapped(const void* memory, std::size_t size) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t end = begin + size;
  std::vector<Range> left;
  for (const Range& one : mappings_) {
    if (one.end <= begin || end <= one.begin) {
      left.push_back(one);
      continue;
    }
    if (one.begin < begin) left.push_back({one.begin, begin});
    if (end < one.end) left.push_back({end, one.end});
  }
  mappings_ = std::move(left);
}

std::optional<rlimit64>& Surroundings::limit(unsigned resource) {
  limits_changed_ = true;
  return limits_[resource];
}

void note_open_file(int descriptor, Use use) {
  if (descriptor <= STDERR_FILENO) return;
  note_descriptor(descriptor, Use::looks);
  struct stat status {};
  const long looked = call_kernel(SYS_fstat, descriptor, as_argument(&status));
  if (looked < 0 || !S_ISREG(status.st_mode)) return;
  runtime->use_outside("an open file", use, status.st_ino ^ status.st_dev << 48U);
}

void note_descriptor(int descriptor, Use use) {
  runtime->use_outside("a descriptor (one closes or changes it)", use,
                       surroundings.key_of(descriptor));
}

void note_handle(const void* handle, Use use) {
  runtime->use_outside("a stream or list of files", use, surroundings.key_of(handle));
}

void note_numbers(Use use) {
  runtime->use_outside("descriptors (it opens, copies or closes files)",
                       HiddenNumbers::any() ? Use::adds : use);
}

void use_open_file(int descriptor, Use use) {
  if (scheduled()) note_open_file(descriptor, use);
}

void use_open_file(std::FILE* stream, Use use) {
  if (!scheduled() || stream == nullptr || is_standard(stream)) return;
  note_handle(stream, use);
  note_open_file(natively("fileno", stream), use);
}

void use_handlers(Use use) {
  const bool before = runtime->state().went_outside;
  runtime->use_outside("handlers of signals", use);
  runtime->state().went_outside = before;
}

}  // namespace mazurka::threads
