"""Factor once, solve often."""
import gc
import threading
import weakref

import numpy as np
import overlapack
import pytest


@pytest.mark.parametrize("make", [overlapack.factorize, overlapack.splu])
def test_many_solves(make_matrix, rng, assert_solves, make):
    A = make_matrix(60)
    factors = make(A)
    assert factors.shape == (60, 60) and factors.dtype == np.float64
    for k in (1, 2, 7):
        b = rng.standard_normal((60, k))
        assert_solves(A, factors.solve(b), b)
        assert factors.report.right_hand_sides == k
    assert "60 x 60" in repr(factors)


def test_complex_right_hand_side_of_real_factors(make_matrix, rng, assert_solves):
    for real, complex_type in ((np.float32, np.complex64), (np.float64, np.complex128)):
        A = make_matrix(30, real)
        b = (rng.standard_normal((30, 2)) + 1j * rng.standard_normal((30, 2))).astype(complex_type)
        x = overlapack.factorize(A).solve(b)
        assert x.dtype == complex_type
        assert_solves(A, x, b)
        assert_solves(A, overlapack.solve(A, b), b)


def test_transposed_solve_is_refused_with_advice(make_matrix):
    with pytest.raises(overlapack.BadPlan, match=r"A\.T"):
        overlapack.factorize(make_matrix(4)).solve(np.ones(4), trans="T")


def test_solutions_outlive_their_factors(make_matrix, rng, assert_solves):
    A, b = make_matrix(40), rng.standard_normal(40)
    factors = overlapack.factorize(A)
    gone = weakref.ref(factors)
    x = factors.solve(b)
    del factors
    gc.collect()
    assert gone() is None
    assert_solves(A, x, b)


def test_python_threads_share_one_object_and_use_several(make_matrix, rng, assert_solves):
    A = make_matrix(80)
    b = rng.standard_normal((80, 8))
    shared = overlapack.factorize(A)
    found = [None] * 8

    def work(i):
        factors = shared if i % 2 else overlapack.factorize(A)
        found[i] = factors.solve(b[:, i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(60)
    assert_solves(A, np.column_stack(found), b)
