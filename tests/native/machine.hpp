// The reference's machine: a program of program.hpp as instructions, and what each of them can do.
//
// Idea. A step is one instruction that others can notice, with the local ones after it. Everything
// else is written down as the standard has it, without any regard to how the checker does it: a
// signal wakes any of those who wait, the serial thread of a barrier is any of its threads, who
// waits for a limited time may give up at any moment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "native/program.hpp"

namespace mazurka::native {

using State = std::vector<std::uint32_t>;

enum class Ending : std::uint8_t {
  none,     // the program goes on
  over,     // main has returned, or somebody has called exit
  failure,  // an assertion
  memory,   // a block used or freed after it was freed
  misuse,   // more came to a latch or a barrier than were expected; what is in use is initialised
};

struct Successor {
  State state;
  Ending ending = Ending::none;
  std::string text;  // of the assertion
};

class Machine final {
 public:
  explicit Machine(const Program& program);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  [[nodiscard]] State initial() const;
  [[nodiscard]] std::size_t threads() const { return code_.size(); }
  [[nodiscard]] bool alive(const State& state, std::size_t thread) const;
  /// What this thread can do next; nothing: it waits.
  void successors(const State& state, std::size_t thread, std::vector<Successor>& out) const;
  /// Whether two threads are about to access a plain variable in conflict, or to initialise an
  /// object and to use it; or else (`blocks`) to access a block in conflict.
  [[nodiscard]] bool races(const State& state, bool blocks) const;

 private:
  enum class Code : std::uint8_t;
  struct Instruction;
  struct Thread;

  void compile(const Block& block, std::vector<Instruction>& code);
  void compile(const Statement& one, std::vector<Instruction>& code);
  void compile_spin(const Statement& one, std::vector<Instruction>& code);
  void compile_wait(const Statement& one, std::vector<Instruction>& code);
  void compile_phase(const Statement& one, std::vector<Instruction>& code);

  [[nodiscard]] const Instruction& at(const State& state, std::size_t thread) const;
  bool simple(State& state, std::size_t thread, const Instruction& one) const;
  bool local(State& state, std::size_t thread, const Instruction& one) const;
  void advance(State& state, std::size_t thread) const;
  void lock(State state, std::size_t thread, const Instruction& one,
            std::vector<Successor>& out) const;
  void gate(State state, std::size_t thread, const Instruction& one,
            std::vector<Successor>& out) const;
  void waiting(State state, std::size_t thread, const Instruction& one,
               std::vector<Successor>& out) const;
  void rouse(State state, std::size_t thread, const Instruction& one,
             std::vector<Successor>& out) const;
  void meet(State state, std::size_t thread, std::vector<Successor>& out) const;
  void latch(State state, std::size_t thread, const Instruction& one,
             std::vector<Successor>& out) const;
  void phase(State state, std::size_t thread, const Instruction& one,
             std::vector<Successor>& out) const;
  void heap(State state, std::size_t thread, const Instruction& one,
            std::vector<Successor>& out) const;
  void begin(State state, std::size_t thread, const Instruction& one,
             std::vector<Successor>& out) const;
  [[nodiscard]] bool in_use(const State& state, std::size_t thread, const Instruction& one) const;
  template <typename Predicate>
  [[nodiscard]] bool anybody_at(const State& state, const Predicate& wanted) const;
  [[nodiscard]] std::size_t place_of(std::uint32_t block) const;
  struct Touch;
  void touched(const State& state, std::size_t thread, bool blocks, std::vector<Touch>& out) const;
  void compile_own_block(const Statement& one, std::vector<Instruction>& code);
  void release(State& state, std::size_t thread, std::uint32_t how) const;
  void push(State state, std::size_t thread, std::vector<Successor>& out) const;
  [[nodiscard]] std::string report(const State& state) const;

  Program program_;
  std::vector<std::vector<Instruction>> code_;
  std::size_t function_ = 0;  // that is compiled
  std::vector<std::uint32_t>
      blocks_;  // those of threads, two each, and of the heap: their first values
};

}  // namespace mazurka::native
