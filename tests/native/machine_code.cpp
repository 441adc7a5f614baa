// From statements to instructions.
#include "native/machine_code.hpp"

namespace mazurka::native {

Machine::Machine(const Program& program) : program_(program) {
  blocks_.resize(program.functions.size() * 2);
  for (const Block& function : program.functions) {
    function_ = code_.size();
    code_.emplace_back();
    compile(function, code_.back());
    if (function_ == 0) {
      code_.back().push_back({Code::finish});
    } else {
      Statement last;
      last.op = Op::leave;
      compile(last, code_.back());
    }
  }
}

Machine::~Machine() = default;

void Machine::compile(const Block& block, std::vector<Instruction>& code) {
  for (const Statement& one : block) compile(one, code);
}

void Machine::compile_spin(const Statement& one, std::vector<Instruction>& code) {
  const auto add = [&](Instruction instruction) {
    code.push_back(instruction);
    return code.size() - 1;
  };
  const std::size_t begin = code.size();
  std::size_t give_up = 0;
  if (one.op == Op::spin_bounded) give_up = add({Code::go_if_counted, 0, 0, 0, one.d});
  if (one.op == Op::spin_poll) {  // whether it gets the mutex, or has it already, it does not ask
    const std::size_t take = add({Code::lock, one.w, 1});
    code[take].target = code.size();
  }
  const std::size_t look = add({Code::go_if_equal, one.v, 0, one.c});
  std::size_t found = look;
  if (one.op == Op::spin_two) {
    // not equal: again from the beginning, else look at the other one
    code[look] = {Code::go_unless_equal, one.v, 0, one.c, 0, How::lock, begin};
    found = add({Code::go_if_equal, one.w, 0, one.d});
  }
  if (one.op == Op::spin_poll) add({Code::unlock, one.w});
  if (one.op == Op::spin_counter) add({Code::count});
  if (one.op == Op::spin_bounded) add({Code::count_on});
  if (one.op == Op::spin_set) add({Code::set_bits, one.w, 0, one.d});
  if (one.op == Op::spin_store) add({Code::store, one.w, 0, one.d});
  add({Code::go, 0, 0, 0, 0, How::lock, begin});
  code[found].target = code.size();
  if (one.op == Op::spin_poll) add({Code::unlock, one.w});
  if (one.op == Op::spin_bounded) code[give_up].target = code.size();
  if (one.op == Op::spin_counter || one.op == Op::spin_bounded) add({Code::tell_count});
}

void Machine::compile_wait(const Statement& one, std::vector<Instruction>& code) {
  const auto add = [&](Instruction instruction) {
    code.push_back(instruction);
    return code.size() - 1;
  };
  const bool timed = one.op == Op::wait_timed;
  const std::size_t take = add({Code::lock, one.v});
  const std::size_t begin = code.size();
  std::size_t test = 0;
  if (one.wait != Wait::always) test = add({Code::go_if_equal, one.w, 0, one.c});
  add({Code::wait, one.v});
  // d, timed: nothing is told of the time limit, else a loop ends when it has passed.
  // how, not `lock`: the variable is not looked at in the end.
  // d, not timed: a loop counts how often it was woken, up to 2.
  const std::size_t end = add({Code::wait_end, one.v, timed ? 1 : 0, one.d, 0});
  const bool counted = !timed && one.wait == Wait::loop && one.d != 0;
  if (counted) add({Code::count});
  if (one.wait == Wait::loop) add({Code::go, 0, 0, 0, 0, How::lock, begin});
  if (one.wait != Wait::always) code[test].target = code.size();
  if (counted) add({Code::tell_count});
  code[end].target = one.wait == Wait::loop && one.d != 0 ? begin : code.size();
  if (one.how == How::lock) add({Code::load, one.w});
  add({Code::unlock, one.v});
  code[take].target = code.size();
}

// Who completes a phase calls the completion function, and then begins the next one.
void Machine::compile_phase(const Statement& one, std::vector<Instruction>& code) {
  const auto add = [&](Instruction instruction) {
    code.push_back(instruction);
    return code.size() - 1;
  };
  const bool meets = one.op == Op::phase_meet;
  const bool apart = one.op == Op::phase_apart;
  const int note = meets ? in_passing : apart ? for_later : nowhere;
  const bool times = apart || one.op == Op::phase_come;
  const bool drops = one.op == Op::phase_drop;
  const std::size_t come =
      add({Code::phase_come, 0, note, times ? one.c : 1, drops ? 1 : 0, How::lock});
  compile(program_.completion, code);
  const bool calls = !program_.completion.empty();
  if (calls) add({Code::own_more, 0, 0, 1});
  add({Code::phase_end});
  code[come].target = code.size();
  if (apart) compile(one.body, code);
  if (meets || apart) add({Code::phase_wait, 0, note});
  if (calls) add({Code::own});
}

// The blocks that a thread has of its own, or the end of all of them.
void Machine::compile_own_block(const Statement& one, std::vector<Instruction>& code) {
  const auto block_of = [this](int mine) { return static_cast<int>(function_) * 2 + mine + 1; };
  if (one.op != Op::leave) {
    const Code same = one.op == Op::share      ? Code::share
                      : one.op == Op::mine_get ? Code::mine_get
                                               : Code::mine_set;
    code.push_back({same, one.v, 0, one.c, block_of(one.w)});
    return;
  }
  for (const int mine : {on_stack, thread_local_variable}) {
    const bool shared = any_of(program_.functions[function_], [mine](const Statement& part) {
      return part.op == Op::share && part.w == mine;
    });
    if (shared && function_ != 0) code.push_back({Code::mine_end, 0, 0, 0, block_of(mine)});
  }
  code.push_back({Code::leave});
}

void Machine::compile(const Statement& one, std::vector<Instruction>& code) {
  const auto add = [&](Instruction instruction) {
    code.push_back(instruction);
    return code.size() - 1;
  };
  // What takes a lock, the body, and what gives it up.
  const auto around = [&](Code before, Code after) {
    const std::size_t take = add({before, one.v, 0, 0, 0, one.how});
    compile(one.body, code);
    add({after, one.v});
    code[take].target = code.size();
  };
  const auto plainly = [&](Code same) { add({same, one.v, one.w, one.c, one.d, one.how}); };
  switch (one.op) {
    case Op::mix: return plainly(Code::mix);
    case Op::compute: return static_cast<void>(add({Code::mix, 0, 0, one.c * 3 % 7}));
    case Op::own: return plainly(Code::own);
    case Op::cells: return plainly(Code::mix);
    case Op::load: return plainly(Code::load);
    case Op::store: return plainly(Code::store);
    case Op::store_own: return plainly(Code::store_own);
    case Op::bump: return plainly(Code::bump);
    case Op::drop: return plainly(Code::drop);
    case Op::set_bits: return plainly(Code::set_bits);
    case Op::clear_bits: return plainly(Code::clear_bits);
    case Op::flip_bits: return plainly(Code::flip_bits);
    case Op::exchange: return plainly(Code::exchange);
    case Op::fetch_add: return plainly(Code::fetch_add);
    case Op::fetch_sub: return plainly(Code::fetch_sub);
    case Op::fetch_or: return plainly(Code::fetch_or);
    case Op::fetch_and: return plainly(Code::fetch_and);
    case Op::fetch_xor: return plainly(Code::fetch_xor);
    case Op::cas:
    case Op::cas_weak: return plainly(Code::cas);
    case Op::cas_loop: {
      add({Code::keep, one.v});
      const std::size_t again = code.size();
      add({Code::try_add, one.v, 0, one.c, 0, How::lock, again});
      add({Code::tell_count});
      return;
    }
    case Op::load_loop:
    case Op::store_loop:
      for (int left = one.d; left > 0; --left) {
        plainly(one.op == Op::load_loop ? Code::load : Code::store);
      }
      return;
    case Op::spin:
    case Op::spin_yield:
    case Op::spin_sleep:
    case Op::spin_backoff:
    case Op::spin_two:
    case Op::spin_counter:
    case Op::spin_bounded:
    case Op::spin_set:
    case Op::spin_store:
    case Op::spin_poll: return compile_spin(one, code);
    case Op::spin_try: {
      // Not told how often it failed.
      const std::size_t again = add({Code::lock, one.v, 1, 0, 0, How::try_lock});
      code[again].target = again;
      compile(one.body, code);
      add({Code::unlock, one.v});
      return;
    }
    case Op::if_equal:
    case Op::if_odd: {
      const std::size_t test = add(
          {one.op == Op::if_odd ? Code::go_unless_odd : Code::go_unless_equal, one.v, 0, one.c});
      compile(one.body, code);
      const std::size_t over = add({Code::go});
      code[test].target = code.size();
      compile(one.other, code);
      code[over].target = code.size();
      return;
    }
    case Op::fail: return plainly(Code::fail);
    case Op::check: return plainly(Code::check);
    case Op::leave:
    case Op::share:
    case Op::mine_set:
    case Op::mine_get: return compile_own_block(one, code);
    case Op::begin_mutex: return plainly(Code::begin_mutex);
    case Op::begin_condition: return plainly(Code::begin_condition);
    case Op::begin_rw_lock: return plainly(Code::begin_rw_lock);
    case Op::begin_spin_lock: return plainly(Code::begin_spin_lock);
    case Op::begin_semaphore: return plainly(Code::begin_semaphore);
    case Op::exit: return plainly(Code::exit);
    case Op::choose: return plainly(Code::choose);
    case Op::plain_load: return plainly(Code::plain_load);
    case Op::plain_store: return plainly(Code::plain_store);
    case Op::plain_add: plainly(Code::plain_read); return plainly(Code::plain_write);
    case Op::locked: return around(Code::lock, Code::unlock);
    case Op::locked_kept: {
      const std::size_t take = add({Code::lock, one.v});
      code[take].target = code.size();
      return;
    }
    case Op::read_locked: return around(Code::read_lock, Code::read_unlock);
    case Op::write_locked: return around(Code::write_lock, Code::write_unlock);
    case Op::spin_locked: return around(Code::spin_lock, Code::spin_unlock);
    case Op::wait:
    case Op::wait_timed: return compile_wait(one, code);
    case Op::signal: return static_cast<void>(add({Code::signal, one.v, 0, 1}));
    case Op::broadcast: return static_cast<void>(add({Code::signal, one.v, 0, 2}));
    case Op::sem_wait: return static_cast<void>(add({Code::sem_wait, one.v}));
    case Op::sem_try:
    case Op::sem_timed:
      return static_cast<void>(add({Code::sem_wait, one.v, 0, 0, 0, How::try_lock}));
    case Op::sem_post: return plainly(Code::sem_post);
    case Op::sem_get: return plainly(Code::sem_get);
    case Op::barrier: plainly(Code::barrier); return plainly(Code::barrier_end);
    case Op::once: {
      const std::size_t begin = add({Code::once});
      compile(program_.once, code);
      add({Code::once_end});
      code[begin].target = code.size();
      return;
    }
    case Op::futex_wait: {
      const std::size_t begin = add({Code::futex_wait, one.v, 0, one.c});
      add({Code::futex_end, one.v, 0, 0, one.d});
      code[begin].target = code.size();
      return;
    }
    case Op::futex_wake: return plainly(Code::futex_wake);
    case Op::atomic_wait: {
      const std::size_t begin = add({Code::atomic_wait, one.v, 0, one.c});
      add({Code::atomic_end, one.v, 0, 0, 0, How::lock, begin});
      code[begin].target = code.size();
      return;
    }
    case Op::atomic_notify: return plainly(Code::atomic_notify);
    case Op::latch_down: return plainly(Code::latch_down);
    case Op::latch_wait: return plainly(Code::latch_wait);
    case Op::latch_arrive: add({Code::latch_down, 0, 0, 1}); return plainly(Code::latch_wait);
    case Op::latch_try: return plainly(Code::latch_try);
    case Op::latch_spin: {
      const std::size_t look = add({Code::latch_spin});
      code[look].target = look;
      return;
    }
    case Op::phase_meet:
    case Op::phase_apart:
    case Op::phase_come:
    case Op::phase_drop: return compile_phase(one, code);
    case Op::heap_new:
      blocks_.push_back(static_cast<std::uint32_t>(one.c));
      return static_cast<void>(add({Code::heap_new, one.v, 0, static_cast<int>(blocks_.size())}));
    case Op::heap_use:
    case Op::heap_set:
    case Op::heap_free: {
      const bool take = one.op == Op::heap_free && one.d != 0;
      const std::size_t get = add({take ? Code::heap_take : Code::heap_get, one.v});
      add({one.op == Op::heap_use   ? Code::heap_read
           : one.op == Op::heap_set ? Code::heap_write
                                    : Code::heap_free,
           one.v, 0, one.c});
      code[get].target = code.size();
      return;
    }
    case Op::section: return plainly(Code::section);
    case Op::block:
      add({Code::block});
      compile(one.body, code);
      add({Code::block_end});
      return;
    case Op::spawn: return plainly(Code::spawn);
    case Op::join: return plainly(Code::join);
    case Op::join_detached: return plainly(Code::join_detached);
    case Op::detach:
    case Op::main_begins:
    case Op::main_ends: return;
    case Op::report: return plainly(Code::report);
  }
}

}  // namespace mazurka::native
