// Text in XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace mazurka::report {

/// The text as it stands between tags or in an attribute. XML has no way to write most control
/// characters, nor what is not UTF-8: these become what they say (core/shown_text.hpp).
[[nodiscard]] std::string markup(std::string_view text);

}  // namespace mazurka::report
