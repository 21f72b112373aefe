#!/usr/bin/env python3
"""Two programs of overlapack on the same matrices, in turns: a wheel's beside a build's, say, or those of two commits.

    bench/programs.py FIRST SECOND FILE.mtx... [--rounds 5] [--ranks 1] [--method M]

FIRST and SECOND are the two `overlapack`. Seconds are those of the analysis, the factorisation and the solution, the least of the rounds; the ratio
is the second program's over the first's. On a busy machine start it with a fixed core and a priority of its own: chrt -f 5 taskset -c 1."""
import argparse
import json
import math
import subprocess
from pathlib import Path
from statistics import geometric_mean


def seconds(program, matrix, words):
    done = subprocess.run([program, "solve", matrix, "--json", *words], capture_output=True, text=True)
    if done.returncode not in (0, 3):  # 3: an answer with a warning
        raise SystemExit(f"{program} solve {matrix}: {done.stderr.strip() or done.returncode}")
    report = json.loads(done.stdout)
    return sum(report.get(part) or 0 for part in ("analysis_s", "factor_s", "solve_s"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs=2, metavar="PROGRAM")
    parser.add_argument("matrices", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ranks", default="1")
    parser.add_argument("--method")
    options = parser.parse_args()
    words = ["--ranks", options.ranks, *(["--method", options.method] if options.method else [])]
    ratios = []
    for matrix in options.matrices:
        least = [math.inf, math.inf]
        for number in range(options.rounds):
            for k in (0, 1) if number % 2 == 0 else (1, 0):
                least[k] = min(least[k], seconds(options.programs[k], matrix, words))
        ratios.append(least[1] / least[0])
        print(f"{matrix.name.split('.')[0]:24} {least[0]:9.4f} {least[1]:9.4f} {ratios[-1]:7.3f}", flush=True)
    print(f"{len(ratios)} matrices: geometric mean {geometric_mean(ratios):.3f}, {min(ratios):.3f} to {max(ratios):.3f}")


if __name__ == "__main__":
    main()
