// All techniques against brute force on random programs, and proof that the oracle can fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/happens_before.hpp"
#include "explorers/path.hpp"
#include "explorers/registry.hpp"
#include "explorers/reversal.hpp"
#include "oracle/brute_force.hpp"
#include "oracle/checker.hpp"
#include "oracle/generator.hpp"

namespace mazurka::oracle {
namespace {

constexpr std::uint64_t programs_per_feature_set = 200;

Model writers(std::initializer_list<std::vector<ModelStep>> processes) {
  Model model;
  for (const auto& steps : processes) model.processes.push_back({true, steps});
  return model;
}

std::size_t traces(const Model& model) {
  return enumerate_interleavings(model, most_interleavings).value().traces.size();
}

// --- the oracle itself ---------------------------------------------------------------------------

TEST(BruteForce, CountsTracesThatAreKnown) {
  const ModelStep write{Op::write, 0, 0, 1};
  const ModelStep read{Op::read, 0};
  EXPECT_EQ(traces(writers({{write}, {write}, {write}})), 6U);
  EXPECT_EQ(traces(writers({{write}, {read}, {read}})), 4U);
  EXPECT_EQ(traces(writers({{read}, {read}, {read}})), 1U);
  EXPECT_EQ(traces(writers({{{Op::lock, 0}}, {{Op::lock, 0}}})), 2U);
  EXPECT_EQ(traces(writers({{{Op::choose, 0, 0, 3}}, {{Op::exit}}})), 4U);
}

TEST(BruteForce, OneTraceHasOneFinalState) {
  for (const Features& features : feature_sets()) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      const Model model = random_model(seed, features);
      const auto truth = enumerate_interleavings(model, most_interleavings);
      if (truth) {
        EXPECT_FALSE(truth->inconsistent) << to_string(model);
      }
    }
  }
}

// --- the techniques ------------------------------------------------------------------------------

class Techniques : public testing::TestWithParam<Features> {};

void expect_agreement(const Model& model, const Truth& truth, const Technique& technique,
                      std::uint64_t model_seed, std::uint64_t order) {
  const std::string problem =
      compare(model, truth, *technique.make(), promises_of(technique.name), order);
  if (problem.empty()) return;
  const Model small =
      shrink(model, [&](const Model& other) { return !compare(other, technique, order).empty(); });
  ADD_FAILURE() << technique.name << ", seed " << model_seed << ", order " << order << ": "
                << problem << "\nshrunk (" << compare(small, technique, order) << "):\n"
                << to_string(small);
}

TEST_P(Techniques, AgreeWithBruteForce) {
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; compared < programs_per_feature_set; ++seed) {
    const Model model = random_model(seed, GetParam());
    const auto truth = enumerate_interleavings(model, most_interleavings);
    if (!truth) continue;
    ++compared;
    for (const Technique& technique : techniques()) {
      expect_agreement(model, *truth, technique, seed, 0);
      if (technique.name != "exhaustive") expect_agreement(model, *truth, technique, seed, seed);
    }
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Features, Techniques,
                         testing::ValuesIn(feature_sets().begin(), feature_sets().end()),
                         [](const auto& which) { return std::string(which.param.name); });

// Races between repeated events may ask for more when the execution goes on differently.
TEST(Optimal, ReconsidersRacesOfRepeatedEvents) {
  const Model model = writers({{{Op::write, 0, 0, 0}},
                               {{Op::write, 0, 0, 1}},
                               {{Op::write, 1, 0, 1}, {Op::write, 1, 0, 1}},
                               {{Op::check, 1, 0, 0}, {Op::write, 0, 0, 2}}});
  EXPECT_EQ(compare(model, *find_technique("optimal")), "");
}

// The printed rule together with sleep sets misses one of the eight traces.
TEST(Dpor, AsksForWhatASleepingStepWouldHaveAskedFor) {
  const Model model =
      writers({{{Op::read, 1}}, {{Op::read, 0}}, {{Op::copy, 0, 1}}, {{Op::write, 0}}});
  for (std::uint64_t order = 0; order < 50; ++order) {
    EXPECT_EQ(compare(model, *find_technique("dpor"), order), "");
  }
}

// --- techniques that are wrong -------------------------------------------------------------------

// Source DPOR that overlooks one kind of race.
class Careless final : public Explorer {
 public:
  explicit Careless(Race::Kind overlooked) : overlooked_(overlooked) {}

  bool explore(Session& session) override {
    Path path(session, Path::Sleepers::kept_asleep, false);
    HappensBefore happens_before(session.vocabulary());
    Reversal reversal(session.vocabulary(), happens_before, path.sleepers());
    Agenda agenda;
    while (path.perform()) {
      happens_before.update(path.execution(), path.kept());
      for (const Race& race : happens_before.races()) {
        if (race.kind == overlooked_ || reversal.begins_asleep(path.execution(), race)) continue;
        reversal.build_brief();
        ask_for_an_initial(agenda, reversal);
      }
      const std::size_t node = agenda.deepest();
      if (node == OpenNodes::none) return true;
      path.put_to_sleep(node);
      path.leave(node);
      path.decide(agenda.take(node));
    }
    return false;
  }

 private:
  Race::Kind overlooked_;
};

class Overlooked : public testing::TestWithParam<Race::Kind> {};

TEST_P(Overlooked, IsNoticed) {
  const Features& everything = feature_sets().back();
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const auto problem = [](const Model& model) -> std::string {
      const auto truth = enumerate_interleavings(model, most_interleavings);
      if (!truth) return {};
      Careless careless(GetParam());
      return compare(model, *truth, careless, {});
    };
    const Model model = random_model(seed, everything);
    if (problem(model).empty()) continue;
    const Model small = shrink(model, [&](const Model& other) { return !problem(other).empty(); });
    EXPECT_NE(problem(small).find("missing"), std::string::npos) << problem(small);
    std::size_t steps = 0;
    for (const ModelProcess& process : small.processes) steps += process.steps.size();
    EXPECT_LE(steps, 4U) << to_string(small);
    return;
  }
  FAIL() << "500 programs did not show it";
}

INSTANTIATE_TEST_SUITE_P(Races, Overlooked,
                         testing::Values(Race::Kind::events, Race::Kind::pending,
                                         Race::Kind::alternative),
                         [](const auto& which) -> std::string {
                           switch (which.param) {
                             case Race::Kind::events: return "Events";
                             case Race::Kind::pending: return "Pending";
                             case Race::Kind::alternative: return "Alternative";
                           }
                           return "Unknown";
                         });

// Promises that are not kept are noticed too.
TEST(Checker, NoticesUnkeptPromises) {
  const Model same_trace_twice = writers({{{Op::read, 0}}, {{Op::read, 0}}});
  const auto truth = enumerate_interleavings(same_trace_twice, most_interleavings).value();
  const auto exhaustive = find_technique("exhaustive");
  const auto optimal = find_technique("optimal");
  EXPECT_NE(compare(same_trace_twice, truth, *exhaustive->make(), {.each_trace_once = true}), "");
  EXPECT_NE(compare(same_trace_twice, truth, *optimal->make(), {.every_interleaving = true}), "");
  const auto sleep = find_technique("sleep");
  EXPECT_NE(compare(same_trace_twice, truth, *sleep->make(), {.never_asleep = true}), "");
}

}  // namespace
}  // namespace mazurka::oracle
