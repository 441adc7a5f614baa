// What can happen next in a state of the brute force (machine.hpp): each rank's next operation, in
// as many ways as there are, and each match. Blocking operations are two steps: to begin, and to
// find it complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "mpi/reference/machine.hpp"
#include "mpi/reference/machine_state.hpp"
#include "mpi/reference/program.hpp"

namespace mazurka::mpi_reference {

/// What is seen in the place of a value.
namespace answer {
inline constexpr int nothing_to_wait_for = 99;  // of Waitany and its like
inline constexpr int not_yet = 98;              // of Testany
inline constexpr int cancelled = 77;            // of a receive
}  // namespace answer

/// What ranks have seen: each log is another one and a value.
class Logs {
 public:
  [[nodiscard]] std::uint32_t add(std::uint32_t log, int value) {
    const std::uint64_t key = std::uint64_t{log} << 32U | static_cast<std::uint32_t>(value);
    const auto [found, fresh] = numbers_.try_emplace(key, logs_.size());
    if (fresh) logs_.push_back({log, value});
    return static_cast<std::uint32_t>(found->second);
  }
  [[nodiscard]] int last(std::uint32_t log) const { return logs_[log].value; }
  [[nodiscard]] std::string text(std::uint32_t log) const {
    if (log == 0) return "";
    const std::string before = text(logs_[log].before);
    return before + (before.empty() ? "" : ".") + std::to_string(logs_[log].value);
  }

 private:
  struct Log {
    std::uint32_t before = 0;
    int value = 0;
  };
  std::vector<Log> logs_{{}};
  std::unordered_map<std::uint64_t, std::size_t> numbers_;
};

class Steps {
 public:
  Steps(const Program& program, const MachineOptions& options)
      : program_(program), options_(options) {}

  /// All states that one step leads to; until the next call.
  [[nodiscard]] const std::vector<State>& following(const State& state);
  /// Of a state that nothing follows.
  [[nodiscard]] std::string outcome(const State& state) const;

 private:
  // Each adds to following_ what one step can lead to.
  void do_step(const State& state, std::size_t r, const Operation& one);
  void do_send(const State& state, std::size_t r, const Operation& one);
  void do_isend(const State& state, std::size_t r, const Operation& one, std::size_t request,
                int value);
  void do_recv(const State& state, std::size_t r, int source, int tag);
  void do_sendrecv(const State& state, std::size_t r, const Operation& one);
  void do_start(const State& state, std::size_t r, const Operation& one);
  void do_wait(const State& state, std::size_t r, const std::vector<int>& requests);
  void do_waitany(const State& state, std::size_t r, const std::vector<int>& requests);
  void do_waitsome(const State& state, std::size_t r, const std::vector<int>& requests);
  void do_testall(const State& state, std::size_t r, const std::vector<int>& requests);
  void do_cancel(const State& state, std::size_t r, int request);
  void do_probe(const State& state, std::size_t r, const Operation& one);
  void do_mrecv(const State& state, std::size_t r, bool nonblocking);
  void do_collective(const State& state, std::size_t r, const Operation& one);
  void do_skip(const State& state, std::size_t r, const Operation& one);
  void do_matches(const State& state, std::size_t receive);
  void fails(const State& state, std::size_t r, int answer, std::size_t before,
             const std::vector<int>& active);

  // What changes in a state.
  void see(Rank& rank, int value) { rank.log = logs_.add(rank.log, value); }
  static void put(State& state, const Message& message);
  static void post(State& state, std::size_t r, std::size_t request, int source, int tag);
  static void match(State& state, std::size_t receive, std::size_t message);
  static void tell_sender(State& state, const Message& message);
  void consume(State& state, std::size_t r, int request);
  void advance(const State& state, std::size_t r);
  void settle(State& state) const;
  std::size_t arrive(State& state, std::size_t r, const Operation& one) const;

  // Questions.
  [[nodiscard]] std::vector<bool> ways_to_send(Mode mode) const;
  [[nodiscard]] std::vector<std::size_t> candidates(const State& state, std::size_t receive) const;
  [[nodiscard]] static bool can_take(const State& state, const Receive& receive,
                                     std::size_t earlier, std::size_t message);
  [[nodiscard]] bool is_complete(const State& state, std::size_t r, int request) const;
  [[nodiscard]] bool is_through(const State& state, std::size_t r, const Operation& one,
                                std::size_t nth) const;
  void see_result(State& state, std::size_t r, const Operation& one, std::size_t nth);
  [[nodiscard]] std::vector<int> active(const State& state, std::size_t r,
                                        const std::vector<int>& requests) const;

  const Program& program_;
  MachineOptions options_;
  Logs logs_;
  std::vector<State> following_;
};

}  // namespace mazurka::mpi_reference
