#!/usr/bin/env python3
"""Writes the tables of some pages of docs/, and the bar chart of README.md, from the runs that lie in bench/results.

    bench/tables.py            writes what stands between <!-- bench/tables.py NAME --> and <!-- end -->
    bench/tables.py --check    writes nothing, names what differs and exits with 1 if something does

NAME is that of a file there without .json, and of a part of its tables: dense, sparse-means. Runs on another processor lie in a folder, whose
name stands before: amd/sparse-means. Each table says which processor and which kernels it is of.
solution.json is the bar chart of README.md, too: docs/pictures/solution-light.svg and -dark.svg.
sparse.json, large.json, many_cores.json, solution.json and supernodal.json are made by bench/sparse_compare, refactor.json by bench/refactor_compare, dense.json and qr.json by bench/dense_compare (docs/performance.md has the commands),
jacobi.json, levels.json and matrix.json by bench/jacobi, preconditioners.json by bench/preconditioners, dropins.json by bench/dropin_compare, latency.json by bench/latency, conditioning.json by bench/conditioning, orders.json by bench/orders.
A ratio is that of a peer to overlapack, so that overlapack is better where it is above 1. It is bold where its whole
interval is above 1, and nowhere else.
"""

import argparse
import functools
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))

from compare.interpreter import require_scipy

require_scipy(ROOT)
from compare import blas, conditioning_report, dense_report, dropin_report, jacobi_report, latency_report, orders_report, preconditioners_report, solution_report, store
from compare.ratios import geometric_mean, interval
from compare.report import LARGE, RATIOS, SEQUENCES, Comparison
from compare.solvers import OURS, SOLVERS

PICTURES = {f"docs/pictures/solution-{theme}.svg": theme for theme in solution_report.THEMES}
PAGES = ("docs/performance.md", "docs/lab/measurements.md", "docs/lab/jacobi.md", "docs/supernodal.md", "docs/lab/supernodal.md", "docs/testing.md")
BLOCK = re.compile(r"(<!-- bench/tables\.py ([\w/-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
NAMES = {"overlapack": "overlapack by its own choice", "multifrontal": "our fronts", "supernodal": "our nodes", "mumps": "MUMPS", "pardiso": "PARDISO of MKL", "pardiso_parallel": "PARDISO, its parallel dissection", "superlu_dist": "SuperLU_DIST", "umfpack": "UMFPACK",
         "cholmod": "CHOLMOD", "klu": "KLU", "hpl": "HPL", "scalapack": "ScaLAPACK", "lapack": "LAPACK"}  # fmt: skip
COMMANDS = {  # and --json with the file
    "sparse": "bench/sparse_compare --ranks 1,2",
    "supernodal": "bench/sparse_compare --ours supernodal --peers multifrontal,pardiso,superlu_dist,umfpack --ranks 1,2",
    "refactor": "bench/refactor_compare --ranks 1,2",
    "solution": f"bench/sparse_compare --ranks 2 --peers mumps,pardiso,splu --timeout 200 --only {','.join(solution_report.KINDS)}",
    "solution16": "bench/sparse_compare --ranks 16 --repeat 2 --peers pardiso,pardiso_parallel",
    "replay": "bench/replay --threads 1,4,16,64 elasticity:24 cube:40 saddle:20 convection:40 convection:28 saddle:16",
    "stages": "bench/stages --threads 1,4,16 elasticity:36 convection:40 cube:60 saddle:22",
    "large": "bench/sparse_compare --large --ranks 1,2",
    "many_cores": "bench/sparse_compare --ranks 1,4,16",
    "dense": "bench/dense_compare --n 4000",
    "qr": "bench/dense_compare --factorization qr --n 2000,4000",
    "jacobi": "bench/jacobi",
    "levels": "bench/jacobi levels",
    "matrix": "bench/jacobi matrix petsc",
    "preconditioners": "bench/preconditioners",
    "dropins": "bench/dropin_compare",
    "latency": "bench/latency",
    "conditioning": "bench/conditioning",
    "orders": "bench/orders",
}


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def ratio_text(mean: float, bounds: tuple[float, float] | None, of_peer: bool = True) -> str:
    text = f"**{mean:.2f}**" if of_peer and bounds and bounds[0] > 1 else f"{mean:.2f}"
    return text + (" [" + ", ".join(f"{b:.2f}" if b < 1000 else f"{b:.0e}" for b in bounds) + "]" if bounds else "")


def ranks_text(ranks: int) -> str:
    return "1 rank" if ranks == 1 else f"{ranks} ranks"


def circumstances(runs: store.Store) -> str:
    """Machine, days, how much was disturbed, and kernels."""
    timed = [r for r in runs.records if r["round"] != "choice" and "time" in r]
    days = sorted({r["time"][:10] for r in timed})
    noisy = sum(r["is_noisy"] for r in timed)
    when = days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
    return (f"{store.machine_text(runs.machine)}, {runs.machine['memory_gib']} GiB; {when}; "
            f"{noisy} of {len(timed)} runs were disturbed by other processes; {kernels(runs)}")  # fmt: skip


def kernels(runs: store.Store) -> str:
    """Which BLAS each solver ran with."""
    return blas.summary(runs.records, lambda solver: solver if solver.startswith("overlapack") else re.sub(r"^\w+", lambda m: NAMES.get(m[0], m[0]), solver))


class Sparse:
    """What sparse.json tells, and supernodal.json of one of our methods."""

    def __init__(self, runs: store.Store, ours: str = OURS):
        self.runs, self.ours = runs, ours
        self.comparisons = [Comparison(runs.records, ranks, ours) for ranks in sorted({r["ranks"] for r in runs.records})]
        self.matrices = sorted(runs.matrices, key=lambda name: runs.matrices[name]["n"])
        tried = {r["peer"] for r in runs.records if r["status"] != "not run"}
        self.peers = [s.name for s in SOLVERS if s.name in tried - {ours}]

    def version(self, peer: str) -> str:
        told = {r["version"] for r in self.runs.records if r["peer"] == peer and "version" in r}
        numbers = sorted(re.search(r"\d+(\.\d+)+", version).group(0) for version in told)
        return " ".join([NAMES.get(peer, peer), ", ".join(numbers)]).strip()

    def circumstances(self) -> str:
        sizes = [self.runs.matrices[name]["n"] for name in self.matrices]
        return (f"The {len(sizes)} matrices of {min(sizes):,} to {max(sizes):,} unknowns that [the list]"
                f"(#each-matrix) names, overlapack {self.version(self.ours).split()[-1]}; {circumstances(self.runs)}.\n\n")  # fmt: skip

    def means(self, quantities: list[str], fields: dict[str, str] = RATIOS) -> str:
        """Of these that were measured; on how many matrices ours is faster in the first of them."""
        quantities = [name for name in quantities if any(fields[name] in run for run in self.runs.records)]
        rows = []
        for peer in self.peers:
            for c in self.comparisons:
                means = {name: c.mean(peer, name, fields) for name in quantities}
                cells = [ratio_text(m["mean"], m["by_matrix"]) if (m := means[name]) else "-" for name in quantities]
                faster = f"{m['ours_faster']} of {m['matrices']}" if (m := means[quantities[0]]) else "-"
                rows.append([self.version(peer), ranks_text(c.ranks), *cells, faster, str(len(self.failures(peer, c)))])
        return table(["peer", "ours on", *quantities, f"{quantities[0]} faster on", "unsolved by it"], rows)

    def failures(self, peer: str, c: Comparison) -> dict[str, dict]:
        """Matrix -> record, of what a solver tried and did not solve."""
        return {
            matrix: failure
            for matrix in self.matrices
            if (failure := c.failures.get((matrix, peer)))
            and failure["status"] != "not run"
            and (matrix, peer) not in c.rounds
        }

    def cell(self, c: Comparison, matrix: str, peer: str, field: str = "factor_s") -> str:
        """Ratio of the factorisation with the interval over rounds, or why there is none."""
        value = c.ratio(matrix, peer, field)
        if value is None:
            failure = c.failures.get((matrix, peer), {"status": "-"})
            return "-" if failure["status"] == "not run" else failure["status"]
        is_noisy = all(r["is_noisy"] for r in c.rounds[matrix, peer])
        return ratio_text(value, interval(c.paired(matrix, peer, field))) + (" ~" if is_noisy else "")

    def each_matrix(self) -> str:
        text = ""
        for c in self.comparisons:
            rows = []
            for matrix in self.matrices:
                facts, own = self.runs.matrices[matrix], c.best(matrix, self.ours, "factor_s")
                own_text = f"{1e3 * own:.1f}" if own else c.failures.get((matrix, self.ours), {"status": "-"})["status"]
                cells = [self.cell(c, matrix, peer) for peer in self.peers]
                rows.append([matrix, facts["kind"], f"{facts['n']:,}", f"{facts['nnz']:,}", own_text, *cells])
            text += f"{ranks_text(c.ranks).capitalize()}, factorisation:\n\n"
            text += table(["matrix", "kind", "n", "nnz", "ours, ms", *(NAMES[p] for p in self.peers)], rows) + "\n"
        return text

    def errors(self) -> str:
        """Backward errors of the first round on the fewest ranks."""
        c, solvers = self.comparisons[0], [self.ours, *self.peers]
        rows = []
        for matrix in self.matrices:
            found = [c.rounds.get((matrix, s)) for s in solvers]
            rows.append([matrix, *(f"{f[0]['backward_error']:.0e}" if f else "-" for f in found)])
        return table(["matrix", self.ours, *(NAMES[p] for p in self.peers)], rows)

    def unsolved(self) -> str:
        lines = [
            f"- {self.version(peer)}, {ranks_text(c.ranks)}, {matrix}: {failure['status']}, {failure['message']}\n"
            for peer in [self.ours, *self.peers]
            for c in self.comparisons
            for matrix, failure in self.failures(peer, c).items()
        ]
        return "".join(lines) or "Every solver solved every matrix that it was given.\n"

    def block(self, name: str, page: str) -> str:
        part = name.partition("-")[2]
        if part == "means":
            return self.circumstances() + self.means(list(RATIOS))
        if part == "unsolved":
            return self.unsolved()
        where = f"{store.machine_text(self.runs.machine)}; {kernels(self.runs)}.\n\n"
        return where + {"matrices": self.each_matrix, "errors": self.errors}[part]()


class Solution(Sparse):
    """What solution.json tells: seconds to a first solution."""

    def block(self, name: str, page: str) -> str:
        solutions = solution_report.Solutions(self.runs)
        ranks = ranks_text(solutions.comparison.ranks)
        text = f"{ranks.capitalize()}, seconds (times of ours); {circumstances(self.runs)}.\n\n"
        return text + table(["matrix", "from", "n", *solution_report.NAMES.values()], solutions.rows())


class SolutionParts(Sparse):
    """What solution16.json tells: where the time to a solution goes, beside the better of PARDISO's two analyses."""

    def block(self, name: str, page: str) -> str:
        (c,) = self.comparisons
        fields = ("analysis_s", "first_factor_s", "solution_s")
        rows, ratios = [], []
        for matrix in self.matrices:
            ours = [c.best(matrix, self.ours, field) for field in fields]
            theirs = [t for t in ([c.best(matrix, peer, field) for field in fields] for peer in self.peers) if t[-1]]
            if not ours[-1] or not theirs:
                continue
            theirs = min(theirs, key=lambda times: times[-1])
            ratios.append(theirs[-1] / ours[-1])
            rows.append([matrix, f"{self.runs.matrices[matrix]['n']:,}", *(f"{s:.3f}" for s in (*ours, *theirs)), f"{ratios[-1]:.2f}"])
        text = f"{circumstances(self.runs)}. PARDISO / ours, geometric mean of {len(ratios)}: {geometric_mean(ratios):.2f}.\n\n"
        parts = ("analysis", "first factorisation", "solution")
        return text + table(["matrix", "n", *(f"ours, {p}, s" for p in parts), *(f"PARDISO, {p}, s" for p in parts), "solution, ratio"], rows)


class Stages:
    """What stages.json tells: an analysis on more and more threads."""

    def __init__(self, runs: store.Store):
        self.runs = runs

    def block(self, name: str, page: str) -> str:
        rows = []
        for matrix in dict.fromkeys(r["matrix"] for r in self.runs.records):
            records = self.runs.select(matrix=matrix)
            seconds = ", ".join(f"{r['seconds']:.3f}" for r in records)
            alone = records[0]
            rows.append([matrix, f"{alone['n']:,}", seconds, f"{alone['seconds'] / records[-1]['seconds']:.1f}", f"{alone['path_s'] / alone['cpu_s']:.2f}"])  # fmt: skip
        threads = ", ".join(str(r["threads"]) for r in records)
        head = f"{store.machine_text(self.runs.machine)}; {records[0]['time'][:10]}.\n\n"
        return head + table(["matrix", "n", f"seconds on {threads} threads", "speed-up", "longest chain / work on one"], rows)


class Replay:
    """What replay.json tells: large fronts as tasks and step by step, scheduled on more threads than there are."""

    def __init__(self, runs: store.Store):
        self.runs = runs

    def block(self, name: str, page: str) -> str:
        rows = []
        threads = list(dict.fromkeys(r["threads"] for r in self.runs.records))
        for matrix in dict.fromkeys(r["matrix"] for r in self.runs.records):
            cells = [matrix]
            for fronts in ("tasks", "steps"):
                records = self.runs.select(matrix=matrix, fronts=fronts)
                # of the steps' large fronts, what is on one thread is not told apart from that of small ones: it is what tasks do not have
                rest = records[0]["other_s"] - self.runs.select(matrix=matrix, fronts="tasks")[0]["other_s"]
                spans = [r["large_span_s"] + max(0, rest) for r in records]
                cells += [", ".join(f"{1e3 * s:.1f}" for s in spans), f"{spans[0] / spans[-1]:.1f}"]
            trees = [r["tree"] for r in self.runs.select(matrix=matrix, fronts="tasks")]
            whole = ", ".join(f"{1e3 * t['span_s']:.1f}" for t in trees)
            cells += [whole, f"{trees[0]['span_s'] / trees[-1]['span_s']:.1f}", f"{1e3 * trees[-1]['path_s']:.1f}"]
            rows.append(cells)
        numbers = ", ".join(map(str, threads))
        head = f"{store.machine_text(self.runs.machine)}; {self.runs.records[0]['time'][:10]}.\n\n"
        return head + table(["matrix", f"tasks on {numbers} threads, ms", f"speed-up on {threads[-1]}", f"steps on {numbers}, ms", f"speed-up on {threads[-1]}",
                             f"whole tree on {numbers}, ms", f"speed-up on {threads[-1]}", f"longest path on {threads[-1]}, ms"], rows)  # fmt: skip


class Sequences(Sparse):
    """What refactor.json tells: other values in one pattern."""

    def block(self, name: str, page: str) -> str:
        return f"{circumstances(self.runs)}.\n" + {"means": self.means_of_steps, "matrices": self.each_matrix}[name.partition("-")[2]]()

    def means_of_steps(self) -> str:
        return "\n" + self.means(list(SEQUENCES), SEQUENCES)

    def each_matrix(self) -> str:
        text = ""
        for c in self.comparisons:
            rows = []
            for matrix in self.matrices:
                own = [c.best(matrix, self.ours, field) for field in ("refactor_s", "solve_s")]
                cells = [self.cell(c, matrix, peer, "refactor_s") for peer in self.peers]
                rows.append([matrix, *(f"{1e3 * s:.2f}" if s else "-" for s in own), *cells])
            text += f"\n{ranks_text(c.ranks).capitalize()}, again:\n\n"
            text += table(["matrix", "ours, ms", "its solve, ms", *(NAMES[p] for p in self.peers)], rows)
        return text


class Large(Sparse):
    """What large.json tells: the first factorisation beside the next, and their share of dgemm's rate."""

    def block(self, name: str, page: str) -> str:
        text = f"{circumstances(self.runs)}.\n\n" + self.means(list(LARGE), LARGE)
        for c in self.comparisons:
            rows = []
            for matrix in self.matrices:
                own = [c.best(matrix, self.ours, field) for field in LARGE.values()]
                shares = [c.share_of_dgemm(matrix, field) for field in LARGE.values()]
                runs = c.rounds.get((matrix, self.ours))
                cells = [self.cell(c, matrix, peer, field) for peer in self.peers for field in LARGE.values()]
                rows.append([matrix, f"{self.runs.matrices[matrix]['n']:,}", f"{runs[0]['flops'] / 1e9:.0f}" if runs else "-",
                             *(f"{s:.2f}" if s else "-" for s in own), ", ".join(f"{s:.2f}" if s else "-" for s in shares), *cells])  # fmt: skip
            text += f"\n{ranks_text(c.ranks).capitalize()}:\n\n"
            text += table(["matrix", "n", "Gflop", "first, s", "again, s", "of dgemm",
                           *(f"{NAMES[p]}, {field}" for p in self.peers for field in LARGE)], rows)  # fmt: skip
        return text


class ManyCores(Sparse):
    """What many_cores.json tells: each solver's times on more and more ranks."""

    def block(self, name: str, page: str) -> str:
        text = f"{circumstances(self.runs)}.\n\n" + self.means(list(RATIOS))
        numbers = ", ".join(str(c.ranks) for c in self.comparisons)
        for title, field in (("Factorisation", "factor_s"), ("Solves with 16 right-hand sides", "solve16_s")):
            rows = []
            for matrix in self.matrices:
                times = [[c.best(matrix, solver, field) for c in self.comparisons] for solver in (self.ours, *self.peers)]
                cells = [", ".join(f"{1e3 * s:.0f}" if s else "-" for s in of_solver) for of_solver in times]
                rows.append([matrix, f"{self.runs.matrices[matrix]['n']:,}", *cells])
            text += f"\n{title}, ms on {numbers} ranks:\n\n"
            text += table(["matrix", "n", "ours", *(NAMES[p] for p in self.peers)], rows)
        return text


def needs_two_ranks(name: str, ranks: int) -> bool:
    """Parity keeps the ranks of a node in opposite phases: one rank has no phases."""
    return name.split()[-1] == "parity" and ranks == 1


class Dense:
    """What dense.json or qr.json tells."""

    def __init__(self, runs: store.Store, factorization: str):
        self.runs, self.factorization = runs, factorization
        self.orders = sorted({r["n"] for r in runs.records})

    def comparisons(self, n: int) -> list[dense_report.Comparison]:
        ranks = sorted({r["ranks"] for r in self.runs.records if r["n"] == n})
        return [dense_report.Comparison(self.runs.records, self.factorization, n, p) for p in ranks]

    def cells(self, c: dense_report.Comparison, name: str) -> list[str]:
        """GF/s, the time over that of the fastest of ours, and memory."""
        task = "system" if c.rate(name, "system") and c.rate(c.fastest("system"), "system") else "factor"
        rate, pairs = c.rate(name, task), c.paired(name, c.fastest(task), f"{task}_s")
        is_ours = name.split()[0] in ("thread", "mpi")
        memory = c.best(name, f"{task}_bytes")
        return [
            f"{rate:.1f}" if rate else "not run" if needs_two_ranks(name, c.ranks) else c.failures.get(name, {"status": "-"})["status"],
            ratio_text(geometric_mean(pairs), interval(pairs), not is_ours) if pairs else "-",
            f"{memory / 1e6:.0f}" if memory else "-",
        ]

    def of_order(self, n: int) -> str:
        comparisons = self.comparisons(n)
        names = list(dict.fromkeys(name for c in comparisons for name in c.names))
        fastest = " and ".join(f"{c.fastest('system')} ({ranks_text(c.ranks)})" for c in comparisons)
        header = [h for c in comparisons for h in (f"GF/s, {ranks_text(c.ranks)}", "time over our fastest", "MB")]
        rows = [[NAMES.get(name, name), *(cell for c in comparisons for cell in self.cells(c, name))] for name in names]
        return f"n = {n:,}; the fastest of ours: {fastest}.\n\n" + table(["solver", *header], rows)

    def block(self, name: str, page: str) -> str:
        return circumstances(self.runs) + ".\n\n" + "\n".join(map(self.of_order, self.orders))


class Jacobi:
    """What jacobi.json tells."""

    def __init__(self, runs: store.Store):
        self.runs = runs

    def block(self, name: str, page: str) -> str:
        records = self.runs.records
        days = sorted({r["time"][:10] for r in records})
        return (f"{store.machine_text(self.runs.machine)}; {' to '.join(dict.fromkeys((days[0], days[-1])))}; "
                f"{jacobi_report.disturbed(records)} runs were disturbed by other processes; {kernels(self.runs)}.\n\n"
                + table(jacobi_report.HEADER, jacobi_report.rows(records)))  # fmt: skip


class Preconditioners:
    """What preconditioners.json tells."""

    def __init__(self, runs: store.Store):
        self.runs = runs

    def block(self, name: str, page: str) -> str:
        records = self.runs.records
        noisy = sum(r["is_noisy"] for r in records)
        return (f"{store.machine_text(self.runs.machine)}; {records[0]['time'][:10]}; {ranks_text(records[0]['ranks'])}; {noisy} of {len(records)} runs were disturbed by other "
                f"processes. {preconditioners_report.growth_text(records)}\n\n"
                + table(preconditioners_report.HEADER, preconditioners_report.rows(records, self.runs.matrices)))  # fmt: skip


class Dropins:
    """What dropins.json tells: each program with MUMPS and with overlapack in its place."""

    def __init__(self, runs: store.Store):
        self.runs = runs

    def block(self, name: str, page: str) -> str:
        rows: list[list[str]] = []
        of_host: dict[str, list[float]] = {}
        for (host, problem, ranks, _size), rounds in dropin_report.pairs_of(self.runs.records).items():
            if wrong := next(filter(None, (dropin_report.faults(*pair) for pair in rounds)), ""):
                rows.append([host, problem, str(ranks), "-", "-", wrong])
                continue
            found, best = dropin_report.ratios_of(rounds)
            of_host.setdefault(f"{host}, {ranks_text(ranks)}", []).append(geometric_mean(found))
            rows.append([host, problem, str(ranks), *(f"{seconds:.3f}" for seconds in best),
                         ratio_text(geometric_mean(found), interval(found))])  # fmt: skip
        means = "; ".join(f"{of}: {ratio_text(geometric_mean(found), interval(found))} over {len(found)} problems"
                          for of, found in of_host.items())  # fmt: skip
        return (f"{circumstances(self.runs)}. MUMPS over overlapack in geometric mean: {means}.\n\n"
                + table(["program", "problem", "ranks", "MUMPS, s", "overlapack, s", "MUMPS / overlapack"], rows))  # fmt: skip


class Latency:
    """What latency.json tells."""

    def __init__(self, runs: store.Store):
        self.runs = runs

    def block(self, name: str, page: str) -> str:
        records = self.runs.records
        days = dict.fromkeys(sorted(r["time"][:10] for r in records))
        noisy = len({r["time"] for r in records if r["is_noisy"]})
        text = f"{store.machine_text(self.runs.machine)}; {', '.join(days)}; {noisy} of {len({r['time'] for r in records})} runs were disturbed by other processes.\n"
        for header in (latency_report.HEADER, latency_report.CALLS_HEADER):
            text += "\n" + table(header, latency_report.rows(records, header))
        return text


class Conditioning:
    """What conditioning.json tells."""

    def __init__(self, runs: store.Store):
        self.runs = runs

    def block(self, name: str, page: str) -> str:
        records = self.runs.records
        text = f"{store.machine_text(self.runs.machine)}; {len(records)} solves, {conditioning_report.faults_text(conditioning_report.faults(records))}.\n"
        for family in dict.fromkeys(r["family"] for r in records):
            of_family = self.runs.select(family=family)
            text += f"\n{family.replace('_', ' ')}:\n\n" + table(conditioning_report.header(of_family), conditioning_report.rows(of_family))
        return text


class Orders:
    """What orders.json tells."""

    def __init__(self, runs: store.Store):
        self.runs = runs

    def block(self, name: str, page: str) -> str:
        records = self.runs.records
        worst = {order: max(records, key=lambda r: orders_report.ratio(r, order, "flops")) for order in ("dissection", "high")}
        largest = {order: f"{orders_report.ratio(r, order, 'flops'):.2f} ({r['graph']})" for order, r in worst.items()}
        noisy = sum(r["is_noisy"] for r in records)
        text = (f"{store.machine_text(self.runs.machine)}; {records[0]['time'][:10]}; {noisy} of {len(records)} runs were disturbed by other processes; dissection on {records[0]['threads']} thread. "
                f"The largest ratio of operations is {largest['dissection']}, with effort high {largest['high']}.\n\n")  # fmt: skip
        rows = orders_report.rows(records)
        return text + table(orders_report.HEADER, rows[-1:] if name.endswith("-mean") else rows)


READERS = {
    "sparse": Sparse,
    "supernodal": lambda runs: Sparse(runs, "supernodal"),
    "refactor": Sequences,
    "solution": Solution,
    "solution16": SolutionParts,
    "stages": Stages,
    "replay": Replay,
    "large": Large,
    "many_cores": ManyCores,
    "dense": lambda runs: Dense(runs, "lu"),
    "qr": lambda runs: Dense(runs, "qr"),
    "jacobi": Jacobi,
    "levels": Jacobi,
    "matrix": Jacobi,
    "preconditioners": Preconditioners,
    "dropins": Dropins,
    "latency": Latency,
    "conditioning": Conditioning,
    "orders": Orders,
}


def filled(text: str, page: str, results: Path) -> str:
    """The page with its blocks made anew."""

    @functools.cache
    def reader(source: str) -> Sparse | Dense | Jacobi | Preconditioners | Dropins | Latency | Conditioning | Orders | Stages | Replay:
        return READERS[Path(source).name](store.Store.open(results / f"{source}.json", False))

    def fill(match: re.Match) -> str:
        source = match.group(2).split("-")[0]
        if not (results / f"{source}.json").exists():
            command = f"{COMMANDS[Path(source).name]} --json bench/results/{source}.json"
            return f"{match.group(1)}*No run is kept. `{command}` makes one, `bench/tables.py` the table.*\n{match.group(3)}"
        return match.group(1) + reader(source).block(match.group(2), page) + match.group(3)

    return BLOCK.sub(fill, text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if a page differs")
    parser.add_argument("--results", type=Path, default=ROOT / "bench" / "results", help="folder of the runs")
    parser.add_argument("--pages", type=Path, default=ROOT, help="folder that has docs/")
    options = parser.parse_args()
    differing = []
    runs = options.results / "solution.json"
    for page in (*PAGES, *(PICTURES if runs.exists() else ())):
        path = options.pages / page
        old = path.read_text() if path.exists() else ""
        new = solution_report.Solutions(store.Store.open(runs, False)).picture(PICTURES[page]) if page in PICTURES else filled(old, page, options.results)
        if new != old:
            differing.append(page)
            if not options.check:
                path.write_text(new)
    for page in differing:
        print(f"{page}: {'differs from the runs; call bench/tables.py' if options.check else 'written'}")
    return 1 if differing and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
