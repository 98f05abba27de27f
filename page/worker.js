// SPDX-License-Identifier: BSD-2-Clause
//
// The thread in which the tool runs: page.js can end it. It answers one question at a time.

onmessage = async ({ data }) => {
	try {
		postMessage(await runProgram(data.module, data.args, data.files, data.limit));
	} catch (error) {
		postMessage({ stopped: error.message });
	}
};
