#!/usr/bin/env python3
"""Paper 5, asynchronous Jacobi on a Cray XE6: python3 study.py ITEM --overlapack EXE; `overlapack study bethune2014 ITEM` does so.

ITEM: table1, table3, figure3 to figure11, slow, choices, sums, mapping, batches, real, hybrid, all. Simulated runs compute the numbers. Rates are
those of 50^3 points a rank, as in the paper, in a given number of iterations; iterations to a solution those of 4^3 or 8^3. table3, figure8,
real, hybrid and parts of figure9 and sums are measured on this computer. All of it takes about 20 minutes of a processor (an estimate) and 3.6 GB."""
import collections
import csv
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from simulated import main, plot, Runs, table  # noqa: E402

VARIANTS = ["sync", "async", "racy"]
# Tables 1 and 2: (min, mean, max, seconds)
TABLE1 = {32: {"sync": (9100, 9100, 9100, 28.4), "async": (10737, 11245, 12231, 33.8), "racy": (8952, 9307, 10140, 27.7)},
          512: {"sync": (37500, 37500, 37500, 132.1), "async": (36861, 44776, 51198, 146.9), "racy": (32377, 38763, 44623, 126.4)}}
TABLE2 = {32: {"sync": (9100, 9100, 9100, 27.6), "async": (8724, 9136, 10784, 26.7), "racy": (8496, 9088, 10725, 26.3)},
          512: {"sync": (37500, 37500, 37500, 130.1), "async": (32356, 38285, 43178, 117.9), "racy": (32377, 38416, 46291, 117.9)}}
# Table 3, 32 threads: seconds
TABLE3 = {"sync": 11.1, "async": 7.4, "racy": 7.5}
POINTS, TOLERANCE = 8, "1e-3"
PAPER = ["--in-flight", "100", "--halo-period", "1"]  # its sections 3.1 and 6.3
STEPS = 32  # to rates
KINDS = ["grid", "compute", "pack", "send", "receive", "wait"]  # grid: sweeps; compute: other kernels
FIGURE8 = [
    "The paper: up to 3.5 times slower in step while exact zeros remain, which it puts down to vectorisation that zeros inhibit.",
    "From iteration 397 to about 415 the front passes through subnormal numbers (6^-d after d planes), beyond them are zeros; a start of 1 has neither.",
    "Here neither costs anything that can be told from noise. The sweep has no branch on values, so zeros cannot keep it from being vectorised; and on "
    "this processor (AMD, family 25 model 1) adding and multiplying 4,096 subnormal numbers in NumPy took 1.07 times as long as ordinary ones. So the "
    "paper's slowdown is not reproduced, and its cause stays open; subnormal numbers fit its rule that it ends when the front has passed, and where a "
    "processor is slow with them `--flush-subnormals` will tell the two causes apart.",
    "Hardware counters could not be read on this computer. Medians of 100 sweeps by rank; 16 ranks share two cores, so seconds of a whole iteration tell nothing.",
]
SCALES = [8, 16, 32, 64, 128, 256, 512]
DIFFERS = [
    "8^3 points a rank in place of 50^3: messages weigh more beside the sweep, and fewer iterations are needed. Compare ratios of variants only.",
    "Our residual is ||b - A x|| / ||b|| of the returned vector; the paper does not define its own.",
    "The machine file's rates of the XE6 are orders of magnitude, not from a document; messages move while both sides compute.",
]
SMALL = "4^3 points a rank in place of 50^3, to {}, with a residual every 10 iterations, so that 512 ranks can be paid: a halo has 1.5 numbers for each point " \
        "of its box, not 0.12, and messages take longer than the sweep. Compare ratios of variants and growth only."


FIGURE3 = [
    "The paper (section 5.1): both synchronous variants iterate more slowly than async and racy at every size; its SHMEM falls off at 32,768 processes.",
    "Ours agrees as ranks grow: from 128 ranks on async iterates fastest, from 256 on racy faster than sync, too, which has lost 13 % since 8 ranks, async 4 %. "
    "On few ranks, where simulated ranks disturb each other by nothing but messages, sync is up to 2 % before async, whose time has the opening and the end of channels in it.",
    "32 iterations in step, and asynchronous ones until rank 0 knows that all have done as many on the average; residual every 100 iterations.",
    DIFFERS[2],
]
FIGURE6 = [
    "The paper: asynchronous variants take slightly more, MPI async most: 1.24 times sync at 32 processes, 1.19 at 512, racy 1.02 and 1.03; iterations in step grow 4.1 times "
    "from 32 to 512, in steps, as the doublings of z and y cost little.",
    "Ours: no trend of the ratios with the ranks, but higher ones, since halos are older, counted in iterations, where a sweep is shorter than a message; and the count has the "
    "iterations in it that are made while the residual of the recorded vector is summed. In step 3.1 times from 32 to 512, to a looser tolerance; from 64 to 128 none.",
    "Time: async is behind sync up to 32 ranks, beside it at 64 and 128 and 6 % before it at 512. racy puts single words, which cost more than a message of 16 numbers, "
    "and its time has the opening of a window in it.",
    SMALL.format("1e-2"), *DIFFERS[1:],
]
FIGURE7 = [
    "The paper's two peaks, of 32,768 processes, come from the first NUMA domain of a node; our machine has none.",
    "Ours differ by the number of neighbours: the lowest bin has the 216 ranks inside the cube of 8 x 8 x 8, the highest its 8 corners.",
    SMALL.format("1e-2"), *DIFFERS[1:],
]
FIGURE10 = [
    "The paper, 512 processes: R = 1 is 20 % faster than R = 100, since less is packed, and sends reach a plateau of 5.12 of 5.25 neighbours at R = 2.",
    "Ours has the same 5.25 neighbours and the same plateau, from R = 2 on. But R = 1 is not the best here: with R = 1 and 2 each halo is acknowledged by a message of its own, "
    "from 3 on with the next halo, and packing takes no time in the machine file.",
    SMALL.format("3e-2"), *DIFFERS[1:],
]
TABLES = [
    "The paper at 512 processes: MPI racy is fastest, async slowest; SHMEM's both are 9 % before sync. Ours: async is fastest, and racy, whose single words the simulator sends "
    "as accumulating puts, slowest.",
    SMALL.format("1e-2"), *DIFFERS[1:],
]


class Study:
    def __init__(self, arguments):
        self.a, self.out = arguments, Path(arguments.out)
        self.runs = Runs(arguments.overlapack, "xe6-gemini-like", self.out / "runs.json")

    def jacobi(self, ranks, variant, *more, simulation=(), tolerance=TOLERANCE, points=POINTS, how=PAPER, keeps=()):
        return self.runs.report(ranks, ["jacobi", "--grid", points, "--variant", variant, "--tolerance", tolerance, *how, *more], *simulation, keeps=keeps)

    def solved(self, ranks, variant, tolerance="1e-2", how=PAPER):
        """To a solution, payable up to 512 ranks."""
        keeps = ["iterations_of_rank"] if variant == "async" and how is PAPER else []
        return self.jacobi(ranks, variant, "--residual-period", 10, tolerance=tolerance, points=4, how=how, keeps=keeps)

    def some_iterations(self, ranks, variant, how=PAPER):
        """With the paper's 50^3 points a rank; iterations of the mean rank, and microseconds of each."""
        report = self.jacobi(ranks, variant, "--max-iterations", STEPS, tolerance="1e-12", points=50, how=how)
        mean = report["iterations"]["mean"]
        return mean, 1e6 * report["solve_s"] / mean

    def real_run(self, *more, processes=0):
        """A run on this computer, under mpirun where there are to be processes, or None where the engine is missing."""
        launch = ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "-n", str(processes)] if processes else []
        run = subprocess.run([*launch, self.a.overlapack, "jacobi", *map(str, more), "--json"], capture_output=True, text=True)
        if run.returncode not in (0, 4):
            print(f"{' '.join(map(str, more))}: {run.stderr.strip()}", file=sys.stderr)
            return None
        return json.loads(run.stdout[run.stdout.index("{"):])

    def figure3(self):
        """Iterations a second of the mean rank."""
        rates = {variant: [] for variant in VARIANTS}
        for ranks in SCALES:
            for variant in VARIANTS:
                rates[variant].append(1e6 / self.some_iterations(ranks, variant)[1])
        plot(self.out / "figure3.svg", "Figure 3: iteration rate, 50^3 points a rank (simulated)", "ranks", "iterations a second",
             {variant: (range(len(SCALES)), rates[variant], "o-") for variant in VARIANTS}, SCALES)
        rows = [[ranks, *[rates[variant][k] for variant in VARIANTS], *[rates[variant][k] / rates["sync"][k] for variant in VARIANTS[1:]]]
                for k, ranks in enumerate(SCALES)]
        return table("Figure 3: iterations a second, mean of the ranks, 50^3 points each (simulated)", ["ranks", *VARIANTS, "async / sync", "racy / sync"], rows, FIGURE3)

    def figure5(self):
        rows = []
        for ranks in (8, 32, 128):
            rows.append([ranks, *self.profile("racy", ranks, 50, "--max-iterations", STEPS, "--tolerance", "1e-12")])
        return table("Figure 5: microseconds an iteration and rank of one-sided halos, by ranks, 50^3 points each (simulated)", ["ranks", *KINDS], rows,
                     ["The paper's is SHMEM async, whose shmem_put jumps in cost at 32,768 processes; OpenSHMEM is not simulated, so this is the racy variant, "
                      "whose halos are single-word puts. The machine's network has no such limit in it.",
                      f"{STEPS} iterations; wait includes that of the ends, for the solution that is not there yet.", DIFFERS[2]])

    def figure6(self):
        """Mean iterations to convergence."""
        counts, seconds = {variant: [] for variant in VARIANTS}, {variant: [] for variant in VARIANTS}
        for ranks in SCALES:
            for variant in VARIANTS:
                report = self.solved(ranks, variant)
                counts[variant].append(report["iterations"]["mean"])
                seconds[variant].append(report["solve_s"])
        plot(self.out / "figure6.svg", "Figure 6: mean iterations to convergence (simulated)", "ranks", "iterations",
             {variant: (range(len(SCALES)), counts[variant], "o-") for variant in VARIANTS}, SCALES)
        rows = [[ranks, *[round(counts[variant][k]) for variant in VARIANTS], *[counts[variant][k] / counts["sync"][k] for variant in VARIANTS[1:]],
                 *[1000 * seconds[variant][k] for variant in VARIANTS]] for k, ranks in enumerate(SCALES)]
        return table("Figure 6: mean iterations to 1e-2 (simulated)",
                     ["ranks", *VARIANTS, "async / sync", "racy / sync", *[f"{variant}: ms" for variant in VARIANTS]], rows, FIGURE6)

    def figure8(self):
        """Exact zeros and subnormal numbers, 1024 planes."""
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
        names = list(dict.fromkeys(row[0] for row in rows))
        ticks = [row[1].split()[0] for row in rows if row[0] == names[0]]
        plot(self.out / "figure8.svg", "Figure 8: the slowest rank's sweep (measured)", "from iteration", "microseconds",
             {name: (range(len(ticks)), [row[3] for row in rows if row[0] == name], "o-") for name in names}, ticks)
        return table("Figure 8: a sweep of 64^3 points in 1024 planes, 16 slabs, in step (measured)",
                     ["run", "iterations", "median rank, us", "slowest rank, us", "which"], rows, FIGURE8)

    def figure9(self):
        """Residuals on the way."""
        rows, curves = [], {}

        def looks(where, variant, report):
            points = [point for point in report["history"] if point[2] and (variant == "sync" or not point[3])]
            rises = [b[2] / a[2] for a, b in zip(points, points[1:]) if b[2] > a[2]]
            rows.append([where, variant, len(points), len(rises), max(rises, default=1.0), report["largest_batch"], points[-1][2], report["true_residual"]])
            return points

        for variant in VARIANTS:
            points = looks("64, simulated", variant, self.jacobi(64, variant, "--residual-period", 5))
            late = [point for point in points if 300 <= point[0] <= 700]
            curves[variant] = ([point[0] for point in late], [point[2] for point in late], "-")
        plot(self.out / "figure9.svg", "Figure 9: detail of convergence, 64 ranks (simulated)", "iterations of rank 0", "residual", curves)
        for variant in VARIANTS:
            looks("4, measured", variant, self.real_run("--grid", 20, "--ranks", 4, "--variant", variant, "--residual-period", 5, "--tolerance", "1e-5", *PAPER))
        return table("Figure 9: how residuals fall",
                     ["ranks", "variant", "looks", "rises", "largest rise, times", "largest batch", "last look", "true residual of what is returned"], rows,
                     ["The paper: sync is monotonic, the asynchronous ones are not, MPI async least, with up to 60 messages in a batch.",
                      "Measured: four threads on two cores, 20^3 points each, to 1e-5, one run each. A rank that gets its core back finds a batch of halos; with the N that "
                      "is found on the way sums then rose now and then (`--history-svg`), with N = 1 seldom.",
                      "async and racy: the sum of local residuals, with the halos that each rank has; the last column is what we return.", *DIFFERS])

    def figure10(self):
        rows, ranks, counts = [], 512, (1, 2, 4, 8, 32, 512)
        for in_flight in counts:
            report = self.solved(ranks, "async", tolerance="3e-2", how=["--in-flight", in_flight, "--halo-period", 1])
            mean = report["iterations"]["mean"]
            rows.append([in_flight, 1000 * report["solve_s"], 1e6 * report["solve_s"] / mean, round(mean), report["sends_per_iteration"],
                         report["most_in_flight"], report["largest_batch"]])
        plot(self.out / "figure10.svg", "Figure 10: messages in flight, 512 ranks (simulated)", "R", "times the value at R = 1",
             {name: (range(len(rows)), [row[k] / rows[0][k] for row in rows], "o-") for name, k in (("time", 1), ("time an iteration", 2), ("iterations", 3), ("sends an iteration", 4))},
             counts)
        return table("Figure 10: messages in flight R, 512 ranks, async, N = 1 (simulated)",
                     ["R", "ms", "us an iteration", "mean iterations", "sends an iteration", "most in flight", "largest batch"], rows, FIGURE10)

    def figure11(self):
        rows, periods = [], (1, 2, 4, 8, 16, 32)
        for period in periods:
            report = self.jacobi(16, "sync", points=20, tolerance="1e-2", how=["--halo-period", period], *["--residual-period", "20"])
            mean = report["iterations"]["mean"]
            rows.append([period, 1000 * report["solve_s"], 1e6 * report["solve_s"] / mean, round(mean)])
        plot(self.out / "figure11.svg", "Figure 11: halo period, sync, 16 ranks of 20^3 (simulated)", "N", "times the value at N = 1",
             {name: (range(len(rows)), [row[k] / rows[0][k] for row in rows], "o-") for name, k in (("time", 1), ("time an iteration", 2), ("iterations", 3))}, periods)
        rates = [[period, self.some_iterations(512, "sync", ["--in-flight", 100, "--halo-period", period])[1]] for period in (1, 4, 32)]
        rate = table("Figure 11, the rate alone: 512 ranks of 50^3, sync (simulated)", ["N", "us an iteration"], rates,
                     [f"{STEPS} iterations with the halo of each Nth and the residual of the first and last: what could be gained if no iteration were lost."])
        return rate + "\n" + table("Figure 11: halo period N, sync, 16 ranks, 20^3 points each, to 1e-2 (simulated)", ["N", "ms", "us an iteration", "iterations"], rows,
                     ["The paper, 512 processes of 50^3: N = 32 is best, 33 % more iterations a second for 2 % more of them. A smaller box needs its neighbours sooner.", *DIFFERS[1:]])

    def choices(self):
        """R and N as given, and as found on the way."""
        one, two, four, found = ["--in-flight", 1, "--halo-period", 1], ["--in-flight", 8, "--halo-period", 2], ["--in-flight", 8, "--halo-period", 4], []
        every = {"R 1, N 1": one, "R 100, N 1": PAPER, "R 8, N 2": two, "R 8, N 4": four, "found": found}
        rows = []
        for ranks, points, tolerance, variants, hows in ((32, POINTS, TOLERANCE, ("async", "racy"), every), (16, 20, "1e-2", ("async", "racy"), every),
                                                         (64, POINTS, TOLERANCE, ("async",), {name: every[name] for name in ("R 1, N 1", "R 100, N 1", "found")})):
            for variant in variants:
                for name, how in hows.items():
                    report = self.jacobi(ranks, variant, points=points, tolerance=tolerance, how=how)
                    rows.append([ranks, f"{points}^3", variant, name, report["halo_period_mean"], report["most_in_flight"], report["sends_per_iteration"],
                                 round(report["iterations"]["mean"]), 1000 * report["solve_s"]])
        return table("R and N as given and as found (simulated)",
                     ["ranks", "points", "variant", "R and N", "N, mean", "most in flight", "sends an iteration", "mean iterations", "ms"], rows,
                     ["Halos acknowledge those of the other way, but with R 1 each is acknowledged by a message of its own.", *DIFFERS[1:]])

    def sums(self):
        """The two ways to sum a residual."""
        rows = []
        for ranks in (16, 32):
            for form in ("tree", "doubling"):
                report = self.jacobi(ranks, "async", "--residual-sum", form, "--residual-period", 1, how=[])
                rows.append([f"{ranks}, simulated", form, report["looks"], report["iterations"]["mean"] / (report["looks"] + report["snapshots"]),
                             round(report["iterations"]["mean"]), 1000 * report["solve_s"], report["true_residual"]])
        for form in ("tree", "doubling") * 3:
            report = self.real_run("--grid", 40, "--ranks", 2, "--residual-sum", form, "--residual-period", 1, "--tolerance", "1e-4")
            rows.append(["2, measured", form, report["looks"], report["iterations"]["mean"] / (report["looks"] + report["snapshots"]),
                         round(report["iterations"]["mean"]), 1000 * report["solve_s"], report["true_residual"]])
        return table("Residuals by a tree and by doubling, async, one after the other without a pause",
                     ["ranks", "residual_sum", "looks", "iterations a sum", "mean iterations", "ms", "true residual"], rows,
                     ["The paper: a sum takes at least 2 log2 p iterations in the tree, about 50 on 32,768 processes.",
                      "Simulated: 8^3 points a rank to 1e-3; measured: 40^3 to 1e-4, three runs of each in turn, on a computer that others use."])

    def mapping(self):
        rows = []
        for points in (POINTS, 24):
            for variant in ("sync", "async"):
                seconds = {}
                for mapping in ("ranks", "nodes"):
                    report = self.jacobi(128, variant, "--boxes", "8x8x2", "--mapping", mapping, "--max-iterations", 30, points=points, how=["--halo-period", 1],
                                         simulation=["--ranks-per-node", 32])
                    seconds[mapping] = report["solve_s"] / report["iterations"]["mean"]
                rows.append([f"{points}^3", variant, 1e6 * seconds["ranks"], 1e6 * seconds["nodes"], seconds["ranks"] / seconds["nodes"]])
        return table("Boxes of a node: the next ones in order, or a box of boxes; 128 ranks as 8 x 8 x 2, 32 a node, 30 iterations (simulated)",
                     ["points", "variant", "ranks: us an iteration", "nodes: us an iteration", "ratio"], rows,
                     ["In order a node has 8 x 4 x 1 boxes, and 80 faces lie between nodes; as boxes of 4 x 4 x 2 it is 32. (A cube of 64 or 128 boxes is well mapped in order.)",
                      "The paper leaves the placement to the machine.", DIFFERS[2]])

    def table3(self):
        rows = []
        for variant in VARIANTS * 3:
            report = self.real_run("--grid", 50, "--boxes", "slabs", "--ranks", 2, "--variant", variant, "--tolerance", "1e-4")
            rows.append([variant, report["iterations"]["min"], round(report["iterations"]["mean"]), report["iterations"]["max"], report["solve_s"],
                         report["true_residual"], TABLE3.get(variant, "-")])
        return table("Table 3: threads in slabs, 50^3 points each, to 1e-4 (measured)",
                     ["variant", "min", "mean", "max", "s", "true residual", "paper, 32 threads: s"], rows,
                     ["Two threads on two cores that others use as well, three runs of each in turn; the paper's are 32 threads of a node.",
                      "The paper's threads read each other's planes, async under locks, racy without; ours exchange halos by channels, and by single words."])

    def hybrid(self):
        """The same 60 x 60 x 120 points: a rank a core, or a rank a node whose workers share its box."""
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
        return table("Threads in a process, channels between processes: 60 x 60 x 120 points to 1e-3 (measured, one run each on two cores)",
                     ["model", "variant", "min", "mean", "max", "halos sent", "slices by others", "true residual"], rows,
                     ["The paper has no such model; it calls threads and processes two programs.",
                      "Whatever the model, iterations in step are the same. With 2 boxes fewer and larger halos travel, and async takes 2 % more iterations "
                      "than in step, with 16 ranks on two cores 29 to 40 %. Seconds of 16 ranks on two cores would tell nothing."])

    def table1(self):
        rows = []
        for ranks in (32, 512):
            base = self.solved(ranks, "sync")
            for variant in VARIANTS:
                ours = self.solved(ranks, variant)
                rows.append([ranks, variant, ours["iterations"]["min"], round(ours["iterations"]["mean"]), ours["iterations"]["max"],
                             1000 * ours["solve_s"], ours["true_residual"], ours["iterations"]["mean"] / base["iterations"]["mean"], ours["solve_s"] / base["solve_s"],
                             *[part for of in (TABLE1, TABLE2) for part in (of[ranks][variant][1] / of[ranks]["sync"][1], of[ranks][variant][3] / of[ranks]["sync"][3])]])
        return table("Tables 1 and 2: iterations and time to 1e-2 (simulated; paper: 1e-4), and as multiples of sync",
                     ["ranks", "variant", "min", "mean", "max", "ms", "true residual", "iterations / sync", "time / sync", "paper, MPI: iterations", "time",
                      "paper, SHMEM: iterations", "time"], rows, TABLES)

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
                     ["Paper, section 6.1: with one core of 32,768 slower by two, async and racy took about half the time of sync.",
                      "How much is gained depends on the place of the slow rank: here it is a corner.", "20^3 points a rank, to 1e-3; the residual is looked at every 20 iterations."])

    def trace(self, variant, ranks=32, points=POINTS, *how):
        """Rows of the timeline."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "t.csv"
            words = ["simulate", "--machine", "xe6-gemini-like", "--ranks", ranks, "--", "jacobi", "--grid", points, "--variant", variant, *PAPER,
                     *(how or ["--tolerance", "1e-2"]), "--trace-csv", path, "--json"]
            run = subprocess.run([self.a.overlapack, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            if run.returncode not in (0, 4):
                raise SystemExit(run.stderr)
            with path.open() as file:
                return list(csv.DictReader(file))

    def profile(self, variant, *run):
        """Microseconds an iteration and rank for each of KINDS."""
        seconds, sweeps = collections.Counter(), 0
        for event in self.trace(variant, *run):
            kind = "grid" if event["kind"] == "sweep" else event["what"]
            seconds[kind] += float(event["end_s"]) - float(event["begin_s"])
            sweeps += event["kind"] == "sweep"
        return [1e6 * seconds[kind] / sweeps for kind in KINDS]

    def figure4(self):
        rows = [[variant, *self.profile(variant)] for variant in VARIANTS]
        return table("Figure 4: microseconds an iteration and rank, 32 ranks (simulated)",
                     ["variant", *KINDS], rows,
                     ["The paper prints this figure without numbers: its sync spends far more in communication (MPI_Waitall) than async and racy.",
                      "grid of async holds the polls around the sweep, in which halos are sorted in.", *DIFFERS])

    def figure7(self):
        """Histogram of iterations by rank."""
        counts = self.solved(512, "async")["iterations_of_rank"]
        low, high = min(counts), max(counts)
        width = max(1, (high - low + 9) // 10)
        bins = collections.Counter((count - low) // width for count in counts)
        rows = [[f"{low + b * width} to {low + (b + 1) * width - 1}", bins[b]] for b in range((high - low) // width + 1)]
        plot(self.out / "figure7.svg", "Figure 7: iterations by rank, 512 ranks, async (simulated)", "iterations", "ranks",
             {"ranks": (range(len(rows)), [row[1] for row in rows], "o-")}, [low + b * width for b in range(len(rows))])
        return table("Figure 7: iterations by rank, 512 ranks, async, to 1e-2 (simulated)", ["iterations", "ranks"], rows, FIGURE7)

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
        return table("Batch sizes: messages of a neighbour between two sweeps, with the few acknowledgements that travel alone, 32 ranks (simulated)",
                     ["variant", "messages", "times", "share"], rows, ["Paper: about 5, MPI async up to 60.", *DIFFERS])

    def real(self):
        rows = []
        for engine in ("thread", "shmem"):
            for variant in VARIANTS:
                report = self.real_run("--grid", 40, "--ranks", 2, "--engine", engine, "--variant", variant, "--tolerance", "1e-4")
                if report is None:
                    continue
                rows.append([engine, variant, report["iterations"]["min"], report["iterations"]["max"], report["sends_per_iteration"],
                             report["true_residual"], report["solve_s"]])
        return table("Two ranks of this computer, 40^3 points a rank, to 1e-4 (measured, one run, not on an idle machine)",
                     ["engine", "variant", "min", "max", "sends an iteration", "true residual", "s"], rows,
                     ["For behaviour, not for speed: the time is that of a loaded computer."])


ITEMS = ["table1", "table3", "figure3", "figure4", "figure5", "figure6", "figure7", "figure8", "figure9", "figure10", "figure11", "slow", "choices", "sums",
         "mapping", "batches", "real", "hybrid"]


if __name__ == "__main__":
    main(Study, ITEMS, __doc__, HERE / "results")
