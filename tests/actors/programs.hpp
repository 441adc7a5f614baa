// The benchmark programs of bench/actors in one place, each in a namespace of its own.
//
// They are ordinary programs with a main; here main gets another name, and is never called.
// Whatever they include is included first, so that their own includes do nothing inside the
// namespaces.
#pragma once

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <vector>

#include "mazurka/actors.hpp"

#define main not_called

namespace registry {
#include "bench/actors/registry.cpp"
#undef N
}  // namespace registry
namespace fib5 {
#include "bench/actors/fib.cpp"
#undef N
}  // namespace fib5
namespace fib5_leaves {
#define LEAVES_AT_1
#include "bench/actors/fib.cpp"
#undef LEAVES_AT_1
#undef N
}  // namespace fib5_leaves
namespace quicksort6 {
#include "bench/actors/quicksort.cpp"
#undef N
}  // namespace quicksort6
namespace mergesort9 {
#include "bench/actors/mergesort.cpp"
#undef N
}  // namespace mergesort9
namespace pi5 {
#include "bench/actors/pi.cpp"
#undef N
}  // namespace pi5
namespace pipesort4 {
#include "bench/actors/pipesort.cpp"
#undef N
}  // namespace pipesort4
namespace chameneos2 {
#include "bench/actors/chameneos.cpp"
#undef N
}  // namespace chameneos2
namespace leader4 {
#include "bench/actors/leader.cpp"
#undef N
}  // namespace leader4
namespace shortpath4 {
#include "bench/actors/shortpath.cpp"
#undef GRAPH
}  // namespace shortpath4
namespace shortpath5 {
#define GRAPH 5
#include "bench/actors/shortpath.cpp"
#undef GRAPH
}  // namespace shortpath5
namespace regsim {
#include "bench/actors/regsim.cpp"
#undef LEVELS
}  // namespace regsim
namespace regsim2 {
#define LEVELS 2
#include "bench/actors/regsim.cpp"
#undef LEVELS
}  // namespace regsim2
namespace prodcons3 {
#include "bench/actors/prodcons.cpp"
#undef N
}  // namespace prodcons3
namespace prodcons5 {
#define N 5
#define DIRECT
#include "bench/actors/prodcons.cpp"
#undef DIRECT
#undef N
}  // namespace prodcons5
namespace reg4 {
#include "bench/actors/reg.cpp"
#undef N
}  // namespace reg4
namespace philosophers5 {
#include "bench/actors/philosophers.cpp"
#undef N
}  // namespace philosophers5
namespace polite_philosophers5 {
#define POLITE
#include "bench/actors/philosophers.cpp"
#undef POLITE
#undef N
}  // namespace polite_philosophers5
namespace minesweeper {
#include "bench/actors/minesweeper.cpp"
#undef ROWS
#undef COLUMNS
}  // namespace minesweeper
namespace election3 {
#include "bench/actors/election.cpp"
#undef N
#undef FAILURES
}  // namespace election3
namespace election3_failure {
#define FAILURES 1
#include "bench/actors/election.cpp"
#undef N
#undef FAILURES
}  // namespace election3_failure
namespace election4 {
#define N 4
#include "bench/actors/election.cpp"
#undef N
#undef FAILURES
}  // namespace election4
namespace mapreduce {
#include "bench/actors/mapreduce.cpp"
#undef MAPPERS
#undef REDUCERS
}  // namespace mapreduce
namespace sdn {
#include "bench/actors/sdn.cpp"
}  // namespace sdn

#undef main
