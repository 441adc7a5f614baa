// What a process may still do from each of its local states, now or later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "explorers/stateful/system.hpp"

namespace mazurka::stateful {

class Ahead {
 public:
  // The least fixed point along the edges.
  explicit Ahead(const System& system) {
    for (std::uint32_t process = 0; process < system.processes(); ++process) {
      for (LocalState state = 0; state < system.states(process); ++state) {
        first_.push_back(columns_.size());
        columns_.resize(columns_.size() + words_for(system.columns(process)), 0);
      }
    }
    for (std::uint32_t process = 0; process < system.processes(); ++process) {
      while (look_further(system, process)) {
      }
    }
  }

  /// `row`: System::row_of; `column`: of the action in the process's table.
  [[nodiscard]] bool has(std::size_t row, std::uint32_t column) const {
    return contains(columns_.data() + first_[row], column);
  }

 private:
  bool look_further(const System& system, std::uint32_t process) {
    const std::size_t words = words_for(system.columns(process));
    bool changed = false;
    for (auto state = static_cast<LocalState>(system.states(process)); state-- > 0;) {
      Word* const here = columns_.data() + first_[system.row_of(process, state)];
      for (const System::Edge& edge : system.edges(process, state)) {
        if (!contains(here, edge.column)) {
          insert(here, edge.column);
          changed = true;
        }
        const std::size_t next = system.row_of(process, edge.target);
        changed = unite(here, columns_.data() + first_[next], words) || changed;
      }
    }
    return changed;
  }

  std::vector<std::size_t> first_;  // per row
  std::vector<Word> columns_;
};

}  // namespace mazurka::stateful
