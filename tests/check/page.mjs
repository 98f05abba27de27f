// SPDX-License-Identifier: BSD-2-Clause
//
// usage: page.mjs FOLDER TOOL.wasm TOOL
//
// The page's scripts without a browser. wasi.js runs the tool with the same output as the native
// one, within its limits, and page.js copies only shapes from a picture.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import vm from "node:vm";

const [folder, wasm, tool] = process.argv.slice(2);
const counts = { passed: 0, failed: 0 };

function check(good, what) {
	counts[good ? "passed" : "failed"]++;
	if (!good)
		console.log(`FAIL ${what}`);
}

function load(name, last, globals) {
	const text = readFileSync(`${folder}/${name}`, "utf8");

	return vm.runInNewContext(`${text}\n${last}`, globals);
}

// Both tools get the file "board.dtb".
function native(args, file) {
	try {
		return execFileSync(tool, args.map((word) => word.replace("board.dtb", file)),
			{ stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 26 }).toString();
	} catch (error) {
		return error.stdout.toString();
	}
}

async function compare(run, module) {
	for (const name of readdirSync("build/boards").filter((name) => name.endsWith(".dtb"))) {
		const file = `build/boards/${name}`;
		const files = new Map([["board.dtb", new Uint8Array(readFileSync(file))]]);

		for (const verb of ["show", "check"]) {
			const { out } = await run(module, ["pmumap", verb, "board.dtb"], files, 1 << 26);
			const want = native([verb, "board.dtb"], file).replaceAll(file, "board.dtb");

			check(new TextDecoder().decode(out) === want, `${verb} ${name}: another output`);
		}
	}
}

async function limits(run, module) {
	const files = new Map([["a.dtb", new Uint8Array(readFileSync("build/boards/imc-power9.dtb"))]]);
	let stopped = "";

	try {
		await run(module, ["pmumap", "show", "--json", "--events", "a.dtb"], files, 1000);
	} catch (error) {
		stopped = error.message;
	}
	check(/longer than/.test(stopped), `an answer of any length: ${stopped}`);
}

// Elements as far as drawing() needs them.
function shape(localName, attributes, ...childNodes) {
	return {
		localName, childNodes, nodeType: 1,
		getAttributeNames: () => Object.keys(attributes),
		hasAttribute: (name) => name in attributes,
		getAttribute: (name) => attributes[name],
	};
}

function drawn(drawing) {
	const copy = drawing(shape("svg", { viewBox: "0 0 1 1", onload: "x()" },
		shape("script", {}, { nodeType: 3, data: "x()" }), shape("a", { href: "x" }),
		shape("g", { style: "x" }, shape("rect", { x: "1", onclick: "x()" })),
		shape("text", { class: "n" }, { nodeType: 3, data: "<b>" })));
	const text = JSON.stringify(copy);

	check(text === '["svg",{"viewBox":"0 0 1 1"},["g",{},["rect",{"x":"1"}]],'
		+ '["text",{"class":"n"},"<b>"]]', `a picture: ${text}`);
}

// A copy is a list: name, attributes, children.
function stubs() {
	const createElementNS = (space, name) => {
		const made = [name, {}];

		made.setAttribute = (key, value) => { made[1][key] = value; };
		made.append = (child) => made.push(child);
		return made;
	};
	const element = { textContent: "", classList: { toggle() {} } };

	return {
		Node: { TEXT_NODE: 3 }, window: {},
		document: { createElementNS, getElementById: () => element, querySelectorAll: () => [] },
	};
}

const run = load("wasi.js", "runProgram", { WebAssembly, TextEncoder, TextDecoder });
const module = await WebAssembly.compile(readFileSync(wasm));

await compare(run, module);
await limits(run, module);
drawn(load("page.js", "drawing", stubs()));
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed ? 1 : 0);
