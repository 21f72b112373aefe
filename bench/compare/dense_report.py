"""Tables of dense_compare: rates, and ratios to the fastest of our own solvers with 95 % intervals over paired rounds."""

from .dense_measure import time_of
from .ratios import geometric_mean, interval
from .store import circumstances

TASKS = ("factor", "system")


def flops(task: str, n: int, factorization: str) -> float:
    """LAPACK's count of the factorisation; HPL's, which has the solve in it, and QR's with its solve."""
    if factorization == "qr":
        return 4 / 3 * n**3 + (0 if task == "factor" else 5 * n**2)
    return 2 / 3 * n**3 - 1 / 2 * n**2 if task == "factor" else 2 / 3 * n**3 + 3 / 2 * n**2


class Comparison:
    """The records of one factorisation, order and number of ranks, by solver."""

    def __init__(self, records: list[dict], factorization: str, n: int, ranks: int):
        self.factorization, self.n, self.ranks = factorization, n, ranks
        mine = [r for r in records if (r.get("factorization", "lu"), r["n"], r["ranks"]) == (factorization, n, ranks)]
        self.rounds: dict[str, dict[int, dict]] = {}
        self.failures: dict[str, dict] = {}
        for r in mine:
            if r["status"] != "ok":
                self.failures.setdefault(r["peer"], r)
            elif r["round"] != "choice":
                self.rounds.setdefault(r["peer"], {})[r["round"]] = r
        self.names = list(dict.fromkeys(r["peer"] for r in mine))
        self._scanned = [r for r in mine if r["round"] == "choice" and r["status"] == "ok" and "wait_share" in r]
        self.ours = min(self._scanned, key=time_of)["peer"] if self._scanned else ""

    def fastest(self, task: str) -> str:
        """The solver of ours that the scan found fastest at a task; at factor where none has that task."""
        timed = [r for r in self._scanned if r.get(f"{task}_s") and r["peer"] in self.rounds]
        return min(timed, key=lambda r: r[f"{task}_s"])["peer"] if timed else self.ours

    def best(self, name: str, field: str) -> float | None:
        return min((r[field] for r in self.rounds.get(name, {}).values() if r.get(field) is not None), default=None)

    def rate(self, name: str, task: str) -> float | None:
        time_s = self.best(name, f"{task}_s")
        return flops(task, self.n, self.factorization) / time_s / 1e9 if time_s else None

    def paired(self, name: str, reference: str, field: str) -> list[float]:
        """This solver over the reference, round by round."""
        theirs, ours = self.rounds.get(name, {}), self.rounds.get(reference, {})
        both = [t for t in theirs if t in ours and theirs[t].get(field) and ours[t].get(field)]
        return [theirs[t][field] / ours[t][field] for t in both]


def print_report(records: list[dict], machine: dict) -> None:
    print(f"\n{circumstances(records, machine)}")
    for factorization, ranks, n in sorted({(r.get("factorization", "lu"), r["ranks"], r["n"]) for r in records}):
        _print_comparison(Comparison(records, factorization, n, ranks), ranks)
    _print_facts(records)


def _cell(value: float | None, form: str) -> str:
    return format(value, form) if value is not None else "-"


def _ratio(ratios: list[float]) -> str:
    """The geometric mean of paired ratios and its interval."""
    if not ratios:
        return "-"
    bounds = interval(ratios)
    return f"{geometric_mean(ratios):.2f}" + (f" [{bounds[0]:.2f}, {bounds[1]:.2f}]" if bounds else "")


def _print_comparison(c: Comparison, ranks: int) -> None:
    what = "A = Q R; system: with the solve" if c.factorization == "qr" else "P A = L U; system: A x = b as HPL times it"
    print(f"\n== n = {c.n}, {ranks} rank(s) or thread(s). factor: {what}.")
    print(f"   ratios: time of the row over that of {c.ours or 'none of ours'}, above 1 the latter is faster;")
    print("   flat/row: time of our flat schedule on the same engine over that of the row")
    print(
        f"  {'solver':<18} {'block':>5} {'factor':>7} {'system':>7} {'factor ratio':<19} {'system ratio':<19}"
        f" {'flat/row':<19} {'factor MB':>9} {'system MB':>9} {'wait':>5} {'residual':>8}"
    )
    for name in c.names:
        if name not in c.rounds:
            failure = c.failures[name]
            print(f"  {name:<18} {failure['block'] or '':>5} {failure['status']}: {failure['message']}")
            continue
        some = next(iter(c.rounds[name].values()))
        engine = name.split()[0]
        flat = c.paired(f"{engine} flat", name, "factor_s") if "wait_share" in some else []
        share = c.best(name, "wait_share")
        marks = "~" if all(r["is_noisy"] for r in c.rounds[name].values()) else ""
        if name in c.failures:
            marks += f" a run: {c.failures[name]['status']}: {c.failures[name]['message']}"
        print(
            f"  {name:<18} {some['block'] or '':>5} {_cell(c.rate(name, 'factor'), '.1f'):>7}"
            f" {_cell(c.rate(name, 'system'), '.1f'):>7} {_ratio(c.paired(name, c.ours, 'factor_s')):<19}"
            f" {_ratio(c.paired(name, c.ours, 'system_s')):<19} {_ratio(flat):<19}"
            f" {_megabytes(c.best(name, 'factor_bytes')):>9} {_megabytes(c.best(name, 'system_bytes')):>9}"
            f" {_cell(share and 100 * share, '.1f'):>5} {_cell(c.best(name, 'residual'), '.1e'):>8} {marks}"
        )
    print("  rates in GF/s of the shortest run; wait: % of the ranks' time in a traced factorisation; ~ all runs disturbed")


def _megabytes(size: float | None) -> str:
    return _cell(size and size / 1e6, ".0f")


def _print_facts(records: list[dict]) -> None:
    for title, field in (("versions", "version"), ("files of BLAS", "blas"), ("parameters, as run", "parameters")):
        print(f"\n{title}")
        rounds = [r for r in records if r["round"] != "choice" and r.get(field)]
        for text in sorted({r[field] for r in rounds}):
            print(f"  {', '.join(dict.fromkeys(r['peer'] for r in rounds if r[field] == text))}: {text}")
