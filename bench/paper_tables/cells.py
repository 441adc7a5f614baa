"""Cells: one number of a paper, the search that gives ours, and what the two say of each other."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Task:
    """A search. Several cells may show something of the same one."""
    kind: str  # threads, actors, messages, automata
    source: str  # the program's file, or a model's name and size
    flags: tuple = ()
    technique: str = "optimal"
    options: tuple = ()
    limit: float = 60  # seconds

    @property
    def key(self):
        return " ".join([self.kind, self.source, *self.flags, self.technique, *self.options])


@dataclasses.dataclass(frozen=True)
class Cell:
    """`theirs`: as the paper prints it; a number, >number, timeout, or nothing.
    `judged`: exactly (a number that is defined by the program, such as that of traces), at most (less
    work is better), or shown (beside the paper's, without a judgement).
    `why`: the reason, where ours is expected to be the larger one.
    `other_model`: the reason why the paper's program can not be ours."""
    table: str
    row: str
    column: str
    task: Task
    measure: str = "executions"
    theirs: str = ""
    judged: str = "at most"
    why: str = ""
    other_model: str = ""
    quick: bool = True
    their_seconds: str = ""

    def relation(self, result):
        """(mark, note): equal, better, worse, other, cut, none, error"""
        ours = value(result, self.measure)
        theirs = int(self.theirs) if self.theirs.isdigit() else None
        if "error" in result:
            return "error", result["error"]
        if ours is None:
            if theirs is None:
                return "none", "neither finished" if self.theirs else ""
            return ("other", self.other_model) if self.other_model else ("cut", self.why)
        if ours == theirs:
            return "equal", ""
        if self.judged == "shown":
            return "none", self.why
        if theirs is None:
            if self.theirs == "timeout" or self.theirs.startswith(">"):
                return "better", "the paper's did not finish"
            return "none", ""
        if self.other_model:
            return "other", self.other_model
        if self.judged == "exactly":
            return ("differs", self.why) if self.why else ("worse", "")
        if ours < theirs:
            return "better", ""
        return "worse", self.why


def unexplained(mark, note):
    return mark == "error" or (mark in ("worse", "cut", "differs") and not note)


def value(result, measure):
    """What a search says of it; None if it did not finish."""
    if not result.get("finished"):
        return None
    found = result.get(measure)
    return int(found) if isinstance(found, str) and found.isdigit() else found
