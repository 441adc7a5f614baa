#include "programs/promela/line_ends.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

namespace mazurka::promela {

namespace {

template <std::size_t size>
bool is_one_of(const std::array<std::string_view, size>& words, const Token& token) {
  return token.kind != TokenKind::text &&
         std::find(words.begin(), words.end(), token.text) != words.end();
}

class Lines {
 public:
  explicit Lines(const std::vector<Token>& tokens) : tokens_(tokens) {}

  std::vector<Token> run() {
    std::vector<Token> result;
    result.reserve(tokens_.size());
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      const Token& token = tokens_[at];
      if (at > 0 && token.begins_line && in_body() && ends_statement(tokens_[at - 1]) &&
          begins_statement(token)) {
        Token separator = tokens_[at - 1];
        separator.kind = TokenKind::symbol;
        separator.text = ";";
        separator.begins_line = false;
        result.push_back(separator);
      }
      if (at > 0 && declares(tokens_[at - 1])) callable_.insert(token.text);
      follow(token);
      result.push_back(token);
    }
    return result;
  }

 private:
  [[nodiscard]] bool in_body() const { return body_ && braces_ > 0 && parentheses_ == 0; }

  static bool declares(const Token& token) {
    static constexpr std::array<std::string_view, 3> words = {"proctype", "inline", "typedef"};
    return token.kind == TokenKind::name && is_one_of(words, token);
  }

  void follow(const Token& token) {
    if (token.kind == TokenKind::name && braces_ == 0) {
      body_ = body_ || declares(token) || token.text == "init";
    }
    if (token.kind != TokenKind::symbol) return;
    if (token.text == "(" || token.text == "[") ++parentheses_;
    if ((token.text == ")" || token.text == "]") && parentheses_ > 0) --parentheses_;
    if (token.text == "{") ++braces_;
    if (token.text != "}" || braces_ == 0) return;
    --braces_;
    if (braces_ == 0) body_ = false;
  }

  /// What a name is must be known: a value, a variable or a label ends a statement, `timeout` and
  /// the name of a type do not.
  [[nodiscard]] bool ends_statement(const Token& token) const {
    static constexpr std::array<std::string_view, 5> symbols = {"}", ")", "]", "++", "--"};
    static constexpr std::array<std::string_view, 42> others = {
        "active", "assert", "atomic",  "bit",      "bool",     "byte",     "chan",
        "d_step", "do",     "empty",   "enabled",  "eval",     "for",      "full",
        "goto",   "hidden", "if",      "in",       "inline",   "init",     "int",
        "len",    "local",  "mtype",   "nempty",   "nfull",    "of",       "pc_value",
        "pid",    "printf", "printm",  "proctype", "provided", "run",      "select",
        "short",  "show",   "timeout", "typedef",  "unless",   "unsigned", "xr"};
    if (token.kind == TokenKind::number) return true;
    if (token.kind == TokenKind::symbol) return is_one_of(symbols, token);
    return token.kind == TokenKind::name && !is_one_of(others, token) && token.text != "xs" &&
           !callable_.contains(token.text);
  }

  static bool begins_statement(const Token& token) {
    static constexpr std::array<std::string_view, 5> symbols = {"(", "{", "-", "!", "~"};
    if (token.kind == TokenKind::number) return true;
    if (token.kind == TokenKind::symbol) return is_one_of(symbols, token);
    static constexpr std::array<std::string_view, 5> words = {"in", "of", "priority", "provided",
                                                              "unless"};
    return token.kind == TokenKind::name && !is_one_of(words, token);
  }

  const std::vector<Token>& tokens_;
  std::set<std::string> callable_;  // proctypes, inlines and types declared so far
  std::size_t braces_ = 0;
  std::size_t parentheses_ = 0;
  bool body_ = false;
};

}  // namespace

std::vector<Token> with_line_ends(const std::vector<Token>& tokens) { return Lines(tokens).run(); }

}  // namespace mazurka::promela
