// SPDX-License-Identifier: BSD-2-Clause
//
// Runs a program compiled for WASI: passes arguments and files in, and returns its output. The
// program gets no folder, clock, network or environment, and its files are read-only.

const WASI = { OK: 0, BADF: 8, NOENT: 44, NOTDIR: 54 };
const FOLDER = 3; // file descriptor of the folder "."

// args: strings, the program's name first. files: a Map of names to Uint8Arrays. limit: how many
// bytes it may write. Resolves to { code, out, err }: the exit code and the bytes of both streams.
async function runProgram(module, args, files, limit) {
	const utf8 = new TextEncoder();
	const words = args.map((word) => utf8.encode(word + "\0"));
	const streams = [[], [], []];
	const open = new Map(); // file descriptor to { bytes, at }
	let written = 0;
	let memory;

	const view = () => new DataView(memory.buffer);
	const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
	const text = (at, length) => new TextDecoder().decode(bytes(at, length));
	const buffers = (at, count) =>
		Array.from({ length: count }, (_, i) =>
			bytes(view().getUint32(at + 8 * i, true),
				view().getUint32(at + 8 * i + 4, true)));
	const kind = (file) => (file === FOLDER ? 3 : file < FOLDER || open.has(file) ? 4 : 0);

	const calls = {
		args_sizes_get(count, size) {
			view().setUint32(count, words.length, true);
			view().setUint32(size, words.flatMap((word) => [...word]).length, true);
			return WASI.OK;
		},
		args_get(pointers, to) {
			for (const word of words) {
				view().setUint32(pointers, to, true);
				bytes(to, word.length).set(word);
				pointers += 4;
				to += word.length;
			}
			return WASI.OK;
		},
		environ_sizes_get(count, size) {
			view().setUint32(count, 0, true);
			view().setUint32(size, 0, true);
			return WASI.OK;
		},
		environ_get: () => WASI.OK,
		fd_prestat_get(file, to) {
			if (file !== FOLDER)
				return WASI.BADF;
			view().setUint32(to, 0, true);
			view().setUint32(to + 4, 1, true);
			return WASI.OK;
		},
		fd_prestat_dir_name(file, to) {
			bytes(to, 1).set(utf8.encode("."));
			return WASI.OK;
		},
		// No stream is a terminal.
		fd_fdstat_get(file, to) {
			if (!kind(file))
				return WASI.BADF;
			bytes(to, 24).fill(0);
			view().setUint8(to, kind(file));
			view().setBigUint64(to + 8, ~0n, true);
			view().setBigUint64(to + 16, ~0n, true);
			return WASI.OK;
		},
		fd_fdstat_set_flags: () => WASI.OK,
		fd_readdir: () => WASI.NOTDIR,
		path_filestat_get(folder, flags, name, length, to) {
			const file = files.get(text(name, length));

			if (!file)
				return WASI.NOENT;
			bytes(to, 64).fill(0);
			view().setUint8(to + 16, 4);
			view().setBigUint64(to + 32, BigInt(file.length), true);
			return WASI.OK;
		},
		path_open(folder, lookup, name, length, create, rights, inherited, flags, to) {
			const file = files.get(text(name, length));
			const number = FOLDER + 1 + open.size;

			if (!file)
				return WASI.NOENT;
			open.set(number, { bytes: file, at: 0 });
			view().setUint32(to, number, true);
			return WASI.OK;
		},
		fd_read(number, at, count, to) {
			const file = open.get(number) || { bytes: new Uint8Array(), at: 0 };
			let total = 0;

			for (const buffer of buffers(at, count)) {
				const part = file.bytes.subarray(file.at, file.at + buffer.length);

				buffer.set(part);
				file.at += part.length;
				total += part.length;
			}
			view().setUint32(to, total, true);
			return WASI.OK;
		},
		fd_write(number, at, count, to) {
			let total = 0;

			if (number !== 1 && number !== 2)
				return WASI.BADF;
			for (const buffer of buffers(at, count)) {
				streams[number].push(buffer.slice());
				total += buffer.length;
			}
			written += total;
			if (written > limit)
				throw new Error(`the answer is longer than ${limit >> 20} MiB`);
			view().setUint32(to, total, true);
			return WASI.OK;
		},
		fd_seek: () => WASI.BADF,
		fd_close: () => WASI.OK, // descriptors are never reused
		proc_exit(code) {
			throw { exit: code };
		},
	};

	const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: calls });
	let code = 0;

	memory = exports.memory;
	try {
		exports._start();
	} catch (error) {
		if (error.exit === undefined)
			throw error;
		code = error.exit;
	}
	return { code, out: joined(streams[1]), err: joined(streams[2]) };
}

function joined(parts) {
	const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;

	for (const part of parts) {
		all.set(part, at);
		at += part.length;
	}
	return all;
}
