#include "cluster/watcher.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/beginning.hpp"
#include "cluster/description.hpp"
#include "cluster/ending.hpp"
#include "cluster/kinship.hpp"
#include "cluster/onlooker.hpp"
#include "cluster/retelling.hpp"
#include "cluster/store.hpp"
#include "core/check.hpp"
#include "core/shown_text.hpp"
#include "host/files.hpp"
#include "host/interrupts.hpp"
#include "host/slice.hpp"
#include "host/wire.hpp"

namespace mazurka::cluster {

namespace {

using Clock = std::chrono::steady_clock;
using host::Launch;
using host::LaunchResult;
using host::Reply;
using host::Supervised;

constexpr std::chrono::milliseconds between_looks{200};
constexpr std::chrono::seconds to_begin{10};       // with a server that does not answer
constexpr unsigned most_beginnings = 3;            // of a search that the server forgets
constexpr std::chrono::seconds for_last_words{4};  // of workers, when the search is stopped

class Watcher final : public host::Elsewhere {
 public:
  explicit Watcher(WatchOptions options)
      : options_(std::move(options)),
        store_(options_.address,
               {[this] { return gives_up(); },
                [this](const std::string& why) { options_.say(why + ": trying again"); }}),
        onlooker_(options_.command + " work " + options_.address.shown() + " --jobs 2",
                  options_.say) {}

  Supervised explore(const Launch& launch, const std::string& name) override;
  void told() override {
    if (ended_ && !id_.empty()) forget();
  }

 private:
  enum class Why { not_yet, over, user, time, executions, cancelled, told };

  [[nodiscard]] bool gives_up() const {
    if (host::CountInterrupts::count() > (last_words_ ? 1 : 0)) return true;
    if (last_words_) return is_past(last_words_);
    return is_past(deadline_) || (!reached_ && is_past(begun_ + to_begin));
  }
  [[nodiscard]] static bool is_past(const std::optional<Clock::time_point>& end) {
    return end && Clock::now() >= *end;
  }

  void set_deadline(const Launch& launch);
  [[nodiscard]] Supervised explore_there();
  [[nodiscard]] bool attach();
  [[nodiscard]] std::optional<View> known_search();
  void put();
  [[nodiscard]] Why watch();
  [[nodiscard]] Why look();
  void begin_anew();
  void stop();
  void forget();
  void clear_away(const Damaged& damage);
  void see_whole(bool over);
  void leave(Why why, LaunchResult& result);
  [[nodiscard]] Supervised conclude(Why why);
  void take_over_end(LaunchResult& result);
  void take_over_whole(LaunchResult& result);
  [[nodiscard]] Supervised alone(std::vector<std::string> notes);
  [[nodiscard]] std::string how_to_cancel() const {
    return options_.command + " cancel " + options_.address.shown() + " " + id_;
  }

  WatchOptions options_;
  Store store_;
  const Clock::time_point begun_ = Clock::now();
  Launch launch_;
  std::string name_;
  std::string id_;
  host::SliceFolder folder_;
  Beginning begun_with_;
  unsigned begun_anew_ = 0;  // so often
  bool reached_ = false;
  bool ended_ = false;
  std::optional<Clock::time_point> deadline_;
  std::optional<Clock::time_point> last_words_;  // until then a server that is gone is tried
  View seen_;                                    // the latest
  Onlooker onlooker_;
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
  const host::CountInterrupts counting;
  set_deadline(launch);
  name_ = name + "-" + host::hash_text(host::hash(user_name() + "@" + host_name())).substr(0, 4);
  try {
    return explore_there();
  } catch (const ConnectionLost& lost) {
    ended_ = false;
    throw host::InputError(lost.what());
  } catch (const Damaged& damage) {
    clear_away(damage);
    throw host::InputError(std::string(damage.what()) +
                           "; the search is removed: the same command begins it anew");
  }
}

Supervised Watcher::explore_there() {
  const bool known = attach();
  if (const std::string warning = store_.warning(); !warning.empty()) options_.say(warning);
  reached_ = true;
  // For a search that is there already, to know what the program has loaded.
  begun_with_ = begin(launch_, folder_ / "first");
  if (!known) {
    const Reply& reply = begun_with_.first.last.reply;
    if (reply.must_begin_anew || reply.stopped == Stop::cut) return alone({});
    if (is_all(begun_with_, launch_)) return begun_with_.first;
    if (host::is_rest_lost(reply)) {
      throw host::InputError("what is left of the search can not be saved in " +
                             std::filesystem::temp_directory_path().string());
    }
    put();
  }
  return conclude(watch());
}

/// One that is damaged is of use to nobody.
std::optional<View> Watcher::known_search() {
  const std::optional<std::string> id = store_.current(name_);
  if (!id) return std::nullopt;
  id_ = *id;
  try {
    std::optional<View> view = store_.view(id_);
    return view && view->is_known() ? view : std::nullopt;
  } catch (const Damaged& damage) {
    options_.say(std::string(damage.what()) + "; it is removed, and begins anew");
    clear_away(damage);
    return std::nullopt;
  }
}

/// Whether there is such a search already: it goes on.
bool Watcher::attach() {
  const std::optional<View> view = known_search();
  if (!view) return false;
  const Description about = description_from(view->about);
  const std::string differs = difference(about.kinship, kinship(about.of_mpi));
  if (!differs.empty()) {
    throw host::InputError("the search " + id_ + " on " + options_.address.shown() +
                           " was begun by another Mazurka (" + differs +
                           "); cancel it: " + how_to_cancel());
  }
  const std::optional<std::uint64_t> most = executions_of(launch_);
  if (view->state == "stopped" || most || view->left) store_.go_on(id_, most);
  options_.say("search " + id_ + " is on " + options_.address.shown() + " already: it goes on");
  return true;
}

void Watcher::put() {
  MAZURKA_CHECK(!begun_with_.rest.empty(),
                "a search is put where others find it if something is left");
  const std::string program = host::read_text(launch_.binary);
  const NewSearch search = new_search(name_, options_.shown, launch_, begun_with_, program);
  store_.put(search, program);
  id_ = search.id;
  options_.say("search " + id_ + " is on " + options_.address.shown());
}

Watcher::Why Watcher::watch() {
  for (;;) {
    if (host::CountInterrupts::count() > 0) return Why::user;
    if (is_past(deadline_)) return Why::time;
    try {
      const Why why = look();
      if (why != Why::not_yet) return why;
    } catch (const ConnectionLost&) {
      if (host::CountInterrupts::count() == 0 && !is_past(deadline_)) throw;
      continue;
    }
    std::this_thread::sleep_for(between_looks);
  }
}

Watcher::Why Watcher::look() {
  const std::optional<View> view = store_.view(id_);
  if (!view) {
    begin_anew();
    return Why::not_yet;
  }
  if (const auto key = key_of_damage(view->state)) throw Damaged(options_.address, id_, *key);
  if (!view->is_known()) return view->state == "cancelled" ? Why::cancelled : Why::told;
  seen_ = *view;
  onlooker_.see(seen_, launch_.on_progress);
  if (seen_.state == "over") return Why::over;
  if (seen_.left && *seen_.left <= 0 && seen_.lent == 0) return Why::executions;
  return Why::not_yet;
}

/// The server was started again without its memory; one that forgets again and again never helps.
void Watcher::begin_anew() {
  if (begun_with_.rest.empty() || ++begun_anew_ > most_beginnings) {
    throw Damaged(options_.address, id_, Store::key_of(id_));
  }
  notes_.emplace_back("the server has lost the search: it began anew");
  store_.clear_away(id_, "told");
  seen_ = {};
  put();
}

/// No more tasks are handed out. Those at work tell what they have done.
void Watcher::stop() {
  last_words_ = Clock::now() + for_last_words;
  try {
    store_.stop(id_);
    while (!is_past(last_words_) && host::CountInterrupts::count() < 2) {
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

void Watcher::clear_away(const Damaged& damage) {
  last_words_ = Clock::now() + for_last_words;
  try {
    store_.clear_away(id_, damaged_state(damage.key()));
  } catch (const std::exception&) {  // the same command will find that it is damaged
    options_.say("search " + id_ + " could not be removed from " + options_.address.shown());
  }
  last_words_.reset();
  id_.clear();
}

Supervised Watcher::alone(std::vector<std::string> notes) {
  ended_ = true;
  Supervised supervised = supervise(launch_);
  supervised.notes.insert(supervised.notes.end(), notes.begin(), notes.end());
  return supervised;
}

/// All that is told of the search is of one moment.
void Watcher::see_whole(bool over) {
  try {
    std::optional<View> whole = store_.whole(id_);
    if (whole && whole->is_known()) {
      seen_ = std::move(*whole);
      return;
    }
    const auto key = whole ? key_of_damage(whole->state) : std::nullopt;
    if (key) throw Damaged(options_.address, id_, *key);
  } catch (const ConnectionLost&) {
    if (over) throw;
    if (seen_.findings > 0) {
      notes_.push_back(plural(seen_.findings, "finding") + " could not be fetched from the server");
    }
    return;
  }
  throw Damaged(options_.address, id_, Store::key_of(id_));
}

void Watcher::take_over_end(LaunchResult& result) {
  MAZURKA_CHECK(seen_.state == "over", "a search has an end once it is over");
  if (!seen_.decision) {
    MAZURKA_CHECK(seen_.waiting == 0 && seen_.running == 0,
                  "a search without a decision is over when nothing is left");
    result.reply.complete = true;
    result.reply.stopped = Stop::none;
    return;
  }
  LaunchResult decided = ending_from_text(*seen_.decision);
  decided.reply.modules = std::move(result.reply.modules);
  decided.reply.memory = result.reply.memory;
  decided.reply.refinement = std::move(result.reply.refinement);
  decided.seconds = result.seconds;
  result = std::move(decided);
}

void Watcher::take_over_whole(LaunchResult& result) {
  take_over(seen_.is_known() ? seen_.numbers : numbers_of(result.reply, {}), result.reply);
  result.statistics = result.reply.statistics;
  result.seconds = result.reply.seconds =
      std::max(seen_.seconds, std::chrono::duration<double>(Clock::now() - begun_).count());
  retell(launch_, result.reply, notes_);
}

/// Why a search that is not over is left where it is.
void Watcher::leave(Why why, LaunchResult& result) {
  switch (why) {
    case Why::user:
      result.reply.stopped = Stop::interrupted;
      result.by_user = true;
      break;
    case Why::time: result.reply.stopped = Stop::max_seconds; break;
    case Why::executions: result.reply.stopped = Stop::max_executions; break;
    default: return;
  }
  const bool limited = why == Why::executions;
  notes_.push_back(std::string("the search stays on the server: the same command") +
                   (limited ? " with more executions" : "") + " goes on with it, `" +
                   how_to_cancel() + "` removes it");
}

Supervised Watcher::conclude(Why why) {
  if (why == Why::cancelled) throw host::InputError("the search " + id_ + " was cancelled");
  if (why == Why::told) {
    throw host::InputError("the search " + id_ +
                           " has come to its end, and was told to another run of this check");
  }
  if (why != Why::over) stop();
  see_whole(why == Why::over);
  const bool over = seen_.state == "over";
  // A server that was killed in between knows less than before.
  if (why == Why::over && !over) return conclude(watch());
  Supervised supervised = begun_with_.first;
  LaunchResult& result = supervised.last;
  result.by_time = result.by_user = false;
  result.reply.complete = false;
  if (over) {
    take_over_end(result);
    ended_ = true;
    if (result.reply.must_begin_anew || result.reply.stopped == Stop::cut) {
      return alone(
          {"something was learnt of the program that changes its steps: the search "
           "began anew, in one process"});
    }
  } else {
    leave(why, result);
  }
  take_over_whole(result);
  supervised.notes = std::move(notes_);
  return supervised;
}

}  // namespace

std::unique_ptr<host::Elsewhere> watch_cluster(WatchOptions options) {
  return std::make_unique<Watcher>(std::move(options));
}

}  // namespace mazurka::cluster
