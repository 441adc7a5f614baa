// Promela text as tokens. Comments and white space are gone, lines that the C preprocessor leaves
// (`# 12 "file"`) have become places.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "programs/promela/error.hpp"

namespace mazurka::promela {

enum class TokenKind : std::uint8_t { name, number, text, symbol, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;
  std::int32_t value = 0;  // of a number
  Place place;
  std::uint32_t expansion = 0;  // of which call of an inline it is part; 0: of none
  bool begins_line = false;
};

struct Tokens {
  std::vector<std::string> files;
  std::vector<Token> tokens;  // the last one is an end

  [[noreturn]] void fail(const Place& place, const std::string& message) const {
    throw PromelaError(files[place.file], place.line, message);
  }
};

/// Throws PromelaError.
[[nodiscard]] Tokens tokenize(std::string_view text, const std::string& file);

/// The text of the file after the C preprocessor, which is called only if there is something for
/// it to do. Throws PromelaError.
[[nodiscard]] std::string preprocessed(const std::string& file);

}  // namespace mazurka::promela
