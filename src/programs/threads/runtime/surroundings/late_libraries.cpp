#include "programs/threads/runtime/surroundings/late_libraries.hpp"

#include <link.h>

#include <algorithm>
#include <string_view>

#include "programs/threads/runtime/beginning.hpp"
#include "programs/threads/runtime/machine/images.hpp"

namespace mazurka::threads {

namespace {

// What the compiler adds by itself: frame_dummy, and where it instruments the call of __tsan_init.
std::size_t made_by_compiler(const dl_phdr_info& library) {
  constexpr std::string_view init("\0__tsan_init\0", 13);
  return names_of(library).find(init) == std::string_view::npos ? 1 : 2;
}

struct Search {
  const std::vector<std::uintptr_t>& known;
  std::string found;
};

int look_at(dl_phdr_info* info, std::size_t, void* out) {
  Search& search = *static_cast<Search*>(out);
  const auto& known = search.known;
  if (!is_of_program(*info) ||
      std::find(known.begin(), known.end(), info->dlpi_addr) != known.end())
    return 0;
  if (functions_of(*info).initializers.size() <= made_by_compiler(*info)) return 0;
  const std::string path = info->dlpi_name;
  search.found = path.substr(path.rfind('/') + 1);
  return 1;
}

}  // namespace

LateLibraries::LateLibraries() {
  const auto note = [](dl_phdr_info* info, std::size_t, void* out) {
    static_cast<std::vector<std::uintptr_t>*>(out)->push_back(info->dlpi_addr);
    return 0;
  };
  dl_iterate_phdr(note, &known_);
}

std::string LateLibraries::with_constructors() const {
  Search search{known_, {}};
  dl_iterate_phdr(look_at, &search);
  return search.found;
}

}  // namespace mazurka::threads
