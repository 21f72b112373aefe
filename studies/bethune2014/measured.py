"""Items of study.py that are measured on this computer."""
import collections
import csv
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from paper import DISTURBED, ENOUGH_THREADS, FIGURE8, SLOWED, TABLE3, VARIANTS
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


# Options and number of processes (0: ranks are threads) of the two items in which processes are measured.
MODELS = {"16 ranks, threads": (["--grid", 30, "--boxes", "2x2x4", "--ranks", 16], 0),
          "16 ranks, processes": (["--grid", 30, "--boxes", "2x2x4"], 16),
          "2 processes, 1 worker each": (["--grid", 60, "--boxes", "1x1x2", "--workers", 1], 2)}
ENGINES = {"thread": (["--ranks", 2], 0), "mpi": ([], 2), "shmem": (["--engine", "shmem", "--ranks", 2], 0)}


class MeasuredStudy:
    """Has `a`, the arguments, `out`, `runs`, `hold` and `not_asked`."""

    def real_run(self, *more, processes=0):
        """A run on this computer, under mpirun if there are to be processes. A run that fails ends the study: what is kept stays as it was."""
        launch = ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "-n", str(processes)] if processes else []
        words = [*launch, self.a.overlapack, "jacobi", *map(str, more), "--json"]
        run = subprocess.run(words, capture_output=True, text=True)
        if run.returncode not in (0, 4):
            raise SystemExit(f"{' '.join(words)}\nended with {run.returncode}: {run.stderr.strip()}")
        return json.loads(run.stdout[run.stdout.index("{"):])

    @staticmethod
    def measured_rows(cases, run):
        """Rows of cases {name: (options, processes)}: what `run` gives, or words for a launcher that is not on this computer."""
        rows = []
        for name, (options, processes) in cases.items():
            launcher = "mpirun" if processes else "oshrun" if "shmem" in options else None
            for variant in VARIANTS:
                rows.append([name, variant, *(run(options, variant, processes) if launcher is None or shutil.which(launcher) else [f"not run: no {launcher}"])])
        return rows

    @staticmethod
    def whole(rows, cases, width):
        """Rows of all cases; words for those that older runs left out."""
        found = {tuple(row[:2]): row for row in rows}
        of_all = [found.get((name, variant), [name, variant, "not run"]) for name in cases for variant in VARIANTS]
        return [[*row, *["-"] * (width - len(row))] for row in of_all]

    @staticmethod
    def gaps(rows):
        """A line of a page, or none."""
        return ["Rows that were not run are open: nothing is known of them."] if any(str(row[2]).startswith("not run") for row in rows) else []

    def conditions(self, name):
        """A line of a page, or none: whether other programs ran beside what was measured."""
        found = self.runs.conditions(name)
        if found.get("load", 0) < DISTURBED:
            return []
        return [f"Other programs ran beside these runs or just before: the load was {found['load']} on {found['processors']} processors. Their seconds tell nothing, and their iterations little."]

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
        rows, threads = [], self.threads_of(os.cpu_count())
        for variant in VARIANTS * 3:
            report = self.real_run("--grid", 50, "--boxes", "slabs", "--ranks", threads, "--variant", variant, "--tolerance", "1e-4")
            rows.append([variant, report["iterations"]["min"], round(report["iterations"]["mean"]), report["iterations"]["max"], report["solve_s"],
                         report["true_residual"], TABLE3.get(variant, "-")])
        return rows

    @staticmethod
    def threads_of(processors):
        """As many as the paper has if there are nearly as many processors, otherwise 2."""
        return min(32, processors) if processors >= ENOUGH_THREADS else 2

    def table3(self):
        rows = self.runs.measured("table3", self.threads)
        threads = self.threads_of(self.runs.conditions("table3").get("processors", 0))
        return table("Table 3: threads in slabs, 50^3 points each, to 1e-4 (measured)",
                     ["variant", "min", "mean", "max", "s", "true residual", "paper, 32 threads: s"], rows,
                     [f"{threads} threads, three runs of each in turn; the paper's are 32 threads of a node.",
                      "The paper's threads read each other's planes, async under locks, racy without; ours exchange halos by channels, and by single words.",
                      *self.conditions("table3"), *self.held_threads(rows, threads)])

    def held_threads(self, rows, threads):
        """Rounds in turn; 2 threads say nothing of a barrier of 32."""
        if threads < ENOUGH_THREADS:
            return self.not_asked(f"open: {threads} threads; the paper's are 32. At least {ENOUGH_THREADS} processors are needed")
        seconds = {variant: [row[4] for row in rows if row[0] == variant] for variant in VARIANTS}
        ratios = {variant: [a / b for a, b in zip(seconds[variant], seconds["sync"])] for variant in VARIANTS[1:]}
        return [line for variant, of_sync in ratios.items() for line in
                self.hold(f"{variant} takes less time than sync in each of {len(of_sync)} rounds, {min(of_sync):.2f} to {max(of_sync):.2f} of it (paper: {TABLE3[variant] / TABLE3['sync']:.2f})",
                          max(of_sync) < 1)]

    def hybrid(self):
        """The same 60 x 60 x 120 points: a rank a core, or a rank a node whose workers share its box."""
        rows = self.whole(self.runs.measured("hybrid", self.models), MODELS, width=8)
        in_step = {row[0]: row[3] for row in rows if row[1] == "sync"}
        more = [f"{row[3] / in_step[row[0]]:.2f} ({row[0]})" for row in rows if row[1] == "async" and row[3] != "-"]
        return table("Threads in a process, channels between processes: 60 x 60 x 120 points to 1e-3 (measured, one run each on two cores)",
                     ["model", "variant", "min", "mean", "max", "halos sent", "slices by others", "true residual"], rows,
                     ["The paper has no such model; it calls threads and processes two programs.",
                      f"async takes {', '.join(more)} times the iterations of sync. Seconds of 16 ranks on two cores would tell nothing.", *self.gaps(rows),
                      *self.conditions("hybrid")])

    def models(self):
        def run(options, variant, processes):
            report = self.real_run(*options, "--variant", variant, "--tolerance", "1e-3", processes=processes)
            return [report["iterations"]["min"], round(report["iterations"]["mean"]), report["iterations"]["max"],
                    report["sends"], f"{report['slices_by_others']} of {report['slices']}", report["true_residual"]]

        return self.measured_rows(MODELS, run)

    def two_ranks(self):
        def run(options, variant, processes):
            report = self.real_run("--grid", 40, *options, "--variant", variant, "--tolerance", "1e-4", processes=processes)
            return [report["iterations"]["min"], report["iterations"]["max"], report["sends_per_iteration"], report["true_residual"], report["solve_s"]]

        return self.measured_rows(ENGINES, run)

    def real(self):
        rows = self.whole(self.runs.measured("real", self.two_ranks), ENGINES, width=7)
        return table("Two ranks of this computer, 40^3 points a rank, to 1e-4 (measured, one run)",
                     ["engine", "variant", "min", "max", "sends an iteration", "true residual", "s"], rows,
                     ["For behaviour, not for speed: two ranks, one run.", *self.gaps(rows), *self.conditions("real")])
