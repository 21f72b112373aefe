"""Which kernels a BLAS runs with: what programs tell of it, whether they are made for this processor, with which variables programs are started."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PREFIXES = ("OPENBLAS_", "MKL_", "BLIS_")  # of variables that a BLAS reads
THREADS = {"OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "MKL_DYNAMIC", "MKL_THREADING_LAYER"}  # set for every run: launch.py
CORETYPE = "OPENBLAS_CORETYPE"
LEVELS = ("SSE", "AVX", "AVX2", "AVX-512")  # vector instructions of x86, from old to new
# What kernels of OpenBLAS and BLIS are made of, in their words; MKL tells the instructions themselves.
KERNELS = {
    "SSE": "generic katmai coppermine northwood prescott banias atom core2 penryn dunnington nehalem athlon opteron opteron_sse3 "
    "barcelona nano bobcat",
    "AVX": "sandybridge bulldozer piledriver steamroller excavator",
    "AVX2": "haswell zen zen2 zen3",
    "AVX-512": "knl skylakex skx cooperlake sapphirerapids zen4 zen5",
}
CORETYPES = {"AVX": "SANDYBRIDGE", "AVX2": "HASWELL", "AVX-512": "SKYLAKEX"}
OURS = re.compile(r"overlapack|multifrontal|supernodal|(thread|mpi) \w+|\w+ drop-in")  # names of solvers in records


@dataclass(frozen=True)
class Choice:
    """What was asked for; else every program runs as it does for a user who has set nothing."""

    keeps_variables: bool = False
    peer_coretype: str = ""
    allows_old_kernels: bool = False

    @staticmethod
    def of(options: argparse.Namespace) -> "Choice":
        return Choice(options.keep_blas_variables, options.peer_coretype, options.old_kernels)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--keep-blas-variables", action="store_true",
                        help="start programs with the variables OPENBLAS_*, MKL_* and BLIS_* of this environment (default: without)")
    parser.add_argument("--peer-coretype", default="", metavar="NAME",
                        help=f"start peers, and never ours, with {CORETYPE}=NAME: for a system's OpenBLAS that does not know the processor")
    parser.add_argument("--old-kernels", action="store_true",
                        help="measure also where kernels of a BLAS are of an older generation than the processor")


def variables(choice: Choice, is_ours: bool) -> dict[str, str]:
    """This environment, as programs get it."""
    kept = {name: value for name, value in os.environ.items() if choice.keeps_variables or not name.startswith(PREFIXES)}
    return kept | ({CORETYPE: choice.peer_coretype} if choice.peer_coretype and not is_ours else {})


def recorded(environment: dict[str, str]) -> dict[str, str]:
    """What a record keeps of an environment: what a BLAS was told, but for its threads."""
    return {name: value for name, value in sorted(environment.items()) if name.startswith(PREFIXES) and name not in THREADS}


@dataclass(frozen=True)
class Told:
    """What a record has of its BLAS. `vectors` is one of LEVELS, or "" where nobody knows."""

    library: str
    kernels: str
    vectors: str


def told(record: dict) -> Told | None:
    """None where the record has nothing of kernels, as old ones, or where there are none."""
    text = record.get("blas") or ""
    if mkl := re.search(r"MKL [\d.]+", text):
        vectors = next((level for level in reversed(LEVELS) if level in text), "")
        return Told(mkl[0], vectors or text[mkl.end() :].removeprefix(" for ").rstrip(")"), vectors)
    if named := re.search(r"((?:OpenBLAS|BLIS) [\w.]+).*kernels (\w+)", text):
        vectors = next((level for level, names in KERNELS.items() if named[2].lower() in names.split()), "")
        return Told(named[1], named[2], vectors)
    return None


def text_of(record: dict) -> str:
    """ "OpenBLAS 0.3.21, kernels SkylakeX by OPENBLAS_CORETYPE" """
    if record.get("blas") == "none":
        return "no BLAS"
    found = told(record)
    if found is None:
        return "unknown BLAS" if "unknown" in (record.get("blas") or "") else "kernels not recorded"
    is_set = CORETYPE in record.get("blas_variables", {}) and found.library.startswith("OpenBLAS")
    return f"{found.library}, kernels {found.kernels}" + (f" by {CORETYPE}" if is_set else "")


def solver_of(record: dict) -> str:
    """Whose BLAS it is: overlapack's for all of its methods, schedules and drop-ins."""
    name = record.get("peer") or record.get("name", "")
    return ("overlapack" if OURS.fullmatch(name) else name) + (f" in {record['host']}" if "host" in record else "")


def summary(records: list[dict], display: Callable[[str], str] = str) -> str:
    """Each BLAS with its kernels, and who ran with it. Runs that failed before they told it do not count."""
    solvers: dict[str, list[str]] = {}
    for record in records:
        if record.get("status", "ok") == "ok" or record.get("blas"):
            of_text = solvers.setdefault(text_of(record), [])
            if (name := display(solver_of(record))) not in of_text:
                of_text.append(name)
    if set(solvers) <= {"kernels not recorded"}:
        return "kernels not recorded"
    return "; ".join(f"{text} ({', '.join(names)})" for text, names in solvers.items())


def refusal(record: dict, machine: dict) -> str:
    """Why a run should not be compared: its kernels are of an older generation than the processor. MKL on AMD is as MKL wants it."""
    found, newest = told(record), machine.get("vectors")
    if not found or not found.vectors or not newest or LEVELS.index(found.vectors) >= LEVELS.index(newest):
        return ""
    if found.library.startswith("MKL") and machine["vendor"] != "GenuineIntel":
        return ""
    solver = solver_of(record)
    mend = "give it a BLAS that knows the processor" + (" (--ipopt-blas FILE)" if record.get("host") == "ipopt" else "")
    if solver.startswith("overlapack"):
        mend = "build overlapack with a BLAS that knows the processor (-DOVERLAPACK_BLAS=scipy-openblas32)"
    elif "DYNAMIC_ARCH" in record["blas"] and CORETYPE not in record.get("blas_variables", {}):
        mend = f"give --peer-coretype {CORETYPES[newest]}, if that OpenBLAS has kernels of this name"
    return (f"{solver} runs with kernels {found.kernels} of {found.library} ({found.vectors}) on a processor with {newest}: {mend},"
            " or --old-kernels to measure it so")  # fmt: skip


def require_new_kernels(record: dict, machine: dict, choice: Choice) -> None:
    if not choice.allows_old_kernels and (why := refusal(record, machine)):
        sys.exit(why)


def require_same_kernels(record: dict, others: list[dict]) -> None:
    """Of a solver's runs on one processor: the shortest of several is one of the same kernels."""
    solver, text = solver_of(record), text_of(record)
    different = {text_of(r) for r in others if r.get("blas") and solver_of(r) == solver} - {text}
    if different:
        sys.exit(f"the kept runs of {solver} are with {', '.join(sorted(different))}, and this one was with {text}: throw those away"
                 " (--rerun where there is that option), or give another file")  # fmt: skip


def of_overlapack(command: Path | str, environment: dict[str, str]) -> str:
    """What the command line overlapack tells of the BLAS that it was built with, and of the kernels that it has mended for itself."""
    done = subprocess.run([command, "info", "--json"], env=environment, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["blas"]


def of_drop_in(command: Path | str, environment: dict[str, str]) -> str:
    """Of the drop-ins of the same build: they mend no kernels, and this mark (cli/core_type.cpp) keeps the command from it."""
    return of_overlapack(command, environment | {"OVERLAPACK_CHOSE_CORETYPE": "1"})


def of_file(teller: Path | str, file: str, environment: dict[str, str]) -> str:
    """What bench_blas tells of a shared library."""
    return subprocess.run([teller, file], env=environment, check=True, capture_output=True, text=True).stdout.strip()


def file_of(program: str) -> str:
    """The library that a program has its BLAS from."""
    listing = subprocess.run(["ldd", shutil.which(program) or program], capture_output=True, text=True).stdout
    found = re.search(r"libblas\S* => (\S+)", listing)
    return os.path.realpath(found[1]) if found else "unknown"
