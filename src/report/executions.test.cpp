// All executions of a search, told one by one.
#include "report/executions.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mazurka::report {
namespace {

/// Two writers of x in both orders; a third execution is given up.
Outcome two_writers() {
  Outcome outcome;
  outcome.verdict = Verdict::verified;
  outcome.program = "writers.c";
  outcome.technique = "optimal";
  ExplorationTree& tree = outcome.tree;
  tree.processes = {"T1", "T2"};
  tree.nodes.resize(1);
  const auto add = [&](std::uint32_t parent, std::uint32_t process, const char* action) {
    TreeNode& node = tree.nodes.emplace_back();
    node.parent = parent;
    node.depth = tree.nodes[parent].depth + 1;
    node.step = {process, action, "writers.c:3"};
  };
  const auto end = [&](std::uint64_t number, TreeEnd how, const char* state) {
    tree.nodes.back().end = how;
    tree.nodes.back().number = number;
    tree.nodes.back().state = state;
  };
  add(0, 0, "write x = 1");
  add(1, 1, "write x = 2");
  end(1, TreeEnd::complete, "x = 2");
  add(0, 1, "write x = 2");
  add(3, 0, "write x = 1");
  end(2, TreeEnd::failed, "x = 1");
  add(3, 1, "read x = 2");
  end(3, TreeEnd::asleep, "");
  tree.nodes[0].executions = 3;
  return outcome;
}

TEST(Executions, AreToldOneByOneWithTheirFinalStates) {
  EXPECT_EQ(executions(two_writers()),
            "writers.c: 2 executions, 2 final states (1 more begun and given up: what would follow "
            "is explored elsewhere)\n"
            "\nFinal states\n"
            "  x = 2: 1\n"
            "  x = 1 (failed): 2\n"
            "\nExecution 1\n"
            "  T1  write x = 1  writers.c:3\n"
            "  T2  write x = 2  writers.c:3\n"
            "  => x = 2\n"
            "\nExecution 2\n"
            "  T2  write x = 2  writers.c:3\n"
            "  T1  write x = 1  writers.c:3\n"
            "  => x = 1 (failed)\n");
}

TEST(Executions, AreTheSameAsJson) {
  const Json list = executions_json(two_writers().tree);
  ASSERT_EQ(list["executions"].size(), 2U);
  EXPECT_EQ(list["executions"][1]["end"], "failed");
  EXPECT_EQ(list["executions"][1]["steps"][0]["process"], "T2");
  EXPECT_EQ(list["final_states"][1]["executions"], Json::array({2}));
  EXPECT_EQ(list["given_up"], 1);
}

TEST(Executions, WhatNobodyHasLookedAtIsToldFromWhatHasNoVariables) {
  Outcome outcome = two_writers();
  outcome.tree.nodes[2].state.clear();
  outcome.tree.nodes[4].state.clear();
  outcome.tree.nodes[4].state_known = false;
  const std::string text = executions(outcome);
  EXPECT_NE(text.find("  no shared variables: 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  not looked at: the search was interrupted (failed): 2\n"),
            std::string::npos)
      << text;
  const Json list = executions_json(outcome.tree);
  EXPECT_EQ(list["executions"][0]["state"], "");
  EXPECT_TRUE(list["executions"][1]["state"].is_null());
  EXPECT_TRUE(list["final_states"][1]["state"].is_null());
}

TEST(Executions, AreNotListedWhereThereAreTooMany) {
  Outcome outcome = two_writers();
  outcome.tree.whole = false;
  EXPECT_NE(executions(outcome).find("too many executions to be listed"), std::string::npos);
  EXPECT_TRUE(executions_json(outcome.tree).is_null());
  outcome.tree = {};
  EXPECT_NE(executions(outcome).find("told of no executions"), std::string::npos);
  EXPECT_TRUE(executions_json(outcome.tree).is_null());
}

}  // namespace
}  // namespace mazurka::report
