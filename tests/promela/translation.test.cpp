// Models as networks of automata: which can be one, and that the reductions find the same.
#include <gtest/gtest.h>

#include <string>

#include "explorers/stateful/search.hpp"
#include "programs/promela/translation.hpp"
#include "promela/explored.hpp"

namespace mazurka::promela_test {
namespace {

using promela::Problem;

promela::Translation translated(const promela::Model& model) {
  return promela::translate(model, [] { return false; });
}

std::string refusal(const std::string& text) {
  try {
    (void)translated(promela::parse_model(text, "model.pml"));
  } catch (const promela::NotTranslated& error) {
    return error.what();
  }
  return "translated";
}

/// What every variant finds, compared with all states; the counter-examples are executed.
void expect_same(const std::string& text) {
  const promela::Model model = promela::parse_model(text, "model.pml");
  const Explored expected = explore(model);
  const promela::Translation translation = translated(model);
  for (const stateful::Variant& variant : stateful::variants()) {
    SCOPED_TRACE(std::string(variant.name) + "\n" + text);
    stateful::Settings settings;
    settings.variant = variant;
    settings.stop_at_finding = false;
    settings.predicate = translation.failed.empty() ? nullptr : &translation.failed;
    const stateful::Result found =
        stateful::search(stateful::System(translation.network), settings);
    EXPECT_EQ(found.reached.has_value(), expected.assertion_fails);
    EXPECT_EQ(found.deadlock.has_value(), expected.invalid_end);
    if (found.reached) {
      EXPECT_FALSE(
          replay(model, translation, *found.reached, Problem::Kind::assertion).message.empty());
    }
    if (found.deadlock) {
      EXPECT_FALSE(replay(model, translation, *found.deadlock, Problem::Kind::invalid_end)
                       .last.bytes.empty());
    }
  }
}

TEST(PromelaTranslation, TheReductionsFindWhatAllStatesHave) {
  for (
      const char* text : {
          "byte x; active [2] proctype P() { byte s; s = x; x = s + 1 }"
          "active proctype Q() { x == 2 -> assert(false) }",
          "byte x; active [3] proctype P() { byte s; s = x; x = s + 1; assert(x < 4) }",
          "bool a, b; active proctype P() { atomic { !a -> a = true }; !b; b = true; b = false; a "
          "= false }"
          "active proctype Q() { atomic { !b -> b = true }; !a; a = true; a = false; b = false }",
          "chan c = [0] of {byte}; active [2] proctype P() { c!_pid } active proctype Q() { byte x;"
          " c?x; c?x; assert(x == 0) }",
          "chan c = [1] of {byte}; active [2] proctype P() { c!_pid } active proctype Q() { byte x;"
          " c?x; c?x; c?x }",
          "chan c = [2] of {byte}; init { atomic { run P(1); run P(2) } }"
          "proctype P(byte me) { byte got; c!me; c?got; assert(got == me) }",
          "byte x, y; active proctype P() { atomic { x = 1; y == 1; assert(x == 1) } }"
          "active proctype Q() { atomic { x == 1; x = 2; y = 1 } }",
          "byte a[2]; byte x; active proctype P() { a[x] = 1 } active proctype Q() { x = 2 }",
          "byte x; active [2] proctype P() { if :: x == 0 -> x = 1 :: else -> d_step { x = 2; x++ "
          "} fi }"
          "active proctype Q() { x == 3 -> assert(false) }",
          "active proctype P() { false }",
      }) {
    expect_same(text);
  }
}

TEST(PromelaTranslation, CountersHaveTheValuesThatTheyCanHave) {
  const promela::Model model =
      promela::parse_model("byte x; active [4] proctype P() { x++ }", "model.pml");
  const promela::Translation translation = translated(model);
  ASSERT_EQ(translation.network.processes.size(), 5U);
  EXPECT_EQ(translation.network.processes.back().states.size(), 5U);
}

TEST(PromelaTranslation, SaysWhyAModelCanNotBeANetwork) {
  EXPECT_NE(refusal("byte x; active proctype P() { do :: x = 1 - x od }").find("in a circle"),
            std::string::npos);
  EXPECT_EQ(refusal("active proctype P() { timeout }"), "it has a timeout");
  EXPECT_NE(refusal("byte x; active proctype P() { x = _nr_pr }"
                    "active proctype Q() { x = 1 }")
                .find("_nr_pr"),
            std::string::npos);
  EXPECT_NE(refusal("byte x; active proctype P() { x = 1; run Q() } active proctype R() { x = 2 }"
                    "proctype Q() { x = 3 }")
                .find("started"),
            std::string::npos);
  EXPECT_NE(refusal("chan c = [1] of {byte}; active proctype P() { end: c?_ }"
                    "active proctype Q() { c!1 }")
                .find("end label"),
            std::string::npos);
  EXPECT_NE(refusal("chan c = [0] of {byte}; byte x; active proctype P() { atomic { x = 1; c!1 } }"
                    "active proctype Q() { c?_ }")
                .find("inside of an atomic"),
            std::string::npos);
}

}  // namespace
}  // namespace mazurka::promela_test
