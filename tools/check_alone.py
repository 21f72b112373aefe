#!/usr/bin/env python3
"""Fail where a source or a header does not compile by itself: a unity build hides the #include that it lacks.

    tools/check_alone.py BUILD [NAME]...      a build tree; only files with one of the names in their paths

Sources are those of the build, with their own flags. Headers are those of src, include and tests, and others beside such
sources; each sees the folders that any source sees. Nothing is written (-fsyntax-only).
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("src", "include", "cli", "dropins", "scalapack", "python", "fortran", "examples", "bench", "studies", "tests")
OF_THE_SIMULATOR = ("phantom_memory.hpp",)  # for SimGrid's mpi.h, which smpicxx sees
C_HEADERS = ("overlapack.h", "bsp.h", "channels.h", "overlapack_scalapack.h")


def flags_of(command):
    """The compiler and what it is told but for the files, and for the optimisation that a look needs not."""
    words, kept = iter(shlex.split(command)), []
    for word in words:
        if word in ("-o", "-c"):
            next(words)
        elif not word.startswith("-O") and "ccache" not in word:
            kept.append(word)
    return kept


def sources(commands):
    """(file, flags) of each source, of those that a unity build joins too."""
    found = {}
    for entry in commands:
        unit = Path(entry["file"])
        joined = re.findall(r'^#include "(.*)"', unit.read_text(), flags=re.M) if unit.parent.name == "Unity" else [unit]
        for file in joined:
            if Path(file).is_relative_to(ROOT) and Path(file).suffix in (".c", ".cpp"):
                found.setdefault(Path(file), flags_of(entry["command"]))
    return found


def folders_seen(all_flags):
    """-I and -isystem of all sources, each once."""
    seen = {}
    for flags in all_flags:
        words = iter(flags)
        for word in words:
            if word == "-isystem":
                seen[(word, next(words))] = None
            elif word.startswith("-I"):
                seen[(word,)] = None
    return [word for folder in seen for word in folder]


def headers(found):
    """(file, flags) of each header of the project."""
    compiler = next(flags[0] for file, flags in found.items() if file.suffix == ".cpp")
    see = folders_seen(found.values())
    plain = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Wno-pragma-once-outside-header", *see]
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.h*")):
            if file.suffix in (".h", ".hpp") and "build" not in file.parts:
                if file.name in OF_THE_SIMULATOR:
                    if shutil.which("smpicxx"):
                        yield file, ["smpicxx", "-std=c++20", f"-I{ROOT}/src", f"-I{ROOT}/include", "-x", "c++"]
                    continue
                beside = next((flags for source, flags in found.items() if source.parent == file.parent), plain)
                if folder not in ("src", "include", "tests") and beside is plain:
                    continue  # of programs that this build has not
                defines = [flag for flag in beside if flag.startswith("-D")]
                language = ["-x", "c", "-std=c99"] if file.name in C_HEADERS else ["-x", "c++"]
                yield file, [*(flag for flag in plain if language[1] == "c++" or not flag.startswith("-std")), *defines, *language]


def look(job):
    file, flags = job
    # a header is included, since as the main file it would be told of its #pragma once
    is_header = file.suffix in (".h", ".hpp")
    command = [*flags, "-fsyntax-only", "-" if is_header else str(file)]
    done = subprocess.run(command, input=f'#include "{file}"\n' if is_header else None, capture_output=True, text=True, cwd=ROOT)
    return file, done.returncode, done.stderr


def main(build, *names):
    found = sources(json.loads(Path(build, "compile_commands.json").read_text()))
    jobs = [job for job in (*found.items(), *headers(found)) if not names or any(name in str(job[0]) for name in names)]
    failed = 0
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for file, code, text in pool.map(look, jobs):
            if code != 0:
                failed += 1
                first = next((line for line in text.splitlines() if "error" in line), text.strip())
                print(f"{file.relative_to(ROOT)} does not compile by itself: {first}", flush=True)
    print(f"{len(jobs)} files compile by themselves" if failed == 0 else f"{failed} of {len(jobs)} files do not", flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
