// The printer of one program. Private to printer*.cpp.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>

#include "native/printer.hpp"

namespace mazurka::native {

inline std::string str(int number) { return std::to_string(number); }

class ProgramPrinter final {
 public:
  ProgramPrinter(const Program& program, const Style& style, std::size_t number)
      : program_(program), style_(style), number_(number), p_("p" + std::to_string(number) + "_") {}

  std::string print() {
    objects();
    if (uses(program_, Op::once)) once();
    if (has_phases(program_)) barrier_with_phases();
    if (uses(program_, Op::section) && !cpp()) section_function();
    for (std::size_t at = program_.functions.size(); at-- > 0;) {
      if (at == 0 || spawned(at)) function(at);
    }
    return std::move(text_);
  }

 private:
  [[nodiscard]] bool cpp() const { return style_.language == Language::cpp; }

  // ---- which of the library's types an object has in C++ ----

  [[nodiscard]] bool timed(Op op, int v) const {
    return any_of(program_, [&](const Statement& one) {
      return one.op == op && one.v == v && one.how == How::timed;
    });
  }
  [[nodiscard]] bool std_mutex(int v) const {
    return cpp() && program_.mutexes[static_cast<std::size_t>(v)] != MutexKind::errorcheck &&
           !uses(program_, Op::begin_mutex) && !uses(program_, Op::begin_condition);
  }
  [[nodiscard]] std::string mutex_type(int v) const {
    const bool recursive = program_.mutexes[static_cast<std::size_t>(v)] == MutexKind::recursive;
    if (timed(Op::locked, v)) return recursive ? "std::recursive_timed_mutex" : "std::timed_mutex";
    return recursive ? "std::recursive_mutex" : "std::mutex";
  }
  // How many threads do that; each function is one thread.
  template <typename Predicate>
  [[nodiscard]] std::size_t threads_with(Predicate&& wanted) const {
    return static_cast<std::size_t>(
        std::count_if(program_.functions.begin(), program_.functions.end(),
                      [&](const Block& function) { return any_of(function, wanted); }));
  }
  [[nodiscard]] bool std_rw_lock() const { return cpp() && !uses(program_, Op::begin_rw_lock); }
  // In libstdc++ 12 one of several threads that acquire may sleep for ever; and it is initialised
  // when constructors by attribute have been called.
  [[nodiscard]] bool std_semaphore(int v) const {
    const auto acquires = [v](const Statement& one) {
      return one.v == v && one.op == Op::sem_wait;
    };
    return cpp() && threads_with(acquires) <= 1 && !goes_outside_main(program_) &&
           !any_of(program_, [v](const Statement& one) {
             return one.v == v && (one.op == Op::sem_try || one.op == Op::sem_timed ||
                                   one.op == Op::sem_get || one.op == Op::begin_semaphore);
           });
  }
  // And a thread that comes while others complete a round without it reads how many are expected as
  // they write that.
  [[nodiscard]] bool std_barrier() const {
    const auto arrives = [](const Statement& one) { return one.op == Op::barrier; };
    return cpp() && threads_with(arrives) <= static_cast<std::size_t>(program_.barrier) &&
           !any_of(program_,
                   [](const Statement& one) { return one.op == Op::barrier && one.c != 0; });
  }
  [[nodiscard]] bool std_thread() const {
    return cpp() && !uses(program_, Op::leave) && !uses(program_, Op::join_detached);
  }

  // ---- atomic variables ----

  [[nodiscard]] int width(int v) const { return program_.width[static_cast<std::size_t>(v)]; }
  [[nodiscard]] std::string type(int v) const {
    return width(v) == 16 ? "unsigned __int128" : "uint" + str(width(v) * 8) + "_t";
  }
  [[nodiscard]] std::string x(int v) const { return p_ + "x" + str(v); }
  [[nodiscard]] std::string put(int v, const std::string& value) const {
    if (width(v) >= 8) return "PUT" + str(width(v)) + "(" + value + ")";
    return "(" + type(v) + ")(" + value + ")";
  }
  [[nodiscard]] std::string get(int v, const std::string& value) const {
    if (width(v) >= 8) return "get" + str(width(v)) + "(" + value + ")";
    return value;
  }
  [[nodiscard]] std::string call(const std::string& object, const std::string& name,
                                 const std::string& arguments) const {
    if (program_.fenced)
      return name == "load" ? "LOAD(" + object + ")" : "STORE(" + object + ", " + arguments + ")";
    if (cpp()) return object + "." + name + "(" + arguments + ")";
    return "atomic_" + name + "(&" + object + (arguments.empty() ? "" : ", ") + arguments + ")";
  }
  [[nodiscard]] std::string load(int v) const { return get(v, call(x(v), "load", "")); }
  [[nodiscard]] std::string tell(const std::string& what) const { return "a = a * 5 + " + what; }

  // ---- text ----

  void line(const std::string& what) {
    text_.append(static_cast<std::size_t>(depth_) * 2, ' ');
    text_ += what + "\n";
  }
  void open(const std::string& what) {
    line(what.empty() ? "{" : what + " {");
    ++depth_;
  }
  void close(const std::string& after = "") {
    --depth_;
    line("}" + after);
  }

  // ---- which objects there are ----

  template <typename Predicate>
  [[nodiscard]] bool any(Predicate&& wanted) const {
    return any_of(program_, wanted);
  }
  [[nodiscard]] bool uses_variable(int v) const {
    return quiescent(program_) || any([v](const Statement& one) {
             if (one.op >= Op::spin_two && one.op <= Op::spin_store && one.w == v) return true;
             if ((one.op == Op::wait || one.op == Op::wait_timed) && one.w == v) return true;
             return one.v == v;
           });
  }
  [[nodiscard]] bool uses_condition(int v) const {
    return any([v](const Statement& one) {
      const bool about_one =
          (one.op >= Op::wait && one.op <= Op::broadcast) || one.op == Op::begin_condition;
      return about_one && one.v == v;
    });
  }
  [[nodiscard]] bool uses_mutex(int v) const {
    return uses_condition(v) || any([v](const Statement& one) {
             if (one.op == Op::spin_poll) return one.w == v;
             return (one.op == Op::locked || one.op == Op::locked_kept || one.op == Op::spin_try ||
                     one.op == Op::begin_mutex) &&
                    one.v == v;
           });
  }
  [[nodiscard]] bool uses_semaphore(int v) const {
    return any([v](const Statement& one) {
      const bool about_one =
          (one.op >= Op::sem_wait && one.op <= Op::sem_get) || one.op == Op::begin_semaphore;
      return about_one && one.v == v;
    });
  }
  [[nodiscard]] bool uses_plain() const {
    return uses(program_, Op::plain_load) || uses(program_, Op::plain_store) ||
           uses(program_, Op::plain_add);
  }
  [[nodiscard]] bool uses_slot(int v) const {
    return any([v](const Statement& one) {
      return one.op >= Op::heap_new && one.op <= Op::share && one.v == v;
    });
  }

  [[nodiscard]] bool has_spin_lock() const {
    return uses(program_, Op::spin_locked) || uses(program_, Op::begin_spin_lock);
  }
  template <typename Part>
  [[nodiscard]] static bool uses_mine(const Part& part, int mine) {
    return any_of(part, [mine](const Statement& one) {
      const bool about_one =
          one.op == Op::share || one.op == Op::mine_set || one.op == Op::mine_get;
      return about_one && one.w == mine;
    });
  }
  // The type of what is accessed plainly.
  [[nodiscard]] std::string cell() const {
    return style_.volatile_plain ? "volatile unsigned " : "unsigned ";
  }

  // Variables are not static: what nobody else can write, the compiler takes for constant.
  void objects() {
    for (int v = 0; v < static_cast<int>(variables); ++v) {
      if (!uses_variable(v)) continue;
      const std::string first = str(program_.initial[static_cast<std::size_t>(v)]);
      if (program_.fenced) {
        line("volatile " + type(v) + " " + x(v) + " = " + put(v, first) + ";");
      } else if (cpp()) {
        line("std::atomic<" + type(v) + "> " + x(v) + "{" + put(v, first) + "};");
      } else {
        line("_Atomic " + type(v) + " " + x(v) + " = " + put(v, first) + ";");
      }
    }
    if (uses_plain()) {
      line((program_.fenced ? std::string("unsigned ") : cell()) + p_ + "p0, " + p_ + "p1;");
    }
    if (uses(program_, Op::section)) line("static unsigned " + p_ + "s[2];");
    line("static unsigned " + p_ + "res[" + std::to_string(program_.functions.size()) + "];");
    if (uses_mine(program_, thread_local_variable)) {
      line((cpp() ? "static thread_local " : "static _Thread_local ") + cell() + p_ + "mine1;");
    }
    if (goes_outside_main(program_)) line("static unsigned " + p_ + "a;");
    if (uses(program_, Op::own) || !program_.completion.empty()) {
      line(cpp() ? "static thread_local unsigned " + p_ + "own;"
                 : "static _Thread_local unsigned " + p_ + "own;");
    }
    locks();
    gates();
    for (std::size_t at = 1; at < program_.functions.size(); ++at) {
      if (!spawned(at)) continue;
      const std::string handle = p_ + "h" + std::to_string(at) + ";";
      if (!std_thread()) {
        line("static pthread_t " + handle);
      } else {
        line(at % 2 == 0 ? "static std::jthread* " + handle : "static std::thread* " + handle);
      }
    }
  }

  [[nodiscard]] bool spawned(std::size_t function) const {
    return any([function](const Statement& one) {
      return one.op == Op::spawn && one.v == static_cast<int>(function);
    });
  }

  void gates() {
    for (int v = 0; v < 2; ++v) {
      if (uses_semaphore(v) && std_semaphore(v)) {
        line("static std::counting_semaphore<64> " + p_ + "sem" + str(v) + "{" +
             str(program_.semaphores[static_cast<std::size_t>(v)]) + "};");
      } else if (uses_semaphore(v)) {
        line("static sem_t " + p_ + "sem" + str(v) + ";");
      }
      if (!uses_slot(v)) continue;
      line(cpp() ? "static std::atomic<" + cell() + "*> " + p_ + "slot" + str(v) + ";"
                 : "static " + cell() + "* _Atomic " + p_ + "slot" + str(v) + ";");
    }
    if (uses(program_, Op::barrier)) {
      line(std_barrier() ? "static std::barrier<>* " + p_ + "b;"
                         : "static pthread_barrier_t " + p_ + "b;");
    }
    const bool latch = any(
        [](const Statement& one) { return one.op >= Op::latch_down && one.op <= Op::latch_spin; });
    if (latch) line("static std::latch " + p_ + "latch{" + str(program_.latch) + "};");
  }

  void locks() {
    for (int v = 0; v < 2; ++v) {
      if (!uses_mutex(v)) continue;
      const bool condition = uses_condition(v);
      if (std_mutex(v)) {
        line("static " + mutex_type(v) + " " + p_ + "m" + str(v) + ";");
        if (!condition) continue;
        const std::string type =
            std::string("std::condition_variable") + (mutex_type(v) == "std::mutex" ? "" : "_any");
        const std::string name = p_ + "c" + str(v);
        line("static Kept<" + type + "> " + name + "_kept;");
        line("static " + type + "& " + name + " = " + name + "_kept.one;");
      } else {
        const MutexKind kind = program_.mutexes[static_cast<std::size_t>(v)];
        line("static pthread_mutex_t " + p_ + "m" + str(v) + " = PTHREAD_" +
             (kind == MutexKind::normal      ? "MUTEX_INITIALIZER"
              : kind == MutexKind::recursive ? "RECURSIVE_MUTEX_INITIALIZER_NP"
                                             : "ERRORCHECK_MUTEX_INITIALIZER_NP") +
             ";");
        if (!condition) continue;
        line("static pthread_cond_t " + p_ + "c" + str(v) + " = PTHREAD_COND_INITIALIZER;");
      }
    }
    if (uses(program_, Op::read_locked) || uses(program_, Op::write_locked) ||
        uses(program_, Op::begin_rw_lock)) {
      const bool limited = timed(Op::read_locked, 0) || timed(Op::write_locked, 0);
      line(std_rw_lock() ? std::string("static std::shared_") + (limited ? "timed_" : "") +
                               "mutex " + p_ + "rw;"
                         : "static pthread_rwlock_t " + p_ + "rw = PTHREAD_RWLOCK_INITIALIZER;");
    }
    if (has_spin_lock()) line("static pthread_spinlock_t " + p_ + "spin;");
  }

  void once() {
    if (!cpp()) {
      line("static pthread_once_t " + p_ + "flag = PTHREAD_ONCE_INIT;");
      open("static void " + p_ + "init(void)");
      block(program_.once, 0);
      close();
      return;
    }
    open("static void " + p_ + "once()");
    open("static const int done = []");
    block(program_.once, 0);
    line("return 1;");
    close("();");
    line("(void)done;");
    close();
  }

  void barrier_with_phases() {
    const bool calls = !program_.completion.empty();
    if (calls) {
      open("struct " + p_ + "complete");
      open("void operator()() noexcept");
      block(program_.completion, 0);
      line(p_ + "own += 1;");
      close();
      close(";");
    }
    line("static std::barrier<" + (calls ? p_ + "complete" : std::string()) + ">* " + p_ +
         "phases;");
  }

  void section_function() {
    line("struct " + p_ + "call { int v, c, d; unsigned told; };");
    open("static uint64_t " + p_ + "section(void* argument)");
    line("struct " + p_ + "call* call = argument;");
    line("unsigned *mine = &" + p_ + "s[call->v], *other = &" + p_ + "s[1 - call->v];");
    line("if (call->d == 0) *mine = *other + call->c;");
    line("if (call->d == 1) { if (*mine < 3) *mine += call->c; call->told = *other; }");
    line("if (call->d == 2) call->told = *mine * 4 + *other;");
    line("return call->told;");
    close();
  }

  // What main does before anything else.
  void set_up() {
    if (has_spin_lock()) line("pthread_spin_init(&" + p_ + "spin, 0);");
    for (int v = 0; v < 2; ++v) {
      if (std_semaphore(v) || !uses_semaphore(v)) continue;
      line("sem_init(&" + p_ + "sem" + str(v) + ", 0, " +
           str(program_.semaphores[static_cast<std::size_t>(v)]) + ");");
    }
    if (uses(program_, Op::barrier)) {
      line(std_barrier()
               ? p_ + "b = new std::barrier<>(" + str(program_.barrier) + ");"
               : "pthread_barrier_init(&" + p_ + "b, NULL, " + str(program_.barrier) + ");");
    }
    if (has_phases(program_)) {
      line(p_ + "phases = new std::barrier<" +
           (program_.completion.empty() ? std::string() : p_ + "complete") + ">(" +
           str(program_.phase) + ");");
    }
  }

  void function(std::size_t at) {
    const Block& body = program_.functions[at];
    if (at == 0 && goes_outside_main(program_)) return parts_of_main();
    const std::string own = std::to_string(at);
    open(at == 0 ? "static void " + p_ + "main(void)"
                 : "static void* " + p_ + "f" + own + "(void* unused)");
    if (at == 0) set_up();
    line("unsigned a = 0;");
    if (uses_mine(body, on_stack)) line(cell() + "mine0 = 0;");
    block(body, at);
    if (at != 0) {
      line(p_ + "res[" + own + "] = a;");
      line("return unused;");
    }
    close();
  }

  void parts_of_main();
  void part_of_main(const Block& part, bool first, bool registers);

  void block(const Block& statements, std::size_t function) {
    for (const Statement& one : statements) statement(one, function);
  }

  void statement(const Statement& one, std::size_t function);
  bool atomic(const Statement& one);
  bool spinning(const Statement& one, std::size_t function);
  bool locking(const Statement& one, std::size_t function);
  void lock_call(const Statement& one, std::size_t function, const std::string& object,
                 const std::string& c_name, const std::string& cpp_name, bool standard);
  void waiting(const Statement& one);
  bool gate(const Statement& one);
  bool phases(const Statement& one, std::size_t function);
  bool futexes(const Statement& one);
  bool heap(const Statement& one);
  bool own_blocks(const Statement& one);
  bool begins(const Statement& one);
  bool threads(const Statement& one, std::size_t function);
  void final_report();

  const Program& program_;
  Style style_;
  std::size_t number_;
  std::string p_;
  std::string text_;
  int depth_ = 0;
};

}  // namespace mazurka::native
