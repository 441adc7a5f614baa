// What begins and ends: blocks of a thread's own, objects, and what runs before and after main.
#include "native/program_printer.hpp"

namespace mazurka::native {

bool ProgramPrinter::own_blocks(const Statement& one) {
  const std::string mine = one.w == on_stack ? "mine0" : p_ + "mine1";
  switch (one.op) {
    case Op::share: line(call(p_ + "slot" + str(one.v), "store", "&" + mine) + ";"); return true;
    case Op::mine_set: line(mine + " = " + str(one.c) + ";"); return true;
    case Op::mine_get: line(tell(mine + ";")); return true;
    default: return false;
  }
}

bool ProgramPrinter::begins(const Statement& one) {
  switch (one.op) {
    case Op::begin_mutex: line("pthread_mutex_init(&" + p_ + "m" + str(one.v) + ", NULL);"); break;
    case Op::begin_condition:
      line("pthread_cond_init(&" + p_ + "c" + str(one.v) + ", NULL);");
      break;
    case Op::begin_rw_lock: line("pthread_rwlock_init(&" + p_ + "rw, NULL);"); break;
    case Op::begin_spin_lock: line("pthread_spin_init(&" + p_ + "spin, 0);"); break;
    case Op::begin_semaphore:
      line("sem_init(&" + p_ + "sem" + str(one.v) + ", 0, " + str(one.c) + ");");
      break;
    default: return false;
  }
  return true;
}

// The statements of one part; `registers`: the last part with atexit.
void ProgramPrinter::part_of_main(const Block& part, bool first, bool registers) {
  if (first) set_up();
  if (registers) line("atexit(" + p_ + "end);");
  line("unsigned a = " + p_ + "a;");
  block(part, 0);
  line(p_ + "a = a;");
}

void ProgramPrinter::parts_of_main() {
  const Block& all = program_.functions[0];
  const auto border = [&](Op op) {
    return std::find_if(all.begin(), all.end(),
                        [op](const Statement& one) { return one.op == op; });
  };
  const auto begins = border(Op::main_begins);
  const auto ends = border(Op::main_ends);
  const bool before = begins != all.end();
  const bool after = ends != all.end();
  const Block first(all.begin(), before ? begins : all.begin());
  const Block last(after ? ends + 1 : all.end(), all.end());
  const Block middle(before ? begins + 1 : all.begin(), ends);
  const bool chosen_object_before = cpp() && before && begins->d == by_object;
  const bool chosen_object_after = cpp() && after && ends->d == by_object;
  const bool at_the_exit = after && ends->d == at_exit;
  const auto attribute = [&](bool wanted, const char* name) {
    return wanted ? "__attribute__((" + std::string(name) + ")) " : std::string();
  };
  const std::string others = "if (chosen != " + std::to_string(number_) + ") return;";
  if (after) {
    open(attribute(!at_the_exit && !chosen_object_after, "destructor") + "static void " + p_ +
         "end(void)");
    line(others);
    part_of_main(last, false, false);
    close();
  }
  if (before) {
    open(attribute(!chosen_object_before, "constructor") + "static void " + p_ + "begin(void)");
    line(others);
    part_of_main(first, true, at_the_exit);
    close();
  }
  if (chosen_object_before || chosen_object_after) {
    open("static struct " + p_ + "Edge");
    if (chosen_object_before) line(p_ + "Edge() { " + p_ + "begin(); }");
    if (chosen_object_after) line("~" + p_ + "Edge() { " + p_ + "end(); }");
    close(" " + p_ + "edge;");
  }
  open("static void " + p_ + "main(void)");
  part_of_main(middle, !before, at_the_exit && !before);
  close();
}

}  // namespace mazurka::native
