#include "cluster/onlooker.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka::cluster {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds for_workers{5};  // before the user is told that there are none

}  // namespace

void Onlooker::see(const View& view,
                   const std::function<void(const host::Progress&)>& on_progress) {
  if (on_progress) show(view, on_progress);
  tell_refusals(view);
  tell_loneliness(view);
}

void Onlooker::show(const View& view,
                    const std::function<void(const host::Progress&)>& on_progress) {
  shown_->executions = view.sum("executions");
  shown_->asleep = view.sum("asleep");
  shown_->events = view.sum("events");
  MAZURKA_CHECK(view.is_known(), "a search is shown that is on the server");
  shown_->explored = std::min(view.explored, 0.999);
  on_progress(*shown_);
}

void Onlooker::tell_refusals(const View& view) {
  for (const auto& [worker, why] : view.refusals) {
    if (refused_.insert(worker).second) say_("worker " + worker + ": " + why);
  }
}

void Onlooker::tell_loneliness(const View& view) {
  if (view.slots > 0) {
    lonely_since_.reset();
  } else if (!lonely_since_) {
    lonely_since_ = Clock::now();
  } else if (!told_lonely_ && Clock::now() - *lonely_since_ > for_workers) {
    told_lonely_ = true;
    say_("there are no workers; start some: " + how_to_work_);
  }
}

}  // namespace mazurka::cluster
