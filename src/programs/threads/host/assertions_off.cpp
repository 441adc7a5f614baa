#include "programs/threads/host/assertions_off.hpp"

#include <dwarf.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "host/files.hpp"
#include "programs/threads/host/debug_info.hpp"

namespace mazurka::threads {
using namespace host;

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

/// Whether the unit was compiled with -DNDEBUG: it has the mark.
bool is_marked(Dwarf_Die* unit) {
  Dwarf_Die child;
  if (dwarf_child(unit, &child) != 0) return false;
  do {
    if (dwarf_tag(&child) == DW_TAG_variable && text(&child, DW_AT_name) == "mazurka_ndebug") {
      return true;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
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
  if (source.find("NDEBUG") == std::string_view::npos) return false;  // as nearly always
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
  const DebugInfo info(modules, DebugInfo::Of::users);
  std::size_t assertions = 0;
  std::string where;
  std::set<std::string> seen;
  for (Dwfl_Module* module : info.user_modules()) {
    Dwarf_Addr bias = 0;
    for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr;) {
      std::vector<std::pair<fs::path, std::string>> texts;
      bool off = is_marked(unit);
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
