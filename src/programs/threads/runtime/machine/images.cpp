#include "programs/threads/runtime/machine/images.hpp"

#include <algorithm>
#include <string_view>

namespace mazurka::threads {

bool is_copy_of_program(const dl_phdr_info& info) {
  const std::string_view path = info.dlpi_name == nullptr ? "" : info.dlpi_name;
  return path.starts_with("/proc/self/fd/");
}

Module module_of(const dl_phdr_info& info) {
  const std::string_view path = info.dlpi_name == nullptr ? "" : info.dlpi_name;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.empty() || is_copy_of_program(info)) return Module::program;
  if (name.starts_with("libmazurka")) return Module::runtime;
  for (const std::string_view prefix : {"libc.so", "libc-", "ld-", "ld.so", "libpthread", "libdl.",
                                        "linux-vdso", "libm.so", "librt."}) {
    if (name.starts_with(prefix)) return Module::c_library;
  }
  return Module::library;
}

namespace {

struct ProgramImage {
  Extent all;
  Extent code;
};

Extent c_library;
// Plain memory, not a container: it is asked before any constructor has run.
constexpr std::size_t most_images = 1 + most_ranks;
ProgramImage images[most_images];
std::size_t image_count = 0;

template <typename Fits>
bool any_image(Fits&& fits) {
  return std::any_of(images, images + image_count, fits);
}

/// Everything that is loaded of it.
ProgramImage extents_of(const dl_phdr_info& info) {
  ProgramImage image;
  for (int at = 0; at < info.dlpi_phnum; ++at) {
    const ElfW(Phdr)& header = info.dlpi_phdr[at];
    if (header.p_type != PT_LOAD) continue;
    const std::uintptr_t begin = info.dlpi_addr + header.p_vaddr;
    if (image.all.end == 0) image.all.begin = begin;
    image.all.end = begin + header.p_memsz;
    if ((header.p_flags & PF_X) != 0) image.code = {begin, begin + header.p_memsz};
  }
  return image;
}

}  // namespace

bool is_of_program(const dl_phdr_info& module) {
  const Module kind = module_of(module);
  return kind == Module::program || kind == Module::library;
}
Extent extent_of_c_library() { return c_library; }
bool in_c_library(const void* code) { return c_library.contains(code); }
bool in_program(const void* address) {
  return any_image([&](const ProgramImage& image) { return image.all.contains(address); });
}

bool stacks_are_executable() {
  static const bool found =
      dl_iterate_phdr(
          [](dl_phdr_info* info, std::size_t, void*) {
            for (int at = 0; at < info->dlpi_phnum; ++at) {
              const ElfW(Phdr)& header = info->dlpi_phdr[at];
              if (header.p_type == PT_GNU_STACK && (header.p_flags & PF_X) != 0) return 1;
            }
            return 0;
          },
          nullptr) != 0;
  return found;
}

bool in_code_of_program(std::uintptr_t address) {
  return any_image([&](const ProgramImage& image) {
    return image.code.contains(reinterpret_cast<const void*>(address));
  });
}

void learn_modules() {
  image_count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void*) {
        const std::string_view path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
        const std::string_view name = path.substr(path.rfind('/') + 1);
        if (module_of(*info) == Module::program) {
          if (image_count < most_images) images[image_count++] = extents_of(*info);
        } else if (name.starts_with("libc.so")) {
          c_library = extents_of(*info).all;
        }
        return 0;
      },
      nullptr);
}

}  // namespace mazurka::threads
