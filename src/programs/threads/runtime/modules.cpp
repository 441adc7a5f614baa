#include "programs/threads/runtime/modules.hpp"

#include <link.h>
#include <unistd.h>

#include <string>

#include "programs/threads/runtime/machine/images.hpp"

namespace mazurka::threads {

std::vector<RawModule> loaded_modules() {
  std::vector<RawModule> all;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        std::string path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
        if (path.empty() || is_copy_of_program(*info)) {
          char own[4096];
          const ssize_t length = readlink("/proc/self/exe", own, sizeof own);
          if (length > 0) path.assign(own, static_cast<std::size_t>(length));
        }
        static_cast<std::vector<RawModule>*>(out)->push_back({info->dlpi_addr, path});
        return 0;
      },
      &all);
  return all;
}

}  // namespace mazurka::threads
