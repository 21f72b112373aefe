"""How drivers are found and started: mpi, threads (ranks are the solver's threads), blas (threads only in BLAS), serial."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from . import blas


def prefix(launch: str, ranks: int, mpirun: str | None) -> list[str]:
    """What stands before a driver's command: its ranks and threads stay on the first `ranks` CPUs of this process."""
    cpus = sorted(os.sched_getaffinity(0))
    if launch == "mpi":
        place = ["--bind-to", "core"] if ranks <= len(cpus) else ["--oversubscribe"]
        return [str(mpirun), "-n", str(ranks), *place]
    if shutil.which("taskset") and ranks <= len(cpus):
        return ["taskset", "-c", ",".join(map(str, cpus[:ranks]))]
    return []


def environment(launch: str, ranks: int, choice: blas.Choice = blas.Choice(), is_ours: bool = True) -> dict[str, str]:
    """One BLAS thread a rank; solvers that have threads only inside BLAS get `ranks` of them."""
    threads = {"mpi": 1, "serial": 1, "blas": ranks, "threads": ranks}[launch]
    blas_threads = ranks if launch == "blas" else 1
    return blas.variables(choice, is_ours) | {
        "OMP_NUM_THREADS": str(threads),
        "OPENBLAS_NUM_THREADS": str(blas_threads),
        "MKL_NUM_THREADS": str(threads),
        "MKL_DYNAMIC": "FALSE",
        "MKL_THREADING_LAYER": "GNU",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }


def reported(command: list[str], environment: dict[str, str], accepted: tuple[str, ...] = ("ok",)) -> dict:
    """What `overlapack solve --json` tells, with the processor time and the peak (VmHWM) of the whole process."""
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, env=environment)
        _, _, usage = os.wait4(process.pid, 0)
        out.seek(0)
        report = json.loads(out.read())
    if report["status"] not in accepted:
        raise SystemExit(json.dumps(report, indent=1))
    return report | {"cpu_s": usage.ru_utime + usage.ru_stime, "process_peak_bytes": usage.ru_maxrss * 1024}


def newest(build: Path | None, root: Path, files: dict[str, str]) -> dict[str, Path]:
    """Name -> file of that name in the given build folder, else the newest under build/; without those not built."""
    folders = [build] if build else sorted((root / "build").glob("*/"))
    found = {}
    for name, file in files.items():
        built = [p for folder in folders for p in folder.glob(f"**/{file}") if p.is_file() and os.access(p, os.X_OK)]
        if built:
            found[name] = max(built, key=lambda p: p.stat().st_mtime)
    return found


def find_mpirun() -> str | None:
    return shutil.which("mpirun.openmpi") or shutil.which("mpirun")
