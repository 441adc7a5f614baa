#include "explorers/path.hpp"

#include <algorithm>
#include <bit>

namespace mazurka {

std::size_t OpenNodes::deepest() const {
  for (std::size_t at = words_.size(); at-- > 0;) {
    if (words_[at] != 0) {
      return at * 64 + 63 - static_cast<std::size_t>(std::countl_zero(words_[at]));
    }
  }
  return none;
}

bool Agenda::contains(std::size_t node, Decision decision) const {
  return node < open_.size() &&
         std::find(open_[node].begin(), open_[node].end(), decision) != open_[node].end();
}

void Agenda::add(std::size_t node, Decision decision) {
  if (open_.size() <= node) open_.resize(node + 1);
  open_[node].push_back(decision);
  nodes_.insert(node);
}

Decision Agenda::take(std::size_t node) {
  const Decision decision = open_[node].front();
  open_[node].erase(open_[node].begin());
  if (open_[node].empty()) nodes_.erase(node);
  return decision;
}

void Agenda::load(ArchiveReader& archive, std::size_t nodes) {
  archive(open_);
  for (std::size_t node = 0; node < open_.size(); ++node) {
    if (!open_[node].empty()) nodes_.insert(node);
  }
  if (deepest() >= nodes) throw ArchiveError("no decision is open where the path has a node");
}

Path::Path(Session& session, Sleepers sleepers, bool record_enabled)
    : session_(session), mode_(sleepers) {
  schedule_.record_enabled = record_enabled;
}

bool Path::perform() {
  schedule_.prefix = decisions_;
  execution_ = &session_.run(schedule_);
  kept_ = schedule_.shared;
  if (session_.stopped() == Stop::diverged) return false;
  // Nothing follows that it could be analysed for.
  if (session_.stopped() == Stop::cut || session_.stopped() == Stop::interrupted) return false;
  if (mode_ == Sleepers::kept_asleep) sleepers_.absorb(*execution_);
  // It may have been cut, or not have been able to do what was only wished for.
  if (schedule_.tentative || decisions_.size() > execution_->size()) {
    decisions_.resize(std::min(kept_, execution_->size()));
  }
  for (std::size_t at = decisions_.size(); at < execution_->size(); ++at) {
    decisions_.push_back(execution_->steps.decision(at));
  }
  return true;
}

void Path::save(ArchiveWriter& archive) const {
  archive(execution_->steps, execution_->ending);
  sleepers_.save(archive);
}

bool Path::load(ArchiveReader& archive) {
  StepList steps;
  Ending ending{};
  archive(steps, ending);
  sleepers_.load(archive, steps.size());
  execution_ = &session_.repeat(steps, ending, schedule_.record_enabled);
  kept_ = 0;
  decisions_.clear();
  for (std::size_t at = 0; at < execution_->size(); ++at) {
    decisions_.push_back(execution_->steps.decision(at));
  }
  return session_.stopped() == Stop::none;
}

void Path::require_event(std::uint64_t at) const {
  if (at >= execution_->size()) throw ArchiveError("the path has no event where it is left");
}

void Path::leave(std::size_t node) {
  decisions_.resize(node);
  schedule_.shared = node;
  expected_.clear();
  schedule_.expected = &expected_;
  if (mode_ == Sleepers::kept_asleep) schedule_.asleep = &sleepers_.collect(node);
}

}  // namespace mazurka
