// The models of examples/promela: verdicts, and the numbers of states that SPIN stores for them.
#include <gtest/gtest.h>

#include "promela/explored.hpp"

namespace mazurka::promela_test {
namespace {

struct Known {
  const char* file;
  Explored expected;
};

TEST(PromelaModels, HaveSpinsStatesAndVerdicts) {
  for (const Known& known :
       {Known{"buffer.pml", {82, false, false}}, Known{"handshake.pml", {12, false, true}},
        Known{"leader.pml", {559, false, false}}, Known{"lost_update.pml", {42, true, false}},
        Known{"peterson.pml", {38, false, false}}, Known{"philosophers.pml", {118, false, true}},
        Known{"sieve.pml", {745, false, false}}, Known{"readers.pml", {29, false, false}},
        Known{"filter.pml", {29876, false, false}}, Known{"transfers.pml", {5035, false, false}}}) {
    SCOPED_TRACE(known.file);
    std::string file = EXAMPLES;
    file.append("/").append(known.file);
    const Explored explored = explore(promela::load_model(file));
    EXPECT_EQ(explored.states, known.expected.states);
    EXPECT_EQ(explored.assertion_fails, known.expected.assertion_fails);
    EXPECT_EQ(explored.invalid_end, known.expected.invalid_end);
  }
}

}  // namespace
}  // namespace mazurka::promela_test
