#!/usr/bin/env python3
"""Which tests of a sanitized build are of a share, and what has to be built for them.

    ctest --test-dir BUILD -N | tools/sanitized_tests.py BUILD K/N

Prints three lines: the tests, as a regular expression; the files to build; how many tests these are.

A test needs those files of the build that its lines in CTestTestfile.cmake name. Tests that need the same files stay together. These
groups, in the order of how many steps of the build they take, are cut into shares 0 to N - 1 of about as many tests each: a share
builds little beside the libraries that all of it needs. Entries that only say why something is skipped are of every share; other tests
that name nothing built are of none.
"""
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

LINE = re.compile(r"^(?:add_test|set_tests_properties)\((?:\[=*\[|\")?([\w.-]+)(?:\]=*\]|\")? (.*)$", re.M)


def tests_of(build: Path, chosen):
    """name -> its lines, of each chosen test in the tree."""
    tests = defaultdict(str)
    for file in sorted(build.rglob("CTestTestfile.cmake")):
        for name, rest in LINE.findall(file.read_text()):
            if name in chosen:
                tests[name] += rest + "\n"
    return tests


def chosen_tests(listing: str) -> set:
    """The names in what ctest -N prints."""
    return set(re.findall(r"^ *Test +#\d+: (\S+)", listing, re.M))


def ninja(build: Path, *arguments):
    """The lines that a tool of Ninja prints."""
    return subprocess.run(["ninja", "-C", build, "-t", *arguments], check=True, capture_output=True, text=True).stdout.splitlines()


def outputs_of(build: Path) -> set:
    """All files that the tree can make."""
    return {line.rsplit(": ", 1)[0] for line in ninja(build, "targets", "all")}


def files_of(line: str, build: Path, outputs):
    """The files of the build that a test's line names."""
    words = re.findall(re.escape(f"{build}/") + r"([^\s\"':;,|)]+)", line)
    return tuple(sorted({word for word in words if word in outputs}))


def share(tests, build: Path, outputs, k: int, n: int, steps_of):
    """(names, files, left out) of share k of n; steps_of(files): how many steps of the build they take."""
    groups = defaultdict(list)
    for name, line in tests.items():
        groups[files_of(line, build, outputs)].append(name)
    without = groups.pop((), [])
    names = [name for name in without if '"skipped: ' in tests[name]]
    left_out = sorted(set(without) - set(names))
    mine, before, count = [], 0, sum(map(len, groups.values()))
    for files in sorted(groups, key=lambda files: (steps_of(files), files)):
        if before * n // count == k:
            mine.append(files)
        before += len(groups[files])
    names += [name for files in mine for name in groups[files]]
    return sorted(names), sorted({file for files in mine for file in files}), left_out


def main(build: str, which: str) -> int:
    folder = Path(build).resolve()
    k, n = map(int, which.split("/"))

    tests = tests_of(folder, chosen_tests(sys.stdin.read()))
    names, files, left_out = share(tests, folder, outputs_of(folder), k, n, lambda files: len(ninja(folder, "commands", *files)))
    if not names:
        sys.exit("no test is chosen")
    print("^(" + "|".join(map(re.escape, names)) + ")$")
    print(*files)
    print(f"{len(names)} of {len(tests)} tests, which need {len(files)} files of the build"
          + (f"; not run, as they need none: {', '.join(left_out)}" if left_out else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
