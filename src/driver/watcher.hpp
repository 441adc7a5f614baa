// Who looks on from outside while an exploration goes on, and may want it to end.
#pragma once

#include "core/execution.hpp"
#include "core/session.hpp"

namespace mazurka {

class Watcher {
 public:
  Watcher() = default;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  virtual ~Watcher() = default;

  [[nodiscard]] virtual bool wants_end() const { return false; }
  /// After every execution of the search.
  virtual void performed(const Session&, const Execution&) {}
  /// The search can be stopped now: between two executions, and now and then if it has none.
  virtual void paused(const Session&) {}
  /// An execution beside the search is over.
  virtual void performed_beside() {}
  /// Random walks begin, and are over.
  virtual void walks(bool) {}
  /// The whole search has at least so many executions; 0: that is not known.
  virtual void expects(double) {}
  /// The exploration was saved.
  virtual void saved() {}
};

}  // namespace mazurka
