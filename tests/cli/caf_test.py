#!/usr/bin/env python3
"""Programs of CAF as a user checks them: the examples, what is found, what is refused, and replays."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

MAZURKA = EXAMPLES = None

HEAD = """
#include <caf/all.hpp>
#include <cassert>
#include <cstdlib>
#include <thread>
struct Money { int amount; };
template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, Money& x) { return f(caf::meta::type_name("Money"), x.amount); }
CAF_BEGIN_TYPE_ID_BLOCK(programs, first_custom_type_id)
  CAF_ADD_TYPE_ID(programs, (Money))
CAF_END_TYPE_ID_BLOCK(programs)
using namespace caf;
behavior quiet(event_based_actor*) { return {[](int) {}}; }
"""
# Several in one source, which is compiled once; the environment says which is meant.
PROGRAMS = {
    "types": ("behavior counts(event_based_actor*) { return {[](const Money& some) { assert(some.amount == 3); }}; }",
              "auto one = system.spawn(counts); anon_send(one, Money{3});"),
    "blocking": ("void waits(blocking_actor* self) { self->receive([](int) {}); }",
                 "system.spawn(waits);"),
    "detached": ("", "system.spawn<detached>(quiet);"),
    "thread": ("behavior starts(event_based_actor*) {"
               " return {[](int) { std::thread([] {}).join(); }}; }",
               "anon_send(system.spawn(starts), 1);"),
    "groups": ("behavior joins(event_based_actor* self) {"
               " self->join(self->system().groups().get_local(\"all\")); return {[](int) {}}; }",
               "system.spawn(joins);"),
    "urgent": ("behavior skips(event_based_actor* self) {"
               " self->set_default_handler(skip); return {[](int) {}}; }",
               "auto one = system.spawn(skips); anon_send(one, std::string(\"later\"));"
               " anon_send<message_priority::high>(one, 1);"),
    "error": ("behavior fails(event_based_actor* self) {"
              " return {[=](int) { self->quit(sec::bad_function_call); }}; }",
              "anon_send(system.spawn(fails), 1);"),
    "promise": ("behavior breaks(event_based_actor* self) {"
                " return {[=](int) -> result<int> {"
                " self->make_response_promise(); return delegated<int>(); }}; }",
                "scoped_actor self{system}; self->request(system.spawn(breaks), infinite, 1)"
                ".receive([](int) {}, [](error&) {});"),
}


class CafTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        functions = "\n".join(functions for functions, _ in PROGRAMS.values())
        branches = "\n".join(f'  if (which == "{name}") {{ {main} }}' for name, (_, main) in PROGRAMS.items())
        cls.programs = pathlib.Path(cls.folder.name) / "programs.cpp"
        cls.programs.write_text(
            f"{HEAD}{functions}\nvoid caf_main(actor_system& system) {{\n"
            f'  const std::string which = std::getenv("WHICH");\n{branches}\n}}\n'
            "CAF_MAIN(id_block::programs)\n", encoding="utf-8")

    def run_mazurka(self, *words, **environment):
        return subprocess.run([MAZURKA, *map(str, words)], cwd=self.folder.name, text=True,
                              capture_output=True, check=False, env=os.environ | environment)

    def check_program(self, name, *options):
        return self.run_mazurka("check", self.programs, *options, WHICH=name)

    def test_types_of_messages_are_no_modules(self):
        done = self.check_program("types")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_examples_are_broken_and_repaired(self):
        for name, words in (("bank", "Assertion"), ("server", "no handler for ('ping')"),
                            ("dining", "philosopher waits for fork")):
            with self.subTest(name):
                broken = self.run_mazurka("check", EXAMPLES / f"{name}.cpp")
                self.assertEqual(broken.returncode, 1, broken.stderr)
                self.assertIn(words, broken.stdout)
                schedule = re.search(r"\S+\.schedule", broken.stdout).group()
                again = self.run_mazurka("replay", schedule, EXAMPLES / f"{name}.cpp")
                self.assertEqual(again.returncode, 1, again.stderr)
                self.assertIn(words, again.stdout)
                repaired = self.run_mazurka("check", EXAMPLES / f"{name}.cpp", "-DREPAIRED")
                self.assertEqual(repaired.returncode, 0, repaired.stdout + repaired.stderr)

    def test_refuses_by_name(self):
        for name, words in (("blocking", "a blocking actor"), ("detached", "a detached actor"),
                            ("thread", "starts a thread"), ("groups", "groups"),
                            ("urgent", "urgent messages, and an actor skips")):
            with self.subTest(name):
                refused = self.check_program(name)
                self.assertEqual(refused.returncode, 2, refused.stdout)
                self.assertIn(words, refused.stderr)

    def test_refuses_what_it_does_not_know(self):
        for words in (("--tree",), ("--technique", "graphs"), ("--technique", "source-context")):
            with self.subTest(words[-1]):
                refused = self.run_mazurka("check", EXAMPLES / "bank.cpp", *words)
                self.assertEqual(refused.returncode, 2, refused.stdout)

    def test_errors_may_be_allowed(self):
        found = self.check_program("error")
        self.assertEqual(found.returncode, 1, found.stderr)
        self.assertIn("ends with an error", found.stdout)
        self.assertEqual(self.check_program("error", "--allow", "errors").returncode, 0)

    def test_broken_promise(self):
        found = self.check_program("promise")
        self.assertEqual(found.returncode, 1, found.stderr)
        self.assertIn("main waits for actor to answer (1)", found.stdout)


def main():
    global MAZURKA, EXAMPLES
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mazurka", type=pathlib.Path, required=True)
    parser.add_argument("--examples", type=pathlib.Path, required=True)
    arguments, rest = parser.parse_known_args()
    MAZURKA, EXAMPLES = arguments.mazurka.resolve(), arguments.examples.resolve()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
