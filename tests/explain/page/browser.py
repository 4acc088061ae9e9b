"""Drives a headless Chromium over pipes, by the DevTools protocol; the standard library is all it needs."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


PATIENCE = 120  # seconds: what takes one on an idle machine takes many on a busy one


class Browser:
    """One page in one Chromium.  What its console or the engine complains of is kept in `errors`."""

    def __init__(self, program, width=1500, height=1000):
        self.home = tempfile.mkdtemp(prefix="halogen-page-")
        self.errors = []
        self.requests = []
        self.number = 0
        self.rest = b""
        to_read, self.to = os.pipe()
        self.come, to_write = os.pipe()
        # Debian's script passes on descriptors 3 and 4, by which the protocol goes.
        command = (f'exec "$0" --headless --no-sandbox --disable-gpu --hide-scrollbars --remote-debugging-pipe '
                   f'--no-first-run --window-size={width},{height} --user-data-dir="$1" 3<&{to_read} 4>&{to_write}')
        self.process = subprocess.Popen(["sh", "-c", command, program, self.home], pass_fds=(to_read, to_write),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM", "Accessibility"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next(PATIENCE)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def _next(self, seconds):
        until = time.monotonic() + seconds
        while b"\0" not in self.rest:
            if not select.select([self.come], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("Chromium says nothing")
            piece = os.read(self.come, 1 << 16)
            if not piece:
                raise RuntimeError("Chromium has ended")
            self.rest += piece
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, method, about):
        if method == "Runtime.exceptionThrown":
            details = about["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning", "assert"):
            self.errors.append(str(about["args"]))
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.errors.append(about["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])

    def open(self, url):
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self.get("document.readyState === 'complete'"):
                return
            time.sleep(0.05)
        raise TimeoutError(f"{url} does not get ready")

    def get(self, expression):
        """The value of an expression of JavaScript in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def box(self, selector):
        """Where an element is, after scrolling to it."""
        return self.get(f"""(() => {{ const e = document.querySelector({json.dumps(selector)}); if (!e) return null;
            e.scrollIntoView({{ block: "center" }}); const r = e.getBoundingClientRect();
            return {{ x: r.x, y: r.y, width: r.width, height: r.height }}; }})()""")

    def click(self, selector):
        place = self.box(selector)
        assert place, f"there is no {selector}"
        x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def point(self, selector):
        place = self.box(selector)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=place["x"] + place["width"] / 2, y=place["y"] + place["height"] / 2)

    def key(self, name):
        codes = {"Tab": 9, "Enter": 13, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35}
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code="Space" if name == " " else name, windowsVirtualKeyCode=codes[name])

    def write(self, selector, text):
        """Sets an input or a select as a user does, with its event."""
        self.get(f"""(() => {{ const e = document.querySelector({json.dumps(selector)}); e.value = {json.dumps(str(text))};
            e.dispatchEvent(new Event("change", {{ bubbles: true }})); }})()""")

    def text(self, selector):
        return self.get(f"document.querySelector({json.dumps(selector)})?.textContent")

    def count(self, selector):
        return self.get(f"document.querySelectorAll({json.dumps(selector)}).length")

    def picture(self, path, selector=None, margin=0):
        """A PNG of an element, or of all that is seen."""
        options = {}
        if selector:
            place = self.box(selector)
            scroll = self.get("[window.scrollX, window.scrollY]")
            options = {"captureBeyondViewport": True, "clip": {
                "x": max(0, place["x"] + scroll[0] - margin), "y": max(0, place["y"] + scroll[1] - margin),
                "width": place["width"] + 2 * margin, "height": place["height"] + 2 * margin, "scale": 1}}
        data = self.call("Page.captureScreenshot", format="png", **options)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except (OSError, RuntimeError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.come)
        shutil.rmtree(self.home, ignore_errors=True)
