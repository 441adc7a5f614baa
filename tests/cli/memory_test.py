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
                      ["--racy"]):
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


class Told(InFolder):
    def test_which_value_was_overlooked_and_why(self):
        self.write("sb.c", STORE_BUFFER)
        out = self.mazurka("check", "sb.c", expect=FINDING).stdout
        self.assertRegex(out, r"read x = 0 \(2 is newer\)")
        self.assertRegex(out, r"nothing makes 2 \(release\) happen before \d+ \(acquire\)")
        self.assertIn("(optimal, rc11, ", out)

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
