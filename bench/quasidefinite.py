#!/usr/bin/env python3
"""Quasi-definite factors beside QDLDL: one new matrix of a known pattern, and solves with its factors, on one core.

    pip install qdldl numpy scipy
    bench/quasidefinite.py [--sizes 1000 10000 30000] [--repeat 5]

For each matrix a line: order, entries of L in both, seconds of refactorisation, of a solve in place (QDLDL's is not refined either) and of a refined
solve, best of --repeat, and ratios ours / QDLDL. Kinds: "control", the KKT matrix of a linear-quadratic problem in time, of little fill; "random", a
sparse random QP, of much.
"""
import argparse

import numpy as np
import qdldl
from scipy import sparse

import overlapack
from compare.seconds import best


def control(n, rng):
    """[P A'; A -1e-6 I] of x_k+1 = F x_k + B u_k with 8 states and 4 inputs."""
    states, inputs = 8, 4
    steps = max(2, n // (2 * states + inputs))
    F = np.eye(states) + 0.1 * rng.standard_normal((states, states))
    B = rng.standard_normal((states, inputs))
    shift = sparse.eye_array(steps, k=-1)
    A = sparse.hstack([sparse.kron(sparse.eye_array(steps), np.eye(states)) - sparse.kron(shift, F), -sparse.kron(sparse.eye_array(steps), B)])
    P = sparse.diags_array(rng.uniform(0.5, 2, A.shape[1]))
    return kkt(P, A, 1e-6)


def random(n, rng):
    """n / 2 unknowns, n / 2 constraints of 3 unknowns each."""
    half = n // 2
    columns = np.minimum(half - 1, (np.arange(half)[:, None] + rng.integers(0, max(2, half // 10), (half, 3))) % half)
    A = sparse.coo_array((rng.standard_normal(3 * half), (np.repeat(np.arange(half), 3), columns.ravel())), (half, half))
    return kkt(sparse.diags_array(rng.uniform(0.5, 2, half)), A, 1e-2)


def kkt(P, A, lower):
    K = sparse.block_array([[P, A.T], [A, -lower * sparse.eye_array(A.shape[0])]], format="csc")
    K.sort_indices()
    return K, np.r_[np.ones(P.shape[0]), -np.ones(A.shape[0])]


def compare(name, K, signs, repeat):
    n = K.shape[0]
    other = K.copy()
    other.data *= 1.5
    upper, upper_other = sparse.csc_matrix(sparse.triu(K, format="csc")), sparse.csc_matrix(sparse.triu(other, format="csc"))
    b = K @ np.ones(n)

    theirs = qdldl.Solver(upper, upper=True)
    ours = overlapack.factorize(K, factorization="quasidefinite", signs=signs, ranks=1)
    turn = [0]

    def update(set_theirs):
        turn[0] += 1
        set_theirs(turn[0] % 2)

    factor_theirs = best(lambda: update(lambda odd: theirs.update(upper_other if odd else upper, upper=True)), repeat)
    factor_ours = best(lambda: update(lambda odd: ours.refactorize(other if odd else K)), repeat)
    theirs.update(upper, upper=True)
    ours.refactorize(K)
    calls = max(1, 20000 // n)

    def many(f):
        def run():
            for _ in range(calls):
                f()

        return run

    x = np.empty(n)
    half = ours.half()

    def in_place():
        x[:] = b
        half.substitute(x)

    solve_theirs = best(many(lambda: theirs.solve(b)), repeat) / calls
    solve_ours = best(many(in_place), repeat) / calls
    refined = best(many(lambda: ours.solve(b)), repeat) / calls
    error = np.abs(in_place() or x - 1).max()
    entries = theirs.factors()[0].nnz + n
    report = ours.report
    print(f"{name:8} {n:7} {entries:9} {report.factor_nnz:9}   {factor_theirs:.2e} {factor_ours:.2e} {factor_ours / factor_theirs:5.2f}   "
          f"{solve_theirs:.2e} {solve_ours:.2e} {solve_ours / solve_theirs:5.2f}   {refined:.2e}   "
          f"{(factor_ours + solve_ours) / (factor_theirs + solve_theirs):5.2f}   {np.abs(theirs.solve(b) - 1).max():.0e} {error:.0e}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10000, 30000])
    parser.add_argument("--repeat", type=int, default=5)
    asked = parser.parse_args()
    print(f"overlapack {overlapack.__version__} beside qdldl; one rank, seconds, best of {asked.repeat}")
    print("matrix         n   L theirs    L ours   refactor.: theirs, ours, ratio   solve: theirs, ours, ratio   refined    both   errors")
    for n in asked.sizes:
        for make in (control, random):
            compare(make.__name__, *make(n, np.random.default_rng(1)), asked.repeat)


if __name__ == "__main__":
    main()
