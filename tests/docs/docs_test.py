"""What the documentation shows is true: its programs compile, its commands end as it says.

A mark, which readers do not see, stands in a line before a block:

    <!-- test: program NAME -->       a complete program; later blocks may check it by that name
    <!-- test: compiles -->           a source file of Mazurka itself
    <!-- test: row -->                its row in a table (tests/contributing adds it), and
    <!-- test: format -->, <!-- test: format_row -->      the same for a form of report
    <!-- test: kind -->, <!-- test: kind_row -->          and for a kind of program
    <!-- test: exits CODE... -->      a block of commands, and the exit code of each
    <!-- test: shows -->              what the command before it prints

Every command of the checker in any block, marked or not, must at least be understood. With --update
in place of a test, the blocks that are shown are written anew.
"""

import re
import shlex
import shutil
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from calling import SOURCE, InFolder  # noqa: E402

PAGES = sorted([SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *SOURCE.glob("docs/*.md"),
                *SOURCE.glob("examples/*/README.md")])
ADDITIONS = {"row", "format", "format_row", "kind", "kind_row", "primitive"}  # of tests/contributing
MARK = re.compile(r"^<!-- test: (.*) -->$")
COMMAND = "(?:check|replay|techniques|generate|convert|manual|version)"


class Block:
    def __init__(self, page, mark, begin, end, indent, lines):
        self.page, self.mark, self.begin, self.end = page, mark, begin, end
        self.indent = indent
        self.lines = [line[indent:] for line in lines]

    def __str__(self):
        return f"{self.page.relative_to(SOURCE)}:{self.begin + 1}"

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    def commands(self):
        """The command lines in it that call the checker, without comments."""
        for line in self.lines:
            # What stands apart behind a command explains it.
            line = re.split(r"\s{3,}|\s+#\s", line)[0]
            if re.match(rf"(\./dev (mazurka )?|mazurka ){COMMAND}\b", line):
                yield line


def blocks(page):
    """Fenced and indented blocks, each with the mark before it or None."""
    lines = page.read_text().splitlines()
    mark, at = None, 0
    while at < len(lines):
        line = lines[at]
        if MARK.match(line):
            mark = MARK.match(line).group(1)
        elif line.startswith("```"):
            end = at + 1
            while lines[end] != "```":
                end += 1
            yield Block(page, mark, at + 1, end, 0, lines[at + 1:end])
            mark, at = None, end
        elif line.startswith("    ") and (at == 0 or not lines[at - 1].strip()):
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            while not lines[end - 1].strip():
                end -= 1
            yield Block(page, mark, at, end, 4, lines[at:end])
            mark, at = None, end - 1
        elif line.strip():
            if mark is not None:
                raise ValueError(f"{page}:{at + 1}: a mark without a block")
        at += 1


def words_of(command):
    """The command as the test calls it: the checker and its arguments."""
    words = shlex.split(command)
    if words[:2] == ["./dev", "mazurka"]:
        return words[2:]
    return words[1:]


def settled(text):
    """Without what differs from one run to the next."""
    text = re.sub(r"\d+\.\d\d s\)", "0.00 s)", text)
    text = re.sub(r"-[0-9a-f]{8}-\d+\.schedule|-\.\.\.\.schedule", "-....schedule", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines()) + "\n"


class Documentation(InFolder):
    def setUp(self):
        super().setUp()
        shutil.copytree(SOURCE / "examples", self.folder / "examples",
                        ignore=shutil.ignore_patterns("build", ".mazurka"))
        self.environment.pop("MAZURKA_OPTIONS", None)
        self.environment.update(MAZURKA_COMMAND="./dev", LC_ALL="C.UTF-8")

    def marked(self):
        for page in PAGES:
            for block in blocks(page):
                if block.mark:
                    yield block


class Programs(Documentation):
    def test_programs_and_commands(self):
        seen = set()
        last = None
        for block in self.marked():
            what, *words = block.mark.split()
            seen.add(what)
            with self.subTest(str(block)):
                if what == "program":
                    self.write(words[0], block.text)
                elif what == "exits":
                    last = self.run_all(block, [int(code) for code in words])
                elif what == "shows":
                    self.assertEqual(settled(last), settled(block.text))
                elif what == "compiles":
                    self.compiles(block)
                elif what in ADDITIONS:
                    continue
                else:
                    self.fail(f"there is no mark '{what}'")
        self.assertEqual(seen, {"program", "exits", "shows", "compiles", *ADDITIONS})

    def run_all(self, block, codes):
        commands = list(block.commands())
        self.assertEqual(len(commands), len(codes), "one exit code for each command")
        for command, code in zip(commands, codes):
            done = self.mazurka(*words_of(command), expect=code)
        return done.stdout

    def compiles(self, block):
        self.write("shown.cpp", block.text)
        done = self.run_command(["c++", "-std=c++20", "-fsyntax-only", "-Wall", f"-I{SOURCE}/src",
                                 f"-I{SOURCE}/include", "shown.cpp"])
        self.assertEqual(done.returncode, 0, done.stderr)


class Commands(Documentation):
    def test_every_command_is_understood(self):
        """What is wrong with the command line itself is told with a pointer to the help."""
        commands = 0
        for page in PAGES:
            text = page.read_text()
            shown = [(str(block), command) for block in blocks(page)
                     for command in block.commands()]
            shown += [(page.name, words) for words in re.findall(
                rf"`((?:\./dev |mazurka ){COMMAND} [^`]*)`", text)]
            for place, command in shown:
                if "..." in command:
                    continue
                commands += 1
                with self.subTest(place, command=command):
                    # The technique that CONTRIBUTING.md shows how to write does not exist.
                    command = command.replace("FILE", "file").replace("every-order", "exhaustive")
                    words = words_of(command)
                    # Nothing is run: the program is not there.
                    words = [re.sub(r"^(?!-).*\.(c|cpp|tck)$", r"nowhere/file.\1", word)
                             for word in words]
                    done = self.mazurka(*words)
                    # In a sentence, what is checked may be left open.
                    if "missing" not in done.stderr and "is required" not in done.stderr:
                        self.assertNotIn("See: ", done.stderr, done.stderr)
        self.assertGreater(commands, 40)

    def test_every_option_is_documented_and_every_documented_option_exists(self):
        known = set()
        for command in ("check", "replay", "generate", "convert", "techniques"):
            help_text = self.mazurka(command, "--help", expect=0).stdout
            known |= set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", help_text, re.M))
        pages = "\n".join(page.read_text() for page in SOURCE.glob("docs/*.md"))
        documented = set(re.findall(r"--[a-z]+(?:-[a-z]+)*", pages))
        self.assertEqual(known - documented - {"--help"}, set(), "not documented")
        table = set()
        for page in ("guide.md", "automata.md", "actors.md"):
            for line in (SOURCE / "docs" / page).read_text().splitlines():
                if line.startswith("| `--"):
                    table |= set(re.findall(r"`(--[a-z-]+)", line.split("|")[1]))
        self.assertGreater(len(table), 30)
        self.assertEqual(table - known, set(), "there are no such options")


class Papers(unittest.TestCase):
    def test_every_counter_example_is_a_test(self):
        sources = "\n".join(source.read_text() for folder in ("src", "tests")
                            for source in (SOURCE / folder).rglob("*.test.cpp"))
        there = {f"{suite}.{name}" for suite, name in
                 re.findall(r"^TEST(?:_P|_F)?\((\w+), (\w+)\)", sources, re.M)}
        rows = [line for line in (SOURCE / "docs" / "papers.md").read_text().splitlines()
                if line.startswith("| ") and "---" not in line and "| test |" not in line]
        self.assertGreater(len(rows), 20)
        for row in rows:
            named = re.findall(r"`([A-Z]\w+\.[A-Z]\w+)`", row.rsplit("|", 2)[1])
            self.assertTrue(named, row)
            self.assertEqual(set(named) - there, set(), "there are no such tests")


def update():
    """Writes the blocks that are shown anew."""
    test = Programs("test_programs_and_commands")
    test.setUp()
    for page in PAGES:
        lines = page.read_text().splitlines()
        moved = 0
        last = None
        for block in blocks(page):
            what, *words = (block.mark or "none").split()
            if what == "program":
                test.write(words[0], block.text)
            elif what == "exits":
                last = test.run_all(block, [int(code) for code in words])
            elif what == "shows" and settled(last) != settled(block.text):
                shown = [(" " * block.indent + line).rstrip() for line in settled(last).splitlines()]
                lines[block.begin + moved:block.end + moved] = shown
                moved += len(shown) - (block.end - block.begin)
        page.write_text("\n".join(lines) + "\n")
    test.doCleanups()


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        update()
    else:
        unittest.main()
