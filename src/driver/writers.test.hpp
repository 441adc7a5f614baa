// A small program to be explored.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/program.hpp"
#include "core/run.hpp"

namespace mazurka {

/// Some processes, each of which writes to the same variable so many times; 0: for ever.
class Writers final : public Program {
 public:
  explicit Writers(std::size_t count, std::size_t writes = 1) : count_(count), writes_(writes) {
    vocabulary_.add_kind("variable", {{"write"}});
  }

  std::size_t first_to_fail = 0;  // this writer fails if it is the first to write; 0: none
  bool taught = false;            // something that changes the steps
  bool can_be_saved = true;
  bool aside = false;          // beside the search
  bool teaches_aside = false;  // executions beside the search do

  [[nodiscard]] const Vocabulary& vocabulary() const override { return vocabulary_; }
  [[nodiscard]] bool resumable() const override { return can_be_saved; }
  [[nodiscard]] bool abandoned() const override { return taught; }

  void run(Run& run) override {
    std::vector<std::size_t> written(count_ + 1, 0);
    std::size_t created = 0;
    std::size_t writes = 0;
    taught = taught || (aside && teaches_aside);
    run.announce(Run::root(), {}, true);
    while (const auto decision = run.next()) {
      const ProcessId writer = decision->process;
      if (writer == Run::root()) {
        const std::array<ProcessId, 1> child{run.create(Run::root())};
        if (!run.commit({}, 1, child)) break;
        run.announce(child[0], {variable_}, true);
        if (++created < count_) {
          run.announce(Run::root(), {}, true);
        } else {
          run.finish(Run::root());
        }
        continue;
      }
      if (!run.commit()) break;
      if (writes++ == 0 && index(writer) == first_to_fail) {
        run.fail(writer, FindingKind::assertion, "came first", "first");
      } else if (++written[index(writer)] == writes_) {
        run.finish(writer);
      } else {
        run.announce(writer, {variable_}, true);
      }
    }
  }

 private:
  std::size_t count_;
  std::size_t writes_;
  const std::array<Access, 1> variable_{};
  Vocabulary vocabulary_;
};

}  // namespace mazurka
