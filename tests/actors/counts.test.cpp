// The programs of the papers' tables: their numbers of traces, and the cells of the tables.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "actors/programs.hpp"
#include "explorers/table.hpp"

namespace mazurka {
namespace {

using Start = void (*)(Setup&);

const std::map<std::string, Start>& programs() {
  static const std::map<std::string, Start> all{
      {"registry", registry::set_up},      {"fib5", fib5::set_up},
      {"quicksort6", quicksort6::set_up},  {"pi5", pi5::set_up},
      {"pipesort4", pipesort4::set_up},    {"chameneos2", chameneos2::set_up},
      {"leader4", leader4::set_up},        {"shortpath4", shortpath4::set_up},
      {"shortpath5", shortpath5::set_up},  {"regsim", regsim::set_up},
      {"regsim-2-level", regsim2::set_up}, {"diningphil", philosophers5::set_up},
  };
  return all;
}

CheckResult explore(Start system, const std::string& technique, Order order = Order::fifo,
                    bool sleep_sets = true) {
  CheckOptions options;
  options.technique = technique;
  options.order = order;
  options.sleep_sets = sleep_sets;
  options.keep_going = true;
  return check(system, options);
}

struct Traces {
  const char* name;
  Start system;
  std::uint64_t number;
};

class NumberOfTraces : public testing::TestWithParam<Traces> {};

TEST_P(NumberOfTraces, IsTheSameForAllThatCompleteEachOnce) {
  for (const char* technique : {"source", "optimal", "dpor", "trans"}) {
    const CheckResult result = explore(GetParam().system, technique);
    EXPECT_TRUE(result.complete) << result.error;
    EXPECT_EQ(result.executions, GetParam().number) << technique;
    if (std::string(technique) == "optimal") {
      EXPECT_EQ(result.asleep, 0U);
    }
  }
}

// Known in closed form, or counted by brute force.
INSTANTIATE_TEST_SUITE_P(
    Programs, NumberOfTraces,
    testing::Values(
        Traces{"registry", registry::set_up, 6}, Traces{"fib5", fib5::set_up, 16},
        Traces{"fib5_leaves", fib5_leaves::set_up, 128},
        Traces{"quicksort6", quicksort6::set_up, 32}, Traces{"mergesort9", mergesort9::set_up, 256},
        Traces{"pi5", pi5::set_up, 120}, Traces{"pipesort4", pipesort4::set_up, 288},
        Traces{"chameneos2", chameneos2::set_up, 216}, Traces{"leader4", leader4::set_up, 492},
        Traces{"shortpath4", shortpath4::set_up, 126},
        Traces{"shortpath5", shortpath5::set_up, 296}, Traces{"regsim", regsim::set_up, 720},
        Traces{"regsim2", regsim2::set_up, 1296}, Traces{"prodcons3", prodcons3::set_up, 20},
        Traces{"prodcons5", prodcons5::set_up, 252}, Traces{"reg4", reg4::set_up, 384},
        Traces{"philosophers5", philosophers5::set_up, 31},
        Traces{"polite_philosophers5", polite_philosophers5::set_up, 30}),
    [](const auto& test) { return std::string(test.param.name); });

// --- the tables, cell by cell -------------------------------------------------------------------

struct Row {
  std::string order, program, dpor_paths, dpor_transitions, trans_paths, trans_transitions;
};

std::vector<Row> read_table(const std::string& file) {
  std::ifstream in(std::string(MAZURKA_TABLES) + "/" + file);
  std::vector<Row> rows;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    Row row;
    for (std::string* cell : {&row.order, &row.program, &row.dpor_paths, &row.dpor_transitions,
                              &row.trans_paths, &row.trans_transitions}) {
      std::getline(cells, *cell, ',');
    }
    rows.push_back(row);
  }
  return rows;
}

Order order_of(const Row& row) {
  return row.order == "FIFO" ? Order::fifo : row.order == "ECA" ? Order::eca : Order::lca;
}

bool exact(const std::string& cell) { return !cell.empty() && cell[0] != '>'; }

/// How many numbers there were to compare.
int expect_cell(const Row& row, const std::string& technique, bool sleep_sets,
                const std::string& paths, const std::string& transitions) {
  if (!exact(paths)) return 0;
  SCOPED_TRACE(row.program + " " + row.order + " " + technique);
  const CheckResult result =
      explore(programs().at(row.program), technique, order_of(row), sleep_sets);
  EXPECT_EQ(std::to_string(result.executions), paths);
  if (!exact(transitions)) return 1;
  EXPECT_EQ(std::to_string(result.transitions), transitions);
  return 2;
}

TEST(TransDporPaper, Figure1) {
  EXPECT_EQ(explore(registry::set_up, "dpor", Order::fifo, false).executions, 24U);
  EXPECT_EQ(explore(registry::set_up, "trans", Order::fifo, false).executions, 10U);
}

class Table1 : public testing::TestWithParam<std::string> {};

TEST_P(Table1, CellByCell) {
  int compared = 0;
  for (const Row& row : read_table("transdpor-table1.csv")) {
    if (row.program != GetParam()) continue;
    compared += expect_cell(row, "dpor", false, row.dpor_paths, row.dpor_transitions);
    compared += expect_cell(row, "trans", false, row.trans_paths, row.trans_transitions);
  }
  EXPECT_GE(compared, 4);
}

INSTANTIATE_TEST_SUITE_P(TransDporPaper, Table1,
                         testing::Values("fib5", "quicksort6", "pi5", "pipesort4", "chameneos2",
                                         "leader4", "shortpath4", "shortpath5", "regsim"));

// Our own numbers of transitions where they are not the paper's; docs/actors.md says what is known
// about the reasons. The sources of the last two programs are not published.
std::string known_transitions(const Row& row, bool trans) {
  static const std::map<std::string, std::string> trans_differs{
      {"FIFO pipesort4", "1412"}, {"LCA pipesort4", "1923"}, {"ECA chameneos2", "1532"},
      {"ECA leader4", "3253"},    {"LCA leader4", "3295"},   {"ECA shortpath5", "1000"},
  };
  if (row.program == "regsim-2-level" || row.program == "diningphil") return "";
  const auto known = trans_differs.find(row.order + " " + row.program);
  if (trans && known != trans_differs.end()) return known->second;
  return trans ? row.trans_transitions : row.dpor_transitions;
}

TEST(TransDporPaper, Table2CellByCell) {
  int compared = 0;
  for (const Row& row : read_table("transdpor-table2-sleep.csv")) {
    // The paper's 29 paths of trans are two traces short: there are 31.
    const bool two_short = row.program == "diningphil" && row.order == "LCA";
    compared += expect_cell(row, "dpor", true, row.dpor_paths, known_transitions(row, false));
    compared += expect_cell(row, "trans", true, two_short ? "31" : row.trans_paths,
                            known_transitions(row, true));
  }
  EXPECT_GE(compared, 40);
}

// What plausible readings of the rules lose, according to experiments with them.
TEST(Rules, NothingIsLost) {
  // Asking for the last delivery that leads to a sending rather than the first: 14 of 16.
  EXPECT_EQ(explore(fib5::set_up, "dpor", Order::eca).executions, 16U);
  // A candidate that is asleep and freezes its node: 4 of 6, 154 of 720.
  EXPECT_EQ(explore(registry::set_up, "trans").executions, 6U);
  for (const Order order : {Order::fifo, Order::eca, Order::lca}) {
    EXPECT_EQ(explore(regsim::set_up, "trans", order).executions, 720U);
    // Guards: replacing what the node is frozen with although the candidate is disabled there.
    EXPECT_EQ(explore(philosophers5::set_up, "trans", order).executions, 31U);
    EXPECT_EQ(explore(philosophers5::set_up, "dpor", order).executions, 31U);
  }
}

// --- context sensitivity ------------------------------------------------------------------------

// C(2N, N) traces lead to 2^N final states, and no technique needs less.
void expect_between(Start system, std::uint64_t states, std::uint64_t traces) {
  EXPECT_EQ(explore(system, "source").executions, traces);
  int compared = 0;
  for (const Technique* const one : general_techniques()) {
    const Technique& technique = *one;
    if (technique.needs != Needs::states) continue;
    ++compared;
    const CheckResult result = explore(system, std::string(technique.name));
    EXPECT_TRUE(result.complete) << technique.name << result.error;
    EXPECT_GE(result.executions, states) << technique.name;
    EXPECT_LT(result.executions, traces) << technique.name;
  }
  EXPECT_GE(compared, 3);
}

TEST(ContextSensitivePaper, ProducerAndConsumerHaveTwoToTheNFinalStates) {
  expect_between(prodcons3::set_up, 8, 20);
  expect_between(prodcons5::set_up, 32, 252);
}

TEST(ContextSensitivePaper, ChainsNeedOneExecutionForEachFinalState) {
  EXPECT_EQ(explore(prodcons3::set_up, "source-context:chains").executions, 8U);
  EXPECT_EQ(explore(prodcons5::set_up, "source-context:chains").executions, 32U);
}

// --- bugs ---------------------------------------------------------------------------------------

void expect_found(Start system, const std::string& kind, Order order = Order::fifo) {
  for (const char* technique : {"trans", "dpor", "source", "optimal"}) {
    CheckOptions options;
    options.technique = technique;
    options.order = order;
    const CheckResult result = check(system, options);
    ASSERT_FALSE(result.problems.empty()) << technique << " " << result.error;
    EXPECT_EQ(result.problems[0].kind, kind);
    EXPECT_FALSE(result.problems[0].chart.empty());
  }
}

TEST(Bugs, PhilosophersAndMinesweeperDeadlock) {
  expect_found(philosophers5::set_up, "deadlock");
  expect_found(minesweeper::set_up, "deadlock");
  EXPECT_TRUE(check(polite_philosophers5::set_up).verified());
}

// Under the other orders they are found, too, after up to half a million executions.
TEST(Bugs, LeaderElectionMayElectNobody) {
  expect_found(election3_failure::set_up, "assertion", Order::lca);
  expect_found(election4::set_up, "assertion", Order::lca);
  EXPECT_TRUE(check(election3::set_up).verified());
}

TEST(Bugs, TheNetworkLetsAnAttackThrough) { expect_found(sdn::set_up, "assertion"); }

TEST(Programs, MapReduceCountsEveryWord) { EXPECT_TRUE(check(mapreduce::set_up).verified()); }

}  // namespace
}  // namespace mazurka
