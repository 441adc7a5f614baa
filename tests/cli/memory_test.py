#!/usr/bin/env python3
"""Memory models as a user meets them: which one is chosen, what is refused, how a finding is told.

Which behaviours each of them allows is the business of tests/memory.
"""

import json
import unittest

from calling import ERROR, FINDING, VERIFIED, InFolder

# Both threads may overlook what the other one has written.
STORE_BUFFER = r"""
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef WRITES
#define WRITES memory_order_release
#define READS memory_order_acquire
#endif
static atomic_int x, y;
static int a, b;
static void* one(void* unused) {
  atomic_store_explicit(&x, 1, WRITES);
  a = atomic_load_explicit(&y, READS);
  return unused;
}
static void* other(void* unused) {
  atomic_store_explicit(&y, 1, WRITES);
  b = atomic_load_explicit(&x, READS);
  return unused;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, one, 0);
  pthread_create(&t[1], 0, other, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(a || b);
  return 0;
}
"""
STRONG = ["-DWRITES=memory_order_seq_cst", "-DREADS=memory_order_seq_cst"]

# Of what is not known under weak memory.
UNKNOWN = {
    "as a whole and in parts": r"""
        static union { atomic_long whole; atomic_int half[2]; } u;
        static void* one(void* p) { atomic_store_explicit(&u.whole, 1, memory_order_relaxed); return p; }
        static void* other(void* p) { atomic_load_explicit(&u.half[0], memory_order_relaxed); return p; }""",
    "an atomic block": r"""
        static atomic_int x;
        extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
        static void* one(void* p) {
          __VERIFIER_atomic_begin();
          atomic_store_explicit(&x, 1, memory_order_relaxed);
          __VERIFIER_atomic_end();
          return p;
        }
        static void* other(void* p) { atomic_load_explicit(&x, memory_order_relaxed); return p; }""",
}


def with_main(threads):
    return ("#include <pthread.h>\n#include <stdatomic.h>\n" + threads + r"""
        int main(void) {
          pthread_t t[2];
          pthread_create(&t[0], 0, one, 0);
          pthread_create(&t[1], 0, other, 0);
          pthread_join(t[0], 0);
          pthread_join(t[1], 0);
          return 0;
        }""")


class Models(InFolder):
    def report(self, *words, expect):
        self.mazurka("check", *words, "--json", "out.json", expect=expect)
        return json.loads((self.folder / "out.json").read_text())

    def test_weaker_orders_are_taken_seriously_without_being_asked(self):
        self.write("sb.c", STORE_BUFFER)
        self.assertEqual(self.report("sb.c", expect=FINDING)["memory"], "rc11")
        report = self.report("sb.c", *STRONG, expect=VERIFIED)
        self.assertEqual((report["memory"], report["verdict_in_words"]), ("sc", "verified"))

    def test_each_model(self):
        self.write("sb.c", STORE_BUFFER)
        for model, expect in (("sc", VERIFIED), ("tso", FINDING), ("rc11", FINDING), ("ra", FINDING)):
            self.assertEqual(self.report("sb.c", "--memory", model, expect=expect)["memory"], model)
        for model, expect in (("tso", VERIFIED), ("rc11", VERIFIED), ("ra", FINDING)):
            self.report("sb.c", "--memory", model, *STRONG, expect=expect)

    def test_what_was_asked_to_be_strong_is_said(self):
        self.write("sb.c", STORE_BUFFER)
        report = self.report("sb.c", "--memory", "sc", expect=VERIFIED)
        self.assertEqual(report["verdict_in_words"], "verified under sequential consistency")
        self.assertIn("were run as seq_cst;", report["notes"][0])

    def test_every_technique_of_traces_finds_it(self):
        self.write("sb.c", STORE_BUFFER)
        for technique in ("exhaustive", "sleep", "dpor", "source", "optimal", "bounded", "pct"):
            with self.subTest(technique=technique):
                self.report("sb.c", "--technique", technique, "--max-executions", "1000",
                            expect=FINDING)

    def test_others_know_none_but_the_strong_one(self):
        self.write("sb.c", STORE_BUFFER)
        report = self.report("sb.c", "--technique", "optimal-context", expect=VERIFIED)
        self.assertEqual(report["verdict_in_words"], "verified under sequential consistency")
        for words in (["--technique", "optimal-context"], ["--technique", "optimal-observers"],
                      ["--technique", "reverse"], ["--racy"]):
            result = self.mazurka("check", "sb.c", "--memory", "rc11", *words, expect=ERROR)
            self.assertIn("--memory: ", result.stderr)
            self.assertIn("sequentially consistent memory", result.stderr)

    def test_what_is_not_known_is_said(self):
        for words, threads in UNKNOWN.items():
            with self.subTest(words=words):
                self.write("unknown.c", with_main(threads))
                report = self.report("unknown.c", expect=VERIFIED)
                self.assertEqual(report["verdict_in_words"], "verified under sequential consistency")
                self.assertIn("because of", report["notes"][0])
                self.assertIn(words, report["notes"][0])
                result = self.mazurka("check", "unknown.c", "--memory", "rc11", expect=ERROR)
                self.assertIn(words, result.stderr)


def shape(threads, claim):
    """A program of which each thread performs some operations, and main looks at what was read."""
    bodies = "".join(f"void thread{at}() {{\n{body}\n}}\n" for at, body in enumerate(threads))
    names = ", ".join(f"t{at}(thread{at})" for at in range(len(threads)))
    joins = " ".join(f"t{at}.join();" for at in range(len(threads)))
    return f"""#include <atomic>
#include <cassert>
#include <thread>
#define RELAXED std::memory_order_relaxed
#define ACQUIRE std::memory_order_acquire
#define RELEASE std::memory_order_release
#define SEQ_CST std::memory_order_seq_cst
std::atomic<int> x, y;
int a, b, c, d;
{bodies}
int main() {{
  std::thread {names};
  {joins}
  assert({claim});
}}
"""


class Told(InFolder):
    def told(self, program, *words, expect=FINDING):
        """The story of the finding, and what is said about it in one line."""
        self.write("shape.cpp", program)
        out = self.mazurka("check", "shape.cpp", "--json", "out.json", *(words or ["--memory", "rc11"]),
                           expect=expect).stdout
        findings = json.loads((self.folder / "out.json").read_text())["findings"]
        story = findings[0]["story"] if findings else None
        return story, " ".join(out.split())

    def assert_reads_follow_writes(self, story):
        for at, row in enumerate(story["rows"]):
            if row["read_from"] is not None:
                self.assertLess(row["read_from"], at)

    def assert_missing(self, story, before, after):
        """The rows, by what they do, between which an edge is missing; and there is none."""
        for at, row in enumerate(story["rows"]):
            for earlier in row["event"].get("not_after", []):
                if story["rows"][earlier]["action"] == before and row["action"] == after:
                    self.assertNotIn(earlier, row["event"].get("after", []))
                    return
        self.fail(f"no missing edge from {before} to {after}: {story['rows']}")

    def test_which_value_was_overlooked_and_why(self):
        self.write("sb.c", STORE_BUFFER)
        out = self.mazurka("check", "sb.c", expect=FINDING).stdout
        self.assertRegex(out, r"read x = 0 \(2 is newer\)")
        self.assertIn("(optimal, rc11, ", out)
        self.assertRegex(" ".join(out.split()),
                         r"(\d+) may see what is older than 2; no happens-before from 2 to \1: nothing that T2 has seen by "
                         r"then comes from T1 after that, and only seq_cst operations are in one order for all threads "
                         r"\(the store 2 \(sb.c:12\) is release, the load \1 \(sb.c:18\) is acquire\)")

    def test_store_buffering_misses_an_order_of_all(self):
        story, _ = self.told(shape(["x.store(1, RELEASE); a = y.load(ACQUIRE);",
                                    "y.store(1, RELEASE); b = x.load(ACQUIRE);"], "a || b"))
        self.assert_missing(story, "write x = 1", "read x = 0")
        self.assert_reads_follow_writes(story)
        self.told(shape(["x.store(1, SEQ_CST); a = y.load(SEQ_CST);",
                         "y.store(1, SEQ_CST); b = x.load(SEQ_CST);"], "a || b"), expect=VERIFIED)

    def test_a_message_misses_what_its_flag_does_not_promise(self):
        def message(write, read):
            return shape([f"x.store(1, RELAXED);\ny.store(1, {write});",
                          f"a = y.load({read});\nb = x.load(RELAXED);"], "!a || b")

        writer = "the store 3 (shape.cpp:12) is relaxed"
        reader = "the load 4 (shape.cpp:15) is relaxed"
        for orders, blamed, not_blamed in ((("RELAXED", "RELAXED"), [writer, reader], []),
                                           (("RELEASE", "RELAXED"), [reader], [writer]),
                                           (("RELAXED", "ACQUIRE"), [writer], [reader])):
            with self.subTest(orders=orders):
                story, out = self.told(message(*orders))
                self.assertIn("6 may see what is older than 2; no happens-before from 2 to 6: the ", out)
                for reason in blamed:
                    self.assertIn(reason, out)
                for reason in not_blamed:
                    self.assertNotIn(reason, out)
                self.assert_missing(story, "write y = 1", "read y = 1")
                self.assert_reads_follow_writes(story)
        self.told(message("RELEASE", "ACQUIRE"), expect=VERIFIED)

    def test_fences_are_told_and_count(self):
        story, out = self.told(shape(["x.store(1, RELAXED); std::atomic_thread_fence(RELEASE); y.store(1, RELAXED);",
                                      "a = y.load(RELAXED);\nb = x.load(RELAXED);"], "!a || b"))
        self.assertIn("release fence", [row["action"] for row in story["rows"]])
        self.assertRegex(out, r"no happens-before from 2 to \d+: the load \d+ \(shape.cpp:14\) is relaxed [^a]")

    def test_two_readers_need_not_agree(self):
        story, out = self.told(shape(["x.store(1, RELEASE);", "y.store(1, RELEASE);",
                                      "a = x.load(ACQUIRE); b = y.load(ACQUIRE);",
                                      "c = y.load(ACQUIRE); d = x.load(ACQUIRE);"],
                                     "!(a && !b && c && !d)"))
        self.assertIn("has seen by then comes from", out)
        self.assertTrue(any(row["event"].get("not_after") for row in story["rows"]))
        self.assert_reads_follow_writes(story)

    def test_what_is_forbidden_is_not_found(self):
        load_buffering = shape(["a = x.load(RELAXED); y.store(1, RELAXED);",
                                "b = y.load(RELAXED); x.store(1, RELAXED);"], "!(a && b)")
        coherence = shape(["x.store(1, RELAXED); x.store(2, RELAXED);",
                           "a = x.load(RELAXED); b = x.load(RELAXED);"], "a <= b")
        for program in (load_buffering, coherence):
            self.told(program, expect=VERIFIED)

    def test_a_write_that_is_put_in_front_of_another(self):
        story, out = self.told(shape(["x.store(1, RELAXED); y.store(2, RELAXED);",
                                      "y.store(1, RELAXED); x.store(2, RELAXED);"],
                                     "!(x.load(RELAXED) == 1 && y.load(RELAXED) == 1)"))
        self.assertRegex(out, r"(\d+) may be put in front of (\d+); no happens-before from \2 to \1: ")
        self.assert_reads_follow_writes(story)

    def test_the_model_says_what_an_order_is_worth(self):
        _, out = self.told(shape(["x.store(1, RELAXED); a = y.load(RELAXED);",
                                  "y.store(1, RELAXED); b = x.load(RELAXED);"], "a || b"), "--memory", "tso")
        self.assertIn("only seq_cst operations are in one order", out)

    def test_a_finding_is_replayed_under_its_model(self):
        self.write("sb.c", STORE_BUFFER)
        self.mazurka("check", "sb.c", "--json", "out.json", expect=FINDING)
        command = json.loads((self.folder / "out.json").read_text())["findings"][0]["replay"]
        result = self.mazurka("replay", command.split()[-1], expect=FINDING)
        self.assertIn("is newer", result.stdout)

    def test_a_loop_that_may_overlook_what_it_waits_for_is_no_livelock(self):
        self.write("wait.cpp", r"""
            #include <atomic>
            #include <thread>
            int main() {
              std::atomic<int> ready{0};
              std::thread one([&] { ready.store(1, std::memory_order_release); });
              while (ready.load(std::memory_order_acquire) == 0) {}
              one.join();
            }""")
        self.mazurka("check", "wait.cpp", expect=VERIFIED)
        self.mazurka("check", "wait.cpp", "-O2", expect=VERIFIED)


if __name__ == "__main__":
    unittest.main()
