#include "cli/values.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "cli/suggest.hpp"

namespace mazurka::cli {

std::optional<double> parse_seconds(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(number) || number < 0) return std::nullopt;
  constexpr std::array<std::pair<std::string_view, double>, 5> units{
      {{"", 1}, {"s", 1}, {"ms", 0.001}, {"m", 60}, {"h", 3600}}};
  for (const auto& [unit, factor] : units) {
    if (unit == end) return number * factor;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> parse_bytes(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(number) || number < 1) return std::nullopt;
  constexpr std::array<std::pair<std::string_view, double>, 7> units{{{"", 1},
                                                                      {"k", 1024},
                                                                      {"K", 1024},
                                                                      {"M", 1048576},
                                                                      {"MB", 1048576},
                                                                      {"G", 1073741824},
                                                                      {"GB", 1073741824}}};
  for (const auto& [unit, factor] : units) {
    if (unit == end) return static_cast<std::uint64_t>(number * factor);
  }
  return std::nullopt;
}

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  bool inside = false;  // a word
  char quote = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    if (quote == 0 && blank) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else if (c == '\\' && quote != '\'' && at + 1 < text.size()) {
      words.back() += text[++at];
    } else {
      words.back() += c;
    }
  }
  return words;
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string listed(std::span<const std::string_view> words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string none_of(const std::string& wanted, std::span<const std::string_view> words) {
  const std::string_view close = nearest(wanted, words);
  return fmt::format("'{}' is none of {}{}", wanted, listed(words),
                     close.empty() ? "" : fmt::format("; did you mean {}?", close));
}

}  // namespace mazurka::cli
