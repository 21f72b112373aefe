"""A forked child has none of its parent's threads; teams of ranks start again in it."""
import multiprocessing
import os

import numpy as np
import overlapack
import pytest
from scipy import sparse

LINE = sparse.diags([-np.ones(39), 2 * np.ones(40), -np.ones(39)], [-1, 0, 1])
A = sparse.csc_array(sparse.kronsum(LINE, LINE))
FACTORS = []


def error_of_new_factors(_):
    return abs(overlapack.solve(A, A @ np.ones(1600), ranks=2) - 1).max()


def error_of_a_dense_solve(_):
    dense = A[:200, :200].toarray()
    return abs(overlapack.solve(dense, dense @ np.ones(200), ranks=3) - 1).max()


def error_of_the_parents_factors(_):
    return abs(FACTORS[0].solve(A @ np.ones(1600)) - 1).max()


@pytest.mark.skipif("libtsan" in os.environ.get("LD_PRELOAD", ""), reason="the thread sanitizer does not support new threads in a forked child")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Python 3.12 warns of forks beside threads
@pytest.mark.parametrize("work", [error_of_new_factors, error_of_a_dense_solve, error_of_the_parents_factors])
def test_children_solve(work):
    FACTORS[:] = [overlapack.factorize(A, ranks=3)]
    error_of_a_dense_solve(0)  # its threads wait for the next one, in this process alone
    with multiprocessing.get_context("fork").Pool(2) as pool:
        errors = pool.map_async(work, range(3)).get(timeout=120)
    errors.append(work(0))
    # forward error <= c cond(A) times the backward error; cond(A) < 1 / sin^2(pi / 82) < 700, c = 2
    assert max(errors) <= 2 * 700 * 1e-14
