#!/usr/bin/env python3
"""Paper 5, asynchronous Jacobi on a Cray XE6: python3 study.py ITEM --overlapack EXE; `overlapack study bethune2014 ITEM` does so.

ITEM: table1, slow, sweeps, figure4, figure7, batches, real, all. Simulated runs compute the numbers, with 8^3 points a rank in
place of 50^3."""
import collections
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from simulated import main, plot, Runs, table  # noqa: E402

VARIANTS = ["sync", "async", "racy"]
# Tables 1 and 2: (min, mean, max, seconds)
TABLE1 = {32: {"sync": (9100, 9100, 9100, 28.4), "async": (10737, 11245, 12231, 33.8), "racy": (8952, 9307, 10140, 27.7)}}
TABLE2 = {32: {"sync": (9100, 9100, 9100, 27.6), "async": (8724, 9136, 10784, 26.7), "racy": (8496, 9088, 10725, 26.3)}}
POINTS, TOLERANCE = 8, "1e-3"
DIFFERS = [
    "8^3 points a rank in place of 50^3: messages weigh more beside the sweep, and fewer iterations are needed. Compare ratios of variants only.",
    "Our residual is ||b - A x|| / ||b|| of the returned vector; the paper does not define its own.",
    "The machine file's rates of the XE6 are orders of magnitude, not from a document; messages move while both sides compute.",
]


class Study:
    def __init__(self, arguments):
        self.a, self.out = arguments, Path(arguments.out)
        self.runs = Runs(arguments.overlapack, "xe6-gemini-like", self.out / "runs.json")

    def jacobi(self, ranks, variant, *more, simulation=(), tolerance=TOLERANCE, points=POINTS):
        return self.runs.report(ranks, ["jacobi", "--grid", points, "--variant", variant, "--tolerance", tolerance, *more], *simulation)

    def table1(self):
        rows = []
        for ranks in (16, 32):
            base = self.jacobi(ranks, "sync")
            for variant in VARIANTS:
                ours = self.jacobi(ranks, variant)
                paper = TABLE1.get(ranks, {}).get(variant)
                shmem = TABLE2.get(ranks, {}).get(variant)
                rows.append([ranks, variant, ours["iterations"]["min"], round(ours["iterations"]["mean"]), ours["iterations"]["max"],
                             1000 * ours["solve_s"], ours["true_residual"], ours["solve_s"] / base["solve_s"],
                             paper[3] / 28.4 if paper else "-", shmem[3] / 27.6 if shmem else "-"])
        return table("Tables 1 and 2: iterations and time to 1e-3 (simulated; paper: 1e-4)",
                     ["ranks", "variant", "min", "mean", "max", "ms", "true residual", "time / sync", "paper, MPI", "paper, SHMEM"], rows, DIFFERS)

    def slow(self):
        rows, options = [], ["--boxes", "4x4x1", "--residual-period", "20"]
        for factor in (2, 4):
            simulation = ["--ranks-per-node", "1", "--slow-host", f"0:{factor}"]
            reports = [self.jacobi(16, variant, *options, simulation=simulation, points=20) for variant in VARIANTS]
            seconds = [report["solve_s"] for report in reports]
            rows.append([factor, *[1000 * s for s in seconds], seconds[0] / seconds[1], seconds[0] / seconds[2],
                         f"{reports[1]['iterations']['min']}..{reports[1]['iterations']['max']}"])
        return table("A slow corner: 16 ranks as 4 x 4 x 1, one a node, rank 0 slower by a factor (simulated)",
                     ["factor", "sync, ms", "async, ms", "racy, ms", "sync / async", "sync / racy", "iterations, async"], rows,
                     ["The paper has no such run.", "20^3 points a rank, to 1e-3; the residual is looked at every 20 iterations.",
                      "With 8^3 points a rank, where messages cost as much as the sweep, sync / async is 0.77 at a factor of 2 and 1.29 at 4."])

    def sweeps(self):
        """R and N: sends an iteration and time."""
        rows, ranks = [], 32
        for in_flight in (1, 2, 4, 8, 64, 512):
            report = self.jacobi(ranks, "async", "--in-flight", in_flight)
            rows.append(["R", in_flight, report["sends_per_iteration"], round(report["iterations"]["mean"]), 1000 * report["solve_s"], report["largest_batch"]])
        for period in (1, 2, 4, 8):
            report = self.jacobi(ranks, "async", "--halo-period", period)
            rows.append(["N", period, report["sends_per_iteration"], round(report["iterations"]["mean"]), 1000 * report["solve_s"], report["largest_batch"]])
        of_r = [row for row in rows if row[0] == "R"]
        plot(self.out / "sweeps.svg", "R: 32 ranks (simulated)", "messages in flight, R", "sends an iteration",
             {"sends an iteration": (range(len(of_r)), [row[2] for row in of_r], "o-")}, [row[1] for row in of_r])
        return table("Messages in flight R (N = 1) and halo period N (R = 1), 32 ranks, async (simulated)",
                     ["", "value", "sends an iteration", "mean iterations", "ms", "largest batch"], rows,
                     ["The paper's sends reach 5.12 of 5.25 neighbours; 32 ranks in boxes as near to a cube as they allow have fewer neighbours on the average.",
                      *DIFFERS])

    def trace(self, variant):
        """Rows of the timeline of 32 ranks."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "t.csv"
            words = ["simulate", "--machine", "xe6-gemini-like", "--ranks", "32", "--", "jacobi", "--grid", POINTS, "--variant", variant, "--tolerance", "1e-2",
                     "--trace-csv", path, "--json"]
            subprocess.run([self.a.overlapack, *map(str, words)], check=True, stdout=subprocess.DEVNULL)
            with path.open() as file:
                return list(csv.DictReader(file))

    def figure4(self):
        rows = []
        for variant in VARIANTS:
            seconds, sweeps = collections.Counter(), 0
            for event in self.trace(variant):
                kind = "grid" if event["kind"] == "sweep" else event["what"]
                seconds[kind] += float(event["end_s"]) - float(event["begin_s"])
                sweeps += event["kind"] == "sweep"
            rows.append([variant, *[1e6 * seconds[kind] / sweeps for kind in ("grid", "compute", "pack", "send", "receive", "wait")]])
        return table("Figure 4: microseconds an iteration and rank, 32 ranks (simulated)",
                     ["variant", "grid", "other kernels", "pack", "send", "receive", "wait"], rows,
                     ["The paper prints this figure without numbers: its sync spends far more in communication (MPI_Waitall) than async and racy.",
                      "grid of async holds the acknowledgements of halos, which leave in polls around the sweep.", *DIFFERS])

    def figure7(self):
        """Histogram of iterations by rank."""
        counts = collections.Counter(event["rank"] for event in self.trace("async") if event["kind"] == "sweep")
        low, high = min(counts.values()), max(counts.values())
        width = max(1, (high - low + 9) // 10)
        bins = collections.Counter((count - low) // width for count in counts.values())
        rows = [[f"{low + b * width} to {low + (b + 1) * width - 1}", bins[b]] for b in range((high - low) // width + 1)]
        plot(self.out / "figure7.svg", "Figure 7: iterations by rank, 32 ranks, async (simulated)", "iterations", "ranks",
             {"ranks": (range(len(rows)), [row[1] for row in rows], "o-")}, [low + b * width for b in range(len(rows))])
        return table("Figure 7: iterations by rank, 32 ranks, async, to 1e-2 (simulated)", ["iterations", "ranks"], rows,
                     ["The paper's two peaks come from the first NUMA domain of a node; our machine has none. Ours differ by the number of neighbours.", *DIFFERS])

    def batches(self):
        """How many halos come between two sweeps."""
        rows = []
        for variant in ("async", "racy"):
            sizes, pending = collections.Counter(), collections.Counter()
            events = sorted(self.trace(variant), key=lambda e: float(e["end_s"]))
            for event in events:
                key = event["rank"]
                if event["what"] == "receive" and event["kind"] == "channel":
                    pending[key, event["peer"]] += 1
                elif event["kind"] == "sweep":
                    for pair in [pair for pair in pending if pair[0] == key]:
                        sizes[pending.pop(pair)] += 1
            total = sum(sizes.values())
            rows += [[variant, size, count, count / total] for size, count in sorted(sizes.items())]
        return table("Batch sizes: messages of a neighbour between two sweeps, acknowledgements with them, 32 ranks (simulated)",
                     ["variant", "messages", "times", "share"], rows, ["Paper: about 5, MPI async up to 60.", *DIFFERS])

    def real(self):
        rows = []
        for engine in ("thread", "shmem"):
            for variant in VARIANTS:
                words = ["jacobi", "--grid", "40", "--ranks", "2", "--engine", engine, "--variant", variant, "--tolerance", "1e-4", "--json"]
                run = subprocess.run([self.a.overlapack, *words], capture_output=True, text=True)
                if run.returncode != 0:
                    print(f"engine {engine}: {run.stderr.strip()}", file=sys.stderr)
                    continue
                report = json.loads(run.stdout[run.stdout.index("{"):])
                rows.append([engine, variant, report["iterations"]["min"], report["iterations"]["max"], report["sends_per_iteration"],
                             report["true_residual"], report["solve_s"]])
        return table("Two ranks of this computer, 40^3 points a rank, to 1e-4 (measured, one run, not on an idle machine)",
                     ["engine", "variant", "min", "max", "sends an iteration", "true residual", "s"], rows,
                     ["For behaviour, not for speed: the time is that of a loaded computer."])


ITEMS = ["table1", "slow", "sweeps", "figure4", "figure7", "batches", "real"]


if __name__ == "__main__":
    main(Study, ITEMS, __doc__, HERE / "results")
