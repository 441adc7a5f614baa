#include "cluster/worker.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "cluster/description.hpp"
#include "cluster/ending.hpp"
#include "cluster/kinship.hpp"
#include "cluster/store.hpp"
#include "cluster/workplace.hpp"
#include "core/check.hpp"
#include "host/files.hpp"
#include "host/interrupts.hpp"
#include "host/slice.hpp"
#include "host/supervisor.hpp"

namespace mazurka::cluster {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds between_beats{1000};
constexpr milliseconds first_pause{10};  // between two looks for work
constexpr milliseconds longest_pause{300};
constexpr milliseconds to_say_good_bye{3000};  // to a server that does not answer

/// Whether we were asked to end, and for how long we may still try to tell the server.
class Leaving {
 public:
  [[nodiscard]] bool now() const { return over_ || host::CountInterrupts::count() > 0; }
  [[nodiscard]] bool at_once() {
    if (!now()) return false;
    const Clock::rep none = 0;
    Clock::rep since = none;
    const Clock::rep present = Clock::now().time_since_epoch().count();
    if (since_.compare_exchange_strong(since, present)) since = present;
    const Clock::duration passed(present - since);
    return host::CountInterrupts::count() > 1 || passed > to_say_good_bye;
  }
  void end() { over_ = true; }

 private:
  std::atomic<bool> over_{false};
  std::atomic<Clock::rep> since_{0};
};

/// What the jobs of a worker have in common.
struct Shift {
  explicit Shift(const WorkOptions& all) : options(all), place(all) {}

  const WorkOptions& options;
  const std::string worker =
      host_name() + "-" + std::to_string(getpid()) + "-" + new_name().substr(0, 4);
  Workplace place;
  Leaving leaving;
  std::mutex mutex;
  Libraries libraries;          // under the mutex
  std::set<std::string> unfit;  // ids of searches, under the mutex
  std::exception_ptr problem;   // under the mutex
  std::atomic<std::uint64_t> tasks{0};
  std::atomic<std::uint64_t> executions{0};

  void say(const std::string& line) {
    const std::lock_guard guard(mutex);
    if (options.say) options.say(line);
  }
  [[nodiscard]] bool is_unfit_for(const std::string& id) {
    const std::lock_guard guard(mutex);
    return unfit.contains(id);
  }
  [[nodiscard]] std::string libraries_of(const std::vector<host::RawModule>& modules) {
    const std::lock_guard guard(mutex);
    return libraries.of(modules);
  }
  Connection::Patience patience(bool tells) {
    return {[this] { return leaving.at_once(); },
            [this, tells](const std::string& why) {
              if (tells) say(why + ": trying again");
            }};
  }
};

/// Takes one task after the other.
class Job {
 public:
  Job(Shift& shift, unsigned number)
      : shift_(shift),
        is_first_(number == 0),
        store_(shift.options.address, shift.patience(number == 0)),
        slot_(shift.worker + "#" + std::to_string(number)) {}

  void run() {
    if (is_first_) warn();
    Clock::time_point busy = Clock::now();
    milliseconds pause = first_pause;
    while (!shift_.leaving.now()) {
      if (work_once()) {
        busy = Clock::now();
        pause = first_pause;
        continue;
      }
      const auto& idle = shift_.options.idle;
      if (idle && Clock::now() - busy > *idle) return;
      std::uniform_int_distribution<milliseconds::rep> lot(0, pause.count());
      std::this_thread::sleep_for(pause + milliseconds(lot(chance_)));
      // The more there are that ask in vain, the less often.
      pause = std::min(
          pause * 2,
          std::max(longest_pause, milliseconds(static_cast<milliseconds::rep>(slots_) * 3 / 10)));
    }
  }

  /// Tells the server that we are at it. Called by another thread.
  void beat(Store& store) {
    std::string id;
    std::string entry;
    {
      const std::lock_guard guard(mutex_);
      id = at_work_on_;
      entry = entry_;
    }
    if (id.empty()) return;
    std::string state = "damaged";
    try {
      state = store.beat(id, slot_, entry);
    } catch (const host::InputError&) {  // something is wrong with that search
    }
    const std::lock_guard guard(mutex_);
    if (state != "running" && state != "lost" && entry == entry_) wants_end_ = true;
  }

 private:
  void warn() {
    const std::string warning = store_.warning();
    if (!warning.empty()) shift_.say(warning);
  }

  /// False: there was nothing to do.
  bool work_once() {
    std::vector<std::string> all = store_.searches();
    std::shuffle(all.begin(), all.end(), chance_);
    for (const std::string& id : all) {
      if (shift_.is_unfit_for(id)) continue;
      try {
        const std::shared_ptr<const Assignment> assignment = shift_.place.assignment(store_, id);
        if (assignment == nullptr) continue;
        const std::optional<TakenTask> task =
            store_.take(id, slot_, shift_.options.silence, &slots_);
        if (!task) continue;
        perform(*assignment, *task);
        return true;
      } catch (const ConnectionLost&) {
        throw;
      } catch (const std::exception& why) {  // what is wrong with one search ends no other
        give_up(id, why.what());
      }
    }
    return false;
  }

  void give_up(const std::string& id, const std::string& why) {
    {
      const std::lock_guard guard(shift_.mutex);
      if (!shift_.unfit.insert(id).second) return;
    }
    shift_.say("search " + id + ": " + why);
    try {
      store_.refuse(id, shift_.worker, why);
    } catch (const host::InputError&) {  // whoever watches it sees that something is wrong there
    }
  }

  void perform(const Assignment& assignment, const TakenTask& task) {
    const std::filesystem::path from = shift_.place.new_file();
    const std::filesystem::path to = shift_.place.new_file();
    begin(assignment.id, task.entry);
    const Clock::time_point begun = Clock::now();
    try {
      host::write_text(from, task.rest);
      host::Launch launch = launch_of({.from = from,
                                       .part = task.part,
                                       .parts = task.parts,
                                       .to = to,
                                       .budget = task.budget,
                                       .time = host::after_losses(task.slice, task.losses)},
                                      assignment.launch);
      launch.wants_end = [this](const host::Progress&) { return wants_end_.load(); };
      const host::Supervised done = supervise(launch);
      const auto passed = std::chrono::duration_cast<milliseconds>(Clock::now() - begun);
      tell(assignment, task, done, to, static_cast<std::uint64_t>(passed.count()));
    } catch (const Unfit&) {
      end(from, to);
      throw;
    } catch (const host::InputError&) {
      end(from, to);
      store_.release(assignment.id, task, slot_, false);
      throw;
    } catch (...) {
      end(from, to);
      throw;
    }
    end(from, to);
  }

  void tell(const Assignment& assignment, const TakenTask& task, const host::Supervised& done,
            const std::filesystem::path& rest, std::uint64_t passed) {
    const host::LaunchResult& result = done.last;
    const host::Reply& reply = result.reply;
    const bool replied = result.fate == host::Fate::replied;
    const bool lost = !replied || is_rest_lost(reply);
    if (lost && (result.by_user || wants_end_ || task.losses < host::most_losses)) {
      store_.release(assignment.id, task, slot_, !result.by_user && !wants_end_);
      return;
    }
    if (replied) {
      const std::string differs =
          difference(assignment.libraries, shift_.libraries_of(reply.modules));
      if (!differs.empty()) {
        store_.release(assignment.id, task, slot_, false);
        throw Unfit("this machine can not take part: it has another library, " + differs);
      }
    }
    Result told;
    if (lost || decides(result)) {
      host::LaunchResult ending = result;
      if (replied && lost) ending.reply.stopped = Stop::rest_lost;
      told.decision = ending_text(ending);
    }
    if (replied) {
      told.executions = reply.statistics.begun();
      told.numbers = numbers_of(reply, done.notes);
    }
    if (replied && !reply.complete && reply.rest.tasks > 0) {
      told.tasks = reply.rest.tasks;
      told.rest = host::read_text(rest);
    }
    MAZURKA_CHECK(replied || !told.decision.empty(), "a task without a reply decides the search");
    told.milliseconds = passed;
    if (!store_.finish(assignment.id, task, slot_, shift_.worker, told)) return;
    ++shift_.tasks;
    shift_.executions += told.executions;
  }

  void begin(const std::string& id, const std::string& entry) {
    const std::lock_guard guard(mutex_);
    MAZURKA_CHECK(at_work_on_.empty() && !entry.empty(), "a job is at one task at a time");
    at_work_on_ = id;
    entry_ = entry;
    wants_end_ = false;
  }

  void end(const std::filesystem::path& from, const std::filesystem::path& to) {
    {
      const std::lock_guard guard(mutex_);
      at_work_on_.clear();
      entry_.clear();
    }
    std::error_code ignored;
    std::filesystem::remove(from, ignored);
    std::filesystem::remove(to, ignored);
    std::filesystem::remove(to.string() + ".new", ignored);
  }

  Shift& shift_;
  const bool is_first_;
  Store store_;
  const std::string slot_;
  std::minstd_rand chance_{std::random_device()()};
  std::mutex mutex_;
  std::uint64_t slots_ = 0;  // of all workers, when there was nothing to do
  std::string at_work_on_;   // search, under the mutex
  std::string entry_;        // task, under the mutex
  std::atomic<bool> wants_end_{false};
};

void beat_until(const std::atomic<bool>& over, Shift& shift,
                const std::vector<std::unique_ptr<Job>>& jobs) {
  Store store(shift.options.address,
              {[&] { return over.load() || shift.leaving.at_once(); }, nullptr});
  Clock::time_point next = Clock::now() + between_beats;
  while (!over) {
    std::this_thread::sleep_for(milliseconds(20));
    if (Clock::now() < next) continue;
    next = Clock::now() + between_beats;
    try {
      for (const std::unique_ptr<Job>& job : jobs) job->beat(store);
    } catch (const std::exception&) {  // whoever has something to tell will tell that, too
      continue;
    }
  }
}

}  // namespace

void work(const WorkOptions& options) {
  const host::CountInterrupts counting;
  Shift shift(options);
  shift.say(shift.worker + " works for " + options.address.shown() + " with " +
            std::to_string(options.jobs) + (options.jobs == 1 ? " job" : " jobs"));
  std::vector<std::unique_ptr<Job>> jobs;
  for (unsigned at = 0; at < options.jobs; ++at) jobs.push_back(std::make_unique<Job>(shift, at));
  std::atomic<bool> over{false};
  std::thread beats([&] { beat_until(over, shift, jobs); });
  std::vector<std::thread> threads;
  for (const std::unique_ptr<Job>& job : jobs) {
    threads.emplace_back([&shift, &job] {
      try {
        job->run();
      } catch (const ConnectionLost&) {  // we were leaving: others will do what we had
      } catch (...) {
        const std::lock_guard guard(shift.mutex);
        if (!shift.problem) shift.problem = std::current_exception();
        shift.leaving.end();
      }
    });
  }
  for (std::thread& one : threads) one.join();
  over = true;
  beats.join();
  if (shift.problem) std::rethrow_exception(shift.problem);
  shift.say(std::to_string(shift.tasks) + " tasks, " + std::to_string(shift.executions) +
            " executions; good-bye");
}

}  // namespace mazurka::cluster
