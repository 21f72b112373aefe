#!/usr/bin/env python3
"""Accuracy of supernodal LU by the settings of paper 1's SuperLU: no threshold, pivots below sqrt(eps) replaced, the solution all ones.

The paper (section 2): the matching of large entries to the diagonal "should reduce the need for small diagonal perturbations and the number of iterative
refinement steps"; "SuperLU sometimes needs it, and one step of refinement often suffices". Held to here, on one rank and on grids of 2 and 4:

- with the matching each matrix is solved to a componentwise backward error of at most 1e-15, in at most three steps, most of them in one or none
- some need a step
- without it more pivots are replaced; refinement mends some of the solutions, and others are called inaccurate

Matrices are those that `overlapack generate` makes, and the small ones of a folder where it is given. Prints one line a run; exits with 1 if a promise was broken.

    static_pivots.py --overlapack PATH [--matrices DIR]
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

from solve_all import BACKWARD_ERROR, generate

SETTINGS = ["--method", "supernodal", "--pivot-threshold", "0", "--perturbation", str(math.sqrt(sys.float_info.epsilon)), "--engine", "thread", "--json"]
ACCURACY = 45 * sys.float_info.epsilon  # above it the library calls a solution inaccurate; GMRES, where refinement does not converge, stops there
MOST_STEPS = 3
SMALL = 600_000  # bytes of a file


def solve(options, matrix, ranks, matching, steps):
    words = [options.overlapack, "solve", str(matrix), *SETTINGS, "--ranks", str(ranks), "--matching", matching, "--refinement-steps", str(steps)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    report = json.loads(done.stdout)
    print(f"{matrix.name.removesuffix('.mtx.gz'):22} ranks {ranks} matching {matching:3} steps {report['iterations']['max']} of {steps:2} replaced {report['pivots']['perturbed']:5} "
          f"exchanged {report['pivots']['exchanged']:5} backward {report['backward_error']:.1e} {report['status']}", flush=True)
    return report


def is_accurate(report):
    return report["status"] == "ok" and report["backward_error"] <= BACKWARD_ERROR


def broken_promises(options, matrices):
    matched, unmatched, unrefined = [], [], []
    for matrix in matrices:
        for ranks in (1, 2, 4):
            matched.append(solve(options, matrix, ranks, "on", 10))
            unmatched.append(solve(options, matrix, ranks, "off", 10))
        unrefined.append(solve(options, matrix, 2, "on", 0))
    steps = [report["iterations"]["max"] for report in matched]
    replaced = [sum(report["pivots"]["perturbed"] for report in reports) for reports in (matched, unmatched)]
    print(f"{len(matrices)} matrices; steps with the matching {steps}; {replaced[0]} pivots replaced with it, {replaced[1]} without")
    return [what for what, holds in {
        "with the matching all are accurate": all(map(is_accurate, matched)),
        f"in at most {MOST_STEPS} steps": max(steps) <= MOST_STEPS,
        "most in one or none": 2 * sum(taken <= 1 for taken in steps) > len(steps),
        "some need a step": not all(map(is_accurate, unrefined)),
        "replaced pivots are counted": 0 < replaced[0] < replaced[1],
        "what is not accurate is told": all((report["status"] == "inaccurate") == (report["backward_error"] > ACCURACY) for report in unmatched),
        "and replaced pivots are mended somewhere": any(is_accurate(report) and report["pivots"]["perturbed"] > 0 for report in matched + unmatched),
    }.items() if not holds]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--overlapack", required=True)
    parser.add_argument("--matrices", type=pathlib.Path)
    parser.add_argument("--timeout", type=float, default=120)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        generate(options, pathlib.Path(folder))
        folders = [pathlib.Path(folder), *([options.matrices] if options.matrices else [])]
        broken = broken_promises(options, [path for each in folders for path in sorted(each.glob("*.mtx.gz")) if path.stat().st_size <= SMALL])
    for what in broken:
        print(f"FAIL does not hold: {what}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
