// Every statement in C and in C++.
#include "native/program_printer.hpp"

namespace mazurka::native {

bool ProgramPrinter::atomic(const Statement& one) {
  const int v = one.v;
  const std::string c = put(v, str(one.c));
  const auto update = [&](const char* name) { line(call(x(v), name, c) + ";"); };
  const auto fetch = [&](const char* name) { line(tell(get(v, call(x(v), name, c))) + ";"); };
  switch (one.op) {
    case Op::load: line(tell(load(v)) + ";"); return true;
    case Op::store: line(call(x(v), "store", c) + ";"); return true;
    case Op::store_own: line(call(x(v), "store", put(v, "a % 4")) + ";"); return true;
    case Op::bump: update("fetch_add"); return true;
    case Op::drop: update("fetch_sub"); return true;
    case Op::set_bits: update("fetch_or"); return true;
    case Op::clear_bits: update("fetch_and"); return true;
    case Op::flip_bits: update("fetch_xor"); return true;
    case Op::exchange: fetch("exchange"); return true;
    case Op::fetch_add: fetch("fetch_add"); return true;
    case Op::fetch_sub: fetch("fetch_sub"); return true;
    case Op::fetch_or: fetch("fetch_or"); return true;
    case Op::fetch_and: fetch("fetch_and"); return true;
    case Op::fetch_xor: fetch("fetch_xor"); return true;
    case Op::cas:
    case Op::cas_weak: {
      const std::string name =
          one.op == Op::cas ? "compare_exchange_strong" : "compare_exchange_weak";
      open("");
      line(type(v) + " old = " + c + ";");
      line(tell(call(x(v), name, std::string(cpp() ? "" : "&") + "old, " + put(v, str(one.d)))) +
           ";");
      line(tell(get(v, "old")) + ";");
      close();
      return true;
    }
    case Op::load_loop:
      line("for (int i = 0; i < " + str(one.d) + "; ++i) " + tell(load(v)) + ";");
      return true;
    case Op::store_loop:
      line("for (int i = 0; i < " + str(one.d) + "; ++i) " + call(x(v), "store", c) + ";");
      return true;
    case Op::cas_loop:
      open("");
      line(type(v) + " old = " + call(x(v), "load", "") + ";");
      line("while (!" +
           call(x(v), one.d == 0 ? "compare_exchange_weak" : "compare_exchange_strong",
                std::string(cpp() ? "" : "&") + "old, " +
                    put(v, get(v, "old") + " + " + str(one.c))) +
           ") {");
      line("}");
      line(tell(get(v, "old")) + ";");
      close();
      return true;
    default: return false;
  }
}

bool ProgramPrinter::spinning(const Statement& one, std::size_t function) {
  const std::string unlike = load(one.v) + " != " + str(one.c);
  const std::string mutex = p_ + "m" + str(one.op == Op::spin_try ? one.v : one.w);
  const bool standard = std_mutex(one.op == Op::spin_try ? one.v : one.w);
  const auto unlock = [&] {
    line(standard ? mutex + ".unlock();" : "pthread_mutex_unlock(&" + mutex + ");");
  };
  switch (one.op) {
    case Op::spin: open("while (" + unlike + ")"); break;
    case Op::spin_yield:
      open("while (" + unlike + ")");
      line(cpp() ? "std::this_thread::yield();" : "sched_yield();");
      break;
    case Op::spin_sleep:
      open("while (" + unlike + ")");
      line(cpp() ? "std::this_thread::sleep_for(std::chrono::microseconds(1));" : "usleep(1);");
      break;
    case Op::spin_backoff:
      open("for (int pause = 1; " + unlike + "; pause = pause < 8 ? pause * 2 : pause)");
      line("for (int i = 0; i < pause; ++i) __asm__ volatile(\"\");");
      break;
    case Op::spin_two:
      open("while (" + unlike + " || " + load(one.w) + " != " + str(one.d) + ")");
      break;
    case Op::spin_set:
      open("while (" + unlike + ")");
      line(call(x(one.w), "fetch_or", put(one.w, str(one.d))) + ";");
      break;
    case Op::spin_store:
      open("while (" + unlike + ")");
      line(call(x(one.w), "store", put(one.w, str(one.d))) + ";");
      break;
    case Op::spin_counter:
    case Op::spin_bounded: {
      const bool bounded = one.op == Op::spin_bounded;
      open("");
      line("unsigned rounds = 0;");
      line("while (" + (bounded ? "rounds < " + str(one.d) + " && " : std::string()) + unlike +
           ") " + (bounded ? "++rounds;" : "rounds = rounds < 2 ? rounds + 1 : rounds;"));
      line(tell("rounds") + ";");
      break;
    }
    case Op::spin_poll:
      open("for (;;)");
      line(standard ? mutex + ".lock();" : "pthread_mutex_lock(&" + mutex + ");");
      line("unsigned seen = " + load(one.v) + ";");
      unlock();
      line("if (seen == " + str(one.c) + ") break;");
      break;
    case Op::spin_try:
      line("while (" +
           (standard ? "!" + mutex + ".try_lock()" : "pthread_mutex_trylock(&" + mutex + ") != 0") +
           ") sched_yield();");
      block(one.body, function);
      unlock();
      return true;
    default: return false;
  }
  close();
  return true;
}

// The statement that takes a lock, its body, and what is told if the lock was not to be had.
void ProgramPrinter::lock_call(const Statement& one, std::size_t function,
                               const std::string& object, const std::string& c_name,
                               const std::string& cpp_name, bool standard) {
  const bool shared = cpp_name == "_shared";
  std::string unlock;
  if (standard) {
    unlock = object + ".unlock" + (shared ? "_shared" : "") + "();";
    switch (one.how) {
      case How::lock:
        line(object + ".lock" + cpp_name + "();");
        open("");
        break;
      case How::try_lock: open("if (" + object + ".try_lock" + cpp_name + "())"); break;
      case How::timed:
        open("if (" + object + ".try_lock" + cpp_name + "_for(std::chrono::seconds(1)))");
        break;
    }
  } else {
    const bool write = c_name == "rwlock_wr";
    const bool read = c_name == "rwlock_rd";
    const std::string family = read || write ? "rwlock" : c_name;
    const std::string side = read ? "rd" : write ? "wr" : "";
    unlock = "pthread_" + family + "_unlock(&" + object + ");";
    const char* prefix = one.how == How::lock ? "" : one.how == How::try_lock ? "try" : "timed";
    open("");
    line("int r = pthread_" + family + "_" + prefix + side + "lock(&" + object +
         (one.how == How::timed ? ", &later" : "") + ");");
    open("if (r == 0)");
  }
  if (one.how != How::lock) line(tell("1") + ";");
  block(one.body, function);
  line(unlock);
  const bool fails = one.how != How::lock || (!standard && c_name == "mutex");
  close();
  if (fails) line("else " + tell(standard ? "2" : "(r == EDEADLK ? 3 : 2)") + ";");
  if (!standard) close();
}

void ProgramPrinter::waiting(const Statement& one) {
  const std::string mutex = p_ + "m" + str(one.v);
  const std::string condition = p_ + "c" + str(one.v);
  const bool standard = std_mutex(one.v);
  const bool timed_wait = one.op == Op::wait_timed;
  if (standard) {
    open("");
    line("std::unique_lock lock(" + mutex + ");");
  } else {
    open("if (pthread_mutex_lock(&" + mutex + ") == 0)");
  }
  const std::string equal = load(one.w) + " == " + str(one.c);
  const bool counted = !timed_wait && one.wait == Wait::loop && one.d != 0;
  if (counted) line("unsigned rounds = 0;");
  if (standard && !timed_wait && one.wait == Wait::loop && !counted) {
    line(condition + ".wait(lock, [] { return " + equal + "; });");
  } else {
    if (one.wait == Wait::once) open("if (!(" + equal + "))");
    if (one.wait == Wait::loop) open("while (!(" + equal + "))");
    std::string wait = standard ? condition + ".wait(lock)"
                                : "pthread_cond_wait(&" + condition + ", &" + mutex + ")";
    if (timed_wait) {
      wait = standard ? condition + ".wait_for(lock, std::chrono::seconds(1))"
                      : "pthread_cond_timedwait(&" + condition + ", &" + mutex + ", &later)";
    }
    if (timed_wait && one.d == 0) {
      open("if (" + wait + " == " + (standard ? "std::cv_status::timeout" : "ETIMEDOUT") + ")");
      line(tell("1") + ";");
      if (one.wait == Wait::loop) line("break;");
      close();
    } else {
      line(wait + ";");
    }
    if (counted) line("if (rounds < 2) ++rounds;");
    if (one.wait != Wait::always) close();
  }
  if (counted) line(tell("rounds") + ";");
  if (one.how == How::lock) line(tell(load(one.w)) + ";");
  if (!standard) line("pthread_mutex_unlock(&" + mutex + ");");
  close();
  if (!standard) line("else " + tell("3") + ";");
}

bool ProgramPrinter::locking(const Statement& one, std::size_t function) {
  const std::string condition = p_ + "c" + str(one.v);
  switch (one.op) {
    case Op::locked:
      lock_call(one, function, p_ + "m" + str(one.v), "mutex", "", std_mutex(one.v));
      return true;
    case Op::locked_kept:
      line(std_mutex(one.v)
               ? p_ + "m" + str(one.v) + ".lock();"
               : "if (pthread_mutex_lock(&" + p_ + "m" + str(one.v) + ") != 0) " + tell("3") + ";");
      return true;
    case Op::read_locked:
      lock_call(one, function, p_ + "rw", "rwlock_rd", "_shared", std_rw_lock());
      return true;
    case Op::write_locked:
      lock_call(one, function, p_ + "rw", "rwlock_wr", "", std_rw_lock());
      return true;
    case Op::spin_locked: lock_call(one, function, p_ + "spin", "spin", "", false); return true;
    case Op::wait:
    case Op::wait_timed: waiting(one); return true;
    case Op::signal:
      line(std_mutex(one.v) ? condition + ".notify_one();"
                            : "pthread_cond_signal(&" + condition + ");");
      return true;
    case Op::broadcast:
      line(std_mutex(one.v) ? condition + ".notify_all();"
                            : "pthread_cond_broadcast(&" + condition + ");");
      return true;
    default: return false;
  }
}

bool ProgramPrinter::gate(const Statement& one) {
  const std::string semaphore = p_ + "sem" + str(one.v);
  const bool standard = std_semaphore(one.v);
  switch (one.op) {
    case Op::sem_wait:
      line(standard ? semaphore + ".acquire();" : "sem_wait(&" + semaphore + ");");
      return true;
    case Op::sem_post:
      line(standard ? semaphore + ".release();" : "sem_post(&" + semaphore + ");");
      return true;
    case Op::sem_try: line(tell("(sem_trywait(&" + semaphore + ") == 0 ? 1 : 2);")); return true;
    case Op::sem_timed:
      line(tell("(sem_timedwait(&" + semaphore + ", &later) == 0 ? 1 : 2);"));
      return true;
    case Op::sem_get:
      open("");
      line("int value = 0;");
      line("sem_getvalue(&" + semaphore + ", &value);");
      line(tell("(unsigned)value;"));
      close();
      return true;
    case Op::barrier:
      if (std_barrier()) {
        line(p_ + "b->arrive_and_wait();");
      } else if (one.c != 0) {
        line(tell("(pthread_barrier_wait(&" + p_ + "b) == PTHREAD_BARRIER_SERIAL_THREAD);"));
      } else {
        line("pthread_barrier_wait(&" + p_ + "b);");
      }
      return true;
    case Op::once:
      line(cpp() ? p_ + "once();" : "pthread_once(&" + p_ + "flag, " + p_ + "init);");
      return true;
    case Op::latch_down:
      line(p_ + "latch.count_down(" + (one.c == 1 ? "" : str(one.c)) + ");");
      return true;
    case Op::latch_wait: line(p_ + "latch.wait();"); return true;
    case Op::latch_arrive: line(p_ + "latch.arrive_and_wait();"); return true;
    case Op::latch_try: line(tell("(" + p_ + "latch.try_wait() ? 1 : 2);")); return true;
    case Op::latch_spin: line("while (!" + p_ + "latch.try_wait()) sched_yield();"); return true;
    default: return false;
  }
}

bool ProgramPrinter::phases(const Statement& one, std::size_t function) {
  const std::string object = p_ + "phases->";
  const std::string arrive = object + "arrive(" + (one.c == 1 ? "" : str(one.c)) + ")";
  switch (one.op) {
    case Op::phase_meet: line(object + "arrive_and_wait();"); break;
    case Op::phase_come: line("(void)" + arrive + ";"); break;
    case Op::phase_drop: line(object + "arrive_and_drop();"); break;
    case Op::phase_apart:
      open("");
      line("auto token = " + arrive + ";");
      block(one.body, function);
      line(object + "wait(std::move(token));");
      close();
      break;
    default: return false;
  }
  if (!program_.completion.empty()) line(tell(p_ + "own;"));
  return true;
}

bool ProgramPrinter::futexes(const Statement& one) {
  const std::string begin = "syscall(SYS_futex, &" + x(one.v) + ", ";
  const std::string many = one.c == 1 ? "1" : "INT_MAX";
  switch (one.op) {
    case Op::futex_wait:
      open("");
      line("long r = " + begin + "FUTEX_WAIT_PRIVATE, " + str(one.c) + ", " +
           (one.d != 0 ? "&limit" : "NULL") + ", NULL, 0);");
      line(tell("(r == 0 ? 3 : errno == ETIMEDOUT ? 2 : 1);"));
      close();
      return true;
    case Op::futex_wake:
      line(tell("(unsigned)" + begin + "FUTEX_WAKE_PRIVATE, " + many + ", NULL, NULL, 0);"));
      return true;
    case Op::atomic_wait:
      if (cpp()) {
        line(x(one.v) + ".wait(" + put(one.v, str(one.c)) + ");");
      } else {
        line("while (" + load(one.v) + " == " + str(one.c) + ") " + begin + "FUTEX_WAIT_PRIVATE, " +
             str(one.c) + ", NULL, NULL, 0);");
      }
      return true;
    case Op::atomic_notify:
      line(cpp() ? x(one.v) + (one.c == 1 ? ".notify_one();" : ".notify_all();")
                 : begin + "FUTEX_WAKE_PRIVATE, " + many + ", NULL, NULL, 0);");
      return true;
    default: return false;
  }
}

bool ProgramPrinter::heap(const Statement& one) {
  const std::string slot = p_ + "slot" + str(one.v);
  switch (one.op) {
    case Op::heap_new:
      open("");
      line(cell() + (cpp() ? "*block = new unsigned;" : "*block = malloc(sizeof *block);"));
      line("*block = " + str(one.c) + ";");
      line(call(slot, "store", "block") + ";");
      close();
      return true;
    case Op::heap_use:
      open("");
      line(cell() + "*block = " + call(slot, "load", "") + ";");
      line("if (block != NULL) " + tell("*block;"));
      close();
      return true;
    case Op::heap_set:
      open("");
      line(cell() + "*block = " + call(slot, "load", "") + ";");
      line("if (block != NULL) *block = " + str(one.c) + ";");
      close();
      return true;
    case Op::heap_free:
      open("");
      line(cell() + "*block = " +
           (one.d != 0 ? call(slot, "exchange", "NULL") : call(slot, "load", "")) + ";");
      line(cpp() ? "delete block;" : "free((void*)block);");
      close();
      return true;
    default: return false;
  }
}

bool ProgramPrinter::threads(const Statement& one, std::size_t function) {
  const std::string handle = p_ + "h" + str(one.v);
  const std::string body = p_ + "f" + str(one.v);
  switch (one.op) {
    case Op::spawn:
      if (std_thread()) {
        line(handle + " = new std::" + (one.v % 2 == 0 ? "jthread(" : "thread(") + body +
             ", nullptr);");
      } else {
        line("pthread_create(&" + handle + ", NULL, " + body + ", NULL);");
      }
      return true;
    case Op::join:
    case Op::join_detached:
      line(std_thread() ? handle + "->join();" : "pthread_join(" + handle + ", NULL);");
      return true;
    case Op::detach:
      line(std_thread() ? handle + "->detach();" : "pthread_detach(" + handle + ");");
      return true;
    case Op::leave:
      if (function != 0) line(p_ + "res[" + std::to_string(function) + "] = a;");
      line("pthread_exit(NULL);");
      return true;
    case Op::exit: line("exit(0);"); return true;
    case Op::report: final_report(); return true;
    default: return false;
  }
}

void ProgramPrinter::final_report() {
  const std::vector<bool> joined = surely_joined(program_);
  std::string format = "F %u";
  std::string values = ", a";
  for (std::size_t at = 1; at < joined.size(); ++at) {
    if (!joined[at]) continue;
    format += " %u";
    values += ", " + p_ + "res[" + std::to_string(at) + "]";
  }
  if (quiescent(program_)) {
    format += " / %u %u %u";
    for (int v = 0; v < static_cast<int>(variables); ++v) values += ", (unsigned)" + load(v);
    const auto more = [&](std::initializer_list<const char*> names) {
      for (const char* name : names) values += ", " + p_ + name;
      format += " %u %u";
    };
    if (uses_plain()) more({"p0", "p1"});
    if (uses(program_, Op::section)) more({"s[0]", "s[1]"});
  }
  open("");
  line("char text[200];");
  line("snprintf(text, sizeof text, \"" + format + "\"" + values + ");");
  line("report(text);");
  close();
}

void ProgramPrinter::statement(const Statement& one, std::size_t function) {
  if (atomic(one) || spinning(one, function) || locking(one, function) || gate(one) ||
      phases(one, function) || futexes(one) || heap(one) || own_blocks(one) || begins(one) ||
      threads(one, function)) {
    return;
  }
  const std::string failure = "fail(\"A " + std::to_string(function) + " " + str(one.c) + "\");";
  const std::string plain = p_ + "p" + str(one.v);
  switch (one.op) {
    case Op::mix: line(tell(str(one.c)) + ";"); break;
    case Op::compute:
      open("");
      line("unsigned sum = 0;");
      line("for (int i = 0; i < " + str(one.c) + "; ++i) sum += 3;");
      line(tell("sum % 7;"));
      close();
      break;
    case Op::own:
      line(p_ + "own += " + str(one.c) + ";");
      line(tell(p_ + "own;"));
      break;
    case Op::cells:
      open("");
      line(cpp() ? "std::atomic<unsigned> cells[4];" : "_Atomic unsigned cells[4];");
      line("for (int i = 0; i < 4; ++i) " + call("cells[i]", "store", str(one.c)) + ";");
      line(tell(call("cells[" + str(one.d) + "]", "load", "") + ";"));
      close();
      break;
    case Op::if_equal:
    case Op::if_odd:
      open(one.op == Op::if_odd ? "if (a % 2 == 1)"
                                : "if (" + load(one.v) + " == " + str(one.c) + ")");
      block(one.body, function);
      if (!one.other.empty()) {
        --depth_;
        open("} else");
        block(one.other, function);
      }
      close();
      break;
    case Op::fail: line(failure); break;
    case Op::check: line("if (" + load(one.v) + " == " + str(one.c) + ") " + failure); break;
    case Op::choose: line(tell("(unsigned)mazurka_choose(" + str(one.c) + ");")); break;
    case Op::plain_load: line(tell(plain + ";")); break;
    case Op::plain_store: line(plain + " = " + str(one.c) + ";"); break;
    case Op::plain_add: line(plain + " = " + plain + " + " + str(one.c) + ";"); break;
    case Op::section: {
      const std::string mine = p_ + "s[" + str(one.v) + "]";
      const std::string other = p_ + "s[" + str(1 - one.v) + "]";
      if (!cpp()) {
        open("");
        line("struct " + p_ + "call call = {" + str(one.v) + ", " + str(one.c) + ", " + str(one.d) +
             ", 0};");
        line("mazurka_atomic(" + p_ + "section, &call);");
        if (one.d != 0) line(tell("call.told;"));
        close();
      } else if (one.d == 0) {
        line("mazurka::atomic([] { " + mine + " = " + other + " + " + str(one.c) + "; });");
      } else if (one.d == 1) {
        line(tell("mazurka::atomic([] { if (" + mine + " < 3) " + mine + " += " + str(one.c) +
                  "; return " + other + "; });"));
      } else {
        line(tell("mazurka::atomic([] { return " + mine + " * 4 + " + other + "; });"));
      }
      break;
    }
    case Op::block:
      line("__VERIFIER_atomic_begin();");
      block(one.body, function);
      line("__VERIFIER_atomic_end();");
      break;
    default: line("#error unknown statement"); break;
  }
}

}  // namespace mazurka::native
