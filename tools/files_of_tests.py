#!/usr/bin/env python3
"""Which files have to be built for some tests: those that their lines in CTestTestfile.cmake name; "all" where one names none.

    ctest --test-dir BUILD -N -R NAME | tools/files_of_tests.py BUILD
"""
import sys
from pathlib import Path

from sanitized_tests import chosen_tests, files_of, outputs_of, tests_of


def main(build: str) -> None:
    folder = Path(build).resolve()
    outputs = outputs_of(folder)
    needed = [files_of(line, folder, outputs) for line in tests_of(folder, chosen_tests(sys.stdin.read())).values()]
    print("all" if not needed or () in needed else " ".join(sorted({file for files in needed for file in files})))


if __name__ == "__main__":
    main(*sys.argv[1:])
