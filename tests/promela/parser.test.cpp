// Models that are refused: with the place, and the name of what is not supported.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "programs/promela/model.hpp"

namespace mazurka::promela {
namespace {

std::string refusal(const std::string& text) {
  try {
    (void)parse_model(text, "m.pml");
  } catch (const PromelaError& error) {
    return error.what();
  }
  return "accepted";
}

struct Bad {
  const char* text;
  const char* expected;
};

void expect_refusals(std::initializer_list<Bad> all) {
  for (const Bad& bad : all) {
    const std::string said = refusal(bad.text);
    EXPECT_TRUE(said.starts_with("m.pml:")) << bad.text << "\n" << said;
    EXPECT_NE(said.find(bad.expected), std::string::npos) << bad.text << "\n" << said;
  }
}

TEST(PromelaParser, RefusesWhatIsNotSupported) {
  expect_refusals(
      {Bad{"ltl p { [] (x > 0) }", "m.pml:1: 'ltl' is not supported"},
       Bad{"byte x;\nnever { skip }", "m.pml:2: 'never' is not supported"},
       Bad{"c_code { int x; }", "'c_code' is not supported"},
       Bad{"hidden byte x;\ninit { skip }", "'hidden' is not supported"},
       Bad{"init {\n  { skip } unless { skip }\n}", "m.pml:2: 'unless' is not supported"},
       Bad{"active proctype P() priority 2 { skip }", "'priority' is not supported"},
       Bad{"proctype P() { skip }\ninit { (P[0]@here) }",
           "m.pml:2: a reference to another process"},
       Bad{"init { enabled(0) }", "'enabled' is not supported"},
       Bad{"D_proctype P() { skip }", "'D_proctype' is not supported"},
       Bad{"byte x; init { x = 1 + run P() }", "'run' inside of an expression"}});
}

// SPIN adds the semicolon before whatever comes next; here the line must be one that can begin a
// statement.
TEST(PromelaParser, NewLinesStandForSemicolons) {
  const auto steps = [](const std::string& body) {
    const Model model = parse_model(
        "byte x, y; chan q = [1] of {byte}\ninline f() { x++\ny++ }\n"
        "init {" +
            body + "}",
        "m.pml");
    std::vector<std::string> texts;
    for (const Statement& statement : model.statements) texts.push_back(statement.text);
    if (!texts.empty() && texts.back() == "-end-") texts.pop_back();
    return texts;
  };
  EXPECT_EQ(steps("x = 1\ny = 2"), steps("x = 1; y = 2"));
  EXPECT_EQ(steps("x++\ny--"), steps("x++; y--"));
  EXPECT_EQ(steps("x = y\n-x < 0"), steps("x = y; -x < 0"));
  EXPECT_EQ(steps("x = y\n(x == 0)"), steps("x = y; (x == 0)"));
  EXPECT_EQ(steps("q!x\n(x == 0)"), steps("q!x; (x == 0)"));
  EXPECT_EQ(steps("x = y\n!q?[1]"), steps("x = y; !q?[1]"));
  EXPECT_EQ(steps("f()\nx = 1"), steps("f(); x = 1"));
  EXPECT_EQ(steps("byte z\nz = 1"), steps("byte z; z = 1"));
  EXPECT_EQ(steps("if\n:: x == 0\ny = 1\n:: else\nskip\nfi\nx = 2"),
            steps("if :: x == 0 -> y = 1 :: else -> skip fi; x = 2"));
  EXPECT_EQ(steps("x = 1 /* a\ncomment */ + y"), steps("x = 1 + y"));
  // These lines go on.
  EXPECT_EQ(steps("x = 1\n+ y"), steps("x = 1 + y"));
  EXPECT_EQ(steps("(x == 1\n&&\ny == 2)"), steps("(x == 1 && y == 2)"));
  EXPECT_EQ(steps("assert(x\n- y == 0)"), steps("assert(x - y == 0)"));
  EXPECT_EQ(steps("q!x\n->\ny = 1"), steps("q!x -> y = 1"));
  expect_refusals({Bad{"byte x; init { x = 1 x = 2 }", "expected ';' or '->'"},
                   Bad{"byte x; init { x = 1 /* a\ncomment */ x = 2 }", "expected ';' or '->'"}});
}

TEST(PromelaParser, RefusesMistakes) {
  expect_refusals({Bad{"", "there is no process"},
                   Bad{"byte x;", "there is no process"},
                   Bad{"init { x = 1 }", "'x' is not declared"},
                   Bad{"init { goto away }", "there is no label"},
                   Bad{"init { break }", "'break' outside of a loop"},
                   Bad{"init { if :: fi }", "expected"},
                   Bad{"init { if :: skip }", "expected"},
                   Bad{"init { skip", "a '}' is missing"},
                   Bad{"init { byte x, x; skip }", "'x' is declared twice"},
                   Bad{"init { L: skip; L: skip }", "the label L is declared twice"},
                   Bad{"init { run P() }", "there is no proctype 'P'"},
                   Bad{"proctype P(byte x) { skip } init { run P() }", "takes 1 arguments"},
                   Bad{"byte a[0]; init { skip }", "an array has 1 to"},
                   Bad{"byte a[x]; init { skip }", "'x' is not declared"},
                   Bad{"byte n; byte a[n]; init { skip }", "known before the program runs"},
                   Bad{"chan c = [300] of {byte}; init { skip }", "0 to 255 messages"},
                   Bad{"chan c = [1] of {car}; init { skip }", "expected a type"},
                   Bad{"byte a[2]; init { a = 1 }", "the index of array a is missing"},
                   Bad{"byte x; init { x[1] = 1 }", "x is not an array"},
                   Bad{"byte x; init { x.y = 1 }", "x has no fields"},
                   Bad{"typedef T { byte a }; T t; init { t.b = 1 }", "has no field 'b'"},
                   Bad{"unsigned x; init { skip }", "number of bits"},
                   Bad{"byte x = 99999999999; init { skip }", "larger than an int"},
                   Bad{"init { x = $ }", "has no meaning"},
                   Bad{"/* no end", "does not end"},
                   Bad{"init { printf(\"no end }", "a text does not end"},
                   Bad{"init { atomic { L: skip } }", "a label can not stand behind a '{'"},
                   Bad{"init { do :: end: skip od }", "an end label can not stand"},
                   Bad{"init { L: goto L }", "a circle of jumps"},
                   Bad{"init { d_step { goto L }; L: skip }", "a jump into or out of a d_step"},
                   Bad{"inline f(a) { a = 1 } byte x; init { f(x, x) }", "takes 1 arguments"},
                   Bad{"inline f() { f() } init { f() }", "m.pml:1: "},
                   Bad{"init { skip skip }", "expected ';' or '->'"},
                   Bad{"init { if :: else :: else fi }", "a second 'else'"},
                   Bad{"mtype = {a, a}; init { skip }", "declared twice"},
                   Bad{"init { skip; chan c = [1] of {byte} }", "at the start of the proctype"}});
}

TEST(PromelaParser, ReadsWhatTheLanguageHas) {
  EXPECT_EQ(refusal(R"(
    mtype = { one, two }; mtype:fruit = { apple };
    typedef inner { byte a; bit b[2] };
    typedef outer { inner in; short s = 4; chan c = [1] of { byte } };
    outer o; unsigned u : 3 = 5; show byte z = 2; bool flag = true; byte arr[3] = { 1, 2, 3 };
    chan q = [2] of { mtype, inner }; chan r[2] = [0] of { byte };
    inline twice(v) { v = v + v; again: if :: v > 9 -> goto again :: else fi }
    proctype worker(byte me; chan to) provided (flag) {
      xs to;
      inner mine; mine.a = me;
      twice(z); twice(z);
      q!one(mine); q??two(mine); q?<_, mine>;
      to!(me -> 1 : 2);
      if :: q?[one, 1, 0, 0] && !flag -> skip :: nfull(q) || timeout -> skip :: else -> goto out fi;
      for (me : 0 .. 2) { arr[me]++ };
      for (me in arr) { arr[me]-- ; byte more = 3 };
      select (me : 1 .. z);
      d_step { o.in.b[1] = 1; o.s = -o.s << 1 };
    out: end: progress1: accept_2:
    }
    init { pid p; atomic { p = run worker(1, r[0]); run worker(2, r[1]) }; r[0]?_; assert(p != 0) }
  )"),
            "accepted");
}

TEST(PromelaParser, PlacesAreThoseOfTheFilesThatWereIncluded) {
  const std::string said = refusal("# 1 \"outer.pml\"\n# 7 \"inner.pml\"\nbyte x\n= ;\n");
  EXPECT_TRUE(said.starts_with("accepted") || said.starts_with("inner.pml:8: ")) << said;
  EXPECT_NE(said, "accepted");
}

}  // namespace
}  // namespace mazurka::promela
