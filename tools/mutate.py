#!/usr/bin/env python3
"""Breaks the sources on purpose, one place at a time, and tells which breaks no test notices.

    cmake --preset mutants && tools/mutate.py [WORD...]
    tools/mutate.py --check

tests/mutations.toml lists the places: of each file the test programs that are to notice (_p3: on 3 ranks), and pairs of what stands
there, once, and what takes its place. Each mutant is built in build/mutants, and its tests run until one fails; one that hangs has been
noticed, too, by the limit of time. With WORDs only places in whose file, or text, each of them stands. Prints a line a mutant, a row a
folder for docs/testing.md, and ends with 1 where one was not noticed, or did not compile.
--check: only whether each place and each test program is there; a test asks.

Run it in a clone of its own: while it runs, the sources are broken.
"""
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/mutants"
LIMIT_S = 20  # of a program on some ranks, which takes a second or two where nothing is broken


def units(root):
    return tomllib.loads((root / "tests/mutations.toml").read_text())["unit"]


def faults(root):
    """A sentence for each place that is not in its file exactly once, and for each test program that no CMakeLists.txt of the tests names."""
    named = set(re.findall(r"\w+", " ".join(file.read_text() for file in (root / "tests").rglob("CMakeLists.txt"))))
    found = []
    for unit in units(root):
        file = root / unit["file"]
        text = file.read_text() if file.exists() else ""
        found += [f'{unit["file"]}: "{old}" stands there {text.count(old)} times, not once' for old, _ in unit["changes"] if text.count(old) != 1]
        found += [f'{unit["file"]}: there is no test {entry}' for entry in unit["tests"] if program_of(entry) not in named]
    return found


def places(words):
    """(file, unit, old, new) of each place that is chosen."""
    for unit in units(ROOT):
        for old, new in unit["changes"]:
            if all(word in unit["file"] + " " + old for word in words):
                yield ROOT / unit["file"], unit, old, new


def program_of(entry):
    """Of a test, which may say on how many ranks."""
    return re.sub(r"_p\d+$", "", entry)


def build(unit):
    """Do the unit's test programs build?"""
    programs = {program_of(entry) for entry in unit["tests"]}
    return subprocess.run(["ninja", "-C", BUILD, *programs], capture_output=True).returncode == 0


def test(unit):
    """How the tests end: passed, failed or hung."""
    for entry in unit["tests"]:
        name, _, ranks = entry.partition("_p")
        program, = BUILD.glob(f"tests/**/{name}")
        environment = os.environ | {"GTEST_FILTER": unit.get("filter", "*"), "GTEST_FAIL_FAST": "1"}
        if ranks:
            environment["OVERLAPACK_TEST_RANKS"] = ranks
        try:
            if subprocess.run([program], env=environment, capture_output=True, timeout=LIMIT_S).returncode != 0:
                return "failed"
        except subprocess.TimeoutExpired:
            return "hung"
    return "passed"


def verdict(file, unit, old, new):
    """Of one mutant; the file is as before afterwards."""
    text = file.read_text()
    try:
        file.write_text(text.replace(old, new))
        return test(unit) if build(unit) else "does not compile"
    finally:
        file.write_text(text)


def main(words):
    if broken := faults(ROOT):
        sys.exit("\n".join([*broken, "mend tests/mutations.toml"]))
    if words == ["--check"]:
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # by way of what restores the file
    chosen = list(places(words))
    for unit in {id(unit): unit for _, unit, _, _ in chosen}.values():
        if not build(unit) or test(unit) != "passed":
            sys.exit(f'{unit["file"]}: {", ".join(unit["tests"])} do not pass, or not build, before anything is broken')
    seen, noticed = Counter(), Counter()
    for file, unit, old, new in chosen:
        begin = time.monotonic()
        how = verdict(file, unit, old, new)
        folder = str(file.parent.relative_to(ROOT))
        seen[folder] += 1
        noticed[folder] += how in ("failed", "hung")
        told = {"passed": "NOT NOTICED", "failed": "noticed", "hung": "noticed (hung)"}.get(how, how.upper())
        print(f"{told:16} {time.monotonic() - begin:5.1f} s  {file.relative_to(ROOT)}: {old}  =>  {new or '(nothing)'}", flush=True)
    print("\n| folder | places | noticed |\n|---|---|---|")
    for folder in seen:
        print(f"| {folder} | {seen[folder]} | {noticed[folder]} |")
    print(f"| all | {seen.total()} | {noticed.total()} |")
    return noticed.total() < seen.total()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
