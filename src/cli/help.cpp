#include "cli/help.hpp"

#include <algorithm>

#include "cli/kind.hpp"
#include "core/check.hpp"
#include "explorers/table.hpp"

namespace mazurka::cli {

namespace {

constexpr std::size_t width = 80;

std::string promise(Coverage coverage) {
  switch (coverage) {
    case Coverage::everything: return "exhaustive";
    case Coverage::up_to_a_bound: return "exhaustive up to the bound";
    case Coverage::a_sample: return "a sample, verifies nothing";
  }
  return {};
}

}  // namespace

std::string paragraph(std::string_view words, std::size_t indent) {
  std::string text;
  std::size_t column = indent;
  std::size_t at = 0;
  while (at < words.size()) {
    const std::size_t begin = words.find_first_not_of(" \n", at);
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(words.find_first_of(" \n", begin), words.size());
    const std::size_t length = end - begin;
    if (column > indent && column + 1 + length > width) {
      text += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      text += ' ';
      ++column;
    }
    text += words.substr(begin, length);
    MAZURKA_CHECK(end > at, "each round takes a word");
    column += length;
    at = end;
  }
  return text;
}

std::string entry(const std::string& name, std::string_view meaning, std::size_t indent) {
  std::string text = "  " + name;
  if (text.size() + 2 > indent) {
    text += "\n" + std::string(indent, ' ');
  } else {
    text.resize(indent, ' ');
  }
  return text + paragraph(meaning, indent) + "\n";
}

std::string kinds_text() {
  std::size_t indent = 0;
  for (const Kind& kind : kinds()) indent = std::max(indent, kind.name.size() + 4);
  std::string text;
  for (const Kind& kind : kinds()) text += entry(std::string(kind.name), kind.help, indent);
  return text;
}

std::string techniques_text() {
  std::size_t indent = 0;
  for (const Technique& technique : techniques()) {
    indent = std::max(indent, technique.name.size() + 2);
  }
  std::string text;
  const auto line = [&](std::string_view first, std::string_view words) {
    std::string head(first);
    head.resize(indent, ' ');
    text += head + paragraph(words, indent) + "\n";
  };
  for (const Technique& technique : techniques()) {
    line(technique.name, technique.summary);
    line("", promise(technique.coverage) + "; for " + std::string(technique.programs));
    if (!technique.source.empty()) line("", "after " + std::string(technique.source));
    for (const TechniqueOption& option : technique.options) {
      line("", ":" + std::string(option.name) + ", " + std::string(option.help));
    }
  }
  return text;
}

}  // namespace mazurka::cli
