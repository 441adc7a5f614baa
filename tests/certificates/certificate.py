"""Certificates as data: read, changed and written again, to see that the checker refuses the change.

docs/certificates.md has the format. All records but schedules are kept as they are.
"""

HEADER = b"MZCERT1\n"
ESCAPE = 15
# By action: has an operand, may fail, observes, writes an outcome.
ACTIONS = """read:o write:n update:ow compare_exchange:fow add:n flip_bits:n set_bits:n clear_bits:n
    await:n lock unlock try_lock:f reset take post try_take:f look:o lock_alone unlock_alone
    try_alone:f share stop_sharing try_share:f arrive leave:n wait_in_order wait woken wake_first
    wake_any wake_all""".split()
ADD = next(at for at, one in enumerate(ACTIONS) if one.startswith("add:"))


def features(action):
    return ACTIONS[action].partition(":")[2]


def number(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


class Certificate:
    def __init__(self, data):
        self.data, self.at = data, len(HEADER)
        if not data.startswith(HEADER):
            raise ValueError("not a certificate")
        self.operations, self.nodes = [], []
        self.schedules = []  # each: list of (process, child), and how its processes begin
        self.records = []    # in order: bytes, or the number of a schedule
        begun = 0
        self.text(), self.text(), self.number()
        self.records.append(data[begun:self.at])
        while True:
            begun = self.at
            kind = chr(self.byte())
            if kind == "S":
                self.read_schedule()
                self.records.append(len(self.schedules) - 1)
                continue
            getattr(self, "read_" + kind)()
            if kind == "E":
                break
            self.records.append(data[begun:self.at])

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            part = self.byte()
            value |= (part & 0x7F) << shift
            shift += 7
            if part < 0x80:
                return value

    def text(self):
        size = self.number()
        self.at += size

    def read_P(self):
        self.number(), self.number()

    read_O = read_P
    read_E = read_P

    def read_I(self):
        self.text()

    read_U = read_I

    def read_A(self):
        parts = []
        if self.number() != 3:
            self.number(), self.number()
            for _ in range(self.number()):
                action = self.number()
                self.number()
                if "n" in features(action):
                    self.number()
                if action == ADD:
                    self.number()
                parts.append(action)
            for _ in range(self.number()):
                self.number()
        self.operations.append(parts)

    def read_N(self):
        parent = self.number()
        if parent == 0:
            self.number()
        else:
            self.number()
            for action in self.operations[self.nodes[parent - 1]]:
                succeeded = self.number() if "f" in features(action) else 1
                if "o" in features(action):
                    self.number()
                if "w" in features(action) and succeeded:
                    self.number()
        self.nodes.append(self.number())

    def read_schedule(self):
        before = self.schedules[-1][0] if self.schedules else []
        steps = before[:self.number()]
        for _ in range(self.number()):
            both = self.byte()
            process, child = both & 15, both >> 4
            process = self.number() if process == ESCAPE else process
            child = self.number() if child == ESCAPE else child
            steps.append((process, child))
        begins = [(self.number(), self.number()) for _ in range(self.number())]
        self.schedules.append((steps, begins))

    def with_schedules(self, schedules):
        """The bytes with these in the place of its own: None leaves one out."""
        out, written = bytearray(), 0
        for record in self.records:
            if isinstance(record, bytes):
                out += record
            elif schedules[record] is not None:
                steps, begins = schedules[record]
                out += b"S" + number(0) + number(len(steps))
                for process, child in steps:
                    out.append(min(process, ESCAPE) | min(child, ESCAPE) << 4)
                    out += number(process) if process >= ESCAPE else b""
                    out += number(child) if child >= ESCAPE else b""
                out += number(len(begins))
                for process, node in begins:
                    out += number(process) + number(node)
                written += 1
        return bytes(out) + b"E" + number(written) + number(len(self.nodes))
