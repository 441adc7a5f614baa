#include "programs/caf/rules.hpp"

#include <sstream>

namespace mazurka::caf {

namespace {

bool take_word(const std::string& word, Rules& rules) {
  if (word == "mailbox") {
    rules.channels = Channels::mailbox;
  } else if (word == "fifo") {
    rules.channels = Channels::fifo;
  } else if (word == "none") {
    rules.channels = Channels::none;
  } else if (word == "idle") {
    rules.timeouts = Timeouts::idle;
  } else if (word == "any") {
    rules.timeouts = Timeouts::any;
  } else if (word == "never") {
    rules.timeouts = Timeouts::never;
  } else if (word == "allow-unhandled") {
    rules.allow_unhandled = true;
  } else if (word == "allow-unanswered") {
    rules.allow_unanswered = true;
  } else if (word == "allow-errors") {
    rules.allow_errors = true;
  } else if (word == "allow-running") {
    rules.allow_running = true;
  } else if (word == "forbid-left") {
    rules.forbid_left = true;
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::optional<Rules> parse_rules(std::string& text) {
  Rules rules;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    if (take_word(word, rules)) continue;
    text = word;
    return std::nullopt;
  }
  return rules;
}

}  // namespace mazurka::caf
