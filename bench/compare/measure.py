"""Interleaved, repeated, resumable runs. Every run is a record in the store; a finished one is not run again."""

import math
import sys
from dataclasses import dataclass

from . import gate
from .launch import environment
from .matrices import Matrix
from .solvers import OURS, Installation, Solver
from .store import Store


@dataclass(frozen=True)
class Settings(gate.Settings):
    repeat: int = 3  # rounds; each runs every solver once
    timeout_s: float = 60.0  # a run
    budget_s: float = 0.3  # factor again until this much time is measured
    slow_ratio: float = 10.0  # a solver this much slower than the fastest, and above slow_s, is measured once
    slow_s: float = 2.0
    ours: str = "overlapack"  # of which ratios are taken: never measured once alone
    accuracy: float = 1.5e-8  # sqrt(eps): with a larger backward error a run does not count as a solution
    is_spd: bool = False


def measure(
    a: Matrix, ranks: int, solvers: list[Solver], installed: Installation, settings: Settings, store: Store
) -> None:
    """Chooses each solver's best variant by one run of each, then runs all solvers in turn, round after round."""
    is_spd = settings.is_spd and a.is_symmetric and a.has_positive_diagonal
    trial = _Trial(a, ranks, is_spd, installed, settings, store, gate.Gate(settings))
    chosen = {}
    for solver in solvers:
        record = trial.choose(solver)
        if record["status"] == "ok":
            chosen[solver.name] = record
    fastest = min((r["factor_s"] for r in chosen.values()), default=0.0)
    for turn in range(settings.repeat):
        for solver in solvers:
            record = chosen.get(solver.name)
            if record is None:
                continue
            is_slow = solver.name != settings.ours and record["factor_s"] > max(settings.slow_s, settings.slow_ratio * fastest)
            if is_slow and turn > 0:
                continue
            trial.run(solver, record["variant"], turn, record if is_slow else None)


@dataclass
class _Trial:
    a: Matrix
    ranks: int
    is_spd: bool
    installed: Installation
    settings: Settings
    store: Store
    machine: gate.Gate

    def key(self, solver: Solver, **more) -> dict:
        return {"matrix": self.a.name, "peer": solver.name, "ranks": self.ranks, "is_spd": self.is_spd, **more}

    def choose(self, solver: Solver) -> dict:
        """The record of the variant with the shortest factor time, each run once; else of the failure."""
        variants = solver.variants(self.a, self.is_spd)
        reason = variants if isinstance(variants, str) else self.installed.missing(solver)
        if reason:
            record = self.key(solver, round="choice", variant="", status="not run", message=reason)
            old = self.store.find(**self.key(solver, round="choice"), status="not run")
            if old:
                old.update(record)
            else:
                self.store.add(record)
            return record
        records = []
        for variant in variants:
            record = self.store.find(**self.key(solver, round="choice", variant=variant))
            if record is None:
                record = self._execute(solver, variant, "choice", self._choice_limit_s())
                self.store.add(record)
            records.append(record)
        return min(records, key=_rank)

    def _choice_limit_s(self) -> float:
        """Far slower than the fastest run so far cannot win, nor is it worth the wait."""
        same = {"matrix": self.a.name, "ranks": self.ranks, "is_spd": self.is_spd, "round": "choice", "status": "ok"}
        fastest = min((r["wall_s"] for r in self.store.select(**same)), default=math.inf)
        return min(self.settings.timeout_s, 10 + 20 * fastest)

    def run(self, solver: Solver, variant: str, turn: int, measured: dict | None) -> None:
        """Round `turn` of a solver, unless the store has it; `measured` is taken over instead of a run."""
        if self.store.find(**self.key(solver, round=turn)):
            return
        record = measured and {**measured, "round": turn, "is_single": True}
        self.store.add(record or self._execute(solver, variant, turn, self.settings.timeout_s))

    def _execute(self, solver: Solver, variant: str, turn: int | str, limit_s: float) -> dict:
        budget_s = 0.0 if turn == "choice" else self.settings.budget_s
        command = self.installed.command(solver, self.a, variant, self.ranks, self.is_spd, budget_s)
        run = self.machine.execute(command, environment(solver.launch, self.ranks, self.settings.kernels, solver.driver == OURS), limit_s)
        result = _parse(run, limit_s, self.settings.accuracy)
        _say(self.a, solver, variant, turn, result, run)
        return {**result, **self.key(solver, round=turn, variant=variant), **run.circumstances()}


def _rank(record: dict) -> tuple[bool, float]:
    """Orders variants: solved first, then the shorter factor time."""
    return record["status"] != "ok", record.get("factor_s", math.inf)


def _parse(run: gate.Run, limit_s: float, accuracy: float) -> dict:
    result = run.result(limit_s)
    error = result.get("backward_error")
    if result["status"] == "ok" and not (error is not None and error <= accuracy):
        result |= {"status": "inaccurate", "message": f"backward error {error}"}
    return result


def _say(a: Matrix, solver: Solver, variant: str, turn: int | str, result: dict, run: gate.Run) -> None:
    seconds = f"{result['factor_s']:.4g} s" if "factor_s" in result else result.get("message", "")
    print(
        f"  {a.name} {solver.name} {variant} {turn}: {result['status']} {seconds}"
        f" (wall {run.wall_s:.1f} s, others {100 * run.foreign:.0f} %)",
        file=sys.stderr,
        flush=True,
    )
