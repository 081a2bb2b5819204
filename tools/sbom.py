#!/usr/bin/env python3
"""The bill of materials of a release, as SPDX 2.3 in JSON: our own code, every library that is linked into a file, and
every file with its hashes.

    tools/sbom.py FOLDER VERSION HOME [WHERE:LIST]... >OUT.json

Every LIST is a file of lines "PACKAGE VERSION SOURCE", as tools/static_libs.sh writes them: Debian's packages whose
code is in the files whose names contain WHERE. SOURCE_DATE_EPOCH is the time of the document."""
import hashlib
import json
import os
import re
import sys
import time

# The licence of the part that is linked, by Debian's source package, as an expression of SPDX.
LICENCES = {
    "bzip2": "bzip2-1.0.6", "gcc-12": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "gcc-mingw-w64": "GPL-3.0-or-later WITH GCC-exception-3.1", "glibc": "LGPL-2.1-or-later",
    "libarchive": "BSD-2-Clause", "libmicrohttpd": "LGPL-2.1-or-later", "libzstd": "BSD-3-Clause OR GPL-2.0-only",
    "llvm-toolchain-14": "Apache-2.0 WITH LLVM-exception", "mingw-w64": "ZPL-2.1",
    "nettle": "LGPL-3.0-or-later OR GPL-2.0-or-later", "sqlite3": "blessing",
    "wasi-libc": "MIT AND Apache-2.0 WITH LLVM-exception", "xz-utils": "LicenseRef-public-domain", "zlib": "Zlib",
}
NOTHING = "NOASSERTION"


def identifier(*words):
    return "SPDXRef-" + "-".join(re.sub(r"[^A-Za-z0-9.]+", "-", word) for word in words)


def hashes(path):
    sums = {name: hashlib.new(name) for name in ("sha1", "sha256")}
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            for each in sums.values():
                each.update(block)
    return [{"algorithm": name.upper(), "checksumValue": each.hexdigest()} for name, each in sums.items()]


def describe(name, version, licence, home, ours):
    purl = f"pkg:generic/{name}@{version}" if ours else f"pkg:deb/debian/{name}@{version}"
    return {
        "SPDXID": identifier("Package", name, version), "name": name, "versionInfo": version, "downloadLocation": home,
        "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
        "copyrightText": "2026 the sortie authors" if ours else NOTHING,
        "supplier": "Organization: the sortie authors" if ours else "Organization: Debian",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}],
    }


def read_list(path):
    """The packages of a list, as (source, version of the binary package)."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            name, version, *source = line.split()
            yield (source[0] if source else name), version


def relation(one, kind, other):
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}


def bill(folder, version, home, lists):
    ours = describe("sortie", version, "MIT", home, True)
    packages, relations = {ours["SPDXID"]: ours}, [relation("SPDXRef-DOCUMENT", "DESCRIBES", ours["SPDXID"])]
    files = []
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not os.path.isfile(path) or name == "SHA256SUMS" or name.endswith(".spdx.json"):
            continue
        files.append({"SPDXID": identifier("File", name), "fileName": "./" + name, "checksums": hashes(path),
                      "licenseConcluded": NOTHING, "copyrightText": NOTHING})
        relations.append(relation(files[-1]["SPDXID"], "GENERATED_FROM", ours["SPDXID"]))
        for where, listed in lists:
            for source, its_version in read_list(listed) if where in name else ():
                if source not in LICENCES:
                    sys.exit(f"{listed}: expected a known package, found {source}: add its licence to tools/sbom.py")
                package = describe(source, its_version, LICENCES[source], NOTHING, False)
                packages[package["SPDXID"]] = package
                relations.append(relation(files[-1]["SPDXID"], "STATIC_LINK", package["SPDXID"]))
    made = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))))
    content = {"packages": [packages[key] for key in sorted(packages)], "files": files, "relationships": relations}
    unique = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"sortie-{version}",
        "documentNamespace": f"{home}/spdx/sortie-{version}-{unique}",
        "creationInfo": {"created": made, "creators": ["Organization: the sortie authors", "Tool: tools/sbom.py"]},
        "documentDescribes": [ours["SPDXID"]], **content,
        "hasExtractedLicensingInfos": [{"licenseId": "LicenseRef-public-domain", "name": "Public domain",
                                        "extractedText": "This file has been put into the public domain."}],
    }


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("expected: tools/sbom.py FOLDER VERSION HOME [WHERE:LIST]...")
    pairs = [pair.split(":", 1) for pair in sys.argv[4:]]
    json.dump(bill(*sys.argv[1:4], pairs), sys.stdout, indent=1)
    print()
