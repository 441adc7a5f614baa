// The sections and symbols of an executable or library.
#pragma once

#include <gelf.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "host/end_elf.hpp"

namespace mazurka::threads {
using namespace host;

class ElfFile {
 public:
  explicit ElfFile(const std::string& path);
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;
  ~ElfFile();

  [[nodiscard]] bool is_open() const { return elf_ != nullptr; }

  template <typename Visitor>
  void for_each_section(const Visitor& visit) {
    if (elf_ == nullptr) return;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_.get(), section)) != nullptr;) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) != nullptr) visit(section, header);
    }
  }
  template <typename Visitor>
  void for_each_segment(const Visitor& visit) {
    std::size_t count = 0;
    if (elf_ == nullptr || elf_getphdrnum(elf_.get(), &count) != 0) return;
    for (std::size_t at = 0; at < count; ++at) {
      GElf_Phdr header;
      if (gelf_getphdr(elf_.get(), static_cast<int>(at), &header) != nullptr) visit(header);
    }
  }
  /// The symbols that have a name, of a section that holds symbols.
  template <typename Visitor>
  void for_each_symbol(Elf_Scn* section, const GElf_Shdr& header, const Visitor& visit) {
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0) return;
    for (std::size_t at = 0; at < header.sh_size / header.sh_entsize; ++at) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(at), &symbol) == nullptr) continue;
      const char* name = elf_strptr(elf_.get(), header.sh_link, symbol.st_name);
      if (name != nullptr && *name != '\0') visit(symbol, std::string_view(name));
    }
  }
  /// Where an address of another module is put, and the symbol whose address it is.
  template <typename Visitor>
  void for_each_import(const Visitor& visit) {
    for_each_section([&](Elf_Scn* section, const GElf_Shdr& header) {
      Elf_Data* data = header.sh_type == SHT_RELA ? elf_getdata(section, nullptr) : nullptr;
      if (data == nullptr || header.sh_entsize == 0) return;
      for (std::size_t at = 0; at < header.sh_size / header.sh_entsize; ++at) {
        GElf_Rela entry;
        if (gelf_getrela(data, static_cast<int>(at), &entry) == nullptr) continue;
        const std::string_view name = symbol_name(header.sh_link, GELF_R_SYM(entry.r_info));
        if (!name.empty()) visit(entry.r_offset, name);
      }
    });
  }

  /// What the section holds; empty if it holds nothing.
  [[nodiscard]] static std::span<const std::uint8_t> bytes_of(Elf_Scn* section);
  [[nodiscard]] std::string name_of(const GElf_Shdr& header);

 private:
  [[nodiscard]] std::string_view symbol_name(std::uint32_t table, std::uint64_t number);

  int file_;
  std::unique_ptr<Elf, EndElf> elf_;
};

}  // namespace mazurka::threads
