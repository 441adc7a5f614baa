// The models of examples/promela, and corners of the language (corners/): verdicts, and the numbers
// of states that SPIN stores for them.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "promela/explored.hpp"

namespace mazurka::promela_test {
namespace {

struct Known {
  const char* file;
  Explored expected;
};

void expect(const std::string& folder, std::initializer_list<Known> all) {
  for (const Known& known : all) {
    SCOPED_TRACE(known.file);
    std::string file = folder;
    file.append("/").append(known.file);
    const Explored explored = explore(promela::load_model(file));
    EXPECT_EQ(explored.states, known.expected.states);
    EXPECT_EQ(explored.assertion_fails, known.expected.assertion_fails);
    EXPECT_EQ(explored.invalid_end, known.expected.invalid_end);
  }
}

TEST(PromelaModels, HaveSpinsStatesAndVerdicts) {
  expect(
      EXAMPLES,
      {Known{"buffer.pml", {82, false, false}}, Known{"handshake.pml", {12, false, true}},
       Known{"leader.pml", {559, false, false}}, Known{"lost_update.pml", {42, true, false}},
       Known{"peterson.pml", {38, false, false}}, Known{"philosophers.pml", {118, false, true}},
       Known{"sieve.pml", {745, false, false}}, Known{"readers.pml", {29, false, false}},
       Known{"filter.pml", {29876, false, false}}, Known{"transfers.pml", {5035, false, false}}});
}

TEST(PromelaModels, CornersOfTheLanguageAreThoseOfSpin) {
  expect(
      CORNERS,
      {Known{"atomic_loop.pml", {42, false, false}},
       Known{"else_beside_rendezvous.pml", {211, false, false}},
       Known{"guards.pml", {163, true, true}}, Known{"inline_labels.pml", {59719, false, false}},
       Known{"jump_into_atomic.pml", {69, false, false}},
       Known{"jumps_and_loops.pml", {507, false, false}},
       Known{"line_ends.pml", {43, false, false}}, Known{"message_fields.pml", {12, true, false}},
       Known{"message_fields_rendezvous.pml", {6, true, false}},
       Known{"nested_sequences.pml", {38, false, false}},
       Known{"processes_come_and_go.pml", {41, false, false}},
       Known{"rendezvous_in_atomic.pml", {270, true, false}},
       Known{"structures.pml", {49, false, false}}});
}

}  // namespace
}  // namespace mazurka::promela_test
