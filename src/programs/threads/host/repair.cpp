#include "programs/threads/host/repair.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "host/interrupts.hpp"
#include "host/supervisor.hpp"
#include "programs/threads/host/order_knobs.hpp"
#include "programs/threads/host/storyteller.hpp"
#include "programs/threads/host/verdict.hpp"

namespace mazurka::threads {
using namespace host;

namespace {

using Clock = std::chrono::steady_clock;

/// The user, or the time, has put an end to it.
struct Ended {
  std::string why;
};

enum class Answer : std::uint8_t { verified, sequential, bounded, finding, open };

struct Tried {
  Answer answer = Answer::open;
  std::string why;  // what was found, or why nothing is known
  Reply reply;
};

/// Explores the program with other orders than its own.
class Candidates {
 public:
  Candidates(const Launch& launch, const Reply& found,
             const std::function<void(std::uint64_t)>& on_candidate)
      : launch_(launch), on_candidate_(on_candidate) {
    Request& request = launch_.request;
    request.checks.memory = found.memory;
    request.limits.keep_going = false;
    request.limits.reserved_seconds = 0;
    request.shorten = request.tree = request.measure_replay = request.probes = false;
    request.save_file.clear();
    request.certificate.clear();
    request.resume_file.clear();
    request.crashing.clear();
    launch_.discard_output = true;
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }

  /// With every order as strong as it can be: memory is sequentially consistent then.
  Tried strongest() {
    Launch launch = launch_;
    launch.request.checks.memory = MemoryModel::sc;
    launch.request.orders = {.collect = true, .strongest = true, .changes = {}};
    return explore(launch);
  }
  Tried with(std::vector<OrderChange> changes) {
    Launch launch = launch_;
    launch.request.orders.changes = std::move(changes);
    return explore(launch);
  }

 private:
  Tried explore(const Launch& launch) {
    stop_if_asked();
    on_candidate_(++count_);
    const Supervised supervised = supervise(launch);
    stop_if_asked();
    Tried tried;
    const LaunchResult& result = supervised.last;
    tried.reply = result.reply;
    if (result.fate != Fate::replied) {
      tried.why = "the process that explores died";
    } else if (!tried.reply.error.empty()) {
      tried.why = tried.reply.error;
    } else {
      judge_reply(launch.request, tried);
    }
    return tried;
  }

  static void judge_reply(const Request& request, Tried& tried) {
    const Reply& reply = tried.reply;
    const Symbols symbols(reply.modules);
    if (!reply.findings.empty()) {
      tried.answer = Answer::finding;
      Finding finding = reply.findings.front().finding;
      (void)Storyteller(symbols, reply.findings.front().story).tell(&finding, std::nullopt);
      tried.why = std::string(name(finding.kind)) + ": " + finding.message;
      return;
    }
    Outcome outcome;
    judge(reply, request, symbols, outcome);
    const Statistics& counts = reply.statistics;
    const bool whole = reply.complete && counts.cut == 0 && counts.stalled == 0;
    if (outcome.verdict == Verdict::verified) {
      tried.answer = outcome.sequential ? Answer::sequential : Answer::verified;
    } else if (outcome.verdict == Verdict::inconclusive && whole && counts.skipped > 0) {
      tried.answer = Answer::bounded;
    }
    tried.why = outcome.reason;
  }

  void stop_if_asked() const {
    if (CountInterrupts::count() > 0) throw Ended{interrupted_in_words()};
    if (launch_.deadline && Clock::now() >= *launch_.deadline) throw Ended{"--max-time is over"};
  }

  Launch launch_;
  const std::function<void(std::uint64_t)>& on_candidate_;
  std::uint64_t count_ = 0;
};

/// Looks for the weakest orders that help.
class OrderSearch {
 public:
  using Levels = std::vector<MemoryOrder>;  // by knob
  using Set = std::vector<std::size_t>;     // of knobs

  OrderSearch(Candidates& candidates, const std::vector<OrderKnob>& knobs)
      : candidates_(candidates), knobs_(knobs) {}

  /// Whether there are any. If it throws Ended, some may be known all the same.
  bool search() {
    Levels synchronising;
    Set all;
    for (const OrderKnob& knob : knobs_) {
      all.push_back(all.size());
      synchronising.push_back(knob.synchronising());
    }
    Levels top = synchronising;
    if (!helps(top)) {
      top.assign(knobs_.size(), MemoryOrder::sequentially_consistent);
      if (!helps(top)) return false;
      keep_needed(all, synchronising, top);
    }
    Levels said = top;
    for (const std::size_t at : all) {
      if (top[at] == synchronising[at]) said[at] = knobs_[at].said;
    }
    keep_needed(all, said, top);
    for (const std::size_t at : all) weaken_by_half(at, top);
    return helps(top);
  }

  [[nodiscard]] const std::optional<Levels>& best() const { return best_; }
  /// What is known of the best.
  [[nodiscard]] RepairResult result() const {
    if (answer_ == Answer::bounded) return RepairResult::bounded;
    return answer_ == Answer::sequential ? RepairResult::sequential : RepairResult::verified;
  }
  /// Why a candidate may help though it is not known to; empty: there is no such one.
  [[nodiscard]] const std::string& doubt() const { return doubt_; }

 private:
  bool helps(const Levels& levels) {
    if (const auto known = known_.find(levels); known != known_.end()) return known->second;
    std::vector<OrderChange> changes;
    for (std::size_t at = 0; at < knobs_.size(); ++at) add_changes(knobs_[at], levels[at], changes);
    if (changes.empty()) return known_[levels] = false;  // that is where the finding came from
    const Tried tried = candidates_.with(std::move(changes));
    const bool good = tried.answer != Answer::finding && tried.answer != Answer::open;
    if (tried.answer == Answer::open) doubt_ = tried.why;
    if (good && (!best_ || weight(levels) < weight(*best_))) {
      best_ = levels;
      answer_ = tried.answer;
    }
    return known_[levels] = good;
  }

  [[nodiscard]] std::size_t weight(const Levels& levels) const {
    std::size_t sum = 0;
    for (std::size_t at = 0; at < levels.size(); ++at) {
      constexpr std::size_t changed = 10;
      if (levels[at] != knobs_[at].said) sum += changed + static_cast<std::size_t>(levels[at]);
    }
    return sum;
  }

  /// Lowers in `levels`, which help, as many of them as can be.
  void keep_needed(const Set& all, const Levels& low, Levels& levels) {
    Set open;
    for (const std::size_t at : all) {
      if (low[at] != levels[at]) open.push_back(at);
    }
    if (open.empty()) return;
    const Set kept = needed({}, true, open, low, levels);
    Levels result = low;
    for (const std::size_t at : kept) result[at] = levels[at];
    levels = result;
  }

  /// Those of `open` that must stay high if all of `kept` do. If all of both do it helps.
  Set needed(const Set& kept, bool is_new, const Set& open, const Levels& low, const Levels& high) {
    if (is_new) {
      Levels levels = low;
      for (const std::size_t at : kept) levels[at] = high[at];
      if (helps(levels)) return {};
    }
    if (open.size() == 1) return open;
    const auto middle = open.begin() + static_cast<std::ptrdiff_t>(open.size() / 2);
    const Set first(open.begin(), middle);
    const Set second(middle, open.end());
    const Set of_second = needed(joined(kept, first), true, second, low, high);
    const Set of_first = needed(joined(kept, of_second), !of_second.empty(), first, low, high);
    return joined(of_first, of_second);
  }

  static Set joined(Set one, const Set& other) {
    one.insert(one.end(), other.begin(), other.end());
    return one;
  }

  void weaken_by_half(std::size_t at, Levels& levels) {
    if (levels[at] != knobs_[at].synchronising()) return;
    for (const MemoryOrder half : knobs_[at].between()) {
      Levels weaker = levels;
      weaker[at] = half;
      if (!helps(weaker)) continue;
      levels = weaker;
      return;
    }
  }

  Candidates& candidates_;
  const std::vector<OrderKnob>& knobs_;
  std::map<Levels, bool> known_;
  std::optional<Levels> best_;
  Answer answer_ = Answer::open;
  std::string doubt_;
};

std::string why_none(const Tried& strongest, const Reply& found) {
  const std::vector<RawFinding>& left = strongest.reply.findings;
  const bool same = !left.empty() && !found.findings.empty() &&
                    left.front().finding.kind == found.findings.front().finding.kind &&
                    left.front().finding.key == found.findings.front().finding.key;
  return same ? "it happens with every order seq_cst, too"
              : "with every order seq_cst there is a finding, too (" + strongest.why + ")";
}

void take_over(const OrderSearch& search, const std::vector<OrderKnob>& knobs, Repair& repair) {
  if (!search.best()) return;
  repair.result = search.result();
  for (std::size_t at = 0; at < knobs.size(); ++at) {
    const MemoryOrder order = (*search.best())[at];
    if (order != knobs[at].said) repair.changes.push_back(in_words(knobs[at], order, knobs));
  }
}

void look_for_orders(Candidates& candidates, const Reply& found, Repair& repair) {
  const Tried strongest = candidates.strongest();
  if (strongest.answer == Answer::finding) {
    repair.result = RepairResult::none;
    repair.reason = why_none(strongest, found);
    return;
  }
  if (strongest.answer == Answer::open) {
    repair.reason = "with every order seq_cst the search came to no end: " + strongest.why;
    return;
  }
  const Symbols symbols(strongest.reply.modules);
  const std::vector<OrderKnob> knobs = knobs_of(symbols, strongest.reply.sites);
  OrderSearch search(candidates, knobs);
  try {
    repair.minimal = search.search() && search.doubt().empty();
    if (!search.doubt().empty()) {
      repair.reason = "the search of a candidate came to no end: " + search.doubt();
    } else if (!search.best()) {
      repair.result = RepairResult::none;
      repair.reason = "it would help only if code that is not the program's had stronger orders";
    }
  } catch (const Ended& ended) {
    repair.reason = ended.why;
  }
  take_over(search, knobs, repair);
}

}  // namespace

Repair repair(const Launch& launch, const Reply& found,
              const std::function<void(std::uint64_t)>& on_candidate) {
  const Clock::time_point begun = Clock::now();
  Repair repair;
  repair.result = RepairResult::unknown;
  Candidates candidates(launch, found, on_candidate);
  try {
    look_for_orders(candidates, found, repair);
  } catch (const Ended& ended) {
    repair.reason = ended.why;
  }
  repair.candidates = candidates.count();
  repair.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  return repair;
}

}  // namespace mazurka::threads
