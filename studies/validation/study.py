#!/usr/bin/env python3
"""How well does a simulation predict this computer? python3 study.py ITEM --overlapack EXE; `overlapack study validation ITEM` does so.

ITEM: probe (measures the computer and writes machine.json), pingpong, factorization, all. Needs MPI and two processors that nobody else uses."""
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from simulated import main, plot, Runs, table  # noqa: E402

DENSE = [1000, 2000, 3000]
CUBES = [20, 30]
LIMITS = [
    "Kernels are fitted or measured on one rank that has the computer for itself: what two ranks take from each other of memory, caches and power is not in it.",
    "Bytes between the ranks are one rate and one latency for all sizes; MPI copies them in pieces, from or through caches or not.",
    "Kernels that have no fit have gemm's rate: strips of fronts (strip_gemm, strip_trsm). Work that is told without flops and bytes costs a constant.",
    "Measured: the shortest of twelve runs.",
]
DISTURBED = "Other programs on the same computer disturb what is measured and not what is simulated."


def busy_s():
    """Seconds that all processors have worked since the computer started."""
    user, nice, system, _, _, interrupts, soft = map(int, Path("/proc/stat").read_text().split()[1:8])
    return (user + nice + system + interrupts + soft) / os.sysconf("SC_CLK_TCK")


def short(size):
    return next((f"{size // unit}{name}" for unit, name in ((2**20, "M"), (2**10, "K")) if size >= unit), str(size))


class Study:
    def __init__(self, arguments):
        self.a, self.out = arguments, Path(arguments.out)
        self.machine = (self.out / "machine.json").resolve()
        self.cubes = (self.out / "matrices").resolve()

    def measured(self, *words):
        """The report of two processes of the computer itself."""
        root = ["--allow-run-as-root"] if os.geteuid() == 0 and "openmpi" in self.a.mpirun else []
        run = subprocess.run([self.a.mpirun, *root, "-n", "2", self.a.overlapack, *map(str, words), "--json"], capture_output=True, text=True,
                             env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
        if run.returncode not in (0, 4):
            raise SystemExit(f"{' '.join(map(str, words))} under {self.a.mpirun} ended with {run.returncode}: {run.stderr.strip()}")
        return json.loads(run.stdout)

    def simulated(self, *words):
        return Runs(self.a.overlapack, str(self.machine)).report(2, words)  # not kept: the machine may be probed again

    def probe(self):
        """Both sides of the comparison of messages come from here."""
        found = self.measured("probe", "--ranks-per-node", 1, "--write-machine", self.machine)
        (self.out / "probe.json").write_text(json.dumps({"messages": found["messages"], "kernel_models": found["kernel_models"]}, indent=1))
        rows = [[model["kernel"], *([f"{c:.2e}" for c in model["coefficients"]] if "coefficients" in model else ["-"] * 5),
                 f"{100 * model['mean_deviation']:.1f} %" if "coefficients" in model else "-", model["flops_per_s"] / 1e9] for model in found["kernel_models"]]
        return table("Kernels of this computer (measured)", ["kernel", "mnk", "mn", "mk", "nk", "1", "mean deviation of the fit", "Gflop/s"], rows,
                     ["Seconds by coefficient; kernels without one by their rate. machine.json is made of these."])

    def pingpong(self):
        measured = json.loads((self.out / "probe.json").read_text())["messages"]
        simulated = self.simulated("probe", "--ranks-per-node", 1)["messages"]
        rows = [[m["bytes"], 1e6 * m["latency_s"], 1e6 * s["latency_s"], f"{100 * (s['latency_s'] / m['latency_s'] - 1):+.0f} %"]
                for m, s in zip(measured, simulated)]
        places = range(len(rows))
        plot(self.out / "pingpong.svg", "Half a round trip between two ranks", "bytes", "microseconds (log)",
             {"measured": (places, [row[1] for row in rows], "o-"), "simulated": (places, [row[2] for row in rows], "s--")}, [short(row[0]) for row in rows],
             is_log=True)
        return table("Ping-pong of two ranks of this computer, microseconds one way", ["bytes", "measured", "simulated", "deviation"], rows,
                     [LIMITS[1], "Measured: the median of 20 or 200 round trips, by the probe that wrote machine.json.", DISTURBED])

    def times(self, name, words, repeats):
        measured, others = min(self.undisturbed(words) for _ in range(repeats))
        simulated = self.simulated(*words)["factor_s"]
        return [name, 1e3 * measured, 1e3 * simulated, f"{100 * (simulated / measured - 1):+.0f} %", f"{100 * others:.0f} %"]

    def undisturbed(self, words):
        """Seconds of a measured factorisation, and the share of the processors that other programs took meanwhile."""
        begin, own = busy_s(), sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
        start = time.monotonic()
        seconds = self.measured(*words)["factor_s"]
        elapsed = (time.monotonic() - start) * os.cpu_count()
        return seconds, max(0.0, busy_s() - begin - sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) + own) / elapsed

    def factorization(self):
        self.cubes.mkdir(exist_ok=True)
        rows = [self.times(f"dense LU, n = {n}", ["dense", "--n", n, "--block", 128], 12) for n in DENSE]
        for edge in CUBES:
            path = self.cubes / f"cube{edge}.mtx"
            if not path.exists():
                subprocess.run([self.a.overlapack, "generate", "cube", str(edge), "-o", str(path)], check=True, stdout=subprocess.DEVNULL)
            rows.append(self.times(f"multifrontal LU or Cholesky, cube of {edge}^3", ["solve", path, "--refinement-steps", 0], 12))
        return table("Factorisations on two ranks of this computer, milliseconds", ["problem", "measured", "simulated", "deviation", "processors taken by others meanwhile"], rows,
                     [*LIMITS, DISTURBED + " Where others took more than a few percent the measured time says nothing about the simulation."])


def add_options(parser):
    parser.add_argument("--mpirun", default="mpirun.openmpi", help="the launcher of the MPI that overlapack is to use")


if __name__ == "__main__":
    main(Study, ["probe", "pingpong", "factorization"], __doc__, HERE / "results", add_options)
