// What the reader accepts and what it says about everything else.
#include <gtest/gtest.h>

#include <regex>
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
      {head + "process:Q\nlocation:Q:l0{initial:}\nint:1:0:3:0:x\nedge:P:l0:l1:a{provided: x<1}\n"
              "sync:P@a?:Q@b\n",
       "f.tck:11: weak synchronisation (EVENT?) with edges that have a guard"},
      {head + "location:P:l2{committed:}\n", "f.tck:7: committed locations are not supported"},
      {head + "location:P:l2{invariant: 1}\n", "f.tck:7: invariants are not supported"},
      {head + "int:2:0:3:0:x\nedge:P:l0:l1:a{do: x[2]=1}\n", "f.tck:8: 'x' has no element 2"},
      {head + "int:2:0:3:0:x\nedge:P:l0:l1:a{do: x=1}\n", "f.tck:8: expected '[': it is an array"},
      {head + "int:2:0:2:0:x\nedge:P:l0:l1:a{do: x[x[0]]=1}\n",
       "f.tck:8: element 2 of an array of 2 when x[0] = 2"},
      {head + "int:1:0:3:0:x\nedge:P:l0:l1:a{do: local x = 1}\n", "f.tck:8: 'x' is declared alr"},
      {head + "int:1:0:3:0:x\nedge:P:l0:l1:a{do: local y[x]}\n", "f.tck:8: the size of a local"},
      {head + "int:1:0:3:0:x\nedge:P:l0:l1:a{do: while 1 do x=0 end}\n",
       "a while loop does not end"},
      {head + "int:1:0:3:0:x\nedge:P:l0:l1:a{do: if x<1 then x=2}\n", "f.tck:8: expected 'end'"},
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

/// A client that takes a statement, and then goes on if the guard holds.
bool leads_to(const std::string& statement, const std::string& guard) {
  return states(
             "system:s\nevent:a\nevent:b\nprocess:P\nlocation:P:l0{initial:}\nlocation:P:l1\n"
             "location:P:l2\nedge:P:l0:l1:a{do: " +
             statement +
             "}\nint:3:0:3:0:a\nint:1:0:2:2:x\n"
             "edge:P:l1:l2:b{provided: " +
             guard + "}\n") == 3;
}

TEST(Parser, Guards) {
  for (const std::string holds :
       {"x", "!a[0]", "!(x == 1)", "!(x == 1 && x == 2)", "(x == 2)", "(x + 1) * 2 == 6",
        "(if x > 1 then 5 else 7) == 5", "(if x > 1 && x < 2 then 5 else 7) == 7", "a[x] == 0",
        "a[2 - x] == -a[2]", "x != 1 && x >= 2 && x <= 2 && x < 3 && x > 1", "! !x",
        "x % 2 == 0"}) {
    EXPECT_TRUE(leads_to("nop", holds)) << holds;
    EXPECT_FALSE(leads_to("nop", "!(" + holds + ")")) << holds;
  }
}

TEST(Parser, Statements) {
  const std::string sort =
      "; local i = 0; while i < 2 do local j = 0; while j < 2 do if a[j] > a[j + 1] then local t = "
      "a[j]; a[j] = a[j + 1]; a[j + 1] = t end; j = j + 1 end; i = i + 1 end;";
  for (const std::string start :
       {"a[0] = 3; a[1] = 1; a[2] = 2", "a[0] = 2; a[1] = 3; a[2] = 1", "a[0]=1; a[1]=2; a[2]=3"}) {
    EXPECT_TRUE(leads_to(start + sort, "a[0] == 1 && a[1] == 2 && a[2] == 3")) << start;
  }
  EXPECT_TRUE(leads_to("if x == 2 then x = 1 else x = 0 end; a[x] = 2", "x == 1 && a[1] == 2"));
  EXPECT_TRUE(leads_to("if x == 1 then x = 1 else x = 0; nop end", "!x"));
  EXPECT_TRUE(leads_to("local y[2]; y[1] = x; x = y[0]; a[0] = y[x + 1]", "x == 0 && a[0] == 2"));
  EXPECT_FALSE(leads_to("x = x + 2", "x"));  // not between 0 and 2: the edge can not be taken
}

// R takes part where it has the event, and S never does.
TEST(Parser, WeakSynchronisation) {
  std::string text = "system:s\nevent:a\nevent:b\n";
  for (const std::string process : {"P", "Q", "R", "S", "T"}) {
    text += "process:" + process + "\n";
    for (const std::string location : {"l0{initial:}", "l1", "l2"}) {
      text += "location:" + process + ":" + location + "\n";
    }
  }
  text +=
      "edge:P:l0:l1:a\nedge:Q:l0:l1:a\nedge:T:l0:l1:b\nedge:R:l0:l1:b\nedge:R:l1:l2:a\n"
      "sync:T@b:R@b\nsync:P@a:Q@a:R@a?:S@a?\n";
  // Of P and Q together, and R: 00, then 01 and 12, or 10 and 11.
  EXPECT_EQ(states(text), 5U);
  const std::string strong = std::regex_replace(text, std::regex("\\?"), "");
  EXPECT_EQ(states(strong), 2U);  // S never does, and so nobody can
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
