"""Figures as SVG: bars of numbers per row, lines over sizes, a dot per model; all on logarithmic scales."""

import html
import math

COLOURS = ["#888888", "#c0392b", "#2471a3", "#1e8449", "#8e44ad"]


def legend(names, y=34):
    parts, x = [], 10
    for at, name in enumerate(names):
        parts.append(f'<rect x="{x}" y="{y - 9}" width="10" height="10" fill="{COLOURS[at % 5]}"/>'
                     f'<text x="{x + 14}" y="{y}">{html.escape(name)}</text>')
        x += 34 + 7 * len(name)
    return parts


def document(width, height, title, parts):
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
        f'font-size="11"><rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="10" y="18" font-size="14">{html.escape(title)}</text>', *parts, "</svg>"]) + "\n"


def bars(title, groups, names):
    """groups: [(label, {name: number})]"""
    top, height, left, width = 48, 11, 190, 560
    each = height * len(names) + 8
    largest = max([number for _, numbers in groups for number in numbers.values() if number] or [1])
    scale = width / max(math.log10(largest), 1)
    parts = legend(names)
    for group, (label, numbers) in enumerate(groups):
        y = top + group * each
        parts.append(f'<text x="10" y="{y + each / 2:.0f}">{html.escape(label)}</text>')
        for at, name in enumerate(names):
            if not numbers.get(name):
                continue
            length = max(2, math.log10(numbers[name]) * scale)
            parts.append(f'<rect x="{left}" y="{y + at * height}" width="{length:.1f}" height="{height - 2}" '
                         f'fill="{COLOURS[at % 5]}"/><text x="{left + length + 4:.1f}" '
                         f'y="{y + at * height + 8}">{numbers[name]}</text>')
    return document(left + width + 90, top + each * len(groups) + 10, title, parts)


class Axes:
    """60..540 by 356..60, decades upwards."""

    def __init__(self, largest):
        self.decades = max(1, math.ceil(math.log10(max(largest, 10))))

    def y(self, number):
        return round(356 - 296 * math.log10(max(number, 1)) / self.decades, 1)

    def x(self, number):
        return round(60 + 480 * math.log10(max(number, 1)) / self.decades, 1)

    def grid(self, both):
        parts = []
        for decade in range(self.decades + 1):
            y = self.y(10**decade)
            parts.append(f'<line x1="60" x2="540" y1="{y}" y2="{y}" stroke="#dddddd"/>'
                         f'<text x="54" y="{y + 4}" text-anchor="end">1e{decade}</text>')
            if both:
                parts.append(f'<text x="{self.x(10**decade)}" y="372" text-anchor="middle">1e{decade}</text>')
        return parts


def lines(title, sizes, series):
    """series: {name: {size: number}}"""
    numbers = [number for points in series.values() for number in points.values() if number]
    axes = Axes(max(numbers or [1]))
    place = {size: 60 + 480 * at / max(len(sizes) - 1, 1) for at, size in enumerate(sizes)}
    parts = legend(series) + axes.grid(both=False)
    parts += [f'<text x="{x:.0f}" y="372" text-anchor="middle">{size}</text>' for size, x in place.items()]
    for at, points in enumerate(series.values()):
        drawn = [(place[size], axes.y(number)) for size, number in points.items() if number]
        path = " ".join(f"{x:.1f},{y}" for x, y in drawn)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[at % 5]}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y}" r="3" fill="{COLOURS[at % 5]}"/>' for x, y in drawn]
    return document(560, 390, title, parts)


def dots(title, across, upwards, points):
    axes = Axes(max([max(one) for one in points] or [1]))
    end = 10**axes.decades
    parts = axes.grid(both=True)
    parts.append(f'<line x1="{axes.x(1)}" y1="{axes.y(1)}" x2="{axes.x(end)}" y2="{axes.y(end)}" stroke="#aaaaaa"/>')
    parts += [f'<circle cx="{axes.x(x)}" cy="{axes.y(y)}" r="2.5" fill="#2471a3" fill-opacity="0.5"/>'
              for x, y in points]
    parts.append(f'<text x="300" y="388" text-anchor="middle">nodes of {html.escape(across)}</text>'
                 f'<text x="14" y="200" text-anchor="middle" transform="rotate(-90 14 200)">nodes of '
                 f"{html.escape(upwards)}</text>")
    return document(560, 396, title, parts)
