#include "programs/threads/runtime/beginning.hpp"

#include <string_view>
#include <vector>

#include "programs/threads/runtime/first.h"

namespace mazurka::threads {

namespace {

/// Up to the entry that ends it.
std::span<const ElfW(Dyn)> dynamic_section(const dl_phdr_info& info) {
  for (int at = 0; at < info.dlpi_phnum; ++at) {
    if (info.dlpi_phdr[at].p_type != PT_DYNAMIC) continue;
    const auto* first =
        reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[at].p_vaddr);
    std::size_t count = 0;
    while (first[count].d_tag != DT_NULL) ++count;
    return {first, count};
  }
  return {};
}

struct Program {
  ObjectFunctions executable;
  std::vector<ObjectFunctions> libraries;  // in the order of the dynamic linker
};

Program& program() {
  static auto& known = *new Program;
  return known;
}

struct Wanted {
  const mazurka_put_off* library;  // null: the executable
  ObjectFunctions found;
};

int look_at(dl_phdr_info* info, std::size_t, void* out) {
  Wanted& wanted = *static_cast<Wanted*>(out);
  const bool executable = info->dlpi_name == nullptr || *info->dlpi_name == '\0';
  const bool fits = wanted.library == nullptr
                        ? executable
                        : !executable && info->dlpi_addr == wanted.library->base;
  if (!fits) return 0;
  wanted.found = functions_of(*info);
  return 1;
}

ObjectFunctions functions_of(const mazurka_put_off* library) {
  Wanted wanted{library, {}};
  dl_iterate_phdr(look_at, &wanted);
  if (library != nullptr) {
    wanted.found.init = library->init;
    wanted.found.initializers = {library->array, library->count};
  }
  return wanted.found;
}

}  // namespace

ObjectFunctions ObjectFunctions::of(std::uintptr_t base, std::span<const ElfW(Dyn)> dynamic) {
  const auto value = [&](ElfW(Sxword) tag) -> std::uintptr_t {
    for (const ElfW(Dyn) & entry : dynamic) {
      if (entry.d_tag == tag) return entry.d_un.d_val;
    }
    return 0;
  };
  ObjectFunctions found;
  if (const auto at = value(DT_INIT); at != 0) {
    found.init = reinterpret_cast<Initializer>(base + at);
  }
  if (const auto at = value(DT_FINI); at != 0) found.fini = reinterpret_cast<Finalizer>(base + at);
  found.initializers = {reinterpret_cast<const Initializer*>(base + value(DT_INIT_ARRAY)),
                        value(DT_INIT_ARRAYSZ) / sizeof(Initializer)};
  found.finalizers = {reinterpret_cast<const Finalizer*>(base + value(DT_FINI_ARRAY)),
                      value(DT_FINI_ARRAYSZ) / sizeof(Finalizer)};
  return found;
}

ObjectFunctions functions_of(const dl_phdr_info& object) {
  return ObjectFunctions::of(object.dlpi_addr, dynamic_section(object));
}

std::string_view names_of(const dl_phdr_info& object) {
  const char* begin = nullptr;
  std::size_t size = 0;
  for (const ElfW(Dyn) & entry : dynamic_section(object)) {
    if (entry.d_tag == DT_STRTAB) begin = reinterpret_cast<const char*>(entry.d_un.d_ptr);
    if (entry.d_tag == DT_STRSZ) size = entry.d_un.d_val;
  }
  return {begin, begin == nullptr ? 0 : size};
}

void ObjectFunctions::begin(int argc, char** argv, char** environment) const {
  if (init != nullptr) init(argc, argv, environment);
  for (const Initializer one : initializers) one(argc, argv, environment);
}

void ObjectFunctions::end() const {
  for (std::size_t at = finalizers.size(); at-- > 0;) finalizers[at]();
  if (fini != nullptr) fini();
}

void learn_beginning(void (*init)()) {
  program().executable = functions_of(nullptr);
  if (init != nullptr) {
    program().executable.init = reinterpret_cast<ObjectFunctions::Initializer>(init);
    program().executable.initializers = {};
  }
  for (std::size_t at = 0; at < mazurka_first.begun_count; ++at) {
    program().libraries.push_back(functions_of(&mazurka_first.libraries[mazurka_first.begun[at]]));
  }
}

std::string problem_of_beginning() {
  if (mazurka_first.too_many != 0) {
    return "it needs more than " + std::to_string(mazurka_most_put_off) +
           " libraries: what they do before main can not be a part of every execution";
  }
  std::vector<bool> begun(mazurka_first.put_off, false);
  for (std::size_t at = 0; at < mazurka_first.begun_count; ++at) {
    begun[mazurka_first.begun[at]] = true;
  }
  for (std::size_t at = 0; at < begun.size(); ++at) {
    if (begun[at]) continue;
    return "what " + std::string(mazurka_first.libraries[at].name) +
           " does before main was done before it could be made a part of every execution (is it "
           "linked with -z initfirst?)";
  }
  return "";
}

void begin_libraries(int argc, char** argv, char** environment) {
  const mazurka_put_off& early = mazurka_first.program;
  for (std::size_t at = 0; at < early.count; ++at) early.array[at](argc, argv, environment);
  for (const ObjectFunctions& library : program().libraries) {
    library.begin(argc, argv, environment);
  }
}

void begin_executable(int argc, char** argv, char** environment) {
  program().executable.begin(argc, argv, environment);
}

void end_objects() {
  program().executable.end();
  const auto& all = program().libraries;
  for (auto library = all.rbegin(); library != all.rend(); ++library) library->end();
}

}  // namespace mazurka::threads
