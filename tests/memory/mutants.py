#!/usr/bin/env python3
"""The tests of memory models notice wrong rules.

Each mutant is the runtime with one rule changed, in a copy of one source. Random programs are explored with
it and compared with all their execution graphs (sweep.cpp), which must fail. The same programs must pass with the
source as it is.

    mutants.py --build build                all of them, a minute or less for each
    mutants.py --build build --only psc     those whose names contain that
"""

import argparse
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

FOLDER = "src/programs/threads/runtime/memory_model/"

# Name, source, model in which it shows, what stands there, and what stands there instead.
MUTANTS = (
    ("nothing is judged", "weak_memory.cpp", "rc11",
     "if (newest || judge_.allows(", "if (newest || true || judge_.allows("),
    ("psc is not judged", "access_graph.cpp", "rc11", "graph.strong < 2", "true"),
    ("psc without fr and mo", "access_graph.cpp", "rc11",
     "if (is_written_before(one, other) || is_read_before(one, other)) return true;\n  if (same_place(one, other) && happens",
     "if (same_place(one, other) && happens"),
    ("psc without fences before others", "access_graph.cpp", "rc11",
     "const bool after = fence &&", "const bool after = false && fence &&"),
    ("psc without fences after others", "access_graph.cpp", "rc11",
     "if ((*events_)[target].fence) {", "if (false) {"),
    ("tso orders no strong write", "access_graph.cpp", "tso", "!earlier.reads && !earlier.strong &&", "!earlier.reads &&"),
    ("tso knows no barriers but fences", "access_graph.cpp", "tso",
     " || (between.reads && between.writes)", ""),
    ("tso knows no fences", "access_graph.cpp", "tso", "(between.fence && between.strong) || ", ""),
    ("tso keeps all in order", "access_graph.cpp", "tso", "if (!overtakes) return true;", "return true;"),
    ("an update is divisible", "weak_memory.cpp", "rc11", "&& !history.is_updated(position)", ""),
    ("updates end what was released", "weak_memory.cpp", "rc11",
     "if (result.reads) message.released.join(", "if (false) message.released.join("),
    ("updates release for others", "weak_memory.cpp", "rc11",
     "message.released.assign(releases(order) ?", "message.released.assign(releases(order) || result.reads ?"),
    ("relaxed reads acquire", "weak_memory.cpp", "rc11",
     "(acquires(order) ? knowledge.now :", "(true ? knowledge.now :"),
    ("no read acquires", "weak_memory.cpp", "rc11",
     "(acquires(order) ? knowledge.now :", "(false ? knowledge.now :"),
    ("a failing exchange has the order of success", "weak_memory.cpp", "rc11",
     "in_model(fails ? operation.failure_order : operation.order)", "in_model(operation.order)"),
    ("all that can be overtaken is left out", "weak_memory.cpp", "rc11",
     "if (state_.past.precedes(latest.process, latest.step, self().id)) return false;", ""),
    ("writes are never put in front", "weak_memory.cpp", "rc11",
     "const bool as_write = as_read || ", "const bool as_write = false && "),
    ("fences do nothing", "weak_memory.cpp", "rc11",
     "perform_fence(order, self().id, self().knowledge);\n}", "}"),
    ("strong fences are not in the graph", "weak_memory.cpp", "rc11",
     "if (order == MemoryOrder::sequentially_consistent && !alone()) {", "if (false) {"),
    ("ra is rc11", "weak_memory.cpp", "ra", "case MemoryModel::ra: return MemoryOrder::acquire_release;",
     "case MemoryModel::ra: return order;"),
    ("tso has relaxed operations", "weak_memory.cpp", "tso",
     "return order == MemoryOrder::sequentially_consistent ? order : MemoryOrder::acquire_release;", "return order;"),
)


class Build:
    """What compiles one source of the runtime and links it, as the build does."""

    def __init__(self, folder):
        self.folder = folder.resolve()
        self.source = pathlib.Path(__file__).resolve().parents[2]
        commands = {}
        for line in subprocess.run(["ninja", "-C", self.folder, "-t", "commands", "lib/libmazurka-threads.so"],
                                   check=True, capture_output=True, text=True).stdout.splitlines():
            for name in {mutant[1] for mutant in MUTANTS}:
                if line.endswith(f"/{FOLDER}{name}"):
                    commands[name] = line
            if "-o lib/libmazurka-threads.so" in line:
                self.link = line
        self.compile = commands

    def make(self, name, text, folder):
        """The tools, in a folder of their own, with a runtime of which one source has another text."""
        shutil.copytree(self.folder / "share", folder / "share")
        (folder / "bin").mkdir()
        (folder / "lib").mkdir()
        for tool in ("mazurka", "mazurka-cc", "mazurka-memory-sweep"):
            shutil.copy2(self.folder / "bin" / tool, folder / "bin" / tool)
        (folder / "include").symlink_to(self.source / "include")
        changed, compiled = folder / name, folder / (name + ".o")
        changed.write_text(text)
        words = shlex.split(self.compile[name])
        object_file = words[words.index("-o") + 1]
        words[words.index("-o") + 1], words[-1] = str(compiled), str(changed)
        for flag in ("-MF", "-MT"):
            words[words.index(flag) + 1] = str(compiled) + ".d"
        subprocess.run([word for word in words if word != "ccache"], cwd=self.folder, check=True)
        library = folder / "lib" / "libmazurka-threads.so"
        link = self.link.replace("-o lib/libmazurka-threads.so", f"-o {library}").replace(object_file, str(compiled))
        subprocess.run(link, shell=True, cwd=self.folder, check=True)


def sweep(folder, model, programs):
    done = subprocess.run([folder / "bin" / "mazurka-memory-sweep", "--model", model, "--technique", "optimal",
                           "--programs", str(programs), "--seed", "70000", "--tools", folder / "bin"],
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.strip().splitlines()[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="", help="mutants whose names contain this")
    parser.add_argument("--programs", type=int, default=600, help="random programs for each")
    options = parser.parse_args()
    build = Build(options.build)
    wrong = []
    chosen = [mutant for mutant in MUTANTS if options.only in mutant[0]]
    for model in sorted({mutant[2] for mutant in chosen}):
        code, said = sweep(build.folder, model, options.programs)
        print(f"as it is, {model}: {said}", flush=True)
        if code != 0:
            wrong.append(f"as it is, {model}: {said}")
    for title, name, model, there, instead in chosen:
        text = (build.source / FOLDER / name).read_text()
        if text.count(there) != 1:
            wrong.append(f"{title}: what it changes is there {text.count(there)} times, not once")
            continue
        with tempfile.TemporaryDirectory(prefix="mazurka-mutant-") as folder:
            build.make(name, text.replace(there, instead), pathlib.Path(folder))
            code, said = sweep(pathlib.Path(folder), model, options.programs)
        print(f"{title}: {'noticed' if code == 1 else 'NOT NOTICED'} ({model}: {said})", flush=True)
        if code != 1:
            wrong.append(f"{title}: not noticed")
    print("\n".join(wrong))
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
