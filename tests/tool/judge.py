# SPDX-License-Identifier: BSD-2-Clause
#
# judge.py LOG LINES: LOG is SARIF as a CI expects it, and each of LINES an object.
import json
import os
import sys

with open(sys.argv[1]) as file:
    log = json.load(file)
assert log["version"] == "2.1.0", "version"
(run,) = log["runs"]
driver = run["tool"]["driver"]
rules = [rule["id"] for rule in driver["rules"]]
assert driver["name"] == "pmumap" and len(rules) == len(set(rules)), "rules"
for rule in driver["rules"]:
    assert all(rule[part]["text"] for part in ("shortDescription", "fullDescription", "help"))
    assert rule["helpUri"].endswith("/findings.md#" + rule["id"]), rule
assert driver["informationUri"].endswith("/tool.md"), driver["informationUri"]
effects = {rule["id"]: rule["fullDescription"]["text"] for rule in driver["rules"]}
assert run["invocations"][0]["executionSuccessful"] in (True, False)

lines = 0
for result in run["results"]:
    assert result["ruleId"] in rules, result
    assert result["level"] in ("note", "warning", "error"), result
    assert effects[result["ruleId"]] in result["message"]["text"], result
    assert len(result["partialFingerprints"]["finding/v2"]) == 16, result
    for place in result["locations"] + result.get("relatedLocations", []):
        uri = place["physicalLocation"]["artifactLocation"]["uri"]
        assert os.path.exists(uri) and not uri.startswith("./"), uri
        assert place["logicalLocations"][0]["fullyQualifiedName"], place
        region = place["physicalLocation"].get("region")
        if uri.endswith((".dts", ".json")):
            with open(uri) as source:
                text = source.read().split("\n")
            line = text[region["startLine"] - 1]
            assert line[region["startColumn"] - 1 :].strip(), (uri, region)
            lines += 1
assert len(run["results"]) > 100 and lines > 100, "too few results"

with open(sys.argv[2]) as file:
    objects = [json.loads(line) for line in file]
assert len(objects) > 1000 and all(isinstance(o, dict) for o in objects), "too few objects"
with open("tool/pmumap.schema.json") as file:
    schema = json.load(file)
told = [key.get("description") for key in schema["properties"].values()]
assert all(told) and len(told) == len(set(told)), "each key has a description of its own"
try:
    import jsonschema
except ImportError:
    print("SKIP the schema of --json (python3-jsonschema is not installed)")
else:
    validator = jsonschema.Draft202012Validator(schema)
    def shape(o):
        return (o["kind"], *sorted(key for key in o if o[key] != []))
    for o in {shape(o): o for o in objects}.values():
        validator.validate(o)
    for o in objects[::50]:
        validator.validate(o)
    for wrong in ({}, {"kind": "perf"}, {"kind": "unread", "file": "a", "why": 1},
                  {"kind": "raw", "select": "0x1", "mask": "0x1", "counters": "0x18"}):
        assert not validator.is_valid(wrong), wrong
assert {o["properties"]["kind"]["const"] for o in schema["oneOf"]} >= {o["kind"] for o in objects}
kinds = {
    "map", "event", "raw", "vendor-event", "answer", "want", "finding",
    "imc", "imc-unit", "imc-event", "amu", "amu-cpu", "amu-view",
    "perf-assumptions", "perf", "perf-refused", "explanation", "unread",
}
assert {o.get("kind") for o in objects} == kinds, {o.get("kind") for o in objects} ^ kinds
