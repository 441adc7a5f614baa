// Text that others have written, made fit to be shown.
//
// Names, messages and values come from the program under test and from files. A terminal obeys the
// control characters in them, XML has no way to write most of these, and a shell takes apart a file
// name with a blank. So nothing of that kind is shown before it went through here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mazurka {

/// What each byte of the text says, and does nothing: control characters, bytes that are not UTF-8,
/// and marks that turn the direction of writing become \n, \x1b, \u202e and the like.
[[nodiscard]] std::string printable(std::string_view text);

/// The same, but lines and tabulators stay: for messages of several lines.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// "1 preemption", "2 preemptions"
[[nodiscard]] std::string plural(std::uint64_t count, const std::string& word);

/// The text as one word of a command that is pasted into a shell.
[[nodiscard]] std::string shell_word(std::string_view text);

/// The same for a file: one that begins with a dash is not taken for an option.
[[nodiscard]] std::string shell_file(const std::string& file);

}  // namespace mazurka
