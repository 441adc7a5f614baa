#include "fuzz/mutation.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace mazurka::fuzz {

namespace {

using Chance = std::mt19937_64;

constexpr std::size_t largest = 1U << 16U;  // bytes: what is found is found in small inputs

std::size_t below(std::size_t bound, Chance& chance) { return bound == 0 ? 0 : chance() % bound; }

// Where arithmetic and comparisons change their minds.
constexpr std::uint64_t borders[] = {0,
                                     1,
                                     2,
                                     0x7f,
                                     0x80,
                                     0xff,
                                     0x100,
                                     0x7fff,
                                     0xffff,
                                     0x10000,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     0x100000000,
                                     0x7fffffffffffffff,
                                     0x8000000000000000,
                                     0xffffffffffffffff};

void put_number(std::string& text, std::size_t at, std::uint64_t number, std::size_t size) {
  for (std::size_t i = 0; i < size && at + i < text.size(); ++i, number >>= 8U) {
    text[at + i] = static_cast<char>(number & 0xffU);
  }
}

/// Where a line of the text begins, and how long it is with its end.
std::pair<std::size_t, std::size_t> some_line(const std::string& text, Chance& chance) {
  const std::size_t before = text.rfind('\n', below(text.size() + 1, chance));
  const std::size_t begin =
      before == std::string::npos || before + 1 >= text.size() ? 0 : before + 1;
  const std::size_t end = text.find('\n', begin);
  return {begin, (end == std::string::npos ? text.size() : end + 1) - begin};
}

bool belongs_to_a_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// A name or a number.
std::pair<std::size_t, std::size_t> some_word(const std::string& text, Chance& chance) {
  std::size_t begin = below(text.size() + 1, chance);
  while (begin < text.size() && !belongs_to_a_word(text[begin])) ++begin;
  while (begin > 0 && belongs_to_a_word(text[begin - 1])) --begin;
  std::size_t end = begin;
  while (end < text.size() && belongs_to_a_word(text[end])) ++end;
  return {begin, end - begin};
}

/// What is still a text of the kind that it was: lines and words change their places.
void change_text(std::string& text, Chance& chance) {
  const bool lines = below(3, chance) == 0;
  const auto some = [&] { return lines ? some_line(text, chance) : some_word(text, chance); };
  const auto [from, size] = some();
  const std::string part = text.substr(from, size);
  const auto [to, replaced] = some();
  if (lines) {
    if (below(2, chance) == 0) text.erase(from, size);
    text.insert(std::min(to, text.size()), part);
  } else if (!part.empty() && std::isdigit(static_cast<unsigned char>(part[0])) != 0) {
    text.replace(from, size, std::to_string(below(4, chance)));
  } else {
    text.replace(to, replaced, part);
  }
}

}  // namespace

void Mutator::change(std::string& text, Chance& chance) const {
  const std::size_t at = below(text.size() + 1, chance);
  const std::size_t length = 1 + below(std::min<std::size_t>(text.size() - at, 64), chance);
  switch (below(9, chance)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1U << below(8, chance)));
      break;
    case 1:
      if (at < text.size()) text[at] = static_cast<char>(chance());
      break;
    case 2:
      put_number(text, at, borders[below(std::size(borders), chance)], 1U << below(4, chance));
      break;
    case 3: text.erase(at, length); break;
    case 4: text.insert(at, text.substr(at, length)); break;
    case 5: text.insert(below(text.size() + 1, chance), text.substr(at, length)); break;
    case 6:
      if (!words_.empty()) text.insert(at, words_[below(words_.size(), chance)]);
      break;
    case 7:
      if (!words_.empty()) text.replace(at, length, words_[below(words_.size(), chance)]);
      break;
    default: {  // goes on as another one
      const std::string& other = samples_[below(samples_.size(), chance)];
      text = text.substr(0, at) + other.substr(below(other.size() + 1, chance));
    }
  }
  if (text.size() > largest) text.resize(largest);
}

std::string Mutator::input(std::uint64_t seed, std::uint64_t number) const {
  std::seed_seq mixed{seed, number};
  Chance chance(mixed);
  std::string text = samples_[below(samples_.size(), chance)];
  if (lines_ && below(2, chance) == 0) {
    for (std::size_t changes = 1 + below(3, chance); changes > 0; --changes) {
      change_text(text, chance);
    }
    return text;
  }
  if (below(50, chance) == 0) {  // noise from the beginning to the end
    text.resize(below(200, chance));
    for (char& c : text) c = static_cast<char>(chance());
    return text;
  }
  const std::size_t changes = 1 + below(below(4, chance) == 0 ? 30 : 4, chance);
  for (std::size_t i = 0; i < changes; ++i) change(text, chance);
  return text;
}

}  // namespace mazurka::fuzz
