#include "programs/actors/actor_program.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/check.hpp"

namespace mazurka::actors {

namespace {

// Objects are numbered 0 for what invariants observe, then actors and channels in turn.
constexpr ObjectId observed_object{0};
ObjectId object_of_actor(std::uint32_t actor) { return ObjectId{2 * actor + 1}; }

bool turn_has_come(std::uint16_t place, std::uint64_t delivered) { return place == delivered; }
bool urgent_ones_came(std::uint16_t before, std::uint64_t delivered) { return before <= delivered; }

}  // namespace

ActorProgram::ActorProgram(const System& system, Order order)
    : configuration_(system), order_(order) {
  vocabulary_.add_kind("actor", {{"deliver"},
                                 {"deliver if", GuardTable::holds, GuardPartners::every},
                                 {"read", nullptr, GuardPartners::latest, true, false}});
  vocabulary_.declare_independent(actor_kind, read, read);
  vocabulary_.add_kind("channel", {{"deliver in turn", turn_has_come},
                                   {"deliver after urgent ones", urgent_ones_came,
                                    GuardPartners::latest, true, false}});
  vocabulary_.add_kind("observed", {{"touch"}});
}

ObjectId ActorProgram::object_of_channel(std::uint32_t channel, Lane lane) {
  return ObjectId{4 * channel + 2 * static_cast<std::uint32_t>(lane) + 2};
}

void ActorProgram::run(Run& run) {
  start(run);
  for (;;) {
    if (enabled_ == 0 && !run.over() && !failed_) end(run);
    const auto decision = run.next(run.chooses() ? preferred(run) : no_process);
    if (!decision || !step(run, *decision)) return;
  }
}

void ActorProgram::start(Run& run) {
  configuration_.track_changes(run.records_states());
  configuration_.reset();
  pending_.clear();
  enabled_ = 0;
  failed_ = false;
  for (std::size_t at = 0; at < configuration_.mails().size(); ++at) {
    configuration_.mails()[at].process = run.create(Run::root());
  }
  run.finish(Run::root());
  for (std::size_t at = 0; at < configuration_.mails().size(); ++at) announce(run, at);
  if (!configuration_.invariants().empty()) check_invariants(run, no_process);
}

bool ActorProgram::guarded(const Mail& mail) const {
  if (mail.kind != Mail::Kind::message) return false;
  const ActorType& type = *configuration_.population()[mail.receiver].type;
  return mail.handler->accepts != nullptr || type.mortal || type.becomes;
}

void ActorProgram::announce(Run& run, std::size_t number) {
  Mail& mail = configuration_.mails()[number];
  MAZURKA_CHECK(mail.process != no_process && !mail.delivered,
                "a message is announced as a process, before its delivery");
  if (mail_of_process_.size() <= index(mail.process)) {
    mail_of_process_.resize(index(mail.process) + 1, nobody);
  }
  mail_of_process_[index(mail.process)] = static_cast<std::uint32_t>(number);
  pending_.push_back(static_cast<std::uint32_t>(number));

  accesses_.clear();
  Access& receiver = accesses_.emplace_back(Access{object_of_actor(mail.receiver), actor_kind});
  if (guarded(mail)) {
    receiver.mode = deliver_if;
    receiver.operand = configuration_.guard_class(mail);
  } else if (mail.kind == Mail::Kind::message && mail.handler->only_reads &&
             mail.channel == nobody) {
    receiver.mode = read;
  }
  if (mail.channel != nobody) {
    accesses_.push_back(
        {object_of_channel(mail.channel, lane_of(mail)), channel_kind, in_turn, mail.place});
  }
  if (mail.after > 0) {
    accesses_.push_back(
        {object_of_channel(mail.channel, Lane::urgent), channel_kind, after_urgent, mail.after});
  }
  if (configuration_.invariants().watch(*configuration_.population()[mail.receiver].type)) {
    accesses_.push_back({observed_object, observed_kind, 0, 0});
  }
  mail.enabled = configuration_.can_deliver(mail);
  if (mail.enabled) ++enabled_;
  run.announce(mail.process, {accesses_}, mail.enabled, configuration_.mails().is_first(mail));
}

// The values of what the delivery touches, in the footprint's order. A type with guards has its
// interned local state for a value, any other its hash, if `all` are wanted.
void ActorProgram::collect_values(const Mail& mail, bool all) {
  values_.clear();
  const GuardTable::LocalState* local = configuration_.local_state(mail.receiver);
  const std::uint64_t plain = all ? configuration_.population().state_hash(mail.receiver) : 0;
  values_.push_back(local == nullptr ? plain : local->value());
  const Mails& mails = configuration_.mails();
  if (mail.channel != nobody) values_.push_back(mails.delivered_in(mail.channel, lane_of(mail)));
  if (mail.after > 0) values_.push_back(mails.delivered_in(mail.channel, Lane::urgent));
}

bool ActorProgram::step(Run& run, Decision decision) {
  MAZURKA_CHECK(index(decision.process) < mail_of_process_.size(),
                "the process that moves is a message");
  const std::uint32_t number = mail_of_process_[index(decision.process)];
  MAZURKA_CHECK(configuration_.mails()[number].process == decision.process,
                "a message is found by its process in this execution");
  if (journal_.decisions != nullptr && run.position() < journal_.capacity) {
    journal_.decisions[run.position()] = {static_cast<ProcessId>(number + 1), 0};
    journal_.advance(journal_.owner, static_cast<std::uint32_t>(run.position() + 1));
  }
  collect_values(configuration_.mails()[number], run.records_states());
  const auto place = std::find(pending_.begin(), pending_.end(), number);
  MAZURKA_CHECK(place != pending_.end() && enabled_ > 0,
                "a message is delivered that is on its way");
  --enabled_;
  pending_.erase(place);
  const std::size_t first_sent = configuration_.deliver(number);
  if (!configuration_.mistake().empty()) throw std::invalid_argument(configuration_.mistake());

  Mails& mails = configuration_.mails();
  released_.clear();
  for (std::size_t at = first_sent; at < mails.size(); ++at) {
    mails[at].process = run.create(decision.process);
    released_.push_back(mails[at].process);
  }
  if (!run.commit(values_, 1, released_)) return false;
  if (run.records_states()) {
    collect_values(mails[number], true);
    run.effects(values_, configuration_.latest_change());
  }
  if (observer_) observer_(mails[number]);
  if (configuration_.failure()) report_failure(run, mails[number]);
  run.finish(decision.process);
  for (std::size_t at = first_sent; at < mails.size(); ++at) announce(run, at);
  update_enabled(run, mails[number]);
  if (!configuration_.invariants().empty()) check_invariants(run, decision.process);
  return true;
}

// Only messages for the same actor can be concerned, and only where states or channels decide.
void ActorProgram::update_enabled(Run& run, const Mail& delivered) {
  const std::uint32_t receiver = delivered.receiver;
  if (!configuration_.population()[receiver].type->guarded && delivered.channel == nobody) return;
  for (const std::uint32_t number : pending_) {
    Mail& mail = configuration_.mails()[number];
    if (mail.receiver != receiver) continue;
    if (configuration_.mails().is_first(mail)) run.release(mail.process);
    const bool enabled = configuration_.can_deliver(mail);
    if (enabled == mail.enabled) continue;
    mail.enabled = enabled;
    enabled_ = enabled ? enabled_ + 1 : enabled_ - 1;
    run.enable(mail.process, enabled);
  }
}

void ActorProgram::report_failure(Run& run, const Mail& mail) {
  const Failure& failure = *configuration_.failure();
  failed_ = true;
  const bool exception = failure.kind == Failure::Kind::exception;
  std::string message = failure.message;
  if (failure.kind == Failure::Kind::expectation) message = "assertion `" + message + "` fails";
  const std::string key = message + " in " + std::string(mail.handler->name);
  run.fail(mail.process, exception ? FindingKind::uncaught_exception : FindingKind::assertion,
           message, key);
}

void ActorProgram::check_invariants(Run& run, ProcessId process) {
  for (const NamedCondition* invariant : configuration_.invariants().violated(configuration_)) {
    const std::string message = "assertion `" + invariant->name + "` fails: it is to hold always";
    run.report(process, FindingKind::assertion, message, message);
  }
}

// Nothing is enabled: whatever still waits does so for ever. Called before the run notices, so that
// it does not take what was lost for a deadlock.
void ActorProgram::end(Run& run) {
  MAZURKA_CHECK(enabled_ == 0, "an execution ends when nothing can be delivered");
  const Rules& rules = configuration_.rules();
  bool waiting = false;
  for (const std::uint32_t number : pending_) {
    const Mail& mail = configuration_.mails()[number];
    if (!configuration_.is_lost(mail)) {
      waiting = true;
    } else if (rules.forbid_orphans) {
      const std::string message = label(mail, configuration_) + " for " +
                                  configuration_.name_of(mail.receiver) + " is never handled";
      run.report(mail.process, FindingKind::orphan, message, message);
    }
  }
  if (waiting && !rules.allow_waiting) return;  // a deadlock
  if (!pending_.empty()) run.excuse_waiting();
  const View view(configuration_);
  for (const NamedCondition& condition : rules.finally) {
    if (condition.holds(view)) continue;
    const std::string message = "assertion `" + condition.name + "` fails at the end";
    run.report(no_process, FindingKind::assertion, message, message);
  }
}

}  // namespace mazurka::actors
