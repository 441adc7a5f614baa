#include "host/jobs.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "driver/explored.hpp"
#include "host/divided.hpp"
#include "host/interrupts.hpp"
#include "host/replies.hpp"
#include "host/slice.hpp"

namespace mazurka::host {

namespace {

using Clock = std::chrono::steady_clock;

// Executions that one process may perform when there is a limit, at least.
constexpr std::uint64_t least_budget = 64;

class Jobs {
 public:
  Jobs(const Launch& launch, const Processes& processes)
      : launch_(launch),
        count_(processes.most),
        slice_(processes.slice),
        first_slice_(processes.at_once ? short_slice : usual_slice),
        live_(count_),
        left_(launch.request.limits.max_executions) {
    if (!launch_.deadline && launch_.request.limits.max_seconds > 0) {
      launch_.deadline =
          begun_ + std::chrono::duration_cast<Clock::duration>(
                       std::chrono::duration<double>(launch_.request.limits.max_seconds));
    }
    begin();
  }

  Supervised run() {
    const CountInterrupts counting;
    std::vector<std::thread> threads;
    for (unsigned at = 0; at < count_; ++at) {
      threads.emplace_back([this, at] { work(at); });
    }
    for (std::thread& one : threads) one.join();
    if (problem_) std::rethrow_exception(problem_);
    if (over_ || !queue_.empty()) save();
    return must_begin_anew_ ? alone() : conclude();
  }

 private:
  // With all of it, with what one process has saved, or with what several have.
  void begin() {
    const std::string& file = launch_.request.resume_file;
    if (file.empty() || !is_divided(file)) {
      queue_.push_back(
          {.rest = file.empty() ? nullptr : std::make_shared<SavedRest>(file, SavedRest::kept)});
      return;
    }
    DividedExploration saved = load_divided(file, folder_);
    launch_.request.resume_file.clear();
    queue_.assign(saved.parts.begin(), saved.parts.end());
    next_ = queue_.size();
    total_ = saved.reply.statistics;
    seconds_before_ = saved.reply.seconds;
    left_ -= std::min(left_, total_.begun());
    notes_ = std::move(saved.notes);
    result_.reply = std::move(saved.reply);
  }

  void save() {
    next_save_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                    std::chrono::duration<double>(launch_.request.save_seconds));
    if (launch_.request.save_file.empty() || must_begin_anew_) return;
    DividedExploration all;
    all.parts.assign(queue_.begin(), queue_.end());
    for (const std::optional<Part>& one : with_jobs_) {
      if (one) all.parts.push_back(*one);
    }
    if (all.parts.empty() || !can_be_saved(all.parts)) return;
    all.reply = result_.reply;
    all.reply.statistics = total_;
    all.reply.seconds = seconds();
    all.notes = notes_;
    const int failure = save_divided(launch_.request.save_file, launch_.request.save_about, all);
    if (failure != 0) {
      add_unknown(notes_, {"the exploration could not be saved to " + launch_.request.save_file +
                           ": " + std::strerror(failure)});
    }
  }

  [[nodiscard]] double seconds() const {
    return seconds_before_ + std::chrono::duration<double>(Clock::now() - begun_).count();
  }

  void work(unsigned job) {
    while (std::optional<Part> part = take(job)) {
      const std::filesystem::path file = name_of_next();
      try {
        Supervised done = supervise(launch_for(*part, job, file));
        give(job, *part, std::make_shared<SavedRest>(file), std::move(done));
      } catch (...) {
        const std::lock_guard guard(mutex_);
        if (!problem_) problem_ = std::current_exception();
        end();
      }
    }
  }

  std::filesystem::path name_of_next() {
    const std::lock_guard guard(mutex_);
    return folder_ / std::to_string(next_++);
  }

  /// The next part; none when there is nothing more to do.
  std::optional<Part> take(unsigned job) {
    std::unique_lock lock(mutex_);
    const auto can_begin = [this] { return !queue_.empty() && (!is_limited() || left_ > 0); };
    changed_.wait(lock, [&] { return over_ || can_begin() || at_work_ == 0; });
    if (over_ || !can_begin()) {
      changed_.notify_all();
      return std::nullopt;
    }
    Part part = std::move(queue_.front());
    queue_.pop_front();
    ++at_work_;
    part.budget = budget_of(part);
    MAZURKA_CHECK(!with_jobs_[job] && at_work_ <= count_, "a job takes one part at a time");
    MAZURKA_CHECK(!is_limited() || part.budget <= left_, "no more is handed out than is allowed");
    if (is_limited()) left_ -= part.budget;
    with_jobs_[job] = part;
    return part;
  }

  [[nodiscard]] std::uint64_t budget_of(const Part& part) const {
    // What goes on with what one process has done counts that, too.
    if (part.is_whole() && part.rest) return is_limited() ? left_ : 0;
    if (!is_limited()) return slice_;
    if (slice_ != 0) return std::min(left_, slice_);
    return part.is_whole() ? left_ : std::min(left_, std::max(least_budget, left_ / (2 * count_)));
  }

  [[nodiscard]] bool is_limited() const { return launch_.request.limits.max_executions != 0; }

  Launch launch_for(const Part& part, unsigned job, const std::filesystem::path& file) {
    Launch launch =
        launch_of({.from = part.rest ? part.rest->file() : "",
                   .part = part.number,
                   .parts = part.parts,
                   .to = file,
                   .budget = part.budget,
                   .time = after_losses(part.is_whole() ? first_slice_ : usual_slice, part.losses)},
                  launch_);
    launch.request.compares_uses = launch_.on_uses != nullptr;
    if (launch_.on_race) {
      launch.on_race = [this](const RaceQuestion& question) {
        const std::lock_guard guard(answering_);
        return launch_.on_race(question);
      };
    }
    // What one process does before the others help has its own length (first_slice_).
    launch.wants_end = [this, yields = !part.is_whole(),
                        at_it = std::optional<Clock::time_point>{}](const Progress& now) mutable {
      if (!at_it && now.executions > 0) at_it = Clock::now();
      const bool was_long = at_it && Clock::now() - *at_it >= short_slice;
      return over_ || (yields && was_long && somebody_is_idle());
    };
    if (launch_.on_progress) {
      launch.on_progress = [this, job](const Progress& progress) { show(job, progress); };
    }
    return launch;
  }

  /// And there is no part that is not begun: whoever is at work should hand some of it over.
  [[nodiscard]] bool somebody_is_idle() {
    const std::lock_guard guard(mutex_);
    return count_ > at_work_ + queue_.size() && (!is_limited() || left_ > 0);
  }

  void show(unsigned job, const Progress& progress) {
    const std::lock_guard guard(mutex_);
    live_[job] = {};
    live_[job].executions = progress.executions;
    live_[job].asleep = progress.asleep;
    live_[job].events = progress.events;
    Statistics sum = total_;
    for (const Statistics& one : live_) sum.add(one);
    shown_->executions = sum.executions;
    shown_->asleep = sum.asleep;
    shown_->events = sum.events;
    shown_->depth = progress.depth.load();
    launch_.on_progress(*shown_);
  }

  /// What has become of a part.
  void give(unsigned job, Part part, const std::shared_ptr<const SavedRest>& rest,
            Supervised done) {
    const std::lock_guard guard(mutex_);
    MAZURKA_CHECK(at_work_ > 0 && with_jobs_[job], "a part is given back by who has it");
    --at_work_;
    with_jobs_[job].reset();
    live_[job] = {};
    LaunchResult& result = done.last;
    add_unknown(notes_, done.notes);
    if (result.fate != Fate::replied || is_rest_lost(result.reply)) {
      if (is_limited()) left_ += part.budget;
      give_back(std::move(part), result);
    } else {
      if (is_limited())
        left_ += part.budget - std::min(part.budget, result.reply.statistics.begun());
      // It goes on with what one process has done.
      if (part.is_whole()) seconds_before_ = std::max(0.0, result.reply.seconds - result.seconds);
      take_in(result, rest);
    }
    if (Clock::now() >= next_save_) save();
    changed_.notify_all();
  }

  // It has told nothing, so nothing of it was counted.
  void give_back(Part part, LaunchResult& result) {
    const bool gives_up = result.by_user || result.by_memory || ++part.losses > most_losses;
    queue_.push_back(std::move(part));
    if (over_ || !(gives_up || is_past_deadline())) return;
    Reply known = std::move(result_.reply);
    result_ = result;
    if (result_.reply.findings.empty()) result_.reply = std::move(known);
    if (result.fate == Fate::replied && !result.by_user && !result.by_memory &&
        !is_past_deadline()) {
      result_.reply.stopped = Stop::rest_lost;
    }
    was_lost_ = true;
    end();
  }

  void take_in(LaunchResult& result, const std::shared_ptr<const SavedRest>& rest) {
    Reply& reply = result.reply;
    total_.add(reply.statistics);
    if (launch_.on_uses && launch_.on_uses(reply.uses)) reply.must_begin_anew = true;
    reply.uses.clear();
    // A search that is cut because the program goes on and on is over, and other things are tried.
    if (reply.must_begin_anew || reply.stopped == Stop::cut) must_begin_anew_ = true;
    if (reply.must_begin_anew) {
      add_unknown(notes_, {"something was learnt of the program that changes its steps: the search "
                           "began anew, in one process"});
    }
    const bool decides = !reply.error.empty() || !reply.divergence.empty() ||
                         (!reply.complete && !could_go_on(reply.stopped));
    const bool asked = result.by_user || result.by_memory || is_past_deadline();
    const bool goes_on = !reply.complete && !decides;
    merge(reply, result, decides || (asked && goes_on));
    if (goes_on) share_out(rest, reply.rest.tasks);
    if (must_begin_anew_ || decides || (asked && goes_on)) end();
  }

  void merge(Reply& reply, const LaunchResult& result, bool decides) {
    std::vector<RawFinding> findings = std::move(result_.reply.findings);
    add_findings(findings, reply.findings, launch_.request.limits.keep_going);
    reply.peak_memory = std::max(reply.peak_memory, result_.reply.peak_memory);
    add_grounds(reply.grounds, result_.reply.grounds);
    add_unknown(reply.notes, result_.reply.notes);
    add_refinement(reply.refinement, result_.reply.refinement);
    add_accepted(reply.accepted, result_.reply.accepted);
    if (reply.profile.executions == 0) reply.profile = result_.reply.profile;
    if (reply.left_waiting.waiting.empty()) reply.left_waiting = result_.reply.left_waiting;
    if (!over_ && (decides || !decided_)) {
      decided_ = decides;
      Reply merged = std::move(reply);
      result_ = result;
      result_.reply = std::move(merged);
    } else {  // it was asked to stop: why is known already, but for an error, which nothing
              // outweighs
      if (result_.reply.error.empty()) result_.reply.error = reply.error;
      result_.reply.grounds = reply.grounds;
      result_.reply.notes = reply.notes;
      result_.reply.refinement = reply.refinement;
      result_.reply.accepted = reply.accepted;
      result_.reply.left_waiting = std::move(reply.left_waiting);
    }
    result_.reply.findings = std::move(findings);
  }

  // As many parts as there are processes without work.
  void share_out(const std::shared_ptr<const SavedRest>& rest, std::uint64_t tasks) {
    const std::size_t busy = at_work_ + queue_.size();
    const std::uint64_t wanted = busy >= count_ ? 1 : count_ - busy;
    const auto parts = static_cast<std::uint32_t>(std::min(wanted, tasks));
    MAZURKA_CHECK(tasks == 0 || parts > 0, "what is left is shared out");
    for (std::uint32_t number = 0; number < parts; ++number) {
      queue_.push_back({.rest = rest, .number = number, .parts = parts});
    }
  }

  [[nodiscard]] bool is_past_deadline() const {
    return launch_.deadline && Clock::now() >= *launch_.deadline;
  }

  void end() {
    over_ = true;
    changed_.notify_all();
  }

  // All that was explored is void, or of no use.
  Supervised alone() {
    Supervised supervised = supervise(launch_);
    add_unknown(supervised.notes, notes_);
    return supervised;
  }

  Supervised conclude() {
    Supervised supervised;
    Reply& reply = result_.reply;
    MAZURKA_CHECK(at_work_ == 0, "a search is over when nobody is at work any more");
    reply.statistics = total_;
    reply.seconds = seconds();
    sort_findings(reply.findings);
    if (!over_) {
      reply.complete = queue_.empty() && reply.error.empty();
      MAZURKA_CHECK(!reply.complete || total_.begun() > 0, "a complete search has an execution");
      reply.stopped = reply.complete ? Stop::none : Stop::max_executions;
      if (!reply.complete) result_.by_time = false;
    } else if (decided_ && reply.stopped == Stop::interrupted && is_past_deadline() &&
               !result_.by_user) {
      reply.stopped = Stop::max_seconds;
    }
    result_.seconds = reply.seconds;
    result_.statistics = total_;
    if (was_lost_) result_.reply.complete = false;
    supervised.last = std::move(result_);
    supervised.notes = std::move(notes_);
    return supervised;
  }

  Launch launch_;
  const unsigned count_;
  const std::uint64_t slice_;                    // executions; 0: as many as time allows
  const std::chrono::milliseconds first_slice_;  // of one process, before others help
  double seconds_before_ = 0;                    // of the runs that this one goes on with
  const Clock::time_point begun_ = Clock::now();
  SliceFolder folder_;
  std::unique_ptr<Progress> shown_ = std::make_unique<Progress>();

  std::mutex answering_;  // questions about races
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Part> queue_;
  std::vector<std::optional<Part>> with_jobs_{count_};  // what each is at
  Clock::time_point next_save_ = begun_;
  std::size_t at_work_ = 0;
  std::size_t next_ = 0;
  std::atomic<bool> over_{false};
  std::vector<Statistics> live_;  // per job, of what is not counted yet
  std::uint64_t left_;            // executions, of those allowed
  Statistics total_;
  LaunchResult result_;
  bool decided_ = false;
  bool was_lost_ = false;
  bool must_begin_anew_ = false;
  std::vector<std::string> notes_;
  std::exception_ptr problem_;
};

}  // namespace

Supervised supervise_jobs(const Launch& launch, const Processes& processes) {
  const std::string& file = launch.request.resume_file;
  const bool alone = processes.most <= 1 && (file.empty() || !is_divided(file));
  return alone ? supervise(launch) : Jobs(launch, processes).run();
}

}  // namespace mazurka::host
