// What the driver does not know of a native program: when a search must begin anew, what its
// verdict rests on, and how a finding is written down.
#include "programs/threads/runtime/worker.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "driver/driver.hpp"
#include "explorers/table.hpp"
#include "host/sent_files.hpp"
#include "programs/threads/runtime/certificate_scribe.hpp"
#include "programs/threads/runtime/divergence.hpp"
#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/modules.hpp"
#include "programs/threads/runtime/profile.hpp"
#include "programs/threads/runtime/retelling.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"
#include "programs/threads/runtime/tree_scribe.hpp"

namespace mazurka::threads {
using namespace host;

namespace {

constexpr double seconds_of_profile = 0.15;

/// Whether two processes touch one object in this execution.
bool interacts(const Execution& execution) {
  std::vector<ProcessId> first;  // by object
  for (std::size_t at = 0; at < execution.size(); ++at) {
    const Step step = execution.steps[at];
    for (const Access& access : step.accesses) {
      if (index(access.object) >= first.size()) first.resize(index(access.object) + 1, no_process);
      ProcessId& known = first[index(access.object)];
      if (known == no_process) known = step.process();
      if (known != step.process()) return true;
    }
  }
  return false;
}

class NativeProgram final : public Subject {
 public:
  explicit NativeProgram(const Request& request) : Subject(*runtime) {
    if (!request.certificate.empty()) scribe_.emplace(*runtime, request.technique);
  }

  /// What the search writes down, if it is asked for.
  [[nodiscard]] std::optional<CertificateScribe>& scribe() { return scribe_; }

  void performed(const Session& session, const Execution& execution) override {
    Grounds& grounds = runtime->grounds();
    grounds.interacted = grounds.interacted || interacts(execution);
    if (!runtime->must_restart()) runtime->count_accepted_races();
    if (scribe_ && !runtime->must_restart() && !failed()) scribe_->add(session, execution);
  }
  [[nodiscard]] bool must_restart() const override { return runtime->must_restart(); }
  void restarted() override {
    runtime->restarted();
    if (scribe_) scribe_->begin_anew();
  }
  void keep_knowledge() override { kept_ = runtime->learned(); }
  void put_back_knowledge() override {
    runtime->learned() = kept_;
    runtime->restarted();
  }
  [[nodiscard]] bool failed() const override { return !runtime->error().empty(); }

 private:
  Learned kept_;
  std::optional<CertificateScribe> scribe_;
};

Plan plan_of(const Request& request, const TechniqueRequest& technique, int files) {
  Plan plan;
  plan.technique = request.technique;
  plan.make = [technique] { return technique.make(); };
  plan.limits = request.limits;
  plan.limits.record_values = !request.certificate.empty();
  plan.limits.stop_when_cut = request.bound_is_default && !technique.technique->is_sample();
  plan.saving = {request.save_file, request.save_about, request.save_seconds, request.resume_file,
                 request.part,      request.parts,      request.shared};
  plan.task_log = request.task_log;
  plan.make_file = files_sent_over(files, request);
  plan.crashing = request.crashing;
  plan.hunts = request.technique_is_default && !request.limits.keep_going;
  plan.surveys = request.probes;
  plan.shortens = request.shorten;
  return plan;
}

class Worker {
 public:
  Worker(const Request& request, Progress& progress, const Channel& channel)
      : request_(request),
        progress_(progress),
        channel_(channel),
        front_(progress),
        program_(request) {}

  Reply carry_out() {
    switch (request_.task) {
      case Task::explore: explore(); break;
      case Task::replay:
      case Task::debug: replay_request(); break;
    }
    reply_.modules = loaded_modules();
    reply_.refinement = runtime->refinement();
    reply_.memory = runtime->learned().memory;
    const Contention& contention = runtime->learned().contention;
    if (request_.shared && contention.has_left_out()) reply_.uses = contention.all();
    reply_.sites = runtime->order_sites.met();
    reply_.peak_memory = peak_memory();
    return std::move(reply_);
  }

 private:
  void explore() {
    const TechniqueRequest technique = parse_technique(request_.technique);
    reply_.error = technique.error;
    if (!reply_.error.empty()) return;
    if (!request_.order.empty() || !request_.limits.sleep_sets) {
      reply_.error = "--order and --sleep-sets are for programs of actors; leave them out here";
      return;
    }
    Plan plan = plan_of(request_, technique, channel_.files);
    TreeRecorder tree;
    if (request_.tree && request_.resume_file.empty()) plan.tree = &tree;
    Driver driver(program_, front_, plan);
    const Explored explored = driver.explore();
    take_over(explored);
    write_certificate(explored, plan);
    if (explored.was_cut() && explored.findings.empty() && !runtime->abandoned() &&
        !request_.shared) {
      reply_.profile = profile_of(*runtime, driver.survey(), seconds_of_profile);
      if (reply_.profile.executions == 0) profile_without_walks(driver);
    }
    if (request_.measure_replay && reply_.error.empty()) measure(driver.sample());
    progress_.telling.store(1, std::memory_order_relaxed);
    if (!explored.findings.empty()) {
      send_draft();
      reply_.findings.clear();
      driver.tell(explored.findings,
                  [this](const Finding& finding, const std::optional<Shortened>& shortened) {
                    write_down(finding, shortened);
                  });
    }
    if (explored.findings.empty() && reply_.error.empty() && !runtime->abandoned()) {
      write_down_who_waits();
    }
    if (plan.tree != nullptr && reply_.error.empty() && !runtime->abandoned()) {
      write_down(tree.tree());
    }
  }

  /// A search that did not see everything says so, with the reason.
  void write_certificate(const Explored& explored, const Plan& plan) {
    std::optional<CertificateScribe>& scribe = program_.scribe();
    if (!scribe) return;
    const std::string bytes = scribe->finish(why_incomplete(explored));
    scribe.reset();  // what is performed from here on is beside the search
    const std::unique_ptr<NewFile> file = plan.make_file(request_.certificate);
    file->write(std::as_bytes(std::span(bytes)));
    if (const int failure = file->end(); failure != 0) {
      reply_.notes.push_back("the certificate could not be written to " + request_.certificate +
                             ": " + std::strerror(failure));
    }
  }

  [[nodiscard]] std::optional<std::string> why_incomplete(const Explored& explored) const {
    const Statistics& seen = explored.statistics;
    if (!reply_.error.empty()) return "the search ended with an error";
    if (explored.stopped == Stop::finding) {
      return "the search stopped at the first finding (--keep-going goes on)";
    }
    if (!reply_.complete || explored.must_begin_anew || explored.stopped != Stop::none) {
      return "the search did not come to its end";
    }
    const auto is_race = [](const Finding& one) { return one.kind == FindingKind::data_race; };
    if (!reply_.accepted.empty() ||
        std::any_of(explored.findings.begin(), explored.findings.end(), is_race)) {
      return "there is a data race: what a thread reads depends on more than the steps before it";
    }
    if (seen.cut > 0) return "executions reached --max-events";
    if (seen.stalled > 0) return "a thread computed without end";
    if (seen.skipped > 0) return "the technique left decisions out";
    if (!request_.crashing.empty()) return "the program crashes";
    if (!reply_.grounds.unexplored.empty()) return reply_.grounds.unexplored;
    if (!reply_.grounds.unordered.empty()) {
      return "threads use what nothing orders: " + reply_.grounds.unordered;
    }
    const MemoryModel memory = runtime->learned().memory;
    if (memory != MemoryModel::sc && memory != MemoryModel::automatic) {
      return "atomic operations have weaker orders than seq_cst (--memory sc takes them for that)";
    }
    return std::nullopt;
  }

  /// What it dies of or stands still in is not tried again for that.
  void profile_without_walks(Driver& driver) {
    const bool is_sample = technique_of(request_.technique).is_sample();
    if (is_sample || !request_.crashing.empty() || reply_.statistics.stalled > 0) return;
    constexpr std::uint64_t executions = 1000;
    program_.keep_knowledge();
    Sample sample = driver.sample_of(executions, seconds_of_profile);
    reply_.profile = profile_of(*runtime, sample);
    program_.put_back_knowledge();
  }

  void write_down_who_waits() {
    Finding end;
    end.schedule = runtime->learned().left_waiting;
    if (end.schedule.empty()) return;
    program_.keep_knowledge();
    reply_.left_waiting = perform_for_good(program_, [&] { return retell(end, request_); }).story;
    program_.put_back_knowledge();
  }

  /// Comes last: what it performs again teaches nothing, and all else is known by now.
  void write_down(const UntoldTree& untold) {
    program_.keep_knowledge();
    reply_.tree = threads::write_down(untold, request_, [this] { return front_.wants_end(); });
    program_.put_back_knowledge();
  }

  /// Telling may take too long, or be what the process dies of: what was found is safe then.
  void send_draft() {
    surroundings.restore();  // nothing of the program's is to be waited for
    reply_.draft = true;
    reply_.modules = loaded_modules();
    channel_.send(reply_);
    reply_.draft = false;
  }

  void take_over(const Explored& explored) {
    reply_.seconds = explored.seconds;
    reply_.complete = explored.complete && !runtime->loops_for_ever();
    reply_.must_begin_anew = explored.must_begin_anew;
    reply_.stopped = explored.stopped;
    MAZURKA_CHECK(!explored.complete || !explored.must_begin_anew, "what is void is not complete");
    reply_.statistics = explored.statistics;
    reply_.rest = explored.rest;
    take_over_refusal();
    if (reply_.error.empty()) reply_.error = explored.refusal;
    reply_.stalled_at = runtime->stalled_at();
    reply_.stalled_process = runtime->stalled_process();
    if (explored.divergence) reply_.divergence.push_back(divergence_in_words(*explored.divergence));
    for (const Finding& finding : explored.findings) {
      reply_.findings.emplace_back().finding = finding;
    }
    if (runtime->ended_with_locks()) {
      reply_.notes.emplace_back("a thread ended while it held a lock");
    }
    if (runtime->had_too_many_threads()) reply_.limit = "went beyond 1000 threads";
    if (runtime->was_short_of_memory()) {
      reply_.limit = "needed more than 504 MB of heap for one thread (all that there is for each)";
    }
    if (runtime->gave_up_rounds()) {
      reply_.notes.emplace_back(
          "threads that try to lock, give way and try again were followed for two such rounds; "
          "they are assumed to get through in the end");
    }
    if (runtime->grounds().message_races && !request_.checks.message_races) {
      reply_.notes.emplace_back(
          "which message a receive from anywhere takes depends on time (--message-races makes "
          "that a finding)");
    }
    reply_.notes.insert(reply_.notes.end(), explored.notes.begin(), explored.notes.end());
    reply_.grounds = runtime->grounds();
    reply_.accepted = runtime->accepted_races();
  }

  void take_over_refusal() {
    reply_.error = runtime->error();
    reply_.refused_call = runtime->refusal().system_call;
    reply_.refused_at = runtime->refused_at();
    reply_.refused_object = runtime->refusal().object;
  }

  void write_down(const Finding& finding, const std::optional<Shortened>& shortened) {
    RawFinding found{.finding = finding, .story = {}, .told = {}};
    if (shortened) {
      const bool all_seen = runtime->grounds().unordered.empty();
      found.shortened = {true, shortened->switches, shortened->fewest && all_seen,
                         shortened->always_fails && all_seen, shortened->no_return};
    }
    found.story = tell_for_good(finding).story;
    if (runtime->atomics.signal_fences().met) {
      program_.keep_knowledge();
      found.story.signal_fences = signal_fences_that_matter(finding, request_);
      program_.put_back_knowledge();
    }
    reply_.findings.push_back(std::move(found));
  }

  Told tell_for_good(const Finding& finding) {
    Told told = perform_for_good(program_, [&] { return retell(finding, request_); });
    if (told.divergence) reply_.divergence.push_back(*told.divergence);
    return told;
  }

  void replay_request() {
    Finding wanted;
    wanted.schedule = request_.schedule;
    if (!request_.crashing.empty()) wanted.message = request_.crashing.front().message;
    Told told = tell_for_good(wanted);
    take_over_refusal();
    reply_.complete = true;
    reply_.statistics.executions = 1;
    reply_.accepted = runtime->accepted_races();
    for (Finding& finding : told.findings) {
      RawFinding& found = reply_.findings.emplace_back();
      found.finding = std::move(finding);
      found.story = told.story;
      if (!request_.hidden.empty()) found.hidden = told.hidden;
    }
    reply_.replayed = std::move(told.story);
  }

  // How long the same executions take without any analysis.
  void measure(Sample sample) {
    const RunLimits limits{request_.limits.max_events, !request_.limits.keep_going, 0};
    reply_.replay_seconds = replay(*runtime, sample, limits, [] {});
    reply_.replay_executions = sample.schedules.size();
  }

  const Request& request_;
  Progress& progress_;
  const Channel& channel_;
  FrontProcess front_;
  NativeProgram program_;
  Reply reply_;
};

}  // namespace

Reply carry_out(const Request& request, Progress& progress, const Channel& channel) {
  return Worker(request, progress, channel).carry_out();
}

}  // namespace mazurka::threads
