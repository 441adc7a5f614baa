#include "programs/caf/caf_program.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/archive.hpp"
#include "core/check.hpp"

namespace mazurka::caf {

namespace {

bool turn_has_come(std::uint16_t place, std::uint64_t delivered) { return place == delivered; }
bool so_many_came(std::uint16_t number, std::uint64_t before) { return before >= number; }

constexpr ObjectId world_object{0};

}  // namespace

CafProgram::CafProgram(System& system, const Rules& rules)
    : system_(system), rules_(rules), traffic_(rules.channels), watch_(system, traffic_) {
  vocabulary_.add_kind("actor", {{"deliver"}, {"deliver after", so_many_came}});
  vocabulary_.add_kind("outbox", {{"leave", turn_has_come}, {"follow", so_many_came}});
  vocabulary_.declare_independent(outbox_kind, follow, follow);
  vocabulary_.add_kind("world", {{.name = "count", .counted = true}, {"when idle", so_many_came}});
  vocabulary_.declare_independent(world_kind, count, count);
}

void CafProgram::restart() {
  must_restart_ = false;
  traffic_.use(Channels::fifo);
}

void CafProgram::save_names(ArchiveWriter& archive) const {
  archive(static_cast<std::uint8_t>(traffic_.channels()));
}

void CafProgram::load_names(ArchiveReader& archive) {
  std::uint8_t channels = 0;
  archive(channels);
  if (channels > static_cast<std::uint8_t>(Channels::none)) {
    throw ArchiveError("it has channels that do not exist");
  }
  traffic_.use(static_cast<Channels>(channels));
}

void CafProgram::run(Run& run) {
  start(run);
  try {
    system_.run_main(*this, rules_);
    main_ended_ = true;
    if (!over_) wait(nobody, false);
  } catch (const Over&) {
    over_ = true;
  }
  if (tells_) keep_words();
  watch_.end();
  system_.clear();
  run_ = nullptr;
}

void CafProgram::start(Run& run) {
  run_ = &run;
  watch_.begin();
  traffic_.reset();
  set_up_ = true;
  over_ = failed_ = main_waits_ = main_ended_ = false;
  open_ = nobody;
  first_new_ = 0;
  enabled_ = 0;
  counted_ = 0;
  pending_.clear();
}

// Main waits, or has ended: whatever it was doing is done. Where the execution is over, main is
// left by an exception; it takes time, so there is none if main has ended.
bool CafProgram::wait(std::uint32_t actor, bool may_give_up) {
  if (over_) throw Over{};
  Waited waited = Waited::over;
  try {
    if (set_up_) close_set_up();
    if (open_ == nobody || close_step()) {
      main_waits_ = actor != nobody;
      waited = deliver_until(actor, may_give_up);
    }
  } catch (const Over&) {
    waited = Waited::over;
  }
  if (waited != Waited::over) return waited == Waited::came;
  over_ = true;
  watch_.end();  // what main leaves behind is no part of the execution
  if (!main_ended_) throw Over{};
  return false;
}

namespace {

ProcessId oldest(const Run& run, const Traffic& traffic,
                 const std::vector<std::uint32_t>& pending) {
  for (const std::uint32_t number : pending) {
    const Mail& mail = traffic[number];
    if (mail.enabled && run.may_move(mail.process)) return mail.process;
  }
  return no_process;
}

}  // namespace

CafProgram::Waited CafProgram::deliver_until(std::uint32_t actor, bool may_give_up) {
  const bool until_idle = may_give_up || (actor == nobody && !main_ended_);
  for (;;) {
    if (enabled_ == 0 && !run_->over() && !failed_ && !announce_idle(until_idle)) end_of_all();
    const auto decision =
        run_->next(run_->chooses() ? oldest(*run_, traffic_, pending_) : no_process);
    if (!decision) return Waited::over;
    open_step(*decision);
    const Mail& mail = traffic_[open_];
    if (mail.idle && idle_ == Idle::main) return Waited::in_vain;
    watch_.run_above(__builtin_frame_address(0));
    const std::uint32_t receiver = mail.receiver;
    if (!mail.idle) {
      system_.deliver(open_);
    } else if (idle_ == Idle::release) {
      system_.release();
    } else {
      system_.pass_time();
    }
    watch_.run_above(nullptr);
    if (actor != nobody && receiver == actor) return Waited::came;
    if (!close_step()) return Waited::over;
  }
}

void CafProgram::open_step(Decision decision) {
  MAZURKA_CHECK(open_ == nobody, "one step is performed at a time");
  MAZURKA_CHECK(index(decision.process) < mail_of_process_.size(),
                "the process that moves is a message");
  const std::uint32_t number = mail_of_process_[index(decision.process)];
  MAZURKA_CHECK(traffic_[number].process == decision.process && enabled_ > 0,
                "a message is found by its process in this execution");
  if (journal_.decisions != nullptr && run_->position() < journal_.capacity) {
    journal_.decisions[run_->position()] = {static_cast<ProcessId>(number + 1), 0};
    journal_.advance(journal_.owner, static_cast<std::uint32_t>(run_->position() + 1));
  }
  Mail& mail = traffic_[number];
  MAZURKA_CHECK(mail.enabled && traffic_.can_deliver(mail), "a message is delivered in its turn");
  collect_values(mail);
  --enabled_;
  std::erase(pending_, number);
  open_ = number;
  mail.delivered = true;
  traffic_.history().push_back(number);
  traffic_.begin_step(number);
  if (mail.idle) {
    traffic_.knowledge().begin_idle(idle_ == Idle::main ? Knowledge::main : Knowledge::world);
  }
}

void CafProgram::create_new(ProcessId parent) {
  try {
    for (std::size_t at = first_new_; at < traffic_.size(); ++at) {
      traffic_[at].process = run_->create(parent);
    }
  } catch (const std::length_error&) {
    too_many_messages_ = true;
    throw Over{};
  }
}

void CafProgram::close_set_up() {
  set_up_ = false;
  create_new(Run::root());
  run_->finish(Run::root());
  for (Actor& actor : traffic_.actors()) actor.end_noted = actor.ended;
  report_problems(no_process);
  if (!refusal_.empty()) throw Over{};
  announce_new();
}

bool CafProgram::close_step() {
  MAZURKA_CHECK(open_ != nobody, "a step ends that has begun");
  const ProcessId process = traffic_[open_].process;
  create_new(process);
  released_.clear();
  for (std::size_t at = first_new_; at < traffic_.size(); ++at) {
    const std::uint32_t watched = traffic_[at].ended;
    if (watched != nobody && !traffic_.actors()[watched].ended) continue;  // not on its way yet
    released_.push_back(traffic_[at].process);
  }
  signal_ends(false);
  const auto event = static_cast<std::uint32_t>(run_->position());
  if (!run_->commit(values_, 1, released_)) return false;
  if (traffic_.saw_urgent() && traffic_.channels() == Channels::mailbox) must_restart_ = true;
  if (must_restart_ || !refusal_.empty()) {
    run_->cut();
    return false;
  }
  const Mail& mail = traffic_[open_];
  ++counted_;
  if (!mail.idle) ++traffic_.actors()[mail.receiver].deliveries;
  if (mail.channel != nobody && mail.kind != Mail::Kind::news) {
    Outbox& left = traffic_.outbox(mail.channel);
    MAZURKA_CHECK(left.delivered < left.sent, "a message leaves an outbox that was sent from it");
    ++left.delivered;
  }
  for (Actor& actor : traffic_.actors()) {
    if (!actor.ended || actor.end_noted) continue;
    actor.end_noted = true;
    actor.end_event = event;
  }
  report_problems(process);
  run_->finish(process);
  signal_ends(true);
  announce_new();
  update_enabled();
  open_ = nobody;
  traffic_.end_step();
  return true;
}

// Those who have waited for the end of an actor that ended in this step: it is their cause.
void CafProgram::signal_ends(bool committed) {
  for (const std::uint32_t number : traffic_.enabled_by_end()) {
    Mail& mail = traffic_[number];
    if (number >= first_new_ || mail.delivered) continue;
    if (!committed) {
      released_.push_back(mail.process);
    } else {
      traffic_.place_news(mail);
      announce(number);
    }
  }
}

void CafProgram::announce_new() {
  const std::size_t first = std::exchange(first_new_, traffic_.size());
  for (std::size_t at = first; at < first_new_; ++at) {
    Mail& mail = traffic_[at];
    if (mail.delivered) continue;  // withdrawn
    if (mail.ended != nobody) {
      const Actor& watched = traffic_.actors()[mail.ended];
      if (!watched.ended) continue;
      traffic_.place_news(mail);
      // An idle step that asks for it comes after the end as well as after all else.
      const bool asked_idle = open_ != nobody && traffic_[open_].idle;
      if (watched.end_event != Actor::not_yet && !asked_idle) {
        run_->caused_by(mail.process, watched.end_event);
      }
    }
    announce(static_cast<std::uint32_t>(at));
  }
}

void CafProgram::announce(std::uint32_t number) {
  Mail& mail = traffic_[number];
  if (mail.announced) return;
  mail.announced = true;
  MAZURKA_CHECK(mail.process != no_process, "a message is announced as a process");
  if (deliveries_only_) refuse_what_is_no_delivery(mail);
  if (mail_of_process_.size() <= index(mail.process)) {
    mail_of_process_.resize(index(mail.process) + 1, nobody);
  }
  mail_of_process_[index(mail.process)] = number;
  pending_.push_back(number);
  collect_accesses(mail);
  mail.enabled = traffic_.can_deliver(mail);
  if (mail.enabled) ++enabled_;
  // What holds a mail back never comes back once it is gone: one that waits to the end could not
  // have been delivered any earlier, whatever the order, and is in no race.
  run_->announce(mail.process, {accesses_}, mail.enabled, mail.enabled);
}

// Where dependence is not transitive.
void CafProgram::refuse_what_is_no_delivery(const Mail& mail) {
  if (mail.ended != nobody || mail.asker != nobody) {
    refuse(
        "an actor asks for the end of another (monitor, link, attach), which the technique trans "
        "does not know (use optimal)");
  }
  if (mail.channel != nobody && traffic_.outbox(mail.channel).to_several) {
    refuse(
        "an actor sends to several, and what it sends later does not come earlier, which the "
        "technique trans does not know (use optimal, or --channels fifo)");
  }
}

void CafProgram::collect_accesses(const Mail& mail) {
  accesses_.clear();
  if (mail.idle) {
    accesses_.push_back({world_object, world_kind, when_idle, counted_});
    return;
  }
  const Actor& receiver = traffic_.actors()[mail.receiver];
  if (mail.after > 0 && mail.asker == nobody) {
    accesses_.push_back({receiver.object, actor_kind, deliver_after, mail.after});
  } else {
    accesses_.push_back({receiver.object, actor_kind, deliver, 0});
  }
  if (mail.channel != nobody) {
    const std::uint8_t mode = mail.kind == Mail::Kind::news ? follow : leave;
    accesses_.push_back({traffic_.outbox(mail.channel).object, outbox_kind, mode, mail.place});
  }
  if (mail.asker != nobody) {
    const ObjectId asker = traffic_.actors()[mail.asker].object;
    accesses_.push_back({asker, actor_kind, deliver_after, mail.after});
  }
  accesses_.push_back({world_object, world_kind, count, 0});
}

// The values of what the delivery touches, in the footprint's order.
void CafProgram::collect_values(const Mail& mail) {
  values_.clear();
  if (!mail.idle) {
    values_.push_back(traffic_.actors()[mail.receiver].deliveries);
    if (mail.channel != nobody) values_.push_back(traffic_.outbox(mail.channel).delivered);
  }
  if (mail.asker != nobody) values_.push_back(traffic_.actors()[mail.asker].deliveries);
  values_.push_back(counted_);
}

void CafProgram::update_enabled() {
  for (const std::uint32_t number : pending_) {
    Mail& mail = traffic_[number];
    if (mail.enabled || !traffic_.can_deliver(mail)) continue;
    mail.enabled = true;
    ++enabled_;
    run_->release(mail.process);
    run_->enable(mail.process, true);
  }
}

// Nothing can be delivered. The step belongs to nobody, so its name is that of a message of the
// set-up.
bool CafProgram::announce_idle(bool main_waits) {
  if (system_.has_unreachable()) {
    idle_ = Idle::release;
  } else if (rules_.timeouts == Timeouts::idle && system_.has_timers()) {
    idle_ = Idle::time;
  } else if (main_waits) {
    idle_ = Idle::main;
  } else {
    return false;
  }
  const std::uint32_t number = traffic_.post(Mail::Kind::message, nobody, Traffic::Order::any);
  Mail& mail = traffic_[number];
  mail.idle = true;
  create_new(Run::root());
  first_new_ = traffic_.size();
  announce(number);
  return true;
}

void CafProgram::refuse(const std::string& what) {
  if (!refusal_.empty()) return;
  refusal_ = what;
  refusal_ += set_up_ ? ", in caf_main" : ", when " + about(open_);
}

std::string CafProgram::about(std::uint32_t mail) const {
  if (mail == nobody) return "the program begins";
  if (traffic_[mail].idle) return "nothing else is left";
  const std::string label = system_.label(mail);
  return system_.name_of(traffic_[mail].receiver) + " handles " +
         (label.empty() ? "a message" : label);
}

}  // namespace mazurka::caf
