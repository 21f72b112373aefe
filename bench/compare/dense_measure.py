"""Blocks chosen by a scan, then paired rounds: all solvers in turn. A record in the store is not measured again."""

import math
import sys
from dataclasses import dataclass

from . import blas, gate
from .dense_solvers import Installation, Solver
from .launch import environment
from .store import Store

THRESHOLD = 16.0  # HPL's bound of the scaled residual


@dataclass(frozen=True)
class Settings(gate.Settings):
    rounds: int = 5
    repeats: int = 3  # in one process; the shortest counts
    blocks: tuple[int, ...] = (64, 128, 192, 256)
    depth: int = 1
    timeout_s: float = 180.0
    factorization: str = "lu"


def measure(
    n: int, ranks: int, solvers: list[Solver], installed: Installation, settings: Settings, store: Store
) -> None:
    trial = _Trial(n, ranks, installed, settings, store, gate.Gate(settings))
    chosen = {solver: trial.choose(solver) for solver in solvers}
    for turn in range(settings.rounds):
        for solver, choice in chosen.items():
            if choice["status"] == "ok":
                trial.run(solver, choice["block"], turn, settings.repeats)


def time_of(record: dict) -> float:
    """What blocks are chosen by: LAPACK's task, or HPL's where there is no other."""
    return record.get("factor_s", record.get("system_s", math.inf))


@dataclass
class _Trial:
    n: int
    ranks: int
    installed: Installation
    settings: Settings
    store: Store
    machine: gate.Gate

    def choose(self, solver: Solver) -> dict:
        """The record of the best block, each run once; else of the failure."""
        reason = self.installed.missing(solver, self.ranks)
        if reason:
            record = self._key(solver, "choice", 0) | {"status": "not run", "message": reason}
            if not self.store.find(**record):
                self.store.add(record)
            return record
        blocks = [b for b in self.settings.blocks if b <= max(self.n, 1)] if solver.has_blocks else [0]
        records = [self.run(solver, block, "choice", 1) for block in blocks]
        return min(records, key=lambda r: (r["status"] != "ok", time_of(r)))

    def run(self, solver: Solver, block: int, turn: int | str, repeats: int) -> dict:
        key = self._key(solver, turn, block)
        record = self.store.find(**key)
        if record is None:
            record = key | self._execute(solver, block, repeats)
            self._say(record)
            self.store.add(record)
        return record

    def _key(self, solver: Solver, turn: int | str, block: int) -> dict:
        return {"peer": solver.name, "factorization": self.settings.factorization, "n": self.n, "ranks": self.ranks, "round": turn, "block": block}

    def _execute(self, solver: Solver, block: int, repeats: int) -> dict:
        command = self.installed.command(
            solver, self.settings.factorization, self.n, block, self.ranks, repeats, self.settings.depth
        )
        launch = "mpi" if solver.launch == "own" else solver.launch
        started = environment(launch, self.ranks, self.settings.kernels, solver.is_ours)
        run = self.machine.execute(command, started, self.settings.timeout_s)
        result = run.result(self.settings.timeout_s)
        if solver.is_preloaded:
            result["blas"] = blas.of_drop_in(self.installed.files["cli"], started)
        elif solver.blas_teller:
            result["blas"] = blas.of_file(self.installed.files["blas"], blas.file_of(str(self.installed.files[solver.program])), started)
        result.pop("peer", None)
        if result["status"] == "ok" and not result["residual"] <= THRESHOLD:
            result |= {"status": "inaccurate", "message": f"scaled residual {result['residual']}"}
        if result["status"] == "ok" and solver.is_preloaded and not result.get("drop_in_calls"):
            result |= {"status": "failed", "message": "the drop-in was loaded, but did not run"}
        return result | run.circumstances()

    def _say(self, r: dict) -> None:
        text = f"{time_of(r):.4g} s" if r["status"] == "ok" else r["message"]
        print(
            f"  n {self.n}, {self.ranks} rank(s), {r['peer']}, block {r['block']}, {r['round']}: {r['status']} {text}"
            f" (wall {r['wall_s']:.1f} s, others {100 * r['foreign']:.0f} %)",
            file=sys.stderr,
            flush=True,
        )
