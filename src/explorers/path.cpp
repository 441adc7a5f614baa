#include "explorers/path.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka {

Path::Path(Session& session, Sleepers sleepers, bool record_enabled)
    : session_(session), mode_(sleepers) {
  schedule_.record_enabled = record_enabled;
}

bool Path::perform() {
  execution_ = &session_.run(schedule_, guide_);
  kept_ = schedule_.shared;
  MAZURKA_CHECK(session_.stopped() != Stop::none || kept_ <= execution_->size(),
                "an execution has all events that it repeats");
  if (session_.stopped() == Stop::diverged) return false;
  // Nothing follows that it could be analysed for.
  if (session_.stopped() == Stop::cut || session_.stopped() == Stop::interrupted) return false;
  if (mode_ == Sleepers::kept_asleep) sleepers_.absorb(*execution_);
  // It may have been cut, or not have been able to do what was only wished for.
  if (schedule_.tentative || schedule_.prefix.size() > execution_->size()) {
    schedule_.prefix.resize(std::min(kept_, execution_->size()));
  }
  for (std::size_t at = schedule_.prefix.size(); at < execution_->size(); ++at) {
    schedule_.prefix.push_back(execution_->steps.decision(at));
  }
  return true;
}

void Path::save(ArchiveWriter& archive) const {
  MAZURKA_CHECK(execution_ != nullptr, "a path is saved between two executions");
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
  schedule_.prefix.clear();
  for (std::size_t at = 0; at < execution_->size(); ++at) {
    schedule_.prefix.push_back(execution_->steps.decision(at));
  }
  return session_.stopped() == Stop::none;
}

void Path::require_event(std::uint64_t at) const {
  if (at >= execution_->size()) throw ArchiveError("the path has no event where it is left");
}

void Path::leave(std::size_t node) {
  MAZURKA_CHECK(execution_ != nullptr && node < execution_->size(),
                "a path is left at one of the events that it has");
  MAZURKA_CHECK(node <= schedule_.prefix.size(), "the path was written down up to there");
  schedule_.prefix.resize(node);
  schedule_.shared = node;
  schedule_.expected.clear();
  if (mode_ == Sleepers::kept_asleep) sleepers_.collect(node, schedule_.asleep);
}

}  // namespace mazurka
