// What the reader accepts and what it says about everything else.
#include <gtest/gtest.h>

#include <string>

#include "explorers/stateful/search.hpp"
#include "programs/automata/document.hpp"
#include "programs/automata/models.hpp"
#include "programs/automata/writer.hpp"

namespace mazurka::automata {
namespace {

const std::string head =
    "system:s\nevent:a\nevent:b\nprocess:P\nlocation:P:l0{initial:}\nlocation:P:l1\n";

std::string refusal(const std::string& text) {
  try {
    (void)parse_network(text, "f.tck");
  } catch (const NetworkError& error) {
    return error.what();
  }
  return "accepted";
}

std::uint64_t states(const std::string& text) {
  const stateful::System system(parse_network(text, "f.tck"));
  stateful::Settings settings;
  settings.variant = *stateful::find_variant("reach");
  settings.stop_at_finding = false;
  return search(system, settings).counts.states;
}

TEST(Parser, NamesTheLineAndWhatWasExpected) {
  const std::pair<std::string, std::string> wrong[] = {
      {"", "f.tck:0: expected system:NAME"},
      {"event:a\n", "f.tck:1: expected system:NAME first"},
      {"hello\n", "f.tck:1: expected a declaration"},
      {"system:s:t\n", "f.tck:1: expected system:NAME, which has 1 field"},
      {"system:s\nsystem:t\n", "f.tck:2: a second system"},
      {"system:s\nclock:1:x\n", "f.tck:2: clocks are not supported"},
      {"system:s\nevent:a\nevent:a\n", "f.tck:3: 'a' is declared twice"},
      {head + "edge:P:l0:l1:c\n", "f.tck:7: 'c' is not declared as an event"},
      {head + "edge:Q:l0:l1:a\n", "f.tck:7: 'Q' is not declared as a process"},
      {head + "edge:P:l0:l9:a\n", "f.tck:7: 'l9' is not declared as a location of P"},
      {head + "edge:P:l0:l1\n", "f.tck:7: expected edge:PROCESS:SOURCE:TARGET:EVENT"},
      {head + "edge:P:l0:l1:a{provided: x<1}\n", "f.tck:7: 'x' is no variable"},
      {head + "int:1:0:3:0:x\nedge:P:l0:l1:a{provided: x<}\n", "f.tck:8: expected a number or a"},
      {head + "int:1:0:3:0:x\nedge:P:l0:l1:a{do: x}\n", "f.tck:8: expected '='"},
      {head + "int:1:0:3:0:x\nedge:P:l0:l1:a{do: x=1/0}\n", "f.tck:8: division by zero"},
      {head + "int:1:3:0:0:x\n", "f.tck:7: expected MIN <= MAX"},
      {head + "int:1:0:3:9:x\n", "f.tck:7: the initial value"},
      {head + "int:1:0:99999999999:0:x\n", "f.tck:7: expected a number"},
      {head + "sync:P@a:P@b\n", "f.tck:7: process P takes part twice"},
      {head + "sync:P\n", "f.tck:7: expected PROCESS@EVENT"},
      {head + "sync:P@a?\n", "f.tck:7: weak synchronisation"},
      {head + "edge:P:l0:l1:a{colour: red}\n", "f.tck:7: unknown attribute 'colour'"},
      {head + "location:P:l2{initial:}\n", "f.tck:7: process P has a second initial"},
      {"system:s\nprocess:P\nlocation:P:l\n", "f.tck:2: process P has no initial location"},
      {"system:s\nprocess:P{kind: king}\n", "f.tck:2: expected kind: client or kind: server"},
      {head + "edge:P:l0:l1:a}\n", "f.tck:7: there is a '}'"},
      {head + "edge:P:l0:l1:a{do: x=1\n", "f.tck:7: expected edge:"},
  };
  for (const auto& [text, message] : wrong) {
    EXPECT_NE(refusal(text).find(message), std::string::npos) << text << "\n" << refusal(text);
  }
}

TEST(Parser, ACyclicClientIsAnError) {
  std::string text = head + "edge:P:l0:l1:a\nedge:P:l1:l0:b\n";
  EXPECT_NE(refusal(text).find("only cyclic processes"), std::string::npos) << refusal(text);
  text.replace(text.find("process:P"), 9, "process:P{kind: client}");
  EXPECT_NE(refusal(text).find("f.tck:4: client P has a cycle"), std::string::npos)
      << refusal(text);
}

TEST(Parser, NoiseIsRefused) {
  std::string noise(1 << 20, '\0');
  std::uint64_t state = 1;
  for (char& c : noise) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    c = static_cast<char>(state >> 56);
  }
  EXPECT_NE(refusal(noise).find("f.tck:1: "), std::string::npos);
  EXPECT_LT(refusal(noise).size(), 300U);
  const std::string deep(100'000, '(');
  EXPECT_NE(refusal(head + "int:1:0:3:0:x\nedge:P:l0:l1:a{provided: " + deep + "}\n")
                .find("nested too deeply"),
            std::string::npos);
}

TEST(Parser, VariablesGuardsAndAssignments) {
  // Two clients count up to 2 together: whoever comes third is refused by the guard.
  std::string text = "system:s\nevent:up\nint:1:0:2:0:x\n";
  for (const std::string process : {"P", "Q", "R"}) {
    text += "process:" + process + "\nlocation:" + process + ":l0{initial:}\nlocation:" + process +
            ":l1\nedge:" + process + ":l0:l1:up{provided: x<2 : do: x=x+1}\n";
  }
  EXPECT_EQ(states(text), 7U);  // none, three singles, three pairs
  // Without the guard the assignment leaves the range, which is not possible either.
  std::string unguarded = text;
  for (std::size_t at; (at = unguarded.find("provided: x<2 : ")) != std::string::npos;) {
    unguarded.erase(at, 16);
  }
  EXPECT_EQ(states(unguarded), 7U);
}

TEST(Parser, CoupledVariables) {
  const std::string text = head +
                           "int:1:0:2:1:x\nint:2:0:2:0:y\n"
                           "edge:P:l0:l1:a{provided: x == y[0] + 1 : do: y[1] = x; x = y[0]}\n";
  const Network network = parse_network(text, "f.tck");
  EXPECT_EQ(network.actions.size(), 6U);  // (x, y[0]) in {(1,0), (2,1)}, any y[1]
  EXPECT_EQ(states(text), 2U);
}

TEST(Parser, NondeterministicEdgesAreTwoActions) {
  const std::string text = head + "location:P:l2\nedge:P:l0:l1:a\nedge:P:l0:l2:a\n";
  EXPECT_EQ(parse_network(text, "f.tck").actions.size(), 2U);
  EXPECT_EQ(states(text), 3U);
}

TEST(Parser, WhatIsWrittenIsReadAgain) {
  for (const Model& model : models()) {
    const std::string text = write_network(model.make(std::max(model.smallest, 3)));
    EXPECT_EQ(write_network(parse_network(text, "again")), text) << model.name;
  }
}

}  // namespace
}  // namespace mazurka::automata
