#include "programs/threads/host/names.hpp"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <memory>

namespace mazurka::threads {

namespace {

void erase_all(std::string& text, std::string_view part) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos;) {
    text.erase(at, part.size());
  }
}

/// Removes every outermost bracketed part, brackets included.
std::string without_brackets(std::string_view text, char open, char close) {
  std::string result;
  int depth = 0;
  for (const char c : text) {
    if (c == open) ++depth;
    if (depth == 0) result += c;
    if (c == close && depth > 0) --depth;
  }
  return result;
}

}  // namespace

std::string demangled(std::string_view symbol) {
  if (!symbol.starts_with("_Z")) return std::string(symbol);
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? std::string(name.get()) : std::string(symbol);
}

std::string short_function_name(std::string_view demangled_name) {
  std::string name(demangled_name);
  erase_all(name, "(anonymous namespace)::");
  erase_all(name, "[abi:cxx11]");
  if (const std::size_t lambda = name.find("{lambda"); lambda != std::string::npos) {
    std::string owner = name.substr(0, lambda);
    if (owner.ends_with("::")) owner.resize(owner.size() - 2);
    owner = short_function_name(owner);
    return owner.empty() ? "lambda" : "lambda in " + owner;
  }
  // The signs in an operator's name are no brackets.
  if (const std::size_t call = name.find("operator()"); call != std::string::npos) {
    const std::string owner = short_function_name(name.substr(0, call > 2 ? call - 2 : 0));
    return owner.empty() ? "operator()" : owner + "::operator()";
  }
  if (name.find("operator<") != std::string::npos || name.find("operator>") != std::string::npos ||
      name.find("operator-") != std::string::npos) {
    return name.substr(0, name.find('('));
  }
  name = without_brackets(name, '<', '>');
  name = without_brackets(name, '(', ')');
  erase_all(name, " const");
  erase_all(name, " &&");
  if (const std::size_t space = name.rfind(' ');
      space != std::string::npos && name.find("operator") == std::string::npos) {
    name.erase(0, space + 1);  // the return type
  }
  return name;
}

bool is_reserved_name(std::string_view name) {
  return name.size() >= 2 && name[0] == '_' &&
         (name[1] == '_' || std::isupper(static_cast<unsigned char>(name[1])) != 0);
}

bool is_system_file(std::string_view file) {
  for (const std::string_view folder :
       {"/usr/include/", "/usr/lib/", "/usr/local/include/c++/", "/usr/src/"}) {
    if (file.starts_with(folder)) return true;
  }
  if (file.find("/include/mazurka/") != std::string_view::npos) return true;
  // The system's own libraries name their sources relative to a folder that is not there.
  return file.starts_with("../sysdeps/") || file.starts_with("../csu/") ||
         file.find("/sysdeps/") != std::string_view::npos ||
         file.find("/nptl/") != std::string_view::npos ||
         file.find("/libstdc++-v3/") != std::string_view::npos || file.starts_with("./nptl/") ||
         file.starts_with("./csu/") || file.starts_with("./stdlib/");
}

}  // namespace mazurka::threads
