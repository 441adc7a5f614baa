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

void replace_all(std::string& text, std::string_view part, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += by.size()) {
    text.replace(at, part.size(), by);
  }
}

/// The operator whose name begins here, with its sign; empty: it has none. Signs may look like
/// brackets.
std::string_view operator_at(std::string_view name, std::size_t begin) {
  constexpr std::string_view keyword = "operator";
  for (const std::string_view sign :
       {"<=>", "->*", "<<=", ">>=", "<<", ">>", "<=", ">=", "->", "--", "-=", "==", "!=",
        "++",  "+=",  "*=",  "/=",  "%=", "^=", "&=", "|=", "&&", "||", "[]", "<",  ">",
        "-",   "+",   "*",   "/",   "%",  "^",  "&",  "|",  "~",  "!",  "=",  ","}) {
    if (name.substr(begin + keyword.size()).starts_with(sign)) {
      return name.substr(begin, keyword.size() + sign.size());
    }
  }
  return {};
}

/// Where the argument that begins here ends: at a comma or the closing bracket of its list.
std::size_t end_of_argument(std::string_view text, std::size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (depth == 0 && (c == ',' || c == '>')) return at;
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
  }
  return at;
}

/// Arguments that are what the library puts there by itself.
bool is_usual_argument(std::string_view argument) {
  for (const std::string_view usual :
       {"std::allocator<", "std::char_traits<", "std::less<", "std::hash<", "std::equal_to<",
        "std::default_delete<", "allocator<", "char_traits<", "less<", "hash<", "equal_to<",
        "default_delete<"}) {
    if (argument.starts_with(usual)) return true;
  }
  return false;
}

/// Without the arguments that are usual, but for the first of a list.
std::string without_usual_arguments(std::string_view name) {
  std::string result;
  for (std::size_t at = 0; at < name.size();) {
    if (name[at] == ',') {
      std::size_t begin = at + 1;
      while (begin < name.size() && name[begin] == ' ') ++begin;
      if (is_usual_argument(name.substr(begin))) {
        at = end_of_argument(name, begin);
        continue;
      }
    }
    result += name[at++];
  }
  replace_all(result, " >", ">");
  return result;
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
  if (name.starts_with("~<lambda")) return "~lambda";
  // The signs in an operator's name are no brackets.
  if (const std::size_t call = name.find("operator()"); call != std::string::npos) {
    const std::string owner = short_function_name(name.substr(0, call > 2 ? call - 2 : 0));
    return owner.empty() ? "operator()" : owner + "::operator()";
  }
  for (std::size_t at = 0; (at = name.find("operator", at)) != std::string::npos; ++at) {
    const std::string_view found = operator_at(name, at);
    if (!found.empty()) return short_function_name(name.substr(0, at)) + std::string(found);
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

std::string short_type_name(std::string_view name) {
  constexpr std::size_t longest = 48;
  std::string result(name);
  erase_all(result, "(anonymous namespace)::");
  replace_all(result, "std::__cxx11::", "std::");
  result = without_usual_arguments(result);
  replace_all(result, "basic_string<char>", "string");
  if (result.size() <= longest) return result;
  const std::size_t open = result.find('<');
  if (open == std::string::npos) return result;
  const std::size_t first = end_of_argument(result, open + 1);
  if (first < longest && first < result.size() && result[first] == ',') {
    return result.substr(0, first) + ", ...>";
  }
  return result.substr(0, open) + "<...>";
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
