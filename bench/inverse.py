#!/usr/bin/env python3
"""Entries of the inverse by fronts beside the numeric factorisation: seconds, memory, errors.

    bench/inverse.py              runs the cases on one rank with the installed package and keeps them in results/inverse.json
    bench/inverse.py --table      the table of docs/sparse.md from the results that are kept

Memory is what the resident set grows by at its peak (Linux). Errors are those of 200 columns of the diagonal: against refined solves, of entries by fronts and of
solves without refinement, in units of the largest entry.
"""
import json
import sys
from pathlib import Path

import numpy as np
from scipy import sparse

from compare.seconds import best

RESULTS = Path(__file__).parent / "results" / "inverse.json"


def grid(points, dimensions):
    line = sparse.diags_array([[-1.0] * (points - 1), [2.0] * points, [-1.0] * (points - 1)], offsets=[-1, 0, 1])
    A = line
    for _ in range(dimensions - 1):
        A = sparse.kronsum(A, line)
    return sparse.csc_array(A)


def saddle(points):
    """A field on a grid that is zero on the average over each of the cells of 2 x 2 points."""
    A, cells = grid(points, 2), points // 2
    pairs = sparse.kron(sparse.eye_array(cells), np.ones((1, 2)))
    B = sparse.kron(pairs, pairs)
    return sparse.csc_array(sparse.block_array([[A, B.T], [B, None]]))


CASES = {"grid 200^2": lambda: grid(200, 2), "grid 400^2": lambda: grid(400, 2), "grid 22^3": lambda: grid(22, 3), "KKT 120^2 + 60^2": lambda: saddle(120)}


def grown(work):
    """Bytes by which the resident set is larger than before, at the most."""
    def status(name):
        line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name))
        return 1024 * int(line.split()[1])

    before = status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")
    work()
    return status("VmHWM") - before


def run(name):
    import overlapack

    A = CASES[name]()
    n = A.shape[0]
    factors = overlapack.factorize(A, ranks=1, method="multifrontal")
    factors.refactorize(A)  # its memory is there
    numeric = []
    for _ in range(3):
        factors.refactorize(A)
        numeric.append(factors.report.factor_s)
    found = []
    memory = grown(lambda: found.append(factors.inverse_diagonal()))  # the first call
    diagonal = found[0]
    some = np.linspace(0, n - 1, 200).astype(int)
    identity = np.zeros((n, 200), order="F")
    identity[some, np.arange(200)] = 1
    exact = factors.solve(identity)[some, np.arange(200)]
    factors.substitute(identity)
    size = abs(exact).max()
    return {
        "case": name, "n": n, "nnz": A.nnz, "kind": factors.report.factorization, "numeric_s": min(numeric), "diagonal_s": best(factors.inverse_diagonal),
        "selected_s": best(factors.selected_inverse), "factor_bytes": factors.report.factor_bytes, "grown_bytes": memory,
        "error": abs(diagonal[some] - exact).max() / size, "solve_error": abs(identity[some, np.arange(200)] - exact).max() / size,
    }


def table(rows):
    lines = ["| matrix | numeric factorisation | `inverse_diagonal()` | `selected_inverse()` | factors | memory more | error | of unrefined solves |", "|---|---|---|---|---|---|---|---|"]
    for r in rows:
        times = [f"{1e3 * r[key]:.1f} ms ({r[key] / r['numeric_s']:.1f})" for key in ("diagonal_s", "selected_s")]
        lines.append(f"| {r['case']}, {r['kind']} | {1e3 * r['numeric_s']:.1f} ms | {times[0]} | {times[1]} | {r['factor_bytes'] / 1e6:.1f} MB "
                     f"| {r['grown_bytes'] / 1e6:.1f} MB | {r['error']:.0e} | {r['solve_error']:.0e} |")
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        print(table(json.loads(RESULTS.read_text())))
    else:
        rows = [run(name) for name in CASES]
        RESULTS.write_text(json.dumps(rows, indent=1) + "\n")
        print(table(rows))
