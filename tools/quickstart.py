"""quickstart.py MATRIX FOLDER: solve A x = b on all cores, show x, its error and where the time went.

b is A times a known x, so that the true error can be shown: quadratic along the unknowns, between 1 and 2.
"""
import sys
import time
from pathlib import Path

import numpy as np
import overlapack


def main(path: str, folder: str) -> None:
    begin = time.perf_counter()
    A = overlapack.read_matrix(path)
    n = A.shape[0]
    print(f"A: {n} x {A.shape[1]}, {A.nnz} entries, read in {time.perf_counter() - begin:.1f} s")

    known = 1 + np.linspace(0, 1, n) ** 2
    factors = overlapack.factorize(A, trace=True, progress=show_progress)
    x = factors.solve(A @ known)
    report = factors.report

    seconds = f"analysis {report.analysis_s:.2f} s, factorisation {report.factor_s:.2f} s, solve {report.solve_s:.2f} s"
    print(f"\r{report.factorization} by {report.method}, {report.ranks} rank(s), ordering {report.ordering}: {seconds}")
    print(f"factors: {report.factor_nnz} entries, {report.flops / 1e9:.1f} Gflop, {report.flops / report.factor_s / 1e9:.1f} Gflop/s")
    print(f"x:              {x[0]:.15g}, {x[1]:.15g}, ..., {x[-1]:.15g}")
    print(f"true x:         {known[0]:.15g}, {known[1]:.15g}, ..., {known[-1]:.15g}")
    print(f"backward error: {report.backward_error:.1e}   (componentwise; {report.status})")
    print(f"true error:     {abs(x - known).max() / abs(known).max():.1e}")

    for suffix, what in (("svg", "open it in a browser"), ("json", "open it in https://ui.perfetto.dev")):
        timeline = Path(folder) / f"timeline.{suffix}"
        factors.write_timeline(timeline)
        print(f"timeline:       {timeline}   ({what})")


def show_progress(phase: str, share: float) -> None:
    if sys.stdout.isatty():
        print(f"\r{phase:15} {share:4.0%} ", end="", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
