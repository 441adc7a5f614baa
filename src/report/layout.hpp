// Text in columns: what a terminal can show, and how text is measured, cut and wrapped for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace mazurka::report {

enum class When : unsigned char {
  automatic,
  always,
  never,
  json,  // of progress: for programs
};

struct Style {
  bool color = false;
  bool unicode = false;
  std::size_t width = 100;
  bool stacks = false;    // of every row, not only of those that fail
  bool all_rows = false;  // those that are folded as well
};

/// What the stream can show. Colours: as asked, else only on a terminal and without NO_COLOR.
[[nodiscard]] Style detect_style(When color, std::FILE* stream);

/// Columns that UTF-8 text takes on a terminal (one per code point).
[[nodiscard]] std::size_t display_width(std::string_view text);

/// At most `width` columns, the end replaced by an ellipsis.
[[nodiscard]] std::string cut_end(std::string_view text, std::size_t width, const Style& style);
/// The same, keeping the end: for paths.
[[nodiscard]] std::string cut_begin(std::string_view text, std::size_t width, const Style& style);

/// Filled up with blanks.
[[nodiscard]] std::string padded(std::string text, std::size_t width);

/// 1204332 -> "1,204,332"
[[nodiscard]] std::string grouped(std::uint64_t number);
/// "1 race", "2 races"
[[nodiscard]] std::string counted(std::uint64_t count, const std::string& word);

/// Lines of at most `width` columns, broken between words where possible.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

enum class Ink : unsigned char { bold, dim, red, green, yellow };
[[nodiscard]] std::string painted(std::string_view text, Ink ink, const Style& style);

}  // namespace mazurka::report
