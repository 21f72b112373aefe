"""overlapack.solve on every kind of operand that a SciPy user may hold."""
import subprocess
import sys

import numpy as np
import overlapack
import pytest
from overlapack import _matrix
from scipy import sparse
from scipy.sparse.linalg import spsolve as scipy_spsolve

TYPES = [np.float32, np.float64, np.complex64, np.complex128]
FORMATS = ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 2, 3, 17, 100])
def test_four_types_and_small_sizes(make_matrix, rng, assert_solves, dtype, n):
    A = make_matrix(n, dtype)
    b = rng.standard_normal(n).astype(dtype)
    x = overlapack.solve(A, b)
    assert x.dtype == dtype
    assert_solves(A, x, b)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_formats(make_matrix, rng, assert_solves, form, kind):
    A = make_matrix(30)
    A = (A if kind == "array" else sparse.csr_matrix(A)).asformat(form)
    b = rng.standard_normal(30)
    assert_solves(A, overlapack.solve(A, b), b)


def test_dense(make_matrix, rng, assert_solves):
    A = make_matrix(20).toarray()
    b = rng.standard_normal(20)
    for given in (A, np.asfortranarray(A), A.tolist(), np.asarray(A)[::1]):
        assert_solves(A, overlapack.solve(given, b), b)


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_index_types(make_matrix, rng, assert_solves, index):
    A = make_matrix(30)
    A.indptr, A.indices = A.indptr.astype(index), A.indices.astype(index)
    b = rng.standard_normal(30)
    assert_solves(A, overlapack.solve(A, b), b)
    A = A.tocsc()
    held = _matrix.columns(A)  # what the extension copies from
    assert np.shares_memory(held.indices, A.indices) and np.shares_memory(held.indptr, A.indptr)


def test_unsorted_and_duplicate_entries_are_summed_and_left_alone(rng):
    # A = [[2+1, 1], [0, 4]], column 0 given as rows 0, 0; column 1 with rows 1, 0
    data, rows, start = np.array([2.0, 1.0, 4.0, 1.0]), np.array([0, 0, 1, 0]), np.array([0, 2, 4])
    A = sparse.csc_array((data.copy(), rows.copy(), start.copy()), shape=(2, 2))
    x = overlapack.solve(A, [5.0, 8.0])
    np.testing.assert_allclose(x, [1.0, 2.0], rtol=20 * np.finfo(float).eps)
    np.testing.assert_array_equal(A.data, data)
    np.testing.assert_array_equal(A.indices, rows)

    coo = sparse.coo_array((data, (rows, [0, 0, 1, 1])), shape=(2, 2))
    np.testing.assert_allclose(overlapack.solve(coo, [5.0, 8.0]), x)


def test_right_hand_sides_read_only_strided_and_of_any_order(make_matrix, rng, assert_solves):
    A = make_matrix(40)
    big = rng.standard_normal((80, 6))
    read_only = big[:40, 0].copy()
    read_only.flags.writeable = False
    for b in (read_only, big[::2, 1], big[::-2, 2], big[:40, :3], np.asfortranarray(big[:40]), big[::2, ::2],
              big[:40, :1], big[:40, 0].tolist()):
        assert_solves(A, overlapack.solve(A, b), b)


def test_operands_are_not_changed(make_matrix, rng):
    A, b = make_matrix(25), rng.standard_normal((25, 2))
    before = A.copy(), b.copy()
    for array in (A.data, A.indices, A.indptr, b):
        array.flags.writeable = False
    overlapack.solve(A, b)
    assert (A != before[0]).nnz == 0
    np.testing.assert_array_equal(b, before[1])


def test_no_right_hand_sides(make_matrix):
    assert overlapack.solve(make_matrix(5), np.zeros((5, 0))).shape == (5, 0)


@pytest.mark.parametrize("A_type", [np.int32, np.int64, np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize("b_type", [bool, np.int64, np.float32, np.float64, np.complex64, np.complex128])
def test_promotion_is_scipys(make_matrix, rng, assert_solves, A_type, b_type):
    A = sparse.csr_array(np.rint(make_matrix(12).toarray() * 8)).astype(A_type)
    b = rng.integers(0, 2, 12).astype(b_type)
    x = overlapack.solve(A, b)
    # SciPy turns an integer A into float64 and promotes with b
    expected = np.result_type(np.float64 if np.dtype(A_type).kind == "i" else A_type,
                              np.float64 if np.dtype(b_type).kind in "bi" else b_type)
    assert x.dtype == expected
    assert x.dtype == scipy_spsolve(sparse.csc_array(A.astype(expected)), b).dtype
    assert_solves(A, x, b)


def test_agrees_with_scipy(make_matrix, rng):
    A, b = make_matrix(200), rng.standard_normal(200)
    x, y = overlapack.solve(A, b), scipy_spsolve(sparse.csc_array(A), b)
    # both are within cond(A) n eps of the true x; cond(A) <= 100 by construction
    assert np.abs(x - y).max() <= 100 * 200 * np.finfo(float).eps * np.abs(y).max()


def test_solve_keeps_a_single_column(make_matrix, rng):
    assert overlapack.solve(make_matrix(9), rng.standard_normal((9, 1))).shape == (9, 1)


def test_report(make_matrix, rng):
    A, b = make_matrix(50), rng.standard_normal((50, 3))
    x, report = overlapack.solve(A, b, report=True, ranks=1)
    assert report.status == report["status"] == "ok"
    assert report.n == 50 and report.nnz == A.nnz and report.right_hand_sides == 3
    assert report.pivots.perturbed == 0
    assert 0 <= report.backward_error <= 1e-14
    assert "backward error" in repr(report) and "backward_error" in report.table() and "backward_error" in dir(report)
    with pytest.raises(AttributeError, match="no entry 'speed'"):
        report.speed


def test_plan(make_matrix):
    report = overlapack.plan(make_matrix(50))
    assert report.n == 50 and report.predicted_factor_nnz >= 50


def with_zeros(n=200):
    """A tridiagonal matrix, and the same with stored zeros in its first row and column, around which factors fill in."""
    plain = sparse.diags_array([[-1.0] * (n - 1), [4.0] * n, [-2.0] * (n - 1)], offsets=[-1, 0, 1]).tocoo()
    far = np.arange(2, n)
    row, col = np.concatenate([plain.row, 0 * far, far]), np.concatenate([plain.col, far, 0 * far])
    return plain.tocsc(), sparse.csc_array((np.concatenate([plain.data, np.zeros(2 * far.size)]), (row, col)), plain.shape)


def test_stored_zeros_are_left_out_of_a_single_solve(assert_solves):
    plain, zeros = with_zeros()
    b = np.ones(plain.shape[0])
    x, report = overlapack.solve(zeros, b, report=True)
    assert_solves(plain, x, b)
    assert report.nnz == plain.nnz and zeros.nnz > plain.nnz
    factors = overlapack.factorize(zeros, method="multifrontal")  # keeps places for other values
    assert factors.report.nnz == zeros.nnz
    filled = zeros.copy()
    filled.data[filled.data == 0] = 0.125
    assert_solves(filled, factors.refactorize(filled).solve(b), b)


def test_nothing_traps_and_flags_stay():
    """In a process of its own, which a trap ends."""
    code = """
import ctypes, overlapack, threading
import numpy as np
from scipy import sparse
A = sparse.csc_array((np.array([0.0, 1, 1, 1]), np.array([0, 1, 0, 1]), np.array([0, 2, 4])), shape=(2, 2))
libm = ctypes.CDLL("libm.so.6")
DIVBYZERO, INVALID, OVERFLOW, ALL = 4, 1, 8, 61
def solve_all():
    libm.feclearexcept(ALL)
    libm.feenableexcept(DIVBYZERO | INVALID | OVERFLOW)
    for method in ("auto", "multifrontal", "supernodal", "block_triangular"):
        for ranks in (1, 2):
            factors = overlapack.factorize(A, method=method, ranks=ranks)
            assert np.allclose(factors.solve(np.ones(2)), [0, 1])
    assert np.allclose(overlapack.solve(A, np.ones(2)), [0, 1])
    overlapack.solve(A.toarray(), np.ones(2))
    assert libm.fegetexcept() == DIVBYZERO | INVALID | OVERFLOW
    assert libm.fetestexcept(DIVBYZERO | INVALID | OVERFLOW) == 0
solve_all()
thread = threading.Thread(target=solve_all)
thread.start()
thread.join()
print("through")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "through\n"), done.stderr


@pytest.mark.parametrize("method", ["auto", "multifrontal", "block_triangular", "supernodal"])
@pytest.mark.parametrize("ranks", [1, 2])
def test_zeros_without_an_image_leave_a_matrix_symmetric(rng, method, ranks):
    """Assembly leaves such zeros: stored at (i, j), and nothing at (j, i)."""
    n = 90
    A = sparse.random_array((n, n), density=0.03, rng=rng)
    A = (A + A.T + 5 * sparse.eye_array(n)).tocoo()
    free = [(i, j) for i, j in rng.integers(0, n, (40, 2)) if i != j and not A.tocsr()[[i], [j]].any()]
    rows, cols = np.array(free).T
    rows, cols, values = np.r_[A.row, rows], np.r_[A.col, cols], np.r_[A.data, np.zeros(len(free))]
    A = sparse.csc_array((values, (rows, cols)), shape=(n, n))
    x = rng.standard_normal(n)
    factors = overlapack.factorize(A, method=method, ranks=ranks, scaling="off")
    assert factors.report.symmetry == "symmetric"
    assert np.allclose(factors.solve(A @ x), x, atol=1e-12)
    factors.refactorize(2 * A)
    assert np.allclose(factors.solve(A @ x), x / 2, atol=1e-12)
    for B in (sparse.csr_array(([0.0, 8, 9], ([0, 0, 1], [1, 0, 1]))), sparse.csr_array(([0.0, 0, 8, 9, 7], ([0, 1, 0, 1, 2], [1, 2, 0, 1, 2])))):
        ones = np.ones(B.shape[0])
        assert np.allclose(overlapack.solve(B, B @ ones, method=method, ranks=ranks), 1)
