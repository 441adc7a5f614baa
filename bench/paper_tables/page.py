"""The page: every cell beside the paper's, in Markdown and in HTML, with figures and a count of each mark."""

import collections
import html

import plots
from cells import unexplained, value

SIGNS = {"equal": "=", "better": "✓", "worse": "✗", "differs": "≠", "other": "◇", "cut": "…", "none": "", "error": "!"}
WORDS = {"equal": "equal", "better": "better", "worse": "worse", "differs": "another number, for the reason given",
         "other": "another model", "cut": "not finished in time", "none": "nothing to compare with", "error": "error"}
STYLE = """body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:1rem 0;font-size:13px;display:block;overflow-x:auto}th,td{border:1px solid #ddd;padding:3px 8px;
text-align:right;white-space:nowrap}th:first-child,td:first-child{text-align:left;position:sticky;left:0;background:#fff}
th{background:#f4f4f4}small{color:#777}.equal{background:#f3f8f3}.better{background:#dff2df}.worse,.error{background:#f9d6d2}
.differs,.cut{background:#fdeecb}.other{background:#e8e8f6}
@media(prefers-color-scheme:dark){body{background:#1b1b1b;color:#ddd}th,th:first-child,td:first-child{background:#262626}th,td{border-color:#444}
.equal{background:#223022}.better{background:#1d401d}.worse,.error{background:#5a2520}.differs,.cut{background:#4f4016}.other{background:#2d2d4a}
img{filter:invert(.9) hue-rotate(180deg)}}"""


def seconds(number):
    return f"{number:.2f} s" if number >= 0.005 else "<0.01 s"


class Judged:
    """A cell with its result and what they say."""

    def __init__(self, cell, result):
        self.cell, self.result = cell, result
        self.ours = value(result, cell.measure)
        self.mark, self.note = cell.relation(result)
        self.unexplained = unexplained(self.mark, self.note)

    def text(self):
        shown = self.ours if self.ours is not None else f">{self.cell.task.limit:g} s"
        theirs = f" ({self.cell.theirs})" if self.cell.theirs else ""
        return f"{shown}{theirs} {SIGNS[self.mark]}".strip()

    def time(self):
        if "seconds" not in self.result:
            return ""
        there = f" ({self.cell.their_seconds} s)" if self.cell.their_seconds else ""
        return f"{seconds(self.result['seconds'])}{there}, {self.result['memory'] / 2**20:.0f} MB"


def tables_of(judged):
    tables = collections.OrderedDict()
    for one in judged:
        table = tables.setdefault(one.cell.table, (collections.OrderedDict(), []))
        table[0].setdefault(one.cell.row, {})[one.cell.column] = one
        if one.cell.column not in table[1]:
            table[1].append(one.cell.column)
    return tables


def notes_of(rows):
    notes = collections.OrderedDict()
    for row, cells in rows.items():
        for column, one in cells.items():
            if one.note and one.mark not in ("none", "better"):
                notes.setdefault(one.note, []).append(f"{row}: {column}")
    return [(note, places) for note, places in notes.items()]


def shortened(places, most=6):
    return "; ".join(places[:most]) + (f"; and {len(places) - most} more" if len(places) > most else "")


def figures(paper, tables, folder):
    """Writes them; returns (title, file) of each."""
    drawn = []
    for title, table, columns in getattr(paper, "FIGURES", []):
        if table not in tables:
            continue
        rows, _ = tables[table]
        numbers = {row: {name: cells[name].ours for name in columns if name in cells} for row, cells in rows.items()}
        if table.startswith("Figure"):
            text = plots.lines(title, list(rows), {name: {row: numbers[row].get(name) for row in rows} for name in columns})
        else:
            text = plots.bars(title, list(numbers.items()), columns)
        drawn.append((title, write(folder, f"{paper.NAME}-{len(drawn) + 1}.svg", text)))
    for title, table, across, upwards in getattr(paper, "SCATTER", []):
        if table not in tables:
            continue
        points = [(cells[across].ours, cells[upwards].ours) for cells in tables[table][0].values()
                  if across in cells and upwards in cells and cells[across].ours and cells[upwards].ours]
        small = [one for one in points if max(one) <= 10000]
        for label, some in ((title, points), (f"{title}, the smaller models", small)):
            drawn.append((label, write(folder, f"{paper.NAME}-{len(drawn) + 1}.svg", plots.dots(label, across, upwards, some))))
    return drawn


def write(folder, name, text):
    (folder / name).write_text(text)
    return name


def markdown(papers, total, about):
    lines = ["# The papers' tables, ours beside theirs", "", about, "", summary(total), "", legend(), ""]
    for paper, tables, drawn in papers:
        lines += [f"## {paper.TITLE}", ""]
        for name, (rows, columns) in tables.items():
            lines += [f"### {name}", "", "| | " + " | ".join(columns) + " |", "| --- |" + " ---: |" * len(columns)]
            for row, cells in rows.items():
                lines.append(f"| {row} | " + " | ".join(cells[c].text() if c in cells else "" for c in columns) + " |")
            lines.append("")
            lines += [f"- {note} ({shortened(places)})" for note, places in notes_of(rows)]
            lines.append("")
        lines += [f"![{title}]({file})\n" for title, file in drawn]
    return "\n".join(lines) + "\n"


def page(papers, total, about):
    parts = ["<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>",
             f"<title>The papers' tables</title><style>{STYLE}</style><h1>The papers' tables, ours beside theirs</h1>",
             f"<p>{html.escape(about)}<p><b>{html.escape(summary(total))}</b><p>{html.escape(legend())}"]
    for paper, tables, drawn in papers:
        parts.append(f"<h2>{html.escape(paper.TITLE)}</h2>")
        for name, (rows, columns) in tables.items():
            parts.append(f"<h3>{html.escape(name)}</h3><table><tr><th>" + "".join(f"<th>{html.escape(c)}" for c in columns))
            for row, cells in rows.items():
                parts.append(f"<tr><td>{html.escape(row)}" + "".join(html_cell(cells.get(c)) for c in columns))
            parts.append("</table><ul>" + "".join(f"<li>{html.escape(note)} <small>({html.escape(shortened(places))})</small>"
                                                  for note, places in notes_of(rows)) + "</ul>")
        parts += [f"<p><img src='{file}' alt='{html.escape(title)}'>" for title, file in drawn]
    return "\n".join(parts) + "\n"


def html_cell(one):
    if one is None:
        return "<td>"
    return (f"<td class={one.mark} title='{html.escape(one.note, quote=True)}'>{html.escape(one.text())}"
            f"<br><small>{html.escape(one.time())}</small>")


def legend():
    return "Ours (the paper's), with " + ", ".join(f"{sign} {WORDS[mark]}" for mark, sign in SIGNS.items() if sign) + "."


def summary(total):
    counted = ", ".join(f"{WORDS[mark]} {total[mark]}" for mark in SIGNS if total[mark])
    return f"{counted}; worse and unexplained: {total['unexplained']}"
