#include "cluster/watcher.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/description.hpp"
#include "cluster/ending.hpp"
#include "cluster/kinship.hpp"
#include "cluster/retelling.hpp"
#include "cluster/store.hpp"
#include "core/shown_text.hpp"
#include "host/files.hpp"
#include "host/interrupts.hpp"
#include "host/slice.hpp"
#include "host/wire.hpp"

namespace mazurka::cluster {

namespace {

using Clock = std::chrono::steady_clock;
using threads::Launch;
using threads::LaunchResult;
using threads::Reply;
using threads::Supervised;

constexpr std::chrono::milliseconds between_looks{200};
constexpr std::chrono::seconds to_begin{10};       // with a server that does not answer
constexpr std::chrono::seconds for_workers{5};     // before the user is told that there are none
constexpr std::chrono::seconds for_last_words{4};  // of workers, when the search is stopped

class Watcher final : public threads::Elsewhere {
 public:
  explicit Watcher(WatchOptions options)
      : options_(std::move(options)),
        store_(options_.address, {[this] { return gives_up(); },
                                  [this](const std::string& why) {
                                    options_.say("no answer from " + options_.address.shown() +
                                                 " (" + why + "): trying again");
                                  }}) {}

  Supervised explore(const Launch& launch, const std::string& name) override;
  void told() override {
    if (ended_ && !id_.empty()) forget();
  }

 private:
  enum class Why { not_yet, over, user, time, executions, cancelled, told, unreachable };

  [[nodiscard]] bool gives_up() const {
    if (threads::CountInterrupts::count() > (last_words_ ? 1 : 0)) return true;
    if (last_words_) return is_past(last_words_);
    return is_past(deadline_) || (!reached_ && is_past(begun_ + to_begin));
  }
  [[nodiscard]] static bool is_past(const std::optional<Clock::time_point>& end) {
    return end && Clock::now() >= *end;
  }

  void set_deadline(const Launch& launch);
  [[nodiscard]] bool attach();
  void begin_here();
  void put();
  [[nodiscard]] Why watch();
  [[nodiscard]] Why look();
  void show(const View& view);
  void tell_refusals(const View& view);
  void tell_loneliness(const View& view);
  void stop();
  void forget();
  [[nodiscard]] Supervised conclude(Why why);
  void take_over_end(LaunchResult& result);
  void take_over_whole(LaunchResult& result);
  [[nodiscard]] Supervised alone(std::vector<std::string> notes);
  [[nodiscard]] std::optional<std::uint64_t> executions_left() const;

  WatchOptions options_;
  Store store_;
  const Clock::time_point begun_ = Clock::now();
  Launch launch_;
  std::string name_;
  std::string id_;
  threads::SliceFolder folder_;
  Supervised first_;  // what became of the beginning
  std::string rest_;  // that it has left
  bool reached_ = false;
  bool ended_ = false;
  std::optional<Clock::time_point> deadline_;
  std::optional<Clock::time_point> last_words_;  // until then a server that is gone is tried
  View seen_;                                    // the latest
  std::set<std::string> refused_;
  std::optional<Clock::time_point> lonely_since_;
  bool told_lonely_ = false;
  std::unique_ptr<threads::Progress> shown_ = std::make_unique<threads::Progress>();
  std::vector<std::string> notes_;
};

void Watcher::set_deadline(const Launch& launch) {
  launch_ = launch;
  launch_.bare = true;
  const double seconds = launch.request.limits.max_seconds;
  if (!launch_.deadline && seconds > 0) {
    launch_.deadline = begun_ + std::chrono::duration_cast<Clock::duration>(
                                    std::chrono::duration<double>(seconds));
  }
  deadline_ = launch_.deadline;
}

Supervised Watcher::explore(const Launch& launch, const std::string& name) {
  const threads::CountInterrupts counting;
  set_deadline(launch);
  name_ =
      name + "-" + threads::hash_text(threads::hash(user_name() + "@" + host_name())).substr(0, 4);
  try {
    const bool known = attach();
    reached_ = true;
    begin_here();
    if (!known) {
      const LaunchResult& result = first_.last;
      if (result.reply.must_begin_anew || result.reply.stopped == Stop::cut) return alone({});
      if (decides(result) || result.reply.complete || result.by_user || is_past(deadline_)) {
        return first_;
      }
      if (threads::is_rest_lost(result.reply)) {
        throw threads::InputError("what is left of the search can not be saved in " +
                                  std::filesystem::temp_directory_path().string());
      }
      if (executions_left() == 0) return first_;
      put();
    }
  } catch (const ConnectionLost& lost) {
    throw threads::InputError(lost.what());
  }
  return conclude(watch());
}

/// Whether there is such a search already: it goes on.
bool Watcher::attach() {
  const std::optional<std::string> id = store_.current(name_);
  if (!id) return false;
  const std::optional<View> view = store_.view(*id);
  if (!view || !view->is_known()) return false;
  const std::string differs = difference(description_from(view->about).kinship, kinship());
  if (!differs.empty()) {
    throw threads::InputError("the search " + *id + " on " + options_.address.shown() +
                              " was begun by another Mazurka (" + differs + "); cancel it: " +
                              options_.command + " cancel " + options_.address.shown() + " " + *id);
  }
  id_ = *id;
  const std::uint64_t most = launch_.request.limits.max_executions;
  if (view->state == "stopped" || most > 0 || view->left) {
    store_.go_on(id_, most > 0 ? std::optional(most) : std::nullopt);
  }
  options_.say("search " + id_ + " is on " + options_.address.shown() + " already: it goes on");
  return true;
}

/// The first slice. For a search that is there already, to know what the program has loaded.
void Watcher::begin_here() {
  const std::filesystem::path file = folder_ / "first";
  threads::Slice slice;
  slice.to = file;
  slice.budget = launch_.request.limits.max_executions;
  for (unsigned losses = 0; losses <= threads::most_losses; ++losses) {
    slice.time = threads::after_losses(threads::short_slice, losses);
    first_ = supervise(launch_of(slice, launch_));
    if (!threads::is_rest_lost(first_.last.reply) || first_.last.by_user || is_past(deadline_)) {
      break;
    }
  }
  const Reply& reply = first_.last.reply;
  if (first_.last.fate == threads::Fate::replied && reply.rest.tasks > 0) {
    rest_ = threads::read_text(file);
  }
}

std::optional<std::uint64_t> Watcher::executions_left() const {
  const std::uint64_t most = launch_.request.limits.max_executions;
  if (most == 0) return std::nullopt;
  return most - std::min(most, first_.last.reply.statistics.begun());
}

void Watcher::put() {
  const Reply& reply = first_.last.reply;
  const std::string contents = threads::read_text(launch_.binary);
  Description about{options_.shown,    launch_.request.technique, user_name(), host_name(),
                    launch_.arguments, launch_.max_memory,        kinship()};
  threads::Request request = launch_.request;
  request.filter.clear();
  request.limits.max_executions = 0;
  request.limits.max_seconds = 0;
  request.limits.reserved_seconds = 0;
  NewSearch search;
  search.id = name_ + "-" + new_name().substr(0, 6);
  search.name = name_;
  search.binary = binary_name(contents);
  search.executions = executions_left();
  search.about = to_text(about);
  search.request = to_text(encode(request));
  search.libraries = Libraries().of(reply.modules);
  search.first.rest = rest_;
  search.first.tasks = reply.rest.tasks;
  search.first.numbers = numbers_of(reply, first_.notes);
  store_.put(search, contents);
  id_ = search.id;
  options_.say("search " + id_ + " is on " + options_.address.shown());
}

Watcher::Why Watcher::watch() {
  for (;;) {
    if (threads::CountInterrupts::count() > 0) return Why::user;
    if (is_past(deadline_)) return Why::time;
    try {
      const Why why = look();
      if (why != Why::not_yet) return why;
    } catch (const ConnectionLost&) {
      if (threads::CountInterrupts::count() == 0 && !is_past(deadline_)) return Why::unreachable;
      continue;
    }
    std::this_thread::sleep_for(between_looks);
  }
}

Watcher::Why Watcher::look() {
  const std::optional<View> view = store_.view(id_);
  if (!view) {  // a server without a memory
    if (rest_.empty()) {
      throw threads::InputError("the server has lost the search " + id_ + "; begin it again");
    }
    notes_.emplace_back("the server has lost the search: it began anew");
    put();
    return Why::not_yet;
  }
  if (!view->is_known()) return view->state == "cancelled" ? Why::cancelled : Why::told;
  seen_ = *view;
  show(seen_);
  tell_refusals(seen_);
  tell_loneliness(seen_);
  if (seen_.state == "over") return Why::over;
  if (seen_.left && *seen_.left <= 0 && seen_.running == 0) return Why::executions;
  return Why::not_yet;
}

void Watcher::show(const View& view) {
  if (!launch_.on_progress) return;
  shown_->executions = view.sum("executions");
  shown_->asleep = view.sum("asleep");
  shown_->events = view.sum("events");
  shown_->explored = std::min(view.explored, 0.999);
  launch_.on_progress(*shown_);
}

void Watcher::tell_refusals(const View& view) {
  for (const auto& [worker, why] : view.refusals) {
    if (refused_.insert(worker).second) options_.say("worker " + worker + ": " + why);
  }
}

void Watcher::tell_loneliness(const View& view) {
  if (view.slots > 0) {
    lonely_since_.reset();
  } else if (!lonely_since_) {
    lonely_since_ = Clock::now();
  } else if (!told_lonely_ && Clock::now() - *lonely_since_ > for_workers) {
    told_lonely_ = true;
    options_.say("there are no workers; start some: " + options_.command + " work " +
                 options_.address.shown() + " --jobs 2");
  }
}

/// No more tasks are handed out. Those at work tell what they have done.
void Watcher::stop() {
  last_words_ = Clock::now() + for_last_words;
  try {
    store_.stop(id_);
    while (!is_past(last_words_) && threads::CountInterrupts::count() < 2) {
      const std::optional<View> view = store_.view(id_);
      if (!view || !view->is_known()) return;
      seen_ = *view;
      if (seen_.running == 0) return;
      std::this_thread::sleep_for(between_looks / 4);
    }
  } catch (const ConnectionLost&) {
    notes_.emplace_back("the server did not answer: workers may still be at it");
  }
}

void Watcher::forget() {
  last_words_ = Clock::now() + for_last_words;
  try {
    (void)store_.remove(id_, "told");
  } catch (const std::exception&) {  // it stays there, and the same command will find its end again
    options_.say("search " + id_ + " could not be removed from " + options_.address.shown());
  }
  id_.clear();
}

Supervised Watcher::alone(std::vector<std::string> notes) {
  ended_ = true;
  Supervised supervised = supervise(launch_);
  supervised.notes.insert(supervised.notes.end(), notes.begin(), notes.end());
  return supervised;
}

void Watcher::take_over_end(LaunchResult& result) {
  const std::optional<std::string> ending = store_.field(id_, "decision");
  if (!ending) {
    result.reply.complete = true;
    result.reply.stopped = Stop::none;
    return;
  }
  LaunchResult decided = ending_from_text(*ending);
  decided.reply.modules = std::move(result.reply.modules);
  decided.reply.memory = result.reply.memory;
  decided.reply.refinement = std::move(result.reply.refinement);
  decided.seconds = result.seconds;
  result = std::move(decided);
}

void Watcher::take_over_whole(LaunchResult& result) {
  Numbers whole = seen_.numbers;
  if (!seen_.is_known()) whole = numbers_of(result.reply, {});
  try {
    if (seen_.findings > 0) whole.findings = store_.findings(id_);
  } catch (const ConnectionLost&) {
    if (result.reply.complete) throw;
    notes_.push_back(plural(seen_.findings, "finding") + " could not be fetched from the server");
  }
  take_over(whole, result.reply);
  result.statistics = result.reply.statistics;
  result.seconds = result.reply.seconds =
      std::max(seen_.seconds, std::chrono::duration<double>(Clock::now() - begun_).count());
  retell(launch_, result.reply, notes_);
}

Supervised Watcher::conclude(Why why) {
  Supervised supervised = first_;
  LaunchResult& result = supervised.last;
  result.by_time = result.by_user = false;
  result.reply.complete = false;
  const std::string kept = "the search stays on the server: the same command goes on with it, `" +
                           options_.command + " cancel " + options_.address.shown() + " " + id_ +
                           "` removes it";
  if (why == Why::user || why == Why::time || why == Why::executions) {
    stop();
    if (seen_.state == "over") {
      why = Why::over;
    } else {
      notes_.push_back(kept);
    }
  }
  switch (why) {
    case Why::user:
      result.reply.stopped = Stop::interrupted;
      result.by_user = true;
      break;
    case Why::time: result.reply.stopped = Stop::max_seconds; break;
    case Why::executions: result.reply.stopped = Stop::max_executions; break;
    case Why::cancelled: throw threads::InputError("the search " + id_ + " was cancelled");
    case Why::told:
      throw threads::InputError("the search " + id_ +
                                " has come to its end, and was told to another run of this check");
    default: break;
  }
  try {
    if (why == Why::over) {
      take_over_end(result);
      ended_ = true;
      if (result.reply.must_begin_anew || result.reply.stopped == Stop::cut) {
        return alone(
            {"something was learnt of the program that changes its steps: the search "
             "began anew, in one process"});
      }
    }
    take_over_whole(result);
  } catch (const ConnectionLost& lost) {
    ended_ = false;
    throw threads::InputError(lost.what());
  }
  supervised.notes = std::move(notes_);
  return supervised;
}

}  // namespace

std::unique_ptr<threads::Elsewhere> watch_cluster(WatchOptions options) {
  return std::make_unique<Watcher>(std::move(options));
}

}  // namespace mazurka::cluster
