"""Every solver of the comparison: how it is started, and which of its variants count for a matrix."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .launch import find_mpirun, newest, prefix
from .matrices import Matrix

OURS = "overlapack"


@dataclass(frozen=True)
class Solver:
    """`variants` names the orderings and matchings to try on a matrix (the best counts); a string says why not."""

    name: str
    launch: str  # as launch.py has it
    variants: Callable[[Matrix, bool], list[str] | str]
    program: str = ""  # whose driver it is; "": of that name
    is_asked_for: bool = False  # runs only where --peers or --ours names it

    @property
    def driver(self) -> str:
        return self.program or self.name


def _mumps(a: Matrix, is_spd: bool) -> list[str]:
    if not a.is_symmetric:
        return ["matched_metis", "metis", "amd", "pord"]
    if a.has_positive_diagonal:
        return ["metis", "amd", "pord"]
    return ["paired_metis", "metis", "paired_amd", "amd", "pord"]


def _superlu_dist(a: Matrix, is_spd: bool) -> list[str]:
    if not a.is_symmetric:
        return ["matched_metis", "matched_amd"]
    return ["metis"] if a.has_positive_diagonal else ["matched_metis", "metis"]


def _pardiso(a: Matrix, is_spd: bool) -> list[str]:
    return ["metis"] if a.is_symmetric and a.has_positive_diagonal else ["matched_metis", "metis"]


def _pardiso_parallel(a: Matrix, is_spd: bool) -> list[str]:
    return [f"parallel_{variant}" for variant in _pardiso(a, is_spd)]


def _cholmod(a: Matrix, is_spd: bool) -> list[str] | str:
    return ["default"] if is_spd else "SPD only"


def _klu(a: Matrix, is_spd: bool) -> list[str] | str:
    return "made for unsymmetric circuits" if a.is_symmetric else ["amd"]


def _splu(a: Matrix, is_spd: bool) -> list[str]:
    return ["COLAMD", "MMD_AT_PLUS_A"] if a.is_symmetric else ["COLAMD"]


def _supernodal(a: Matrix, is_spd: bool) -> list[str] | str:
    return "an LU" if a.is_symmetric else ["supernodal"]


SOLVERS = (
    Solver(OURS, "threads", lambda a, is_spd: ["default"]),
    Solver("multifrontal", "threads", lambda a, is_spd: ["multifrontal"], OURS, is_asked_for=True),
    Solver("supernodal", "threads", _supernodal, OURS, is_asked_for=True),
    Solver("mumps", "mpi", _mumps),
    Solver("pardiso", "threads", _pardiso),
    Solver("pardiso_parallel", "threads", _pardiso_parallel, "pardiso", is_asked_for=True),
    Solver("superlu_dist", "mpi", _superlu_dist),
    Solver("umfpack", "blas", lambda a, is_spd: ["amd", "metis"]),
    Solver("cholmod", "blas", _cholmod),
    Solver("klu", "serial", _klu),
    Solver("splu", "blas", _splu, is_asked_for=True),
)


@dataclass(frozen=True)
class Installation:
    """Where the programs are; built once by `locate`."""

    drivers: dict[str, Path]
    mpirun: str | None
    mkl: Path | None

    def missing(self, solver: Solver) -> str | None:
        """Why a solver cannot run here, or None."""
        if solver.driver not in self.drivers:
            return "not built (bench/install_peers, then target bench_peers)"
        if solver.launch == "mpi" and self.mpirun is None:
            return "no mpirun"
        if solver.driver == "pardiso" and self.mkl is None:
            return "no libmkl_rt (pip install mkl)"
        return None

    def command(self, solver: Solver, a: Matrix, variant: str, ranks: int, is_spd: bool, budget_s: float) -> list[str]:
        driver = self.drivers[solver.driver]
        command = [*([sys.executable] if driver.suffix == ".py" else []), str(driver), str(a.binary), "--variant", variant, "--ranks", str(ranks)]
        command += ["--budget", str(budget_s)] + (["--spd"] if is_spd else [])
        if solver.driver == "pardiso":
            command += ["--library", str(self.mkl)]
        return prefix(solver.launch, ranks, self.mpirun) + command


def locate(build: Path | None, root: Path) -> Installation:
    """Drivers of the given build folder, else the newest of each under build/."""
    found = newest(build, root, {solver.driver: f"bench_{solver.driver}" for solver in SOLVERS})
    found["splu"] = root / "bench" / "peers" / "scipy_splu.py"
    libraries = sorted(Path(sys.prefix).glob("lib/libmkl_rt.so*"))
    return Installation(found, find_mpirun(), libraries[-1] if libraries else None)
