"""Reads mutants: changes to the sources, each of which a test must notice.

A text file holds them, one after the other:

    == its name
    rule: what it breaks
    file: the file that it changes
    - the text that is there, exactly once (any white space matches any other)
    + the text in its place

More keys belong to the program that reads them; their names may contain spaces.
"""

import dataclasses
import re


@dataclasses.dataclass
class Mutant:
    name: str
    unit: str  # the name of the text file
    rule: str = ""
    file: str = ""
    old: list = dataclasses.field(default_factory=list)
    new: list = dataclasses.field(default_factory=list)

    def pattern(self):
        """Matches the text that is there; None if the mutant names no text."""
        words = " ".join(self.old).split()
        return r"\s+".join(re.escape(word) for word in words) if words else None

    def fits(self, root):
        """True if its text is exactly once in its file below `root`."""
        if self.pattern() is None or not (root / self.file).is_file():
            return False
        return len(re.findall(self.pattern(), (root / self.file).read_text())) == 1


def read(folder, kind=Mutant):
    """All mutants of the text files in `folder`. Each is a `kind`, whose fields are the allowed keys."""
    keys = {field.name for field in dataclasses.fields(kind)} - {"name", "unit", "old", "new"}
    found = []
    for path in sorted(folder.glob("*.txt")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.startswith("== "):
                found.append(kind(line[3:], path.stem))
            elif line[:2] in ("- ", "-"):
                found[-1].old.append(line[2:])
            elif line[:2] in ("+ ", "+"):
                found[-1].new.append(line[2:])
            elif line and not line.startswith("#"):
                key, separator, value = line.partition(": ")
                if not separator or not found or key.replace(" ", "_") not in keys:
                    raise SystemExit(f"{path.name}:{number}: not a line of a mutant: {line}")
                setattr(found[-1], key.replace(" ", "_"), value)
    return found
