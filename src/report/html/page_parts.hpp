// The parts of the page, from the files of this folder (bundle.cmake).
#pragma once

#include <span>
#include <string_view>

namespace mazurka::report {

/// One after the other they are the text.
using Pieces = std::span<const std::string_view>;

/// With @TITLE@, @STYLE@, @TEXT@, @DATA@ and @SCRIPT@ in the places of the others.
extern const Pieces page_shell;
extern const Pieces page_style;
extern const Pieces page_script;

/// Of the studio (src/studio), if it is built.
extern const Pieces studio_shell;
extern const Pieces studio_style;
extern const Pieces studio_script;

}  // namespace mazurka::report
