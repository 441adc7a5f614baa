#include "programs/threads/host/suppressions.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "host/files.hpp"
#include "programs/threads/host/storyteller.hpp"
#include "programs/threads/host/variables.hpp"

namespace mazurka::threads {
using namespace host;

namespace {

constexpr std::array foreign_kinds{"thread", "mutex", "signal", "deadlock", "called_from_lib"};

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

enum class Parsed : std::uint8_t { suppression, foreign };

/// `where`: what a message begins with.
Parsed parse(std::string_view line, const std::string& where, const std::string& origin,
             SuppressionList& list) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) {
    throw InputError(where + "'" + std::string(line) +
                     "' is no suppression; write KIND:PATTERN, such as race:counter");
  }
  const std::string kind(trimmed(line.substr(0, colon)));
  const std::string_view pattern = trimmed(line.substr(colon + 1));
  if (std::find(foreign_kinds.begin(), foreign_kinds.end(), kind) != foreign_kinds.end()) {
    return Parsed::foreign;
  }
  if (kind != "race" && kind != "race_top") {
    throw InputError(where + "there is no kind of suppression '" + kind +
                     "'; the kinds are race and race_top");
  }
  if (pattern.find_first_not_of("^*$") == std::string_view::npos) {
    throw InputError(where + "'" + std::string(line) + "' has no name to look for; " +
                     "to accept every race, leave them out: --races off");
  }
  list.suppressions.push_back({std::string(pattern), kind == "race_top", origin});
  return Parsed::suppression;
}

std::string counted(std::uint64_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

}  // namespace

void add_suppression(const std::string& text, SuppressionList& list) {
  if (parse(trimmed(text), "--suppress: ", "--suppress " + text, list) == Parsed::foreign) {
    throw InputError("--suppress: '" + text + "': only data races can be accepted; " +
                     "write race:PATTERN or race_top:PATTERN");
  }
}

void add_suppressions_of(const std::filesystem::path& file, SuppressionList& list) {
  std::istringstream lines(read_text(file));
  std::string foreign;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string where = file.string() + ":" + std::to_string(++number);
    const std::string_view content = trimmed(line);
    if (content.empty() || content.front() == '#') continue;
    if (line.find('\0') != std::string::npos) {
      throw InputError(where + ": this is no text; give a file of suppressions");
    }
    const std::string origin = where + " (" + std::string(content) + ")";
    if (parse(content, where + ": ", origin, list) == Parsed::foreign) {
      foreign += (foreign.empty() ? "" : ", ") + std::to_string(number);
    }
  }
  if (!foreign.empty()) {
    list.notes.push_back(file.string() + ": line " + foreign +
                         ": about reports that Mazurka does not make; nothing is suppressed by it");
  }
}

bool matches(std::string_view pattern, std::string_view name) {
  const bool from_start = pattern.starts_with('^');
  if (from_start) pattern.remove_prefix(1);
  const bool to_end = pattern.ends_with('$');
  if (to_end) pattern.remove_suffix(1);
  bool anywhere = !from_start;  // the next part need not follow at once
  for (;;) {
    const std::size_t star = pattern.find('*');
    const std::string_view part = pattern.substr(0, star);
    const bool last = star == std::string_view::npos;
    if (last && to_end) {
      if (!anywhere) return name == part;
      return name.ends_with(part);
    }
    const std::size_t found = anywhere ? name.find(part) : (name.starts_with(part) ? 0 : name.npos);
    if (found == std::string_view::npos) return false;
    if (last) return true;
    name.remove_prefix(found + part.size());
    pattern.remove_prefix(star + 1);
    anywhere = true;
  }
}

bool RaceJudge::accepts(const Suppression& suppression, const RaceQuestion& question,
                        const std::string& variable) const {
  const std::string& pattern = suppression.pattern;
  if (!suppression.top_only && !variable.empty() && matches(pattern, variable)) return true;
  for (std::size_t at = 0; at < 2; ++at) {
    for (const Frame& frame : symbols_->all_frames(question.story.events[at].stack)) {
      for (const std::string* name :
           {&frame.function, &frame.full_function, &frame.file, &frame.source, &frame.module}) {
        if (!name->empty() && matches(pattern, *name)) return true;
      }
      if (suppression.top_only) break;
    }
  }
  return false;
}

std::string RaceJudge::how_far_beyond(const RaceQuestion& question) const {
  const RawEvent& access = question.story.events.front();
  const std::uint64_t end = access.address + question.story.blocks.front().size;
  const auto variable = symbols_->end_of_variable(access.stack, access.ends, access.address);
  if (!variable || variable->address >= end) return {};
  return counted(end - variable->address, "byte") + " beyond the end of `" + variable->name +
         "`, which has " + counted(variable->size, "byte");
}

RaceAnswer RaceJudge::judge(const RaceQuestion& question) {
  RaceAnswer answer;
  if (question.story.events.empty()) return answer;
  if (symbols_ == nullptr) symbols_ = std::make_unique<Symbols>(question.modules);
  if (question.story.events.size() == 1 && !question.story.blocks.empty()) {
    answer.race = how_far_beyond(question);
    return answer;
  }
  const Storyteller teller(*symbols_, question.story);
  const std::string variable = teller.variable_of_race();
  for (std::size_t at = 0; at < suppressions_.size(); ++at) {
    if (!accepts(suppressions_[at], question, variable)) continue;
    answer.accepted = true;
    answer.suppression = static_cast<std::uint32_t>(at);
    answer.race = teller.race_in_words();
    break;
  }
  return answer;
}

std::vector<std::string> account_of(const std::vector<AcceptedRace>& accepted,
                                    const std::vector<Suppression>& suppressions, bool complete) {
  std::vector<std::string> lines;
  std::string unused;
  for (std::size_t at = 0; at < suppressions.size(); ++at) {
    bool used = false;
    for (const AcceptedRace& one : accepted) {
      if (one.suppression != at) continue;
      used = true;
      lines.push_back(
          "suppressed by " + suppressions[at].origin + ": data race on " + one.race +
          (one.executions == 0 ? std::string() : ", in " + counted(one.executions, "execution")));
    }
    if (!used) unused += (unused.empty() ? "" : ", ") + suppressions[at].origin;
  }
  if (!accepted.empty()) {
    lines.emplace_back(
        "accesses that race and are suppressed were explored as if they were seq_cst atomics, "
        "which no compiler promises");
  }
  if (complete && !unused.empty()) lines.push_back("no race matches " + unused);
  return lines;
}

}  // namespace mazurka::threads
