"""A page in a real browser: Debian's Chromium without a window, spoken to through two pipes.

The DevTools protocol needs nothing but these: messages are JSON, each ends in a zero byte.
"""

import atexit
import functools
import json
import os
import shutil
import subprocess
import tempfile

BROWSER = next((path for name in ("chromium", "chromium-browser", "google-chrome")
                if (path := shutil.which(name))), None)
KEYS = {"ArrowUp": 38, "ArrowDown": 40, "Home": 36, "End": 35, "Escape": 27, "Enter": 13}


class Chromium:
    """The process. To start it takes longer than most tests: there is one for all of them."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="mazurka-browser-")
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        # The browser expects the pipes as descriptors 3 and 4; they may be others' numbers here.
        def hand_over():
            first, second = os.dup(to_browser), os.dup(from_browser)
            while first in (3, 4):
                first = os.dup(first)
            while second in (3, 4):
                second = os.dup(second)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--hide-scrollbars", "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
             "--disable-backgrounding-occluded-windows", "--remote-debugging-pipe",
             f"--user-data-dir={self.folder}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=hand_over, close_fds=False)
        os.close(to_browser)
        os.close(from_browser)
        self.rest = b""
        self.number = 0
        self.pages = {}  # by session: who is told what happens there
        atexit.register(self.end)

    def end(self):
        os.close(self.write_end)
        self.process.kill()
        self.process.wait()
        os.close(self.read_end)
        shutil.rmtree(self.folder, ignore_errors=True)

    def receive(self):
        """The next answer, if it is one; what happens in a page is for that page."""
        while b"\0" not in self.rest:
            part = os.read(self.read_end, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        if "id" not in message and message.get("sessionId") in self.pages:
            self.pages[message["sessionId"]].note(message)
        return message

    def call(self, session, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data):]
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]


@functools.cache
def chromium():
    return Chromium()


class Browser:
    """One page, in a window of that size, that knows nothing of other pages. What goes wrong in it is in
    `complaints`; what it asks for from anywhere is in `requests`."""

    def __init__(self, width=1400, height=900):
        self.chromium = chromium()
        self.complaints = []
        self.requests = []
        self.events = []
        self.session = None
        self.context = self.call("Target.createBrowserContext")["browserContextId"]
        page = self.call("Target.createTarget", url="about:blank", browserContextId=self.context, width=width,
                         height=height)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        self.chromium.pages[self.session] = self
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.resize(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        del self.chromium.pages[self.session]
        self.session = None
        self.call("Target.disposeBrowserContext", browserContextId=self.context)

    def call(self, method, **parameters):
        return self.chromium.call(self.session, method, **parameters)

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=False)

    def media(self, scheme="light", kind=""):
        self.call("Emulation.setEmulatedMedia", media=kind,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def note(self, event):
        parameters = event.get("params", {})
        method = event.get("method")
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.complaints.append(parameters["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            self.complaints.append(str(parameters["args"]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        self.events.append(method)

    def open(self, address):
        """Until the page says that it is drawn."""
        self.navigate("about:blank")
        self.requests.clear()
        self.navigate(address)
        self.run("""new Promise((done) => {
          const ready = () => document.documentElement.dataset.ready;
          const look = () => ready() ? requestAnimationFrame(() => done()) : setTimeout(look, 20);
          setTimeout(done, 20000);
          look();
        })""")

    def navigate(self, address):
        self.events.clear()
        self.call("Page.navigate", url=address)
        while "Page.loadEventFired" not in self.events:
            self.chromium.receive()

    def run(self, script):
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def press(self, *keys):
        for key in keys:
            for kind in ("keyDown", "keyUp"):
                text = {"text": key} if len(key) == 1 and kind == "keyDown" else {}
                self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=KEYS.get(key, 0), **text)
        self.settle()

    def settle(self):
        """What was asked for is drawn, and the address has come to rest."""
        self.run("new Promise((done) => setTimeout(() => requestAnimationFrame(() => done()), 300))")

    def click(self, test):
        self.run(f"document.querySelector('[data-test=\"{test}\"]').click()")
        self.settle()

    def text(self, test):
        return self.run(f"document.querySelector('[data-test=\"{test}\"]')?.textContent")

    def count(self, selector):
        return self.run(f"document.querySelectorAll({json.dumps(selector)}).length")

    def screenshot(self):
        return self.call("Page.captureScreenshot", format="png")["data"]

    def pdf(self):
        return self.call("Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69)["data"]
