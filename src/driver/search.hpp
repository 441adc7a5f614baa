// One go at a search, and what is done beside it: it is watched and saved, its size is estimated,
// and early bugs are looked for.
//
// If the program teaches something that changes its steps, the search ends, and another one takes
// its place (driver.hpp).
#pragma once

#include <chrono>
#include <memory>

#include "core/explorer.hpp"
#include "core/session.hpp"
#include "driver/explored.hpp"
#include "driver/hunt.hpp"
#include "driver/plan.hpp"
#include "driver/saver.hpp"
#include "driver/subject.hpp"
#include "driver/survey.hpp"
#include "driver/task_log.hpp"
#include "driver/watcher.hpp"

namespace mazurka {

class Search {
 public:
  /// `begun`: when the exploration began; `given_up`: the search whose place it takes, or null.
  Search(Subject& subject, Watcher& watcher, const Plan& plan,
         std::chrono::steady_clock::time_point begun, const Search* given_up);

  void begin();
  /// Goes on with the exploration that the plan names. Throws ArchiveError.
  void resume();

  /// Once it has ended for good.
  [[nodiscard]] Explored explored();
  [[nodiscard]] Survey& survey() { return survey_; }

 private:
  void watch();
  void end(bool complete);
  void write_task_log();
  [[nodiscard]] bool is_void() const { return subject_.must_restart() || subject_.failed(); }
  [[nodiscard]] std::vector<std::string> notes() const;

  Subject& subject_;
  Watcher& watcher_;
  const Plan& plan_;
  Session session_;
  std::unique_ptr<Explorer> explorer_;
  Saver saver_;
  Hunt hunt_;
  Survey survey_;
  TaskLog tasks_;
  int task_log_failure_ = 0;
  bool complete_ = false;
};

}  // namespace mazurka
