"""Counter-example tables as people read them: what is folded, how things are named, which values."""

import fcntl
import json
import os
import pty
import struct
import subprocess
import termios
import unittest

from calling import FINDING, MAZURKA, InFolder

# Twelve writes of preparation, a thread with captures, a vector that grows, and then a failure.
PREPARED = """
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>
int table[12];
std::vector<int> list;
std::atomic<int> turn;
int main() {
  for (int i = 0; i < 12; ++i) table[i] = i;
  list = {1, 2};
  int first = 1, second = 2;
  std::thread reader([&first, &second] {
    int sum = 0;
    for (int value : table) sum += value;
    for (int value : list) sum += value;
    sum += first + second;
    turn = sum;
  });
  reader.join();
  assert(turn == 0);
}
"""

# Each thread takes 60 rounds through lines 9 to 11.
ROUNDS = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *argument) {
  for (int i = 0; i < 60; ++i) {
    pthread_mutex_lock(&guard);
    atomic_store(&x, i);
    pthread_mutex_unlock(&guard);
  }
  return argument;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_mutex_lock(&guard);
  pthread_mutex_unlock(&guard);
  assert(atomic_load(&x) != 59);
  return 0;
}
"""

# More than 3,000 events in which nothing is repeated in the same way.
LONG = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_uint x;
static unsigned state = 12345;
static unsigned next(void) { return (state = state * 1103515245u + 12345u) >> 16; }
static void one(unsigned n) { atomic_store(&x, n); }
static void two(unsigned n) { atomic_fetch_add(&x, n); }
static void *work(void *argument) {
  for (unsigned i = 0; i < 3000; ++i) {
    if (next() & 1) one(i);
    else two(i);
  }
  return argument;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  pthread_join(a, NULL);
  assert(atomic_load(&x) == 12345678);
  return 0;
}
"""

# Each of two threads goes 1,500 times through its line, one after the other.
# Of what main does while it is alone, only the beginning is written down.
LONG_PREPARATION = r"""
#include <pthread.h>
static int table[300000], hits;
static void *hit(void *p) { hits++; return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, hit, 0);
  pthread_join(t, 0);
  for (int i = 0; i < 300000; ++i) table[i] = hits;
  pthread_create(&t, 0, hit, 0);
  hits++;
  pthread_join(t, 0);
}
"""

VERY_LONG = """
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> x{0}, y{0}, z{0};
int main() {
  std::thread a([] { for (int i = 0; i < 1500; ++i) { x.store(i); y.load(); z.fetch_add(1); } });
  std::thread b([] { for (int i = 0; i < 1500; ++i) { y.store(i); x.load(); z.load(); } });
  a.join();
  b.join();
  assert(x == 0);
}
"""

LIST = """
#include <atomic>
#include <cassert>
#include <thread>
struct Node { int value; Node *next; };
std::atomic<Node *> top;
static void push(int value) {
  Node *node = new Node{value, nullptr};
  node->next = top.load();
  top.store(node);
}
int main() {
  std::thread one([] { push(1); });
  std::thread two([] { push(2); });
  one.join();
  two.join();
  assert(top.load()->next != nullptr);
}
"""

MALLOC = """
#include <pthread.h>
#include <stdlib.h>
typedef struct { long key; long value; } entry;
entry *table;
static void *work(void *argument) {
  table[1].value = 7;
  return argument;
}
int main(void) {
  pthread_t a;
  table = malloc(2 * sizeof *table);
  pthread_create(&a, NULL, work, NULL);
  table[1].value = 8;
  pthread_join(a, NULL);
  return 0;
}
"""

PAIR = """
#include <assert.h>
#include <pthread.h>
struct pair { long left; long right; } __attribute__((aligned(16)));
struct pair shared;
pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *argument) {
  pthread_mutex_lock(&guard);
  __int128 both = ((__int128)5 << 64) | 4;
  *(__int128 *)&shared = both;
  pthread_mutex_unlock(&guard);
  return argument;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  pthread_mutex_lock(&guard);
  assert(shared.right == 0);
  pthread_mutex_unlock(&guard);
  pthread_join(a, NULL);
  return 0;
}
"""

FUTEX = """
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
atomic_int word = 3;
static void *work(void *argument) {
  syscall(SYS_futex, &word, FUTEX_WAIT, EXPECTED, NULL, NULL, 0);
  return argument;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  pthread_join(a, NULL);
  assert(0);
}
"""

# The write of 1 has happened, and is written over, before T1 makes an event that tells its value.
OVERWRITTEN = """
#include <assert.h>
#include <pthread.h>
int value;
static void *first(void *argument) {
  value = 1;
  assert(value != 2);
  return argument;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, first, NULL);
  value = 2;
  pthread_join(a, NULL);
  return 0;
}
"""

# Nothing of the program's own is on the stack of the thread that fails.
ONLY_LIBRARY = """
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>
std::vector<int> list;
int main() {
  std::thread one(
      static_cast<void (std::vector<int>::*)(const int &)>(&std::vector<int>::push_back), &list, 1);
  list.push_back(2);
  one.join();
}
"""

# Whoever waits does not look again whether there is something to take.
TAKEN = """
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
struct Queue {
  std::mutex guard;
  std::condition_variable change;
  std::deque<int> values;
  void put(int value) {
    { std::lock_guard lock(guard); values.push_back(value); }
    change.notify_one();
  }
  int take() {
    std::unique_lock lock(guard);
    if (values.empty()) change.wait(lock);
    int value = values.front(); values.pop_front();
    return value;
  }
};
int main() {
  Queue queue;
  std::thread one([&] { queue.take(); }), other([&] { queue.take(); });
  queue.put(1);
  queue.put(2);
  one.join();
  other.join();
}
"""

# Containers whose nodes two threads change without an order.
CONTAINERS = """
#include <list>
#include <map>
#include <memory>
#include <thread>
#include <unordered_map>
#include <vector>
struct Point { int x = 0, y = 0; };
std::map<int, Point> tree;
std::unordered_map<int, Point> table;
std::list<Point> list;
std::vector<Point> row;
std::shared_ptr<Point> shared;
static Point& chosen() { return WHICH; }
int main() {
  tree[1].x = 0;
  table[1].x = 0;
  list.emplace_back();
  row.resize(3);
  shared = std::make_shared<Point>();
  Point& point = chosen();
  std::thread one([&] { point.y = 1; });
  point.y = 2;
  one.join();
}
"""

# The place of the failure is a line of a header.
IN_HEADER = """
#include <algorithm>
#include <thread>
#include <vector>
std::vector<int> values;
int main() {
  std::thread one([] { values.push_back(1); });
  values.push_back(2);
  one.join();
}
"""


class Table(InFolder):
    def story(self, source, *flags, name="t.c"):
        self.write(name, source)
        out = self.mazurka("check", name, *flags, "--json", "o.json", expect=FINDING).stdout
        outcome = json.loads((self.folder / "o.json").read_text())
        return out, outcome["findings"][0]["story"]["rows"]


class Folding(Table):
    def test_preparation_and_captures(self):
        out, rows = self.story(PREPARED, name="t.cpp")
        self.assertRegex(out, r"\d+ rows of preparation before the first thread starts \(1.\d+\)")
        self.assertNotIn("write table[5] = 5", out)
        self.assertIn("--all-rows shows what is folded", out)
        self.assertRegex(out, r"rows? about what the thread's function has captured")
        actions = [row["action"] for row in rows]
        self.assertIn("write table[5] = 5", actions)
        self.assertTrue(any(row["folded"].endswith("first thread starts") for row in rows))
        everything = self.mazurka("check", "t.cpp", "--all-rows", expect=FINDING).stdout
        self.assertIn("write table[5] = 5", everything)
        self.assertNotIn("of preparation", everything)
        self.assertNotIn("--all-rows", everything)

    def test_rounds_of_a_loop_are_counted(self):
        out, rows = self.story(ROUNDS)
        self.assertRegex(out, r"58 more rounds of lines 9-11 \(\d+.\d+\)")
        self.assertLess(len(out.splitlines()), 40)
        self.assertIn("write x = 0", out)
        self.assertIn("write x = 59", out)
        self.assertNotIn("write x = 30", out)
        self.assertEqual(sum(row["action"].startswith("write x = ") for row in rows), 60)

    def test_three_thousand_events_stay_readable(self):
        out, rows = self.story(LONG)
        self.assertGreater(len(rows), 3000)
        self.assertLess(len(out.splitlines()), 300)
        self.assertRegex(out, r"\d+ rows in the middle")
        self.assertIn("assertion fails", out)
        everything = self.mazurka("check", "t.c", "--all-rows", expect=FINDING).stdout
        self.assertGreater(len(everything.splitlines()), 3000)

    def test_a_long_preparation_leaves_room_for_what_matters(self):
        out, rows = self.story(LONG_PREPARATION)
        self.assertRegex(out, r"580003 events before this one are not shown")
        for row in ("start T2", "write hits = 2", "read hits = 2"):
            self.assertIn(row, out)
        self.assertGreater(sum(row["event"].get("left_out", 0) for row in rows), 580000)

    def test_rounds_that_are_not_in_the_report_are_counted(self):
        out, rows = self.story(VERY_LONG, name="t.cpp")
        self.assertLess(len(rows), 5010)
        self.assertEqual(sum(row["event"].get("left_out", 0) for row in rows) + len(rows), 9004)
        self.assertRegex(out, r"1498 more rounds of line 7 \(")
        self.assertRegex(out, r"1498 more rounds of line 8 \(")
        self.assertNotIn("are not shown", out)

    def test_what_fails_is_never_folded(self):
        for source, name in ((PREPARED, "t.cpp"), (ROUNDS, "t.c"), (LONG, "t.c")):
            _, rows = self.story(source, name=name)
            for row in rows:
                if row["failing"] or row["no_return"]:
                    self.assertEqual(row["folded"], "")

    def test_source_beside_the_rows_on_a_wide_terminal(self):
        self.write("t.c", ROUNDS)
        wide, narrow = self.on_terminal(180), self.on_terminal(60)
        self.assertIn("pthread_mutex_lock(&guard);", wide)
        self.assertNotIn("pthread_mutex_lock(&guard);", narrow)

    def on_terminal(self, columns):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        process = subprocess.Popen(
            [MAZURKA, "check", "t.c", "--progress", "never"],
            cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=theirs, stderr=subprocess.DEVNULL,
        )
        os.close(theirs)
        text = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:
                break
            if not part:
                break
            text += part
        os.close(ours)
        process.wait()
        return text.decode(errors="replace")


class Names(Table):
    def test_node_of_a_list(self):
        for compiler in ("gcc", "clang"):
            out, rows = self.story(LIST, "--compiler", compiler, name="t.cpp")
            actions = [row["action"] for row in rows]
            self.assertIn("write top = Node#1", actions)
            self.assertIn("write top = Node#2", actions)
            self.assertTrue(any(".next = null" in a for a in actions), actions)
            self.assertNotIn("heap block", out)

    def test_array_from_malloc(self):
        for compiler in ("gcc", "clang"):
            out, _ = self.story(MALLOC, "--compiler", compiler)
            self.assertIn("Data race: entry[2]#1[1].value:", out)

    def test_nodes_of_containers(self):
        for which, name in (("tree.begin()->second", r"tree node of (std::)?pair<(int const|const int), Point>#\d\.second\.y"),
                            ("table.begin()->second", r"hash node of (std::)?pair<(int const|const int), Point>#\d\.second\.y"),
                            ("list.front()", r"list node of Point#\d\.y"),
                            ("row[1]", r"Point\[3\]#\d\[1\]\.y"),
                            ("*shared", r"shared Point#\d\.y")):
            for more in ([], ["-O1"], ["--compiler", "clang"]):
                with self.subTest(which=which, more=more):
                    out, _ = self.story(CONTAINERS, f"-DWHICH={which}", *more, name="t.cpp")
                    self.assertRegex(out, "Data race: " + name + ": ")

    def test_assertions_of_the_library_and_where_they_are(self):
        out, rows = self.story(TAKEN, "-D_GLIBCXX_ASSERTIONS", name="t.cpp")
        self.assertIn("of the C++ library fails at t.cpp:17", out)
        self.assertRegex(out, r"Assertion `.*empty\(\)` of the C\+\+ library fails")
        self.assertNotIn("operator==", out)
        failing = [row for row in rows if row["failing"]]
        self.assertEqual(len(failing), 1)
        self.assertEqual(failing[0]["place"], "t.cpp:17")
        self.assertRegex(failing[0]["stack"][0], r"^std::deque::front \(.*stl_deque\.h:\d+\)$")
        self.assertRegex(failing[0]["stack"][1], r"^Queue::take \(t\.cpp:17\)$")

    def test_folds_are_called_after_what_the_program_has_called(self):
        out, _ = self.story(TAKEN, "-D_GLIBCXX_ASSERTIONS", name="t.cpp")
        self.assertRegex(out, r"rows inside std::deque::push_back \(t\.cpp:11\)")
        self.assertRegex(out, r"rows inside std::deque::(empty|front|pop_front) \(t\.cpp:1[67]\)")
        self.assertNotRegex(out, r"inside std::(operator|_)")

    def test_lines_of_headers_where_it_happens_there(self):
        _, rows = self.story(IN_HEADER, name="t.cpp")
        failing = [row for row in rows if row["failing"]]
        self.assertEqual(len(failing), 2)
        for row in failing:
            self.assertRegex(row["stack"][0], r"\.(h|tcc):\d+\)$")
            self.assertTrue(any(frame.startswith("std::vector::push_back (") for frame in row["stack"]), row["stack"])
            self.assertRegex(row["place"], r"^t\.cpp:")

    def test_frames_of_the_library_where_nothing_else_is(self):
        _, rows = self.story(ONLY_LIBRARY, name="t.cpp")
        for row in rows:
            if row["failing"]:
                self.assertNotEqual(row["place"], "")
                self.assertTrue(row["stack"])


class Values(Table):
    def test_both_halves_of_16_bytes(self):
        _, rows = self.story(PAIR)
        actions = [row["action"] for row in rows]
        self.assertTrue(
            "write shared = {4, 5}" in actions or ("write shared.left = 4" in actions and "write shared.right = 5" in actions),
            actions,
        )

    def test_futex_expected_and_found(self):
        out, _ = self.story(FUTEX, "-DEXPECTED=4")
        self.assertIn("do not wait on word: it is 3, not 4", out)

    def test_write_that_another_thread_has_written_over(self):
        _, rows = self.story(OVERWRITTEN, "--racy")
        actions = [row["action"] for row in rows]
        self.assertIn("write value = 1", actions)
        self.assertIn("write value = 2", actions)


if __name__ == "__main__":
    unittest.main()
