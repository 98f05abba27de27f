// SPDX-License-Identifier: BSD-2-Clause
//
// The page: passes a tree to the tool and shows its answers. A tree may be hostile, so all output
// of the tool is shown as text or goes through drawing().

const SVG = "http://www.w3.org/2000/svg";
const RISCV_EVENTS = ["cycles", "instructions", "cache-misses", "branch-misses",
	"L1-dcache-load-misses", "dTLB-load-misses"];
const LEVELS = ["error", "warning", "note"];
const SUGGESTED = 8; // queries
// Per question; sizes in bytes. drawn is smaller because the page's own thread draws a picture.
const LIMITS = { seconds: 10, input: 4 << 20, output: 8 << 20, drawn: 2 << 20 };

const $ = (id) => document.getElementById(id);
const decode = (bytes) => new TextDecoder().decode(bytes);
const encode = (text) => new TextEncoder().encode(text);
let tool; // resolves to the compiled module
let tree; // { name, bytes, sample }: the tree on display, if any
let events = new Map(); // a vendor's event files, names to bytes
let worker; // the thread that runs the tool
let asked = Promise.resolve(); // the last question

// Unpacks the data that the build put into the script element with this id: five letters for four
// bytes.
async function unpacked(id) {
	const { textContent: text, dataset: { bytes } } = $(id);
	const packed = new Uint8Array(text.length / 5 * 4);
	const view = new DataView(packed.buffer);

	for (let from = 0, to = 0; from < text.length; to += 4) {
		let number = 0;

		for (const end = from + 5; from < end; from++) {
			const code = text.charCodeAt(from) - 35;

			number = number * 85 + code - (code > 24);
		}
		view.setUint32(to, number);
	}
	const stream = new Blob([packed.subarray(0, bytes)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));

	return new Uint8Array(await new Response(stream).arrayBuffer());
}

function startWorker() {
	const script = new Blob([$("worker").textContent], { type: "text/javascript" });

	return new Worker(URL.createObjectURL(script));
}

// If a question takes too long, its thread is terminated. The next question gets a new thread.
function askWorker(question) {
	worker ||= startWorker();
	return new Promise((resolve) => {
		const stop = (why) => {
			clearTimeout(timer);
			worker.terminate();
			worker = undefined;
			resolve({ code: 3, out: new Uint8Array(), err: encode(`stopped: ${why}\n`) });
		};
		const timer = setTimeout(() => stop(`it needs more than ${LIMITS.seconds} s`),
			1000 * LIMITS.seconds);

		worker.onerror = ({ message }) => stop(message);
		worker.onmessage = ({ data }) => {
			clearTimeout(timer);
			if (data.stopped)
				stop(data.stopped);
			else
				resolve(data);
		};
		worker.postMessage(question);
	});
}

// Runs the tool like a command line: await pmumap(["check", "--json", "board.dtb"]).
async function pmumap(args, files = new Map([...events, ...(tree ? [[tree.name, tree.bytes]] : [])])) {
	const question = { module: await tool, args: ["pmumap", ...args], files, limit: LIMITS.output };

	asked = asked.then(() => askWorker(question));
	return asked;
}

// Runs a verb. "--" keeps the name of the tree and the queries from being read as options.
function ask(verb, options = [], more = []) {
	return pmumap([verb, ...options, "--", tree.name, ...more]);
}

function element(name, properties = {}, ...children) {
	const made = Object.assign(document.createElement(name), properties);

	made.append(...children);
	return made;
}

// ---- findings ---------------------------------------------------------------------------------

// Only the place: the rest of the message is the rule's text, which the card already shows. Among
// several files it begins with the file, and the line if it has one.
function place(result, rule) {
	const known = `. ${rule.shortDescription.text} ${rule.fullDescription.text} `;
	const [what, fix] = result.message.text.split(known);
	const { artifactLocation, region } = result.locations[0].physicalLocation;
	const line = region ? `${region.startLine}: ` : "";
	const file = events.size ? `${decodeURIComponent(artifactLocation.uri)}:${line || " "}` : "";

	return file + what + (fix && fix !== rule.help.text ? `. ${fix}` : "");
}

function card(rule, results) {
	const { level } = results[0];

	return element("article", { className: `card ${level}` },
		element("h3", {},
			element("span", { className: "level", textContent: level }), ` ${rule.id}`),
		element("ul", {}, ...results.map((result) =>
			element("li", { textContent: place(result, rule) }))),
		element("dl", {},
			...Object.entries({
				Problem: rule.shortDescription,
				Effect: rule.fullDescription,
				Fix: rule.help,
			}).flatMap(([what, { text }]) => [
				element("dt", { textContent: what }),
				element("dd", { textContent: text }),
			])));
}

function showFindings(run) {
	const groups = new Map();

	for (const result of run.results)
		groups.set(result.ruleId, [...(groups.get(result.ruleId) || []), result]);
	const rules = new Map(run.tool.driver.rules.map((rule) => [rule.id, rule]));

	$("cards").replaceChildren(...[...groups.values()]
		.sort((a, b) => LEVELS.indexOf(a[0].level) - LEVELS.indexOf(b[0].level))
		.map((results) => card(rules.get(results[0].ruleId), results)));
	if (!groups.size)
		$("cards").textContent = "pmumap found nothing wrong.";
}

// For example "2 errors, 1 note".
function summary(results) {
	const counts = LEVELS
		.map((level) => [results.filter((result) => result.level === level).length, level])
		.filter(([count]) => count)
		.map(([count, level]) => `${count} ${level}${count > 1 ? "s" : ""}`);

	return counts.join(", ") || "no findings";
}

// ---- the picture ------------------------------------------------------------------------------

const DRAWN = ["svg", "g", "rect", "line", "circle", "path", "text", "tspan", "title"];
const DRAWN_WITH = ["class", "x", "y", "width", "height", "x1", "y1", "x2", "y2", "cx", "cy", "r",
	"d", "viewBox"];

// Copies only shapes and text from the SVG, so no script or link gets into the page.
function drawing(source) {
	const copy = document.createElementNS(SVG, source.localName);

	for (const name of DRAWN_WITH) {
		if (source.hasAttribute(name))
			copy.setAttribute(name, source.getAttribute(name));
	}
	for (const child of source.childNodes) {
		if (child.nodeType === Node.TEXT_NODE)
			copy.append(child.data);
		else if (DRAWN.includes(child.localName))
			copy.append(drawing(child));
	}
	return copy;
}

// A shadow tree isolates the picture's style. The page's policy would reject a style element.
function showPicture(svg) {
	const host = $("picture");
	const root = host.shadowRoot || host.attachShadow({ mode: "open" });
	const [element, rules] = svg.match(/<style>([^]*?)<\/style>/);
	const source = new DOMParser().parseFromString(svg.replace(element, ""), "image/svg+xml");
	const style = new CSSStyleSheet();

	// It is scaled to fit, but stays readable.
	style.replaceSync(`${rules}svg{max-width:100%;height:auto;min-width:`
		+ `${0.6 * source.documentElement.getAttribute("width")}px}`);
	root.adoptedStyleSheets = [style];
	root.replaceChildren(drawing(source.documentElement));
}

// Shown if the picture is missing or too large.
const STOPPED_PICTURE = `<svg xmlns="${SVG}" viewBox="0 0 200 30"><style>text{fill:gray}</style>`
	+ "<text y='20'>too large to draw here</text></svg>";

// ---- questions --------------------------------------------------------------------------------

async function answer(verb, input, output) {
	const words = $(input).value.split(/\s+/).filter(Boolean);

	if (!words.length) {
		$(output).textContent = "";
		return;
	}
	const { out, err } = await ask(verb, [], words);

	$(output).textContent = decode(out) + decode(err);
}

// Creates buttons that add a word to the look-up.
function suggest(words) {
	$("queries-help").replaceChildren("Try: ", ...words.map((word) => element("button", {
		type: "button",
		textContent: word,
		onclick() {
			$("queries").value = `${$("queries").value} ${word}`.trim();
			return answer("lookup", "queries", "lookup-answer");
		},
	})));
}

// The lines of show --json, or none if the tool was stopped.
async function shownLines(...options) {
	const { code, out } = await ask("show", ["--json", ...options]);

	return code ? [] : decode(out).split("\n").filter(Boolean).map(JSON.parse);
}

// The contents of a map. Asks only one IMC unit for names, because all units may have millions.
async function contents() {
	const lines = await shownLines();
	const of = (kind) => lines.filter((line) => line.kind === kind);
	const unit = of("imc-unit").find((line) => line.event_count);
	const named = unit ? await shownLines("--unit", unit.unit) : [];
	const names = named.filter((line) => line.kind === "imc-event").map((line) => line.name);
	const riscv = of("event").length + of("raw").length > 0;
	const cpus = of("amu-cpu").map((line) => `amu:${line.mpidr}`);

	return { riscv, queries: [...(riscv ? RISCV_EVENTS : []), ...new Set(names), ...cpus] };
}

// ---- a tree -----------------------------------------------------------------------------------

function offer(id, bytes, type, suffix) {
	URL.revokeObjectURL($(id).href);
	$(id).href = URL.createObjectURL(new Blob([bytes], { type }));
	$(id).download = tree.name.replace(/\.[^.]*$/, "") + suffix;
}

const narrow = () => matchMedia("(max-width: 40rem)");

async function draw() {
	const { out } = await ask("picture", narrow().matches ? ["--narrow"] : []);

	showPicture(out.length > 0 && out.length <= LIMITS.drawn ? decode(out) : STOPPED_PICTURE);
	offer("save-picture", out, "image/svg+xml", ".svg");
}

async function predict() {
	const { out, err } = await ask("perf",
		["--firmware", $("firmware").value, "--linux", $("linux").value]);

	$("perf-answer").textContent = decode(out) + decode(err);
}

async function showMap() {
	const show = await ask("show");
	const rom = await ask("rom");
	const { riscv, queries } = await contents();

	$("show").textContent = decode(show.out) || decode(show.err);
	$("source").textContent = decode(rom.out) || decode(rom.err);
	offer("save-rom", rom.out, "text/plain", "_map.h");
	for (const part of document.querySelectorAll("[data-riscv]"))
		part.hidden = !riscv;
	await draw();
	if (riscv)
		await predict();
	suggest(queries.slice(0, SUGGESTED));
	$("queries").value = queries.slice(0, 3).join(" ");
	$("events").value = riscv ? RISCV_EVENTS.slice(0, 4).join(" ") : "";
	await answer("lookup", "queries", "lookup-answer");
	await answer("assign", "events", "assign-answer");
}

// Shows trees and event files in the order in which they arrive. Without a new tree, event files
// are compared with the one on display, unless that is a sample.
let shown = Promise.resolve();

function open(newTree, newEvents = new Map()) {
	shown = shown.then(() => {
		tree = newTree || (tree?.sample ? undefined : tree);
		events = newEvents;
		return showFiles();
	}).catch((error) => {
		$("answers").hidden = true;
		say(`${names().join(", ")}: the tool failed: ${error.message}`, true);
	});
	return shown;
}

const names = () => [...events.keys(), ...(tree ? [tree.name] : [])];

function say(text, bad) {
	$("status").textContent = text;
	$("status").classList.toggle("bad", bad);
}

// A source needs dtc and its included files. A .dtsi also needs a source that includes it.
function refuseSource(name) {
	const made = name.endsWith("i") ? "" : ` (dtc -o ${name.replace(/s$/, "b")} ${name})`;

	$("answers").hidden = true;
	say(`${name} is a source, which this page cannot compile. Drop its .dtb${made}, `
		+ `or run the tool, which also prints lines: pmumap check ${name}`, true);
}

async function showFiles() {
	if (/\.dtsi?$/.test(tree?.name)) {
		refuseSource(tree.name);
		tree = undefined;
		return;
	}
	const start = performance.now();
	const { out, err } = await pmumap(["check", "--sarif", "--", ...names()]);

	if (!out.length)
		throw new Error(decode(err));
	const [run] = JSON.parse(decode(out)).runs;
	const spent = performance.now() - start;
	const notes = run.invocations?.[0].toolExecutionNotifications;
	const file = notes && decodeURIComponent(notes[0].locations[0].physicalLocation.artifactLocation.uri);
	const unread = !tree || (!!notes && !isEvents({ name: file })); // there is no map

	showFindings(run);
	if (!unread)
		await showMap();
	for (const section of document.querySelectorAll("#answers > :not([aria-labelledby=findings])"))
		section.classList.toggle("absent", unread);
	$("answers").hidden = !!notes && !run.results.length;
	if (notes)
		say(`${file}: ${notes[0].message.text.replace(", a .dts or", " or")}`, true);
	else
		say(`${names().join(", ")}: ${summary(run.results)}. `
			+ `${bytes()} bytes, checked in ${spent.toFixed(1)} ms.`, false);
}

const isEvents = ({ name }) => name.endsWith(".json");
const bytes = () => [...events.values(), ...(tree ? [tree.bytes] : [])]
	.reduce((sum, { length }) => sum + length, 0);

// One tree, and any event files.
async function openFiles(list) {
	const files = [...list];
	const [chosen] = files.filter((file) => !isEvents(file));
	const size = files.reduce((sum, file) => sum + file.size, 0);
	const read = async (file) => new Uint8Array(await file.arrayBuffer());

	if (!files.length)
		return;
	if (size > LIMITS.input) {
		$("answers").hidden = true;
		say(`${files[0].name}: more than ${LIMITS.input >> 20} MiB, too large for this page`, true);
		return;
	}
	await open(chosen && { name: chosen.name, bytes: await read(chosen) },
		new Map(await Promise.all(files.filter(isEvents).map(async (file) => [file.name, await read(file)]))));
	$("status").scrollIntoView({ block: "nearest" });
}

// ---- the page ---------------------------------------------------------------------------------

function listen() {
	$("file").onchange = ({ target }) => {
		const opened = openFiles(target.files);

		target.value = ""; // so that choosing the same file again fires the event
		return opened;
	};
	document.ondragover = (event) => {
		event.preventDefault();
		document.body.classList.add("dropping");
	};
	document.ondragleave = () => document.body.classList.remove("dropping");
	document.ondrop = (event) => {
		event.preventDefault();
		document.body.classList.remove("dropping");
		return openFiles(event.dataTransfer.files);
	};
	for (const [form, ...rest] of [["ask-lookup", "lookup", "queries", "lookup-answer"],
		["ask-assign", "assign", "events", "assign-answer"]]) {
		$(form).onsubmit = (event) => {
			event.preventDefault();
			return answer(...rest);
		};
	}
	$("firmware").onchange = predict;
	$("linux").onchange = predict;
	narrow().onchange = () => $("answers").hidden || draw();
	$("copy-rom").hidden = !navigator.clipboard;
	$("copy-rom").onclick = async () => {
		await navigator.clipboard.writeText($("source").textContent);
		$("copy-rom").textContent = "Copied";
		setTimeout(() => ($("copy-rom").textContent = "Copy"), 2000);
	};
}

async function start() {
	const samples = [...document.querySelectorAll("script[data-sample]")];

	if (!window.DecompressionStream || !CSSStyleSheet.prototype.replaceSync) {
		say("This browser is too old: the page needs one from 2023 or later.", true);
		return;
	}
	tool = unpacked("tool").then((bytes) => WebAssembly.compile(bytes));
	listen();
	for (const { id, dataset } of samples) {
		$("samples").append(" ", element("button", {
			type: "button",
			textContent: dataset.sample,
			onclick: () => openSample(id),
		}));
	}
	await openSample(samples[0].id);
}

async function openSample(name) {
	return open({ name, bytes: await unpacked(name), sample: true });
}

start();
