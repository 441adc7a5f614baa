#!/usr/bin/env python3
"""How long a file and a function of src may be, and how many functions a class may have.

    limits.py --source FOLDER          what is beyond the limits, except where there is a reason
    limits.py --source FOLDER --all    and where there is one

exceptions.txt, beside this script, has a line for each exception: what it is, as it is printed here,
and the reason. An exception that is no longer needed is a failure too.

No compiler is asked: comments, texts and preprocessor lines are blanked out, braces are matched, and
what stands before a brace says what it opens. That is right for sources that clang-format has laid
out and that do not hide braces in macros.
"""

import argparse
import dataclasses
import pathlib
import re
import sys

LINES_OF_A_FILE = 400
LINES_OF_A_FUNCTION = 60
FUNCTIONS_OF_A_CLASS = 40

SUFFIXES = {".cpp", ".hpp", ".c", ".h"}
NOISE = re.compile(
    r'R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"'  # a raw text
    r'|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\''
    r"|//[^\n]*|/\*.*?\*/"
    r"|^[ \t]*#(?:\\\n|[^\n])*",
    re.DOTALL | re.MULTILINE)
NOT_A_NAME = {"const", "noexcept", "override", "final", "mutable", "try"}


@dataclasses.dataclass
class Scope:
    kind: str  # namespace, class, function or other
    name: str
    line: int
    functions: int = 0
    within: bool = False  # a part of what stands before another brace


def blanked(text):
    """The same lines without what could be mistaken for code; texts leave a pair of quotes."""
    def blank(found):
        lines = "\n" * found[0].count("\n")
        return '""' + lines if found[0][0] in "R\"'" else lines
    return NOISE.sub(blank, text)


def plain(text):
    """Without attributes, arguments of templates and the signs of operators."""
    text = re.sub(r"\[\[.*?\]\]|\balignas\([^()]*\)", "", text)
    text = re.sub(r"\boperator\s*(?:\(\)|[^\s\w(]+)", "operator", text).strip()
    while True:
        shorter = re.sub(r"<[^<>;{}]*>", "", text)
        if shorter == text:
            return text
        text = shorter


def name_of_function(head):
    found = re.search(r"([\w:~]*operator\s*(?:\(\)|[^\s\w(]+)|[\w:~]+)\s*\(",
                      re.sub(r"<[^<>(){}]*>|\[\[.*?\]\]", "", head))
    return found[1] if found else "?"


def goes_on(head):
    """Whether a brace behind this is a part of it: an argument, a member that is initialised."""
    if head.count("(") > head.count(")"):
        return True
    last = re.search(r"(\w+)\s*$", head)
    return bool(re.search(r"\)\s*(?:noexcept\s*)?:(?!:)", head)) and last is not None \
        and last[1] not in NOT_A_NAME


def opened_by(head, enclosing):
    """What a brace opens, and the name of it."""
    if enclosing not in ("namespace", "class"):
        return "other", ""
    if re.search(r"\bnamespace\b|\bextern\s*\"\"\s*$", head):
        return "namespace", ""
    words = re.sub(r"^template\s*", "", plain(head))
    named = re.match(r"(class|struct|union|enum(?: class)?)\b\s*([\w:]*)", words)
    if named and "(" not in words:
        return ("other" if named[1].startswith("enum") else "class"), named[2]
    if "(" in words and "=" not in words.split("(")[0]:
        return "function", name_of_function(head)
    return "other", ""


def declares_function(statement):
    words = plain(statement)
    if re.match(r"(using|typedef|static_assert|friend)\b", words) or "(*" in words:
        return False
    return "(" in words and "=" not in words.split("(")[0]


def long_ones(text):
    """Yields (what, name, size) for each function and class that is beyond its limit."""
    scopes, head, begun, line = [Scope("namespace", "", 1)], "", None, 1
    for char in blanked(text):
        line += char == "\n"
        scope = scopes[-1]
        if char == "{" and (scope.within or goes_on(head)):
            scopes.append(Scope("other", "", line, within=True))
        elif char == "{":
            kind, name = opened_by(head, scope.kind)
            scope.functions += kind == "function"
            scopes.append(Scope(kind, name, begun or line))
            head, begun = "", None
        elif char == "}":
            if len(scopes) == 1:
                raise ValueError(f"line {line}: a brace too many")
            scopes.pop()
            if scope.within:
                head += "" if scopes[-1].within else "}"
                continue
            head, begun = "", None
            if scope.kind == "function" and line - scope.line + 1 > LINES_OF_A_FUNCTION:
                yield "function", scope.name, line - scope.line + 1
            if scope.kind == "class" and scope.functions > FUNCTIONS_OF_A_CLASS:
                yield "class", scope.name, scope.functions
        elif scope.within:
            continue
        elif char == ";":
            scope.functions += scope.kind == "class" and declares_function(head)
            head, begun = "", None
        else:
            if begun is None and not char.isspace():
                begun = line
            head += char
            if head.strip() in ("public:", "private:", "protected:"):
                head, begun = "", None
    if len(scopes) > 1:
        raise ValueError("a brace is missing")


def beyond(source):
    """What is beyond the limits: (how it is called in the exceptions, how far it is)."""
    files = sorted(file for file in (source / "src").rglob("*") if file.suffix in SUFFIXES)
    if not files:
        sys.exit(f"no sources in {source}/src")
    for file in files:
        shown = file.relative_to(source).as_posix()
        text = file.read_text()
        lines = text.count("\n")
        if lines > LINES_OF_A_FILE:
            yield shown, f"{lines} lines"
        for what, name, size in long_ones(text):
            unit = "lines" if what == "function" else "functions"
            yield f"{shown} {what} {name}", f"{size} {unit}"


def exceptions(file):
    reasons = {}
    for line in file.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            what, _, reason = line.partition(": ")
            reasons[what.strip()] = reason.strip()
    return reasons


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--all", action="store_true", help="show those with a reason, too")
    arguments = parser.parse_args()
    file = pathlib.Path(__file__).with_name("exceptions.txt")
    reasons = exceptions(file)
    needed, offenders = set(), 0
    for what, size in beyond(arguments.source):
        excused = reasons.get(what)
        needed.add(what)
        offenders += not excused
        if arguments.all or not excused:
            print(f"{what}: {size}" + (f" ({excused})" if excused else ""))
    outdated = [what for what in reasons if what not in needed]
    for what in outdated:
        print(f"{file.name}: '{what}' is within the limits: remove the exception")
    print(f"limits: {LINES_OF_A_FILE} lines of a file, {LINES_OF_A_FUNCTION} of a function, "
          f"{FUNCTIONS_OF_A_CLASS} functions of a class; {offenders} beyond them without a reason, "
          f"{len(needed) - offenders} with one")
    sys.exit(1 if offenders or outdated else 0)


if __name__ == "__main__":
    main()
