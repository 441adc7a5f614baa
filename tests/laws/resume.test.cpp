// An exploration that is cut, saved, and continued by others is the same exploration.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/archive.hpp"
#include "core/session.hpp"
#include "explorers/table.hpp"
#include "oracle/generator.hpp"
#include "oracle/model_program.hpp"
#include "oracle/parted_search.hpp"
#include "oracle/saved_search.hpp"

namespace mazurka {
namespace {

using oracle::Model;
using oracle::ModelProgram;

constexpr std::uint64_t too_many = 3000;

struct Result {
  Statistics statistics;
  std::vector<std::string> findings;
  bool all = false;
};

Result result_of(const Session& session, bool all) {
  Result result{session.statistics(), {}, all};
  for (const Finding& finding : session.findings()) result.findings.push_back(finding.key);
  return result;
}

Result in_one_go(const Model& model, const Technique& technique) {
  ModelProgram program(model);
  Session session(program, {.max_executions = too_many, .keep_going = true});
  return result_of(session, technique.make()->explore(session));
}

/// A new program, session and explorer after every `stride` executions; only bytes are handed on.
Result in_pieces(const Model& model, const Technique& technique, std::uint64_t stride,
                 std::uint64_t& pieces) {
  std::vector<std::byte> saved;
  for (std::uint64_t limit = stride;; limit += stride) {
    ++pieces;
    ModelProgram program(model);
    Session session(program, {.max_executions = limit, .keep_going = true});
    const std::unique_ptr<Explorer> explorer = technique.make();
    const std::vector<std::byte> before = saved;
    oracle::save_when_stopped(session, *explorer, saved);
    bool all = false;
    if (limit == stride) {
      all = explorer->explore(session);
    } else {
      ArchiveReader archive(before);
      all = oracle::resume(session, *explorer, archive);
      archive.expect_end();
    }
    if (all || session.stopped() != Stop::max_executions || limit >= too_many) {
      return result_of(session, all);
    }
  }
}

TEST(Resume, SameExecutionsEachOnce) {
  std::uint64_t compared = 0;
  std::uint64_t pieces = 0;
  for (const oracle::Features& features : oracle::feature_sets()) {
    for (std::uint64_t seed = 900; seed < 912; ++seed) {
      const Model model = oracle::random_model(seed, features);
      for (const Technique* const technique : oracle::resumable_techniques()) {
        SCOPED_TRACE(std::string(technique->name) + ", " + std::string(features.name) + ", seed " +
                     std::to_string(seed));
        const Result whole = in_one_go(model, *technique);
        if (!whole.all) continue;  // too many executions
        ++compared;
        const std::uint64_t stride = 1 + whole.statistics.executions / 7;
        const Result again = in_pieces(model, *technique, stride, pieces);
        EXPECT_TRUE(again.all);
        EXPECT_EQ(again.statistics.executions, whole.statistics.executions);
        EXPECT_EQ(again.statistics.asleep, whole.statistics.asleep);
        EXPECT_EQ(again.statistics.events, whole.statistics.events);
        EXPECT_EQ(again.statistics.skipped, whole.statistics.skipped);
        EXPECT_EQ(again.statistics.digest, whole.statistics.digest);
        EXPECT_EQ(again.findings, whole.findings);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
  EXPECT_GT(compared, 500U);
  EXPECT_GT(pieces, 3 * compared);
}

Result in_parts(const Model& model, const Technique& technique, std::uint64_t seed) {
  oracle::PartedSearch search;
  search.seed = seed;
  search.make_explorer = [&] { return technique.make(); };
  search.make_part = [&]() -> oracle::PartedSearch::Part {
    return {std::make_unique<ModelProgram>(model), nullptr, nullptr};
  };
  EXPECT_TRUE(search.run()) << search.problem;
  EXPECT_NEAR(search.explored, 1, 1e-6);
  Result result;
  result.statistics = search.statistics;
  for (const Finding& finding : search.findings) result.findings.push_back(finding.key);
  std::sort(result.findings.begin(), result.findings.end());
  result.findings.erase(std::unique(result.findings.begin(), result.findings.end()),
                        result.findings.end());
  return result;
}

TEST(Resume, PartsAddUpToTheWhole) {
  std::uint64_t compared = 0;
  for (const Technique& technique : techniques()) {
    if (!technique.divisible) continue;
    for (const oracle::Features& features : oracle::feature_sets()) {
      for (std::uint64_t seed = 300; seed < 330; ++seed) {
        SCOPED_TRACE(std::string(technique.name) + ", " + std::string(features.name) + ", seed " +
                     std::to_string(seed));
        const Model model = oracle::random_model(seed, features);
        Result whole = in_one_go(model, technique);
        if (!whole.all || whole.statistics.executions > 500) continue;
        ++compared;
        const Result parts = in_parts(model, technique, seed);
        std::sort(whole.findings.begin(), whole.findings.end());
        EXPECT_EQ(parts.statistics.executions, whole.statistics.executions);
        EXPECT_EQ(parts.statistics.asleep, whole.statistics.asleep);
        EXPECT_EQ(parts.findings, whole.findings);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
  EXPECT_GT(compared, 100U);
}

TEST(Resume, TheTableSaysWhichTechniquesCan) {
  for (const Technique& technique : techniques()) {
    if (technique.create == nullptr) continue;
    EXPECT_EQ(technique.make()->resumable(), technique.resumable) << technique.name;
  }
  EXPECT_EQ(oracle::resumable_techniques().size(), 8U);
}

}  // namespace
}  // namespace mazurka
