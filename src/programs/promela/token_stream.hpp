// Tokens one after the other, with the words for what is not as expected, and with the bodies of
// inlines put in the place of their calls.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "programs/promela/lexer.hpp"

namespace mazurka::promela {

class TokenStream {
 public:
  explicit TokenStream(Tokens tokens) : tokens_(std::move(tokens)) {}

  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
    const std::size_t at = at_ + ahead;
    return at < tokens_.tokens.size() ? tokens_.tokens[at] : tokens_.tokens.back();
  }
  const Token& next() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.tokens.size()) ++at_;
    return token;
  }
  [[nodiscard]] bool is(std::string_view text, std::size_t ahead = 0) const {
    const Token& token = peek(ahead);
    return token.text == text && token.kind != TokenKind::text && token.kind != TokenKind::end;
  }
  bool accept(std::string_view text) {
    if (!is(text)) return false;
    next();
    return true;
  }
  void expect(std::string_view text) {
    if (!accept(text)) fail("expected '" + std::string(text) + "' instead of " + shown());
  }
  std::string expect_name(std::string_view what) {
    if (peek().kind != TokenKind::name)
      fail("expected " + std::string(what) + " instead of " + shown());
    return next().text;
  }
  [[noreturn]] void fail(const std::string& message) const { tokens_.fail(peek().place, message); }
  [[noreturn]] void fail(const Place& place, const std::string& message) const {
    tokens_.fail(place, message);
  }
  [[nodiscard]] std::string shown() const {
    return peek().kind == TokenKind::end ? peek().text : "'" + peek().text + "'";
  }

  [[nodiscard]] std::size_t position() const { return at_; }
  void go_back(std::size_t position) { at_ = position; }
  [[nodiscard]] const std::vector<std::string>& files() const { return tokens_.files; }

  /// The tokens from there to here as people write them.
  [[nodiscard]] std::string text_since(std::size_t begin) const {
    std::string text;
    for (std::size_t at = begin; at < at_; ++at) {
      const Token& token = tokens_.tokens[at];
      const bool spaced = token.kind == TokenKind::symbol && is_spaced(token.text) &&
                          !(token.text == "-" && (at == begin || begins_operand(at)));
      text += spaced ? " " + token.text + " " : token.text;
      const bool comma = token.text == ",";
      const bool words = at + 1 < at_ && token.kind == TokenKind::name &&
                         tokens_.tokens[at + 1].kind == TokenKind::name;
      if (comma || words) text += " ";
    }
    return text;
  }

  /// Puts tokens in the place of those from `begin` to here, and goes back to the first of them.
  void replace_since(std::size_t begin, const std::vector<Token>& by) {
    const auto first = tokens_.tokens.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = tokens_.tokens.begin() + static_cast<std::ptrdiff_t>(at_);
    tokens_.tokens.insert(tokens_.tokens.erase(first, last), by.begin(), by.end());
    at_ = begin;
    if (tokens_.tokens.size() > most_tokens) fail("the inlines expand into too much text");
  }

 private:
  static constexpr std::size_t most_tokens = 4'000'000;

  [[nodiscard]] static bool is_spaced(std::string_view symbol) {
    for (const std::string_view one : {"=", "==", "!=", "<", "<=", ">",  ">=", "&&", "||", "+",
                                       "-", "*",  "/",  "%", "->", "<<", ">>", "&",  "|",  "^"}) {
      if (symbol == one) return true;
    }
    return false;
  }
  [[nodiscard]] bool begins_operand(std::size_t at) const {
    const Token& before = tokens_.tokens[at - 1];
    return before.kind == TokenKind::symbol && before.text != ")" && before.text != "]";
  }

  Tokens tokens_;
  std::size_t at_ = 0;
};

}  // namespace mazurka::promela
