// Help that fits a terminal of 80 columns: a column of names, a column of words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mazurka::cli {

/// The words as a paragraph that begins in the column `indent`; line breaks in them are blanks.
/// The first line is not indented: something stands there.
[[nodiscard]] std::string paragraph(std::string_view words, std::size_t indent);

/// One entry of a list: `name`, and what it means from the column `indent` on.
[[nodiscard]] std::string entry(const std::string& name, std::string_view meaning,
                                std::size_t indent);

/// The kinds of programs, one entry each.
[[nodiscard]] std::string kinds_text();

/// What `mazurka techniques` says.
[[nodiscard]] std::string techniques_text();

}  // namespace mazurka::cli
