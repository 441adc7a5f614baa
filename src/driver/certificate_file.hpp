// Writes certificates: the executions of a search, for the checker of its own in `certify`.
//
// What the program does is written as a tree for each process, which grows as executions come:
// a node has the operation that comes next, and its children the outcomes that this has had.
// A schedule is then little more than a row of process numbers. The checker trusts none of it, so
// nothing here has to be right for its verdict to be: docs/certificates.md has the format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mazurka::certificate {

enum class Kind : std::uint8_t { memory, mutex, semaphore, read_write_lock, barrier, condition };

enum class Action : std::uint8_t {
  read,
  write,
  update,
  compare_exchange,
  add,
  flip_bits,
  set_bits,
  clear_bits,
  await,
  lock,
  unlock,
  try_lock,
  reset,
  take,
  post,
  try_take,
  look,
  lock_alone,
  unlock_alone,
  try_alone,
  share,
  stop_sharing,
  try_share,
  arrive,
  leave,
  wait_in_order,
  wait,
  woken,
  wake_first,
  wake_any,
  wake_all,
};

inline constexpr std::uint32_t nothing = 0xffffffff;

struct Part {
  std::uint32_t object = 0;
  Action action = Action::read;
  std::uint8_t width = 8;
  std::uint64_t operand = 0;
};

struct Operation {
  bool end = false;   // the process has ended
  bool exit = false;  // ends the program after every other step
  std::uint32_t joins = nothing;
  std::uint32_t choices = 1;
  std::vector<Part> parts;
  std::vector<std::uint32_t> spawns;
};

struct PartOutcome {
  bool succeeded = true;
  std::uint64_t observed = 0;
  std::uint64_t written = 0;
};

struct Outcome {
  std::uint32_t choice = 0;
  std::vector<PartOutcome> parts;
};

struct Step {
  std::uint32_t process = 0;
  Operation operation;
  Outcome outcome;
};

class Writer {
 public:
  Writer(std::string_view technique, std::string_view model);

  /// Processes and objects get the numbers 0, 1, ... in this order.
  void add_process(std::uint32_t parent, std::uint32_t nth);  // `nothing`: there from the beginning
  std::uint32_t add_object(Kind kind, std::uint64_t initial);
  [[nodiscard]] std::uint32_t processes() const {
    return static_cast<std::uint32_t>(first_.size());
  }

  /// One execution: its steps, and what each process that was created would do next.
  void add(const std::vector<Step>& steps,
           const std::vector<std::pair<std::uint32_t, Operation>>& last);

  /// The search did not see everything, or what it saw cannot be written down.
  void incomplete(std::string_view why);
  void not_covered(std::string_view what);

  /// The whole certificate; nothing may be added to it any more.
  [[nodiscard]] std::string finish();

 private:
  struct Node {
    std::uint32_t operation = 0;
    std::string outcome;  // as it is written
    std::vector<std::uint32_t> children;
  };

  void number(std::uint64_t value);
  void text(std::string_view value);
  [[nodiscard]] std::uint32_t number_of(const Operation& operation);
  [[nodiscard]] std::uint32_t first_node(std::uint32_t process, const Operation& operation,
                                         std::uint32_t& nth);
  [[nodiscard]] std::uint32_t next_node(std::uint32_t node, const Step& step,
                                        const Operation& operation, std::uint32_t& nth);

  std::string bytes_;
  std::unordered_map<std::string, std::uint32_t> operations_;  // as they are written
  std::vector<Node> nodes_;
  std::vector<std::vector<std::uint32_t>> first_;                // per process: its first nodes
  std::vector<std::pair<std::uint32_t, std::uint32_t>> latest_;  // the last schedule
  std::uint32_t objects_ = 0;
  std::uint64_t schedules_ = 0;
};

}  // namespace mazurka::certificate
