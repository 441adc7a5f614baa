#!/usr/bin/env python3
"""Every kind of atomic object under weak memory: each has weak behaviours, and orders exclude them."""

import unittest

from calling import ERROR, FINDING, MAZURKA, SOURCE, VERIFIED, InFolder

HEAD = r"""
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <memory>
#include <thread>
"""
MAIN = r"""
void check(void (*first)(), void (*second)(), bool (*holds)()) {
  std::thread one(first), other(second);
  one.join();
  other.join();
  assert(holds());
}
int main(int, char** arguments) {
  switch (std::atoi(arguments[1])) {
    %s
  }
}
"""
SHAPES = 5  # of each kind


class Kind:
    """How two objects x and y are made, written and looked at."""

    def __init__(self, objects, write, read):
        self.objects, self.write, self.read = objects, write, read

    def part(self, number):
        """Of a program with all kinds: its objects, in a namespace, and a case for each shape of it, made of what two
        threads do and what holds then."""
        space = f"kind_{number}"
        shapes = [self.store_buffering("release", "acquire"), self.store_buffering("seq_cst", "seq_cst"),
                  self.message("relaxed", "acquire"), self.message("release", "relaxed"),
                  self.message("release", "acquire")]
        cases = [f"case {number * SHAPES + at}: {{ using namespace {space}; "
                 f"check([] {{ {one} }}, [] {{ {other} }}, [] {{ return {claim}; }}); break; }}"
                 for at, (one, other, claim) in enumerate(shapes)]
        return f"namespace {space} {{\n{self.objects}\nbool a, b;\n}}", "\n    ".join(cases)

    def writes(self, name, order):
        return self.write.format(name, f"std::memory_order_{order}") + ";"

    def reads(self, result, name, order):
        return f"{result} = {self.read.format(name, f'std::memory_order_{order}')};"

    def store_buffering(self, write, read):
        return (self.writes("x", write) + self.reads("a", "y", read),
                self.writes("y", write) + self.reads("b", "x", read), "a || b")

    def message(self, write, read):
        return (self.writes("x", "relaxed") + self.writes("y", write),
                self.reads("a", "y", read) + self.reads("b", "x", "relaxed"), "!a || b")


def number(kind):
    return Kind(f"std::atomic<{kind}> x, y;", "{}.store(1, {})", "{}.load({}) == 1")


PAIR = "struct Pair { long a, b; bool operator==(const Pair&) const = default; };\n"
KINDS = {
    "bool": number("bool"),
    "char": number("char"),
    "short": number("short"),
    "int": number("int"),
    "long": number("long"),
    "16 bytes": number("__int128"),
    "double": number("double"),
    "a pointer": Kind("int target; std::atomic<int*> x, y;", "{}.store(&target, {})", "{}.load({}) != nullptr"),
    "a struct of 16 bytes": Kind(PAIR + "std::atomic<Pair> x, y;", "{}.store(Pair{{1, 2}}, {})",
                                 "{}.load({}) == Pair{{1, 2}}"),
    "a struct of 3 bytes": Kind("struct Odd { char bytes[3]; };\nstd::atomic<Odd> x, y;", "{}.store(Odd{{1, 1, 1}}, {})",
                                "{}.load({}).bytes[2] == 1"),
    "atomic_ref": Kind("int plain_x, plain_y;\nstd::atomic_ref<int> x(plain_x), y(plain_y);", "{}.store(1, {})",
                       "{}.load({}) == 1"),
    "atomic_flag": Kind("std::atomic_flag x, y;", "{}.test_and_set({})", "{}.test({})"),
    "an update": Kind("std::atomic<int> x, y;", "{}.fetch_add(1, {})", "{}.load({}) == 1"),
    "an exchange": Kind("std::atomic<int> x, y;", "{}.exchange(1, {})", "{}.load({}) == 1"),
}


class Kinds(InFolder):
    def check(self, program, expect, *words):
        self.write("program.cpp", program)
        return self.mazurka("check", "program.cpp", "--memory", "rc11", *words, expect=expect)

    def test_each_is_weak_and_can_be_made_strong(self):
        objects, cases = zip(*(kind.part(number) for number, kind in enumerate(KINDS.values())))
        self.write("program.cpp", HEAD + "\n".join(objects) + MAIN % "\n    ".join(cases))
        compiled = self.run_command([MAZURKA.parent / "mazurka-c++", "-std=c++20", "-O1", "-w", "program.cpp", "-o",
                                     "program"])
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        for number, name in enumerate(KINDS):
            with self.subTest(kind=name):
                for shape, expect in enumerate((FINDING, VERIFIED, FINDING, FINDING, VERIFIED)):
                    self.mazurka("check", "./program", "--memory", "rc11", "--", number * SHAPES + shape, expect=expect)

    def test_who_waits_sees_what_was_released(self):
        program = HEAD + r"""
            std::atomic<int> ready;
            int data;
            int main() {
              std::thread sender([] { data = 1; ready.store(1, std::memory_order_%s); ready.notify_one(); });
              ready.wait(0, std::memory_order_%s);
              assert(data == 1);
              sender.join();
            }"""
        self.check(program % ("release", "acquire"), VERIFIED)
        self.check(program % ("relaxed", "acquire"), FINDING)
        self.check(program % ("release", "relaxed"), FINDING)

    def test_shared_pointers_publish_what_they_point_to(self):
        self.check(HEAD + r"""
            std::atomic<std::shared_ptr<int>> shared;
            int main() {
              std::thread sender([] { shared.store(std::make_shared<int>(1), std::memory_order_release); });
              if (const auto seen = shared.load(std::memory_order_acquire)) assert(*seen == 1);
              sender.join();
            }""", VERIFIED)

    def test_what_was_written_for_strong_memory_holds(self):
        for name in ("std_atomics.cpp", "std_waiting.cpp", "std_shared_ptr.cpp"):
            with self.subTest(name=name):
                self.mazurka("check", SOURCE / "tests" / "threads" / name, "-std=c++20", "--memory", "rc11",
                             "--max-time", "60s", expect=VERIFIED)


class Refused(InFolder):
    UNION = r"""
        #include <pthread.h>
        #include <stdatomic.h>
        static struct { int before; _Alignas(8) union { atomic_long whole; atomic_int half[2]; } both; } numbers;
        static void* one(void* p) { atomic_store_explicit(&numbers.both.whole, 1, memory_order_relaxed); return p; }
        static void* other(void* p) { atomic_load_explicit(&numbers.both.half[1], memory_order_relaxed); return p; }
        int main(void) {
          pthread_t t[2];
          pthread_create(&t[0], 0, one, 0);
          pthread_create(&t[1], 0, other, 0);
          pthread_join(t[0], 0);
          pthread_join(t[1], 0);
          return 0;
        }"""
    LOCAL = r"""
        #include <atomic>
        #include <thread>
        int main() {
          alignas(8) union { long whole; int half[2]; } mixed{0};
          std::thread one([&] { std::atomic_ref<long>(mixed.whole).store(1, std::memory_order_relaxed); });
          std::atomic_ref<int>(mixed.half[1]).store(1, std::memory_order_relaxed);
          one.join();
        }"""

    def test_mixed_sizes_are_refused_by_name(self):
        self.write("mixed.c", self.UNION)
        result = self.mazurka("check", "mixed.c", "--memory", "rc11", expect=ERROR)
        self.assertIn("accessed as a whole and in parts is not supported: numbers.both", result.stderr)
        self.assertRegex(result.stderr, r"in (one|other) \(mixed.c:[56]\)")
        result = self.mazurka("check", "mixed.c", expect=VERIFIED)
        self.assertIn("VERIFIED under sequential consistency", result.stdout)
        self.assertRegex(" ".join(result.stdout.split()), r"in parts \(numbers.both\S* in (one|other) \(mixed.c:")

    def test_locals_have_names_as_well(self):
        self.write("local.cpp", self.LOCAL)
        result = self.mazurka("check", "local.cpp", "-std=c++20", "-O0", "--memory", "rc11", expect=ERROR)
        self.assertIn("mixed", result.stderr)

    def test_so_are_large_objects(self):
        self.write("large.cpp", HEAD + r"""
            struct Large { long a, b, c; };
            std::atomic<Large> large;
            int main() {
              std::thread one([] { large.store(Large{1, 1, 1}, std::memory_order_release); });
              (void)large.load(std::memory_order_acquire);
              one.join();
            }""")
        result = self.mazurka("check", "large.cpp", "--memory", "rc11", expect=ERROR)
        self.assertIn("more than 16 bytes is not supported: large", result.stderr)


if __name__ == "__main__":
    unittest.main()
