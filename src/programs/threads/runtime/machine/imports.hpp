// Where a loaded program or library keeps the addresses of the functions that it calls elsewhere.
//
// The dynamic linker writes them into slots; who writes into a slot afterwards decides what is
// called from then on.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace mazurka::threads {

/// One program or library, as it is in memory.
class ImportTable {
 public:
  explicit ImportTable(const dl_phdr_info& info);

  [[nodiscard]] bool contains(const void* address) const;

  struct Import {
    void** slot;
    const char* name;
    void* own;  // if it defines the function itself; otherwise null
  };
  /// `visit` gets an Import and may write into its slot.
  template <typename Visit>
  void visit(Visit&& visit) {
    if (symbols_ == nullptr) return;
    make_writable(true);
    for (const Relocations& all : {data_, calls_}) {
      for (std::size_t at = 0; at < all.size / sizeof(ElfW(Rela)); ++at) {
        if (is_function(all.first[at])) visit(import(all.first[at]));
      }
    }
    make_writable(false);
  }

 private:
  struct Relocations {
    const ElfW(Rela) * first = nullptr;
    std::size_t size = 0;  // in bytes
  };
  void read(const ElfW(Dyn) * table);
  [[nodiscard]] const ElfW(Sym) & symbol(const ElfW(Rela) & one) const;
  [[nodiscard]] bool is_function(const ElfW(Rela) & one) const;
  [[nodiscard]] Import import(const ElfW(Rela) & one) const;
  void make_writable(bool writable) const;

  std::uintptr_t base_ = 0;
  std::uintptr_t begin_ = 0;
  std::uintptr_t end_ = 0;
  std::uintptr_t protected_begin_ = 0;  // written by the dynamic linker, and not to be any more
  std::uintptr_t protected_end_ = 0;
  const ElfW(Sym) * symbols_ = nullptr;
  const char* names_ = nullptr;
  Relocations data_;
  Relocations calls_;
};

}  // namespace mazurka::threads
