"""How far a sweep is: a line that is redrawn on a terminal, a line now and then elsewhere."""

import sys
import time

SECONDS_BETWEEN_LINES = 30


class SweepProgress:
    def __init__(self, programs, out=sys.stderr, clock=time.monotonic):
        self.programs, self.out, self.clock = programs, out, clock
        self.terminal = out.isatty()
        self.begun = self.latest = clock()

    def show(self, done, failed):
        now = self.clock()
        if not self.terminal and now - self.latest < SECONDS_BETWEEN_LINES:
            return
        self.latest = now
        rate = done / max(now - self.begun, 1e-9)
        left = (self.programs - done) / rate if rate > 0 else 0
        text = f"{done} of {self.programs} models, {rate:.1f}/s, {left:.0f} s left, {failed} failed"
        print(f"\r{text}   " if self.terminal else text, end="" if self.terminal else "\n", file=self.out, flush=True)

    def end(self):
        if self.terminal:
            print(file=self.out)
