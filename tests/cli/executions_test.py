"""The list of all executions with their final states, beside a search of our own through all orders.

The programs are random and small. What can happen in them is worked out here, from what their text means: every
order of handlings, of steps. A technique that explores each trace once must list exactly the final states that
come out, and the list must agree with the counts of the report.
"""

import itertools
import json
import random
import unittest

from calling import ERROR, VERIFIED, InFolder


def actors_program(cells, messages):
    """Each message is (cell, operation, value, what is sent on by it)."""
    text = ["#include <mazurka/actors.hpp>", "struct Cell {", "  long value = 0;",
            "  void set(int by) { value = by; }", "  void add(int by) { value += by; }",
            "  void multiply(int by) { value *= by; }", "};",
            "void send(mazurka::Context&, int);", "struct Sender {", "  int sent = 0;",
            "  void go(mazurka::Context& context, int what);", "};", "mazurka::Ref<Cell> cells[8];",
            "void Sender::go(mazurka::Context& context, int what) {", "  ++sent;", "  switch (what) {"]
    for number, batch in enumerate(messages):
        text.append(f"    case {number}:")
        for cell, operation, value in batch:
            text.append(f"      context.send<&Cell::{operation}>(cells[{cell}], {value});")
        text.append("      break;")
    text += ["  }", "}", "int main() {", "  return mazurka::run([](mazurka::Setup& system) {"]
    for cell in range(cells):
        text += [f"    cells[{cell}] = system.spawn<Cell>();", f"    system.name(cells[{cell}], \"cell{cell}\");"]
    for number in range(len(messages)):
        text += [f"    const auto sender{number} = system.spawn<Sender>();",
                 f"    system.name(sender{number}, \"sender{number}\");",
                 f"    system.send<&Sender::go>(sender{number}, {number});"]
    return "\n".join([*text, "  });", "}", ""])


def applied(operation, value, by):
    return {"set": by, "add": value + by, "multiply": value * by}[operation]


def actors_states(cells, messages):
    """The final states, by going through all orders in which the messages for each cell can be handled."""
    per_cell = [[(operation, value) for batch in messages for cell, operation, value in batch if cell == one]
                for one in range(cells)]
    values = []
    for waiting in per_cell:
        ends = set()
        for order in itertools.permutations(waiting):
            value = 0
            for operation, by in order:
                value = applied(operation, value, by)
            ends.add(value)
        values.append(sorted(ends))
    sent = "".join(f", sender{number} {{1}}" for number in range(len(messages)))
    return {", ".join(f"cell{cell} {{{value}}}" for cell, value in enumerate(ends)) + sent
            for ends in itertools.product(*values)}


def threads_program(variables, threads):
    text = ["#include <atomic>", "#include <thread>"]
    text += [f"std::atomic<long> v{one}{{0}};" for one in range(variables)]
    text.append("int main() {")
    for number, steps in enumerate(threads):
        text.append(f"  std::thread t{number}([] {{ long r = 0; (void)r;")
        for kind, variable, value in steps:
            text.append({"store": f"    v{variable}.store({value});", "load": f"    r = v{variable}.load();",
                         "write": f"    v{variable}.store(r + {value});",
                         "add": f"    v{variable}.fetch_add({value});"}[kind])
        text.append("  });")
    text += [f"  t{number}.join();" for number in range(len(threads))]
    return "\n".join([*text, "}", ""])


def threads_states(variables, threads):
    """The final values, by a search through all interleavings."""
    seen, ends = set(), set()
    todo = [((0,) * len(threads), (0,) * len(threads), (0,) * variables)]
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        at, registers, values = state
        if all(place == len(steps) for place, steps in zip(at, threads)):
            ends.add(values)
        for number, steps in enumerate(threads):
            if at[number] == len(steps):
                continue
            kind, variable, value = steps[at[number]]
            held, kept = list(values), list(registers)
            if kind == "load":
                kept[number] = values[variable]
            else:
                held[variable] = {"store": value, "write": registers[number] + value,
                                  "add": values[variable] + value}[kind]
            further = at[:number] + (at[number] + 1,) + at[number + 1:]
            todo.append((further, tuple(kept), tuple(held)))
    return ends


class Listed(InFolder):
    PROGRAMS = 5

    def listed(self, program, *options, expect=VERIFIED):
        self.mazurka("check", program, "--tree", "--json", "out.json", "--executions", "out.txt", *options, expect=expect)
        return json.loads((self.folder / "out.json").read_text()), (self.folder / "out.txt").read_text()

    def assert_agrees(self, report, text):
        """The list with the counts of the report, and the text with the list."""
        executions = report["list"]["executions"]
        self.assertEqual(len(executions), report["executions"] - report["statistics"]["repeated"])
        self.assertEqual(sorted(number for one in report["list"]["final_states"] for number in one["executions"]),
                         [one["number"] for one in executions])
        for one in executions:
            self.assertIn(f"\nExecution {one['number']}\n", text)
        for one in report["list"]["final_states"]:
            self.assertIn(f"=> {one['state'] or 'no shared variables'}", text)
        self.assertEqual(text.count("\nExecution "), len(executions))

    def test_final_states_of_random_actors_are_those_of_all_orders(self):
        chance = random.Random(7)
        for program in range(self.PROGRAMS):
            cells = chance.randint(1, 2)
            messages = [[(chance.randrange(cells), chance.choice(["set", "add", "multiply"]), chance.randint(1, 3))
                         for _ in range(chance.randint(1, 2))] for _ in range(chance.randint(2, 3))]
            with self.subTest(program=program, messages=messages):
                self.write("random.cpp", actors_program(cells, messages))
                for technique in ("optimal", "trans"):
                    report, text = self.listed("random.cpp", "--technique", technique)
                    self.assert_agrees(report, text)
                    self.assertEqual({one["state"] for one in report["list"]["final_states"]},
                                     actors_states(cells, messages))

    def test_final_states_of_random_threads_are_those_of_all_interleavings(self):
        chance = random.Random(11)
        for program in range(self.PROGRAMS):
            variables = chance.randint(1, 2)
            threads = [[(chance.choice(["store", "load", "write", "add"]), chance.randrange(variables),
                         chance.randint(1, 3)) for _ in range(chance.randint(1, 3))] for _ in range(2)]
            with self.subTest(program=program, threads=threads):
                self.write("random.cpp", threads_program(variables, threads))
                expected = threads_states(variables, threads)
                report, text = self.listed("random.cpp")
                self.assert_agrees(report, text)
                found = set()
                for one in report["list"]["final_states"]:
                    values = dict(part.split(" = ") for part in one["state"].split(", ")) if one["state"] else {}
                    found.add(tuple(values.get(f"v{number}") for number in range(variables)))
                # A variable that one thread alone uses is not shown.
                shown = [number for number in range(variables) if any(state[number] is not None for state in found)]
                self.assertEqual({tuple(state[number] for number in shown) for state in found},
                                 {tuple(str(state[number]) for number in shown) for state in expected})

    def states(self, program, *options, expect=VERIFIED):
        report, text = self.listed(program, *options, expect=expect)
        self.assert_agrees(report, text)
        return [one["state"] for one in report["list"]["final_states"]]

    def test_every_shared_variable_is_part_of_a_final_state(self):
        self.write("many.cpp", """
#include <atomic>
#include <thread>
std::atomic<int> row[20], last;
static void clear() { for (auto& one : row) one.store(0); }
int main() {
  clear();
  std::thread a([] { last.store(1); }), b([] { last.store(2); }), c(clear);
  c.join();
  a.join();
  b.join();
}
""")
        zeros = {f"row[{at}] = 0" for at in range(20)}
        self.assertEqual({frozenset(state.split(", ")) for state in self.states("many.cpp")},
                         {frozenset({*zeros, f"last = {value}"}) for value in (1, 2)})

    def test_what_is_the_same_in_very_many_variables_is_counted(self):
        self.write("table.c", """
#include <pthread.h>
#include <stdatomic.h>
int table[500];
atomic_int last;
static void* fill(void* a) { for (int i = 0; i < 500; ++i) table[i] = i; return a; }
static void* two(void* a) { last = 2; return a; }
int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, fill, 0);
  pthread_join(one, 0);
  pthread_create(&other, 0, two, 0);
  for (int i = 0; i < 500; ++i) table[i] += 1;
  last = 1;
  pthread_join(other, 0);
}
""")
        states = self.states("table.c")
        self.assertEqual(len(states), 2)
        for state in states:
            self.assertIn("table[0] = 1, table[1] = 2, ", state)
            self.assertTrue(state.endswith(", and 437 more that hold the same in every execution"), state)
        self.assertEqual({"last = 1" in state for state in states}, {False, True})

    def test_a_variable_that_an_execution_does_not_come_to_is_part_of_its_state(self):
        self.write("perhaps.c", """
#include <pthread.h>
#include <stdatomic.h>
atomic_int ready, value = 7, untouched = 3;
static void* set(void* a) { if (ready) { value = 8; untouched = 4; } return a; }
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, set, 0);
  ready = 1;
  if (value == 8) untouched = 4;
  pthread_join(one, 0);
}
""")
        self.assertEqual({frozenset(state.split(", ")) for state in self.states("perhaps.c")}, {
            frozenset(("ready = 1", "value = 7", "untouched unchanged")),
            frozenset(("ready = 1", "value = 8", "untouched = 4"))})

    def test_variables_of_one_name_are_told_apart(self):
        self.write("first.c", """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int state;
void* second(void*);
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, second, &state);
  state = 1;
  second(0);
  pthread_join(one, 0);
}
""")
        self.write("second.c", """
#include <stdatomic.h>
static atomic_int state;
void* second(void* other) {
  if (other) *(atomic_int*)other = 2;
  state = other ? 2 : 3;
  return 0;
}
""")
        self.assertEqual(set(self.states("first.c", "second.c")),
                         {f"state#1 = {one}, state#2 = {other}" for one in (1, 2) for other in (2, 3)})

    def test_the_state_of_an_execution_graph_is_that_of_its_modification_order(self):
        self.write("writers.cpp", """
#include <atomic>
#include <thread>
std::atomic<int> x;
int main() {
  std::thread a([] { x.store(1); }), b([] { x.store(2); });
  a.join();
  b.join();
  int seen = x.load();
  (void)seen;
}
""")
        report, text = self.listed("writers.cpp", "--technique", "graphs")
        self.assert_agrees(report, text)
        self.assertEqual({one["state"] for one in report["list"]["final_states"]}, {"x = 1", "x = 2"})
        for one in report["list"]["executions"]:
            self.assertEqual(one["steps"][-1]["action"], "read " + one["state"])

    def test_nor_is_it_what_was_written_last(self):
        self.write("unread.cpp", """
#include <atomic>
#include <thread>
std::atomic<int> x;
int main() {
  std::thread a([] { x.store(1); }), b([] { x.store(2); });
  a.join();
  b.join();
}
""")
        self.assertEqual(set(self.states("unread.cpp", "--technique", "graphs")), {"x = 1", "x = 2"})

    def test_spawned_actors_are_called_after_who_created_them(self):
        self.write("children.cpp", """
#include <mazurka/actors.hpp>
struct Grandchild { int value; void hello() { value += 100; } };
struct Child {
  int value;
  void hello(mazurka::Context& context) { context.send<&Grandchild::hello>(context.spawn<Grandchild>(value)); }
};
struct Parent {
  int number;
  void create(mazurka::Context& context) {
    context.spawn<Child>(number);
    context.send<&Child::hello>(context.spawn<Child>(number));
  }
};
struct Starter {
  mazurka::Ref<Parent> one, two;
  int begun = 0;
  void say(mazurka::Context& context, int who) {
    if (begun++ > 0) return;
    context.send<&Parent::create>(who == 1 ? one : two);
    context.send<&Parent::create>(who == 1 ? two : one);
  }
};
int main() {
  return mazurka::run([](mazurka::Setup& system) {
    const auto one = system.spawn<Parent>(1), two = system.spawn<Parent>(2);
    const auto starter = system.spawn<Starter>(one, two);
    system.send<&Starter::say>(starter, 1);
    system.send<&Starter::say>(starter, 2);
  });
}
""")
        self.assertEqual(self.states("children.cpp", "--order", "fifo"), [
            "Child 2 of Parent 1 {1}, Child 2 of Parent 2 {2}, Child of Parent 1 {1}, Child of Parent 2 {2}, "
            "Grandchild 2.1 of Parent 1 {101}, Grandchild 2.1 of Parent 2 {102}, "
            "Parent 1 {1}, Parent 2 {2}, Starter {Parent 1, Parent 2, 2}"])

    def test_all_states_are_looked_at_however_long_it_takes(self):
        self.write("slow.c", """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static long spent(void) {
  unsigned long sum = 1;
  for (int i = 0; i < 200000000; ++i) sum = sum * 3 + (unsigned)i;
  return (long)(sum | 1);
}
static void* run(void* a) { x = spent() != 0; y = 1; x = 2; return a; }
int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, run, 0);
  pthread_create(&other, 0, run, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
}
""")
        report, text = self.listed("slow.c", "-O1", "--max-stall", "60s")
        self.assert_agrees(report, text)
        self.assertNotIn("no shared variables", text)
        self.assertTrue(all(one["state"] for one in report["list"]["executions"]))

    def test_what_can_not_be_listed_says_why(self):
        self.write("many.c", """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void* run(void* a) { for (int i = 0; i < 4; ++i) { int r = x; x = r + 1; } return a; }
int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, run, 0);
  pthread_create(&other, 0, run, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
}
""")
        report, text = self.listed("many.c")
        self.assertIsNone(report["list"])
        self.assertIn("too many executions to be listed", text)
        self.write("one.tck", "system:one\nevent:a\nprocess:P\nlocation:P:l{initial:}\nlocation:P:m{}\nedge:P:l:m:a{}\n")
        report, text = self.listed("one.tck")
        self.assertIsNone(report["list"])
        self.assertIn("stores states", text)
        self.mazurka("check", "many.c", "--executions", expect=ERROR)


if __name__ == "__main__":
    unittest.main()
