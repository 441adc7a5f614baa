// Functions of the C library that allocate what they return. It is the program's to free, so it is
// a block of its heap: checked like those that it has asked for itself.
//
// The function runs as ever; what it has allocated is then copied.
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstring>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/call_site.hpp"
#include "programs/threads/runtime/teller.hpp"

using mazurka::threads::EngineScope;
using mazurka::threads::natively;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;
using mazurka::threads::Teller;
using mazurka::threads::Use;

namespace {

/// The same as a block of the program's; the library's is gone.
template <typename Type>
Type* adopt(const Teller& teller, Type* block, std::size_t size) {
  if (block == nullptr || !scheduled()) return block;
  auto* const own = static_cast<Type*>(malloc(size));
  if (own != nullptr) {
    teller.write(own, size);
    const EngineScope scope;
    std::memcpy(static_cast<void*>(own), block, size);
  }
  __libc_free(block);
  return own;
}

char* adopt_text(const Teller& teller, char* text, std::size_t room = 0) {
  if (text == nullptr) return nullptr;
  return adopt(teller, text, room == 0 ? std::strlen(text) + 1 : room);
}

void look_at_folder() {
  if (scheduled()) runtime->use_outside("the current folder", Use::looks);
}

}  // namespace

MAZURKA_FAR_HOOK(char*, getcwd, char* buffer, std::size_t size) {
  const Teller teller;
  look_at_folder();
  char* const path = natively<char*>("getcwd", buffer, size);
  if (buffer == nullptr) return adopt_text(teller, path, size);
  if (path != nullptr && teller.counts()) teller.write(path, std::strlen(path) + 1);
  return path;
}
MAZURKA_FAR_HOOK(char*, get_current_dir_name) {
  const Teller teller;
  look_at_folder();
  return adopt_text(teller, natively<char*>("get_current_dir_name"));
}
MAZURKA_FAR_HOOK(char*, realpath, const char* path, char* resolved) {
  const Teller teller;
  look_at_folder();
  if (path != nullptr) teller.read_text(path);
  char* const found = natively<char*>("realpath", path, resolved);
  if (resolved == nullptr) return adopt_text(teller, found);
  if (found != nullptr && teller.counts()) teller.write(found, std::strlen(found) + 1);
  return found;
}
MAZURKA_FAR_HOOK(char*, canonicalize_file_name, const char* path) {
  return mazurka_at_realpath(path, nullptr);
}

namespace {

template <typename Entry, typename Filter, typename Compare>
int list_folder(const char* function, const char* path, Entry*** list, Filter filter,
                Compare compare) {
  const Teller teller;
  const int count = natively<int>(function, path, list, filter, compare);
  if (count < 0 || !scheduled()) return count;
  teller.write(list, sizeof *list);
  *list = adopt(teller, *list, static_cast<std::size_t>(count) * sizeof **list);
  for (int at = 0; *list != nullptr && at < count; ++at) {
    Entry*& entry = (*list)[at];
    entry = adopt(teller, entry, entry->d_reclen);
  }
  return count;
}

}  // namespace

MAZURKA_FAR_HOOK(int, scandir, const char* path, dirent*** list, int (*filter)(const dirent*),
                 int (*compare)(const dirent**, const dirent**)) {
  return list_folder("scandir", path, list, filter, compare);
}
MAZURKA_FAR_HOOK(int, scandir64, const char* path, dirent64*** list, int (*filter)(const dirent64*),
                 int (*compare)(const dirent64**, const dirent64**)) {
  return list_folder("scandir64", path, list, filter, compare);
}
