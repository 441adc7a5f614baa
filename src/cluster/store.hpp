// Searches on the server, as values: what the scripts (scripts.hpp) take and give.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cluster/connection.hpp"
#include "cluster/numbers.hpp"

namespace mazurka::cluster {

/// What performing a task came to.
struct Result {
  std::string decision;     // why the whole search is over (decision.hpp); empty: it is not
  std::string rest;         // the exploration that is left ...
  std::uint64_t tasks = 0;  // ... and how many parts it can be cut into; 0: nothing is left
  Numbers numbers;
  std::uint64_t executions = 0;  // of whatever kind
  std::uint64_t milliseconds = 0;
};

struct NewSearch {
  std::string id;
  std::string name;  // of the program and its options; the latest search of this name is found
  std::string binary;
  std::optional<std::uint64_t> executions;  // that may be performed; none: as many as there are
  std::string about;
  std::string request;
  std::string libraries;
  Result first;
};

struct TakenTask {
  std::string entry;
  std::string nonce;
  std::string rest;
  std::uint32_t part = 0;
  std::uint32_t parts = 0;
  unsigned losses = 0;                 // so often it was given back
  std::uint64_t budget = 0;            // executions; 0: as many as it likes
  std::chrono::milliseconds slice{0};  // so long it should be explored
};

/// Where a search stands.
struct View {
  std::string state;  // running, stopped, over; cancelled, told: it is forgotten
  std::string id;     // empty: forgotten
  std::string about;
  std::optional<std::int64_t> left;  // executions that may still be begun
  double explored = 0;
  double seconds = 0;  // since it began
  std::uint64_t taken_over = 0;
  std::uint64_t waiting = 0;
  std::uint64_t running = 0;
  std::uint64_t slots = 0;  // who could work
  Numbers numbers;          // without the findings
  std::uint64_t findings = 0;
  std::vector<std::pair<std::string, std::string>> effort;
  std::vector<std::pair<std::string, std::string>> refusals;

  [[nodiscard]] std::uint64_t sum(const std::string& name) const;
  [[nodiscard]] bool is_known() const { return !id.empty(); }
};

class Store {
 public:
  Store(const Address& address, Connection::Patience patience);

  [[nodiscard]] std::vector<std::string> searches();
  [[nodiscard]] std::optional<std::string> current(const std::string& name);
  [[nodiscard]] std::optional<View> view(const std::string& id);
  [[nodiscard]] std::optional<std::string> field(const std::string& id, const std::string& name);
  [[nodiscard]] std::vector<Numbers::Found> findings(const std::string& id);

  /// The contents of a program, by name.
  [[nodiscard]] std::optional<std::string> binary(const std::string& name);

  /// `contents` of the program are sent if the server does not have them.
  void put(const NewSearch& search, const std::string& contents);
  /// None: there is nothing to do now. `slots`: how many could work, if there is nothing to do.
  [[nodiscard]] std::optional<TakenTask> take(const std::string& id, const std::string& slot,
                                              std::chrono::milliseconds silence,
                                              std::uint64_t* slots = nullptr);
  /// Whether it was counted: not if the task was closed before.
  bool finish(const std::string& id, const TakenTask& task, const std::string& slot,
              const std::string& worker, const Result& result);
  void release(const std::string& id, const TakenTask& task, const std::string& slot, bool lost);
  /// The state of the search; "lost": somebody else has the task.
  std::string beat(const std::string& id, const std::string& slot, const std::string& entry);
  void refuse(const std::string& id, const std::string& worker, const std::string& why);
  void stop(const std::string& id);
  void go_on(const std::string& id, std::optional<std::uint64_t> executions);
  /// Whether it was there.
  bool remove(const std::string& id, const std::string& state);

  [[nodiscard]] Connection& connection() { return connection_; }

 private:
  Connection connection_;
};

/// A name that nobody else has.
[[nodiscard]] std::string new_name();

}  // namespace mazurka::cluster
