// Which pending message comes next where the search leaves it open.
//
// The papers' tables depend on it. All three orders group messages by receiver; within a group the
// message that was sent first comes first. FIFO takes the receiver whose oldest pending message is
// the oldest of all, ECA the receiver that was created earliest on the current path, LCA the
// latest.
#include "programs/actors/actor_program.hpp"

namespace mazurka::actors {

ProcessId ActorProgram::preferred(const Run& run) const {
  switch (order_) {
    case Order::fifo: return oldest_first(run, false);
    case Order::eca: return by_creation(run, false);
    case Order::lca: return by_creation(run, true);
    case Order::urgent: {
      const ProcessId urgent = oldest_first(run, true);
      return urgent == no_process ? oldest_first(run, false) : urgent;
    }
  }
  return no_process;
}

ProcessId ActorProgram::oldest_first(const Run& run, bool only_urgent) const {
  const Mails& mails = configuration_.mails();
  for (std::size_t at = 0; at < pending_.size(); ++at) {
    const std::uint32_t receiver = mails[pending_[at]].receiver;
    for (std::size_t same = at; same < pending_.size(); ++same) {
      const Mail& mail = mails[pending_[same]];
      if (mail.receiver != receiver || (only_urgent && !mail.urgent)) continue;
      if (run.may_move(mail.process)) return mail.process;
    }
  }
  return no_process;
}

ProcessId ActorProgram::by_creation(const Run& run, bool latest) const {
  const Mail* best = nullptr;
  std::uint32_t best_created = 0;
  for (const std::uint32_t number : pending_) {
    const Mail& mail = configuration_.mails()[number];
    const std::uint32_t created = configuration_.population()[mail.receiver].created;
    const bool better =
        best == nullptr || (latest ? created > best_created : created < best_created);
    if (better && run.may_move(mail.process)) {
      best = &mail;
      best_created = created;
    }
  }
  return best == nullptr ? no_process : best->process;
}

}  // namespace mazurka::actors
