// Closes what libelf has opened.
#pragma once

#include <libelf.h>

namespace mazurka::host {

struct EndElf {
  void operator()(Elf* elf) const { elf_end(elf); }
};

}  // namespace mazurka::host
