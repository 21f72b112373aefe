#!/usr/bin/env python3
"""List the tests that a run of ctest skipped, and why.

    tools/skipped_tests.py LastTest.log [--strict] [--without NAME]...

    --strict: exit code 1 where a test was skipped without need
    --without: what this build is made without

Read are ctest's own entries ("skipped: reason"), GoogleTest's ("[  SKIPPED ]", with the line of GTEST_SKIP before it) and
those of pytest and unittest. Needless is a skip whose reason is not in NEEDED.
"""
import argparse
import re
import sys
from pathlib import Path

# Reasons that hold on a machine with every package that ./test installs.
NEEDED = (
    # a case that means something on some engines only
    r"processes do not share memory|each process sees its own rank|other engines (decide|deliver)|needs sends that stay open|processes keep windows"
    r"|only threads copy|windows are no files|a single rank|the window of a single rank|there is nobody to|time is real|passes in waits alone"
    r"|threads of one process|a simulated kernel takes no time|this engine has no helper threads|the thread sanitizer does not support",
    r"real matrices",  # not part of the project
    r"with MPICH|MPICH is not found beside",  # chosen in place of Open MPI, or not installed
    r"with a sanitizer|a sanitizer does not know",
    r"no plugin for Open MPI",
    r"Python has no tomllib",  # before 3.11
    r"Fortran|pkg-config|PETSc|Ipopt|casadi|MUMPS|(JAX|PyTorch) is not installed",  # optional, not installed by ./test
)


def skips(log: str):
    """(test, reason) of each skip."""
    for entry in re.split(r"^\d+/\d+ Testing: ", log, flags=re.M)[1:]:
        test = entry.split(maxsplit=1)[0]
        for reason in re.findall(r"^skipped: (.*)$", entry, flags=re.M):
            yield test, reason
        for reason in re.findall(r"^\S+:\d+: Skipped\n(.*)$", entry, flags=re.M):
            yield test, reason
        for reason in re.findall(r"^SKIPPED \[\d+\] (.*)$", entry, flags=re.M):
            yield test, reason
        for reason in re.findall(r"\.\.\. skipped ['\"](.*)['\"]$", entry, flags=re.M):
            yield test, reason


def main() -> int:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("log", type=Path)
    arguments.add_argument("--strict", action="store_true")
    arguments.add_argument("--without", action="append", default=[])
    asked = arguments.parse_args()
    if not asked.log.exists():  # ctest was stopped, or had no test to run
        print(f"no test ran to its end: there is no {asked.log}")
        return 1
    found = {}
    for test, reason in skips(asked.log.read_text(errors="replace")):
        found.setdefault(reason, []).append(test)
    needed = [*NEEDED, *(f"built without {re.escape(name)}" for name in asked.without)]
    needless = [reason for reason in found if not any(re.search(known, reason) for known in needed)]
    for reason, tests in sorted(found.items()):
        names = ", ".join(sorted(set(tests)))
        print(f"{len(tests):4}  {reason}   ({names})" + ("   <- could have run here" if reason in needless else ""))
    print(f"{sum(map(len, found.values()))} skipped in all, {sum(len(found[r]) for r in needless)} of them without need")
    return 1 if needless and asked.strict else 0


if __name__ == "__main__":
    sys.exit(main())
