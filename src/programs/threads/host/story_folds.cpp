// The storyteller's folds: rows that a reader of the table can do without.
//
// They stay in the story, marked; a table shows one line in the place of each run of them. Folded
// are what main prepares before it starts the first thread, how a thread gets what its function has
// captured, plain accesses that code of the library makes on the program's behalf, all rounds of a
// loop but its first and its last, and, where all that does not suffice, the middle. Never: where
// the program goes wrong, and the point of no return.
#include <algorithm>
#include <utility>

#include "programs/threads/host/story_rounds.hpp"
#include "programs/threads/host/storyteller.hpp"

namespace mazurka::threads {

namespace {

constexpr std::size_t fewest_prepared = 4;  // rows of preparation that are worth a fold
constexpr std::size_t longest_table = 200;  // rows that are shown
constexpr std::size_t kept_rows = 40;       // of a longer one

std::string rows(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " row" : " rows");
}

/// What a fold says of events that the story does not have at all, if there are any there.
std::string and_left_out(const std::vector<StoryRow>& all, std::size_t begin, std::size_t end) {
  std::size_t count = 0;
  for (std::size_t row = begin; row < end; ++row) count += all[row].event.left_out;
  if (count == 0) return {};
  return " and " + std::to_string(count) + " events that are not in the report";
}

/// Marks [begin, end), except what must be seen; the text begins with how many there are.
template <typename Words>
void fold_rows(std::vector<StoryRow>& all, std::size_t begin, std::size_t end, Words words) {
  for (std::size_t at = begin; at < end;) {
    std::size_t to = at;
    while (to < end && may_fold(all[to])) ++to;
    const std::string text = at == to ? "" : words(to - at) + and_left_out(all, at, to);
    for (std::size_t row = at; row < to; ++row) all[row].folded = text;
    at = std::max(to, at + 1);
  }
}

void fold_middle(Story& story) {
  std::vector<std::size_t> seen;
  for (std::size_t row = 0; row < story.rows.size(); ++row) {
    if (story.rows[row].folded.empty()) seen.push_back(row);
  }
  if (seen.size() <= longest_table) return;
  const std::size_t begin = seen[kept_rows];
  const std::size_t end = seen[seen.size() - (longest_table - kept_rows)];
  // What was folded there for another reason is part of the middle now.
  for (std::size_t row = begin; row < end; ++row) story.rows[row].folded.clear();
  fold_rows(story.rows, begin, end,
            [](std::size_t count) { return rows(count) + " in the middle"; });
}

}  // namespace

void Storyteller::fold(const std::vector<Shown>& shown, Story& story) const {
  fold_preparation(shown, story);
  fold_library(shown, story);
  rounds_.fold(shown, story);
  fold_middle(story);
}

void Storyteller::fold_preparation(const std::vector<Shown>& shown, Story& story) const {
  std::size_t first_start = 0;
  while (first_start < shown.size() &&
         raw_.events[shown[first_start].event].action != Action::create) {
    ++first_start;
  }
  if (first_start == shown.size() || first_start < fewest_prepared) return;
  fold_rows(story.rows, 0, first_start, [](std::size_t count) {
    return rows(count) + " of preparation before the first thread starts";
  });
}

void Storyteller::fold_library(const std::vector<Shown>& shown, Story& story) const {
  const auto is_capture = [&](const RawEvent& event) {
    const RawBlock* block = block_at(event.address);
    return block != nullptr && symbols_.is_thread_machinery(block->stack);
  };
  const auto is_inside = [&](const RawEvent& event) {
    const std::vector<Frame> frames = symbols_.all_frames(event.stack);
    return frames.size() > 1 && frames.front().system &&
           std::any_of(frames.begin(), frames.end(), [](const Frame& f) { return !f.system; });
  };
  const auto is_plain = [](const RawEvent& event) { return (event.flags & flag_plain) != 0; };
  for (std::size_t at = 0; at < shown.size();) {
    const RawEvent& event = raw_.events[shown[at].event];
    if (!is_plain(event) || !may_fold(story.rows[at])) {
      ++at;
      continue;
    }
    const bool capture = is_capture(event);
    if (!capture && !is_inside(event)) {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    const std::string function =
        capture ? std::string() : symbols_.function_of_library(event.stack);
    const auto alike = [&](std::size_t row) {
      const RawEvent& other = raw_.events[shown[row].event];
      return is_plain(other) && may_fold(story.rows[row]) && other.process == event.process &&
             is_capture(other) == capture && (capture || is_inside(other)) &&
             (capture || (story.rows[row].place == story.rows[at].place &&
                          symbols_.function_of_library(other.stack) == function));
    };
    while (end < shown.size() && alike(end)) ++end;
    if (capture || end - at > 1) {
      fold_rows(story.rows, at, end, [&](std::size_t count) {
        return rows(count) + (capture ? " about what the thread's function has captured"
                                      : " inside " + (function.empty() ? "a library" : function) +
                                            " (" + story.rows[at].place + ")");
      });
    }
    at = end;
  }
}

}  // namespace mazurka::threads
