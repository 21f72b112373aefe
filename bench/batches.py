#!/usr/bin/env python3
"""Batches beside a loop of refactorize and solve: microseconds a system, best of --repeat.

    bench/batches.py [--threads 1] [--repeat 5]

Systems: 1000 grids of 12 x 12 unknowns, 100 000 tridiagonal ones of 10, 200 grids of 30 x 30. "factor" and "solve" are those of the batch, each for
other values or right-hand sides; "loop" is refactorize and a refined solve of the same systems, one after the other.
"""
import argparse

import numpy as np
from scipy import sparse

import overlapack
from compare.seconds import best


def grid(side):
    line = sparse.diags_array([[-1.0] * (side - 1), [2.2] * side, [-0.9] * (side - 1)], offsets=[-1, 0, 1])
    eye = sparse.eye_array(side)
    return sparse.csc_array(sparse.kron(line, eye) + sparse.kron(eye, line))


def tridiagonal(n):
    return sparse.csc_array(sparse.diags_array([[-1.0] * (n - 1), [2.5] * n, [-0.8] * (n - 1)], offsets=[-1, 0, 1]))


def measure(name, A, count, threads, repeat):
    rng = np.random.default_rng(1)
    data = A.data * rng.uniform(0.9, 1.1, (count, A.nnz))
    b = rng.standard_normal((count, A.shape[0]))
    batch = overlapack.factorize_batch(A, data, ranks=threads)
    factor, solve = best(lambda: batch.refactorize(data), repeat), best(lambda: batch.solve(b), repeat)
    worst = batch.backward_error.max()
    few = min(count, 500)
    factors = overlapack.factorize(A, ranks=1)

    def loop():
        for k in range(few):
            factors.refactorize(sparse.csc_array((data[k], A.indices, A.indptr), A.shape))
            factors.solve(b[k])

    one = best(loop, 2) / few
    us = 1e6 / count
    print(f"{name:14} {A.shape[0]:5} {count:7} {batch.report['in_lanes']:7}   {factor * us:7.2f} {solve * us:7.2f} {(factor + solve) * us:7.2f}   "
          f"{one * 1e6:8.1f} {one / ((factor + solve) / count):6.1f}   {worst:.0e}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=5)
    asked = parser.parse_args()
    print(f"overlapack {overlapack.__version__}, threads={asked.threads}, us a system, best of {asked.repeat}")
    print("systems            n   count   lanes    factor   solve    both       loop  ratio   backward error")
    for name, A, count in (("grid 12", grid(12), 1000), ("tridiagonal 10", tridiagonal(10), 100000), ("grid 30", grid(30), 200)):
        measure(name, A, count, asked.threads, asked.repeat)


if __name__ == "__main__":
    main()
