// How large a search is, and what makes it so.
//
// While the search goes on it is interrupted now and then for a random walk, three for each hundred
// executions, from which its size is estimated (explorers/size_probe.hpp). They are no part of the
// search and of its counts; what they find the search will find.
//
// If the search is cut in the end, some more walks are written down in full: which lines of the
// program make the most events and the most branches, how often a process comes there, and where
// one tries again and again in vain before it gives up or blocks. Such a loop that counts its tries
// is another loop with each count, so nothing can be left out of it.
#pragma once

#include <cstdint>
#include <optional>

#include "core/session.hpp"
#include "explorers/size_probe.hpp"
#include "programs/threads/protocol.hpp"
#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

class Survey {
 public:
  Survey(Runtime& program, const Request& request, Progress& progress);

  /// Between two executions of the search: takes its turn when that is due.
  void pause(Session& search);

  /// What was found out, and a profile of the program, in so many seconds.
  [[nodiscard]] RawProfile profile(double seconds);

 private:
  bool walk(std::uint64_t max_events);
  [[nodiscard]] bool is_good_enough() const;
  void tell(Session& search);

  Runtime& program_;
  const Request& request_;
  Progress& progress_;
  SizeProbe probe_;
  bool exact_;             // the technique comes to as many executions as are estimated
  bool given_up_ = false;  // walks are of no use, or do harm
  std::uint64_t pauses_ = 0;
  std::uint64_t walks_ = 0;
  std::optional<std::uint64_t> before_;  // executions that were performed before
};

}  // namespace mazurka::threads
