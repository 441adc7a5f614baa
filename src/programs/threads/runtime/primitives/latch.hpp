// The rule of a latch (std::latch): it opens when it has been counted down to zero, and stays open.
//
// A latch has no end of its own: its memory is used for something else, or for another latch. So
// what waits for one, and its value, say which of those at the address it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "core/vocabulary.hpp"
#include "native/memory_model/clocks.hpp"
#include "programs/threads/runtime/primitives/operations.hpp"

namespace mazurka::threads {
using namespace native;

class Latch {
 public:
  struct Waiting {
    ProcessId process{};
    std::uint16_t latch = 0;
    friend bool operator==(const Waiting&, const Waiting&) = default;
  };

  [[nodiscard]] static Access access(ObjectId object, std::uint8_t mode, std::uint16_t nth = 0) {
    return {object, kind::latch, mode, nth};
  }

  /// There is another one from now on, to be counted down so often.
  void set_up(std::uint64_t count) {
    ++nth_;
    left_ = count;
    is_set_up_ = true;
    counted_ = {};
  }
  /// Its memory was given back.
  void end() { is_set_up_ = false; }
  [[nodiscard]] bool is_set_up() const { return is_set_up_; }

  [[nodiscard]] std::uint64_t value() const { return latch_value(nth_, left_); }
  [[nodiscard]] std::uint64_t left() const { return left_; }
  [[nodiscard]] bool is_open() const { return left_ == 0; }
  [[nodiscard]] std::uint16_t nth() const { return static_cast<std::uint16_t>(nth_); }

  /// The process is parked until this one opens.
  void wait(ProcessId process) { waiting_.push_back({process, nth()}); }
  [[nodiscard]] const std::vector<Waiting>& waiting() const { return waiting_; }

  void count_down(std::uint64_t times) { left_ -= times; }
  /// Everybody who passes will know what the process has done so far.
  void count_down(ProcessId process, std::uint64_t times, Knowledge& knowledge) {
    count_down(times);
    counted_.publish(process, knowledge);
  }
  void pass(ProcessId process, Knowledge& knowledge) {
    std::erase_if(waiting_, [&](const Waiting& one) { return one.process == process; });
    counted_.pass_on(knowledge);
  }

  friend bool operator==(const Latch&, const Latch&) = default;

 private:
  bool is_set_up_ = false;
  std::uint64_t nth_ = 0;
  std::uint64_t left_ = 0;
  std::vector<Waiting> waiting_;
  Gathered counted_;
};

}  // namespace mazurka::threads
