#!/usr/bin/env python3
"""Mazurka in projects of others: installed and found by them, or taken in with FetchContent."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def run(*words, cwd=None, env=None, timeout=500):
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    return done.returncode, done.stdout + done.stderr


def must(*words, **more):
    code, output = run(*words, **more)
    if code != 0:
        sys.exit(f"{' '.join(map(str, words))} failed:\n{output}")
    return output


def expect(condition, what, output):
    if not condition:
        sys.exit(f"{what}\n{output}")


def line_of(output, test):
    return next((l for l in output.splitlines() if f" {test} " in l and "Test " in l), "")


def install(arguments, folder):
    prefix = folder / "prefix"
    must("cmake", "--install", arguments.build, "--prefix", prefix)
    return prefix


def gtest(arguments, folder):
    """find_package in a fresh folder; pkg-config; what else is installed."""
    prefix, build, example = install(arguments, folder), folder / "build", arguments.source / "examples/gtest"
    for file in ("bin/mazurka", "bin/mazurka-c++", "share/man/man1/mazurka.1",
                 "share/bash-completion/completions/mazurka",
                 "share/zsh/site-functions/_mazurka", "include/mazurka/gtest.hpp"):
        expect((prefix / file).exists(), f"{file} is not installed", "")

    must("cmake", "-S", example, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}")
    must("cmake", "--build", build)
    code, output = run("ctest", "--test-dir", build, "--output-on-failure")
    expect(code != 0, "the broken tests should fail", output)
    for passing in ("Plain.IsNotChecked", "Stack.OneOfTwoGetsTheValue",
                    "Function.CanBeCheckedAnywhere", "counter"):
        expect("Passed" in line_of(output, passing), f"{passing} should pass", output)
    for failing in ("BrokenStack.OneOfTwoGetsTheValue", "Stack.TheLastPushIsPoppedFirst"):
        expect("Failed" in line_of(output, failing), f"{failing} should fail", output)
    expect("2 tests failed" in output, "two tests should fail", output)
    # The message is the table, with the place and the command that replays it.
    expect("expectation fails" in output, "the failed expectation is not shown", output)
    expect("stack.hpp:" in output, "the table shows no places", output)
    expect("replay: " in output, "there is no replay command", output)

    command = next(l for l in output.splitlines() if "replay: " in l).split("replay: ")[1]
    code, output = run(*command.split(), cwd=build)
    expect(code == 1, "the replay command does not reproduce the finding", output)

    pc = next(prefix.rglob("mazurka.pc")).parent
    flags = must("pkg-config", "--cflags", "--libs", "mazurka", env={"PKG_CONFIG_PATH": str(pc)})
    must("g++", "-std=c++20", example / "counter.cpp", "-o", build / "by_hand", *flags.split())
    must(prefix / "bin/mazurka", "check", build / "by_hand", cwd=build)


def catch2(arguments, folder):
    prefix, build = install(arguments, folder), folder / "build"
    must("cmake", "-S", arguments.source / "examples/catch2", "-B", build,
         f"-DCMAKE_PREFIX_PATH={prefix}")
    must("cmake", "--build", build)
    code, output = run("ctest", "--test-dir", build, "--output-on-failure")
    for passing in ("Plain.IsNotChecked", "Gate.LetsEverybodyThrough"):
        expect("Passed" in line_of(output, passing), f"{passing} should pass", output)
    expect("Failed" in line_of(output, "Turnstile.LetsOneThrough"), "the broken one should fail", output)
    expect("latch_tests.cpp:" in output and "replay: " in output, "there is no table", output)


FETCHING = """
cmake_minimum_required(VERSION 3.25)
project(fetching LANGUAGES C CXX)
set(CMAKE_CXX_STANDARD 20)
enable_testing()
include(FetchContent)
FetchContent_Declare(mazurka SOURCE_DIR "@SOURCE@")
FetchContent_MakeAvailable(mazurka)
mazurka_add_check(counter SOURCES "@SOURCE@/examples/gtest/counter.cpp" OPTIONS --technique source)
add_executable(linked "@SOURCE@/examples/gtest/counter.cpp")
target_link_libraries(linked PRIVATE mazurka::threads)
"""


def fetch(arguments, folder):
    """A project that takes Mazurka in: it gets the targets, and none of our tests and installations."""
    build = folder / "build"
    (folder / "CMakeLists.txt").write_text(FETCHING.replace("@SOURCE@", str(arguments.source)))
    launchers = [f"-DCMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX")]
    ccache = launchers if shutil.which("ccache") else []
    must("cmake", "-S", folder, "-B", build, "-G", "Ninja", *ccache)
    tests = must("ctest", "--test-dir", build, "-N")
    expect("Total Tests: 1\n" in tests, "our own tests are among the project's", tests)
    targets = must("ninja", "-C", build, "-t", "targets", "all")
    expect("_test:" not in targets, "our own tests are built", targets)
    must("cmake", "--install", build, "--prefix", folder / "prefix")
    installed = list((folder / "prefix").rglob("*"))
    expect(not installed, "the project installs our files", str(installed))
    if arguments.whole:
        must("cmake", "--build", build, "-j", "2", timeout=3000)
        must("ctest", "--test-dir", build, "--output-on-failure")


def main():
    parts = {"gtest": gtest, "catch2": catch2, "fetch": fetch}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=parts)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--whole", action="store_true", help="fetch: builds it too (minutes)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mazurka-install-") as name:
        parts[arguments.part](arguments, Path(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
