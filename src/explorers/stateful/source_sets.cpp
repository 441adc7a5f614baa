#include "explorers/stateful/source_sets.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka::stateful {

SourceSets::SourceSets(const System& system, Walk walk, const Pairs* pairs)
    : system_(system),
      ahead_(system),
      region_(system.process_words(), 0),
      fresh_(system.process_words(), 0) {
  wanted_.resize(system.actions());
  members_.resize(system.actions());
  find_company();
  if (walk != Walk::over_groups || !system.is_of_pairs()) {
    lay_out_ways();
    return;
  }
  if (pairs != nullptr) {
    words_.emplace(system, *pairs, ahead_);
  } else {
    pairs_.emplace(system, ahead_);
  }
}

void SourceSets::lay_out_ways() {
  std::size_t ways = 0;
  for (std::uint32_t process = 0; process < system_.processes(); ++process) {
    for (LocalState state = 0; state < system_.states(process); ++state) {
      first_way_.push_back(ways);
      ways += system_.columns(process);
    }
  }
  ways_to_.assign(ways, unknown);
  ways_from_.assign(system_.rows(), unknown);
}

// Whom it can still have to do with, per local state: the least fixed point along the edges.
void SourceSets::find_company() {
  const std::size_t words = system_.process_words();
  company_.assign(system_.rows() * words, 0);
  for (std::uint32_t process = 0; process < system_.processes(); ++process) {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto state = static_cast<LocalState>(system_.states(process)); state-- > 0;) {
        Word* const company = company_.data() + system_.row_of(process, state) * words;
        for (const System::Edge& edge : system_.edges(process, state)) {
          const Word* const next = company_.data() + system_.row_of(process, edge.target) * words;
          changed = unite(company, system_.domain(edge.action), words) || changed;
          changed = unite(company, next, words) || changed;
        }
      }
    }
  }
}

bool SourceSets::include(ActionId action, std::size_t limit) {
  if (!members_.insert(action)) return true;
  queue_.push_back(action);
  if (wanted_.contains(action)) hits_.push_back(action);
  return hits_.size() < limit;
}

std::uint32_t SourceSets::find_ways(const System::Participant& who, LocalState state) {
  const std::size_t row = system_.row_of(who.process, state);
  const std::size_t first = on_the_way_.size();
  for (const System::Edge& edge : system_.edges(who.process, state)) {
    if (ahead_.has(system_.row_of(who.process, edge.target), who.column)) {
      on_the_way_.push_back(edge.action);
    }
  }
  const auto found = on_the_way_.begin() + static_cast<std::ptrdiff_t>(first);
  for (std::uint32_t known = ways_from_[row]; known != unknown; known = ways_[known].others) {
    const auto others = on_the_way_.begin() + ways_[known].first;
    if (std::equal(found, on_the_way_.end(), others, on_the_way_.begin() + ways_[known].last)) {
      on_the_way_.resize(first);
      return known;
    }
  }
  ways_.push_back({static_cast<std::uint32_t>(first),
                   static_cast<std::uint32_t>(on_the_way_.size()), ways_from_[row], 0});
  ways_from_[row] = static_cast<std::uint32_t>(ways_.size() - 1);
  return ways_from_[row];
}

bool SourceSets::include_ways_to(const LocalState* locals, const System::Participant& who,
                                 std::size_t limit) {
  const LocalState state = locals[who.process];
  std::uint32_t& number = ways_to_[first_way_[system_.row_of(who.process, state)] + who.column];
  if (number == unknown) number = find_ways(who, state);
  Ways& ways = ways_[number];
  if (ways.closure == closures_) return true;
  ways.closure = closures_;
  for (std::uint32_t at = ways.first; at < ways.last; ++at) {
    if (!include(on_the_way_[at], limit)) return false;
  }
  return true;
}

void SourceSets::want(std::span<const ActionId> wanted) {
  if (words_) return words_->want(wanted);
  wanted_.clear();
  for (const ActionId action : wanted) wanted_.insert(action);
}

void SourceSets::next_closure() {
  if (++closures_ != 0) return;
  for (Ways& ways : ways_) ways.closure = 0;
  closures_ = 1;
}

bool SourceSets::closure(const LocalState* locals, ActionId seed, std::size_t limit) {
  if (words_) return words_->closure(seed, limit, hits_);
  if (pairs_) return pairs_->closure(locals, seed, wanted_, limit, hits_);
  next_closure();
  members_.clear();
  queue_.clear();
  hits_.clear();
  for (const System::Participant& who : system_.participants(seed)) {
    for (const System::Edge& edge : system_.edges(who.process, locals[who.process])) {
      if (!include(edge.action, limit)) return false;
    }
  }
  while (!queue_.empty()) {
    const ActionId action = queue_.back();
    queue_.pop_back();
    ++work_;
    const auto participants = system_.participants(action);
    const System::Participant* unable = nullptr;
    bool somebody_can = false;
    for (const System::Participant& who : participants) {
      if (system_.target(who, locals[who.process]) == no_target) {
        if (unable == nullptr) unable = &who;
      } else {
        somebody_can = true;
      }
    }
    if (!somebody_can || participants.size() == 1) continue;
    if (unable != nullptr) {
      if (!include_ways_to(locals, *unable, limit)) return false;
      continue;
    }
    for (const System::Participant& who : participants) {
      if (!include_ways_to(locals, who, limit)) return false;
    }
  }
  return true;
}

void SourceSets::persistent(const LocalState* locals, ActionId seed,
                            std::span<const ActionId> wanted, std::vector<ActionId>& out) {
  const std::size_t words = region_.size();
  std::copy_n(system_.domain(seed), words, region_.begin());
  std::copy_n(system_.domain(seed), words, fresh_.begin());
  for (std::size_t at = 0; at < words;) {
    if (fresh_[at] == 0) {
      ++at;
      continue;
    }
    const std::size_t process =
        at * word_bits + static_cast<std::size_t>(std::countr_zero(fresh_[at]));
    fresh_[at] &= fresh_[at] - 1;
    const std::size_t row = system_.row_of(static_cast<std::uint32_t>(process), locals[process]);
    const Word* const company = company_.data() + row * words;
    for (std::size_t word = 0; word < words; ++word) {
      const Word fresh = company[word] & ~region_[word];
      if (fresh == 0) continue;
      region_[word] |= fresh;
      fresh_[word] |= fresh;
      at = std::min(at, word);
    }
  }
  out.clear();
  for (const ActionId action : wanted) {
    if (subset(system_.domain(action), region_.data(), words)) out.push_back(action);
  }
}

bool SourceSets::around(const LocalState* locals, ActionId seed, Kind kind,
                        std::span<const ActionId> wanted, std::size_t limit,
                        std::vector<ActionId>& out) {
  if (kind == Kind::persistent) {
    persistent(locals, seed, wanted, out);
    return out.size() < limit;
  }
  want(wanted);
  if (!closure(locals, seed, limit)) return false;
  out.assign(hits_.begin(), hits_.end());
  std::sort(out.begin(), out.end());
  return true;
}

void SourceSets::smallest(const LocalState* locals, std::span<const ActionId> seeds, Kind kind,
                          std::span<const ActionId> wanted, std::vector<ActionId>& out) {
  out.assign(wanted.begin(), wanted.end());
  if (kind == Kind::closure) want(wanted);
  for (const ActionId seed : seeds) {
    if (out.size() <= 1) return;
    if (kind == Kind::persistent) {
      persistent(locals, seed, wanted, candidate_);
      if (candidate_.size() < out.size()) out.swap(candidate_);
    } else if (closure(locals, seed, out.size())) {
      out.assign(hits_.begin(), hits_.end());
    }
  }
  std::sort(out.begin(), out.end());
}

}  // namespace mazurka::stateful
