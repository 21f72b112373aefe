"""quickstart.py MATRIX FOLDER: solve A x = b on all cores, show x, its error and where the time went.

b is A times a known x, so that the true error can be shown: quadratic along the unknowns, between 1 and 2.
"""
import re
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import overlapack
from overlapack import timeline


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

    print("\nWhere the time went:")
    show_shares(timeline.in_words(factors))
    title = Path(path).name
    files = Path(folder)
    factors.write_timeline(files / "timeline.svg", title)
    factors.write_timeline(files / "timeline.json")
    (files / "shares.svg").write_text(timeline.shares(factors, title).svg, encoding="utf-8")
    print(f"{files}/timeline.svg   what each rank did when, and the critical path; open it in a browser")
    print(f"{files}/shares.svg     what each rank's time went to; open it in a browser")
    print(f"{files}/timeline.json  every event; open it in https://ui.perfetto.dev")


def show_shares(words: str) -> None:
    """The shares that the first sentence gives as bars, then all sentences."""
    for name, percent in re.findall(r"[:,] ([a-z][a-z ()]*) (\d+) %", words.split(". ")[0]):
        print(f"  {name:22} {percent:>3} %  {'#' * (int(percent) // 2)}")
    print(textwrap.fill(words, 100))


def show_progress(phase: str, share: float) -> None:
    if sys.stdout.isatty():
        print(f"\r{phase:15} {share:4.0%} ", end="", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
