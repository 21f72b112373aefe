"""Tables from the records: one row a solver and matrix, then the geometric means against each peer."""

from collections.abc import Iterator

from .ratios import geometric_mean, interval
from .solvers import OURS, SOLVERS
from .store import circumstances

LARGE = {"first": "first_factor_s", "again": "refactor_s"}
SEQUENCES = {"again": "refactor_s", "again and solve": "step_s", "solve": "solve_s"}
SOLUTION = {"solution": "solution_s"}
RATIOS = {
    "factor": "factor_s",
    "analysis": "analysis_s",
    "solve": "solve_s",
    "solve 16": "solve16_s",
    "solve 16 unrefined": "unrefined16_s",
    "memory": "peak_bytes",
}


class Comparison:
    """The records of one number of ranks, by matrix and solver."""

    def __init__(self, records: list[dict], ranks: int, ours: str = OURS):
        self.ranks = ranks
        self.ours = ours
        self.matrices: list[str] = []
        self.rounds: dict[tuple[str, str], list[dict]] = {}
        self.failures: dict[tuple[str, str], dict] = {}
        for record in records:
            if record["ranks"] != ranks:
                continue
            key = (record["matrix"], record["peer"])
            if record["matrix"] not in self.matrices:
                self.matrices.append(record["matrix"])
            if record["status"] == "ok" and record["round"] != "choice":
                self.rounds.setdefault(key, []).append(record)
            elif record["status"] != "ok":
                self.failures[key] = record
        for rounds in self.rounds.values():
            rounds.sort(key=lambda r: r["round"])

    def best(self, matrix: str, peer: str, field: str) -> float | None:
        """The minimum over the rounds."""
        values = [r[field] for r in self.rounds.get((matrix, peer), []) if r.get(field)]
        return min(values, default=None)

    def ratio(self, matrix: str, peer: str, field: str) -> float | None:
        """Peer over ours, of the minima."""
        theirs, ours = self.best(matrix, peer, field), self.best(matrix, self.ours, field)
        return theirs / ours if theirs and ours else None

    def share_of_dgemm(self, matrix: str, field: str) -> float | None:
        """Of the rate of BLAS's product, measured in the same runs, that ours reaches."""
        rates = [r["dgemm_flops"] for r in self.rounds.get((matrix, self.ours), []) if "dgemm_flops" in r]
        seconds = self.best(matrix, self.ours, field)
        return self.rounds[matrix, self.ours][0]["flops"] / seconds / max(rates) if rates and seconds else None

    def paired(self, matrix: str, peer: str, field: str) -> list[float]:
        """Peer over ours, round by round."""
        ours = {r["round"]: r.get(field) for r in self.rounds.get((matrix, self.ours), [])}
        theirs = self.rounds.get((matrix, peer), [])
        return [r[field] / ours[r["round"]] for r in theirs if r.get(field) and ours.get(r["round"])]

    def mean(self, peer: str, name: str, fields: dict[str, str] = RATIOS) -> dict | None:
        """Geometric mean over the matrices that both solved, and its 95 % intervals: from round to round (noise of
        the measurement) and from matrix to matrix (what another set of matrices might give)."""
        field = fields[name]
        shared = [m for m in self.matrices if self.ratio(m, peer, field)]
        if not shared:
            return None
        pairs = [p for p in (self.paired(m, peer, field) for m in shared) if len(p) >= 2]
        turns = min((len(p) for p in pairs), default=0)
        by_round = [geometric_mean(p[t] for p in pairs) for t in range(turns)]
        ratios = [self.ratio(m, peer, field) for m in shared]
        return {
            "mean": geometric_mean(ratios),
            "by_round": interval(by_round),
            "by_matrix": interval(ratios),
            "matrices": len(shared),
            "ours_faster": sum(r > 1 for r in ratios),
        }


def print_report(records: list[dict], machine: dict, ours: str = OURS) -> None:
    """Everything, for each number of ranks; ratios to the solver `ours`."""
    for comparison in _by_ranks(records, machine, f"ratios are peer / {ours}, above 1 {ours} is better", ours):
        for matrix in comparison.matrices:
            _print_matrix(comparison, matrix)
        _print_means(comparison)
    _print_parameters(records)


def _by_ranks(records: list[dict], machine: dict, what: str, ours: str) -> Iterator[Comparison]:
    """The comparison for each number of ranks, each below a heading that says what its rows are."""
    print(f"\n{circumstances(records, machine)}")
    _print_versions(records)
    for ranks in sorted({r["ranks"] for r in records}):
        print(f"\n== {ranks} rank(s) or thread(s); {what}")
        yield Comparison(records, ranks, ours)


def _print_versions(records: list[dict]) -> None:
    for solver in SOLVERS:
        versions = sorted({r["version"] for r in records if r["peer"] == solver.name and "version" in r})
        print(f"  {solver.name}: {', '.join(versions) or 'no run'}")


def _cell(value: float | None, form: str) -> str:
    return format(value, form) if value is not None else "-"


def _bounds(bounds: tuple[float, float] | None) -> str:
    return f"[{bounds[0]:.2f}, {bounds[1]:.2f}]" if bounds else ""


def _print_matrix(c: Comparison, matrix: str) -> None:
    print(
        f"\n{matrix:<20} {'variant':<14} {'analysis':>9} {'factor':>9} {'solve':>9} {'MB':>7} {'omega':>8}"
        f" {'nnz(LU)':>9} {'factor ratio':>12} {'95 %':<14} {'memory':>6}"
    )
    for solver in SOLVERS:
        key = (matrix, solver.name)
        if key not in c.rounds:
            failure = c.failures.get(key)
            if failure:
                print(f"  {solver.name:<18} {failure.get('variant', ''):<14} {failure['status']}: {failure['message']}")
            continue
        rounds = c.rounds[key]
        times = [_cell(c.best(matrix, solver.name, f), "9.4f") for f in ("analysis_s", "factor_s", "solve_s")]
        peak = c.best(matrix, solver.name, "peak_bytes")
        is_ours = solver.name == c.ours
        marks = "~" if all(r["is_noisy"] for r in rounds) else ""
        marks += "1" if rounds[0].get("is_single") else ""
        failure = c.failures.get(key)
        if failure and failure["round"] != "choice":
            marks += f" a round: {failure['status']}: {failure['message']}"
        print(
            f"  {solver.name:<18} {rounds[0]['variant']:<14} {' '.join(f'{t:>9}' for t in times)}"
            f" {_cell(peak and peak / 1e6, '.0f'):>7} {_cell(rounds[0].get('backward_error'), '.1e'):>8}"
            f" {_cell(rounds[0].get('factor_nnz'), '.3g'):>9}"
            f" {'' if is_ours else _cell(c.ratio(matrix, solver.name, 'factor_s'), '.2f'):>12}"
            f" {'' if is_ours else _bounds(interval(c.paired(matrix, solver.name, 'factor_s'))):<14}"
            f" {'' if is_ours else _cell(c.ratio(matrix, solver.name, 'peak_bytes'), '.2f'):>6} {marks}"
        )


def print_sequences(records: list[dict], machine: dict, ours: str = OURS) -> None:
    """Milliseconds of a step with other values in one pattern, and the means against each peer."""
    for c in _by_ranks(records, machine, f"factor again + solve, ms; in brackets peer / {ours} of the two", ours):
        for matrix in c.matrices:
            cells = []
            for solver in SOLVERS:
                again, solve = (c.best(matrix, solver.name, field) for field in ("refactor_s", "solve_s"))
                if again is None or solve is None:
                    continue
                ratios = [c.ratio(matrix, solver.name, field) for field in ("refactor_s", "solve_s")]
                text = "" if solver.name == ours else " [" + ", ".join(_cell(r, ".2f") for r in ratios) + "]"
                noisy = "~" if all(r["is_noisy"] for r in c.rounds[matrix, solver.name]) else ""
                cells.append(f"{solver.name} {1e3 * again:.2f} + {1e3 * solve:.2f}{text}{noisy}")
            print(f"  {matrix:<20} {'   '.join(cells)}")
        _print_means(c, SEQUENCES)
    _print_parameters(records)


def print_large(records: list[dict], machine: dict, ours: str = OURS) -> None:
    """Seconds of the first factorisation and of one more, of ours also the share of dgemm's rate, and the means."""
    for c in _by_ranks(records, machine, f"first factorisation, again, s; in brackets peer / {ours} of the two", ours):
        for matrix in c.matrices:
            cells = []
            for solver in SOLVERS:
                times = [c.best(matrix, solver.name, field) for field in LARGE.values()]
                if None in times:
                    continue
                beside = [c.share_of_dgemm(matrix, f) if solver.name == ours else c.ratio(matrix, solver.name, f) for f in LARGE.values()]
                kind = " of dgemm" if solver.name == ours else ""
                cells.append(f"{solver.name} {times[0]:.2f}, {times[1]:.2f} [{_cell(beside[0], '.2f')}, {_cell(beside[1], '.2f')}{kind}]")
            print(f"  {matrix:<20} {'   '.join(cells)}")
        _print_means(c, LARGE)
    _print_parameters(records)


def _print_means(c: Comparison, fields: dict[str, str] = RATIOS) -> None:
    print(
        f"\ngeometric means, peer / {c.ours}, with 95 % intervals over paired rounds and over matrices"
        "\n(~ all runs disturbed by other processes, 1 measured once because far slower than the fastest)"
    )
    print(f"  {'peer':<14} {'quantity':<15} {'mean':>6}  {'rounds':<14} {'matrices':<14} {'of':>3} {'ours better':>11}")
    for solver in SOLVERS:
        for name in fields:
            mean = None if solver.name == c.ours else c.mean(solver.name, name, fields)
            if mean:
                print(
                    f"  {solver.name:<14} {name:<15} {mean['mean']:6.2f}  {_bounds(mean['by_round']):<14}"
                    f" {_bounds(mean['by_matrix']):<14} {mean['matrices']:>3} {mean['ours_faster']:>11}"
                )


def _print_parameters(records: list[dict]) -> None:
    print("\nparameters, as run")
    seen = sorted({(r["peer"], r["variant"], r["parameters"]) for r in records if r.get("parameters")})
    for peer, variant, parameters in seen:
        print(f"  {peer} {variant}: {parameters}")
