// Executions made by hand, for the tests of what looks at them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/execution.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

enum VariableMode : std::uint8_t { read, write, attempt, sum };  // attempt: may only read
enum MutexMode : std::uint8_t { lock, unlock };
inline constexpr std::uint8_t variable = 0;
inline constexpr std::uint8_t mutex = 1;

/// Processes 0, 1, ... and what they do with variables and with one mutex.
class MadeExecution : public testing::Test {
 protected:
  MadeExecution() {
    vocabulary_.add_kind("variable", {{"read"},
                                      {"write"},
                                      {.name = "attempt", .attempts = true},
                                      {.name = "sum", .adds_up = true}});
    vocabulary_.declare_independent(variable, read, read);
    vocabulary_.declare_independent(variable, sum, sum);
    vocabulary_.add_kind(
        "mutex",
        {{"lock", [](std::uint16_t, std::uint64_t value) { return value == 0; }}, {"unlock"}});
  }

  static Access access(unsigned object, std::uint8_t mode) {
    return {ObjectId{object}, variable, mode};
  }
  static Access mutex_access(std::uint8_t mode) { return {ObjectId{9}, mutex, mode}; }

  static Step step(unsigned process, const std::vector<Access>& accesses) {
    Step made;
    made.decision.process = static_cast<ProcessId>(process);
    made.accesses = accesses;
    return made;
  }

  void event(unsigned process, const std::vector<Access>& accesses, std::uint64_t before = 0) {
    event(step(process, accesses), before);
  }
  void event(const Step& made, std::uint64_t before = 0, std::uint32_t cause = no_event) {
    std::uint32_t index_in_process = 0;
    for (std::size_t at = 0; at < execution_.size(); ++at) {
      if (execution_.steps.process(at) == made.process()) ++index_in_process;
    }
    execution_.steps.push_back(made);
    execution_.events.push_back({index_in_process, cause});
    execution_.before.resize(execution_.steps.access_count(), before);
    execution_.processes = std::max(execution_.processes, index(made.process()) + 1);
  }
  void waiting(unsigned process, const std::vector<Access>& accesses) {
    execution_.pending.push_back(step(process, accesses));
    execution_.pending_state.push_back({});
    execution_.processes = std::max<std::size_t>(execution_.processes, process + 1);
  }
  void cut_to(std::size_t size) {
    execution_.steps.truncate(size);
    execution_.events.resize(size);
    execution_.before.resize(execution_.steps.access_count());
  }

  Vocabulary vocabulary_;
  Execution execution_;
};

}  // namespace mazurka
