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
  std::optional<std::uint64_t> executions;  // with those of the first result; none: all there are
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
  std::string state;  // running, stopped, over; or what has become of it: it is forgotten
  std::string id;     // empty: forgotten
  std::string about;
  std::optional<std::int64_t> left;  // executions that may be begun, and nobody has been given
  std::uint64_t lent = 0;            // those that somebody has been given
  double explored = 0;
  double seconds = 0;  // since it began
  std::uint64_t taken_over = 0;
  std::uint64_t waiting = 0;
  std::uint64_t running = 0;
  std::uint64_t slots = 0;  // who could work
  Numbers numbers;          // with findings if the whole was asked for
  std::uint64_t findings = 0;
  std::optional<std::string> decision;  // why the whole search is over
  std::vector<std::pair<std::string, std::string>> effort;
  std::vector<std::pair<std::string, std::string>> refusals;

  [[nodiscard]] std::uint64_t sum(const std::string& name) const;
  [[nodiscard]] bool is_known() const { return !id.empty(); }
};

/// A key is gone from the server without which nothing can be said of a search.
class Damaged : public host::InputError {
 public:
  Damaged(const Address& address, const std::string& search, std::string key);
  [[nodiscard]] const std::string& key() const { return key_; }

 private:
  std::string key_;
};

/// What has become of a search that was removed for that reason.
[[nodiscard]] std::string damaged_state(const std::string& key);
/// The key, if that is what has become of it.
[[nodiscard]] std::optional<std::string> key_of_damage(const std::string& state);

/// Whatever is asked of a search may throw Damaged.
class Store {
 public:
  Store(const Address& address, Connection::Patience patience);

  /// What all keys of the search begin with, and the one that has its results.
  [[nodiscard]] static std::string key_of(const std::string& id) { return "mazurka:" + id; }

  [[nodiscard]] std::vector<std::string> searches();
  [[nodiscard]] std::optional<std::string> current(const std::string& name);
  [[nodiscard]] std::optional<View> view(const std::string& id);
  /// With all that the end of a search depends on, as it is at one moment.
  [[nodiscard]] std::optional<View> whole(const std::string& id);
  [[nodiscard]] std::optional<std::string> field(const std::string& id, const std::string& name);

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
  /// All that is left of a search of which something is gone.
  void clear_away(const std::string& id, const std::string& state);

  /// What the server does when its memory is full, in a sentence for whoever has a search there;
  /// empty: what it must do, nothing.
  [[nodiscard]] std::string warning();

  [[nodiscard]] Connection& connection() { return connection_; }

 private:
  [[nodiscard]] Answer perform(const std::string& script, const std::string& id,
                               const std::vector<std::string>& words);
  [[nodiscard]] std::optional<View> view(const std::string& id, const char* how);

  Connection connection_;
};

/// A name that nobody else has.
[[nodiscard]] std::string new_name();

}  // namespace mazurka::cluster
