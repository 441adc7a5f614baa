#include "native/program.hpp"

#include <algorithm>

namespace mazurka::native {
namespace {

bool may_leave(const Block& block) {
  return any_of(block, [](const Statement& one) { return one.op == Op::leave; });
}

// The threads that this function has started and joined, at its top level, before `until`.
void follow(const Program& program, std::size_t function, std::vector<bool>& joined) {
  const Block& block = program.functions[function];
  if (function != 0 && may_leave(block)) return;
  for (const Statement& one : block) {
    if (function == 0 && one.op == Op::report) break;
    if (one.op != Op::join) continue;
    const auto other = static_cast<std::size_t>(one.v);
    if (joined[other]) continue;
    joined[other] = true;
    follow(program, other, joined);
  }
}

std::size_t size(const Block& block) {
  std::size_t all = block.size();
  for (const Statement& one : block) all += size(one.body) + size(one.other);
  return all;
}

void outline(const Block& block, std::string& text) {
  for (const Statement& one : block) {
    text += std::to_string(static_cast<int>(one.op));
    for (const int field :
         {one.v, one.w, one.c, one.d, static_cast<int>(one.how), static_cast<int>(one.wait)}) {
      text += '.' + std::to_string(field);
    }
    text += '(';
    outline(one.body, text);
    text += '|';
    outline(one.other, text);
    text += ')';
  }
}

}  // namespace

bool goes_outside_main(const Program& program) {
  return uses(program, Op::main_begins) || uses(program, Op::main_ends);
}

bool makes_attempts(const Program& program) {
  return any_of(program, [](const Statement& one) {
    const bool takes_lock = one.op >= Op::locked && one.op <= Op::spin_locked;
    return (takes_lock && one.how != How::lock) || one.op == Op::spin_try ||
           one.op == Op::sem_try || one.op == Op::sem_timed;
  });
}

bool has_own_blocks(const Program& program) {
  return any_of(program, [](const Statement& one) {
    return one.op == Op::share || one.op == Op::mine_set || one.op == Op::mine_get;
  });
}

std::vector<bool> surely_joined(const Program& program) {
  std::vector<bool> joined(program.functions.size());
  joined[0] = true;
  follow(program, 0, joined);
  return joined;
}

bool has_phases(const Program& program) {
  return any_of(program, [](const Statement& one) {
    return one.op >= Op::phase_meet && one.op <= Op::phase_drop;
  });
}

bool quiescent(const Program& program) {
  const std::vector<bool> joined = surely_joined(program);
  for (std::size_t at = 1; at < joined.size(); ++at) {
    const bool started = any_of(program, [at](const Statement& one) {
      return one.op == Op::spawn && one.v == static_cast<int>(at);
    });
    if (started && !joined[at]) return false;
  }
  return true;
}

std::size_t size(const Program& program) {
  std::size_t all = size(program.once) + size(program.completion);
  for (const Block& function : program.functions) all += size(function);
  return all;
}

std::string outline(const Program& program) {
  std::string text = program.profile;
  outline(program.once, text);
  text += "//";
  outline(program.completion, text);
  for (const Block& function : program.functions) {
    text += "//";
    outline(function, text);
  }
  return text;
}

}  // namespace mazurka::native
