// A small concurrent program on atomic variables, as data, for questions about memory models.
//
// One list of operations per thread is the source of everything: it is printed as C and explored by
// the checker, and its execution graphs are enumerated by brute force (graphs.hpp). What a thread
// reads goes into a list; main reports the lists and the last values in the end.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace mazurka::memory {

enum class Order : std::uint8_t { relaxed, acquire, release, acquire_release, seq_cst };

struct Operation {
  enum class Kind : std::uint8_t {
    read,
    write,
    add,
    compare_exchange,
    fence,
    assume,
    lock,
    unlock,
    take,  // a token of the semaphore
    give   // ... back, or a new one
  };
  Kind kind{};
  int variable = 0;  // of lock and unlock: the mutex
  int value = 0;     // written, added, assumed to have been read last
  int expected = 0;
  Order order = Order::relaxed;
  Order failure = Order::relaxed;
  std::optional<int> only_if = std::nullopt;  // this was read last
  bool weak = false;                          // a compare-exchange that may fail without a reason
  bool unused = false;                        // what it reads is told to nobody
};

struct Program {
  static constexpr int mutexes = 2;

  int variables = 0;
  int tokens = 0;  // of the semaphore, in the beginning
  std::vector<std::vector<Operation>> threads;
};

/// The number of events that its graphs can have.
[[nodiscard]] std::size_t size_of(const Program& program);

[[nodiscard]] Program random_program(std::uint64_t seed, std::size_t least_events,
                                     std::size_t most_events);

/// Nearly all of it reads and writes of several variables, and fences between them.
[[nodiscard]] Program random_weak_program(std::uint64_t seed, std::size_t least_events,
                                          std::size_t most_events);

/// Much of it is between locks, of which there are two, and tokens of a semaphore: there may be
/// deadlocks.
[[nodiscard]] Program random_waiting_program(std::uint64_t seed, std::size_t least_events,
                                             std::size_t most_events);

/// The same with weak compare-exchanges in the place of all read-modify-writes.
[[nodiscard]] Program with_weak_exchanges(Program program);

/// The same, but nobody looks at the results of additions.
[[nodiscard]] Program with_unused_results(Program program);

/// One line for people.
[[nodiscard]] std::string to_text(const Program& program);

/// How the C program below tells an outcome if it is asked for any. Findings take time, so most
/// outcomes are only counted.
enum class Told : std::uint8_t { by_finding, by_exit_code, by_nothing };
[[nodiscard]] Told how_told(std::string_view outcome);

/// A C program that performs the n-th of them if its argument is n, and reports the outcome as a
/// finding. "all": it chooses one of them, whose number comes before the outcome; "any": so it
/// does, and tells that as above.
[[nodiscard]] std::string to_c(const std::vector<Program>& programs);

}  // namespace mazurka::memory
