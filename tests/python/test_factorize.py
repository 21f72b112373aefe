"""Factor once, solve often."""
import gc
import threading
import weakref

import numpy as np
import overlapack
import pytest
from scipy import sparse


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


TYPES = (np.float32, np.float64, np.complex64, np.complex128)


@pytest.mark.parametrize("dtype", TYPES)
def test_transposed_solves_and_determinant(make_matrix, rng, assert_solves, dtype):
    A = make_matrix(50, dtype)
    for B in (A, A + A.T, A + A.conj().T):
        B = B.tocsc()
        factors = overlapack.factorize(B, ranks=2)
        b = rng.standard_normal((50, 2)).astype(dtype)
        for trans, op in (("N", B), ("T", B.T), (2, B.conj().T)):
            assert_solves(op, factors.solve(b, trans), b)
        sign, log = np.linalg.slogdet(B.toarray().astype(np.complex128))
        found_sign, found_log = factors.slogdet()
        tolerance = 50 * 50 * np.finfo(dtype).eps
        assert abs(found_sign - sign) < tolerance and abs(found_log - log) < tolerance


@pytest.mark.parametrize("dtype", TYPES)
def test_condition_is_that_of_the_dense_inverse(make_matrix, dtype):
    A = make_matrix(60, dtype)
    factors = overlapack.factorize(A)
    dense = A.toarray().astype(np.complex128)
    true = 1 / (np.linalg.norm(dense, 1) * np.linalg.norm(np.linalg.inv(dense), 1))
    assert true * (1 - 1e-3) <= factors.rcond() <= 3 * true
    assert factors.report.condition_estimate == pytest.approx(1 / factors.rcond())


@pytest.mark.parametrize("dtype", TYPES)
def test_condition_does_not_depend_on_the_size_of_the_entries(dtype):
    n, limits = 50, np.finfo(dtype)
    tolerance = float(100 * limits.eps)
    A = sparse.diags_array([[-0.45] * (n - 1), [1.0] * n, [-0.45] * (n - 1)], offsets=[-1, 0, 1]).tocsc().astype(dtype)
    expected = overlapack.factorize(A).rcond()
    for size in (limits.max / 2, limits.tiny * 4):  # column sums, then entries of the inverse, are beyond the range
        factors = overlapack.factorize((A * size).astype(dtype))
        assert factors.rcond() == pytest.approx(expected, rel=tolerance)
        assert factors.report.condition_estimate == pytest.approx(1 / expected, rel=tolerance)


def test_error_bound_holds_and_is_not_idle(rng):
    n = 40
    grid = np.arange(n) / n
    A = np.exp(-30 * abs(grid[:, None] - grid) ** 2) + 1e-6 * np.eye(n)  # condition about 1e7
    x = rng.standard_normal((n, 3))
    for trans, op in (("N", A), ("T", A.T)):
        factors = overlapack.factorize(A, error_analysis=True, refinement_steps=0, accuracy=1e-3)
        assert factors.report.forward_error_bound is None
        b = op @ x
        found = factors.solve(b, trans)
        # b itself is known to n eps |A||x| only, which the condition number magnifies too
        error = (abs(found - x).max(axis=0) / abs(found).max(axis=0)).max()
        report = factors.report
        rounding = n * 2.3e-16 * report.condition_omega1
        assert error <= report.forward_error_bound + rounding
        assert 10 < report.condition_omega1 < report.condition_estimate
        assert report.forward_error_bound <= 1e4 * max(error, 1e-15)


def test_inertia_is_that_of_the_eigenvalues(make_matrix):
    A = make_matrix(50, np.complex128)
    A = (A + A.conj().T) - 8 * np.eye(50)
    values = np.linalg.eigvalsh(A)
    assert overlapack.factorize(A).inertia() == ((values > 0).sum(), (values < 0).sum(), 0)
    with pytest.raises(overlapack.BadPlan, match="ldlt"):
        overlapack.factorize(A, factorization="lu").inertia()
    with pytest.raises(overlapack.BadPlan, match="complex symmetric"):
        overlapack.factorize(A + 1j * np.eye(50) - 1j * A.imag).inertia()


@pytest.mark.parametrize("ranks", [1, 3])
def test_inertia_of_kkt_matrices_is_a_dense_count(rng, ranks):
    n, m = 160, 60
    B = rng.standard_normal((m, n)) * (rng.random((m, n)) < 0.05) + np.eye(m, n)
    indefinite = np.diag(rng.choice([-1.0, 1.0], n)) + 0.1 * (np.eye(n, k=1) + np.eye(n, k=-1))
    blocks = {
        "interior point": (np.diag(10.0 ** rng.uniform(-8, 8, n)), np.zeros((m, m))),
        "not convex": (indefinite, np.zeros((m, m))),
        "no curvature in places": (np.diag(np.r_[np.zeros(m // 2), np.ones(n - m // 2)]), np.zeros((m, m))),
        "regularised": (indefinite, -1e-6 * np.eye(m)),
    }
    for name, (H, C) in blocks.items():
        K = np.block([[H, B.T], [B, C]])
        scale = 1 / np.sqrt(abs(K).max(axis=1))  # a congruence keeps the inertia; a dense count can tell these eigenvalues from 0
        values = np.linalg.eigvalsh(scale[:, None] * K * scale)
        assert abs(values).min() > 1e-12, name
        found = overlapack.factorize(sparse.csc_array(K), factorization="ldlt", ranks=ranks).inertia()
        assert found == ((values > 0).sum(), (values < 0).sum(), 0), name


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


def test_a_pattern_of_low_fill_goes_over_to_columns():
    n = 3000
    A = sparse.csc_array(sparse.diags_array([np.full(n - abs(k), 8.0 if k == 0 else -1.0) for k in range(-3, 4)], offsets=range(-3, 4)))
    factors, methods = overlapack.factorize(A, ranks=1), []
    for step in range(1, 8):
        methods.append(factors.report.method)
        x = factors.solve(A @ np.ones(n) * step)
        assert abs(x * (1 + 0.1 * (step > 1) * (step - 1)) - step).max() < 1e-12 * step
        factors.refactorize(A * (1 + 0.1 * step))
    assert methods == ["multifrontal"] * 4 + ["block_triangular"] * 3
    assert factors.report.analysed_again == 1 and factors.report.pivots["kept"] == n
