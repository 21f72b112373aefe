"""Runs the programs of bench/dropin_compare, each with MUMPS and with overlapack."""

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import blas, gate, launch
from .store import Store

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = Path("/usr/share/petsc/3.18/share/petsc/examples/src/ksp/ksp/tutorials")
PETSC = Path("/usr/lib/petscdir/petsc3.18/x86_64-linux-gnu-real")
SOLVERS = ("mumps", "overlapack")
TELLERS = {"overlapack": "cli/overlapack", "mumps": "bench_blas"}  # what BLAS they have
# What PETSc logs for the work of a direct solver.
EVENTS = ("MatLUFactorSym", "MatLUFactorNum", "MatCholFctrSym", "MatCholFctrNum", "MatSolve")

# Problems of PETSc: source, prefix of the solver's options, options with the size as N, size, size of --small.
PETSC_PROBLEMS = {
    "elasticity_2d": ("ex49", "elas_", "-mx N -my N -no_view -c_str 0 -isotropic_E 1 -isotropic_nu 0.3 -elas_pc_type lu", 300, 20),
    "elasticity_3d": ("ex56", "", "-ne N -alpha 1.e-3 -pc_type cholesky", 27, 5),
    "stokes_3d": ("ex42", "stokes_", "-mx N -my N -mz N -stokes_pc_type lu", 14, 4),
}
IPOPT_SIZE, IPOPT_SMALL = 4000, 100


@dataclass(frozen=True)
class Settings(gate.Settings):
    rounds: int = 5
    timeout_s: float = 300
    is_small: bool = False
    python: str = sys.executable
    build: Path | None = None
    ipopt_blas: Path | None = None  # of casadi's MUMPS, in the place of its own


@dataclass(frozen=True)
class Case:
    host: str
    name: str
    ranks: int
    size: int


def cases(hosts: list[str], ranks: list[int], is_small: bool) -> list[Case]:
    found = []
    if "petsc" in hosts:
        found += [Case("petsc", name, p, facts[4 if is_small else 3]) for name, facts in PETSC_PROBLEMS.items() for p in ranks]
    if "ipopt" in hosts:
        text = (ROOT / "bench" / "dropins" / "problems.py").read_text()
        names = re.findall(r"\w+", text[text.rindex("for f in (") + len("for f in ("):text.rindex(")}")])
        found += [Case("ipopt", name, 1, IPOPT_SMALL if is_small else IPOPT_SIZE) for name in names]
    return found


def measure(chosen: list[Case], settings: Settings, records: Store) -> None:
    files = {"petsc": "liboverlapack_petsc.so", "ipopt": "liboverlapack_ma97.so"}
    wanted = {host: files[host] for host in {case.host for case in chosen}} | TELLERS
    found = launch.newest(settings.build, ROOT, wanted)
    if missing := set(wanted) - set(found):
        sys.exit(f"not built: {', '.join(wanted[name] for name in sorted(missing))}; build the target, or give --build")
    runner = gate.Gate(settings)
    with tempfile.TemporaryDirectory() as folder:
        for case in chosen:
            if case.host == "petsc":
                compile_example(Path(folder), PETSC_PROBLEMS[case.name][0])
            for turn in range(settings.rounds):
                for solver in SOLVERS:
                    key = {"host": case.host, "problem": case.name, "ranks": case.ranks, "size": case.size, "peer": solver, "round": turn}
                    if records.find(**key):
                        continue
                    run_one = petsc_run if case.host == "petsc" else ipopt_run
                    started = launch.environment(*started_as(case), settings.kernels, solver == "overlapack")
                    if settings.ipopt_blas and (case.host, solver) == ("ipopt", "mumps"):
                        started["LD_PRELOAD"] = str(stand_in(Path(folder), settings.ipopt_blas))
                    result, run = run_one(case, solver, found[case.host], Path(folder), settings, runner, started)
                    result["blas"] = blas_of(case, solver, result.pop("blas_file", ""), Path(folder), found, started, settings)
                    records.add({**key, **result, **run.circumstances()})
                    print(f"{case.host} {case.name}, {case.ranks} rank(s), {solver}: {result['status']} {result.get('message', '')}", flush=True)


def started_as(case: Case) -> tuple[str, int]:
    return ("mpi", case.ranks) if case.host == "petsc" else ("threads", os.cpu_count() or 1)


def blas_of(case: Case, solver: str, loaded: str, folder: Path, found: dict[str, Path], started: dict[str, str],
            settings: Settings) -> str:
    """Of overlapack in a drop-in what its command tells; of MUMPS that of the library which PETSc's program is linked with, or casadi has loaded."""
    if solver == "overlapack":
        return blas.of_drop_in(found[solver], started)
    if case.host == "petsc":
        file = blas.file_of(str(folder / PETSC_PROBLEMS[case.name][0]))
    elif settings.ipopt_blas and loaded != started["LD_PRELOAD"]:
        sys.exit(f"casadi's MUMPS did not take {settings.ipopt_blas}, but {loaded or 'nothing'}")
    else:
        file = str(settings.ipopt_blas or loaded)
    return blas.of_file(found[solver], file, started) if file else ""


def stand_in(folder: Path, library: Path) -> Path:
    """A library of the name that casadi's MUMPS is linked with, which hands on to another BLAS: casadi's own is built for the oldest processors."""
    made = folder / "libcasadi-tp-openblas.so.0"
    if not made.exists():
        library = library.resolve()
        subprocess.run(["cc", "-shared", "-o", made, f"-Wl,-soname,{made.name}", "-Wl,--no-as-needed", library, f"-Wl,-rpath,{library.parent}",
                        "-lgomp"], check=True)  # which MKL has its threads from
    return made


def compile_example(folder: Path, source: str) -> None:
    if (folder / source).exists():
        return
    if not (EXAMPLES / f"{source}.c").exists():
        sys.exit("PETSc's examples are not there: apt-get install libpetsc-real-dev libpetsc3.18-dev-examples")
    library = next(PETSC.glob("lib/libpetsc*.so")).stem.removeprefix("lib")
    subprocess.run(["mpicc", "-O2", "-w", EXAMPLES / f"{source}.c", "-o", folder / source, f"-I{PETSC}/include", f"-L{PETSC}/lib",
                    f"-l{library}", "-lm"], check=True)


def petsc_run(case: Case, solver: str, library: Path, folder: Path, settings: Settings, runner: gate.Gate, started: dict[str, str]):
    source, prefix, options, *_ = PETSC_PROBLEMS[case.name]
    command = [*launch.prefix("mpi", case.ranks, launch.find_mpirun()), str(folder / source), *options.replace("N", str(case.size)).split(),
               f"-{prefix}ksp_type", "preonly", f"-{prefix}pc_factor_mat_solver_type", solver, f"-{prefix}ksp_converged_reason", "-log_view"]
    if solver == "overlapack":
        command += ["-dll_prepend", str(library)]
    run = runner.execute(command, started, settings.timeout_s)
    return petsc_result(run, settings.timeout_s), run


def petsc_result(run: gate.Run, limit_s: float) -> dict:
    """Calls and seconds (the slowest rank's) of each event, from the table of -log_view."""
    if run.code != 0:
        return run.result(limit_s)
    events = {}
    for name in EVENTS:  # Event  count max ratio  time max ratio ...
        if line := re.search(rf"^{name}\s+(\d+) +[\d.]+ +([\d.e+-]+) ", run.output, re.MULTILINE):
            events[name] = {"calls": int(line.group(1)), "seconds": float(line.group(2))}
    is_solved = re.search(r"solve converged due to CONVERGED_ITS", run.output)
    if not is_solved or "MatSolve" not in events:
        return {"status": "failed", "message": "not converged, or no MatSolve in PETSc's log"}
    return {"status": "ok", "events": events, "total_s": sum(event["seconds"] for event in events.values())}


def ipopt_run(case: Case, solver: str, library: Path, folder: Path, settings: Settings, runner: gate.Gate, started: dict[str, str]):
    command = [settings.python, str(ROOT / "bench" / "dropins" / "run_ipopt.py"), case.name, str(case.size), solver]
    if solver == "overlapack":
        command.append(str(library))
    run = runner.execute(command, started, settings.timeout_s)
    return run.result(settings.timeout_s), run
