"""A plot of speed-ups as SVG: both axes grow by doubling, and the dashed line is the ideal."""

import math

WIDTH, HEIGHT = 760, 520
LEFT, RIGHT, TOP, BOTTOM = 64, 250, 24, 52
COLOURS = ["#1f6fb4", "#d1495b", "#2a9d5c", "#8a4fbf", "#c27c0e", "#3b8ea5", "#7a5c3e", "#5a5a5a"]


def shown(number):
    return f"{number:,.0f}" if number >= 10 else f"{number:.3g}"


def plot(courses, title):
    """`courses`: by name, a list of (workers, speed-up)."""
    most = max(workers for points in courses.values() for workers, _ in points)
    span = math.log2(most)

    def x(workers):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log2(workers) / span

    def y(speed_up):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * math.log2(max(speed_up, 1)) / span

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f"<title>{title}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for power in range(0, math.ceil(span) + 1, 2):
        value = 2**power
        out += [
            f'<path d="M{x(value):.1f} {TOP}V{HEIGHT - BOTTOM}M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}" '
            'stroke="#ddd"/>',
            f'<text x="{x(value):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{value:,}</text>',
            f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value:,}</text>',
        ]
    out += [
        f'<path d="M{x(1):.1f} {y(1):.1f}L{x(most):.1f} {y(most):.1f}" stroke="#999" '
        'stroke-dasharray="5 4"/>',
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">workers</text>',
        f'<text transform="translate(16 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">speed-up</text>',
    ]
    last = HEIGHT
    order = sorted(courses.items(), key=lambda one: one[1][-1][1])
    for at, (name, points) in enumerate(order):
        colour = COLOURS[at % len(COLOURS)]
        path = "L".join(f"{x(workers):.1f} {y(speed_up):.1f}" for workers, speed_up in points)
        last = min(y(points[-1][1]) + 4, last - 15)  # one below the other
        out += [
            f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>',
            f'<text x="{WIDTH - RIGHT + 8}" y="{last:.1f}" fill="{colour}">{name}: '
            f"{shown(points[-1][1])}</text>",
        ]
    return "\n".join([*out, "</svg>", ""])
