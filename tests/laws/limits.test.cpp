// Searches that are cut, stopped or large.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "core/session.hpp"
#include "explorers/table.hpp"
#include "oracle/generator.hpp"
#include "oracle/model_program.hpp"

namespace mazurka {
namespace {

using oracle::Model;
using oracle::ModelProgram;
using oracle::ModelStep;
using oracle::Op;

Model racing_writers(std::uint8_t count) {
  Model model;
  for (std::uint8_t process = 0; process < count; ++process) {
    model.processes.push_back({true, {ModelStep{Op::write, 0, 0, process}}});
  }
  return model;
}

/// The first process creates many; each takes one step, on its own object except for the last two.
class Crowd final : public Program {
 public:
  explicit Crowd(std::size_t size) : size_(size) {
    vocabulary_.add_kind("variable", {{"read"}, {"write"}});
    vocabulary_.declare_independent(0, 0, 0);
  }
  [[nodiscard]] const Vocabulary& vocabulary() const override { return vocabulary_; }

  void run(Run& run) override {
    std::size_t created = 0;
    run.announce(Run::root(), {}, true);
    while (const auto decision = run.next()) {
      if (decision->process != Run::root()) {
        if (!run.commit()) return;
        run.finish(decision->process);
        continue;
      }
      const std::array<ProcessId, 1> child{run.create(Run::root())};
      if (!run.commit({}, 1, child)) return;
      const std::size_t object = ++created == size_ ? created - 1 : created;
      const std::array<Access, 1> write{Access{static_cast<ObjectId>(object), 0, 1}};
      run.announce(child[0], {write}, true);
      if (created < size_) {
        run.announce(Run::root(), {}, true);
      } else {
        run.finish(Run::root());
      }
    }
  }

 private:
  std::size_t size_;
  Vocabulary vocabulary_;
};

TEST(Limits, ThousandsOfProcesses) {
  for (const std::string_view technique : {"dpor", "source", "optimal"}) {
    Crowd crowd(1500);
    Session session(crowd, {});
    EXPECT_TRUE(find_technique(technique)->make()->explore(session)) << technique;
    EXPECT_EQ(session.statistics().executions, 2U) << technique;
    EXPECT_EQ(session.statistics().processes, 1501U);
  }
}

bool goes_by_observers(const Technique& technique) {
  return technique.promises.seen == Promises::Seen::observed_traces ||
         technique.promises.seen == Promises::Seen::observed_states;
}

TEST(Limits, EveryTechniqueStopsAfterEnoughExecutions) {
  int tried = 0;
  for (const Technique* const one : general_techniques()) {
    const Technique& technique = *one;
    if (goes_by_observers(technique)) continue;  // nobody observes these writes
    ++tried;
    ModelProgram program(racing_writers(5));
    Session session(program, {.max_executions = 10});
    EXPECT_FALSE(technique.make()->explore(session)) << technique.name;
    EXPECT_EQ(session.stopped(), Stop::max_executions);
    EXPECT_EQ(session.statistics().executions + session.statistics().asleep, 10U);
  }
  EXPECT_GE(tried, 7);
}

TEST(Limits, ALimitThatIsJustEnoughDoesNotCutTheSearch) {
  int tried = 0;
  for (const Technique* const one : general_techniques()) {
    const Technique& technique = *one;
    if (goes_by_observers(technique)) continue;  // nobody observes these writes
    ++tried;
    ModelProgram program(racing_writers(3));
    Session session(program, {.max_executions = 6});
    EXPECT_TRUE(technique.make()->explore(session)) << technique.name;
    EXPECT_EQ(session.statistics().executions, 6U);
  }
  EXPECT_GE(tried, 7);
}

TEST(Limits, TheFirstFindingStopsTheSearch) {
  Model model = racing_writers(2);
  model.processes.push_back({true, {ModelStep{Op::check, 0, 0, 1}}});
  for (const Technique* const one : general_techniques()) {
    const Technique& technique = *one;
    ModelProgram program(model);
    Session session(program, {});
    EXPECT_FALSE(technique.make()->explore(session)) << technique.name;
    EXPECT_EQ(session.stopped(), Stop::finding);
    EXPECT_EQ(session.findings().size(), 1U);
  }
}

// What lies beyond the bound is not seen, but the search ends in good order.
TEST(Limits, ExecutionsCanBeCut) {
  std::map<std::string_view, std::uint64_t> cut;  // by technique
  for (const oracle::Features& features : oracle::feature_sets()) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      for (const Technique* const one : general_techniques()) {
        const Technique& technique = *one;
        ModelProgram program(oracle::random_model(seed, features));
        Session session(program, {.max_executions = 5000, .max_events = 3, .keep_going = true});
        EXPECT_TRUE(technique.make()->explore(session)) << technique.name << ", seed " << seed;
        EXPECT_FALSE(session.divergence());
        EXPECT_LE(session.statistics().deepest, 3U);
        cut[technique.name] += session.statistics().cut;
        if (technique.name == "optimal") {
          EXPECT_EQ(session.statistics().asleep, 0U);
        }
      }
    }
  }
  EXPECT_EQ(cut.size(), general_techniques().size());
  for (const auto& [name, executions] : cut) EXPECT_GT(executions, 100U) << name;
}

}  // namespace
}  // namespace mazurka
