// SPDX-License-Identifier: BSD-2-Clause
//
// The thread that runs the tool. page.js can terminate it. It answers one question at a time.

onmessage = async ({ data }) => {
	try {
		postMessage(await runProgram(data.module, data.args, data.files, data.limit));
	} catch (error) {
		postMessage({ stopped: error.message });
	}
};
