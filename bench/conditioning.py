#!/usr/bin/env python3
"""What a solve says of matrices of condition 1e2 to 1e18: status, error of x and its bound, by method and by interface, beside SciPy's SuperLU and
numpy.linalg.solve (and MUMPS, where python-mumps is installed). The right x is by Gaussian elimination in 80 decimals. Writes bench/results/conditioning.json with --json;
bench/tables.py conditioning shows it."""
import argparse
import decimal
import json
import warnings

import numpy as np
import scipy.sparse.linalg as sla
from scipy import sparse

import overlapack
import overlapack.scipy

decimal.getcontext().prec = 80


def exact(A, b):
    """x of the numbers as they are stored; None: they are singular."""
    D = decimal.Decimal
    rows = [[D(float(a)) for a in row] + [D(float(r))] for row, r in zip(A, b)]
    n = len(rows)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        if rows[k][k] == 0:
            return None
        for i in range(k + 1, n):
            if rows[i][k] == 0:
                continue
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * p for a, p in zip(rows[i], rows[k])]
    x = [D(0)] * n
    for k in reversed(range(n)):
        x[k] = (rows[k][n] - sum(rows[k][j] * x[j] for j in range(k + 1, n))) / rows[k][k]
    return x


def error(x, right):
    """max |x - right| / max |right|; None where either is missing."""
    if x is None or right is None or not np.isfinite(x).all():
        return None
    D = decimal.Decimal
    return float(max(abs(D(float(a)) - r) for a, r in zip(x, right)) / max(abs(r) for r in right))


def conductances(condition, rng):
    """A chain of 1 S grounded so weakly that the condition number is about this."""
    n = 20
    A = np.diag(np.full(n, 2.0)) - np.diag(np.ones(n - 1), 1) - np.diag(np.ones(n - 1), -1)
    A[0, 0] = A[-1, -1] = 1
    return A + np.diag(np.full(n, 4 / condition))


def shifted(condition, rng):
    """A Laplacian whose shift misses an eigenvalue by so little: indefinite."""
    n = 30
    A = np.diag(np.full(n, 2.0)) - np.diag(np.ones(n - 1), 1) - np.diag(np.ones(n - 1), -1)
    return A - (2 - 2 * np.cos(7 * np.pi / (n + 1)) + 4 / condition) * np.eye(n)


def singular_value(condition, rng):
    """Unsymmetric and full, one singular value small."""
    n = 25
    Q, P = (np.linalg.qr(rng.standard_normal((n, n)))[0] for _ in range(2))
    return Q @ np.diag(np.r_[np.ones(n - 1), 1 / condition]) @ P


def equal_rows(condition, rng):
    """Unsymmetric and sparse, two rows equal but for one entry."""
    A = sparse.random_array((30, 30), density=0.15, rng=rng).toarray() + np.diag(rng.uniform(1, 2, 30))
    A[7] = A[3]
    A[7, 7] += 1 / condition
    return A


FAMILIES = {f.__name__: f for f in (conductances, shifted, singular_value, equal_rows)}


def by_factors(factors, b):
    x = factors.solve(b)
    return x, factors.report.status, factors.report.forward_error_bound


def solvers(A, b):
    S = sparse.csc_array(A)
    is_symmetric = (A == A.T).all()
    for method in ("multifrontal", "block_triangular", "supernodal"):
        yield method, lambda m=method: by_factors(overlapack.factorize(S, method=m, factorization="lu"), b)
    if is_symmetric:
        yield "ldlt", lambda: by_factors(overlapack.factorize(S, factorization="ldlt"), b)
    yield "always", lambda: by_factors(overlapack.factorize(S, singular="always"), b)
    yield "mixed", lambda: by_factors(overlapack.factorize(S, precision="mixed"), b)
    yield "dense", lambda: by_factors(overlapack.lu_factor(A), b)
    yield "transposed", lambda: by_factors(overlapack.factorize(sparse.csc_array(A.T)), b) if is_symmetric else transposed(S, b)
    yield "overlapack.scipy splu", lambda: (overlapack.scipy.splu(S).solve(b), None, None)
    yield "SuperLU", lambda: (sla.splu(S).solve(b), None, None)
    yield "NumPy", lambda: (np.linalg.solve(A, b), None, None)
    try:
        import mumps
    except ImportError:
        return
    yield "MUMPS", lambda: (by_mumps(mumps, S, b), None, None)


def transposed(S, b):
    factors = overlapack.factorize(sparse.csc_array(S.T))
    x = factors.solve(b, "T")
    return x, factors.report.status, factors.report.forward_error_bound


def by_mumps(mumps, S, b):
    context = mumps.Context()
    context.factor(S)
    return context.solve(b)


def run(name, family, condition, seed):
    rng = np.random.default_rng(seed)
    A = family(condition, rng)
    b = rng.standard_normal(len(A))
    right = exact(A, b)
    found = []
    for solver, solve in solvers(A, b):
        row = {"family": name, "condition": condition, "solver": solver, "true_condition": float(np.linalg.cond(A)), "status": "", "error": None, "bound": None}
        try:
            x, status, bound = solve()
            row.update(status=status or "", error=error(x, right), bound=bound)
        except (overlapack.Error, RuntimeError, np.linalg.LinAlgError) as refused:
            row["status"] = f"{type(refused).__name__}"
        found.append(row)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", help="write the runs there")
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = [row for name, family in FAMILIES.items() for power in range(2, 19, 2)
            for seed in range(options.seeds) for row in run(name, family, 10.0**power, seed)]
    if options.json:
        with open(options.json, "w") as out:
            json.dump(rows, out, indent=1)
    lies = [r for r in rows if r["bound"] is not None and r["error"] is not None and r["error"] > r["bound"]]
    refused = [r for r in rows if r["status"] == "Singular" and r["true_condition"] < 1 / np.finfo(float).eps]
    for row in rows:
        print("{family:15s} {condition:7.0e} {solver:22s} {status:16s} error {error} bound {bound}".format(**row))
    print(f"{len(rows)} solves; {len(refused)} refused below condition 1 / epsilon; {len(lies)} errors above their bound")
    return len(lies) + len(refused) > 0


if __name__ == "__main__":
    raise SystemExit(main())
