// Numbers on the command lines of the sweeps.
#pragma once

#include <charconv>
#include <string_view>

namespace mazurka {

/// All of the text must be the number.
template <typename Number>
bool parse_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace mazurka
