#include "programs/threads/runtime/machine/imports.hpp"

#include <sys/syscall.h>

#include <algorithm>

#include "programs/threads/runtime/machine/kernel.hpp"

namespace mazurka::threads {

namespace {

#if defined(__aarch64__)
constexpr std::uint32_t jump_slot = R_AARCH64_JUMP_SLOT;
constexpr std::uint32_t global_data = R_AARCH64_GLOB_DAT;
constexpr std::uint32_t absolute = R_AARCH64_ABS64;
#else
constexpr std::uint32_t jump_slot = R_X86_64_JUMP_SLOT;
constexpr std::uint32_t global_data = R_X86_64_GLOB_DAT;
constexpr std::uint32_t absolute = R_X86_64_64;
#endif

constexpr long may_be_read = 1;
constexpr long may_be_written = 2;
constexpr std::uintptr_t smallest_page = 4096;

}  // namespace

ImportTable::ImportTable(const dl_phdr_info& info) : base_(info.dlpi_addr) {
  for (int at = 0; at < info.dlpi_phnum; ++at) {
    const ElfW(Phdr)& header = info.dlpi_phdr[at];
    const std::uintptr_t begin = base_ + header.p_vaddr;
    if (header.p_type == PT_LOAD) {
      if (end_ == 0) begin_ = begin;
      end_ = std::max(end_, begin + header.p_memsz);
    } else if (header.p_type == PT_DYNAMIC) {
      read(reinterpret_cast<const ElfW(Dyn)*>(begin));
    } else if (header.p_type == PT_GNU_RELRO) {
      protected_begin_ = begin & ~(smallest_page - 1);
      protected_end_ = (begin + header.p_memsz) & ~(smallest_page - 1);
    }
  }
}

bool ImportTable::contains(const void* address) const {
  return reinterpret_cast<std::uintptr_t>(address) - begin_ < end_ - begin_;
}

void ImportTable::read(const ElfW(Dyn) * table) {
  for (const ElfW(Dyn)* entry = table; entry->d_tag != DT_NULL; ++entry) {
    const std::uintptr_t value = entry->d_un.d_ptr;
    // Some linkers have put addresses into the table, others leave offsets there.
    const std::uintptr_t where = value < base_ ? base_ + value : value;
    switch (entry->d_tag) {
      case DT_SYMTAB: symbols_ = reinterpret_cast<const ElfW(Sym)*>(where); break;
      case DT_STRTAB: names_ = reinterpret_cast<const char*>(where); break;
      case DT_RELA: data_.first = reinterpret_cast<const ElfW(Rela)*>(where); break;
      case DT_RELASZ: data_.size = entry->d_un.d_val; break;
      case DT_JMPREL: calls_.first = reinterpret_cast<const ElfW(Rela)*>(where); break;
      case DT_PLTRELSZ: calls_.size = entry->d_un.d_val; break;
      default: break;
    }
  }
}

const ElfW(Sym) & ImportTable::symbol(const ElfW(Rela) & one) const {
  return symbols_[ELF64_R_SYM(one.r_info)];
}

bool ImportTable::is_function(const ElfW(Rela) & one) const {
  const std::uint32_t type = ELF64_R_TYPE(one.r_info);
  if (type == jump_slot) return true;
  const bool has_address = type == global_data || (type == absolute && one.r_addend == 0);
  return has_address && ELF64_ST_TYPE(symbol(one).st_info) == STT_FUNC;
}

ImportTable::Import ImportTable::import(const ElfW(Rela) & one) const {
  const ElfW(Sym)& named = symbol(one);
  void* own = nullptr;
  if (named.st_shndx != SHN_UNDEF) own = reinterpret_cast<void*>(base_ + named.st_value);
  return {reinterpret_cast<void**>(base_ + one.r_offset), names_ + named.st_name, own};
}

void ImportTable::make_writable(bool writable) const {
  if (protected_end_ <= protected_begin_) return;
  call_kernel(SYS_mprotect, static_cast<long>(protected_begin_),
              static_cast<long>(protected_end_ - protected_begin_),
              may_be_read | (writable ? may_be_written : 0));
}

}  // namespace mazurka::threads
