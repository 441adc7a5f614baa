// New lines that stand for semicolons, by the rule that SPIN has since version 6.3.
#pragma once

#include <vector>

#include "programs/promela/lexer.hpp"

namespace mazurka::promela {

/// Adds a semicolon where a line ends with what a statement can end with and the next token can
/// begin a statement: inside of bodies (of proctypes, inlines, typedefs), outside of parentheses
/// and brackets.
///
/// SPIN adds it before every token but '}', '->' and ';', and then refuses a next line that begins
/// with, say, '&&'. Such lines stay what they were before version 6.3: the rest of the statement.
[[nodiscard]] std::vector<Token> with_line_ends(const std::vector<Token>& tokens);

}  // namespace mazurka::promela
