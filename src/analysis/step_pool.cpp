#include "analysis/step_pool.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "core/hash.hpp"

namespace mazurka {

namespace {

std::uint64_t hash_of(const Step& step) {
  RunningHash hash;
  hash.add(index(step.process())).add(step.decision.choice);
  for (const Access& access : step.accesses) {
    hash.add((std::uint64_t{index(access.object)} << 32) | (std::uint64_t{access.operand} << 16) |
             (std::uint64_t{access.kind} << 8) | access.mode);
  }
  return hash.value();
}

bool equal(const Step& one, const Step& other) {
  return same_step(one, other) && one.choices == other.choices && one.awaited == other.awaited &&
         one.exits == other.exits && same_accesses(one.announced, other.announced) &&
         std::equal(one.released.begin(), one.released.end(), other.released.begin(),
                    other.released.end());
}

}  // namespace

StepPool::Number StepPool::use(const Step& step) {
  const std::uint64_t hash = hash_of(step);
  const auto [first, last] = numbers_.equal_range(hash);
  const auto known =
      std::find_if(first, last, [&](const auto& one) { return equal((*this)[one.second], step); });
  if (known != last) {
    if (kept_[known->second].users++ == 0) --unused_;
    return known->second;
  }
  if (unused_ > kept_.size() / 2 + few) forget_unused();
  const Number fresh = add(step);
  kept_[fresh].users = 1;
  numbers_.emplace(hash, fresh);
  return fresh;
}

StepPool::Number StepPool::add(const Step& step) {
  if (free_.empty()) {
    free_.push_back(static_cast<Number>(kept_.size()));
    kept_.emplace_back();
  }
  const Number fresh = free_.back();
  free_.pop_back();
  Kept& kept = kept_[fresh];
  kept.decision = step.decision;
  kept.choices = step.choices;
  kept.awaited = step.awaited;
  kept.exits = step.exits;
  kept.accesses.assign(step.accesses.begin(), step.accesses.end());
  kept.released.assign(step.released.begin(), step.released.end());
  kept.announced.assign(step.announced.begin(), step.announced.end());
  return fresh;
}

void StepPool::release(Number number) {
  MAZURKA_CHECK(number < kept_.size() && kept_[number].users > 0,
                "a step has as many users as uses");
  if (--kept_[number].users == 0) ++unused_;
}

void StepPool::forget_unused() {
  std::erase_if(numbers_, [&](const auto& one) {
    if (kept_[one.second].users > 0) return false;
    free_.push_back(one.second);
    return true;
  });
  unused_ = 0;
}

void StepPool::save(ArchiveWriter& archive) const {
  StepList all;
  for (const Kept& kept : kept_) all.push_back(kept.step());
  archive(all);
}

void StepPool::load(ArchiveReader& archive) {
  MAZURKA_CHECK(kept_.empty(), "steps are loaded into an empty pool");
  StepList all;
  archive(all);
  for (std::size_t at = 0; at < all.size(); ++at) numbers_.emplace(hash_of(all[at]), add(all[at]));
  unused_ = kept_.size();
}

void StepPool::use_loaded(Number number) {
  if (number >= kept_.size()) throw ArchiveError("a step is asked for that is not there");
  if (kept_[number].users++ == 0) --unused_;
}

}  // namespace mazurka
