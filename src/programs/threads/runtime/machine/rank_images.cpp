#include "programs/threads/runtime/machine/rank_images.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "core/check.hpp"
#include "programs/threads/runtime/machine/engine.hpp"
#include "programs/threads/runtime/machine/images.hpp"

namespace mazurka::threads {

namespace {

std::vector<RankImage>& loaded() {
  static auto& all = *new std::vector<RankImage>;
  return all;
}

std::vector<std::byte> own_file() {
  std::vector<std::byte> bytes;
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0) throw std::runtime_error("the program's own file can not be read");
  std::byte buffer[65536];
  for (ssize_t count = 0; (count = read(file, buffer, sizeof buffer)) > 0;) {
    bytes.insert(bytes.end(), buffer, buffer + count);
  }
  close(file);
  return bytes;
}

[[noreturn]] void refuse_build() {
  throw std::runtime_error(
      "its ranks can not be loaded: it is not built for MPI; give the source file, or build it "
      "with mazurka-mpicc or mazurka-mpicxx");
}

/// The part of the file that holds the dynamic section.
std::span<ElfW(Dyn)> dynamic_section(std::vector<std::byte>& file) {
  ElfW(Ehdr) header;
  std::memcpy(&header, file.data(), sizeof header);
  if (header.e_type != ET_DYN) refuse_build();
  for (std::size_t at = 0; at < header.e_phnum; ++at) {
    ElfW(Phdr) segment;
    std::memcpy(&segment, file.data() + header.e_phoff + at * header.e_phentsize, sizeof segment);
    if (segment.p_type != PT_DYNAMIC) continue;
    auto* first = reinterpret_cast<ElfW(Dyn)*>(file.data() + segment.p_offset);
    return {first, segment.p_filesz / sizeof(ElfW(Dyn))};
  }
  refuse_build();
}

/// The dynamic linker loads what is marked as an executable only as the program. And it calls
/// nothing in there: that is done by the rank, in every execution.
void unmark(std::vector<std::byte>& file) {
  for (ElfW(Dyn) & entry : dynamic_section(file)) {
    switch (entry.d_tag) {
      case DT_FLAGS_1: entry.d_un.d_val &= ~ElfW(Xword){DF_1_PIE}; break;
      case DT_PREINIT_ARRAYSZ:
      case DT_INIT_ARRAYSZ:
      case DT_FINI_ARRAYSZ: entry.d_un.d_val = 0; break;
      case DT_INIT:
      case DT_FINI: entry.d_tag = DT_DEBUG; break;  // which means nothing in a library
      default: break;
    }
  }
}

/// A descriptor whose number makes the copy's name: it stays open until all are loaded.
int write_copy(const std::vector<std::byte>& file, std::size_t rank) {
  const std::string name = "rank-" + std::to_string(rank);
  const int copy = memfd_create(name.c_str(), MFD_CLOEXEC);
  for (std::size_t written = 0; copy >= 0 && written < file.size();) {
    const ssize_t count = write(copy, file.data() + written, file.size() - written);
    if (count <= 0) throw std::runtime_error("there is no room for a copy of the program");
    written += static_cast<std::size_t>(count);
  }
  if (copy < 0) throw std::runtime_error("the system has no room for a copy of the program");
  return copy;
}

/// Where the copy lies, by an address in it.
void find_extent(RankImage& image, std::span<const ElfW(Dyn)> dynamic) {
  struct Search {
    RankImage& image;
    std::span<const ElfW(Dyn)> dynamic;
  } search{image, dynamic};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        const Search& all = *static_cast<Search*>(out);
        RankImage& wanted = all.image;
        if (!is_copy_of_program(*info)) return 0;
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        std::span<const std::byte> locals;
        for (int at = 0; at < info->dlpi_phnum; ++at) {
          const ElfW(Phdr)& header = info->dlpi_phdr[at];
          const std::uintptr_t where = info->dlpi_addr + header.p_vaddr;
          if (header.p_type == PT_TLS) {
            locals = {reinterpret_cast<const std::byte*>(where), header.p_filesz};
          }
          if (header.p_type != PT_LOAD) continue;
          if (end == 0) begin = where;
          end = where + header.p_memsz;
        }
        const auto main = reinterpret_cast<std::uintptr_t>(wanted.main);
        if (main - begin >= end - begin) return 0;
        wanted.begin = begin;
        wanted.end = end;
        wanted.thread_locals = locals;
        wanted.functions = ObjectFunctions::of(info->dlpi_addr, all.dynamic);
        return 1;
      },
      &search);
}

RankImage load(int copy, std::span<const ElfW(Dyn)> dynamic) {
  const std::string path = "/proc/self/fd/" + std::to_string(copy);
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    throw std::runtime_error("a copy of the program can not be loaded for a rank: " +
                             std::string(dlerror()));
  }
  RankImage image;
  image.main = reinterpret_cast<int (*)(int, char**, char**)>(dlsym(handle, "main"));
  if (image.main == nullptr) refuse_build();
  find_extent(image, dynamic);
  MAZURKA_CHECK(image.begin < image.end, "a copy of the program lies where its main is");
  return image;
}

/// In the program's own memory: a rank may change them.
char** copy_of(int argc, char** argv) {
  const bool engine = inside_engine;
  inside_engine = false;
  auto** copy = static_cast<char**>(malloc((static_cast<std::size_t>(argc) + 1) * sizeof(char*)));
  for (int at = 0; at < argc; ++at) copy[at] = strdup(argv[at]);
  copy[argc] = nullptr;
  inside_engine = engine;
  return copy;
}

/// Variables in there would be shared by all ranks.
std::string library_with_state() {
  std::string found;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        if (module_of(*info) != Module::library) return 0;
        const std::string_view path = info->dlpi_name;
        const std::string_view name = path.substr(path.rfind('/') + 1);
        for (const std::string_view known : {"libstdc++.so", "libgcc_s.so", "libatomic.so"}) {
          if (name.starts_with(known)) return 0;
        }
        *static_cast<std::string*>(out) = name;
        return 1;
      },
      &found);
  return found;
}

}  // namespace

const std::vector<RankImage>& rank_images() { return loaded(); }

int rank_at(const void* address) {
  const auto where = reinterpret_cast<std::uintptr_t>(address);
  const std::vector<RankImage>& all = loaded();
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (where - all[rank].begin < all[rank].end - all[rank].begin) return static_cast<int>(rank);
  }
  return -1;
}

void load_rank_images(std::size_t count, int argc, char** argv) {
  if (const std::string library = library_with_state(); !library.empty()) {
    throw std::runtime_error("it is linked with " + library +
                             ", whose variables all ranks would share; link that statically");
  }
  std::vector<std::byte> file = own_file();
  const std::span<const ElfW(Dyn)> section = dynamic_section(file);
  const std::vector<ElfW(Dyn)> dynamic(section.begin(), section.end());
  unmark(file);
  std::vector<int> copies;
  for (std::size_t rank = 0; rank < count; ++rank) {
    copies.push_back(write_copy(file, rank));
    loaded().push_back(load(copies.back(), dynamic));
    loaded().back().argc = argc;
    loaded().back().argv = copy_of(argc, argv);
  }
  for (const int copy : copies) close(copy);
  learn_modules();
}

}  // namespace mazurka::threads
