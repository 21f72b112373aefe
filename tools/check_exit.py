#!/usr/bin/env python3
"""Fail where a static object of the library is destroyed when the process ends.

A daemon thread of Python, or a detached thread of C++, may still work in the library while exit handlers run. It must not meet
destroyed objects. So a table made at first use is `static const auto& table = *new auto(make());`.

    tools/check_exit.py BUILD      a build tree
"""
import re
import subprocess
import sys
from pathlib import Path

# What must happen at the end of the process: MPI is finalised, and waiting threads are joined, which no working thread reads. The
# simulator's programs have no threads of Python.
MEANT = ("src/comm/engine/mpi/",)
JOINS_THREADS = "open_thread.cpp"


def ends(build):
    """(object file, its sources) that register a destructor with exit."""
    for file in sorted([*build.glob("src/**/*.o"), *build.glob("python/CMakeFiles/_core.dir/**/*.o")]):
        if str(file.relative_to(build)).startswith(MEANT):
            continue
        wanted = subprocess.run(["nm", "--undefined-only", file], capture_output=True, text=True, check=True).stdout
        if re.search(r"\b__cxa_atexit\b", wanted):
            unit = file.with_suffix("")
            sources = re.findall(r'^#include "(.*)"', unit.read_text(), flags=re.M) if unit.exists() else []
            names = [Path(source).name for source in sources] or [unit.name]
            if JOINS_THREADS not in names:
                yield file.relative_to(build), names


def main(build):
    found = list(ends(Path(build)))
    for file, sources in found:
        print(f"{file} destroys a static object at exit; one of {', '.join(sources)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
