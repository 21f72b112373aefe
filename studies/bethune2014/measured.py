"""Items of study.py that are measured on this computer."""
import collections
import csv
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from paper import FIGURE8, FRONT, SLOWED, TABLE3, VARIANTS
from simulated import plot, table


class MeasuredStudy:
    """Has `a`, the arguments, `out`, `runs` and `hold`."""

    def real_run(self, *more, processes=0):
        """A run on this computer, under mpirun where there are to be processes, or None where the engine is missing."""
        launch = ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "-n", str(processes)] if processes else []
        run = subprocess.run([*launch, self.a.overlapack, "jacobi", *map(str, more), "--json"], capture_output=True, text=True)
        if run.returncode not in (0, 4):
            print(f"{' '.join(map(str, more))}: {run.stderr.strip()}", file=sys.stderr)
            return None
        return json.loads(run.stdout[run.stdout.index("{"):])

    def figure8(self):
        """Exact zeros and subnormal numbers, 1024 planes."""
        rows = self.runs.measured("figure8", self.sweeps)
        names = list(dict.fromkeys(row[0] for row in rows))
        ticks = [row[1].split()[0] for row in rows if row[0] == names[0]]
        plot(self.out / "figure8.svg", "Figure 8: the slowest rank's sweep (measured)", "from iteration", "microseconds",
             {name: (range(len(ticks)), [row[3] for row in rows if row[0] == name], "o-") for name in names}, ticks)
        return table("Figure 8: a sweep of 64^3 points in 1024 planes, 16 slabs, in step (measured)",
                     ["run", "iterations", "median rank, us", "slowest rank, us", "which"], rows, FIGURE8 + self.held_sweeps(rows))

    def sweeps(self):
        rows, window, steps = [], 100, 1000
        for name, more in (("zero start", []), ("zero start, flush to zero", ["--flush-subnormals"]), ("start of 1", ["--shifted"])):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "t.csv"
                self.real_run("--grid", 64, "--boxes", "slabs", "--ranks", 16, "--variant", "sync", "--max-iterations", steps, "--tolerance", "1e-14",
                              "--trace-csv", path, *more)
                sweeps = collections.defaultdict(list)
                with path.open() as file:
                    for event in csv.DictReader(file):
                        if event["kind"] == "sweep":
                            sweeps[event["rank"]].append(float(event["end_s"]) - float(event["begin_s"]))
            for begin in range(0, steps, window):
                of_rank = {int(rank): statistics.median(seconds[begin:begin + window]) for rank, seconds in sweeps.items()}
                slowest = max(of_rank, key=of_rank.get)
                rows.append([name, f"{begin + 1} to {begin + window}", 1e6 * statistics.median(of_rank.values()), 1e6 * of_rank[slowest], slowest])
        return rows

    def held_sweeps(self, rows):
        """Sweeps of windows before the front of numbers has passed, and after."""
        windows = [(*map(int, row[1].split(" to ")), row[2]) for row in rows if row[0] == "zero start"]
        before, after = ([seconds for begin, end, seconds in windows if is_of(begin, end)] for is_of in
                         (lambda begin, end: end < FRONT.start, lambda begin, end: begin >= FRONT.stop))
        slowed = statistics.median(before) / statistics.median(after)
        return self.hold(f"while zeros remain a sweep in step takes {slowed:.2f} times as long as after, at least {SLOWED} (paper: up to 3.5)", slowed >= SLOWED)

    def threads(self):
        rows = []
        for variant in VARIANTS * 3:
            report = self.real_run("--grid", 50, "--boxes", "slabs", "--ranks", 2, "--variant", variant, "--tolerance", "1e-4")
            rows.append([variant, report["iterations"]["min"], round(report["iterations"]["mean"]), report["iterations"]["max"], report["solve_s"],
                         report["true_residual"], TABLE3.get(variant, "-")])
        return rows

    def table3(self):
        rows = self.runs.measured("table3", self.threads)
        seconds = {variant: [row[4] for row in rows if row[0] == variant] for variant in VARIANTS}
        ratios = {variant: [a / b for a, b in zip(seconds[variant], seconds["sync"])] for variant in VARIANTS[1:]}
        return table("Table 3: threads in slabs, 50^3 points each, to 1e-4 (measured)",
                     ["variant", "min", "mean", "max", "s", "true residual", "paper, 32 threads: s"], rows,
                     ["Two threads on two cores, three runs of each in turn; the paper's are 32 threads of a node.",
                      "The paper's threads read each other's planes, async under locks, racy without; ours exchange halos by channels, and by single words."]
                     + [line for variant, of_sync in ratios.items() for line in
                        self.hold(f"{variant} takes less time than sync in each of {len(of_sync)} rounds, {min(of_sync):.2f} to {max(of_sync):.2f} of it (paper: {TABLE3[variant] / TABLE3['sync']:.2f})",
                                  max(of_sync) < 1)])

    def hybrid(self):
        """The same 60 x 60 x 120 points: a rank a core, or a rank a node whose workers share its box."""
        rows = self.runs.measured("hybrid", self.models)
        mean = {(row[0], row[1]): row[3] / next(other[3] for other in rows if other[:2] == [row[0], "sync"]) for row in rows}
        return table("Threads in a process, channels between processes: 60 x 60 x 120 points to 1e-3 (measured, one run each on two cores)",
                     ["model", "variant", "min", "mean", "max", "halos sent", "slices by others", "true residual"], rows,
                     ["The paper has no such model; it calls threads and processes two programs.",
                      "async takes " + ", ".join(f"{mean[model, variant]:.2f} ({model})" for model, variant in mean if variant == "async") + " times the iterations of sync. "
                      "Seconds of 16 ranks on two cores would tell nothing."])

    def models(self):
        rows = []
        models = [("16 ranks, threads", ["--grid", 30, "--boxes", "2x2x4", "--ranks", 16], 0),
                  ("16 ranks, processes", ["--grid", 30, "--boxes", "2x2x4"], 16),
                  ("2 processes, 1 worker each", ["--grid", 60, "--boxes", "1x1x2", "--workers", 1], 2)]
        for name, options, processes in models:
            for variant in VARIANTS:
                report = self.real_run(*options, "--variant", variant, "--tolerance", "1e-3", processes=processes)
                if report is None:
                    continue
                rows.append([name, variant, report["iterations"]["min"], round(report["iterations"]["mean"]), report["iterations"]["max"],
                             report["sends"], f"{report['slices_by_others']} of {report['slices']}", report["true_residual"]])
        return rows

    def two_ranks(self):
        rows = []
        for engine in ("thread", "shmem"):
            for variant in VARIANTS:
                report = self.real_run("--grid", 40, "--ranks", 2, "--engine", engine, "--variant", variant, "--tolerance", "1e-4")
                if report is None:
                    continue
                rows.append([engine, variant, report["iterations"]["min"], report["iterations"]["max"], report["sends_per_iteration"],
                             report["true_residual"], report["solve_s"]])
        return rows

    def real(self):
        return table("Two ranks of this computer, 40^3 points a rank, to 1e-4 (measured, one run)",
                     ["engine", "variant", "min", "max", "sends an iteration", "true residual", "s"],
                     self.runs.measured("real", self.two_ranks),
                     ["For behaviour, not for speed: two ranks, one run."])
