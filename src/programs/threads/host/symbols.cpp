#include "programs/threads/host/symbols.hpp"

#include <dwarf.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "host/files.hpp"
#include "programs/threads/host/blocks.hpp"
#include "programs/threads/host/debug_info.hpp"
#include "programs/threads/host/locals.hpp"
#include "programs/threads/host/names.hpp"
#include "programs/threads/host/source_lines.hpp"
#include "programs/threads/host/variables.hpp"

namespace mazurka::threads {
using namespace host;

struct Symbols::Parts {
  explicit Parts(const std::vector<RawModule>& modules)
      : info(modules), variables(info), locals(info), blocks(info, variables) {}
  DebugInfo info;
  Variables variables;
  Locals locals;
  Blocks blocks;
  SourceLines lines;
  std::map<std::uint64_t, std::vector<Frame>> known_frames;  // by return address
};

namespace {

/// Lambdas have no linkage name in the debugging information, but a symbol where they are not
/// inlined.
void set_function(Frame& frame, Dwarf_Die* die, Dwfl_Module* module, Dwarf_Addr address) {
  std::string name = text(die, DW_AT_linkage_name);
  if (name.empty()) name = text(die, DW_AT_name);
  if (name == "operator()") {
    const char* symbol =
        dwarf_tag(die) == DW_TAG_subprogram ? dwfl_module_addrname(module, address) : nullptr;
    name = symbol == nullptr ? "lambda" : symbol;
  }
  frame.full_function = demangled(name);
  frame.function = short_function_name(frame.full_function);
}

/// Shorter than an absolute path, still found from where the user stands.
std::string shown_file(const std::string& file) {
  namespace fs = std::filesystem;
  if (!fs::path(file).is_absolute()) return fs::path(file).lexically_normal().string();
  const std::string relative = shown_path(file);
  return fs::path(relative).is_absolute() || relative.starts_with("..")
             ? fs::path(file).filename().string()
             : relative;
}

void set_place(Frame& frame, const char* file, int line, int column) {
  if (file == nullptr || line <= 0) return;
  frame.system = is_system_file(file);
  frame.file = shown_file(file);
  frame.source = file;
  frame.line = line;
  frame.column = column;
}

/// Names of code that belongs to the machinery below the user's functions.
bool is_machinery(const std::string& function) {
  return function.starts_with("std::") || function.starts_with("__gnu_cxx::") ||
         is_reserved_name(function) || function == "execute_native_thread_routine";
}

/// The library's, called for its containers.
bool is_allocator(const Frame& frame) {
  return frame.function.ends_with("new_allocator::allocate");
}

/// Headers that are part of the program, but for those of atomics: what these do is the operation.
bool is_in_header(const Frame& frame) {
  return frame.source.starts_with("/usr/include/") && !frame.function.starts_with("std::atomic") &&
         frame.source.find("/atomic") == std::string::npos &&
         !frame.source.ends_with("/bits/c++config.h");
}

}  // namespace

std::string Frame::place() const {
  return file.empty() ? std::string() : file + ":" + std::to_string(line);
}

std::string Frame::text() const {
  const std::string name = function.empty() ? "?" : function;
  return file.empty() ? name : name + " (" + place() + ")";
}

Symbols::Symbols(const std::vector<RawModule>& modules) : modules_(modules) {}
Symbols::~Symbols() = default;

Symbols::Parts& Symbols::parts() const {
  if (parts_ == nullptr) parts_ = std::make_unique<Parts>(modules_);
  return *parts_;
}

// The same few addresses come up in the stacks of very many events, and looking one up means
// walking through the debugging information of its whole unit.
void Symbols::add_frames(std::uint64_t return_address, std::vector<Frame>& frames) const {
  const auto [known, is_new] = parts().known_frames.try_emplace(return_address);
  if (is_new) look_up_frames(return_address, known->second);
  frames.insert(frames.end(), known->second.begin(), known->second.end());
}

void Symbols::look_up_frames(std::uint64_t return_address, std::vector<Frame>& frames) const {
  if (return_address == 0) return;
  const Dwarf_Addr address = return_address - 1;  // inside the call, not after it
  Dwfl_Module* module = parts().info.module_of(address);
  if (module == nullptr) return;

  Frame frame;
  const std::string module_path =
      dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = unit_of(module, address, bias);
  const auto& users = parts().info.user_modules();
  if (unit == nullptr) {
    const char* symbol = dwfl_module_addrname(module, address);
    frame.full_function = symbol == nullptr ? "" : demangled(symbol);
    frame.function = short_function_name(frame.full_function);
    frame.module = module_path;
    frame.system = std::find(users.begin(), users.end(), module) == users.end() ||
                   is_machinery(frame.function) || frame.function == "_start";
    frames.push_back(frame);
    return;
  }
  if (Dwarf_Line* source_line = dwarf_getsrc_die(unit, address - bias)) {
    int line = 0;
    int column = 0;
    dwarf_lineno(source_line, &line);
    dwarf_linecol(source_line, &column);
    set_place(frame, dwarf_linesrc(source_line, nullptr, nullptr), line, column);
  }
  Scopes scopes;
  find_scopes(module, unit, address - bias, scopes);
  for (int i = 0; i < scopes.count; ++i) {
    Dwarf_Die* scope = &scopes.list[i];
    const int tag = dwarf_tag(scope);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    set_function(frame, scope, module, address);
    frame.module = module_path;
    frame.system = frame.system || is_machinery(frame.function) ||
                   std::find(users.begin(), users.end(), module) == users.end();
    frames.push_back(frame);
    if (tag == DW_TAG_subprogram) return;

    frame = Frame{};
    Dwarf_Files* files = nullptr;
    const auto file = number(scope, DW_AT_call_file);
    const auto call_line = number(scope, DW_AT_call_line);
    if (file && call_line && dwarf_getsrcfiles(unit, &files, nullptr) == 0) {
      const auto column = number(scope, DW_AT_call_column);
      set_place(frame, dwarf_filesrc(files, *file, nullptr, nullptr), static_cast<int>(*call_line),
                static_cast<int>(column.value_or(0)));
    }
  }
  if (frame.line != 0) frames.push_back(frame);
}

std::vector<Frame> Symbols::all_frames(std::span<const std::uint64_t> stack) const {
  std::vector<Frame> all;
  for (const std::uint64_t address : stack) add_frames(address, all);
  return all;
}

std::vector<Frame> Symbols::frames(std::span<const std::uint64_t> stack) const {
  std::vector<Frame> all = all_frames(stack);
  const auto is_users = [](const Frame& frame) { return !frame.system; };
  const auto first = std::find_if(all.begin(), all.end(), is_users);
  if (first == all.end()) {  // nothing of the user's: better the system's than nothing
    if (all.size() > 3) all.resize(3);
    return all;
  }
  const auto last = std::find_if(all.rbegin(), all.rend(), is_users).base();
  return {first, last};
}

std::vector<Frame> Symbols::header_frames(std::span<const std::uint64_t> stack) const {
  std::vector<Frame> headers;
  for (const Frame& frame : all_frames(stack)) {
    if (!frame.system) return headers;
    if (is_in_header(frame)) headers.push_back(frame);
  }
  return {};
}

std::string Symbols::function_of_library(std::span<const std::uint64_t> stack) const {
  std::string function;
  for (const Frame& frame : all_frames(stack)) {
    if (!frame.system) break;
    function = frame.function;
  }
  return function;
}

bool Symbols::is_thread_machinery(std::span<const std::uint64_t> stack) const {
  for (const Frame& frame : all_frames(stack)) {
    if (!frame.system) return false;
    // A template over a lambda has a name without its scope.
    if (frame.source.ends_with("/std_thread.h")) return true;
    for (const std::string_view scope :
         {"std::thread::", "std::jthread::", "std::__future_base::"}) {
      if (frame.function.starts_with(scope)) return true;
    }
  }
  return false;
}

std::optional<NamedPlace> Symbols::local(std::span<const std::uint64_t> stack,
                                         std::span<const std::uint64_t> ends, std::uint64_t address,
                                         std::uint64_t size) const {
  return parts().locals.find(stack, ends, address, size);
}

std::optional<VariableEnd> Symbols::end_of_variable(std::span<const std::uint64_t> stack,
                                                    std::span<const std::uint64_t> ends,
                                                    std::uint64_t address) const {
  if (auto local = parts().locals.end_of(stack, ends, address)) return local;
  Dwfl_Module* module = parts().info.module_of(address);
  if (module == nullptr) return std::nullopt;
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* name =
      dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || offset >= symbol.st_size) {
    return std::nullopt;
  }
  return VariableEnd{demangled(name), symbol.st_size, address - offset + symbol.st_size};
}

std::optional<NamedPlace> Symbols::variable(std::uint64_t address, std::uint64_t size) const {
  if (auto place = parts().variables.find(address, size)) return place;
  Dwfl_Module* module = parts().info.module_of(address);
  if (module == nullptr) return std::nullopt;
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* name =
      dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr || offset >= std::max<GElf_Xword>(symbol.st_size, 1)) return std::nullopt;
  NamedPlace place;
  place.name = demangled(name);
  if (offset != 0) place.name += "+" + std::to_string(offset);
  return place;
}

std::optional<BlockType> Symbols::block_type(std::span<const std::uint64_t> stack,
                                             std::uint64_t size) const {
  for (const std::uint64_t address : stack) {
    std::vector<Frame> frames;
    add_frames(address, frames);
    for (const Frame& frame : frames) {
      if (frame.system) {
        if (!is_allocator(frame)) continue;
        if (auto type = parts().blocks.made_for_container(address - 1, size)) return type;
        continue;
      }
      return parts().blocks.made_by(source_line(frame), address - 1, size);
    }
  }
  return std::nullopt;
}

std::string Symbols::source_line(const Frame& frame) const {
  return parts().lines.find(frame.source, frame.line);
}

std::string Symbols::source_text(const Frame& frame) const { return read_source(frame.source); }

std::string Symbols::function(std::uint64_t address) const {
  std::vector<Frame> found;
  add_frames(address + 1, found);
  if (found.empty() || found.back().system) return {};
  return found.back().function;
}

std::string name_of(const Symbols& symbols, const RawObject& object) {
  if (object.address == 0) return {};
  std::optional<NamedPlace> found = symbols.variable(object.address, object.size);
  if (!found) found = symbols.local(object.stack, object.ends, object.address, object.size);
  const std::string name = found ? found->name : std::string();
  const std::string at = place_of(symbols, object.stack);
  if (name.empty() || at.empty()) return name + at;
  return name + " in " + at;
}

std::string place_of(const Symbols& symbols, const std::vector<std::uint64_t>& stack) {
  for (const Frame& frame : symbols.frames(stack)) {
    if (!frame.file.empty()) return frame.text();
  }
  return {};
}

}  // namespace mazurka::threads
