"""Every solver of dense_compare: which program it is, how it is started, which blocks it may choose from."""

import sys
from dataclasses import dataclass
from pathlib import Path

from .launch import find_mpirun, newest, prefix

SCHEDULES = ("flat", "lookahead", "split", "parity", "hybrid")
FILES = {
    "overlapack": "bench_dense_overlapack",
    "scalapack": "bench_dense_scalapack",
    "lapack": "bench_dense_lapack",
    "drop-in": "liboverlapack_scalapack.so",
    "hpl": "hpcc",
    "cli": "cli/overlapack",
    "blas": "bench_blas",
}


@dataclass(frozen=True)
class Solver:
    """`program` is a key of FILES; `engine` and `schedule` are of overlapack's own rows only."""

    name: str
    program: str
    launch: str  # as launch.py has it
    has_blocks: bool = True
    is_preloaded: bool = False  # with the drop-in
    engine: str = ""
    schedule: str = ""

    def has(self, factorization: str) -> bool:
        """HPL and the drop-in are LU; of our schedules two are QR's, too."""
        return factorization == "lu" or (
            self.program != "hpl" and not self.is_preloaded and self.schedule in ("", "flat", "lookahead")
        )

    @property
    def is_ours(self) -> bool:
        return self.program == "overlapack" or self.is_preloaded

    @property
    def blas_teller(self) -> str:
        """The program of FILES that tells its BLAS; "" where it does that itself."""
        return "cli" if self.is_preloaded else "blas" if self.program == "hpl" else ""


def own_solvers(engines: list[str], schedules: list[str]) -> list[Solver]:
    return [
        Solver(
            name=f"{engine} {schedule}",
            program="overlapack",
            launch="mpi" if engine == "mpi" else "threads",
            engine=engine,
            schedule=schedule,
        )
        for engine in engines
        for schedule in schedules
        if not (engine == "mpi" and schedule == "hybrid")  # processes have no helper threads
    ]


PEERS = [
    Solver("hpl", "hpl", "own"),
    Solver("scalapack", "scalapack", "mpi"),
    Solver("scalapack drop-in", "scalapack", "mpi", is_preloaded=True),
    Solver("lapack", "lapack", "blas", has_blocks=False),
]


@dataclass(frozen=True)
class Installation:
    """Where the programs are."""

    files: dict[str, Path]
    mpirun: str | None

    def missing(self, solver: Solver, ranks: int) -> str | None:
        """Why a solver cannot run here, or None."""
        for program in filter(None, (solver.program, solver.blas_teller, "drop-in" if solver.is_preloaded else "")):
            if program not in self.files:
                return "not installed (bench/install_peers)" if program == "hpl" else "not built (target bench_dense)"
        if solver.launch in ("mpi", "own") and self.mpirun is None:
            return "no mpirun"
        if solver.schedule == "parity" and ranks == 1:
            return "needs two ranks of a node"
        if solver.schedule == "hybrid" and ranks == 1:
            return "needs a helper thread beside its rank"
        return None

    def command(
        self, solver: Solver, factorization: str, n: int, block: int, ranks: int, repeats: int, depth: int
    ) -> list[str]:
        task = ["--n", str(n), "--block", str(block), "--ranks", str(ranks), "--repeats", str(repeats)]
        if solver.program == "hpl":
            runner = Path(__file__).parent / "run_hpl.py"
            return [sys.executable, str(runner), "--hpcc", str(self.files["hpl"]), "--mpirun", str(self.mpirun), *task]
        task += ["--factorization", factorization]
        if solver.program == "overlapack":
            task += ["--engine", solver.engine, "--schedule", solver.schedule, "--depth", str(depth)]
        preload = ["env", f"LD_PRELOAD={self.files['drop-in']}"] if solver.is_preloaded else []
        return [*prefix(solver.launch, ranks, self.mpirun), *preload, str(self.files[solver.program]), *task]


def locate(build: Path | None, root: Path) -> Installation:
    files = newest(build, root, FILES)
    hpcc = Path("/usr/bin/hpcc")
    return Installation(files | ({"hpl": hpcc} if hpcc.exists() else {}), find_mpirun())
