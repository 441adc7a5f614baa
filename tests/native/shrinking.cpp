#include "native/shrinking.hpp"

#include <algorithm>
#include <vector>

namespace mazurka::native {
namespace {

bool about_threads(const Statement& one) {
  return one.op == Op::spawn || one.op == Op::join || one.op == Op::detach ||
         one.op == Op::join_detached || one.op == Op::report;
}

constexpr std::size_t tried = static_cast<std::size_t>(-1);

// Statement number `wanted` of the block, in order; what `change` makes of it takes its place.
bool replace(Block& block, std::size_t& wanted,
             const std::function<bool(Statement&, Block&)>& change) {
  for (std::size_t at = 0; at < block.size() && wanted != tried; ++at) {
    if (wanted == 0) {
      wanted = tried;
      Block instead;
      if (!change(block[at], instead)) return false;
      block.erase(block.begin() + static_cast<std::ptrdiff_t>(at));
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(at), instead.begin(), instead.end());
      return true;
    }
    --wanted;
    if (replace(block[at].body, wanted, change)) return true;
    if (replace(block[at].other, wanted, change)) return true;
  }
  return false;
}

bool replace(Program& program, std::size_t wanted,
             const std::function<bool(Statement&, Block&)>& change) {
  for (Block& function : program.functions) {
    if (replace(function, wanted, change)) return true;
  }
  return replace(program.once, wanted, change) || replace(program.completion, wanted, change);
}

void forget(Block& block, int thread) {
  std::erase_if(block, [thread](const Statement& one) {
    return one.op != Op::report && about_threads(one) && one.v == thread;
  });
}

std::vector<Program> smaller(const Program& program) {
  std::vector<Program> all;
  for (std::size_t at = 1; at < program.functions.size(); ++at) {
    if (program.functions[at].empty()) continue;
    Program less = program;
    less.functions[at].clear();
    for (Block& function : less.functions) forget(function, static_cast<int>(at));
    all.push_back(std::move(less));
  }
  const std::size_t count = size(program);
  for (std::size_t at = 0; at < count; ++at) {
    Program less = program;
    if (replace(less, at, [](Statement& one, Block&) { return !about_threads(one); })) {
      all.push_back(std::move(less));
    }
    for (const bool first : {true, false}) {
      less = program;
      const bool done = replace(less, at, [first](Statement& one, Block& instead) {
        instead = first ? one.body : one.other;
        return !instead.empty();
      });
      if (done) all.push_back(std::move(less));
    }
  }
  for (std::size_t at = 0; at < variables; ++at) {
    Program less = program;
    less.width[at] = 4;
    if (program.width[at] != 4) all.push_back(less);
    less = program;
    less.initial[at] = 0;
    if (program.initial[at] != 0) all.push_back(less);
  }
  for (std::size_t at = 0; at < 2; ++at) {
    Program less = program;
    less.mutexes[at] = MutexKind::normal;
    if (program.mutexes[at] != MutexKind::normal) all.push_back(less);
  }
  return all;
}

}  // namespace

Program shrink(Program program, const std::function<bool(const Program&)>& fails) {
  for (bool shrunk = true; shrunk;) {
    shrunk = false;
    for (Program& less : smaller(program)) {
      if (!fails(less)) continue;
      program = std::move(less);
      shrunk = true;
      break;
    }
  }
  return program;
}

}  // namespace mazurka::native
