#include "programs/threads/host/story_rounds.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

namespace mazurka::threads {

namespace {

constexpr std::size_t longest_round = 24;    // rows
constexpr std::size_t fewest_rounds = 4;     // of which the first and the last are shown
constexpr std::size_t longest_story = 5000;  // rows; beyond, the middle is left out
constexpr std::size_t kept_beginning = 200;  // rows before the part that is left out

bool fails(const RawEvent& event) {
  return event.action == Action::failure || (event.flags & flag_racing) != 0;
}

std::string rows_in_words(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " row" : " rows");
}

/// "lines 12-15" if all are in one file.
std::string lines_of(const std::vector<StoryRow>& all, std::size_t begin, std::size_t end) {
  std::string file;
  long first = 0;
  long last = 0;
  for (std::size_t at = begin; at < end; ++at) {
    const std::string& place = all[at].place;
    const std::size_t colon = place.rfind(':');
    if (colon == std::string::npos) continue;
    const std::string name = place.substr(0, colon);
    const long line = std::strtol(place.c_str() + colon + 1, nullptr, 10);
    if (file.empty()) {
      file = name;
      first = last = line;
    }
    if (name != file) return rows_in_words(end - begin);
    first = std::min(first, line);
    last = std::max(last, line);
  }
  if (file.empty()) return rows_in_words(end - begin);
  return first == last ? "line " + std::to_string(first)
                       : "lines " + std::to_string(first) + "-" + std::to_string(last);
}

}  // namespace

/// Events that are the same place of a round: the same is done by the same process from there.
bool StoryRounds::is_same_place(std::size_t one, std::size_t other) const {
  const RawEvent& a = events_[one];
  const RawEvent& b = events_[other];
  return a.process == b.process && a.action == b.action && a.stack == b.stack;
}

std::span<const std::size_t> StoryRounds::left_out_between(std::size_t after,
                                                           std::size_t before) const {
  const auto first = std::lower_bound(left_out_.begin(), left_out_.end(), after);
  return {first, std::lower_bound(first, left_out_.end(), before)};
}

std::span<const std::size_t> StoryRounds::left_out_before(const std::vector<ShownRow>& shown,
                                                          std::size_t row) const {
  return left_out_between(row == 0 ? 0 : shown[row - 1].last, shown[row].first);
}

void StoryRounds::leave_out_the_middle(std::vector<std::size_t>& story) {
  if (story.size() <= longest_story) return;
  std::size_t count = story.size() - longest_story;
  const auto repeats_after = [&](std::size_t length) {
    for (std::size_t at = kept_beginning; at + length < kept_beginning + count; ++at) {
      if (!is_same_place(story[at], story[at + length])) return false;
    }
    return true;
  };
  for (std::size_t length = 1; length <= std::min(longest_round, count / 2); ++length) {
    if (!repeats_after(length)) continue;
    count = count / length * length;
    break;
  }
  std::vector<std::size_t> kept;
  for (std::size_t at = 0; at < story.size(); ++at) {
    const bool is_middle = at >= kept_beginning && at < kept_beginning + count;
    (is_middle && !fails(events_[story[at]]) ? left_out_ : kept).push_back(story[at]);
  }
  story = std::move(kept);
}

/// Whether the rows from here are one more round, and what the story leaves out in it as well.
bool StoryRounds::goes_on(const std::vector<ShownRow>& shown, const Rounds& rounds,
                          const Story& story) const {
  const std::size_t next = rounds.begin + rounds.count * rounds.length;
  if (next + rounds.length > shown.size()) return false;
  const auto is_like = [&](std::size_t event, std::size_t place) {
    return is_same_place(shown[rounds.begin + place % rounds.length].event, event);
  };
  for (std::size_t place = 0; place < rounds.length; ++place) {
    const std::span<const std::size_t> left_out = left_out_before(shown, next + place);
    if (left_out.size() % rounds.length != 0) return false;
    for (std::size_t at = 0; at < left_out.size(); ++at) {
      if (!is_like(left_out[at], place + at)) return false;
    }
    if (!is_like(shown[next + place].event, place) || !may_fold(story.rows[next + place])) {
      return false;
    }
  }
  return true;
}

/// Those from this row on that leave the fewest rows to be shown.
StoryRounds::Rounds StoryRounds::rounds_from(const std::vector<ShownRow>& shown, std::size_t begin,
                                             const Story& story) const {
  Rounds best;
  for (std::size_t length = 1; length <= longest_round && begin + length < shown.size(); ++length) {
    if (length > 1 && !left_out_before(shown, begin + length - 1).empty()) break;
    Rounds rounds{begin, length, 1};
    while (goes_on(shown, rounds, story)) ++rounds.count;
    const bool is_more = rounds.count * length > best.count * best.length;
    if (rounds.count >= fewest_rounds && is_more) best = rounds;
  }
  return best;
}

void StoryRounds::fold(const std::vector<ShownRow>& shown, Story& story) const {
  for (std::size_t at = 0; at < shown.size();) {
    const Rounds rounds = rounds_from(shown, at, story);
    if (rounds.length == 0) {
      ++at;
      continue;
    }
    const std::size_t first = at + rounds.length;
    std::size_t left_out = 0;
    for (std::size_t row = first; row < rounds.last(); ++row) {
      left_out += story.rows[row].event.left_out;
    }
    const std::string text = std::to_string(rounds.count - 2 + left_out / rounds.length) +
                             " more rounds of " + lines_of(story.rows, at, first);
    for (std::size_t row = first; row < rounds.last(); ++row) story.rows[row].folded = text;
    at = rounds.last() + rounds.length;
  }
}

}  // namespace mazurka::threads
