#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""usage: page.py PAGE.html TOOL FOLDER...

Opens the page in headless Chromium, drops every tree of the folders on it, and compares the page
with the output of the tool; then attacks it. Screenshots are stored beside the page.
"""
import base64
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, "tests/tool")
from worst import imc  # noqa: E402

LIMIT = 180_000  # maximum size of the page, in bytes
CONTRAST = 4.5
NAME = b"NAME-OF-28-LETTERS-COMES-HERE"[:28]
counts = {"passed": 0, "failed": 0}


def check(good, what):
    counts["passed" if good else "failed"] += 1
    if not good:
        print("FAIL", what)


class Browser:
    """The necessary part of the WebDriver protocol."""

    def __init__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                self.base = f"http://127.0.0.1:{line.split()[-1].rstrip('.')}/session"
                break
        # Chromium has no sandbox as root. The resolver rule keeps it off the network.
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu",
                            "--host-resolver-rules=MAP * ~NOTFOUND"]}
        wanted = {"timeouts": {"script": 100_000}, "goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL"}}
        session = self.call("", {"capabilities": {"alwaysMatch": wanted}})
        self.base += "/" + session["sessionId"]

    def call(self, path, body=None, method="POST"):
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.base + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def run(self, script, *args):
        """Runs a script that may use await."""
        done = ("const done = arguments[arguments.length - 1];"
                f"(async (...args) => {{ {script} }})(...arguments)"
                ".then(done, (error) => done('error: ' + error))")
        return self.call("/execute/async", {"script": done, "args": args})

    def devtools(self, command, **params):
        return self.call("/goog/cdp/execute", {"cmd": command, "params": params})

    def look(self, width, scheme):
        self.devtools("Emulation.setEmulatedMedia",
                      features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=900,
                      deviceScaleFactor=1, mobile=False)

    def picture(self, to):
        self.run("scrollTo(0, 0); await new Promise((resume) => "
                 "requestAnimationFrame(() => setTimeout(resume, 100)))")
        size = self.devtools("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        shot = self.devtools("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        Path(to).write_bytes(base64.b64decode(shot["data"]))

    def end(self):
        try:
            self.call("", method="DELETE")
        finally:
            self.driver.terminate()
            self.driver.wait()


DROP = """
const data = new DataTransfer();
for (const [name, text] of args[0])
	data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
const event = new DragEvent("drop", { dataTransfer: data, cancelable: true });
const last = shown;
const before = performance.now();
document.dispatchEvent(event);
while (shown === last)
	await new Promise((resume) => setTimeout(resume));
await shown;
const pane = $("picture").shadowRoot;
return {
	milliseconds: performance.now() - before,
	status: $("status").textContent,
	bad: $("status").classList.contains("bad"),
	hidden: $("answers").hidden,
	show: $("show").textContent,
	source: $("source").textContent,
	cards: $("cards").innerText,
	places: document.querySelectorAll("#cards li").length,
	lines: [...document.querySelectorAll("#cards li")].map((li) => li.textContent.split(/: | /)[0]),
	asks: $("queries").value,
	absent: $("tables").parentElement.classList.contains("absent"),
	twice: [...document.querySelectorAll("#cards article")].filter((card) => [...card.querySelectorAll("dd")]
		.some((dd) => card.querySelector("ul").textContent.includes(dd.textContent))).length,
	...$("perf").closest("section").hidden ? {} : { perf: $("perf-answer").textContent },
	drawn: pane ? pane.querySelectorAll("*").length : 0,
};
"""
ASK = """
const outputs = [];
for (const command of args[0]) {
	const { code, out, err } = await pmumap(command);
	outputs.push({ code, out: btoa(String.fromCharCode(...out)), err: decode(err) });
}
return outputs;
"""

# The lowest contrast between any text and its background.
LEAST_CONTRAST = """
const light = (c) => c.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255)
	.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
	.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
let least = [99, ""];
for (const element of document.querySelectorAll("body *")) {
	if (!element.innerText?.trim() || ["SCRIPT", "STYLE"].includes(element.tagName))
		continue;
	let behind = element;
	while (behind.parentElement && getComputedStyle(behind).backgroundColor === "rgba(0, 0, 0, 0)")
		behind = behind.parentElement;
	const two = [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor]
		.map(light);
	const contrast = (Math.max(...two) + 0.05) / (Math.min(...two) + 0.05);
	if (contrast < least[0])
		least = [contrast, element.outerHTML.slice(0, 80)];
}
return least;
"""


def commands_for(name):
    file = ["--", name]
    return [["check", *file], ["check", "--json", *file], ["check", "--sarif", *file],
            ["show", *file], ["show", "--json", "--events", *file], ["picture", *file],
            ["picture", "--narrow", *file], ["perf", *file],
            ["perf", "--json", "--firmware", "rustsbi", *file],
            ["rom", *file], ["rom", "--binary", "--big", *file],
            ["lookup", *file, "cycles", "cache-misses", "r1801", "amu:#0", "imc:0x8"],
            ["assign", *file, "cycles", "instructions", "cache-misses", "branch-misses"]]


def native(tool, folder, command):
    run = subprocess.run([tool, *command], cwd=folder, capture_output=True, check=False)
    return run.returncode, run.stdout, run.stderr.decode()


def drop(browser, *files):
    """Drops files, pairs of a name and bytes."""
    return browser.run(DROP, [[name, base64.b64encode(data).decode()] for name, data in files])


def compare_tree(browser, tool, path):
    """Compares the page and all answers of its tool. Returns the time of the check."""
    name, folder = path.name, path.parent
    page = drop(browser, (name, path.read_bytes()))
    commands = commands_for(name)
    wanted = [native(tool, folder, command) for command in commands]
    for command, want, got in zip(commands, wanted, browser.run(ASK, commands)):
        check((got["code"], base64.b64decode(got["out"]), got["err"]) == want,
              f"{path}: {' '.join(command)} differs")
    results = json.loads(wanted[2][1])["runs"][0]["results"]
    check(page["places"] == len(results), f"{path}: {page['places']} findings are shown")
    check(not page["twice"], f"{path}: a finding's text is shown twice: {page['twice']}")
    if wanted[3][0]:
        check(page["bad"] or results, f"{path}: the page does not say what the tool complains of")
        return page["milliseconds"]
    check(page["asks"] or not re.search(b'"kind":"(event|raw|imc-event|amu-cpu)"', wanted[4][1]), f"{path}: the page suggests no events")
    check(page["show"].encode() == wanted[3][1], f"{path}: the tables")
    check(page["source"].encode() == (wanted[9][1] or wanted[9][2].encode()), f"{path}: the C source")
    if "perf" in page:
        check(page["perf"].encode() == wanted[7][1] + wanted[7][2].encode(), f"{path}: what perf counts")
    elements = wanted[5][1].count(b"</") + wanted[5][1].count(b"/>") - 1  # the style element is removed
    check(page["drawn"] == elements, f"{path}: {page['drawn']} of {elements} elements are drawn")
    return page["milliseconds"]


def choose(browser, tool, boards):
    """Every firmware that the tool knows can be chosen, and every choice gets the tool's answer."""
    menu = {name: browser.run("return [...$(args[0]).options].map((o) => o.value)", name)
            for name in ("firmware", "linux")}
    said = native(tool, ".", ["perf", "--firmware", "?", str(boards[0])])[2].split("give ")[1]
    known = [name for name in [f"opensbi-1.{n}" for n in range(30)] + re.findall(r"(?<!\S)[a-z]+(?=,|\n| or)", said)
             if native(tool, ".", ["perf", "--firmware", name, str(boards[0])])[0] < 2]
    check(len(known) > 9 and sorted(known) == sorted(menu["firmware"]), f"the menu lacks some of {known}")
    check("none" in menu["linux"] and len(menu["linux"]) > 5, "versions of Linux")
    for board in boards:
        drop(browser, (board.name, board.read_bytes()))
        for firmware in menu["firmware"]:
            for linux in menu["linux"]:
                got = browser.run("$('firmware').value = args[0]; $('linux').value = args[1];"
                                  "await $('linux').onchange(); return $('perf-answer').textContent", firmware, linux)
                want = native(tool, board.parent, ["perf", "--firmware", firmware, "--linux", linux, board.name])
                check(got.encode() == want[1] + want[2].encode(), f"{board}: perf under {firmware}, Linux {linux}")
    browser.run("for (const id of ['firmware', 'linux']) $(id).selectedIndex = 0; await predict()")


def compare_events(browser, tool, folder):
    """Event files, alone and with a tree, get the tool's findings."""
    browser.run("await openSample('amu-tc2.dtb')")
    c900 = [("cache.json", Path("tests/events/c900/cache.json").read_bytes()),
            ("instruction.json", Path("tests/events/c900/instruction.json").read_bytes())]
    th1520 = ("thead-th1520.dtb", Path("build/boards/thead-th1520.dtb").read_bytes())
    for files, dropped in (([("mistakes.json", Path("tests/tool/mistakes.json").read_bytes())], None),
                           (c900, None), ([*c900, th1520], None), ([c900[0], th1520], [c900[0]]),
                           ([("bad.json", b"[{"), th1520], [("bad.json", b"[{")])):
        for name, data in files:
            (folder / name).write_bytes(data)
        page = drop(browser, *(dropped or files))
        log = json.loads(native(tool, folder, ["check", "--sarif", "--", *(name for name, _ in files)])[1])["runs"][0]
        what = ", ".join(name for name, _ in files)
        check(page["places"] == len(log["results"]), f"{what}: {page['places']} findings are shown")
        check(sorted(page["lines"]) == sorted(
            f"{where['artifactLocation']['uri']}:{where.get('region', {}).get('startLine', '')}".strip(":")
            for where in (result["locations"][0]["physicalLocation"] for result in log["results"])),
              f"{what}: files and lines")
        check(page["bad"] == ("bad.json" in what), f"{what}: {page['status']}")
        check(page["absent"] == (th1520 not in files), f"{what}: the tree's map")
    check("bad.json: line 1, column 2" in page["status"], page["status"])


def attack(browser, blob):
    """A tree and file names that try to inject markup or scripts."""
    tags = "return [...document.querySelectorAll('*')].filter((e) => " \
        "/^(img|script|svg|iframe|object|a)$/i.test(e.tagName)).length"
    before = browser.run(tags)
    for name in ("<img src=x onerror=hacked=9>.dtb", "\"><script>hacked=10</script>", "__proto__",
                 "--json", "toString.dtb", "</title><script>hacked=11</script>.dtb"):
        page = drop(browser, (name, blob))
        check(not page["bad"], f"a file called {name}: {page['status']}")
        check(page["status"].startswith(name + ":"), f"a file called {name}: {page['status']}")
    page = drop(browser, ("hostile.dtb", blob))
    for text in ("<img src=x onerror=hacked=0>", "<img src=x onerror=hacked=3>"):
        check(text in page["cards"] + page["show"], f"{text} is not shown as a text")
    check(page["places"] > 1, "the hostile tree has no findings")
    check(browser.run(tags) == before, "a text of a tree became an element")
    check(browser.run("return window.hacked === undefined"), "a script of a tree was run")


def attack_drawing(browser):
    """A picture that the tool never draws: only shapes and texts may remain of it."""
    drawn = browser.run("""
        showPicture('<svg xmlns="http://www.w3.org/2000/svg" onload="hacked=12"><style>a{}</style>'
            + '<script>hacked=13</script><a href="javascript:hacked=14"><rect/></a>'
            + '<rect onclick="hacked=15" style="x:1" width="1"/><foreignObject><p/></foreignObject>'
            + '<image href="x" onerror="hacked=16"/></svg>');
        return $("picture").shadowRoot.innerHTML;""")
    check(drawn == '<svg><rect width="1"></rect></svg>', f"of a hostile picture is drawn: {drawn}")
    check(browser.run("return window.hacked === undefined"), "a script of a picture was run")


def refuse(browser):
    """The page rejects files that are no trees, and says so."""
    for name, data, words in (("board.dts", b"/dts-v1/;", "Drop its .dtb (dtc -o board.dtb board.dts)"),
                              ("soc.dtsi", b"/ { };", "Drop its .dtb, or run the tool"),
                              ("photo.jpg", b"\xff\xd8" * 99, "tree: give a .dtb or a map image"),
                              ("nothing.dtb", b"", "it is empty")):
        page = drop(browser, (name, data))
        check(page["bad"] and page["hidden"] and words in page["status"],
              f"{name}: {page['status']}")


def limit(browser, blob):
    """The tool runs in a worker and can be stopped; the page stays responsive."""
    check(browser.run("return typeof runProgram") == "undefined", "the tool runs in the page's thread")
    ask = "const before = {...LIMITS}; Object.assign(LIMITS, args[0]);" \
        "const { code, out, err } = await pmumap(['show', 'a.dtb'], new Map([['a.dtb'," \
        "Uint8Array.from(atob(args[1]), (c) => c.charCodeAt(0))]])); Object.assign(LIMITS, before);" \
        "return [code, out.length, decode(err)]"
    data = base64.b64encode(blob).decode()
    for limits, words in (({"seconds": 0}, "needs more than 0 s"),
                          ({"output": 99}, "the answer is longer than"), ({}, "")):
        code, length, said = browser.run(ask, limits, data)
        check((code == 3 and not length and words in said) if words else not code and length,
              f"limits {limits}: {code}, {length} bytes, {said}")
    page = drop(browser, ("shared.dtb", imc(20, 3000)))
    check(not page["bad"] and page["places"] and page["show"], f"a tree of 60,000 counters: "
          f"{page['status']}")
    browser.run("await openFiles([new File([new Uint8Array(LIMITS.input + 1)], 'big.dtb')])")
    check("too large" in browser.run("return $('status').textContent"), "a file of more than 4 MiB")


def stay(browser):
    """The page sends nothing and loads nothing."""
    tries = {
        "fetch": "await fetch('https://example.org/')",
        "itself": "await fetch(location.href)",
        "XMLHttpRequest": "const x = new XMLHttpRequest(); x.open('GET', 'https://example.org/', "
                          "false); x.send()",
        "WebSocket": "const w = new WebSocket('wss://example.org'); await new Promise((y, n) => "
                     "{ w.onopen = y; w.onerror = n; })",
        "an image": "const i = new Image(); i.src = 'https://example.org/i.png'; await i.decode()",
        "a script": "await import('https://example.org/i.js')",
    }
    for what, script in tries.items():
        answer = browser.run(
            "let refused = 0;"
            "document.addEventListener('securitypolicyviolation', () => refused++);"
            f"try {{ {script} }} catch (error) {{}}"
            "await new Promise((resume) => setTimeout(resume, 20)); return refused;")
        check(isinstance(answer, int) and answer, f"the policy lets the page use {what}")
    check(browser.run("return performance.getEntriesByType('resource').filter((entry) => "
                      "!/^(data|blob):|example/.test(entry.name)).map((e) => e.name)") == [],
          "the page has loaded something")


def use(browser, board):
    """Use by keyboard and file dialog; every control has a label."""
    find = lambda css: browser.call("/element", {"using": "css selector", "value": css})
    path = lambda element: "/element/" + list(element.values())[0]
    browser.call(path(find("#file")) + "/value", {"text": str(board.resolve())})
    for _ in range(100):
        if browser.run("await shown; return $('status').textContent").startswith(board.name):
            break
        time.sleep(.05)
    else:
        check(False, "a file that was chosen is not shown")
    browser.run("$('queries').value = ''")
    browser.call(path(find("#queries")) + "/value", {"text": "branch-misses\ue007"})
    time.sleep(.3)
    answer = browser.run("return $('lookup-answer').textContent")
    check("SBI_PMU_HW_BRANCH_MISSES" in answer, f"a look-up by the Enter key: {answer}")
    reached = set()
    for _ in range(60):
        browser.call("/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": "\ue004"}, {"type": "keyUp", "value": "\ue004"}]}]})
        reached.add(browser.run("return document.activeElement.id"))
    for name in ("file", "queries", "events", "picture", "show", "source", "copy-rom",
                 "firmware", "linux", "perf-answer"):
        check(name in reached, f"Tab does not reach {name}")
    used = browser.call("/elements", {"using": "css selector", "value":
                                      "input, button, a[href], [role=region], section"})
    for element in used:
        if browser.call(path(element) + "/displayed", method="GET"):
            check(browser.call(path(element) + "/computedlabel", method="GET"),
                  "without a label: " + browser.call(path(element) + "/property/outerHTML",
                                                     method="GET")[:99])


def look(browser, to):
    """Eight boards, narrow and wide, light and dark."""
    for board in ("sophgo-sg2044", "sifive-u74", "spacemit-k1", "starfive-jhb100", "qemu-virt",
                  "andes-ax45mp", "imc-power9", "amu-tc2"):
        for scheme in ("light", "dark"):
            for width in (400, 1200):
                browser.look(width, scheme)
                drop(browser, (board + ".dtb", Path(f"build/boards/{board}.dtb").read_bytes()))
                where = f"{board}, {scheme}, {width} pixels"
                wide = browser.run("return document.documentElement.scrollWidth - innerWidth")
                check(wide <= 0, f"{where}: {wide} pixels too wide")
                across = browser.run("return $('picture').scrollWidth - $('picture').clientWidth")
                check(across <= 0, f"{where}: the grid is {across} pixels too wide")
                cut = browser.run("const svg = $('picture').shadowRoot.querySelector('svg');"
                                  "const end = svg.getBoundingClientRect().right;"
                                  "return [...svg.querySelectorAll('text')].filter((text) => "
                                  "text.getBoundingClientRect().right > end)"
                                  ".map((text) => text.textContent)")
                check(not cut, f"{where}: the grid cuts {cut[:3]}")
                contrast, element = browser.run(LEAST_CONTRAST)
                check(contrast >= CONTRAST, f"{where}: a contrast of {contrast:.1f}: {element}")
                browser.picture(to / f"{board}-{scheme}-{width}.png")


def hostile_blob():
    blob = subprocess.run(["dtc", "-q", "-f", "-I", "dts", "-O", "dtb", "tests/page/hostile.dts"],
                          capture_output=True, check=True).stdout
    assert NAME in blob
    return blob.replace(NAME, b"<img src=x onerror=hacked=0>")


def main():
    html, tool = Path(sys.argv[1]), str(Path(sys.argv[2]).resolve())
    size = html.stat().st_size
    check(size <= LIMIT, f"the page has {size} bytes, more than {LIMIT}")
    browser = Browser()
    try:
        start = time.monotonic()
        browser.call("/url", {"url": html.resolve().as_uri()})
        browser.run("while (!/checked/.test($('status').textContent)) "
                    "await new Promise((resume) => setTimeout(resume, 1))")
        loaded = 1000 * (time.monotonic() - start)
        times = [compare_tree(browser, tool, path)
                 for folder in sys.argv[3:] for path in sorted(Path(folder).glob("*.dtb"))]
        choose(browser, tool, [path for path in sorted(Path("build/boards").glob("*.dtb"))
                               if not path.name.startswith(("amu-", "imc-"))])
        with tempfile.TemporaryDirectory() as folder:
            compare_events(browser, tool, Path(folder))
        attack(browser, hostile_blob())
        limit(browser, Path("build/boards/sifive-u74.dtb").read_bytes())
        refuse(browser)
        use(browser, Path("build/boards/sifive-u74.dtb"))
        look(browser, html.parent)
        log = browser.call("/se/log", {"type": "browser"})
        check(not log, f"the browser complains: {log[:3]}")
        attack_drawing(browser)  # logs errors from here on
        stay(browser)
    finally:
        browser.end()
    times.sort()
    print(f"{size} bytes; open, with its first tree, after {loaded:.0f} ms; {len(times)} trees "
          f"dropped and shown, in {times[len(times) // 2]:.0f} ms (median), "
          f"{times[-1]:.0f} ms (most)")


if shutil.which("chromedriver"):
    main()
else:
    print("SKIP check-page: chromium-driver is not installed")
print(f"{counts['passed']} passed, {counts['failed']} failed")
sys.exit(counts["failed"] > 0)
