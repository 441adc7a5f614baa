#include "programs/threads/host/files.hpp"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <system_error>

namespace mazurka::threads {

namespace fs = std::filesystem;

namespace {

constexpr const char* runtime_name = "libmazurka-threads.so";
constexpr const char* actors_name = "libmazurka-actors.so";

struct CloseDescriptor {
  int descriptor;
  ~CloseDescriptor() {
    if (descriptor >= 0) close(descriptor);
  }
};

struct EndElf {
  void operator()(Elf* elf) const { elf_end(elf); }
};

/// Does the dynamic section name a library that begins so?
bool needs_library(Elf* elf, std::string_view library) {
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf, section)) != nullptr) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNAMIC) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0) continue;
    const auto entries = static_cast<int>(header.sh_size / header.sh_entsize);
    for (int i = 0; i < entries; ++i) {
      GElf_Dyn entry;
      if (gelf_getdyn(data, i, &entry) == nullptr || entry.d_tag != DT_NEEDED) continue;
      const char* name = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
      if (name != nullptr && std::string_view(name).starts_with(library)) return true;
    }
  }
  return false;
}

}  // namespace

Installation find_installation() {
  std::error_code failure;
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  if (failure) throw InputError("can not tell where Mazurka is installed: /proc is not mounted");
  const fs::path home = program.parent_path().parent_path();
  for (const char* folder : {"lib", MAZURKA_LIBDIR}) {
    const fs::path runtime = home / folder / runtime_name;
    if (fs::exists(runtime, failure)) {
      return {program.parent_path(), runtime, home / folder / actors_name, home / "include"};
    }
  }
  throw InputError(std::string(runtime_name) + " is not in " + (home / "lib").string() +
                   "; build or install Mazurka completely");
}

fs::path work_folder() {
  const fs::path here = ".mazurka";
  std::error_code failure;
  fs::create_directories(here, failure);
  if (!failure && access(here.c_str(), W_OK | X_OK) == 0) return here;

  const fs::path elsewhere =
      fs::temp_directory_path() / ("mazurka-" + std::to_string(static_cast<unsigned>(getuid())));
  fs::create_directories(elsewhere, failure);
  if (failure || access(elsewhere.c_str(), W_OK | X_OK) != 0) {
    throw InputError("neither ./.mazurka nor " + elsewhere.string() +
                     " can be written; binaries and schedules need a place");
  }
  return elsewhere;
}

std::string read_text(const fs::path& file) {
  std::error_code failure;
  if (!fs::exists(file, failure)) throw InputError(file.string() + ": no such file");
  if (fs::is_directory(file, failure)) throw InputError(file.string() + " is a folder, not a file");
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream.is_open() || stream.bad()) {
    throw InputError(file.string() + " can not be read: " + std::strerror(errno));
  }
  return std::move(text).str();
}

void write_text(const fs::path& file, std::string_view text) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << text << std::flush;
  if (!stream) throw InputError(file.string() + " can not be written: " + std::strerror(errno));
}

std::uint64_t hash(std::string_view text, std::uint64_t seed) {
  std::uint64_t value = seed;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return value;
}

std::string hash_text(std::uint64_t hash) {
  std::string digits(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) digits[i] = "0123456789abcdef"[hash & 0xf];
  return digits;
}

std::string file_identity(const fs::path& file) { return hash_text(hash(read_text(file))); }

std::string shown_path(const fs::path& file) {
  std::error_code failure;
  const std::string relative = fs::proximate(file, failure).string();
  return failure || relative.starts_with("../..") ? file.string() : relative;
}

void require_checkable(const fs::path& binary) {
  const std::string name = binary.string();
  const std::string how = "; build it with mazurka-cc or mazurka-c++, or give the source file";
  std::error_code failure;
  if (!fs::exists(binary, failure)) throw InputError(name + ": no such file");
  if (!fs::is_regular_file(binary, failure)) throw InputError(name + " is not a file");

  elf_version(EV_CURRENT);
  const CloseDescriptor file{open(binary.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.descriptor < 0) throw InputError(name + " can not be read: " + std::strerror(errno));
  const std::unique_ptr<Elf, EndElf> elf(elf_begin(file.descriptor, ELF_C_READ, nullptr));
  if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF) {
    throw InputError(name + " is neither a C or C++ source file (.c .cc .cpp .cxx) nor a program" +
                     how);
  }
  GElf_Ehdr header;
  if (gelf_getehdr(elf.get(), &header) == nullptr ||
      (header.e_type != ET_EXEC && header.e_type != ET_DYN)) {
    throw InputError(name + " is an object file, not a program; link it with mazurka-c++ first");
  }
  if (!needs_library(elf.get(), runtime_name) && !needs_library(elf.get(), actors_name)) {
    throw InputError(name + " was not built with Mazurka's compiler wrappers" + how);
  }
  if (access(binary.c_str(), X_OK) != 0) {
    throw InputError(name + " may not be executed: " + std::strerror(errno));
  }
}

}  // namespace mazurka::threads
