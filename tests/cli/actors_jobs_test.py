"""Programs of actors explored by several processes: the same executions as by one."""

import json
import unittest

from calling import ERROR, FINDING, INCONCLUSIVE, SOURCE, VERIFIED, InFolder

ACTORS = SOURCE / "bench" / "actors"

# An actor that dies of a message if it comes as the last of six.
MORTAL = """
#include <mazurka/actors.hpp>
struct Sink {
  int seen = 0;
  void take(int which) {
    if (++seen == 6 && which == 0) *static_cast<volatile int*>(nullptr) = which;
  }
};
int main() {
  return mazurka::run([](mazurka::Setup& system) {
    const auto sink = system.spawn<Sink>();
    for (int which = 0; which < 6; ++which) system.send<&Sink::take>(sink, which);
  });
}
"""


class Folder(InFolder):
    def check(self, *words, expect):
        report = self.folder / "r.json"
        report.unlink(missing_ok=True)
        self.mazurka("check", *map(str, words), "--technique", "reverse", "--json", report,
                     "--progress", "never", expect=expect)
        return json.loads(report.read_text())

    def expect_same(self, alone, together, words):
        for name in ("executions", "asleep", "events", "deepest", "cut"):
            self.assertEqual(together["statistics"][name], alone["statistics"][name], (name, words))
        for what in ("kind", "message"):
            self.assertEqual([one[what] for one in together["findings"]],
                             [one[what] for one in alone["findings"]], words)
        self.assertEqual(together["notes"], alone["notes"], words)


class Jobs(Folder):
    def test_the_same_executions(self):
        for program, flags, verdict in (
                ("pi.cpp", ["-DN=8"], VERIFIED), ("reg.cpp", ["-DN=6"], VERIFIED),
                ("leader.cpp", ["-DN=5"], VERIFIED),
                ("philosophers.cpp", ["-DN=13", "--keep-going"], FINDING)):
            words = [ACTORS / program, *flags]
            alone = self.check(*words, "--jobs", 1, expect=verdict)
            for jobs in (2, 3):
                self.expect_same(alone, self.check(*words, "--jobs", jobs, expect=verdict), words)

    def test_a_finding_is_told_and_replayed(self):
        report = self.check(ACTORS / "philosophers.cpp", "-DN=12", "--jobs", 2, expect=FINDING)
        self.assertEqual(len(report["findings"]), 1)
        schedule, = (self.folder / ".mazurka").glob("philosophers-*.schedule")
        again = self.mazurka("replay", schedule, expect=FINDING)
        self.assertIn("the finding is reproduced", again.stdout)

    def test_what_kills_the_program(self):
        program = self.write("mortal.cpp", MORTAL)
        alone = self.check(program, "--jobs", 1, "--keep-going", expect=None)
        together = self.check(program, "--jobs", 2, "--keep-going", expect=None)
        self.assertEqual(together["verdict"], alone["verdict"])
        self.assertEqual(together["reason"], alone["reason"])

    def test_limits(self):
        program = [ACTORS / "pi.cpp", "-DN=9"]
        report = self.check(*program, "--jobs", 2, "--max-executions", 20000, expect=INCONCLUSIVE)
        self.assertEqual(report["executions"], 20000)
        report = self.check(*program, "--jobs", 2, "--max-time", "2s", expect=INCONCLUSIVE)
        self.assertIn("--max-time", report["reason"])

    def test_nothing_is_saved(self):
        self.check(ACTORS / "pi.cpp", "-DN=9", "--jobs", 2, "--max-time", "2s",
                   expect=INCONCLUSIVE)
        self.assertEqual(list((self.folder / ".mazurka").glob("*.exploration")), [])
        for words in (["--save", "x"], ["--resume", "x"]):
            done = self.mazurka("check", ACTORS / "pi.cpp", "--jobs", "2", *words, expect=ERROR)
            self.assertIn("its search can not be saved and resumed", done.stderr)
        done = self.mazurka("check", ACTORS / "pi.cpp", "--jobs", "2", expect=ERROR)
        self.assertIn("use --technique reverse", done.stderr)


class OfCaf(Folder):
    def test_the_same_executions(self):
        program = SOURCE / "bench" / "caf" / "bank.cpp"
        report = self.check(program, "-DCUSTOMERS=5", "--jobs", 2, expect=VERIFIED)
        self.assertEqual(report["executions"], 113400)  # 10! / 2^5
        words = [SOURCE / "examples" / "caf" / "dining.cpp", "--keep-going"]
        alone = self.check(*words, "--jobs", 1, expect=FINDING)
        self.expect_same(alone, self.check(*words, "--jobs", 3, expect=FINDING), words)


if __name__ == "__main__":
    unittest.main()
