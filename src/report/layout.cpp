#include "report/layout.hpp"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "core/check.hpp"

namespace mazurka::report {

namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

/// Bytes of the first `count` code points.
std::size_t prefix_bytes(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  while (at < text.size() && count > 0) {
    ++at;
    while (at < text.size() && is_continuation(text[at])) ++at;
    --count;
  }
  return at;
}

bool locale_is_utf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    std::string name(value);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return name.find("utf-8") != std::string::npos || name.find("utf8") != std::string::npos;
  }
  return false;
}

std::string_view ellipsis(const Style& style) { return style.unicode ? "…" : "..."; }

}  // namespace

Style detect_style(When color, std::FILE* stream) {
  const int file = fileno(stream);
  const bool terminal = isatty(file) != 0;
  const char* no_color = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  const bool unwanted = (no_color != nullptr && *no_color != '\0') ||
                        (kind != nullptr && std::string_view(kind) == "dumb");
  Style style;
  style.color = color == When::always || (color == When::automatic && terminal && !unwanted);
  style.unicode = locale_is_utf8();
  winsize size{};
  if (terminal && ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) {
    style.width = std::min<std::size_t>(size.ws_col, 200);
  }
  return style;
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::string cut_end(std::string_view text, std::size_t width, const Style& style) {
  if (display_width(text) <= width) return std::string(text);
  const std::string_view mark = ellipsis(style);
  const std::size_t kept = width - std::min(width, display_width(mark));
  return std::string(text.substr(0, prefix_bytes(text, kept))) + std::string(mark);
}

std::string cut_begin(std::string_view text, std::size_t width, const Style& style) {
  const std::size_t total = display_width(text);
  if (total <= width) return std::string(text);
  const std::string_view mark = ellipsis(style);
  const std::size_t kept = width - std::min(width, display_width(mark));
  return std::string(mark) + std::string(text.substr(prefix_bytes(text, total - kept)));
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t used = display_width(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

std::string grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string result;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) result += ',';
    result += digits[i];
  }
  return result;
}

std::string counted(std::uint64_t count, const std::string& word) {
  return fmt::format("{} {}{}", grouped(count), word, count == 1 ? "" : "s");
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  width = std::max<std::size_t>(width, 1);
  while (display_width(text) > width) {
    const std::size_t limit = prefix_bytes(text, width);
    std::size_t cut = text.rfind(' ', limit);
    if (cut == std::string_view::npos || cut == 0) cut = limit;
    // A value stays with its sign of equality, an origin with its arrow.
    for (const std::string_view sign : {" =", " <-", " ⟵", " ->"}) {
      if (cut > sign.size() && text.substr(0, cut).ends_with(sign)) cut -= sign.size();
    }
    MAZURKA_CHECK(cut > 0, "each line takes something of the text");
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(cut);
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  if (!text.empty() || lines.empty()) lines.emplace_back(text);
  return lines;
}

std::string painted(std::string_view text, Ink ink, const Style& style) {
  if (!style.color) return std::string(text);
  const char* code = "";
  switch (ink) {
    case Ink::bold: code = "\033[1m"; break;
    case Ink::dim: code = "\033[2m"; break;
    case Ink::red: code = "\033[1;31m"; break;
    case Ink::green: code = "\033[1;32m"; break;
    case Ink::yellow: code = "\033[1;33m"; break;
  }
  return fmt::format("{}{}\033[0m", code, text);
}

}  // namespace mazurka::report
