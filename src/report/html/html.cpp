#include "report/html/html.hpp"

#include <string_view>
#include <utility>

#include "core/check.hpp"
#include "core/shown_text.hpp"
#include "report/html/page_parts.hpp"
#include "report/json.hpp"
#include "report/markup.hpp"
#include "report/text.hpp"

namespace mazurka::report {

namespace {

/// JSON in which nothing can end the element that it is in. Outside of its texts it has none of
/// these characters.
std::string harmless(std::string_view json) {
  std::string out;
  for (const char c : json) {
    switch (c) {
      case '&': out += "\\u0026"; break;
      case '<': out += "\\u003c"; break;
      case '>': out += "\\u003e"; break;
      default: out += c;
    }
  }
  return out;
}

std::string whole(Pieces pieces) {
  std::string text;
  for (const std::string_view piece : pieces) text += piece;
  return text;
}

/// Fills in the places of the shell, once each: what was filled in is not looked at again.
std::string filled(std::string_view shell,
                   const std::vector<std::pair<std::string_view, std::string>>& parts) {
  std::string out;
  for (const auto& [place, part] : parts) {
    const std::size_t at = shell.find(place);
    MAZURKA_CHECK(at != std::string_view::npos, "the shell has each place, in this order");
    out += shell.substr(0, at);
    out += part;
    shell.remove_prefix(at + place.size());
  }
  return out += shell;
}

}  // namespace

std::string html(const Outcome& outcome) {
  const Style plain{.width = 120};
  const std::string said =
      outcome.verdict == Verdict::error ? outcome.reason : text(outcome, plain);
  return filled(whole(page_shell), {{"@TITLE@", markup(printable(outcome.program)) + " - Mazurka"},
                                    {"@STYLE@", whole(page_style)},
                                    {"@TEXT@", markup(said)},
                                    {"@DATA@", harmless(compact_json(outcome))},
                                    {"@SCRIPT@", whole(page_script)}});
}

}  // namespace mazurka::report
