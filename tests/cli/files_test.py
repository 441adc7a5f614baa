"""Files: no finding is lost for one, and nobody else's is run.

Some of it is about other users of the machine. Where the tests run as root there is one to play them;
elsewhere a folder that everybody can write to stands for one.
"""

import json
import os
import shlex
import shutil
import signal
import stat
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from calling import ERROR, FINDING, INCONCLUSIVE, MAZURKA, PATIENCE, VERIFIED, InFolder
from programs import COUNTER, ENDLESS_SEARCH, RACERS

BROKEN = "int main(void) { return undeclared; }\n"
NOBODY = 65534
PROGRAM_WITH_HEADER = """
#include <assert.h>
#include <pthread.h>
#ifndef BOUND
#include "bound.h"
#endif
static int x;
static void *add(void *u) { return __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST) < 0 ? 0 : u; }
int main(void) { pthread_t t; pthread_create(&t, 0, add, 0); add(0); pthread_join(t, 0); assert(x == BOUND); }
"""


class Folder(InFolder):
    def setUp(self):
        super().setUp()
        self.write("counter.c", COUNTER)
        self.environment.pop("MAZURKA_OPTIONS", None)

    def script(self, name, commands):
        file = self.folder / name
        file.write_text("#!/bin/sh\n" + commands)
        file.chmod(0o755)
        return file

    def compiler_that_removes(self, folder):
        """What vanishes while the program is compiled was there when the run began."""
        return str(self.script("compiler", f'rm -rf "{self.folder / folder}"\nexec gcc "$@"\n'))

    def kept(self, ending):
        return sorted((self.folder / ".mazurka").glob("*" + ending))

    def schedule(self):
        """The schedule of a finding in counter.c, and what is in it."""
        self.mazurka("check", "counter.c", "-DRACE", expect=FINDING)
        (file,) = self.kept(".schedule")
        return file, json.loads(file.read_text())

    def start(self, *arguments):
        process = subprocess.Popen(
            [MAZURKA, *map(str, arguments)], cwd=self.folder, env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

        def end():
            process.kill()
            process.wait()

        self.addCleanup(end)
        return process


class Outputs(Folder):
    REPORTS = ["--json", "r.json", "--junit", "r.xml", "--sarif", "r.sarif"]

    def verdict_of_reports(self):
        """Each of the three has to say the same: "error", "finding" or "good"."""
        verdict = json.loads((self.folder / "r.json").read_text())["verdict"]
        junit = ElementTree.parse(self.folder / "r.xml").getroot()
        run = json.loads((self.folder / "r.sarif").read_text())["runs"][0]
        successful = run["invocations"][0]["executionSuccessful"]
        self.assertEqual(junit.get("errors") == "1", verdict == "error")
        self.assertEqual(successful, verdict != "error")
        self.assertEqual(bool(run["results"]), verdict == "finding")
        return verdict

    def test_they_are_tried_before_anything_is_compiled(self):
        self.write("broken.c", BROKEN)
        (self.folder / "a-folder").mkdir()
        for option in ("--json", "--junit", "--sarif", "--save"):
            for file in ("nowhere/x", "a-folder"):
                done = self.mazurka("check", "broken.c", option, file, expect=ERROR)
                self.assertIn(file, done.stderr, option)
                self.assertNotIn("undeclared", done.stderr, option)
                self.assertEqual(done.stdout, "")

    def test_a_full_disk_costs_the_file_and_not_the_finding(self):
        for option in ("--json", "--junit", "--sarif"):
            done = self.mazurka("check", "counter.c", "-DRACE", option, "/dev/full", expect=FINDING)
            self.assertIn("FINDING", done.stdout)
            self.assertIn("mazurka replay", done.stdout)
            self.assertRegex(done.stderr, "warning: .*/dev/full .*No space left")
        # Somebody counts on a report that is not there: that is not success.
        done = self.mazurka("check", "counter.c", "--json", "/dev/full", expect=ERROR)
        self.assertIn("VERIFIED", done.stdout)

    def test_a_folder_that_vanishes_costs_the_file_and_not_the_finding(self):
        (self.folder / "out").mkdir()
        done = self.mazurka(
            "check", "counter.c", "-DRACE", "--json", "out/x.json", "--junit", "r.xml",
            expect=FINDING, MAZURKA_CC=self.compiler_that_removes("out"),
        )  # fmt: skip
        self.assertIn("FINDING", done.stdout)
        self.assertRegex(done.stderr, "warning: .*out/x.json .*No such file")
        self.assertIn("Data race", (self.folder / "r.xml").read_text())

    def test_a_schedule_that_can_not_be_written_costs_the_file_and_not_the_finding(self):
        file, _ = self.schedule()
        file.unlink()
        (file / "in-the-way").mkdir(parents=True)
        done = self.mazurka("check", "counter.c", "-DRACE", "--json", "r.json", expect=FINDING)
        self.assertIn("FINDING", done.stdout)
        self.assertIn("data race", done.stdout.lower())
        self.assertNotIn("replay:", done.stdout)
        self.assertRegex(done.stderr, f"warning: .*{file.name}.*can not be written")
        self.assertEqual(len(json.loads((self.folder / "r.json").read_text())["warnings"]), 1)

    def test_no_folder_for_binaries_and_schedules(self):
        self.write(".mazurka", "a file")
        self.write("broken.c", BROKEN)
        done = self.mazurka("check", "broken.c", TMPDIR="/nowhere", expect=ERROR)
        self.assertIn("need a place", done.stderr)
        self.assertNotIn("undeclared", done.stderr)
        # With a folder for temporary files everything works.
        (self.folder / "tmp").mkdir()
        tmp = str(self.folder / "tmp")
        done = self.mazurka("check", "counter.c", "-DRACE", TMPDIR=tmp, expect=FINDING)
        (command,) = [line for line in done.stdout.splitlines() if "replay:" in line]
        words = shlex.split(command.split("replay:")[1])
        self.assertEqual(self.run_command(words, TMPDIR=tmp).returncode, FINDING)
        self.assertEqual((self.folder / ".mazurka").read_text(), "a file")

    def test_an_error_leaves_no_green_report(self):
        broken = self.write("broken.c", BROKEN)
        for wrong in (
            [broken],
            ["nowhere.c"],
            ["counter.c", "--technique", "magic"],
            ["counter.c", "--max-time", "soon"],
            ["counter.c", "--max-tine", "1s"],
            ["--resume", "nowhere"],
            ["nowhere.tck"],
        ):
            reports = self.REPORTS[:2] if wrong == ["nowhere.tck"] else self.REPORTS
            self.mazurka("check", "counter.c", *self.REPORTS, expect=VERIFIED)
            self.assertEqual(self.verdict_of_reports(), "verified")
            self.mazurka("check", *wrong, *reports, expect=ERROR)
            if reports == self.REPORTS:
                self.assertEqual(self.verdict_of_reports(), "error", wrong)
            else:
                report = json.loads((self.folder / "r.json").read_text())
                self.assertEqual(report["verdict"], "error")
        self.mazurka("check", "counter.c", "-DRACE", *self.REPORTS, expect=FINDING)
        self.assertEqual(self.verdict_of_reports(), "finding")
        self.mazurka("replay", "nowhere.schedule", *self.REPORTS, expect=ERROR)
        self.assertEqual(self.verdict_of_reports(), "error")

    def test_a_run_that_is_killed_leaves_no_green_report(self):
        self.mazurka("check", "counter.c", *self.REPORTS, expect=VERIFIED)
        self.write("endless.c", ENDLESS_SEARCH)
        process = self.start("check", "endless.c", *self.REPORTS)
        self.wait_for(lambda: "not come to its end" in (self.folder / "r.sarif").read_text(),
                      "a report for the case that it is killed")
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertEqual(self.verdict_of_reports(), "error")
        self.assertIn("not come to its end", (self.folder / "r.xml").read_text())

    def test_what_is_checked_is_not_overwritten(self):
        for options in (["--json", "counter.c"], ["--junit", "./counter.c"], ["--save", "counter.c"]):
            self.mazurka("check", "counter.c", *options, expect=ERROR)
            self.assertEqual((self.folder / "counter.c").read_text(), COUNTER)
        self.mazurka("check", "--max-tine", "1s", "counter.c", "--json", "counter.c", expect=ERROR)
        self.assertEqual((self.folder / "counter.c").read_text(), COUNTER)
        self.mazurka("check", "counter.c", "--json", "x", "--sarif", "./x", expect=ERROR)

    def test_a_link_leads_to_the_same_file_as_before(self):
        self.write("real.json", "")
        (self.folder / "real.json").chmod(0o640)
        (self.folder / "link.json").symlink_to("real.json")
        self.mazurka("check", "counter.c", "--json", "link.json", expect=VERIFIED)
        self.assertTrue((self.folder / "link.json").is_symlink())
        self.assertIn("verified", (self.folder / "real.json").read_text())
        self.assertEqual(stat.S_IMODE((self.folder / "real.json").stat().st_mode), 0o640)
        self.assertEqual([f for f in os.listdir(self.folder) if ".new" in f], [])


    def test_standard_output_by_its_name(self):
        done = self.run_command(
            ["sh", "-c", f"'{MAZURKA}' check counter.c --json /dev/stdout > all.txt"]
        )
        self.assertEqual(done.returncode, VERIFIED, done.stderr)
        text = (self.folder / "all.txt").read_text()
        self.assertIn("VERIFIED", text)
        self.assertEqual(text.count("schema_version"), 1)


class Saving(Folder):
    PROGRAM = ["racers.c", "-DPROCESSES=3", "-DSTEPS=2"]

    def setUp(self):
        super().setUp()
        self.write("racers.c", RACERS)

    def cut(self, *options, **variables):
        """A search that is cut; the command that goes on with it."""
        done = self.mazurka(
            "check", *self.PROGRAM, "--max-executions", 20, *options, expect=INCONCLUSIVE, **variables
        )
        lines = [line for line in done.stdout.splitlines() if "resume:" in line]
        return (shlex.split(lines[0].split("resume:")[1]) if lines else None), done

    def executions(self, command):
        done = self.run_command([*command, "--json", "-"])
        self.assertEqual(done.returncode, VERIFIED, done.stdout + done.stderr)
        return json.loads(done.stdout)["executions"]

    def test_runs_do_not_overwrite_each_other(self):
        whole = self.executions([MAZURKA, "check", *self.PROGRAM])
        all_of_them = self.executions([MAZURKA, "check", *self.PROGRAM, "--technique", "exhaustive"])
        first, _ = self.cut()
        other, _ = self.cut("--technique", "exhaustive")
        again, _ = self.cut()
        self.assertEqual(len({first[-1], other[-1], again[-1]}), 3)
        self.assertEqual(len(self.kept(".exploration")), 3)
        self.assertEqual(self.executions(other), all_of_them)
        self.assertEqual(self.executions(first), whole)
        self.assertEqual(self.executions(again), whole)
        self.assertEqual(self.kept(".exploration"), [])
        self.assertEqual(self.kept(".lock"), [])

    def test_they_do_not_pile_up(self):
        for _ in range(11):
            self.cut()
        self.assertEqual(len(self.kept(".exploration")), 9)

    def test_two_at_once_do_not_save_in_one_file(self):
        self.write("endless.c", ENDLESS_SEARCH)
        self.start("check", "endless.c", "--save", "x.exploration", "--save-every", "0.1s")
        self.wait_for((self.folder / "x.exploration").exists, "the exploration is saved")
        busy = self.mazurka("check", *self.PROGRAM, "--save", "x.exploration", expect=ERROR)
        self.assertIn("another run", busy.stderr)
        busy = self.mazurka("check", "--resume", "x.exploration", expect=ERROR)
        self.assertIn("another run", busy.stderr)

    def test_a_save_that_fails_is_told(self):
        self.write("endless.c", ENDLESS_SEARCH)
        out = self.folder / "out"
        out.mkdir()
        process = self.start(
            "check", "endless.c", "--save", "out/x", "--save-every", "0.1s", "--json", "r.json",
        )  # fmt: skip
        self.wait_for((out / "x").exists, "the exploration is saved")
        while out.exists():
            shutil.rmtree(out, ignore_errors=True)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60 * PATIENCE), INCONCLUSIVE)
        report = json.loads((self.folder / "r.json").read_text())
        self.assertIn("could not be saved", " ".join(report["notes"]))
        self.assertEqual(report["resume_command"], "")

    def test_a_folder_that_vanishes_before_the_search_is_told(self):
        (self.folder / "out").mkdir()
        done = self.mazurka(
            "check", *self.PROGRAM, "--save", "out/x", expect=ERROR,
            MAZURKA_CC=self.compiler_that_removes("out"),
        )  # fmt: skip
        self.assertIn("out/x", done.stderr)

    def test_what_is_something_else_is_not_overwritten(self):
        self.write("diary", "dear diary")
        done = self.mazurka("check", *self.PROGRAM, "--save", "diary", expect=ERROR)
        self.assertIn("would be lost", done.stderr)
        self.assertEqual((self.folder / "diary").read_text(), "dear diary")
        self.mazurka("check", *self.PROGRAM, "--save", "/dev/full", expect=ERROR)
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode))

    def test_goes_on_when_the_binary_was_removed(self):
        for compiler in ("gcc", "clang"):
            if shutil.which(compiler) is None:
                continue
            how = [*self.PROGRAM, "--compiler", compiler]
            whole = self.executions([MAZURKA, "check", *how])
            command, _ = self.cut("--compiler", compiler)
            for file in (self.folder / ".mazurka").glob("racers-????????"):
                file.unlink()
            self.assertEqual(self.executions(command), whole)
            # From the folder above, too.
            command, _ = self.cut("--compiler", compiler)
            for file in (self.folder / ".mazurka").glob("racers-????????"):
                file.unlink()
            here = self.folder
            self.folder = here.parent
            try:
                self.assertEqual(
                    self.executions([*command[:-1], Path(here.name) / command[-1]]), whole
                )
            finally:
                self.folder = here


class Strangers(Folder):
    """What a file that somebody else wrote can make us do."""

    def refused(self, data, saying, *arguments, name="foreign.schedule"):
        self.write(name, json.dumps(data))
        marker = self.folder / "marker"
        done = self.mazurka("replay", name, *arguments)
        self.assertFalse(marker.exists(), "its command was run")
        self.assertEqual(done.returncode, ERROR, done.stdout)
        self.assertRegex(done.stderr, saying)

    def test_a_binary_elsewhere_has_to_be_named(self):
        file, data = self.schedule()
        with_folder = Folder("setUp")
        with_folder.setUp()
        self.addCleanup(with_folder.doCleanups)
        (binary,) = [f for f in (self.folder / ".mazurka").iterdir() if f.suffix == ""]
        elsewhere = with_folder.folder / "program"
        shutil.copy(binary, elsewhere)
        data["binary"] = str(elsewhere)
        self.refused(data, f"{elsewhere}.* outside")
        self.mazurka("replay", "foreign.schedule", elsewhere, expect=FINDING)
        # A link does not help.
        (self.folder / "near").symlink_to(elsewhere)
        data["binary"] = "near"
        self.refused(data, "outside")
        # And a finding in such a program comes with a command that names it.
        done = self.mazurka("check", elsewhere, expect=FINDING)
        (line,) = [line for line in done.stdout.splitlines() if "replay:" in line]
        again = self.run_command(shlex.split(line.split("replay:")[1]))
        self.assertEqual(again.returncode, FINDING, again.stderr)

    def test_a_binary_that_others_could_have_made_is_not_run(self):
        file, data = self.schedule()
        binary = self.folder / data["binary"]
        mode = binary.stat().st_mode
        binary.chmod(mode | stat.S_IWOTH)
        self.refused(data, "written by everybody")
        binary.chmod(mode)
        if os.geteuid() == 0:
            os.chown(binary, NOBODY, -1)
            self.refused(data, "belongs to the user")
            os.chown(binary, 0, -1)
        self.mazurka("replay", file, expect=FINDING)

    def test_it_is_said_what_is_run(self):
        file, data = self.schedule()
        done = self.mazurka("replay", file, expect=FINDING)
        self.assertIn(data["binary"], done.stderr)

    def test_flags_that_run_something_are_refused(self):
        file, data = self.schedule()
        (self.folder / data["binary"]).unlink()
        self.script("evil", "touch marker\n")
        self.write("flags", "-DRACE")
        for flags in (
            ["-wrapper", f"{self.folder}/evil"],
            ["-B", f"{self.folder}/"],
            [f"-B{self.folder}/"],
            ["-fplugin=./evil.so"],
            ["-fmodule-mapper=|./evil"],
            ["-fuse-ld=./evil"],
            ["-specs=evil"],
            ["-Wl,--dynamic-linker=./evil"],
            ["-Wp,-x"],
            ["-Xclang", "-load"],
            ["-Xlinker", "-x"],
            ["-T", "evil"],
            ["-o", "counter.c"],
            ["@flags"],
            ["-l:evil.so"],
            ["-l/evil.so"],
            ["-include", "evil"],
            ["/etc/passwd.c"],
            ["-I"],
        ):
            self.refused({**data, "flags": ["-DRACE", *flags]}, "flags")
        self.refused({**data, "source": "@flags.c"}, ".")
        self.refused({**data, "compiler": "./evil"}, "no such compiler")
        everybody = self.folder / "everybody"
        everybody.mkdir()
        everybody.chmod(0o777)
        for flags in (["-Ieverybody"], ["-isystem", "everybody"], ["-Leverybody"], ["-I/tmp/no-such"]):
            self.refused({**data, "flags": ["-DRACE", *flags]}, "everybody")

    def test_usual_flags_are_taken(self):
        (self.folder / "include").mkdir()
        flags = ["-DRACE", "-D", "X=1", "-Iinclude", "-O1", "-g3", "-std=gnu17", "-Wall", "-lm",
                 "-fno-inline", "-pthread", "-isystem", "/usr/include"]  # fmt: skip
        self.mazurka("check", "counter.c", "--", *flags, expect=FINDING)
        (file,) = self.kept(".schedule")
        (self.folder / json.loads(file.read_text())["binary"]).unlink()
        self.mazurka("replay", file, expect=FINDING)

    def test_an_exploration_is_a_file_like_that(self):
        self.write("racers.c", RACERS)
        self.mazurka(
            "check", "racers.c", "-DPROCESSES=3", "-DSTEPS=2", "--max-executions", 20,
            expect=INCONCLUSIVE,
        )  # fmt: skip
        (file,) = self.kept(".exploration")
        content = file.read_bytes()[:-8]
        size = int.from_bytes(content[8:16], "little")
        about = json.loads(content[16 : 16 + size])
        (self.folder / about["program"]["binary"]).unlink()
        self.script("evil", "touch marker\n")
        about["program"]["flags"] += ["-wrapper", f"{self.folder}/evil"]
        text = json.dumps(about).encode()
        content = content[:8] + len(text).to_bytes(8, "little") + text + content[16 + size :]
        checksum = 0xCBF29CE484222325
        for byte in content:
            checksum = ((checksum ^ byte) * 0x100000001B3) % 2**64
        file.write_bytes(content + checksum.to_bytes(8, "little"))
        done = self.mazurka("check", "--resume", file, expect=ERROR)
        self.assertIn("-wrapper", done.stderr)
        self.assertFalse((self.folder / "marker").exists())


class OtherUsers(Folder):
    """Folders in a temporary directory that everybody can write to."""

    def setUp(self):
        super().setUp()
        self.write(".mazurka", "a file, so that the temporary directory is used")
        self.tmp = self.folder / "tmp"
        self.tmp.mkdir()
        self.tmp.chmod(0o1777)
        self.own = self.tmp / f"mazurka-{os.geteuid()}"

    def check(self, expect):
        return self.mazurka("check", "counter.c", TMPDIR=str(self.tmp), expect=expect)

    def test_the_folder_is_private(self):
        self.check(VERIFIED)
        self.assertEqual(stat.S_IMODE(self.own.stat().st_mode), 0o700)

    def test_a_folder_that_somebody_else_made_is_not_used(self):
        (self.folder / "planted").mkdir()
        self.own.symlink_to(self.folder / "planted")
        self.assertIn("is not a folder", self.check(ERROR).stderr)
        self.assertEqual(list((self.folder / "planted").iterdir()), [])
        self.own.unlink()
        self.own.mkdir()
        self.own.chmod(0o777)
        self.assertIn("written by others", self.check(ERROR).stderr)
        self.assertEqual(list(self.own.iterdir()), [])
        if os.geteuid() == 0:
            self.own.chmod(0o755)
            os.chown(self.own, NOBODY, -1)
            self.assertIn("belongs to the user", self.check(ERROR).stderr)

    def test_dot_mazurka_of_somebody_else_is_not_used(self):
        here = self.folder / ".mazurka"
        here.unlink()
        here.mkdir()
        here.chmod(0o777)
        self.check(VERIFIED)
        self.assertEqual(list(here.iterdir()), [])
        self.assertTrue(self.own.is_dir())

    def test_headers_that_somebody_else_made_are_not_compiled(self):
        """An installation that its user can not write to, and a planted folder of headers."""
        self.folder.chmod(0o755)
        user = NOBODY if os.geteuid() == 0 else os.geteuid()
        installed = self.folder / "installed"
        build = MAZURKA.parents[1]
        (installed / "bin").mkdir(parents=True)
        shutil.copy(build / "bin/mazurka-c++", installed / "bin")
        (installed / "lib").symlink_to(build / "lib")
        (installed / "include").symlink_to(build / "include")
        shutil.copytree(build / "share/mazurka", installed / "share/mazurka")
        shutil.rmtree(installed / "share/mazurka/headers", ignore_errors=True)
        (installed / "share/mazurka").chmod(0o555)
        planted = self.tmp / f"mazurka-headers-{user}"
        planted.mkdir()
        planted.chmod(0o777)
        self.write("empty.cpp", "int main() {}\n")
        (self.folder / "out").mkdir()
        (self.folder / "out").chmod(0o777)

        def compile_it():
            return subprocess.run(
                [installed / "bin/mazurka-c++", "empty.cpp", "-c", "-o", "out/empty.o"],
                cwd=self.folder, env={**self.environment, "TMPDIR": str(self.tmp)}, user=user,
                capture_output=True, text=True,
            )  # fmt: skip

        done = compile_it()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("mazurka-headers", done.stderr)
        planted.rmdir()
        done = compile_it()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(stat.S_IMODE(planted.stat().st_mode), 0o700)


class Texts(Folder):
    """What a program calls its things reaches neither the terminal nor a shell as a command."""

    HOSTILE = r"""
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
_Atomic char c = 27;
static void *work(void *argument) {
  pthread_setname_np(pthread_self(), "\033[31mEV\n<&");
  atomic_store(&c, 7);
  return argument;
}
extern void __assert_fail(const char *, const char *, unsigned, const char *)
    __attribute__((noreturn));
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
  if (atomic_load(&c) == 7)
    __assert_fail("\033]0;title\007 \xff\x9b \xc2\x9b <&\"]]>", __FILE__, __LINE__, "f\033[2Jg");
}
"""

    def assert_harmless(self, text):
        commands = [c for c in text if (c < " " and c != "\n") or "\x7f" <= c < "\xa0"]
        self.assertEqual(commands, [], text)

    def test_no_control_character_is_shown(self):
        # The source's name is hostile as well: a blank, a quote, a shell's sign, an escape.
        name = "it's $(touch marker) \x1b[41m.c"
        self.write(name, self.HOSTILE)
        reports = ["--json", "r.json", "--junit", "r.xml", "--sarif", "r.sarif"]
        done = self.mazurka("check", f"./{name}", "--stacks", *reports, expect=FINDING)
        self.assert_harmless(done.stdout + done.stderr)
        self.assertIn("\\x1b]0;title\\x07", done.stdout)
        ElementTree.parse(self.folder / "r.xml")
        sarif = (self.folder / "r.sarif").read_text()
        uris = {
            place["location"]["physicalLocation"]["artifactLocation"]["uri"]
            for place in json.loads(sarif)["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
        }
        self.assertEqual(uris, {"it%27s%20%24%28touch%20marker%29%20%1B%5B41m.c"})
        report = json.loads((self.folder / "r.json").read_text())
        self.assertTrue(report["statistics"]["digest"].isdigit())
        # The command can be pasted.
        (line,) = [line for line in done.stdout.splitlines() if "replay:" in line]
        for command in (line.split("replay:")[1], report["findings"][0]["replay"]):
            again = self.run_command(["bash", "-c", command])
            self.assertEqual(again.returncode, FINDING, again.stdout + again.stderr)
            self.assert_harmless(again.stdout + again.stderr)
        self.assertFalse((self.folder / "marker").exists())

    def test_nor_in_messages_about_files(self):
        for arguments in (
            ["check", "no\x1b[41m.c"],
            ["replay", "no\x1b[41m.schedule"],
            ["check", "no\x1b[41m.tck"],
            ["check", "counter.c", "--technique", "\x1b[41m"],
            ["check", "counter.c", "--json", "no\x1b/x"],
            ["check", "counter.c", "--max-time", "\x1b[41m"],
            ["check", "--resume", "no\x1b[41m"],
        ):
            done = self.mazurka(*arguments, expect=ERROR)
            self.assert_harmless(done.stdout + done.stderr)
            self.assertIn("\\x1b", done.stderr)

    def test_a_folder_with_a_blank(self):
        program = self.folder / "my tests"
        program.mkdir()
        shutil.copy(self.folder / "counter.c", program)
        self.folder = program
        done = self.mazurka("check", "counter.c", "-DRACE", expect=FINDING)
        (line,) = [line for line in done.stdout.splitlines() if "replay:" in line]
        self.assertEqual(self.run_command(["bash", "-c", line.split("replay:")[1]]).returncode, FINDING)
        done = self.mazurka("replay", self.kept(".schedule")[0], "--gdb", "--print", expect=0)
        self.run_command(["bash", "-n", "-c", done.stdout])


class Compiled(Folder):
    """A program is compiled again if, and only if, that could make another one of it."""

    def setUp(self):
        super().setUp()
        (self.folder / "sub").mkdir()
        self.write("sub/bound.h", "#define BOUND 2\n")
        self.write("program.c", PROGRAM_WITH_HEADER)
        for file in ("program.c", "sub/bound.h"):  # not written while it is compiled
            os.utime(self.folder / file, (0, 0))
        log = shlex.quote(str(self.folder / "log.txt"))
        compiler = self.script("gcc", f'case "$*" in *-lmazurka*) echo x >> {log} ;; esac\nexec /usr/bin/gcc "$@"\n')
        self.environment["MAZURKA_CC"] = str(compiler)

    def times_compiled(self, *flags, expect=VERIFIED):
        log = self.folder / "log.txt"
        log.write_text("")
        self.mazurka("check", "program.c", "-Isub", *flags, expect=expect)
        return len(log.read_text().split())

    def test_what_is_as_it_was_is_compiled_once(self):
        self.assertEqual(self.times_compiled(), 1)
        self.assertEqual(self.times_compiled(), 0)
        self.write("report.json", "{}")
        self.assertEqual(self.times_compiled(), 0)

    def test_what_has_changed_is_compiled(self):
        self.times_compiled()
        self.write("sub/bound.h", "#define BOUND 3\n")
        self.assertEqual(self.times_compiled(expect=FINDING), 1)
        os.utime(self.folder / "sub/bound.h", (0, 0))
        self.times_compiled(expect=FINDING)
        self.write("bound.h", "#define BOUND 2\n")  # found before the one in sub
        self.assertEqual(self.times_compiled(expect=VERIFIED), 1)

    def test_other_flags_and_variables_make_another_program(self):
        self.times_compiled()
        self.assertEqual(self.times_compiled("-DBOUND=3", expect=FINDING), 1)
        self.environment["CPATH"] = str(self.folder)
        self.assertEqual(self.times_compiled(), 1)

    def test_warnings_are_shown_again(self):
        self.write("program.c", "#warning look here\n" + PROGRAM_WITH_HEADER)
        for _ in range(2):
            done = self.mazurka("check", "program.c", "-Isub", expect=VERIFIED)
            self.assertIn("look here", done.stderr)

    def test_libraries_may_have_changed(self):
        self.assertEqual(self.times_compiled("-lm"), 1)
        self.assertEqual(self.times_compiled("-lm"), 1)

    def test_a_program_that_was_replaced_is_compiled(self):
        self.times_compiled()
        (binary,) = [file for file in self.kept("") if not file.suffix]
        shutil.copy("/bin/true", binary)
        self.assertEqual(self.times_compiled(), 1)


if __name__ == "__main__":
    unittest.main()
