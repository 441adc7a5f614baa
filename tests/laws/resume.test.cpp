// An exploration that is cut, saved, and continued by others is the same exploration.
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/archive.hpp"
#include "core/session.hpp"
#include "explorers/table.hpp"
#include "oracle/generator.hpp"
#include "oracle/model_program.hpp"

namespace mazurka {
namespace {

using oracle::Model;
using oracle::ModelProgram;

constexpr std::string_view resumable[] = {"exhaustive", "sleep", "dpor", "source", "optimal"};
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

Result in_one_go(const Model& model, std::string_view technique) {
  ModelProgram program(model);
  Session session(program, {.max_executions = too_many, .keep_going = true});
  return result_of(session, find_technique(technique)->make()->explore(session));
}

/// A new program, session and explorer after every `stride` executions; only bytes are handed on.
Result in_pieces(const Model& model, std::string_view technique, std::uint64_t stride) {
  std::vector<std::byte> saved;
  for (std::uint64_t limit = stride;; limit += stride) {
    ModelProgram program(model);
    Session session(program, {.max_executions = limit, .keep_going = true});
    const std::unique_ptr<Explorer> explorer = find_technique(technique)->make();
    const std::vector<std::byte> before = saved;
    session.on_pause = [&] {
      if (session.stopped() == Stop::none) return;
      saved.clear();
      ArchiveWriter archive(saved);
      session.save(archive);
      explorer->save(archive);
    };
    bool all = false;
    if (limit == stride) {
      all = explorer->explore(session);
    } else {
      ArchiveReader archive(before);
      session.load(archive);
      all = explorer->resume(session, archive);
      archive.expect_end();
    }
    if (all || session.stopped() != Stop::max_executions || limit >= too_many) {
      return result_of(session, all);
    }
  }
}

TEST(Resume, SameExecutionsEachOnce) {
  for (const oracle::Features& features : oracle::feature_sets()) {
    for (std::uint64_t seed = 900; seed < 912; ++seed) {
      const Model model = oracle::random_model(seed, features);
      for (const std::string_view technique : resumable) {
        SCOPED_TRACE(std::string(technique) + ", " + std::string(features.name) + ", seed " +
                     std::to_string(seed));
        const Result whole = in_one_go(model, technique);
        if (!whole.all) continue;
        const std::uint64_t stride = 1 + whole.statistics.executions / 7;
        const Result pieces = in_pieces(model, technique, stride);
        EXPECT_TRUE(pieces.all);
        EXPECT_EQ(pieces.statistics.executions, whole.statistics.executions);
        EXPECT_EQ(pieces.statistics.asleep, whole.statistics.asleep);
        EXPECT_EQ(pieces.statistics.events, whole.statistics.events);
        EXPECT_EQ(pieces.statistics.digest, whole.statistics.digest);
        EXPECT_EQ(pieces.findings, whole.findings);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(Resume, TheTableSaysWhichTechniquesCan) {
  std::size_t count = 0;
  for (const Technique& technique : techniques()) {
    if (technique.create == nullptr) continue;
    EXPECT_EQ(technique.make()->resumable(), technique.resumable) << technique.name;
    count += technique.resumable ? 1 : 0;
  }
  EXPECT_EQ(count, std::size(resumable) + 1);  // and bounded, which is not exhaustive
}

}  // namespace
}  // namespace mazurka
