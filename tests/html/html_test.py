#!/usr/bin/env python3
"""The page that --html writes: well-formed, self-contained, harmless; and in a browser, where it is stepped
through. Without a browser the tests of the latter kind are skipped."""

import base64
import hashlib
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from browser import BROWSER, Browser  # noqa: E402
from calling import ERROR, FINDING, INCONCLUSIVE, SOURCE, VERIFIED, InFolder  # noqa: E402

EXAMPLES = SOURCE / "examples"
LARGEST = 1 << 20  # bytes of a page without the data of the program
EVIL = '</script><img src=x onerror=alert(1)>"\'&amp;<!--'

VOID = {"meta", "link", "img", "br", "hr", "input"}


class Outline(html.parser.HTMLParser):
    """The elements of a page; refuses what is not closed in the order in which it was opened."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.scripts, self.wrong = [], [], [], []
        self.feed(text)
        self.close()
        self.wrong += [f"<{tag}> is not closed" for tag in self.open]

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts.append((self.elements[-1][1], data))


class WithPages(InFolder):
    def page(self, program, *options, expect=FINDING):
        """The page of a check, and its address."""
        self.mazurka("check", program, "--html", "report.html", *options, expect=expect)
        return (self.folder / "report.html").read_text()

    def address(self, place=""):
        return (self.folder / "report.html").as_uri() + place

    def replace_data(self, page, data):
        """The same page, of another document."""
        text = json.dumps(data).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
        start = page.index('id="data">') + len('id="data">')
        end = page.index("</script>", start)
        (self.folder / "report.html").write_text(page[:start] + text + page[end:])

    def data_of(self, page):
        return json.loads(dict((a.get("id", ""), text) for a, text in Outline(page).scripts)["data"])

    def assert_sound(self, page):
        outline = Outline(page)
        self.assertEqual(outline.wrong, [])
        for tag, attributes in outline.elements:
            for name, value in attributes.items():
                self.assertFalse(name.startswith("on"), (tag, name))
                if name in ("src", "href"):
                    self.assertTrue(value.startswith("#"), (tag, value))
        self.assertEqual([tag for tag, _ in outline.elements if tag in ("img", "iframe", "link", "object")], [])
        self.assertNotIn("@import", page)
        self.assertNotIn("url(http", page)
        (_, data), (_, script) = outline.scripts
        self.assertLess(len(page) - len(data), LARGEST)
        policy = next(a["content"] for _, a in outline.elements
                      if a.get("http-equiv") == "Content-Security-Policy")
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        self.assertIn(f"script-src 'sha256-{digest}'", policy)
        self.assertIn("default-src 'none'", policy)


SCHEMA = json.loads((SOURCE / "docs" / "json.schema.json").read_text())
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int,
         "number": (int, float)}


def mistakes(value, schema, where="the document"):
    """What the schema does not allow, and keys that it does not know. Of JSON Schema only what ours uses."""
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    if "const" in schema and value != schema["const"] or "enum" in schema and value not in schema["enum"]:
        return [f"{where}: {value!r}"]
    allowed = schema.get("type", [])
    allowed = [allowed] if isinstance(allowed, str) else allowed
    is_one = [isinstance(value, TYPES[one]) and (one == "boolean" or not isinstance(value, bool)) for one in allowed]
    if allowed and not any(is_one):
        return [f"{where}: {value!r} is not {' or '.join(allowed)}"]
    found = []
    if isinstance(value, list) and "items" in schema:
        for at, item in enumerate(value):
            found += mistakes(item, schema["items"], f"{where}[{at}]")
    if isinstance(value, dict) and "properties" in schema:
        found += [f"{where} has no {key}" for key in schema["required"] if key not in value]
        for key, item in value.items():
            known = schema["properties"].get(key)
            found += mistakes(item, known, f"{where}.{key}") if known else [f"{where}.{key} is not in the schema"]
    return found


class Schema(WithPages):
    def assert_valid(self, program, *options, expect):
        document = self.data_of(self.page(program, *options, expect=expect))
        self.assertEqual(mistakes(document, SCHEMA), [])
        return document

    def test_documents_of_all_kinds_are_valid(self):
        for program in ("threads/bank.cpp", "threads/race.cpp", "threads/deadlock.cpp", "actors/shop.cpp",
                        "messages/elevator.cpp", "automata/philosophers.tck"):
            with self.subTest(program):
                self.assert_valid(EXAMPLES / program, expect=FINDING)

    def test_so_are_those_without_a_finding(self):
        fixed = EXAMPLES / "threads" / "bank_fixed.cpp"
        self.assert_valid(fixed, "--compare", "optimal,dpor", expect=VERIFIED)
        self.assert_valid(fixed, "--max-executions", "1", expect=INCONCLUSIVE)
        self.assert_valid("nothing.c", expect=ERROR)

    def test_what_is_wrong_is_noticed(self):
        document = self.assert_valid(EXAMPLES / "threads" / "bank.cpp", expect=FINDING)
        story = document["findings"][0]["story"]
        story["rows"][0]["event"]["op"] = "dance"
        story["fewest"] = 1
        story["colour"] = "red"
        del document["verdict"]
        self.assertEqual(len(mistakes(document, SCHEMA)), 4)


class Pages(WithPages):
    def test_every_kind_of_program_has_a_sound_page(self):
        for program in ("threads/bank.cpp", "threads/race.cpp", "threads/deadlock.cpp", "actors/shop.cpp",
                        "messages/elevator.cpp", "automata/philosophers.tck"):
            with self.subTest(program):
                self.assert_sound(self.page(EXAMPLES / program))
        self.assert_sound(self.page(EXAMPLES / "threads" / "bank_fixed.cpp", expect=VERIFIED))

    def test_the_page_has_the_documented_json(self):
        page = self.page(EXAMPLES / "threads" / "bank.cpp", "--json", "report.json")
        report = json.loads((self.folder / "report.json").read_text())
        report["list"] = None  # the page has the tree, which says the same
        self.assertEqual(self.data_of(page), report)

    def test_errors_have_a_page_too(self):
        self.write("wrong.c", "int main( {")
        self.mazurka("check", "wrong.c", "--html", "report.html", expect=2)
        self.assert_sound((self.folder / "report.html").read_text())

    def test_the_rows_are_taken_apart(self):
        story = self.data_of(self.page(EXAMPLES / "threads" / "bank.cpp"))["findings"][0]["story"]
        names = [one["name"] for one in story["objects"]]
        written = [row["event"] for row in story["rows"] if row["event"]["op"] == "write"]
        self.assertEqual({names[one["object"]] for one in written}, {"account.balance_"})
        self.assertEqual(written[-1]["value"], "-30")
        locks = [row for row in story["rows"] if row["event"]["op"] == "lock" and row["event"].get("after")]
        for row in locks:
            for before in row["event"]["after"]:
                self.assertIn(story["rows"][before]["event"]["op"], ("unlock", "start"))
                self.assertNotEqual(story["rows"][before]["process"], row["process"])
        self.assertTrue(locks)
        self.assertEqual([one["type"] for one in story["objects"]], ["mutex", "memory"])
        self.assertTrue(any(one["to"] for one in story["delays"]))
        self.assertEqual(story["switches"], 4)

    def test_a_deadlock_says_who_holds_what(self):
        story = self.data_of(self.page(EXAMPLES / "threads" / "deadlock.cpp"))["findings"][0]["story"]
        heads = [head.split()[0] for head in story["processes"]]
        wants = {heads[one["process"]]: heads[one["holder"]] for one in story["stuck"] if one["object"] is not None}
        self.assertEqual(wants, {"T1": "T2", "T2": "T1"})

    def test_a_signal_is_told_from_what_it_wakes(self):
        self.write("signal.c", SIGNAL)
        story = self.data_of(self.page("signal.c"))["findings"][0]["story"]
        woken = next(row["event"] for row in story["rows"] if row["event"]["op"] == "woken")
        signal = story["rows"][woken["woken_by"]]
        self.assertEqual(signal["event"]["op"], "signal")
        self.assertEqual(len(signal["event"]["peers"]), 1)

    def test_hostile_names_are_only_text(self):
        (self.folder / b"x\xff<b>.c".decode(errors="surrogateescape")).write_text(hostile_program())
        page = self.page(b"x\xff<b>.c".decode(errors="surrogateescape"))
        self.assert_sound(page)
        self.assertNotIn("<img", page)
        finding = self.data_of(page)["findings"][0]
        self.assertIn("</script><img src=x onerror=alert(1)>", finding["message"])


SIGNAL = """
#include <assert.h>
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready, seen;
void* waiter(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!ready) {
    pthread_cond_wait(&changed, &mutex);
    seen = 1;
  }
  pthread_mutex_unlock(&mutex);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  assert(!seen);
}
"""


def hostile_program():
    evil = json.dumps(EVIL)
    return f"""
#include <assert.h>
#include <pthread.h>
/* {EVIL} \u202e */
int x;
void* thread(void* unused) {{ __atomic_store_n(&x, 1, 5); return unused; }}
int main(void) {{
  pthread_t one;
  pthread_create(&one, 0, thread, 0);
  assert(__atomic_load_n(&x, 5) == 0 && {evil});
  pthread_join(one, 0);
}}
"""


LONG = """
#include <assert.h>
#include <stdatomic.h>
#include <pthread.h>
atomic_int turns, other;
void* thread(void* unused) {
  for (int i = 0; i < 1200; ++i) { atomic_fetch_add(&turns, 1); atomic_store(&other, i); }
  return unused;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, thread, 0);
  for (int i = 0; i < 600; ++i) { atomic_store(&turns, 0); atomic_store(&other, -1); }
  pthread_join(one, 0);
  assert(turns != 1200);
}
"""


WRITERS = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void* writer(void* number) {
  for (int i = 0; i < 3; ++i) {
    atomic_fetch_add(&x, 1);
    atomic_store(&y, (int)(long)number);
  }
  return 0;
}
int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, writer, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
}
"""


class TreeData(WithPages):
    """The tree in the document, against the counts of the search and what the program can do."""

    def tree_of(self, program, *options, expect):
        self.mazurka("check", program, "--json", "out.json", "--tree", *options, expect=expect)
        document = json.loads((self.folder / "out.json").read_text())
        self.assertEqual(mistakes(document, SCHEMA), [])
        return document["tree"], document

    def assert_adds_up(self, tree, document):
        """The executions of a node are those of its children, and those that end in it."""
        nodes = tree["nodes"]
        counts = document["statistics"]
        ended = [node for node in nodes if "end" in node]
        self.assertEqual(len(ended), nodes[0]["executions"])
        self.assertEqual(len(ended), counts["executions"] + counts["asleep"] + counts["in_vain"]
                         + counts["impossible"] + counts["ended_by_assumption"] - counts["repeated"])
        self.assertEqual(sorted(node["number"] for node in ended), list(range(1, len(ended) + 1)))
        below = [0] * len(nodes)
        for node in nodes[1:]:
            below[node["parent"]] += node["executions"]
            self.assertEqual(node["depth"], nodes[node["parent"]]["depth"] + 1)
        for node, through in zip(nodes, below):
            self.assertEqual(node["executions"], through + ("end" in node))
        self.assertEqual(sum(line["executions"] for line in tree["lines"]), len(ended) - 1)

    def test_every_final_state_of_the_account_is_there(self):
        tree, document = self.tree_of(EXAMPLES / "threads" / "bank.cpp", "--keep-going", expect=FINDING)
        self.assertTrue(tree["whole"])
        self.assert_adds_up(tree, document)
        states = sorted(node["state"] for node in tree["nodes"] if "state" in node)
        self.assertEqual(states, ["account.balance_ = -30"] * 4 + ["account.balance_ = 20", "account.balance_ = 50"])
        for node in tree["nodes"]:
            self.assertEqual(node.get("end") == "failed", node.get("state") == "account.balance_ = -30")
            if "reversed" in node:
                before, after = (tree["nodes"][at] for at in node["reversed"])
                self.assertEqual((before["action"], after["action"]), ("lock account.mutex_",) * 2)
                self.assertNotEqual(before["process"], after["process"])
        self.assertEqual(sum("reversed" in node for node in tree["nodes"]), 5)
        self.assertTrue(all(line["place"].startswith("bank.cpp:") for line in tree["lines"]))

    def test_other_techniques_and_programs_have_one(self):
        for program, options, expect in (
                (EXAMPLES / "threads" / "bank_fixed.cpp", ["--technique", "dpor"], VERIFIED),
                (EXAMPLES / "threads" / "bank_fixed.cpp", ["--technique", "exhaustive"], VERIFIED),
                (EXAMPLES / "actors" / "shop.cpp", ["--keep-going"], FINDING),
                (EXAMPLES / "messages" / "elevator_fixed.cpp", [], VERIFIED),
                (EXAMPLES / "automata" / "philosophers.tck", ["--technique", "source", "--keep-going"], FINDING)):
            with self.subTest(program=program, options=options):
                tree, document = self.tree_of(program, *options, expect=expect)
                if tree["whole"]:
                    self.assert_adds_up(tree, document)
                self.assertTrue(all(node["action"] for node in tree["nodes"][1:]))

    def test_a_large_search_is_summarised(self):
        self.write("writers.c", WRITERS)
        tree, document = self.tree_of("writers.c", expect=VERIFIED)
        self.assertFalse(tree["whole"])
        self.assertEqual(tree["nodes"][0]["executions"], document["executions"])
        self.assertLessEqual(len(tree["nodes"]), 1000)
        self.assertGreater(tree["sampled"], 100)
        self.assertAlmostEqual(sum(line["share"] for line in tree["lines"]), 1)
        self.assertEqual({line["place"] for line in tree["lines"]}, {"writers.c:7", "writers.c:8"})

    def test_a_final_state_reads_the_same_however_it_is_reached(self):
        self.write("writers.c", WRITERS.replace("i < 3; ++i) {", "i < 1; ++i) {"))
        tree, document = self.tree_of("writers.c", expect=VERIFIED)
        self.assert_adds_up(tree, document)
        states = {node["state"] for node in tree["nodes"] if "state" in node}
        self.assertEqual(states, {f"x = 3, y = {last}" for last in range(3)})

    def test_nobody_pays_who_does_not_ask(self):
        self.mazurka("check", EXAMPLES / "threads" / "bank.cpp", "--json", "out.json", expect=FINDING)
        self.assertIsNone(json.loads((self.folder / "out.json").read_text())["tree"])

    def test_the_search_is_the_same_with_it(self):
        self.write("writers.c", WRITERS)
        digests = set()
        for options in ([], ["--tree"]):
            self.mazurka("check", "writers.c", "--json", "out.json", *options, expect=VERIFIED)
            digests.add(json.loads((self.folder / "out.json").read_text())["statistics"]["digest"])
        self.assertEqual(len(digests), 1)


class Graphs(WithPages):
    """--dot and --mermaid. Graphviz judges the former, if it is there."""

    def graphs(self, program, *options):
        self.mazurka("check", program, "--dot", "out.dot", "--mermaid", "out.md", *options, expect=FINDING)
        if shutil.which("dot"):
            drawn = subprocess.run(["dot", "-Tsvg", "out.dot"], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
        return (self.folder / "out.dot").read_text(), (self.folder / "out.md").read_text()

    def test_every_kind_of_program(self):
        for program, graphs, diagrams in (("threads/bank.cpp", 2, 2), ("threads/race.cpp", 2, 2),
                                          ("threads/deadlock.cpp", 2, 2), ("actors/shop.cpp", 2, 3),
                                          ("messages/elevator.cpp", 2, 3), ("automata/philosophers.tck", 1, 1)):
            with self.subTest(program):
                dot, mermaid = self.graphs(EXAMPLES / program)
                self.assertEqual(dot.count("digraph "), graphs)
                self.assertEqual(mermaid.count("```mermaid\n"), diagrams)

    def test_what_is_special_about_a_finding(self):
        dot, mermaid = self.graphs(EXAMPLES / "threads" / "race.cpp")
        self.assertEqual(dot.count("nothing orders these"), 1)
        self.assertEqual(mermaid.count(" x--x"), 1)
        dot, mermaid = self.graphs(EXAMPLES / "threads" / "deadlock.cpp")
        self.assertEqual(mermaid.count(" ==>"), 3)  # main waits for T1, T1 and T2 for each other
        _, mermaid = self.graphs(EXAMPLES / "actors" / "shop.cpp")
        self.assertIn("p4->>p2: charge(Bob, 30)", mermaid)

    def test_hostile_names(self):
        self.write("evil.c", hostile_program())
        dot, mermaid = self.graphs("evil.c")
        self.assertNotIn("<img", mermaid)
        self.assertNotIn("</script", mermaid)


@unittest.skipUnless(BROWSER, "there is no browser")
class InBrowser(WithPages):
    def setUp(self):
        super().setUp()
        self.browser = Browser()
        self.addCleanup(self.browser.__exit__)

    def show(self, program, *options, place="", expect=FINDING):
        self.page(program, *options, expect=expect)
        self.browser.open(self.address(place))
        self.assertTrue(self.browser.run("document.documentElement.dataset.ready"), self.browser.complaints)

    def hash(self):
        return self.browser.run("location.hash")

    def assert_quiet(self):
        """Nothing went wrong, nothing was asked for from anywhere, and nothing is wider than the window."""
        self.assertEqual(self.browser.complaints, [])
        self.assertEqual([url for url in self.browser.requests if not url.startswith("file://")], [])
        self.assertLessEqual(len(self.browser.requests), 1)
        self.assertEqual(self.browser.run("document.documentElement.scrollWidth > innerWidth"), False)
        twice = "[...document.querySelectorAll('[id]')].map((x) => x.id).filter((x, k, all) => all.indexOf(x) !== k)"
        self.assertEqual(self.browser.run(twice), [])
        unnamed = ("[...document.querySelectorAll('button, input, select')].filter((x) => "
                   "!(x.getAttribute('aria-label') || x.textContent.trim())).map((x) => x.outerHTML)")
        self.assertEqual(self.browser.run(unnamed), [])


class Stepping(InBrowser):
    def test_an_assertion(self):
        self.show(EXAMPLES / "threads" / "bank.cpp")
        browser = self.browser
        self.assertEqual(browser.text("verdict"), "finding")
        self.assertIn("account.balance() >= 0", browser.text("message"))
        self.assertEqual(browser.text("count").replace("\u2009", ""), "20/20")
        browser.press("ArrowUp")
        self.assertEqual(self.hash(), "#1.19")
        browser.press("r")
        self.assertEqual(self.hash(), "#1.5")
        browser.press("]")
        self.assertEqual(self.hash(), "#1.12")
        browser.press("ArrowDown", "a")
        self.assertEqual(self.hash(), "#1.10")
        browser.press("Home")
        self.assertEqual(self.hash(), "#1.1")
        browser.press("f")
        self.assertEqual(self.hash(), "#1.20")
        self.assertEqual(browser.count("[data-test=no-return]"), 1)
        self.assert_quiet()

    def test_links_lead_to_a_step_and_junk_does_not(self):
        self.show(EXAMPLES / "threads" / "bank.cpp", place="#1.14")
        self.assertTrue(self.browser.text("count").startswith("14"))
        self.assertEqual(self.browser.count("[data-test=arrow][data-kind=rf]"), 1)
        self.assertIn("-30", self.browser.run("document.querySelector('[data-name=\"account.balance_\"]').textContent"))
        self.browser.run("location.hash = '#1.3/graph'")
        self.browser.settle()
        self.assertFalse(self.browser.run("document.getElementById('view-graph').hidden"))
        for junk in ("#7.99999", "#%00", "#1.0", "#nothing", "#-1.-1"):
            self.browser.run(f"location.hash = '{junk}'")
            self.browser.settle()
        self.assert_quiet()

    def test_the_source_follows(self):
        self.show(EXAMPLES / "threads" / "bank.cpp", place="#1.14")
        here = self.browser.run("document.querySelector('.line.here').dataset.line")
        self.assertIn("balance_ -= amount", self.browser.run("document.querySelector('.line.here').textContent"))
        self.browser.run("document.querySelector('.line.here').click()")
        self.browser.settle()
        self.assertEqual(self.browser.run("document.querySelector('.line.here').dataset.line"), here)
        self.assertNotEqual(self.hash(), "#1.14")
        self.browser.run("document.querySelectorAll('[data-test=frame]')[0].click()")
        self.assertEqual(self.browser.count(".line.asked"), 1)
        self.assert_quiet()

    def test_search(self):
        self.show(EXAMPLES / "threads" / "bank.cpp")
        self.browser.press("/")
        for letter in "write balance":
            self.browser.call("Input.insertText", text=letter)
        self.browser.settle()
        self.assertRegex(self.browser.text("found"), r"\d/2")
        before = self.hash()
        self.browser.press("Enter")
        self.assertNotEqual(self.hash(), before)
        self.browser.press("Escape")
        self.assertEqual(self.browser.text("found"), "")
        self.assert_quiet()

    def test_help_and_copying(self):
        self.show(EXAMPLES / "threads" / "bank.cpp")
        self.browser.press("?")
        self.assertTrue(self.browser.run("document.getElementById('help').open"))
        self.browser.press("Escape")
        self.assertFalse(self.browser.run("document.getElementById('help').open"))
        self.browser.click("copy-replay")
        self.assertIn("Cop", self.browser.text("live"))
        self.assert_quiet()


class Views(InBrowser):
    def test_a_data_race(self):
        self.show(EXAMPLES / "threads" / "race.cpp")
        self.assertEqual(self.browser.count("[data-test=arrow][data-kind=race]"), 1)
        self.assertEqual(self.browser.count(".pair .one"), 2)
        self.browser.press("2")
        self.assertEqual(self.browser.count("[data-test=race-edge]"), 1)
        # The checker says that nothing orders them, and so does the graph.
        events = self.browser.run("[...document.querySelectorAll('.hb-node.fail')].map((x) => x.classList[1]).sort()")
        self.assertEqual(events, ["apart", "self"])
        self.assert_quiet()

    def test_a_deadlock(self):
        self.show(EXAMPLES / "threads" / "deadlock.cpp")
        self.assertIn("wants", self.browser.text("cycle"))
        self.assertEqual(self.browser.count("[data-test=event][data-op=stuck]"), 3)
        self.assertEqual(self.browser.count("[data-test=arrow][data-kind=held]"), 1)
        self.browser.press("2", "ArrowUp", "ArrowUp")
        self.assertGreater(self.browser.count("[data-test=graph-node]"), 3)
        self.assert_quiet()

    def test_a_program_without_a_finding(self):
        self.show(EXAMPLES / "threads" / "bank_fixed.cpp", expect=VERIFIED)
        self.assertEqual(self.browser.text("verdict"), "verified")
        self.assertIn("Every behaviour", self.browser.text("summary"))
        self.assert_quiet()

    def test_a_search_that_was_cut(self):
        self.show(EXAMPLES / "threads" / "bank_fixed.cpp", "--max-executions", "1", expect=INCONCLUSIVE)
        self.assertEqual(self.browser.text("verdict"), "inconclusive")
        self.assert_quiet()

    def test_actors_and_messages(self):
        for program in ("actors/shop.cpp", "messages/elevator.cpp", "messages/forgotten.cpp"):
            self.show(EXAMPLES / program)
            self.browser.press("Home", "ArrowDown", "ArrowDown", "2", "3", "1")
            self.assertGreater(self.browser.count("[data-test=event]"), 0)
            self.assert_quiet()

    def test_automata(self):
        self.show(EXAMPLES / "automata" / "philosophers.tck")
        self.browser.press("Home", "ArrowDown", "2", "3")
        locations = "[...document.querySelectorAll('[data-test=automaton]')].map((x) => x.dataset.location)"
        self.assertEqual(self.browser.run(locations), ["has_left", "has_left", "thinks", "taken", "taken", "free"])
        self.browser.press("Home")
        self.assertEqual(self.browser.run(locations), ["has_left", "thinks", "thinks", "taken", "free", "free"])
        self.assertEqual(self.browser.count(".automaton.moves"), 2)
        self.browser.press("1", "f")
        self.assertEqual(self.browser.count("[data-test=event][data-op=stuck]"), 3)
        self.assert_quiet()

    def test_the_state_of_actors(self):
        self.show(EXAMPLES / "actors" / "shop.cpp", place="#1.9")
        bank = "document.querySelector('[data-test=watch-row][data-name=Bank]').textContent"
        self.assertIn("{60}", self.browser.run(bank))
        self.browser.press("ArrowUp")
        self.assertNotIn("{60}", self.browser.run(bank))
        self.assertGreater(self.browser.count(".send"), 5)
        self.assert_quiet()

    def test_a_comparison_of_techniques(self):
        self.show(EXAMPLES / "threads" / "bank_fixed.cpp", "--compare", "optimal,exhaustive", expect=VERIFIED)
        self.browser.press("1")
        rows = "[...document.querySelectorAll('[data-test=compare-row]')].map((x) => x.dataset.technique)"
        self.assertEqual(self.browser.run(rows), ["optimal", "exhaustive"])
        self.assert_quiet()

    def test_phone_dark_and_print(self):
        self.page(EXAMPLES / "threads" / "bank.cpp")
        self.browser.resize(400, 800)
        self.browser.media("dark")
        self.browser.open(self.address())
        self.browser.press("ArrowUp")
        self.assert_quiet()
        self.browser.resize(1400, 900)
        self.browser.settle()
        self.assertGreater(len(self.browser.pdf()), 10000)
        self.assert_quiet()


class Exploration(InBrowser):
    def test_the_tree(self):
        self.show(EXAMPLES / "threads" / "bank.cpp", "--keep-going", place="#1.1/tree")
        browser = self.browser
        self.assertEqual(browser.count("[data-test=leaf]"), 6)
        self.assertEqual(browser.count("[data-test=leaf][data-kind=fail]"), 4)
        self.assertEqual(browser.count("[data-test=reversed]"), 5)
        self.assertEqual(browser.count("[data-test=final-state]"), 3)
        self.assertIn("Execution 2", browser.run("document.querySelector('.tree-side').textContent"))
        self.assertEqual(browser.count("[data-test=tree-steps] li"), 12)
        browser.run("document.querySelector('[data-test=tree-box]').focus()")
        browser.press("ArrowUp")
        self.assertIn("Execution 1", browser.run("document.querySelector('.tree-side').textContent"))
        self.assertEqual(browser.count("[data-test=tree-steps] li"), 10)
        browser.run("document.querySelectorAll('[data-test=leaf]')[1].dispatchEvent(new Event('click'))")
        browser.settle()
        browser.click("tree-finding")
        self.assertEqual(self.hash(), "#1.20")
        self.assert_quiet()

    def test_what_is_asleep_says_where_it_is_explored(self):
        self.show(EXAMPLES / "threads" / "bank_fixed.cpp", "--technique", "sleep", place="#tree", expect=VERIFIED)
        browser = self.browser
        self.assertGreater(browser.count("[data-test=leaf][data-kind=asleep]"), 0)
        browser.run("document.querySelector('[data-test=leaf][data-kind=asleep]').dispatchEvent(new Event('click'))")
        browser.settle()
        self.assertIn("explored elsewhere", browser.text("tree-why"))
        browser.run("document.querySelector('[data-test=tree-why] button').click()")
        self.assertEqual(browser.count("[data-test=tree-why]"), 0)
        self.assert_quiet()

    def test_a_large_search(self):
        self.write("writers.c", WRITERS)
        self.show("writers.c", place="#tree", expect=VERIFIED)
        browser = self.browser
        blocks = browser.count("[data-test=flame-block]")
        self.assertGreater(blocks, 100)
        self.assertEqual(browser.count("[data-test=tree-line]"), 2)
        browser.run("document.querySelectorAll('[data-test=flame-block]')[1].dispatchEvent(new Event('click'))")
        browser.settle()
        self.assertNotIn("100.0", browser.text("flame-say"))
        browser.click("flame-all")
        self.assertEqual(browser.count("[data-test=flame-block]"), blocks)
        self.assert_quiet()

    def test_a_verified_program_opens_at_its_summary(self):
        self.show(EXAMPLES / "threads" / "bank_fixed.cpp", expect=VERIFIED)
        self.assertFalse(self.browser.run("document.getElementById('view-summary').hidden"))
        self.browser.click("tab-tree")
        self.assertEqual(self.hash(), "#tree")
        self.assertGreater(self.browser.count("[data-test=leaf]"), 1)
        self.assert_quiet()

    def test_on_a_phone(self):
        self.browser.resize(390, 800)
        self.show(EXAMPLES / "threads" / "bank.cpp", "--keep-going", place="#1.1/tree")
        self.assertEqual(self.browser.count("[data-test=leaf]"), 6)
        self.assert_quiet()


class Large(InBrowser):
    def test_thousands_of_events(self):
        self.write("long.c", LONG)
        self.show("long.c", "--max-executions", "1")
        browser = self.browser
        number = int(re.sub(r".*/\u2009?|\s", "", browser.text("count")))
        self.assertGreater(number, 3000)
        # However many there are, only those in view are in the page.
        self.assertLess(browser.count("*"), 6000)
        self.assertGreater(browser.count("[data-test=fold]"), 0)
        browser.click("detail-all")
        self.assertEqual(browser.count("[data-test=fold]"), 0)
        browser.press("Home", "ArrowDown")
        self.assertEqual(self.hash(), "#1.2")
        browser.click("detail-runs")
        browser.press("]", "f", "2")
        self.assertLess(browser.count("*"), 6000)
        browser.click("tab-tree")
        self.assertIn("without a choice", browser.text("tree-steps"))
        self.assertLess(browser.count("*"), 6000)
        self.assert_quiet()


    def test_ten_thousand_events_are_stepped_through_at_once(self):
        page = self.page(EXAMPLES / "threads" / "bank.cpp")
        data = self.data_of(page)
        story = data["findings"][0]["story"]
        rounds = 10_000 // len(story["rows"]) + 1
        last = story["rows"].pop()
        story["rows"] = [{**row, "no_return": False, "read_from": None, "event": {**row["event"], "after": []}}
                         for _ in range(rounds) for row in story["rows"]] + [{**last, "read_from": None}]
        story["delays"] = []
        self.replace_data(page, data)
        browser = self.browser
        begun = time.monotonic()
        browser.open(self.address())
        opening = time.monotonic() - begun
        self.assertGreater(len(story["rows"]), 9_500)
        for view in ("1", "2"):
            browser.press(view)
            usual, largest = browser.run("""(async () => {
              // What a step makes anew: nodes, with all below them.
              let made = 0;
              const count = (node) => 1 + (node.querySelectorAll ? node.querySelectorAll('*').length : 0);
              const watch = new MutationObserver((records) => {
                for (const record of records) for (const node of record.addedNodes) made += count(node);
              });
              watch.observe(document.body, { childList: true, subtree: true });
              const times = [];
              const all = [];
              for (const key of ['Home', ...Array(30).fill('ArrowDown'), 'End', ...Array(30).fill('ArrowUp')]) {
                made = 0;
                const begun = performance.now();
                document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
                document.body.getBoundingClientRect();
                times.push(performance.now() - begun);
                await new Promise((done) => requestAnimationFrame(done));
                all.push(made);
              }
              watch.disconnect();
              return [times.sort((a, b) => a - b)[Math.floor(times.length * 0.9)], Math.max(...all)];
            })()""")
            print(f"10,000 events, view {view}: nine steps of ten within {usual:.0f} ms, opened in {opening:.1f} s, "
                  f"at most {largest} nodes made by a step")
            # Those of what is in view, not of ten thousand events.
            self.assertGreater(largest, 0)
            self.assertLess(largest, 3_000)
        self.assertEqual(browser.complaints, [])


class Hostile(InBrowser):
    def test_names_values_and_sources_are_text(self):
        self.write("evil.c", hostile_program())
        self.show("evil.c")
        self.assertEqual(self.browser.count("img"), 0)
        self.assertIn("</script><img src=x onerror=alert(1)>", self.browser.text("message"))
        self.assertIn("\u27e8U+202E\u27e9", self.browser.text("source"))
        self.browser.press("Home", "2", "3")
        self.assert_quiet()

    def test_a_document_of_which_every_text_is_hostile(self):
        page = self.page(EXAMPLES / "threads" / "deadlock.cpp")
        data = self.data_of(page)

        def worse(value, key=""):
            if isinstance(value, dict):
                return {k: worse(v, k) for k, v in value.items()}
            if isinstance(value, list):
                return [worse(v, key) for v in value]
            kept = ("op", "type", "switch", "layout", "verdict", "kind", "file", "place")
            return value + EVIL * 200 + "\x1b\u202e\ud83d" if isinstance(value, str) and key not in kept else value
        self.replace_data(page, worse(data))
        self.browser.open(self.address())
        self.browser.press("Home", "ArrowDown", "2", "3", "1", "f")
        self.assertEqual(self.browser.count("img"), 0)
        self.assert_quiet()


if __name__ == "__main__":
    unittest.main()
