"""Programs of actors as a user checks them: the example's story, properties, options and mistakes."""

import json
import unittest
from pathlib import Path

from calling import ERROR, FINDING, MAZURKA, SOURCE, VERIFIED, InFolder

SHOP = SOURCE / "examples" / "actors" / "shop.cpp"

COUNTER = """
#include <mazurka/actors.hpp>
struct Counter {
  static constexpr bool mortal = true;
  int value = 0;
  void add() { ++value; }
  bool accepts(mazurka::on<&Counter::add>) const { return value < LIMIT; }
};
int main() {
  return mazurka::run([](mazurka::Setup& system) {
    const auto counter = system.spawn<Counter>();
    system.send<&Counter::add>(counter);
    system.send<&Counter::add>(counter);
#ifdef CRASH
    system.crash(counter);
    system.forbid_orphans();
#endif
#ifdef INVARIANT
    mazurka::invariant<Counter>(system, "below two", [=](const mazurka::View& view) {
      return !view.has(counter) || view[counter].value < 2;
    });
#endif
  });
}
"""
NOBODY = """
#include <mazurka/actors.hpp>
struct Counter {
  int value = 0;
  void add() { ++value; }
};
int main() {
  return mazurka::run(
      [](mazurka::Setup& system) { system.send<&Counter::add>(mazurka::Ref<Counter>()); });
}
"""
THREADS = """
int main(void) { return 0; }
"""


class ActorsTest(InFolder):
    def build(self, source, *flags):
        """What `check` does with a source file, once for several checks."""
        binary = self.folder / (Path(source).stem + "".join(flags))
        home = MAZURKA.parent.parent
        built = self.run_command(["g++", "-std=c++20", *flags, "-I", SOURCE / "include", source,
                                  "-L", home / "lib", "-lmazurka-actors",
                                  f"-Wl,-rpath,{home / 'lib'}", "-o", binary])
        self.assertEqual(built.returncode, 0, built.stderr)
        return binary

    def run_it(self, *arguments, code):
        done = self.mazurka(*arguments, expect=code)
        return done.stdout if code != ERROR else done.stderr


class Example(ActorsTest):
    def test_found_shown_replayed(self):
        text = self.run_it("check", SHOP, code=FINDING)
        self.assertIn("who is charged gets the item", text)
        for actor in ("Stock", "Bank", "Ann", "Bob"):
            self.assertIn(actor, text)
        self.assertRegex(text, r"◀─+ cancel\(30\) ─+┤")
        schedule, = (self.folder / ".mazurka").glob("shop-*.schedule")
        again = self.run_it("replay", schedule, code=FINDING)
        self.assertIn("the finding is reproduced", again)
        self.assertIn("cancel(30)", again)

    def test_fixed_and_verified_by_every_technique(self):
        listed = self.run_it("techniques", "--names", code=0)
        executions = {}
        fixed = self.build(SHOP, "-DFIXED")
        for technique in (line.split()[0] for line in listed.splitlines() if line.strip()):
            if technique in ("random", "pct", "stateful", "graphs"):  # verify nothing, or not actors
                continue
            self.run_it("check", fixed, "--technique", technique, "--json", "r.json",
                        code=VERIFIED)
            report = json.loads((self.folder / "r.json").read_text())
            executions[technique] = report["executions"]
        self.assertEqual(executions["optimal"], 2)
        self.assertEqual(executions["trans"], 2)
        self.assertEqual(executions["exhaustive"], 80)

    def test_the_other_repair(self):
        text = SHOP.read_text().replace("void shop(mazurka::Setup& system) {",
                                        "void shop(mazurka::Setup& system) {\n"
                                        "  system.use_fifo_channels();")
        self.run_it("check", self.write("ordered.cpp", text), code=VERIFIED)

    def test_from_a_test(self):
        for flags, code, words in (([], 1, "who is charged"), (["-DFIXED"], 0, "verified: 2")):
            binary = self.build(SHOP.with_name("shop.test.cpp"), *flags)
            done = self.run_command([binary])
            self.assertEqual(done.returncode, code, done.stdout)
            self.assertIn(words, done.stdout)


class Properties(ActorsTest):
    def kinds(self, *flags):
        self.run_it("check", self.write("counter.cpp", COUNTER), *flags, "--keep-going", "--json",
                    "r.json", code=FINDING)
        report = json.loads((self.folder / "r.json").read_text())
        return {finding["kind"] for finding in report["findings"]}

    def test_kinds_of_findings(self):
        self.assertEqual(self.kinds("-DLIMIT=1"), {"deadlock"})
        self.assertEqual(self.kinds("-DLIMIT=2", "-DCRASH"), {"orphan"})
        self.assertEqual(self.kinds("-DLIMIT=2", "-DINVARIANT"), {"assertion"})

    def test_clang_compiles_it_too(self):
        self.run_it("check", self.write("counter.cpp", COUNTER), "-DLIMIT=2", "--compiler", "clang",
                    code=VERIFIED)


class Mistakes(ActorsTest):
    def test_one_clear_message(self):
        threads = self.write("threads.c", THREADS)
        counter = self.build(self.write("counter.cpp", COUNTER), "-DLIMIT=2", "-DINVARIANT")
        for arguments, words in (
                ((counter, "--order", "newest"), "--order"),
                ((counter, "--sleep-sets", "off"), "dpor and trans"),
                ((counter, "--racy"), "--racy"),
                ((threads, "--technique", "trans"), "for actors"),
                ((threads, "--order", "eca"), "programs of actors"),
                ((threads, "--sleep-sets", "off"), "programs of actors"),
                ((counter, "--technique", "optimal-context"), "invariants"),
                ((self.write("nobody.cpp", NOBODY),), "names no actor")):
            with self.subTest(words=words):
                self.assertIn(words, self.run_it("check", *arguments, code=ERROR))

    def test_what_is_not_for_actors_is_refused_with_the_reason(self):
        self.write("counter.cpp", COUNTER)
        for words in (["--races", "off"], ["--suppress", "race:x"], ["--volatile", "atomic"],
                      ["--heap", "off"], ["--memory", "sc"], ["--leaks"], ["--spurious", "1"],
                      ["--exit-code", "finding"], ["--liveness"], ["--max-stall", "1s"], ["--shorten", "off"],
                      ["--function", "f"], ["--save-every", "1s"], ["--resume", "x"], ["--stacks"]):
            text = self.run_it("check", "counter.cpp", *words, code=ERROR)
            self.assertIn(words[0] + ": counter.cpp is a program of actors: ", text)
        self.assertIn("--reach: it is for networks of automata",
                      self.run_it("check", "counter.cpp", "--reach", "x=1", code=ERROR))
        self.assertIn("stateful is for networks of automata, and counter.cpp is a program of actors",
                      self.run_it("check", "counter.cpp", "--technique", "stateful", code=ERROR))


if __name__ == "__main__":
    unittest.main()
