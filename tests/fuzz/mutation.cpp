#include "fuzz/mutation.hpp"

#include <algorithm>

namespace mazurka::fuzz {

namespace {

constexpr std::size_t largest = 1U << 16U;  // bytes: what is found is found in small inputs

std::size_t below(std::size_t bound, std::mt19937_64& chance) {
  return bound == 0 ? 0 : chance() % bound;
}

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
