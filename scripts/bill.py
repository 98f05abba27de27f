#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""usage: bill.py ARCHIVE.tar.gz SECONDS

Prints the bill of materials of an archive in SPDX 2.3: files, checksums and licences. SECONDS since
1970 is its creation time. Refuses a file without a licence line if its format allows one.
"""
import hashlib
import json
import re
import sys
import tarfile
import time
from pathlib import Path

LICENSE = "BSD-2-Clause"
CANNOT_SAY = ("fuzz/corpus/", "tests/events/", "tests/tool/", "packaging/debian/")


def license_of(name, data):
    tag = re.search(rb"SPDX-License-Identifier: ([A-Za-z0-9.-]+)", data[:1000])
    if not tag and not name.startswith(CANNOT_SAY):
        sys.exit(f"bill: {name} has no SPDX-License-Identifier")
    return tag[1].decode() if tag else LICENSE


def checksums(data, *algorithms):
    return [{"algorithm": algorithm, "checksumValue": hashlib.new(algorithm, data).hexdigest()}
            for algorithm in algorithms]


def file_entry(number, name, data):
    license_name = license_of(name, data)
    return {"SPDXID": f"SPDXRef-File-{number}", "fileName": "./" + name,
            "checksums": checksums(data, "SHA1", "SHA256"), "licenseConcluded": license_name,
            "licenseInfoInFiles": [license_name], "copyrightText": "NOASSERTION"}


def package_entry(name, version, archive, files):
    ones = sorted(file["checksums"][0]["checksumValue"] for file in files)
    code = hashlib.sha1("".join(ones).encode()).hexdigest()
    return {"SPDXID": "SPDXRef-Package", "name": name, "versionInfo": version,
            "packageFileName": archive.name, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": True, "packageVerificationCode": {"packageVerificationCodeValue": code},
            "checksums": checksums(archive.read_bytes(), "SHA256"),
            "licenseConcluded": LICENSE, "licenseDeclared": LICENSE,
            "licenseInfoFromFiles": sorted({file["licenseConcluded"] for file in files}),
            "copyrightText": "NOASSERTION"}


def main():
    archive = Path(sys.argv[1])
    name, version = archive.name.removesuffix(".tar.gz").split("-")
    with tarfile.open(archive) as tar:
        members = [(member.name.split("/", 1)[1], tar.extractfile(member).read())
                   for member in tar if not member.isdir()]
    files = [file_entry(number, *member) for number, member in enumerate(members, 1)]
    package = package_entry(name, version, archive, files)
    contains = [{"spdxElementId": "SPDXRef-Package", "relationshipType": "CONTAINS",
                 "relatedSpdxElement": file["SPDXID"]} for file in files]
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(sys.argv[2])))
    print(json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{name}-{version}",
        "documentNamespace": "https://spdx.org/spdxdocs/"
                             f"{name}-{version}-{package['checksums'][0]['checksumValue']}",
        "creationInfo": {"created": created, "creators": ["Tool: pmumap-scripts/bill.py"]},
        "packages": [package], "files": files,
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                           "relatedSpdxElement": "SPDXRef-Package"}, *contains]}, indent=1))


main()
