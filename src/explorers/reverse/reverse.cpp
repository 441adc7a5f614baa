// Reverse search: every trace exactly once, from executions that know nothing of each other.
//
// Idea. Let an execution go on by itself in one fixed way: the first process that can move, moves.
// That is the root of a tree. In every other execution something did not come by itself: a process
// had to wait for its turn because another came first, or an event had another outcome than its
// first. Undo the last such deviation, and what is left is its parent. So every trace but one has
// one parent, and a parent can tell its children from its own execution alone, without performing
// them or asking who else has (children.hpp). There are no sleep sets, no wakeup trees and no
// table of what was explored: what is left to do is a list of tasks, each a list of decisions, and
// any of them can be performed anywhere, at any time.
//
// Source. Reverse search is from Avis and Fukuda (Reverse search for enumeration, 1996); here it
// is applied to traces. TruSt (Kokologiannakis and others) and parsimonious optimal DPOR (Abdulla
// and others) need no more memory either, and differ in how they find what to reverse.
//
// Blocking. Of a step that waits it must be known when it could be taken (trace.hpp): one guard,
// for the value of one object. Programs with steps that wait for several are refused, and so are
// those in which a step is hindered by one that does not conflict with all that it conflicts with:
// there a trace could be lost, or be found twice.
//
// Attempts. A step that may do less than it announces counts as in optimal.cpp: what it has done
// decides. Whether an attempt that comes earlier is a child of this execution may depend on what
// it does there; then it is begun, and abandoned as soon as that is known.
#include <memory>
#include <string>

#include "core/technique.hpp"
#include "explorers/resumable.hpp"
#include "explorers/reverse/search.hpp"

namespace mazurka {

std::string reverse::refusal(const std::string& technique, const std::string& step) {
  return "technique " + technique + " can not explore a program with " + step +
         "; use --technique optimal";
}

namespace {

struct GraphRules : reverse::AllRules {
  static constexpr const char* name = "graphs";
  static constexpr bool graphs = true;
};

}  // namespace

std::unique_ptr<Explorer> make_graphs(const TechniqueOptions&) {
  return std::make_unique<ResumableExplorer<reverse::Search<GraphRules>>>();
}

std::unique_ptr<Explorer> make_reverse(const TechniqueOptions&) {
  return std::make_unique<ResumableExplorer<reverse::Search<>>>();
}

}  // namespace mazurka
