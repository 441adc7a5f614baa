// What programs answer whose steps are deliveries of messages: actors, of our own and of CAF.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/finding.hpp"
#include "core/run.hpp"
#include "driver/explored.hpp"
#include "driver/plan.hpp"
#include "host/protocol.hpp"
#include "report/model/story.hpp"

namespace mazurka::host {

/// `absent`: what is said of a message that should have been there. `in_words`: of one that was.
[[nodiscard]] RawDivergence describe_delivery(const Divergence& divergence, std::string_view absent,
                                              const std::function<std::string(Step)>& in_words);

/// Where what is left of a part of a search is written to, and which part it is.
[[nodiscard]] Saving saving_of(const Request& request);

/// What the search came to, but for its findings. `programs`: which, in words.
void take_over(const Explored& explored, const std::string& programs, Reply& reply);

/// For a program that is run by itself: each finding in a line, where errors go.
void print_findings(std::span<const Finding> findings);

/// One line per delivery, for a test's log; report/ draws charts.
[[nodiscard]] std::string lines_of(const Story& story);

}  // namespace mazurka::host
