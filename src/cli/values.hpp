// What can stand for a value on the command line: times, sizes, numbers, words of a list.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mazurka::cli {

/// "10", "10s", "1.5m", "2h", "300ms"; empty when it is none of these.
[[nodiscard]] std::optional<double> parse_seconds(const std::string& text);

/// Bytes: "500M", "2G", "64k" or a plain number; empty when it is none of these.
[[nodiscard]] std::optional<std::uint64_t> parse_bytes(const std::string& text);

/// Decimal digits and nothing else, within 64 bits.
[[nodiscard]] std::optional<std::uint64_t> parse_number(std::string_view text);

/// Words as a shell would divide them: blanks separate, quotes and backslashes hold together.
[[nodiscard]] std::vector<std::string> split_words(const std::string& text);

/// "one, two, three".
[[nodiscard]] std::string listed(std::span<const std::string_view> words);

/// "'g++' is none of gcc, clang; did you mean gcc?"
[[nodiscard]] std::string none_of(const std::string& wanted,
                                  std::span<const std::string_view> words);

}  // namespace mazurka::cli
