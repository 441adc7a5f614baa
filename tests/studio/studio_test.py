#!/usr/bin/env python3
"""The studio: requests that it answers and refuses, and its page in a browser."""

import http.client
import json
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "html"))
from browser import BROWSER, Browser  # noqa: E402
from calling import MAZURKA, SOURCE, InFolder, command_lines  # noqa: E402

EVIL = '</script><img src=x onerror=alert(1)>"\'&amp;<!--'

FINE = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
atomic_int x;
void* writer(void* number) { atomic_store(&x, (int)(long)number); return 0; }
int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], 0, writer, (void*)(long)(i + 1));
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
  assert(x <= N);
}
"""

# More executions than anybody waits for.
LARGE = FINE.replace("#define N 2", "#define N 9").replace(
    "atomic_store(", "for (int i = 0; i < 3; ++i) atomic_store(")

CRASHES = FINE.replace("assert(x <= N);", "if (x == N) *(volatile int*)8 = 1;")

HOSTILE = FINE.replace("assert(x <= N);", f"assert(x == 0 && {json.dumps(EVIL)});")


class WithStudio(InFolder):
    checks = 2

    def setUp(self):
        super().setUp()
        self.programs = self.folder / "programs"
        self.programs.mkdir()
        (self.programs / "fine.c").write_text(FINE)
        (self.programs / "large.c").write_text(LARGE)
        (self.programs / "broken.c").write_text("int main( {")
        (self.programs / "crashes.c").write_text(CRASHES)
        (self.programs / "hostile.c").write_text(HOSTILE)
        (self.programs / f"{EVIL.replace('/', '')}.c").write_text(FINE)
        (self.folder / "secret.c").write_text("the secret")
        (self.programs / "link.c").symlink_to(self.folder / "secret.c")
        self.studio = subprocess.Popen(
            [str(MAZURKA), "studio", str(self.programs), "--checks", str(self.checks)],
            stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end_studio)
        self.address = re.search(r"http://\S+", self.studio.stdout.readline()).group(0)
        self.host, self.token = re.fullmatch(r"http://(127\.0\.0\.1:\d+)/([0-9a-f]{48})/", self.address).groups()

    def end_studio(self):
        if self.studio.poll() is None:
            self.studio.send_signal(signal.SIGINT)
        self.studio.wait(timeout=30)
        self.studio.stdout.close()


class Requests(WithStudio):
    checks = 1

    def ask(self, path, method="GET", body=None, **headers):
        """Status and answer. The path is below the token; with a slash in front it is the whole one."""
        connection = http.client.HTTPConnection(self.host, timeout=30)
        path = path if path.startswith("/") else f"/{self.token}/{path}"
        connection.putrequest(method, path, skip_host=True)
        headers = {"Host": self.host, **{name.replace("_", "-"): value for name, value in headers.items()}}
        data = b"" if body is None else json.dumps(body).encode()
        if body is not None:
            headers = {"Content-Type": "application/json", "Content-Length": str(len(data)), **headers}
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders(data)
        response = connection.getresponse()
        text = response.read().decode(errors="replace")
        self.headers = dict(response.getheaders())
        connection.close()
        return response.status, text

    def run_program(self, name, *options):
        text = (self.programs / name).read_text()
        status, answer = self.ask("run", "POST", {"name": name, "text": text, "options": list(options)})
        return status, json.loads(answer)

    def finished(self, run):
        seen = {}

        def is_over():
            seen.update(json.loads(self.ask(f"run/{run}")[1]))
            return not seen["running"]
        self.wait_for(is_over, "the run")
        return seen

    def test_whoever_has_the_address_may_ask(self):
        for path in ("", "menu"):
            self.assertEqual(self.ask(path)[0], 200, path)
        for name in ("folder:fine.c", "folder:" + EVIL.replace("/", "") + ".c", "example:threads/bank.cpp"):
            self.assertEqual(self.ask("program", "POST", {"name": name})[0], 200, name)
        self.assertEqual(self.ask("menu", Origin="http://" + self.host, Sec_Fetch_Site="same-origin")[0], 200)
        self.assertEqual(self.headers["Cache-Control"], "no-store")
        self.assertNotIn("Access-Control-Allow-Origin", self.headers)

    def test_nobody_else(self):
        wrong = "0" * len(self.token)
        for path in ("/", "/menu", f"/{wrong}/menu", f"/{self.token}", f"/{self.token[:-1]}/menu", "//menu"):
            self.assertEqual(self.ask(path)[0], 403, path)
        for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"},
                        {"Host": "evil.example"}, {"Host": "evil.example:" + self.host.split(":")[1]},
                        {"Origin": "http://127.0.0.1:1"}):
            self.assertEqual(self.ask("menu", **headers)[0], 403, headers)
        body = {"name": "fine.c", "text": FINE, "options": []}
        self.assertEqual(self.ask("run", "POST", body, Content_Type="text/plain")[0], 403)
        self.assertEqual(self.ask("run", "POST", body, Origin="http://evil.example")[0], 403)
        self.assertEqual(self.ask("menu", "DELETE")[0], 403)
        self.assertEqual(self.ask("menu", "OPTIONS", Origin="http://evil.example")[0], 403)

    def test_nothing_outside_of_the_folder_can_be_read(self):
        for name in ("../secret.c", "link.c", "/etc/passwd", "..%2Fsecret.c", str(self.folder / "secret.c"), ""):
            status, text = self.ask("program", "POST", {"name": "folder:" + name})
            self.assertEqual(status, 404, name)
            self.assertNotIn("the secret", text)
        for path in ("run/1/../../secret.c", "../secret.c", "run/../../../etc/passwd", "run/999999/report.html"):
            status, text = self.ask(path)
            self.assertGreaterEqual(status, 400)
            self.assertNotIn("the secret", text)

    def test_options_that_name_files_are_refused(self):
        for options in (["--json", "/tmp/x"], ["--html=/tmp/x"], ["--resume", "x"], ["-include", "/etc/passwd"],
                        ["@/etc/passwd"], ["../secret.c"], ["--nonsense"]):
            self.assertEqual(self.run_program("fine.c", *options)[0], 400, options)
        for body in ({}, {"name": "x.txt", "text": "", "options": []}, {"name": ".c", "text": "", "options": []},
                     {"name": "-x.c", "text": "", "options": []}, {"name": "x.c", "text": 1, "options": []}, [], "x"):
            self.assertEqual(self.ask("run", "POST", body)[0], 400, body)

    def test_a_run_leaves_its_reports(self):
        status, answer = self.run_program("crashes.c", "--technique", "source")
        self.assertEqual(status, 200)
        seen = self.finished(answer["run"])
        self.assertEqual(seen["exit_code"], 1)
        outcome = json.loads(self.ask(f"run/{answer['run']}/outcome.json")[1])
        self.assertEqual((outcome["verdict"], outcome["technique"]), ("finding", "source"))
        self.assertEqual(outcome["findings"][0]["kind"], "crash")
        self.assertIn("<!doctype html>", self.ask(f"run/{answer['run']}/report.html")[1])
        schedule = json.loads(self.ask(f"run/{answer['run']}/1.schedule")[1])
        self.assertTrue(schedule)
        self.assertEqual(self.ask(f"run/{answer['run']}/2.schedule")[0], 404)

    def test_at_most_so_many_at_once_and_all_end_with_it(self):
        status, answer = self.run_program("large.c")
        self.assertEqual(status, 200)
        self.assertEqual(self.run_program("fine.c")[0], 429)
        run = answer["run"]
        self.wait_for(lambda: json.loads(self.ask(f"run/{run}?from=0")[1])["count"] > 1, "progress")
        line = json.loads(self.ask(f"run/{run}?from=0")[1])["progress"][-1]
        self.assertGreater(line["executions"], 0)
        self.assertTrue(all(shared <= events for shared, events, _ in line["latest"]))
        mine = lambda: [pid for pid, words in command_lines().items() if "large.c" in words or "large-" in words]
        self.assertTrue(mine())
        self.end_studio()
        self.assertEqual(self.studio.returncode, 0)
        self.wait_for(lambda: not mine(), "the checks to end")

    def test_a_run_that_is_stopped_says_what_it_has_seen(self):
        run = self.run_program("large.c")[1]["run"]
        self.wait_for(lambda: json.loads(self.ask(f"run/{run}")[1])["count"] > 0, "progress")
        self.assertEqual(json.loads(self.ask(f"run/{run}/stop", "POST", {})[1]), {"stopped": True})
        self.assertTrue(self.finished(run)["stopped"])
        self.assertEqual(json.loads(self.ask(f"run/{run}/outcome.json")[1])["verdict"], "inconclusive")
        self.assertEqual(json.loads(self.ask(f"run/{run}/stop", "POST", {})[1]), {"stopped": False})
        self.assertEqual(self.run_program("fine.c")[0], 200)

    def test_a_folder_that_is_none(self):
        done = self.run_command([MAZURKA, "studio", "nothing"])
        self.assertEqual(done.returncode, 2)
        self.assertIn("nothing", done.stderr)
        self.assertEqual(self.run_command([MAZURKA, "studio", "--checks", "0"]).returncode, 2)


@unittest.skipUnless(BROWSER, "there is no browser")
class InBrowser(WithStudio):
    def setUp(self):
        super().setUp()
        self.browser = self.new_tab()

    def new_tab(self):
        browser = Browser(1500, 950)
        self.addCleanup(browser.__exit__)
        browser.open(self.address)
        self.assertTrue(browser.run("document.documentElement.dataset.ready"))
        return browser

    def choose(self, name, browser=None):
        browser = browser or self.browser
        browser.run(f"""(async () => {{
          const choice = document.querySelector('[data-test=program]');
          choice.value = {json.dumps(name)};
          choice.dispatchEvent(new Event('change'));
          for (let k = 0; k < 100 && !document.querySelector('[data-test=text]').value; ++k)
            await new Promise((done) => setTimeout(done, 20));
        }})()""")
        browser.settle()

    def wait_for_state(self, *states, browser=None):
        browser = browser or self.browser
        self.wait_for(lambda: browser.text("run-state") in states, f"{states}, not {browser.text('run-state')}")
        browser.settle()

    def run_and_wait(self, *states, browser=None):
        (browser or self.browser).click("run")
        self.wait_for_state(*states, browser=browser)

    def in_report(self, script, browser=None):
        """In the frame of the report, once it is drawn."""
        browser = browser or self.browser
        ready = """((frame) => frame.contentWindow.location.href.split('#')[0] === frame.src &&
                   frame.contentDocument?.documentElement?.dataset.ready)(document.querySelector('[data-test=report]'))"""
        self.wait_for(lambda: browser.run(ready), "the report")
        return browser.run("((document) => " + script + ")(document.querySelector('[data-test=report]').contentDocument)")

    def assert_quiet(self, browser=None):
        browser = browser or self.browser
        self.assertEqual(browser.complaints, [])
        self.assertEqual([url for url in browser.requests if not url.startswith(self.address)], [])


class InStudio(InBrowser):
    def test_run_change_run_again_and_compare(self):
        browser = self.browser
        self.choose("folder:fine.c")
        self.run_and_wait("verified")
        self.assertIn("2 executions", browser.text("progress"))
        self.assertEqual(self.in_report("document.querySelector('[data-test=verdict]').textContent"), "verified")
        browser.run("document.querySelector('[data-test=text]').value = "
                    "document.querySelector('[data-test=text]').value.replace('x <= N', 'x == 1')")
        self.run_and_wait("finding")
        self.assertIn("x == 1", self.in_report("document.querySelector('[data-test=message]').textContent"))
        self.assertEqual(browser.count("[data-test=download-schedule]"), 1)
        browser.click("tab-runs")
        self.assertEqual(browser.count("[data-test=run-row]"), 2)
        self.assertGreater(browser.count("[data-test=compared].differs"), 1)
        self.assertEqual((self.programs / "fine.c").read_text(), FINE)
        self.assert_quiet()

    def test_stop_and_run_again(self):
        browser = self.browser
        self.choose("folder:large.c")
        browser.click("run")
        self.wait_for(lambda: "executions" in (browser.text("progress") or ""), "progress")
        self.wait_for(lambda: not browser.run("document.querySelector('[data-test=live-tree]').hidden"), "the tree")
        browser.click("stop")
        self.wait_for_state("inconclusive")
        self.choose("folder:fine.c")
        self.run_and_wait("verified")
        self.assert_quiet()

    def test_options_and_techniques_are_explained_and_used(self):
        browser = self.browser
        self.choose("folder:fine.c")
        self.assertTrue(browser.text("technique-summary"))
        browser.run("document.querySelector('[data-test=technique]').value = 'dpor'; "
                    "document.querySelector('[data-test=flags]').value = '-DN=3'; "
                    "document.querySelector('[data-name=\"--max-executions\"]').value = '4'")
        self.run_and_wait("inconclusive")
        self.assertIn("4 executions, dpor", browser.text("progress"))
        self.choose("example:automata/philosophers.tck")
        self.assertEqual(browser.run("document.querySelector('[data-test=technique]').value"), "stateful")
        self.run_and_wait("finding")
        self.choose("example:actors/shop.cpp")
        browser.run("document.querySelector('[data-name=\"--max-executions\"]').value = ''")
        browser.run("document.querySelector('[data-test=technique]').value = 'optimal'")
        self.run_and_wait("finding")
        self.assert_quiet()

    def test_a_program_that_does_not_compile(self):
        self.choose("folder:broken.c")
        self.run_and_wait("error")
        self.assertIn("broken.c", self.browser.text("said"))
        self.choose("folder:fine.c")
        self.run_and_wait("verified")
        self.assert_quiet()

    def test_a_program_that_crashes(self):
        self.choose("folder:crashes.c")
        self.run_and_wait("finding")
        self.assertIn("Crash", self.in_report("document.querySelector('[data-test=message]').textContent"))
        self.assert_quiet()

    def test_two_tabs(self):
        other = self.new_tab()
        self.choose("folder:large.c")
        self.browser.click("run")
        self.wait_for(lambda: "executions" in (self.browser.text("progress") or ""), "progress")
        self.choose("folder:fine.c", other)
        self.run_and_wait("verified", browser=other)
        self.assertEqual(self.browser.text("run-state"), "Running")
        self.browser.click("stop")
        self.wait_for_state("inconclusive")
        self.assert_quiet()
        self.assert_quiet(other)

    def test_hostile_names_are_text(self):
        browser = self.browser
        name = EVIL.replace("/", "") + ".c"
        self.choose("folder:" + name)
        self.run_and_wait("verified")
        self.choose("folder:hostile.c")
        self.run_and_wait("finding")
        self.assertIn("<img src=x", self.in_report("document.querySelector('[data-test=message]').textContent"))
        browser.click("tab-runs")
        self.assertIn("<img src=x", browser.text("view-runs"))
        self.assertEqual(browser.count("img"), 0)
        self.assert_quiet()


class Tables(InBrowser):
    def test_techniques_by_sizes(self):
        browser = self.browser
        self.choose("folder:fine.c")
        browser.click("tab-table")
        browser.run("document.querySelector('[data-test=table-techniques]').value = 'optimal, exhaustive'; "
                    "document.querySelector('[data-test=table-sizes]').value = '1, 2, 3'")
        browser.click("table-run")
        self.wait_for(lambda: browser.count("[data-test=table-cell]") == 6, "the table")
        cells = browser.run("[...document.querySelectorAll('[data-test=table-cell]')].map((x) => x.firstChild.data)")
        self.assertEqual(cells[:3], ["1", "2", "6"])  # orders of N writes: N!
        self.assertEqual(browser.count("svg.plot"), 2)
        self.assertEqual(browser.count("[data-test=plot-line]"), 4)
        self.assert_quiet()

    def test_several_programs(self):
        browser = self.browser
        browser.click("tab-table")
        browser.run("for (const one of document.querySelector('[data-test=table-programs]').options) "
                    "one.selected = ['folder:fine.c', 'folder:crashes.c'].includes(one.value); "
                    "document.querySelector('[data-test=table-techniques]').value = 'optimal'; "
                    "document.querySelector('[data-test=table-sizes]').value = '2'")
        browser.click("table-run")
        self.wait_for(lambda: browser.count("[data-test=table-cell]") == 2, "the table")
        self.assertEqual(browser.count("[data-test=table-cell].finding"), 1)
        self.assertIn("crashes.c optimal", browser.text("table-result"))
        self.assert_quiet()


if __name__ == "__main__":
    unittest.main()
