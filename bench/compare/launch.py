"""How drivers are found and started: mpi, threads (ranks are the solver's threads), blas (threads only in BLAS), serial."""

import os
import shutil
from pathlib import Path


def prefix(launch: str, ranks: int, mpirun: str | None) -> list[str]:
    """What stands before a driver's command: its ranks and threads stay on the first `ranks` CPUs of this process."""
    cpus = sorted(os.sched_getaffinity(0))
    if launch == "mpi":
        place = ["--bind-to", "core"] if ranks <= len(cpus) else ["--oversubscribe"]
        return [str(mpirun), "-n", str(ranks), *place]
    if shutil.which("taskset") and ranks <= len(cpus):
        return ["taskset", "-c", ",".join(map(str, cpus[:ranks]))]
    return []


def environment(launch: str, ranks: int) -> dict[str, str]:
    """One BLAS thread a rank; solvers that have threads only inside BLAS get `ranks` of them."""
    threads = {"mpi": 1, "serial": 1, "blas": ranks, "threads": ranks}[launch]
    blas_threads = ranks if launch == "blas" else 1
    return os.environ | {
        "OMP_NUM_THREADS": str(threads),
        "OPENBLAS_NUM_THREADS": str(blas_threads),
        "MKL_NUM_THREADS": str(threads),
        "MKL_DYNAMIC": "FALSE",
        "MKL_THREADING_LAYER": "GNU",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }


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
