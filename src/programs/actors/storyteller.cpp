#include "programs/actors/storyteller.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace mazurka::actors {

namespace {

class Teller {
 public:
  explicit Teller(const Configuration& configuration) : configuration_(configuration) {}

  Story tell(const Finding* finding, const std::vector<std::string>& states) {
    story_.layout = StoryLayout::chart;
    choose_columns();
    const std::vector<std::uint32_t>& history = configuration_.mails().history();
    for (std::size_t at = 0; at < history.size(); ++at) {
      row_of_mail_[history[at]] = at;
      add_row(configuration_.mails()[history[at]]);
      if (at < states.size()) add_state(story_.rows.back(), states[at]);
    }
    if (finding != nullptr && finding->kind != FindingKind::deadlock && !story_.rows.empty()) {
      story_.rows.back().failing = true;
    }
    for (const Mail& mail : configuration_.mails()) {
      if (!mail.delivered) add_ending(mail);
    }
    return std::move(story_);
  }

 private:
  // Actors that take part in what is shown, in the order of their creation.
  void choose_columns() {
    bool from_outside = false;
    std::vector<bool> shown(configuration_.actor_count(), false);
    const auto show = [&](std::uint32_t actor) {
      if (actor == nobody) {
        from_outside = true;
      } else {
        shown[configuration_.population()[actor].created] = true;
      }
    };
    for (const std::uint32_t number : configuration_.mails().history()) {
      show(configuration_.mails()[number].receiver);
      show(configuration_.mails()[number].sender);
    }
    if (from_outside) {
      column_[nobody] = 0;
      story_.processes.emplace_back("start");
    }
    for (std::size_t at = 0; at < configuration_.actor_count(); ++at) {
      const std::uint32_t actor = configuration_.actor_at(at);
      if (!shown[configuration_.population()[actor].created]) continue;
      column_[actor] = story_.processes.size();
      story_.processes.push_back(configuration_.name_of(actor));
    }
  }

  void add_row(const Mail& mail) {
    StoryRow row;
    row.process = column_.at(mail.receiver);
    row.from = column_.at(mail.sender);
    row.action = label(mail, configuration_);
    row.decision = true;
    row.event.deed = Deed::message;
    if (mail.sent_by != nobody) {
      row.read_from = row_of_mail_.at(mail.sent_by);
      row.event.after = {*row.read_from};
    }
    story_.rows.push_back(std::move(row));
  }

  // What the receiver is like afterwards, if its type has a form for people.
  void add_state(StoryRow& row, const std::string& state) {
    if (state.empty() || state == "..." || state == "{}") return;
    const auto [known, is_new] = object_.try_emplace(row.process, story_.objects.size());
    if (is_new) story_.objects.push_back({story_.processes[row.process], ObjectType::other});
    row.event.object = known->second;
    row.event.value = state;
  }

  void add_ending(const Mail& mail) {
    const std::string from =
        mail.sender == nobody ? "the start" : configuration_.name_of(mail.sender);
    const std::string what = label(mail, configuration_) + " from " + from + " for " +
                             configuration_.name_of(mail.receiver);
    if (configuration_.is_lost(mail)) {
      story_.endings.push_back(what + " is lost: the receiver has ended");
    } else if (!configuration_.can_deliver(mail)) {
      const Actor& receiver = configuration_.population()[mail.receiver];
      story_.endings.push_back(what + " waits: the receiver is " +
                               receiver.type->value.show(receiver.state, configuration_));
    } else {
      story_.endings.push_back(what + " is on its way");
    }
  }

  const Configuration& configuration_;
  Story story_;
  std::map<std::uint32_t, std::size_t> column_;
  std::map<std::uint32_t, std::size_t> row_of_mail_;
  std::map<std::size_t, std::size_t> object_;  // the state of the actor of a column
};

}  // namespace

Story tell(const Configuration& configuration, const Finding* finding,
           const std::vector<std::string>& states) {
  return Teller(configuration).tell(finding, states);
}

}  // namespace mazurka::actors
