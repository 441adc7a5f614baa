"""The command line: one parser and one help for every kind of program."""

import json
import re
import shutil
import unittest
from xml.etree import ElementTree

from calling import ERROR, FINDING, INCONCLUSIVE, SOURCE, VERIFIED, InFolder
from programs import COUNTER, CROSSED_LOCKS, NARROW, RACERS

COMMANDS = (
    "check", "replay", "techniques", "generate", "convert", "studio", "work", "status", "cancel", "version"
)
PHILOSOPHERS = SOURCE / "examples" / "automata" / "philosophers.tck"
LOST_UPDATE = SOURCE / "examples" / "automata" / "counter.tck"
# The table is src/explorers/registry.cpp.
TECHNIQUES = ("exhaustive", "sleep", "dpor", "source", "source-context", "optimal", "reverse", "graphs",
              "optimal-observers", "optimal-context", "optimal-context-observers", "bounded",
              "random", "pct", "trans", "unfolding", "stateful")


class CommandLine(InFolder):
    def refused(self, *arguments, saying, **variables):
        """An error: exit code 2, one message on stderr, nothing on stdout."""
        result = self.mazurka(*arguments, expect=ERROR, **variables)
        self.assertEqual(result.stdout, "")
        first, *others = result.stderr.splitlines()
        self.assertTrue(first.startswith("mazurka: error: "), result.stderr)
        for words in [saying] if isinstance(saying, str) else saying:
            self.assertIn(words, first)
        self.assertTrue(all(line.startswith("See: ") for line in others), result.stderr)
        return first

    def report(self, *arguments, expect, **variables):
        self.mazurka("check", *arguments, "--json", "r.json", expect=expect, **variables)
        return json.loads((self.folder / "r.json").read_text())


class Help(CommandLine):
    def test_help_fits_a_terminal_and_has_no_noise(self):
        for words in ([], *([command] for command in COMMANDS)):
            text = self.mazurka(*words, "--help", expect=0).stdout
            for line in text.splitlines():
                self.assertLessEqual(len(line), 80, line)
            for noise in ("Excludes", "Needs:", "REQUIRED", "ENUM", "UINT", "TEXT"):
                self.assertNotIn(noise, text)

    def test_one_help_for_every_kind_of_program(self):
        text = self.mazurka("check", "--help", expect=0).stdout
        self.assertEqual(self.mazurka("check", PHILOSOPHERS, "--help", expect=0).stdout, text)
        groups = re.findall(r"^([A-Z][A-Za-z ]*):$", text, re.MULTILINE)
        self.assertGreater(len(groups), 5)
        for option in ("--racy", "--reach", "--max-memory", "--junit", "--compiler gcc|clang",
                       "--color auto|always|never"):
            self.assertIn("  " + option, text)

    def test_unknown_commands_get_a_suggestion(self):
        self.refused("chek", "x.c", saying=("there is no command 'chek'", "did you mean check?"))
        self.refused("convrt", "x.tck", saying="did you mean convert?")
        self.refused("bank.cpp", saying="did you mean: mazurka check bank.cpp?")
        self.refused("frobnicate", saying="The commands are: " + ", ".join(COMMANDS))
        self.refused(saying="a command is missing")

    def test_techniques(self):
        text = self.mazurka("techniques", expect=0).stdout
        names = self.mazurka("techniques", "--names", expect=0).stdout.split()
        self.assertEqual(names, list(TECHNIQUES))
        blocks = {}
        columns = set()
        for line in text.splitlines():
            self.assertLessEqual(len(line), 80, line)
            if not line.startswith(" "):
                name = line.split()[0]
                blocks[name] = ""
                columns.add(len(line) - len(line[len(name):].lstrip()))
            else:
                columns.add(len(line) - len(line.lstrip()))
            blocks[name] += line + "\n"
        self.assertEqual(len(columns), 1, "not aligned")
        self.assertEqual(list(blocks), names)
        for name, block in blocks.items():
            sample = name in ("random", "pct")
            self.assertIn("a sample, verifies nothing" if sample else "exhaustive", block)
            self.assertIn("; for ", block)
            if name not in ("exhaustive", "random"):
                self.assertRegex(block, "after [A-Z]", name)
        self.assertIn("networks of automata", blocks["stateful"])
        self.assertIn("up to the bound", blocks["bounded"])


class Values(CommandLine):
    def test_words_of_a_list(self):
        self.write("counter.c", COUNTER)
        for option, values in (("--compiler", "gcc, clang"), ("--color", "auto, always, never"),
                               ("--progress", "auto, always, never"), ("--heap", "on, off"),
                               ("--memory", "auto, sc, tso, rc11, ra"),
                               ("--races", "on, off"), ("--shorten", "on, off"),
                               ("--exit-code", "note, finding"), ("--order", "fifo, eca, lca"),
                               ("--sleep-sets", "on, off")):
            self.refused("check", "counter.c", option, "x+",
                         saying=f"{option}: 'x+' is none of {values}")
        self.refused("check", "counter.c", "--compiler", "g++", saying="gcc, clang")
        self.refused("check", "counter.c", "--compiler", "gc", saying="did you mean gcc?")
        self.refused("check", PHILOSOPHERS, "--variant", "pifz",
                     saying=("'pifz' is none of auto, reach", "did you mean pifs?"))
        self.refused("check", PHILOSOPHERS, "--variant", "pifs", "--order", "fifo",
                     saying="none of declared, reversed, reversed-clients, shuffled")
        self.refused("generate", "dpp", "3", saying=("'dpp' is none of", "did you mean dp?"))
        self.refused("manual", "html", saying="none of man, bash, zsh")

    def test_arguments_of_a_program_are_not_for_its_compiler(self):
        self.write("counter.c", COUNTER)
        for words in (("1",), ("--", "1"), ("-O1", "-DN=2", "--", "-Wall", "-O1", ".", "1")):
            self.refused("check", "counter.c", *words,
                         saying=("1: it is neither a flag of the compiler nor a file",
                                 "mazurka-cc -g counter.c -o program; mazurka check ./program -- 1"))
        self.mazurka("check", "counter.c", "--", "-I", "nowhere", expect=VERIFIED)

    def test_numbers(self):
        self.write("counter.c", COUNTER)
        for option in ("--max-executions", "--max-events", "--seed", "--preemptions", "--spurious"):
            for value in ("-5", "many", "1.5", "99999999999999999999999"):
                self.refused("check", "counter.c", option, value,
                             saying=f"{option}: '{value}' is no number from ")
        self.refused("check", "counter.c", "--max-events", "0", saying="no number from 1 to")
        self.refused("check", PHILOSOPHERS, "--max-nodes", "-1", saying="--max-nodes: '-1' is no")
        self.refused("check", "counter.c", "--max-time", "-1", saying="write 10s, 5m or 1h")
        self.refused("check", "counter.c", "--max-memory", "-1G", saying="write 500M or 2G")

    def test_the_last_of_two_counts(self):
        self.write("counter.c", COUNTER)
        report = self.report("counter.c", "--technique", "dpor", "--technique", "source",
                             expect=VERIFIED)
        self.assertEqual(report["technique"], "source")

    def test_mistakes_are_in_the_json_too(self):
        self.write("counter.c", COUNTER)
        self.mazurka("check", "counter.c", "--json", "r.json", "--technique", "optmal",
                     expect=ERROR)
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(report["verdict"], "error")
        self.assertIn("did you mean optimal?", report["reason"])


class Kinds(CommandLine):
    def test_what_is_not_for_networks_is_refused_with_the_reason(self):
        for words in (["--racy"], ["--races", "off"], ["--heap", "off"], ["--memory", "sc"],
                      ["--leaks"],
                      ["--spurious", "1"], ["--exit-code", "finding"], ["--liveness"],
                      ["--sleep-sets", "off"],
                      ["--max-stall", "1s"], ["--measure-replay"], ["--shorten", "off"],
                      ["--stacks"], ["--compiler", "clang"], ["--function", "f"],
                      ["--save", "x"], ["--save-every", "1s"], ["--resume", "x"], ["-DN=3"]):
            self.refused("check", PHILOSOPHERS, *words,
                         saying=(words[0], "is a network of automata: "))
        for technique in ("source-context", "optimal-context", "trans", "unfolding"):
            self.refused("check", PHILOSOPHERS, "--technique", technique, saying=f"{technique} is for")
        self.refused("check", PHILOSOPHERS, "--max-executions", "5", saying="--max-nodes")
        self.refused("check", PHILOSOPHERS, "--order", "reversed", saying="--variant")
        self.refused("check", PHILOSOPHERS, "--seed", "3", saying="--order shuffled")
        for words in (["--variant", "pifs"], ["--certify"], ["--paths"], ["--state-graph", "x"],
                      ["--max-nodes", "5"]):
            self.refused("check", PHILOSOPHERS, "--technique", "optimal", *words,
                         saying=(words[0], "--technique stateful"))

    def test_what_is_for_networks_only(self):
        self.write("counter.c", COUNTER)
        for words in (["--variant", "pifs"], ["--reach", "x=1"], ["--allow-deadlock"],
                      ["--certify"], ["--paths"], ["--state-graph", "x"], ["--max-nodes", "5"]):
            self.refused("check", "counter.c", *words,
                         saying=(words[0], "is for networks of automata"))
        self.refused("check", "counter.c", "--technique", "stateful",
                     saying="stateful is for networks of automata")

    def test_reports_of_networks(self):
        self.mazurka("check", PHILOSOPHERS, "--junit", "r.xml", "--sarif", "r.sarif",
                     "--json", "r.json", "--color", "never", "--keep-going", expect=FINDING)
        suites = ElementTree.parse(self.folder / "r.xml").getroot()
        self.assertEqual(suites.get("failures"), "1")
        self.assertIn("nobody can move", suites.find("testsuite/testcase/failure").text)
        run = json.loads((self.folder / "r.sarif").read_text())["runs"][0]
        self.assertEqual(run["results"][0]["ruleId"], "deadlock")
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["verdict"], "finding")

    def test_max_events_of_networks(self):
        for technique in (["--variant", "reach"], ["--variant", "pifs"], ["--variant", "full+sleep"],
                          [], ["--technique", "optimal"]):
            for allowed, code in ((1, INCONCLUSIVE), (1000, VERIFIED)):
                report = self.report(LOST_UPDATE, *technique, "--allow-deadlock", "--max-events",
                                     allowed, expect=code)
                if code == INCONCLUSIVE:
                    self.assertIn("--max-events 1", report["reason"])

    def test_a_part_of_a_network_is_not_verified(self):
        self.mazurka("generate", "lz", "3", "-o", "lz.tck", expect=0)
        for words in (["--technique", "bounded"], ["--preemptions", "1"]):
            report = self.report("lz.tck", *words, expect=INCONCLUSIVE)
            self.assertIn("up to the bound", report["reason"])
        self.report("lz.tck", "--preemptions", "1000", expect=VERIFIED)
        for technique in ("random", "pct"):
            report = self.report("lz.tck", "--technique", technique, "--max-executions", "50",
                                 expect=INCONCLUSIVE)
            self.assertIn("a sample of the schedules", report["reason"])

    def test_what_was_asked_of_a_graph_is_done_or_told(self):
        done = self.mazurka("check", PHILOSOPHERS, "--state-graph", "part.dot", "--paths", "--certify",
                            expect=FINDING)
        self.assertIn("digraph", (self.folder / "part.dot").read_text())
        for note in ("part.dot shows the part", "paths were not counted", "no certificate"):
            self.assertIn(note, done.stdout)


class Environment(CommandLine):
    def setUp(self):
        super().setUp()
        self.write("counter.c", COUNTER)

    def test_the_command_line_wins(self):
        shared = "--technique sleep --seed 3 --max-executions 1 --compiler=clang --color always"
        report = self.report("counter.c", "--technique", "dpor", "--max-executions=0", "--color",
                             "never", expect=VERIFIED, MAZURKA_OPTIONS=shared)
        self.assertEqual(report["technique"], "dpor")

    def test_flags(self):
        report = self.report("counter.c", expect=VERIFIED, MAZURKA_OPTIONS="--racy")
        self.assertTrue(report["racy"])
        report = self.report("counter.c", "--racy=false", expect=VERIFIED,
                             MAZURKA_OPTIONS="--racy")
        self.assertFalse(report["racy"])

    def test_what_does_not_go_with_the_command_line_is_left_out(self):
        report = self.report("counter.c", "--preemptions", "9", expect=VERIFIED,
                             MAZURKA_OPTIONS="--technique optimal")
        self.assertEqual(report["technique"], "bounded")
        report = self.report("counter.c", "--technique", "optimal", expect=VERIFIED,
                             MAZURKA_OPTIONS="--preemptions 1")
        self.assertEqual(report["technique"], "optimal")
        report = self.report(LOST_UPDATE, expect=VERIFIED,
                             MAZURKA_OPTIONS="--racy -O2 --compiler clang --allow-deadlock")
        self.assertIn("stateful", report["technique"])
        self.report("counter.c", expect=VERIFIED, MAZURKA_OPTIONS="--allow-deadlock --variant pifs")

    def test_resume_decides(self):
        self.write("racers.c", RACERS)
        self.mazurka("check", "racers.c", "-DSTEPS=2", "-DPROCESSES=2", "--technique", "source",
                     "--max-executions", "2", "--save", "saved", expect=INCONCLUSIVE)
        report = self.report("--resume", "saved", expect=VERIFIED,
                             MAZURKA_OPTIONS="--technique dpor --racy --seed 4 -O2")
        self.assertEqual(report["technique"], "source")
        self.refused("check", "--resume", "saved", "--technique", "dpor",
                     saying="decided by the file")

    def test_flags_for_the_compiler_come_before_those_of_the_command_line(self):
        self.write("which.c", "int main(void) { return N; }\n")
        self.mazurka("check", "which.c", "--exit-code", "finding", expect=FINDING,
                     MAZURKA_OPTIONS="-DN=1")
        self.mazurka("check", "which.c", "-UN", "-DN=0", "--exit-code", "finding", expect=VERIFIED,
                     MAZURKA_OPTIONS="-DN=1")

    def test_mistakes_in_it_are_told(self):
        for wrong, saying in (("--tecnique x", "--technique"), ("--seed -3", "no number"),
                              ("--technique optmal", "did you mean optimal?"),
                              ("--compiler g++", "none of gcc, clang")):
            self.refused("check", "counter.c", saying=("in MAZURKA_OPTIONS", saying),
                         MAZURKA_OPTIONS=wrong)


class Completion(CommandLine):
    def completed(self, *words):
        (self.folder / "completion").write_text(self.mazurka("manual", "bash", expect=0).stdout)
        done = self.run_command([
            "bash", "-c",
            'source ./completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mazurka;'
            ' printf "%s\\n" "${COMPREPLY[@]}"', "completion", "mazurka", *words])
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_bash(self):
        self.assertEqual(self.completed(""), list(COMMANDS))
        self.assertEqual(self.completed("check", "--technique", ""), list(TECHNIQUES))
        self.assertEqual(self.completed("check", "--technique", "optimal-c"),
                         ["optimal-context", "optimal-context-observers"])
        self.assertEqual(self.completed("check", "--compiler", ""), ["gcc", "clang"])
        self.assertEqual(self.completed("check", "--color", ""), ["auto", "always", "never"])
        for option in ("--heap", "--races", "--shorten", "--sleep-sets"):
            self.assertEqual(self.completed("check", option, ""), ["on", "off"])
        self.assertEqual(self.completed("check", "--exit-code", ""), ["note", "finding"])
        self.assertIn("minclosure+sleep", self.completed("check", "--variant", ""))
        self.assertIn("reversed-clients", self.completed("check", "--order", ""))
        self.assertIn("--allow-deadlock", self.completed("check", "--allow"))
        self.assertEqual(self.completed("convert", "--d"), ["--dot"])
        self.assertIn("philosophers", self.mazurka("generate", "--help").stdout)
        self.assertLessEqual({"dp", "dp2", "locks", "tk"}, set(self.completed("generate", "")))
        self.assertEqual(self.completed("techniques", "--n"), ["--names"])

    def test_zsh_and_manual(self):
        zsh = self.mazurka("manual", "zsh", expect=0).stdout
        manual = self.mazurka("manual", "man", expect=0).stdout.replace("\\-", "-")
        for text in (zsh, manual):
            for word in (*TECHNIQUES, *COMMANDS, "--output", "--dot", "--names", "--variant"):
                self.assertIn(word, text)
        self.assertIn(":value:(gcc clang )", zsh)
        self.assertIn(":value:(auto always never )", zsh)
        self.assertIn(":argument:(bg ", zsh)
        self.assertIn("gcc|clang", manual)
        if shutil.which("zsh"):
            self.write("_mazurka", zsh)
            self.assertEqual(self.run_command(["zsh", "-n", "_mazurka"]).returncode, 0)
        if shutil.which("man"):
            self.write("mazurka.1", self.mazurka("manual", "man").stdout)
            shown = self.run_command(["man", "--warnings", "-l", "./mazurka.1"], MANWIDTH="80")
            self.assertEqual(shown.stderr, "")


@unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
class Debugger(CommandLine):
    def debugged(self, name, source, *arguments, then=(), expect=FINDING):
        self.write(name, source)
        self.mazurka("check", name, "-g", "-O0", *arguments, expect=expect)
        schedule, = (self.folder / ".mazurka").glob("*.schedule")
        command = self.mazurka("replay", "--gdb", "--print", schedule, expect=0).stdout
        more = "".join(f" -ex '{one}'" for one in then)
        done = self.run_command(["sh", "-c", command.replace(" --args", f" -batch{more} --args")])
        return done.stdout

    def test_stops_at_a_failed_assertion(self):
        shown = self.debugged("narrow.c", NARROW)
        self.assertIn("mazurka_failure (message=", shown)
        stop = shown[shown.index("mazurka_failure (message="):]
        self.assertRegex(stop, r"#\d+ .*main \(\) at narrow\.c:\d+")

    def test_stops_at_a_race(self):
        shown = self.debugged("counter.c", COUNTER, "-DRACE")
        stop = shown[shown.index("mazurka_failure (message="):]
        self.assertRegex(stop, r"#\d+ .*add \(argument=.*counter\.c:\d+")

    def test_stops_at_a_crash(self):
        shown = self.debugged("crash.c", """
            #include <pthread.h>
            int *place;
            static void *one(void *argument) { *place = 1; return argument; }
            int main(void) {
              pthread_t thread;
              pthread_create(&thread, 0, one, 0);
              pthread_join(thread, 0);
              return 0;
            }
        """)
        self.assertIn("SIGSEGV", shown)
        self.assertRegex(shown, r"#\d+ .*one \(argument=.*crash\.c:\d+")

    def test_shows_everybody_who_waits_in_a_deadlock(self):
        shown = self.debugged("locks.c", CROSSED_LOCKS, then=("continue", "backtrace"))
        self.assertEqual(shown.count("#0  mazurka_waits"), 2, shown)
        self.assertRegex(shown, r"other \(argument=.*locks\.c:\d+")
        self.assertRegex(shown, r"main \(\) at locks\.c:\d+")

    def test_the_program_can_be_run_again_with_other_break_points(self):
        shown = self.debugged("narrow.c", NARROW, then=("break narrow.c:add", "run", "info args"))
        self.assertIn("argument = ", shown)


if __name__ == "__main__":
    unittest.main()
