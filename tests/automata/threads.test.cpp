// The stateful search by several threads: the same nodes where they do not depend on the order,
// else the same verdicts, on models of a size at which threads do meet. (Random systems:
// search.test.cpp.)
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "explorers/stateful/crew.hpp"
#include "explorers/stateful/portfolio.hpp"
#include "explorers/stateful/shared_search.hpp"
#include "programs/automata/builder.hpp"
#include "programs/automata/models.hpp"

namespace mazurka::automata_test {
namespace {

using namespace stateful;

Settings by_all(const Variant& variant) {
  Settings settings;
  settings.variant = variant;
  settings.stop_at_finding = false;
  return settings;
}

struct Instance {
  const char* model;
  int size;
};

Network made(const Instance& one) {
  if (one.model == std::string("locks")) return automata::multi_locks(one.size, 3, 6, 1);
  return automata::find_model(one.model)->make(one.size);
}

class Models : public testing::TestWithParam<Instance> {};

TEST_P(Models, AreTheSameForAnyNumberOfThreads) {
  const System system(made(GetParam()));
  for (const Variant& variant : variants()) {
    if (variant.test == stateful::Test::exact) continue;  // for small systems only
    Settings settings = by_all(variant);
    const Result alone = search(system, settings);
    for (const unsigned threads : {1U, 2U, 4U}) {
      settings.threads = threads;
      const Result together = search_together(system, settings);
      const std::string who = std::string(variant.name) + " " + std::to_string(threads);
      EXPECT_EQ(together.end, End::complete) << who;
      EXPECT_EQ(together.counts.terminal, alone.counts.terminal) << who;
      EXPECT_EQ(together.counts.deadlocks, alone.counts.deadlocks) << who;
      EXPECT_EQ(together.deadlock.has_value(), alone.deadlock.has_value()) << who;
      const bool same_order = threads == 1 || !variant.sleep;
      if (same_order) {
        EXPECT_EQ(together.counts.nodes, alone.counts.nodes) << who;
        EXPECT_EQ(together.counts.states, alone.counts.states) << who;
      }
      EXPECT_GE(together.counts.nodes, together.counts.states) << who;
      if (!variant.reduced && alone.deadlock) {
        EXPECT_EQ(together.deadlock->size(), alone.deadlock->size()) << who << ": not a shortest";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Papers, Models,
                         testing::Values(Instance{"bg", 2}, Instance{"mpat", 4}, Instance{"pet", 3},
                                         Instance{"dp", 5}, Instance{"dp2", 4}, Instance{"lz", 6},
                                         Instance{"disp", 3}, Instance{"fs", 4}, Instance{"qo", 8},
                                         Instance{"tk", 4}, Instance{"locks", 6}),
                         [](const auto& one) {
                           return std::string(one.param.model) + std::to_string(one.param.size);
                         });

TEST(Threads, StopAtTheirLimits) {
  const System system(automata::find_model("dp")->make(9));
  for (const char* name : {"reach", "full+sleep", "pifs"}) {
    Settings settings = by_all(*find_variant(name));
    settings.threads = 3;
    settings.max_nodes = 1000;
    const Result limited = search(system, settings);
    EXPECT_EQ(limited.end, End::max_nodes) << name;
    EXPECT_GE(limited.counts.nodes, 1000U) << name;
    EXPECT_LT(limited.counts.nodes, 10'000U) << name;
    settings.max_nodes = 0;
    settings.interrupted = [](const Counts&) { return true; };
    EXPECT_EQ(search(system, settings).end, End::interrupted) << name;
  }
}

// Whoever is asked and told need not know of threads.
TEST(Threads, TellTheOneWhoCalled) {
  const System system(automata::multi_locks(8, 4, 8, 1));
  for (const char* name : {"reach", "full+sleep", "pifs"}) {
    Settings settings = by_all(*find_variant(name));
    settings.threads = 4;
    std::uint64_t told = 0;
    std::uint64_t nodes = 0;
    const auto here = std::this_thread::get_id();
    settings.found = [&](const Result& so_far) {
      EXPECT_EQ(std::this_thread::get_id(), here);
      EXPECT_TRUE(so_far.deadlock);
      ++told;
    };
    settings.interrupted = [&](const Counts& so_far) {
      EXPECT_EQ(std::this_thread::get_id(), here);
      EXPECT_GE(so_far.nodes, nodes);
      nodes = so_far.nodes;
      return false;
    };
    const Result result = search(system, settings);
    EXPECT_TRUE(result.deadlock) << name;
    EXPECT_EQ(told, 1U) << name;
    EXPECT_GE(result.counts.nodes, nodes) << name;
    settings.stop_at_finding = true;
    nodes = 0;
    EXPECT_EQ(search(system, settings).end, End::finding) << name;
  }
}

TEST(Threads, OneIsEnoughForAWhile) {
  const System system(automata::find_model("dp")->make(6));
  for (const char* name : {"full+sleep", "pifs", "closure"}) {
    Settings settings = by_all(*find_variant(name));
    const Result alone = search(system, settings);
    settings.threads = 4;
    settings.alone_until = std::chrono::steady_clock::now() + std::chrono::hours(1);
    const Result together = search(system, settings);
    EXPECT_EQ(together.counts.nodes, alone.counts.nodes) << name;
    EXPECT_EQ(together.counts.edges, alone.counts.edges) << name;
    EXPECT_EQ(together.deadlock, alone.deadlock) << name;
  }
}

TEST(Threads, DepthIsLimitedByLevels) {
  const System system(automata::find_model("dp")->make(6));
  Settings settings = by_all(*find_variant("reach"));
  settings.max_depth = 7;
  const Result alone = search(system, settings);
  settings.threads = 3;
  const Result together = search(system, settings);
  EXPECT_GT(alone.counts.cut, 0U);
  EXPECT_EQ(together.counts.cut, alone.counts.cut);
  EXPECT_EQ(together.counts.nodes, alone.counts.nodes);
  settings.variant = *find_variant("pifs");
  EXPECT_THROW((void)search(system, settings), std::invalid_argument);
}

TEST(Threads, ThePortfolioFinishesLargeInstances) {
  for (const auto& [model, size] : {std::pair{"qo", 60}, {"disp", 30}, {"bg", 6}, {"lz", 11}}) {
    Settings settings;
    settings.threads = 3;
    const PortfolioResult found =
        search_portfolio(automata::find_model(model)->make(size), settings);
    EXPECT_EQ(found.result.end, End::complete) << model << " " << size;
    EXPECT_EQ(found.result.counts.deadlocks, 0U);
  }
}

TEST(Threads, WhatOneThrowsIsThrown) {
  const Settings settings = by_all(*find_variant("reach"));
  Crew crew(settings, 3);
  std::atomic<unsigned> ended = 0;
  EXPECT_THROW((void)crew.run([&](unsigned thread) {
    if (thread == 1) throw std::bad_alloc();
    while (!crew.over()) std::this_thread::yield();
    ++ended;
  }),
               std::bad_alloc);
  EXPECT_EQ(ended, 2U);
}

}  // namespace
}  // namespace mazurka::automata_test
