#include "host/link_failure.hpp"

#include <algorithm>
#include <regex>

#include "host/files.hpp"

namespace mazurka::host {

namespace {

std::string without_comments(const std::string& source) {
  static const std::regex comment(R"(//[^\n]*|/\*([^*]|\*+[^*/])*\*+/)");
  return std::regex_replace(source, comment, " ");
}

bool is_inline_in(const std::string& source, const std::string& function) {
  const std::regex defined(R"(\binline\b[^;{}=]*\b)" + function + R"(\s*\()");
  return std::regex_search(source, defined);
}

}  // namespace

bool is_failed_link(const std::string& messages) {
  for (const char* said : {"ld returned ", "linker command failed", "ld terminated with "}) {
    if (messages.find(said) != std::string::npos) return true;
  }
  return false;
}

std::vector<std::string> undefined_functions(const std::string& messages) {
  // GNU ld, gold and mold quote the name; lld does not.
  static const std::regex said(
      R"((?:undefined reference to|undefined symbol:) [`']?([A-Za-z_]\w*))");
  std::vector<std::string> names;
  for (std::sregex_iterator at(messages.begin(), messages.end(), said), end; at != end; ++at) {
    const std::string name = (*at)[1];
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string hint_for_inline(const std::vector<std::string>& undefined,
                            const std::vector<std::filesystem::path>& sources) {
  for (const std::filesystem::path& file : sources) {
    if (file.extension() != ".c" && file.extension() != ".i") continue;
    const std::string source = without_comments(read_text(file));
    for (const std::string& function : undefined) {
      if (!is_inline_in(source, function)) continue;
      return "`" + function + "` is `inline` in " + file.string() +
             ", which C takes for no definition of its own: write `static inline`, or add "
             "-fgnu89-inline";
    }
  }
  return {};
}

}  // namespace mazurka::host
