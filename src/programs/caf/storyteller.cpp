#include "programs/caf/storyteller.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/check.hpp"

namespace mazurka::caf {

namespace {

class Teller {
 public:
  explicit Teller(const CafProgram::Told& told) : told_(told) {}

  Story tell(const Finding* finding) {
    story_.layout = StoryLayout::chart;
    choose_columns();
    for (std::size_t at = 0; at < told_.history.size(); ++at) {
      row_of_mail_[told_.history[at]] = at;
      add_row(told_.history[at]);
    }
    if (finding != nullptr && finding->kind != FindingKind::deadlock && !story_.rows.empty()) {
      story_.rows.back().failing = true;
    }
    story_.endings = told_.endings;
    return std::move(story_);
  }

 private:
  // Main first, then the actors that take part in what is shown, in the order of their creation.
  void choose_columns() {
    std::vector<bool> shown(told_.names.size(), false);
    for (const std::uint32_t number : told_.history) {
      const Mail& mail = told_.mails[number];
      if (mail.receiver != nobody) shown[mail.receiver] = true;
      if (mail.sender != nobody) shown[mail.sender] = true;
    }
    story_.processes.emplace_back("main");
    for (std::uint32_t actor = 0; actor < shown.size(); ++actor) {
      if (!shown[actor] || told_.names[actor] == "main") continue;
      column_[actor] = story_.processes.size();
      story_.processes.push_back(told_.names[actor]);
    }
  }

  [[nodiscard]] std::size_t column(std::uint32_t actor) const {
    const auto found = column_.find(actor);
    return found == column_.end() ? 0 : found->second;
  }

  void add_row(std::uint32_t number) {
    MAZURKA_CHECK(number < told_.mails.size() && number < told_.labels.size(),
                  "each message of a story has its words");
    const Mail& mail = told_.mails[number];
    StoryRow row;
    row.process = column(mail.receiver);
    row.from = column(mail.sender);
    row.action = told_.labels[number];
    row.decision = true;
    row.event.deed = Deed::message;
    const auto cause = row_of_mail_.find(mail.sent_by);
    if (cause != row_of_mail_.end()) {
      row.read_from = cause->second;
      row.event.after = {cause->second};
    }
    story_.rows.push_back(std::move(row));
  }

  const CafProgram::Told& told_;
  Story story_;
  std::map<std::uint32_t, std::size_t> column_;
  std::map<std::uint32_t, std::size_t> row_of_mail_;
};

}  // namespace

Story tell(const CafProgram::Told& told, const Finding* finding) {
  return Teller(told).tell(finding);
}

}  // namespace mazurka::caf
