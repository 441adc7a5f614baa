#include "programs/promela/lexer.hpp"

#include <array>
#include <cctype>
#include <limits>
#include <utility>

#include "programs/promela/line_ends.hpp"

namespace mazurka::promela {

namespace {

bool begins_name(char letter) {
  return std::isalpha(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}
bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }

class Scanner {
 public:
  Scanner(std::string_view text, const std::string& file) : text_(text) {
    result_.files.push_back(file);
    place_.line = 1;
  }

  Tokens run() {
    while (skip_blanks(), at_ < text_.size()) next();
    result_.tokens.push_back({TokenKind::end, "the end of the file", 0, place_, 0, false});
    result_.tokens = with_line_ends(result_.tokens);
    return std::move(result_);
  }

 private:
  [[nodiscard]] char look(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char letter = look();
      if (letter == '\n') {
        ++place_.line;
        ++at_;
        line_begins_ = true;
      } else if (std::isspace(static_cast<unsigned char>(letter)) != 0) {
        ++at_;
      } else if (letter == '/' && look(1) == '*') {
        skip_comment();
      } else if (letter == '/' && look(1) == '/') {
        while (at_ < text_.size() && look() != '\n') ++at_;
      } else if (letter == '#' && line_begins_) {
        take_marker();
      } else {
        return;
      }
    }
  }

  void skip_comment() {
    const Place begun = place_;
    for (at_ += 2; at_ < text_.size(); ++at_) {
      if (look() == '\n') ++place_.line;
      if (look() == '*' && look(1) == '/') {
        at_ += 2;
        return;
      }
    }
    result_.fail(begun, "a comment begins here and does not end");
  }

  /// `# 12 "file" 1`: the next line is line 12 of that file.
  void take_marker() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view line = text_.substr(at_, end - at_);
    std::size_t at = line.find_first_of("0123456789");
    const std::size_t quote = line.find('"');
    if (at == std::string_view::npos || quote == std::string_view::npos || at > quote) {
      result_.fail(place_, "unknown directive '" + std::string(line) + "'");
    }
    std::uint32_t number = 0;
    for (; at < line.size() && is_digit(line[at]); ++at) {
      number = number * 10 + static_cast<std::uint32_t>(line[at] - '0');
    }
    const std::string file(line.substr(quote + 1, line.find('"', quote + 1) - quote - 1));
    place_.file = 0;
    while (place_.file < result_.files.size() && result_.files[place_.file] != file) ++place_.file;
    if (place_.file == result_.files.size()) result_.files.push_back(file);
    place_.line = number - 1;
    at_ = end;
  }

  void next() {
    first_in_line_ = std::exchange(line_begins_, false);
    const char letter = look();
    if (begins_name(letter)) {
      std::size_t end = at_;
      while (end < text_.size() && (begins_name(text_[end]) || is_digit(text_[end]))) ++end;
      push(TokenKind::name, end - at_);
    } else if (is_digit(letter)) {
      take_number();
    } else if (letter == '"') {
      take_text();
    } else if (letter == '\'') {
      take_letter();
    } else {
      take_symbol();
    }
  }

  void push(TokenKind kind, std::size_t length, std::int32_t value = 0) {
    result_.tokens.push_back(
        {kind, std::string(text_.substr(at_, length)), value, place_, 0, first_in_line_});
    at_ += length;
  }

  void take_number() {
    std::size_t end = at_;
    std::int64_t value = 0;
    for (; end < text_.size() && is_digit(text_[end]); ++end) {
      value = value * 10 + (text_[end] - '0');
      if (value > std::numeric_limits<std::int32_t>::max()) {
        result_.fail(place_, "the number is larger than an int can be");
      }
    }
    if (end < text_.size() && begins_name(text_[end])) {
      result_.fail(place_, "a name can not begin with a digit");
    }
    push(TokenKind::number, end - at_, static_cast<std::int32_t>(value));
  }

  void take_text() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2 : 1;
    }
    if (end >= text_.size() || text_[end] != '"') result_.fail(place_, "a text does not end");
    push(TokenKind::text, end + 1 - at_);
  }

  void take_letter() {
    const bool escaped = look(1) == '\\';
    const std::size_t length = escaped ? 4 : 3;
    if (look(length - 1) != '\'') result_.fail(place_, "a character does not end");
    const char letter = look(length - 2);
    std::int32_t value = static_cast<unsigned char>(letter);
    if (escaped && letter == 'n') value = '\n';
    if (escaped && letter == 't') value = '\t';
    if (escaped && letter == 'r') value = '\r';
    push(TokenKind::number, length, value);
  }

  void take_symbol() {
    static constexpr std::array<std::string_view, 16> longer = {"<->", "->", "::", "..", "++", "--",
                                                                "==",  "!=", "<=", ">=", "<<", ">>",
                                                                "&&",  "||", "??", "!!"};
    for (const std::string_view symbol : longer) {
      if (text_.substr(at_, symbol.size()) == symbol) {
        push(TokenKind::symbol, symbol.size());
        return;
      }
    }
    static constexpr std::string_view single = "{}()[];:,.=<>!?+-*/%&|^~@";
    if (single.find(look()) == std::string_view::npos) {
      result_.fail(place_, std::string("the character '") + look() + "' has no meaning here");
    }
    push(TokenKind::symbol, 1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Place place_;
  bool line_begins_ = true;
  bool first_in_line_ = false;  // the token that is read
  Tokens result_;
};

}  // namespace

Tokens tokenize(std::string_view text, const std::string& file) {
  return Scanner(text, file).run();
}

}  // namespace mazurka::promela
