#include "core/shown_text.hpp"

#include <cstddef>
#include <cstdint>

namespace mazurka {

namespace {

constexpr std::uint32_t no_character = 0xffffffff;

struct Character {
  std::uint32_t code = no_character;  // no_character: the byte begins none
  std::size_t size = 1;
};

/// The first character of a text that is not empty. Overlong forms and surrogates are none.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return {};
  std::uint32_t code = lead & (0x7fU >> size);
  for (std::size_t at = 1; at < size; ++at) {
    if ((byte(at) & 0xc0U) != 0x80U) return {};
    code = (code << 6) | (byte(at) & 0x3fU);
  }
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < smallest[size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, size};
}

/// Whether the character is a command (to the terminal or to what lays out text), not a sign.
bool is_command(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) ||  // the controls, C0 and C1
         (code >= 0x200e && code <= 0x200f) || code == 0x61c ||
         (code >= 0x2028 && code <= 0x202e) ||           // ends of lines, direction of writing
         (code >= 0x2066 && code <= 0x2069) ||           // isolated directions
         code == 0xfeff || (code & 0xfffeU) == 0xfffeU;  // byte order; no characters at all
}

void append_hexadecimal(std::uint32_t number, std::size_t digits, std::string& out) {
  for (std::size_t at = digits; at-- > 0;) out += "0123456789abcdef"[(number >> (4 * at)) & 0xf];
}

void append_escaped(std::uint32_t code, std::string& out) {
  out += '\\';
  switch (code) {
    case '\n': out += 'n'; return;
    case '\r': out += 'r'; return;
    case '\t': out += 't'; return;
    default: break;
  }
  out += code < 0x80 ? 'x' : code < 0x10000 ? 'u' : 'U';
  append_hexadecimal(code, code < 0x80 ? 2 : code < 0x10000 ? 4 : 8, out);
}

std::string escaped(std::string_view text, std::string_view kept) {
  std::string out;
  while (!text.empty()) {
    const Character character = first_of(text);
    if (character.code == no_character) {
      out += "\\x";
      append_hexadecimal(static_cast<unsigned char>(text[0]), 2, out);
    } else if (is_command(character.code) && kept.find(text[0]) == std::string_view::npos) {
      append_escaped(character.code, out);
    } else {
      out += text.substr(0, character.size);
    }
    text.remove_prefix(character.size);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) { return escaped(text, ""); }

std::string printable_lines(std::string_view text) { return escaped(text, "\n\t"); }

std::string plural(std::uint64_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view harmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%^";
  if (!text.empty() && text.find_first_not_of(harmless) == std::string_view::npos) {
    return std::string(text);
  }
  if (printable(text) == text) {
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
  }
  // What can not be shown is written byte by byte, in the form that shells understand.
  std::string word = "$'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') {
      word += '\\';
      word += c;
    } else if (c >= ' ' && c < 0x7f) {
      word += c;
    } else {
      // Three octal digits: a digit that follows is not taken for a part of it.
      const auto byte = static_cast<unsigned char>(c);
      word += '\\';
      for (const unsigned shift : {6U, 3U, 0U}) {
        word += static_cast<char>('0' + ((static_cast<unsigned>(byte) >> shift) & 7U));
      }
    }
  }
  return word + "'";
}

std::string shell_file(const std::string& file) {
  return shell_word(file.starts_with('-') ? "./" + file : file);
}

}  // namespace mazurka
