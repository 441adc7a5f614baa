#include "programs/threads/host/assertions_off.hpp"

#include <dwarf.h>

#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "programs/threads/host/debug_info.hpp"
#include "programs/threads/host/files.hpp"

namespace mazurka::threads {

namespace fs = std::filesystem;

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Without comments and texts in quotes.
std::string only_code(std::string_view source) {
  std::string out;
  for (std::size_t at = 0; at < source.size(); ++at) {
    const char c = source[at];
    if (source.substr(at, 2) == "//") {
      at = std::min(source.find('\n', at), source.size() - 1);
      out += '\n';
    } else if (source.substr(at, 2) == "/*") {
      const std::size_t end = source.find("*/", at + 2);
      at = end == std::string_view::npos ? source.size() : end + 1;
      out += ' ';
    } else if (c == '"' || c == '\'') {
      for (++at; at < source.size() && source[at] != c && source[at] != '\n'; ++at) {
        if (source[at] == '\\') ++at;
      }
      out += ' ';
    } else {
      out += c;
    }
  }
  return out;
}

/// The names of the sources that were compiled with -DNDEBUG: the marks in the program.
std::set<std::string> marked_sources(Dwfl_Module* module) {
  std::set<std::string> sources;
  GElf_Addr bias = 0;
  Elf* elf = dwfl_module_getelf(module, &bias);
  std::size_t names = 0;
  if (elf == nullptr || elf_getshdrstrndx(elf, &names) != 0) return sources;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* name = elf_strptr(elf, names, header.sh_name);
    if (name == nullptr || std::strcmp(name, ".mazurka.ndebug") != 0) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) continue;
    const std::string_view all(static_cast<const char*>(data->d_buf), data->d_size);
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find('\0', at), all.size());
      if (end > at) sources.emplace(all.substr(at, end - at));
      at = end + 1;
    }
  }
  return sources;
}

std::string read_if_there(const fs::path& file) {
  std::error_code ignored;
  constexpr std::uintmax_t largest = 16U << 20U;
  if (!fs::is_regular_file(file, ignored) || fs::file_size(file, ignored) > largest) return {};
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The files that a unit was compiled from: its source first, and no headers of the system.
std::vector<fs::path> files_of(Dwarf_Die* unit) {
  const fs::path folder = text(unit, DW_AT_comp_dir);
  std::vector<fs::path> files{folder / text(unit, DW_AT_name)};
  Dwarf_Files* known = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrcfiles(unit, &known, &count) != 0) return files;
  for (std::size_t at = 0; at < count; ++at) {
    const char* name = dwarf_filesrc(known, at, nullptr, nullptr);
    if (name == nullptr || std::string_view(name).starts_with("/usr/")) continue;
    const fs::path file = folder / name;
    if (file.string().find("/include/mazurka/") != std::string::npos) continue;
    files.push_back(file);
  }
  return files;
}

}  // namespace

std::size_t count_assertions(std::string_view source) {
  const std::string code = only_code(source);
  constexpr std::string_view word = "assert";
  std::size_t count = 0;
  for (std::size_t at = code.find(word); at != std::string::npos; at = code.find(word, at + 1)) {
    if (at > 0 && is_word(code[at - 1])) continue;
    const std::size_t next = code.find_first_not_of(" \t", at + word.size());
    if (next != std::string::npos && code[next] == '(') ++count;
  }
  return count;
}

bool defines_ndebug(std::string_view source) {
  std::istringstream lines(only_code(source));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    std::string second;
    words >> first >> second;
    if (first == "#") {
      first += second;
      words >> second;
    }
    if (first == "#define" && second == "NDEBUG") return true;
  }
  return false;
}

std::string assertions_off(const std::vector<RawModule>& modules) {
  const DebugInfo info(modules);
  std::size_t assertions = 0;
  std::string where;
  std::set<std::string> seen;
  for (Dwfl_Module* module : info.user_modules()) {
    const std::set<std::string> marked = marked_sources(module);
    Dwarf_Addr bias = 0;
    for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr;) {
      std::vector<std::pair<fs::path, std::string>> texts;
      bool off = marked.contains(text(unit, DW_AT_name));
      for (const fs::path& file : files_of(unit)) {
        texts.emplace_back(file, read_if_there(file));
        off = off || defines_ndebug(texts.back().second);
      }
      if (!off) continue;
      for (const auto& [file, source] : texts) {
        if (!seen.insert(file.lexically_normal().string()).second) continue;
        const std::size_t count = count_assertions(source);
        if (count > 0 && where.empty()) where = shown_path(file.lexically_normal());
        assertions += count;
      }
    }
  }
  if (assertions == 0) return {};
  return "compiled with NDEBUG: " + std::to_string(assertions) +
         (assertions == 1 ? " assertion is" : " assertions are") + " not checked (in " + where +
         (assertions == 1 ? ")" : ", ...)");
}

}  // namespace mazurka::threads
