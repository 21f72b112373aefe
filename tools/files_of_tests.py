#!/usr/bin/env python3
"""Which files have to be built for some tests: those that their lines in CTestTestfile.cmake name; "all" where one names none.

    ctest --test-dir BUILD -N -R NAME | tools/files_of_tests.py BUILD
"""
import re
import subprocess
import sys
from pathlib import Path

from sanitized_tests import files_of, tests_of


def main(build: str) -> None:
    folder = Path(build).resolve()
    targets = subprocess.run(["ninja", "-C", folder, "-t", "targets", "all"], check=True, capture_output=True, text=True).stdout
    outputs = {line.rsplit(": ", 1)[0] for line in targets.splitlines()}
    tests = tests_of(folder, set(re.findall(r"^ *Test +#\d+: (\S+)", sys.stdin.read(), re.M)))
    needed = [files_of(line, folder, outputs) for line in tests.values()]
    print("all" if not needed or () in needed else " ".join(sorted({file for files in needed for file in files})))


if __name__ == "__main__":
    main(*sys.argv[1:])
