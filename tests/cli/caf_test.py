#!/usr/bin/env python3
"""Programs of CAF as a user checks them: the examples, what is found, what is refused, and replays."""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

MAZURKA = EXAMPLES = None

HEAD = """
#include <caf/all.hpp>
#include <thread>
using namespace caf;
behavior quiet(event_based_actor*) { return {[](int) {}}; }
"""
PROGRAMS = {
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
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_mazurka(self, *words):
        return subprocess.run([MAZURKA, *map(str, words)], cwd=self.folder.name, text=True,
                              capture_output=True, check=False)

    def check_program(self, name, *options):
        functions, main = PROGRAMS[name]
        file = pathlib.Path(self.folder.name) / f"{name}.cpp"
        file.write_text(f"{HEAD}{functions}\nvoid caf_main(actor_system& system) {{ {main} }}\n"
                        "CAF_MAIN()\n", encoding="utf-8")
        return self.run_mazurka("check", file, *options)

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
