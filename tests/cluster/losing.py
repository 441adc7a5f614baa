"""A server that loses keys: one that we delete, or whatever it throws away when its memory is full."""

import random
import re
import threading
import time

from calling import ERROR, PATIENCE


def kind_of(key):
    """Without the name of the search, and without the number of an exploration."""
    for kind in ("tasks", "rest"):
        if f":{kind}" in key:
            return kind
    for kind in ("searches", "slots", "current", "binary"):
        if key.startswith(f"mazurka:{kind}"):
            return "users" if kind == "binary" and key.endswith(":searches") else kind
    return "search"


class Losses:
    """One search after the other, each of which loses a key at a random point. Each comes to the
    result of one process, or to an error that names the key."""

    def __init__(self, cluster, program, seed, alone):
        self.cluster = cluster
        self.program = program
        self.lots = random.Random(seed)
        self.alone = alone

    def keys(self):
        """By kind; without what is known of searches that are over."""
        answer = self.cluster.server.tell("KEYS", "mazurka:*").decode().split("\r\n")
        keys = sorted(word for word in answer if word.startswith("mazurka:"))
        found = {}
        for key in keys:
            kind = kind_of(key)
            if kind != "search" or f"{key}:tasks" in keys:
                found.setdefault(kind, []).append(key)
        return found

    def lose(self, wanted, watcher):
        """The key, and whether it was there; None: the search was over before."""
        while watcher.poll() is None:
            found = self.keys()
            if wanted in found:
                key = self.lots.choice(found[wanted])
                if self.cluster.server.tell("DEL", key) == b":1\r\n":
                    return key
        return None

    def run(self, wanted, within):
        """What was lost, and what it came to; "" stands for what is wrong."""
        watcher = self.cluster.watch(self.program, "--keep-going")
        self.cluster.wait_for(
            lambda: "search" in self.keys() or watcher.poll() is not None, "the search is there"
        )
        time.sleep(self.lots.uniform(0, within))
        key = self.lose(wanted, watcher)
        text, _ = watcher.communicate(timeout=120 * PATIENCE)
        return key, self.outcome(watcher.returncode, text, key), text

    def outcome(self, code, text, key=None):
        if code == ERROR:
            named = re.findall(r"its key (\S+) is gone", text)
            return "an error" if named and key in (None, *named) else ""
        return "the same" if self.cluster.counts(self.cluster.report()) == self.alone else ""


class Cache:
    """Somebody else who fills the same server, so that it throws keys away."""

    def __init__(self, server, policy, megabytes):
        self.server = server
        for name, value in (("maxmemory-policy", policy), ("maxmemory", f"{megabytes}mb")):
            server.tell("CONFIG", "SET", name, value)
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.fill)
        self.thread.start()

    def fill(self):
        number = 0
        while not self.over.wait(0.002):
            number += 1
            self.server.tell("SET", f"page:{number}", "x" * 20_000)

    def end(self):
        self.over.set()
        self.thread.join()
        self.server.tell("CONFIG", "SET", "maxmemory", "0")
        self.server.tell("FLUSHALL")
