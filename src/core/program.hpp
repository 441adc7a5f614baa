// A front-end: something that can perform a schedule.
#pragma once

#include <cstdint>

#include "core/archive.hpp"
#include "core/network.hpp"
#include "core/run.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

/// What a process is to a front-end, for techniques that make use of it.
enum class Steps : std::uint8_t {
  many,  // whatever has a sequence of steps: a thread
  one,   // a message: its delivery is its only step, and the step that sent it is its cause
};

class Program {
 public:
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  virtual ~Program() = default;

  [[nodiscard]] virtual const Vocabulary& vocabulary() const = 0;

  /// Whether the program can tell its states apart (Schedule::record_states).
  [[nodiscard]] virtual bool has_states() const { return false; }

  /// Whether it can also look at the whole of a state again at each event
  /// (Schedule::whole_states).
  [[nodiscard]] virtual bool has_whole_states() const { return false; }

  /// Whether nothing but the state decides what can still go wrong. It may turn out that something
  /// else does (abandoned()): then techniques that compare states must not.
  [[nodiscard]] virtual bool states_tell_all() const { return true; }

  /// Performs one execution from the initial state: the only virtual call per execution.
  virtual void run(Run& run) = 0;

  /// The latest execution was given up half-way: something was learnt from it that changes the
  /// steps, and the search must begin anew.
  [[nodiscard]] virtual bool abandoned() const { return false; }

  [[nodiscard]] virtual Steps steps() const { return Steps::many; }

  /// Whether what save_names() writes is enough for another process to go on with an exploration.
  [[nodiscard]] virtual bool resumable() const { return false; }
  /// How the objects are named so far; loaded into a program that has not run yet.
  virtual void save_names(ArchiveWriter&) const {}
  virtual void load_names(ArchiveReader&) {}

  /// The program as a network of automata, where it is one: for techniques that store states.
  [[nodiscard]] virtual const Network* network() const { return nullptr; }
};

}  // namespace mazurka
