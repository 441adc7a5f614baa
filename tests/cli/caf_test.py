#!/usr/bin/env python3
"""Programs of CAF as a user checks them: the examples, what is found, what is refused, and replays."""

import argparse
import ctypes.util
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
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <deque>
#include <iomanip>
#include <iostream>
#include <memory>
#include <mutex>
#include <thread>
struct Money { int amount; };
template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, Money& x) { return f(caf::meta::type_name("Money"), x.amount); }
CAF_BEGIN_TYPE_ID_BLOCK(programs, first_custom_type_id)
  CAF_ADD_TYPE_ID(programs, (Money))
CAF_END_TYPE_ID_BLOCK(programs)
using namespace caf;
behavior quiet(event_based_actor*) { return {[](int) {}}; }
behavior answers(event_based_actor*) { return {[](int one) { return one; }}; }
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
    # A door that forgets one who waits if two do: nobody holds that visitor any more.
    "forgets": ("struct visitors { bool taken = false; std::deque<typed_response_promise<int>> all; };\n"
                "behavior door(stateful_actor<visitors>* self, bool forgets) { return {[=](int) -> result<int> {"
                " auto promise = self->make_response_promise<int>(); auto& all = self->state.all;"
                " if (!self->state.taken) { self->state.taken = true; promise.deliver(1); return promise; }"
                " if (forgets && !all.empty()) all.pop_front(); all.push_back(promise); return promise; },"
                " [=](double) { auto& all = self->state.all; if (all.empty()) { self->state.taken = false; return; }"
                " auto next = all.front(); all.pop_front(); next.deliver(1); }}; }\n"
                "behavior visits(event_based_actor* self, const actor& to) {"
                " self->request(to, infinite, 1).then([=](int) { self->send(to, 0.5); }); return {[](int) {}}; }",
                "auto one = system.spawn(door, true); for (int n = 0; n < 3; ++n) system.spawn(visits, one);"),
    "remembers": ("", "auto one = system.spawn(door, false); for (int n = 0; n < 3; ++n) system.spawn(visits, one);"),
    "leaves": ("behavior leaves(event_based_actor* self, const actor& to) {"
               " self->request(to, infinite, 1).then([](int) {}); self->quit(); return {[](int) {}}; }",
               "system.spawn(leaves, system.spawn(quiet));"),
    # Memory is shared with no message in between.
    "global": ("int total = 0; behavior adds(event_based_actor*) { return {[](int amount) { total += amount; }}; }",
               "anon_send(system.spawn(adds), 1); anon_send(system.spawn(adds), 2);"),
    "pointer": ("behavior reads(event_based_actor*) { return {[](long where) {"
                " assert(*reinterpret_cast<int*>(where) >= 0); }}; }\n"
                "behavior lends(event_based_actor* self, const actor& to) { auto mine = std::make_shared<int>(1);"
                " return {[=](int) { self->send(to, reinterpret_cast<long>(mine.get())); *mine = 2; }}; }",
                "anon_send(system.spawn(lends, system.spawn(reads)), 1);"),
    "vector": ("behavior keeps(event_based_actor*, std::vector<int>* all) {"
               " return {[=](int one) { all->push_back(one); }}; }",
               "std::vector<int> all; auto one = system.spawn(keeps, &all); auto two = system.spawn(keeps, &all);"
               " anon_send(one, 1); anon_send(two, 2); system.await_all_actors_done();"),
    "early": ("behavior sets(event_based_actor*, int* where) { return {[=](int one) { *where = one; }}; }",
              "int result = 0; anon_send(system.spawn(sets, &result), 1); scoped_actor self{system};"
              " self->request(system.spawn(answers), infinite, 1).receive([](int) {}, [](error&) {});"
              " assert(result >= 0); system.await_all_actors_done();"),
    "member": ("struct counter : event_based_actor { int n = 0; counter(actor_config& c) : event_based_actor(c) {}"
               " behavior make_behavior() override { return {[=](int) { ++n; }}; } };\n"
               "behavior peeks(event_based_actor*, int* n) { return {[=](int) { assert(*n >= 0); }}; }",
               "auto one = system.spawn<counter>(); auto two = system.spawn(peeks,"
               " &static_cast<counter*>(actor_cast<abstract_actor*>(one))->n); anon_send(one, 1); anon_send(two, 1);"),
    "timer": ("int ticks = 0; behavior late(event_based_actor* self) { self->delayed_send(self,"
              " std::chrono::seconds(1), 1); return {[](int) { ++ticks; }}; }",
              "system.spawn(late); system.spawn(late);"),
    # Nothing is.
    "waited": ("int sum = 0; behavior sums(event_based_actor* self) {"
               " return {[=](int one) { sum += one; self->quit(); }}; }",
               "sum = 0; anon_send(system.spawn(sums), 1); system.await_all_actors_done(); assert(sum == 1);"),
    "handed": ("behavior second(event_based_actor* self) { return {[=](long where) {"
               " delete reinterpret_cast<int*>(where); self->quit(); }}; }\n"
               "behavior first(event_based_actor* self, const actor& to) { return {[=](long where) {"
               " ++*reinterpret_cast<int*>(where); self->send(to, where); }}; }",
               "anon_send(system.spawn(first, system.spawn(second)), reinterpret_cast<long>(new int(1)));"),
    "content": ("using words = std::vector<std::string>;\n"
                "behavior looks(event_based_actor*) { return {[](const words& all) { assert(all[0][0] != 0); }}; }\n"
                "behavior changes(event_based_actor*) { return {[](words& all) { all[0][0] = 'x'; all.clear(); }}; }",
                "words all{std::string(100, 'a')}; auto what = make_message(std::move(all));"
                " auto a = system.spawn(looks), b = system.spawn(changes), c = system.spawn(changes);"
                " anon_send(a, what); anon_send(b, what); anon_send(c, what);"),
    "holders": ("behavior holds(event_based_actor* self, std::shared_ptr<const std::string> what) {"
                " return {[=](int) { auto mine = what; assert(mine->size() == 100); self->quit(); }}; }",
                "auto what = std::make_shared<const std::string>(100, 'a');"
                " anon_send(system.spawn(holds, what), 1); anon_send(system.spawn(holds, what), 1);"),
    "made": ("const std::string& table() { static const std::string all(100, 'a'); return all; }\n"
             "behavior uses(event_based_actor*) { return {[](int) { assert(table().size() == 100);"
             " thread_local int calls = 0; ++calls; std::cout << std::setw(3) << calls << std::endl; }}; }",
             "anon_send(system.spawn(uses), 1); anon_send(system.spawn(uses), 1);"),
    "local": ("struct own { int n = 0; std::vector<int> all; const char* name = \"own\"; };\n"
              "behavior works(stateful_actor<own>* self, int left) { return {[=](int one) {"
              " self->state.all.push_back(one); ++self->state.n;"
              " if (left > 0) self->send(self->spawn(works, left - 1), one + 1); else self->quit(); }}; }",
              "auto one = system.spawn(works, 2); anon_send(one, 1); anon_send(one, 2);"),
    # It is, and in a way that is no race.
    "atomic": ("std::atomic<int> hits{0}; behavior hit(event_based_actor*) { return {[](int) { ++hits; }}; }",
               "anon_send(system.spawn(hit), 1); anon_send(system.spawn(hit), 1);"),
    "lock": ("std::mutex gate; int inside = 0; behavior enters(event_based_actor*) { return {[](int) {"
             " std::lock_guard<std::mutex> guard(gate); ++inside; }}; }",
             "anon_send(system.spawn(enters), 1); anon_send(system.spawn(enters), 1);"),
}
# What must be said of the examples, ...
EXPECTED = {
    "bank": "Assertion",
    "server": "no handler for ('ping')",
    "dining": "philosopher waits for fork",
    "ledger": "actors share memory with no message in between: teller writes",
}
# ... and of those that share.
SHARED = {
    "global": "actors share `total` with no message in between: actor writes",
    "pointer": "actor 2 writes",
    "vector": "actor writes",
    "early": "and caf_main reads",
    "member": "counter writes",
    "timer": "actors share `ticks`",
}


def write(source, text):
    """What was changed a moment ago is compiled again: it might be changing still."""
    source.write_text(text, encoding="utf-8")
    os.utime(source, (1, 1))


class CafTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        functions = "\n".join(functions for functions, _ in PROGRAMS.values())
        branches = "\n".join(f'  if (which == "{name}") {{ {main} }}' for name, (_, main) in PROGRAMS.items())
        cls.programs = pathlib.Path(cls.folder.name) / "programs.cpp"
        write(cls.programs,
              f"{HEAD}{functions}\nvoid caf_main(actor_system& system) {{\n"
              f'  const std::string which = std::getenv("WHICH");\n{branches}\n}}\n'
              "CAF_MAIN(id_block::programs)\n")

    def run_mazurka(self, *words, **environment):
        return subprocess.run([MAZURKA, *map(str, words)], cwd=self.folder.name, text=True,
                              capture_output=True, check=False, env=os.environ | environment)

    def check_program(self, name, *options):
        return self.run_mazurka("check", self.programs, "-O0", *options, WHICH=name)

    def test_types_of_messages_are_no_modules(self):
        done = self.check_program("types")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_examples_are_broken_and_repaired(self):
        # Compiled as one: most of the time goes into the headers.
        names = [(name, variant) for name in EXPECTED for variant in ("broken", "repaired")]
        includes = "\n".join(
            f"{'#define' if variant == 'repaired' else '#undef'} REPAIRED\n"
            f'namespace {name}_{variant} {{\n#include "{EXAMPLES / name}.cpp"\n}}' for name, variant in names)
        calls = "\n".join(f'  if (which == "{name}_{variant}") {name}_{variant}::caf_main(system);'
                          for name, variant in names)
        source = pathlib.Path(self.folder.name) / "examples.cpp"
        write(source,
              "#include <mazurka/caf.hpp>\n#include <cassert>\n#include <cstdlib>\n#include <vector>\n"
              f"#undef CAF_MAIN\n#define CAF_MAIN()\n{includes}\n"
              "void run_one(caf::actor_system& system) {\n"
              f'  const std::string which = std::getenv("WHICH");\n{calls}\n}}\n'
              "int main(int argc, char** argv) {\n"
              '  return mazurka::caf::detail::run_program<>(run_one, "", argc, argv);\n}\n')
        for name, words in EXPECTED.items():
            with self.subTest(name):
                broken = self.run_mazurka("check", source, "-O0", "-g0", WHICH=f"{name}_broken")
                self.assertEqual(broken.returncode, 1, broken.stderr)
                self.assertIn(words, broken.stdout)
                repaired = self.run_mazurka("check", source, "-O0", "-g0", WHICH=f"{name}_repaired")
                self.assertEqual(repaired.returncode, 0, repaired.stdout + repaired.stderr)

    def test_an_example_as_it_is(self):
        broken = self.run_mazurka("check", EXAMPLES / "ledger.cpp")
        self.assertEqual(broken.returncode, 1, broken.stderr)
        self.assertIn(EXPECTED["ledger"], broken.stdout)
        schedule = re.search(r"\S+\.schedule", broken.stdout).group()
        again = self.run_mazurka("replay", schedule, EXAMPLES / "ledger.cpp")
        self.assertEqual(again.returncode, 1, again.stderr)
        self.assertIn(EXPECTED["ledger"], again.stdout)

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
                refused = self.run_mazurka("check", EXAMPLES / "ledger.cpp", *words)
                self.assertEqual(refused.returncode, 2, refused.stdout)

    def test_refuses_a_library_that_can_not_be_watched(self):
        # As if it were linked before ours: its own functions are found first.
        library = ctypes.util.find_library("caf_core")
        self.assertEqual(self.check_program("types").returncode, 0)
        program = next(file for file in (pathlib.Path(self.folder.name) / ".mazurka").glob("programs-????????"))
        environment = os.environ | {"WHICH": "types", "LD_PRELOAD": library}
        alone = subprocess.run([program], cwd=self.folder.name, text=True, capture_output=True, check=False,
                               env=environment, timeout=60)
        self.assertEqual(alone.returncode, 2, alone.stdout)
        self.assertIn("can not be watched (not seen: messages", alone.stderr)
        refused = self.run_mazurka("check", program, WHICH="types", LD_PRELOAD=library)
        self.assertEqual(refused.returncode, 2, refused.stdout)
        self.assertIn("can not be watched (not seen: messages", refused.stderr)

    def test_errors_may_be_allowed(self):
        found = self.check_program("error")
        self.assertEqual(found.returncode, 1, found.stderr)
        self.assertIn("ends with an error", found.stdout)
        self.assertEqual(self.check_program("error", "--allow", "errors").returncode, 0)

    def test_finds_memory_that_actors_share(self):
        for name, words in SHARED.items():
            with self.subTest(name):
                found = self.check_program(name)
                self.assertEqual(found.returncode, 1, found.stdout + found.stderr)
                self.assertIn("Data race", found.stdout)
                self.assertIn(words, found.stdout)
                functions, main = PROGRAMS[name]
                lines = self.programs.read_text(encoding="utf-8").splitlines()
                for place in re.findall(r"programs\.cpp:(\d+)", found.stdout):
                    self.assertTrue(lines[int(place) - 1] in functions or main in lines[int(place) - 1])

    def test_what_is_handed_over_is_not_shared(self):
        for name in ("waited", "handed", "content", "holders", "made", "local"):
            for options in ((), ("--channels", "none")):
                with self.subTest(name, options=options):
                    done = self.check_program(name, *options)
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_what_atomics_lead_to_is_not_explored(self):
        for name, words in (("atomic", "the atomic variable `hits`"), ("lock", "the lock `gate`")):
            with self.subTest(name):
                done = self.check_program(name)
                self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
                self.assertIn(words, done.stdout)

    def test_may_be_told_not_to_look(self):
        done = self.run_mazurka("check", EXAMPLES / "ledger.cpp", "--races", "off")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("was not looked at", done.stdout)

    def test_broken_promise(self):
        found = self.check_program("promise")
        self.assertEqual(found.returncode, 1, found.stderr)
        self.assertIn("main waits for actor to answer (1)", found.stdout)

    def test_a_request_of_an_actor_that_nobody_holds_any_more_is_open(self):
        found = self.check_program("forgets")
        self.assertEqual(found.returncode, 1, found.stdout + found.stderr)
        self.assertRegex(found.stdout, r"no response: actor( \d)? waits for actor to answer \(1\)")
        self.assertEqual(self.check_program("forgets", "--allow", "unanswered").returncode, 0)
        for name in ("remembers", "leaves"):
            with self.subTest(name):
                done = self.check_program(name)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


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
