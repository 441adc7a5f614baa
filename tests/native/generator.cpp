#include "native/generator.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "native/profiles.hpp"

namespace mazurka::native {
namespace {

class Generator final {
 public:
  Generator(const Profile& profile, std::uint64_t seed) : profile_(profile), random_(seed) {}

  Program make() {
    program_.profile = profile_.name;
    objects();
    const std::size_t count = is("threads") || is("endings") ? 2 : one_of({2, 2, 2, 3});
    workers_ = count;
    program_.functions.resize(count + 1);
    const bool tiny = chance(25);  // the smallest programs are rarely hidden by anything else
    for (std::size_t at = 1; at <= count; ++at) {
      const std::size_t most = tiny ? 1 : count == 2 || is("handed_over") ? 3 : 2;
      hands_over_ = true;
      const bool hands_over = is("handed_over") && chance(60);
      program_.functions[at] = hands_over                      ? part_in_handing_over()
                               : is("volatiles") && chance(60) ? part_in_publishing()
                                                               : statements(at, 1 + below(most));
    }
    main_function(count);
    finish();
    return std::move(program_);
  }

 private:
  struct Held {
    bool mutex[2]{};
    bool rw = false;
    bool spin = false;
    [[nodiscard]] bool any() const { return mutex[0] || mutex[1] || rw || spin; }
  };

  [[nodiscard]] bool is(std::string_view name) const { return profile_.name == name; }
  std::size_t below(std::size_t limit) { return random_() % limit; }
  bool chance(int percent) { return static_cast<int>(below(100)) < percent; }
  int number(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::size_t>(high - low + 1)));
  }
  std::size_t one_of(std::initializer_list<std::size_t> values) {
    return values.begin()[below(values.size())];
  }

  [[nodiscard]] bool begins_objects() const { return is("late_objects") || is("late_conditions"); }

  void objects() {
    program_.racy = is("racy") || (begins_objects() && chance(60));
    program_.fenced = is("volatiles");
    program_.spurious = is("spurious") ? 1 : 0;
    program_.cpp = is("latches") || is("phases");
    const bool futex = is("futexes") || is("atomic_waits");
    if (is("atomic_waits") && chance(40)) {
      program_.cpp = true;
      // Of other sizes libstdc++ wakes all whose variables lie near to each other.
      for (int& width : program_.width) width = 4;
    } else if (is("volatiles")) {
      for (int& width : program_.width) width = static_cast<int>(one_of({1, 2, 4, 4}));
    } else if (!futex) {
      for (int& width : program_.width) width = static_cast<int>(one_of({1, 2, 4, 4, 4, 8, 16}));
    }
    if (chance(25)) program_.initial[below(variables)] = 1;
    for (MutexKind& kind : program_.mutexes) {
      const bool only_normal = uses_op(Op::wait) || uses_op(Op::wait_timed);
      if (begins_objects()) {
        kind = MutexKind::normal;
      } else if (only_normal) {
        kind = chance(80) ? MutexKind::normal : MutexKind::errorcheck;
      } else {
        kind = static_cast<MutexKind>(one_of({0, 0, 1, 2}));
      }
    }
    for (int& value : program_.semaphores) value = is("handed_over") ? 0 : number(0, 1);
    program_.barrier = chance(80) ? 2 : 3;
    serial_ = chance(70);
    program_.once = called_back();
    if (is("phases")) {
      program_.phase = chance(80) ? 2 : number(1, 3);
      if (chance(40)) program_.completion = called_back();
    }
  }

  // What the library calls.
  Block called_back() {
    Block block;
    for (int left = number(1, 2); left > 0; --left) {
      Statement one;
      one.op = chance(60) ? Op::bump : Op::store;
      if (is("phases") && chance(30)) one.op = Op::plain_add;
      one.v = one.op == Op::plain_add ? static_cast<int>(below(2)) : variable(one.op);
      one.c = number(1, 2);
      block.push_back(one);
    }
    return block;
  }

  [[nodiscard]] bool uses_op(Op op) const {
    return std::any_of(profile_.ops.begin(), profile_.ops.end(),
                       [op](const Weighted& one) { return one.op == op; });
  }

  // A variable that this operation exists for: those of 16 bytes have no arithmetic.
  int variable(Op& op) {
    const int v = static_cast<int>(below(chance(85) ? 2 : variables));
    const int width = program_.width[static_cast<std::size_t>(v)];
    const bool unused = op >= Op::bump && op <= Op::flip_bits;
    const bool fetches = op >= Op::fetch_add && op <= Op::fetch_xor;
    if (width == 16 && (unused || fetches)) op = unused ? Op::store : Op::exchange;
    if (width == 8 && op == Op::fetch_sub) op = Op::fetch_or;
    if (width == 8 && op == Op::drop) op = Op::set_bits;
    return v;
  }

  Block statements(std::size_t function, std::size_t count) {
    Block block;
    for (std::size_t at = 0; at < count; ++at) add(block, function, 0, {});
    return block;
  }

  Statement simple(Op op) {
    Statement one;
    one.op = op;
    one.v = chance(80) ? 0 : 1;
    one.c = number(1, 2);
    return one;
  }

  // Something is written before a section, and read after one: only the section that comes second
  // knows of the other, and who waits for a third thread does not go on at once.
  Block part_in_handing_over() {
    Block block;
    Statement section = simple(Op::locked);
    if (chance(20)) section.body.push_back(access());
    switch (below(3)) {
      case 0:
        block.push_back(simple(Op::plain_store));
        block.push_back(std::move(section));
        break;
      case 1:
        block.push_back(std::move(section));
        if (chance(80)) block.push_back(simple(Op::sem_wait));
        block.push_back(simple(chance(60) ? Op::plain_load : Op::plain_store));
        break;
      default: block.push_back(simple(Op::sem_post)); break;
    }
    return block;
  }

  // A flag says that something plain has been written.
  Block part_in_publishing() {
    Block block;
    Statement flag;
    flag.c = 1;
    switch (below(4)) {
      case 0:
        block.push_back(simple(Op::plain_store));
        flag.op = Op::store;
        block.push_back(flag);
        break;
      case 1:
        flag.op = Op::spin;
        block.push_back(flag);
        block.push_back(simple(Op::plain_load));
        break;
      default:
        flag.op = Op::if_equal;
        flag.body.push_back(simple(chance(60) ? Op::plain_load : Op::plain_store));
        block.push_back(flag);
        if (chance(40)) block.push_back(access());
        break;
    }
    return block;
  }

  Op draw() {
    int all = 0;
    for (const Weighted& one : profile_.ops) all += one.weight;
    int at = number(0, all - 1);
    for (const Weighted& one : profile_.ops) {
      at -= one.weight;
      if (at < 0) return one.op;
    }
    return Op::load;
  }

  Block inner(std::size_t function, int depth, const Held& held) {
    Block block;
    for (int left = chance(70) ? 1 : 2; left > 0; --left) add(block, function, depth + 1, held);
    return block;
  }

  Statement access() {
    Statement one;
    one.op = chance(50) ? Op::load : Op::store;
    one.v = variable(one.op);
    one.c = number(1, 2);
    return one;
  }

  How way() {
    if (is("plain") || is("handed_over")) return How::lock;
    return chance(55) ? How::lock : chance(55) ? How::try_lock : How::timed;
  }

  // Adds one statement, or a few that belong together.
  void add(Block& block, std::size_t function, int depth, Held held) {
    Statement one;
    one.op = draw();
    one.v = variable(one.op);
    one.w = static_cast<int>(below(2));
    one.c = number(1, 2);
    one.d = number(0, 2);
    const bool deep = depth >= 2;
    switch (one.op) {
      case Op::cas:
      case Op::cas_weak:
        one.c = number(0, 1);
        one.d = one.c + 1;
        break;
      case Op::clear_bits:
      case Op::fetch_and: one.c = number(0, 3); break;
      case Op::if_equal:
      case Op::if_odd:
        if (deep) break;
        one.c = number(0, 2);
        one.body = inner(function, depth, held);
        if (chance(50)) one.other = inner(function, depth, held);
        break;
      case Op::spin_two:
      case Op::spin_store: one.w = (one.v + 1) % 2; break;
      case Op::spin_set:
        one.w = (one.v + 1) % 2;
        if (program_.width[static_cast<std::size_t>(one.w)] == 16) one.op = Op::spin;
        break;
      case Op::spin_bounded: one.d = number(1, 3); break;
      case Op::load_loop:
      case Op::store_loop: one.d = number(2, 3); break;
      case Op::spin_poll:
        if (held.any()) one = access();
        break;
      case Op::spin_try:
      case Op::locked:
      case Op::locked_kept: return add_locked(block, one, function, depth, held);
      case Op::read_locked:
      case Op::write_locked:
      case Op::spin_locked: {
        bool& mine = one.op == Op::spin_locked ? held.spin : held.rw;
        if (mine || deep) {
          one = access();
          break;
        }
        mine = true;
        one.v = 0;
        one.how = way();
        if (one.op == Op::spin_locked && one.how == How::timed) one.how = How::try_lock;
        one.body = inner(function, depth, held);
        break;
      }
      case Op::wait:
      case Op::wait_timed:
        if (held.any()) {
          one = access();
          break;
        }
        one.w = one.v;
        one.v = chance(85) ? 0 : 1;
        one.wait = static_cast<Wait>(one_of({0, 0, 1, 2, 2}));
        one.d = chance(50) ? 1 : 0;
        one.how = chance(50) ? How::lock : How::try_lock;
        break;
      case Op::signal:
      case Op::broadcast: return add_signal(block, one, held);
      case Op::sem_wait:
      case Op::sem_try:
      case Op::sem_timed:
      case Op::sem_post:
      case Op::sem_get: one.v = chance(75) ? 0 : 1; break;
      case Op::barrier:
        if (deep) one = access();
        one.c = serial_ ? 1 : 0;
        break;
      case Op::latch_down: one.c = chance(75) ? 1 : 2; break;
      case Op::phase_come: one.c = chance(80) ? 1 : 2; break;
      case Op::phase_apart:
        if (depth > 0) {
          one = access();
          break;
        }
        one.c = chance(80) ? 1 : 2;
        if (chance(60)) one.body = inner(function, depth, held);
        break;
      case Op::futex_wait:
        one.c = number(0, 1);
        one.d = chance(35) ? 1 : 0;
        break;
      case Op::atomic_wait: one.c = number(0, 1); break;
      case Op::share:
      case Op::mine_set:
      case Op::mine_get: one.w = chance(50) ? on_stack : thread_local_variable; [[fallthrough]];
      case Op::heap_new:
      case Op::heap_set:
      case Op::heap_use: one.v = chance(80) ? 0 : 1; break;
      case Op::begin_mutex:
      case Op::begin_condition:
      case Op::begin_rw_lock:
      case Op::begin_spin_lock:
      case Op::begin_semaphore: begin(one, held); break;
      case Op::heap_free:
        one.v = chance(80) ? 0 : 1;
        one.d = chance(80) ? 1 : 0;
        break;
      case Op::plain_load:
      case Op::plain_store:
      case Op::plain_add: return add_plain(block, one, function, depth, held);
      case Op::section: one.v = static_cast<int>(below(2)); break;
      case Op::block: fill_block(one); break;
      case Op::spawn: return add_child(block, function, depth);
      case Op::exit:
      case Op::leave:
      case Op::fail: return add_ending(block, one, depth);
      case Op::compute: one.c = number(1, 40); break;
      case Op::choose: one.c = number(2, 3); break;
      case Op::check: one.c = number(1, 3); break;
      default: break;
    }
    block.push_back(std::move(one));
  }

  void begin(Statement& one, const Held& held) {
    one.v = chance(75) ? 0 : 1;
    one.c = number(0, 2);
    const bool only_one = one.op == Op::begin_rw_lock || one.op == Op::begin_spin_lock;
    if (only_one) one.v = 0;
    const bool mine = one.op == Op::begin_mutex       ? held.mutex[one.v]
                      : one.op == Op::begin_rw_lock   ? held.rw
                      : one.op == Op::begin_spin_lock ? held.spin
                                                      : false;
    if (mine && !chance(15)) one = access();
  }

  void add_locked(Block& block, Statement one, std::size_t function, int depth, Held held) {
    one.v = chance(65) ? 0 : 1;
    if (uses_op(Op::wait) || uses_op(Op::wait_timed)) one.v = 0;
    bool& mine = held.mutex[one.v];
    const MutexKind kind = program_.mutexes[static_cast<std::size_t>(one.v)];
    const bool own_deadlock = kind == MutexKind::normal;
    if (depth >= 2 || (mine && own_deadlock && !chance(10)) || (mine && one.op == Op::spin_try)) {
      block.push_back(access());
      return;
    }
    one.how = one.op == Op::locked ? way() : How::lock;
    if (!is("timed_mutexes") && kind == MutexKind::errorcheck && one.how == How::timed) {
      one.how = How::try_lock;
    }
    mine = true;
    if (one.op != Op::locked_kept) one.body = inner(function, depth, held);
    block.push_back(std::move(one));
  }

  void add_signal(Block& block, Statement one, const Held& held) {
    Statement change;
    change.op = Op::store;
    change.v = one.v;
    change.c = one.c;
    one.v = chance(85) ? 0 : 1;
    if (chance(30)) block.push_back(change);
    if (held.any() || chance(55)) {
      block.push_back(std::move(one));
      return;
    }
    Statement locked;
    locked.op = Op::locked;
    locked.v = one.v;
    if (chance(60)) locked.body.push_back(change);
    locked.body.push_back(std::move(one));
    block.push_back(std::move(locked));
  }

  void add_plain(Block& block, Statement one, std::size_t function, int depth, Held held) {
    one.v = static_cast<int>(below(2));
    // Where what is handed over is accessed often, something races in every order.
    const bool had_its = is("handed_over") && !std::exchange(hands_over_, false);
    if (had_its && !held.any()) return block.push_back(access());
    const bool meets = is("latches") || is("phases");
    const bool unprotected =
        is("racy") || is("published") || is("handed_over") || chance(meets ? 60 : 8);
    if (unprotected || held.mutex[0] || depth >= 2) {
      block.push_back(std::move(one));
      return;
    }
    Statement locked;
    locked.op = Op::locked;
    locked.body.push_back(std::move(one));
    held.mutex[0] = true;
    if (chance(40)) add(locked.body, function, depth + 1, held);
    block.push_back(std::move(locked));
  }

  void fill_block(Statement& one) {
    for (int left = number(1, 3); left > 0; --left) {
      Statement part;
      part.op = static_cast<Op>(one_of(
          {static_cast<std::size_t>(Op::plain_load), static_cast<std::size_t>(Op::plain_store),
           static_cast<std::size_t>(Op::plain_add), static_cast<std::size_t>(Op::load),
           static_cast<std::size_t>(Op::store)}));
      const bool atomic = part.op == Op::load || part.op == Op::store;
      part.v = atomic ? variable(part.op) : static_cast<int>(below(2));
      part.c = number(1, 2);
      one.body.push_back(part);
    }
  }

  void add_child(Block& block, std::size_t function, int depth) {
    if (depth > 0 || function > workers_ || program_.functions.size() > workers_ + 2 ||
        !chance(80)) {
      block.push_back(access());
      return;
    }
    const std::size_t child = program_.functions.size();
    program_.functions.emplace_back();
    Block body = statements(child, 1 + below(2));
    program_.functions[child] = std::move(body);
    Statement one;
    one.op = Op::spawn;
    one.v = static_cast<int>(child);
    block.push_back(one);
    if (chance(40)) block.push_back(access());
    one.op = chance(70) ? Op::join : Op::detach;
    const bool joins = one.op == Op::join;
    if (!joins && !chance(60)) return;
    block.push_back(one);
    if (joins || !chance(20)) return;
    if (chance(50)) block.push_back(access());
    one.op = Op::join_detached;
    block.push_back(one);
  }

  void add_ending(Block& block, Statement one, int depth) {
    if (depth > 0 || chance(30)) {
      block.push_back(std::move(one));
      return;
    }
    Statement test;
    test.op = Op::if_equal;
    test.v = variable(test.op);
    test.c = number(0, 2);
    test.body.push_back(std::move(one));
    block.push_back(std::move(test));
  }

  void main_function(std::size_t count) {
    Block main;
    const bool loose = is("endings");
    for (std::size_t at = 1; at <= count; ++at) {
      Statement one;
      one.op = Op::spawn;
      one.v = static_cast<int>(at);
      main.push_back(one);
    }
    const bool meets = is("barriers") || is("phases");
    const bool joins_in = is("outside_main") || (count == 2 && chance(meets   ? 50
                                                                      : loose ? 80
                                                                              : 35));
    if (joins_in) {
      Block mine = statements(0, 1);
      main.insert(main.end(), mine.begin(), mine.end());
    }
    std::vector<std::size_t> order;
    for (std::size_t at = 1; at <= count; ++at) order.push_back(at);
    if (chance(30)) std::reverse(order.begin(), order.end());
    for (const std::size_t at : order) {
      Statement one;
      one.op = loose && chance(50) ? Op::detach : Op::join;
      one.v = static_cast<int>(at);
      if (one.op == Op::detach && chance(50)) continue;
      main.push_back(one);
    }
    Statement last;
    last.op = Op::report;
    if (!loose || chance(60)) main.push_back(last);
    if (is("outside_main")) go_outside(main);
    program_.functions[0] = std::move(main);
  }

  // Something of what main does is done before it, or after it.
  void go_outside(Block& main) {
    const auto insert = [&](Op op, std::size_t at) {
      Statement one;
      one.op = op;
      one.d = static_cast<int>(below(3));
      main.insert(main.begin() + static_cast<std::ptrdiff_t>(at), one);
    };
    for (int left = number(0, 2); left > 0; --left) {
      Block more;
      add(more, 0, 2, {});
      const auto at = static_cast<std::ptrdiff_t>(below(main.size()));
      main.insert(main.begin() + at, more.begin(), more.end());
    }
    const std::size_t last = below(main.size());
    const std::size_t first = below(last + 1);
    const bool only_before = chance(20);
    if (!only_before) insert(Op::main_ends, last);
    if (only_before || chance(80)) insert(Op::main_begins, first);
  }

  void finish() {
    if (!is("latches")) return;
    int downs = 0;
    for (const Block& function : program_.functions) {
      for (const Statement& one : function) {
        downs += one.op == Op::latch_down ? one.c : one.op == Op::latch_arrive ? 1 : 0;
      }
    }
    program_.latch = downs + (chance(10) ? 1 : 0);
    if (downs > 0 && chance(8)) program_.latch = downs - 1;
  }

  const Profile& profile_;
  std::mt19937_64 random_;
  Program program_;
  std::size_t workers_ = 0;
  bool serial_ = false;
  bool hands_over_ = false;  // the function may still access something without a lock
};

}  // namespace

std::span<const std::string_view> profiles() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const Profile& profile : all_profiles()) all.push_back(profile.name);
    return all;
  }();
  return names;
}

Program generate(std::string_view profile, std::uint64_t seed, std::uint64_t number) {
  for (const Profile& one : all_profiles()) {
    if (one.name != profile) continue;
    std::seed_seq mixed{seed, seed >> 32U, number, number >> 32U};
    std::array<std::uint32_t, 2> words{};
    mixed.generate(words.begin(), words.end());
    return Generator(one, std::uint64_t{words[0]} << 32U | words[1]).make();
  }
  throw std::invalid_argument("no profile is called " + std::string(profile));
}

}  // namespace mazurka::native
