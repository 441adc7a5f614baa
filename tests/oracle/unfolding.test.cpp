// The technique unfolding on shared variables: it is not for message programs only.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/session.hpp"
#include "explorers/table.hpp"
#include "oracle/brute_force.hpp"
#include "oracle/checker.hpp"
#include "oracle/generator.hpp"
#include "oracle/model_program.hpp"

namespace mazurka::oracle {
namespace {

constexpr std::uint64_t programs_per_feature_set = 150;

TEST(Unfolding, AgreesWithBruteForceWhereOperationsArePersistent) {
  const std::set<std::string_view> persistent{"plain", "choices", "processes", "exits",
                                              "exchanges"};
  std::size_t kinds = 0;
  for (const Features& features : feature_sets()) {
    if (!persistent.contains(features.name)) continue;
    ++kinds;
    std::uint64_t compared = 0;
    for (std::uint64_t seed = 1; compared < programs_per_feature_set; ++seed) {
      const Model model = random_model(seed, features);
      const auto truth = enumerate_interleavings(model, most_interleavings);
      if (!truth) continue;
      ++compared;
      for (const std::string technique : {"unfolding", "unfolding:1", "unfolding:3"}) {
        const Variant tried = variant(technique);
        const Promises promises = promises_of(tried, model);
        for (const std::uint64_t order : {std::uint64_t{0}, seed}) {
          EXPECT_EQ(compare(model, *truth, *tried.make(), promises, order), "")
              << technique << ", " << features.name << ", seed " << seed << ", order " << order
              << "\n"
              << to_string(model);
        }
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_EQ(kinds, persistent.size());
}

std::string refusal_of(std::vector<ModelStep> one, std::vector<ModelStep> other) {
  Model model;
  model.processes.push_back({true, std::move(one)});
  model.processes.push_back({true, std::move(other)});
  ModelProgram program(model);
  Session session(program, {});
  EXPECT_FALSE(find_technique("unfolding")->make()->explore(session));
  EXPECT_EQ(session.stopped(), Stop::refused);
  return session.refusal();
}

TEST(Unfolding, SaysWhichOperationIsNotPersistent) {
  const ModelStep lock{Op::lock, 0};
  EXPECT_NE(refusal_of({lock}, {lock}).find("`lock` of a mutex"), std::string::npos);
}

TEST(Unfolding, ARefusedProgramIsNotTakenForOneThatFailed) {
  Model model;
  model.processes.push_back({true, {{Op::lock, 0}}});
  EXPECT_EQ(compare(model, variant("unfolding")), refused_program);
  EXPECT_EQ(compare(model, variant("optimal")), "");
}

TEST(Techniques, TakeTheirOptions) {
  EXPECT_EQ(parse_technique("unfolding:2").error, "");
  EXPECT_EQ(parse_technique("unfolding:optimal").error, "");
  EXPECT_NE(parse_technique("unfolding:0").error, "");
  EXPECT_NE(parse_technique("unfolding:many").error, "");
  EXPECT_NE(parse_technique("optimal:2").error, "");
}

}  // namespace
}  // namespace mazurka::oracle
