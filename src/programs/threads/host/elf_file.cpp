#include "programs/threads/host/elf_file.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace mazurka::threads {

ElfFile::ElfFile(const std::string& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  elf_version(EV_CURRENT);
  if (file_ >= 0) elf_.reset(elf_begin(file_, ELF_C_READ_MMAP, nullptr));
}

ElfFile::~ElfFile() {
  elf_.reset();
  if (file_ >= 0) close(file_);
}

std::span<const std::uint8_t> ElfFile::bytes_of(Elf_Scn* section) {
  const Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || data->d_buf == nullptr) return {};
  return {static_cast<const std::uint8_t*>(data->d_buf), data->d_size};
}

std::string ElfFile::name_of(const GElf_Shdr& header) {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf_.get(), &names) != 0) return {};
  const char* name = elf_strptr(elf_.get(), names, header.sh_name);
  return name == nullptr ? "" : name;
}

std::string_view ElfFile::symbol_name(std::uint32_t table, std::uint64_t number) {
  Elf_Scn* section = elf_getscn(elf_.get(), table);
  GElf_Shdr header;
  GElf_Sym symbol;
  if (section == nullptr || gelf_getshdr(section, &header) == nullptr) return {};
  if (header.sh_type != SHT_DYNSYM && header.sh_type != SHT_SYMTAB) return {};
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || gelf_getsym(data, static_cast<int>(number), &symbol) == nullptr) return {};
  const char* name = elf_strptr(elf_.get(), header.sh_link, symbol.st_name);
  return name == nullptr ? std::string_view() : std::string_view(name);
}

}  // namespace mazurka::threads
