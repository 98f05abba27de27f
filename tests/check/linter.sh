#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Runs the pre-commit hook and the GitHub action as those services do, on a folder with a good board
# and one with a bad one.
. tests/check/lib.sh

python3 -c 'import yaml' 2>/dev/null || { echo "SKIP check-linter: python3-yaml is not installed"; exit 0; }

mkdir "$dir/good" "$dir/bad"
cp tests/trees/boards/qemu-virt.dts "$dir/good/"
printf '/dts-v1/; / { };\n' >"$dir/good/none.dts"
cp tests/trees/raw-dead.dts "$dir/bad/"
printf 'no tree\n' >"$dir/bad/text.c"

# hook FOLDER: runs the hook on the files that its pattern selects
hook() {
	python3 - "$1" <<'END'
import os, re, subprocess, sys, yaml
(hook,) = yaml.safe_load(open(".pre-commit-hooks.yaml"))
assert hook["language"] == "system"
folder = sys.argv[1]
files = [os.path.join(folder, f) for f in os.listdir(folder) if re.search(hook["files"], f)]
os.environ["PATH"] = os.environ.get("TOOL", "build") + ":" + os.environ["PATH"]
sys.exit(subprocess.run(hook["entry"].split() + hook["args"] + files, stdout=subprocess.DEVNULL).returncode)
END
}

# action FOLDER TEMP: runs its last step, with default inputs, and this folder for the log
action() {
	mkdir -p "$2"
	python3 - "$1" "$2" <<'END'
import os, re, subprocess, sys, yaml
action = yaml.safe_load(open("action.yml"))
inputs = {name: x["default"] for name, x in action["inputs"].items()}
inputs.update(path=sys.argv[1])
steps = action["runs"]["steps"]
assert all(step["shell"] == "bash" and "${{" not in step["run"] for step in steps)
for name, value in steps[-1]["env"].items():
    os.environ[name] = re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda m: inputs[m.group(1)], value)
assert action["outputs"]["sarif"]["value"] == "${{ runner.temp }}/pmumap.sarif"
os.environ.update(GITHUB_ACTION_PATH=os.getcwd(), RUNNER_TEMP=sys.argv[2])
sys.exit(subprocess.run(["bash", "-e", "-c", steps[-1]["run"]], stdout=subprocess.DEVNULL).returncode)
END
}

works "the hook takes a good board" hook "$dir/good"
hook "$dir/bad"
[ $? = 1 ] && pass || fail "the hook takes a bad board"
works "the action takes a good board" action "$dir/good" "$dir/good.log"
action "$dir/bad" "$dir/bad.log"
[ $? = 1 ] && pass || fail "the action takes a bad board"
grep -q '"ruleId":"raw-dead"' "$dir/bad.log/pmumap.sarif" && pass || fail "the action's log lacks the finding"
for package in device-tree-compiler libfdt-dev; do
	grep -q "^DEPS := .*$package" scripts/mk/packages.mk && grep -q "$package" action.yml && pass ||
		fail "action.yml: $package is no package of the project"
done
finish
