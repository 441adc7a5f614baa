#include "host/files.hpp"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <span>
#include <sstream>
#include <system_error>

#include "driver/file_bytes.hpp"
#include "host/end_elf.hpp"

namespace mazurka::host {

namespace fs = std::filesystem;

namespace {

constexpr const char* runtime_name = "libmazurka-threads.so";
constexpr const char* actors_name = "libmazurka-actors.so";
constexpr const char* caf_name = "libmazurka-caf.so";

struct CloseDescriptor {
  int descriptor;
  ~CloseDescriptor() {
    if (descriptor >= 0) close(descriptor);
  }
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

/// Into the file that is there, or a new one. Returns 0 or errno.
int write_in_place(const fs::path& file, int how, mode_t mode, std::span<const std::byte> bytes) {
  const int number = open(file.c_str(), O_WRONLY | O_CLOEXEC | how, mode);
  if (number < 0) return errno;
  int failure = write_bytes(number, bytes) ? 0 : errno;
  if (close(number) != 0 && failure == 0) failure = errno;
  return failure;
}

/// As a whole or not at all, so that nobody ever reads a half; a link leads to the same file as
/// before.
int replace_file(const fs::path& file, std::span<const std::byte> bytes) {
  if (is_stream(file)) return write_in_place(file, O_APPEND, 0, bytes);
  struct stat about {};
  const bool there = stat(file.c_str(), &about) == 0;
  std::error_code failure;
  const fs::path target = there ? fs::canonical(file, failure) : file;
  if (failure) return failure.value();
  const fs::path fresh = target.string() + ".new." + std::to_string(getpid());
  unlink(fresh.c_str());
  const mode_t mode = there ? about.st_mode & 0777U : 0666;
  const int written = write_in_place(fresh, O_CREAT | O_EXCL, mode, bytes);
  if (written == 0) {
    if (there) chmod(fresh.c_str(), mode);
    if (rename(fresh.c_str(), target.c_str()) == 0) return 0;
  }
  const int problem = written != 0 ? written : errno;
  unlink(fresh.c_str());
  // Perhaps the file can be written and its folder can not.
  const bool folder = problem == EACCES || problem == EROFS || problem == ENAMETOOLONG;
  return there && folder ? write_in_place(target, O_TRUNC, 0, bytes) : problem;
}

}  // namespace

void fail_with_errno(const std::string& what) {
  throw InputError(what + ": " + std::strerror(errno));
}

Installation find_installation() {
  std::error_code failure;
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  if (failure) throw InputError("can not tell where Mazurka is installed: /proc is not mounted");
  const fs::path home = program.parent_path().parent_path();
  for (const char* folder : {"lib", MAZURKA_LIBDIR}) {
    const fs::path runtime = home / folder / runtime_name;
    if (fs::exists(runtime, failure)) {
      return {program.parent_path(),
              runtime,
              home / folder / "mazurka-mpi" / runtime_name,
              home / folder / actors_name,
              home / folder / caf_name,
              home / "include"};
    }
  }
  throw InputError(std::string(runtime_name) + " is not in " + (home / "lib").string() +
                   "; build or install Mazurka completely");
}

std::string read_text(const fs::path& file) {
  std::error_code failure;
  if (!fs::exists(file, failure)) throw InputError(file.string() + ": no such file");
  if (fs::is_directory(file, failure)) throw InputError(file.string() + " is a folder, not a file");
  // A device may have no end.
  if (!fs::is_regular_file(file, failure) && !fs::is_fifo(file, failure)) {
    throw InputError(file.string() + " is not a file that can be read as a whole");
  }
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream.is_open() || stream.bad()) {
    throw InputError(file.string() + " can not be read: " + std::strerror(errno));
  }
  return std::move(text).str();
}

bool is_stream(const fs::path& file) {
  struct stat about {};
  if (stat(file.c_str(), &about) != 0) return false;
  // /dev/stdout may lead to a file, which others are writing to as well.
  const std::string name = file.string();
  return !S_ISREG(about.st_mode) || name.starts_with("/dev/") || name.starts_with("/proc/");
}

void write_text(const fs::path& file, std::string_view text) {
  const std::span<const char> characters(text);
  const int failure = replace_file(file, std::as_bytes(characters));
  if (failure != 0) {
    throw InputError(file.string() + " can not be written: " + std::strerror(failure));
  }
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

namespace {

bool is_linked_with(const fs::path& binary, std::string_view library) {
  elf_version(EV_CURRENT);
  const CloseDescriptor file{open(binary.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.descriptor < 0) return false;
  const std::unique_ptr<Elf, EndElf> elf(elf_begin(file.descriptor, ELF_C_READ, nullptr));
  return elf != nullptr && needs_library(elf.get(), library);
}

}  // namespace

bool is_linked_with_actors(const fs::path& binary) { return is_linked_with(binary, actors_name); }

bool is_linked_with_caf(const fs::path& binary) { return is_linked_with(binary, caf_name); }

bool calls_mpi(const fs::path& binary) {
  if (!is_linked_with(binary, runtime_name)) return false;
  const std::string whole = read_text(binary);  // a name of a symbol, with zeros around it
  return whole.find(std::string("\0MPI_Init\0", 10)) != std::string::npos ||
         whole.find(std::string("\0MPI_Init_thread\0", 17)) != std::string::npos;
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
  if (!needs_library(elf.get(), runtime_name) && !needs_library(elf.get(), actors_name) &&
      !needs_library(elf.get(), caf_name)) {
    throw InputError(name + " was not built with Mazurka's compiler wrappers" + how);
  }
  if (access(binary.c_str(), X_OK) != 0) {
    throw InputError(name + " may not be executed: " + std::strerror(errno));
  }
}

}  // namespace mazurka::host
