#!/usr/bin/env python3
"""Does each row of the last table of docs/contract.md name tests that exist, each test once?

Usage: check_contract.py ROOT. Prints what is wrong, one line each; the exit status is 1 then."""
import re
import sys
from pathlib import Path


def tests_of(root):
    """Suite.Name of each GoogleTest, and the entries that CMake lists by a name of their own."""
    found = set()
    for source in (root / "tests").rglob("*.cpp"):
        found |= {f"{suite}.{name}" for suite, name in re.findall(r"^TEST\((\w+),\s*(\w+)\)", source.read_text(), re.M)}
    for listing in (root / "tests").rglob("CMakeLists.txt"):
        found |= set(re.findall(r"add_test\(NAME (\w+?)(?:_p\$\{ranks\})? ", listing.read_text()))
    return found


def problems(root):
    text = (root / "docs" / "contract.md").read_text()
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", text.split("## What shows it")[-1], re.M)
    rows = [row for row in rows if row[0] != "claim" and not row[0].startswith("---")]
    if len(rows) < 20:
        yield "docs/contract.md: its table of claims is gone"
    known, seen = tests_of(root), {}
    for claim, tests in rows:
        for test in tests.split(", "):
            if test not in known:
                yield f"docs/contract.md: {claim!r} rests on {test}, which is no test"
            if test in seen:
                yield f"docs/contract.md: {test} stands beside {claim!r} and {seen[test]!r}"
            seen[test] = claim


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1])))
    print("\n".join(found))
    sys.exit(bool(found))
