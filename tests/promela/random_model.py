"""Random Promela models, as trees that can be made smaller.

A statement is a text, or a list [kind, children...]: kind is one of KINDS, a child is a list of
statements (an option, a body). A model is a dictionary, see `random_model`; `text_of` writes it down.
Values stay small (everything is taken modulo a small number), so most models have few states.
"""

import copy
import random

GLOBALS = ["byte x", "bit b", "short s", "int n = 2", "byte a[2]", "mtype m = red",
           "unsigned u : 2 = 1", "pair p"]
SCALARS = ["x", "s", "n", "u", "a[0]", "a[1]", "a[x % 2]", "p.one", "p.more[1]"]
CHANNELS = ["chan c0 = [0] of {byte}", "chan c1 = [1] of {byte}", "chan c2 = [2] of {mtype, byte}",
            "chan cc[2] = [1] of {byte}"]


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.labels = 0

    def chance(self, share):
        return self.random.random() < share

    def pick(self, *of):
        return self.random.choice(of)

    def variable(self):
        return self.pick(*SCALARS, "i", "i", "j", "x", "x")

    def value(self, depth=0):
        if depth > 1 or self.chance(0.5):
            return self.pick("0", "1", "2", "3", self.variable(), self.variable(), "b", "_pid")
        left, right = self.value(depth + 1), self.value(depth + 1)
        kind = self.random.randrange(8)
        if kind == 0:
            return f"({self.condition(depth + 1)} -> {left} : {right})"
        if kind == 1:
            return f"({left} * {right})"
        if kind == 2:
            return f"({left} ^ {right})"
        if kind == 3:
            return f"({left} - {right})"
        if kind == 4:
            return f"(({left} << 1) & 3)"
        return f"({left} + {right})"

    def small(self):
        return f"({self.value()}) & {self.pick(1, 3)}"

    def condition(self, depth=0):
        kind = self.random.randrange(12)
        if kind == 0 and depth < 2:
            return f"({self.condition(depth + 1)} && {self.condition(depth + 1)})"
        if kind == 1 and depth < 2:
            return f"({self.condition(depth + 1)} || {self.condition(depth + 1)})"
        if kind == 2:
            return f"!({self.condition(depth + 1)})"
        if kind == 3:
            return self.pick("len(c1) == 0", "len(c2) < 2", "c1?[1]", "c2??[red, 1]", "c2?[_, 0]")
        if kind == 4:
            return "_nr_pr > 2"
        sign = self.pick("==", "!=", "<", "<=", ">", ">=")
        return f"({self.value(1)} {sign} {self.value(1)})"

    def probe(self):
        return self.pick("full(c1)", "nfull(c1)", "empty(c2)", "nempty(c1)", "full(c2)", "timeout",
                         "nempty(cc[1])")

    def assignment(self):
        kind = self.random.randrange(8)
        if kind == 0:
            return f"m = {self.pick('red', 'green')}"
        if kind == 1:
            return f"b = {self.value()}"
        if kind == 2:
            return self.pick("i++", "j++", "j--", "b++")  # these wrap around
        return f"{self.variable()} = {self.small()}"

    def io(self):
        arg = f"({self.value()}) & 1"
        return self.pick(
            f"c0!{arg}", "c0?i", "c0?j", "c0?1", "c0?eval(x)", f"c1!{arg}", "c1?i", "c1?x", "c1?_",
            "c1?1", f"c2!red,{arg}", f"c2!green({arg})", f"c2!!{self.pick('red', 'green')},{arg}",
            "c2?m,i", "c2?red,j", "c2??green,i", "c2?<m,_>", "c2??<red,j>", "c2??_,eval(i)",
            f"cc[{self.pick('0', '1', 'i & 1')}]!{arg}", f"cc[{self.pick('0', '1')}]?i")

    def simple(self):
        kind = self.random.randrange(20)
        if kind < 8:
            return self.assignment()
        if kind < 11:
            return self.condition()
        if kind < 15:
            return self.io()
        if kind == 15:
            return f"assert({self.condition()})" if self.chance(0.4) else "skip"
        if kind == 16:
            return self.pick("skip", 'printf("here %d\\n", x)', "skip")
        if kind == 17:
            return self.probe()
        if kind == 18:
            return self.pick("bump(x)", "bump(i)", "settle(j, 1)", f"select (i : 0 .. {self.pick(1, 2)})")
        return self.assignment()

    def sequence(self, depth, looping, longest=3):
        statements = []
        for _ in range(self.random.randint(1, longest)):
            statements.append(self.statement(depth, looping))
        return statements

    def option(self, depth, looping):
        guard = self.condition() if self.chance(0.5) else self.simple()
        body = [guard] if self.chance(0.9) else []
        body += self.sequence(depth + 1, looping, 2) if self.chance(0.7) or not body else []
        if looping and self.chance(0.25):
            body.append("break")
        return body

    def selection(self, kind, depth, looping):
        options = [self.option(depth, looping) for _ in range(self.random.randint(1, 3))]
        if kind == "do" and self.chance(0.8):
            options.append([self.pick("else", self.condition(), self.assignment()), "break"])
        elif self.chance(0.5):
            options.append(["else"] + (self.sequence(depth + 1, looping, 1) if self.chance(0.5) else []))
        self.random.shuffle(options)
        return [kind] + options

    def statement(self, depth, looping):
        if depth > 2 or self.chance(0.62):
            return self.simple()
        kind = self.random.randrange(11)
        if kind < 3:
            return self.selection("if", depth, looping)
        if kind < 5:
            return self.selection("do", depth, True)
        if kind < 7:
            return ["atomic", self.sequence(depth + 1, looping, 4)]
        if kind == 7:
            return ["d_step", self.indivisible()]
        if kind == 8:
            return ["for", self.sequence(depth + 1, True, 2)]
        if kind == 9:
            return ["{", self.sequence(depth + 1, looping, 3)]
        return self.pick("byte @ = 1", "byte @")

    def indivisible(self):
        """What can always go on: guards first, then assignments, selections with else."""
        body = [self.condition()] if self.chance(0.4) else []
        for _ in range(self.random.randint(1, 3)):
            if self.chance(0.3):
                body.append(["if", [self.condition(), self.assignment()], [self.condition()],
                             ["else", self.assignment()]])
            else:
                body.append(self.assignment())
        return body

    def body(self):
        body = self.sequence(0, False, 4)
        # Labels stand before statements of the outermost sequence; jumps go anywhere.
        if self.chance(0.35):
            label = self.pick("L", "end", "L", "progress")
            at = self.random.randrange(len(body))
            body[at] = ["label", label + "0", [body[at]]]
            jumps = [sequence for sequence in sequences(body) if sequence is not body]
            if jumps:
                self.pick(*jumps).append(f"goto {label}0")
        return body

    def model(self):
        count = self.random.randint(1, 3)
        processes = []
        for number in range(count):
            processes.append({
                "name": f"P{number}", "active": self.random.randint(1, 2) if count < 3 else 1,
                "provided": self.pick("x < 2", "b == 0 || _pid == 0", "len(c1) == 0")
                            if self.chance(0.06) else "",
                "body": self.body()})
        started = []
        if self.chance(0.3):
            for process in processes:
                if self.chance(0.6):
                    started.append(process["name"])
                    process["active"] = 0
        init = None
        if started or self.chance(0.15):
            runs = [f"run {name}({self.pick('0', '1', 'x + 1')})" for name in started]
            init = [["atomic", runs]] if runs and self.chance(0.5) else list(runs)
            init += self.sequence(0, False, 2) if self.chance(0.4) or not init else []
        return {"processes": processes, "init": init}


def sequences(statements):
    """All lists of statements in the tree, outermost first."""
    yield statements
    for statement in statements:
        if isinstance(statement, list):
            for child in statement[1:]:
                if isinstance(child, list):
                    yield from sequences(child)


def random_model(seed):
    """The model of this number: always the same one."""
    return Generator(seed).model()


class Writer:
    def __init__(self):
        self.names = 0

    def lines(self, statements, indent):
        for at, statement in enumerate(statements):
            end = "" if at + 1 == len(statements) else ";"
            yield from self.one(statement, indent, end)

    def one(self, statement, indent, end):
        pad = "  " * indent
        if isinstance(statement, str):
            if "@" in statement:
                self.names += 1
                statement = statement.replace("@", f"v{self.names}")
            yield f"{pad}{statement}{end}"
            return
        kind, children = statement[0], statement[1:]
        if kind == "label":
            yield f"{pad}{children[0]}:"
            yield from self.one(children[1][0], indent, end)
        elif kind in ("if", "do"):
            yield f"{pad}{kind}"
            for option in children:
                yield f"{pad}::"
                yield from self.lines(option, indent + 1)
            yield f"{pad}{'fi' if kind == 'if' else 'od'}{end}"
        else:
            head = {"for": "for (j : 0 .. 1) {", "{": "{"}.get(kind, kind + " {")
            yield pad + head
            yield from self.lines(children[0], indent + 1)
            yield pad + "}" + end


def text_of(model):
    writer = Writer()
    lines = ["#define BOUND 3", "mtype = {red, green};", "typedef pair { bit one; byte more[2] };",
             *[line + ";" for line in GLOBALS], *[line + ";" for line in CHANNELS],
             "inline bump(v) { v = (v + 1) % BOUND }",
             "inline settle(v, to) { if :: v > to -> v = to :: else fi }"]
    for process in model["processes"]:
        active = f"active [{process['active']}] " if process["active"] else ""
        provided = f" provided ({process['provided']})" if process["provided"] else ""
        lines.append(f"{active}proctype {process['name']}(byte k){provided} {{")
        lines += ["  byte i = k & 1;", "  byte j;"]
        lines += writer.lines(process["body"], 1)
        lines.append("}")
    if model["init"] is not None:
        lines += ["init {", "  byte i; byte j;"]
        lines += writer.lines(model["init"], 1)
        lines.append("}")
    return "\n".join(lines) + "\n"


def smaller(model):
    """Models with one thing less."""
    for at in range(len(model["processes"])):
        if len(model["processes"]) > 1:
            less = copy.deepcopy(model)
            del less["processes"][at]
            yield less
    for at, process in enumerate(model["processes"]):
        if process["active"] > 1 or process["provided"]:
            less = copy.deepcopy(model)
            less["processes"][at].update(active=min(1, process["active"]), provided="")
            yield less
    if model["init"]:
        less = copy.deepcopy(model)
        less["init"] = None
        yield less
    bodies = [process["body"] for process in model["processes"]] + [model["init"] or []]
    for number, body in enumerate(bodies):
        for path in range(sum(1 for _ in sequences(body))):
            yield from without_one(model, number, path)


def body_of(model, number):
    if number < len(model["processes"]):
        return model["processes"][number]["body"]
    return model["init"] or []


def without_one(model, number, path):
    """One statement of one sequence left out, or an option, or replaced by what is inside of it."""
    sequence = list(sequences(body_of(model, number)))[path]
    for at, statement in enumerate(sequence):
        for change in range(1 + (len(statement) if isinstance(statement, list) else 0)):
            less = copy.deepcopy(model)
            target = list(sequences(body_of(less, number)))[path]
            if change == 0:
                if len(target) == 1:
                    continue
                del target[at]
            else:
                child = statement[change - 1]
                if not isinstance(child, list):
                    continue
                target[at:at + 1] = copy.deepcopy(child)
            yield less
            if change > 0 and statement[0] in ("if", "do") and len(statement) > 2:
                less = copy.deepcopy(model)
                del list(sequences(body_of(less, number)))[path][at][change - 1]
                yield less
