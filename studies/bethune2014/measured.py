"""Items of study.py that are measured on this computer."""
import collections
import csv
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from paper import FIGURE8, SLOWED, TABLE3, VARIANTS
from simulated import plot, table


class Front:
    """Where the numbers of a start from zeros are subnormal. In one iteration they get a plane farther, by a sixth. The numbers of a plane are
    nearly alike beside the 300 orders of magnitude between planes, so one line of planes tells: x_d <- (x_d-1 + 4 x_d + x_d+1) / 6."""

    def __init__(self, planes, slabs, iterations):
        self.first, self.of_iteration, iteration = None, {}, 0
        line = [1.0] + [0.0] * (planes * slabs) + [0.0]
        while line[-2] == 0:
            iteration += 1
            line[1:-1] = [(a + 4 * b + c) / 6 for a, b, c in zip(line, line[1:], line[2:])]
            if iteration <= iterations:
                self.of_iteration[iteration] = {plane // planes for plane, number in enumerate(line[1:-1]) if 0 < number < sys.float_info.min}
                if self.of_iteration[iteration] and self.first is None:
                    self.first = iteration
        self.end, self.last_iteration = iteration, iterations  # of the zeros, and of the run

    def slabs_of(self, begin, end):
        return set().union(*(self.of_iteration[iteration] for iteration in range(begin, end + 1)))

    def text(self):
        def at(iteration):
            return " and ".join(map(str, sorted(self.of_iteration[iteration])))

        return (f"Numbers fall by a sixth a plane at the front: from iteration {self.first} on some planes are subnormal (5e-324 to 2e-308), and zeros lie beyond them until "
                f"iteration {self.end}. The subnormal planes lie in slab {at(self.first)} at iteration {self.first} and in slab {at(self.last_iteration)} at iteration {self.last_iteration} (computed).")


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
        """The slowest rank's sweep, with subnormal numbers over without, in windows in which there are some and in those before."""
        front = Front(planes=64, slabs=16, iterations=max(int(row[1].split(" to ")[1]) for row in rows))
        slowest = {(row[0], *map(int, row[1].split(" to "))): row[3:] for row in rows}
        windows = [window for name, *window in slowest if name == "zero start"]
        ratios = {(begin, end): slowest["zero start", begin, end][0] / slowest["zero start, flush to zero", begin, end][0] for begin, end in windows}
        within, before = ([window for window in ratios if is_of(*window)] for is_of in (lambda begin, _: begin > front.first, lambda _, end: end < front.first))
        ranks = [slowest["zero start", *window][1] for window in within]
        at = [ratios[window] for window in within]
        alone = [ratios[window] for window in before]
        return [front.text(),
                f"Before, where there are zeros alone, the slowest rank's sweep takes {statistics.median(alone):.2f} times as long as with flush to zero ({min(alone):.2f} to {max(alone):.2f}). "
                "The window in which the first of the others come is left out.",
                *self.hold(f"in step the slowest rank's sweep takes {min(at):.2f} to {max(at):.2f} times as long as with flush to zero, while there are subnormal numbers, at least {SLOWED} (paper, "
                           "while zeros remain: up to 3.5)", min(at) >= SLOWED),
                *self.hold(f"the slowest rank is one that has subnormal numbers: rank {', '.join(map(str, ranks))}", all(rank in front.slabs_of(*window) for rank, window in zip(ranks, within)))]

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
