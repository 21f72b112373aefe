"""Dense arrays: solve, lu_factor, lu_solve, determinant, condition."""
import os
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import overlapack
import pytest
from scipy import linalg, sparse

TYPES = [np.float32, np.float64, np.complex64, np.complex128]


def random_matrix(rng, n, dtype):
    """Uniform entries and 2 sqrt(n) on the diagonal: condition number below about 100."""
    A = rng.uniform(-1, 1, (n, n))
    if np.dtype(dtype).kind == "c":
        A = A + 1j * rng.uniform(-1, 1, (n, n))
    return (A + 2 * np.sqrt(n) * np.eye(n)).astype(dtype)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 2, 33, 120])
def test_solve_goes_to_dense_lu(rng, assert_solves, dtype, n):
    A, b = random_matrix(rng, n, dtype), rng.standard_normal(n).astype(dtype)
    x, report = overlapack.solve(A, b, report=True, ranks=2, block=16)
    assert x.dtype == dtype
    assert (report.method, report.grid, report.block) == ("dense", "1x2", 16)
    assert report.backward_error <= 45 * np.finfo(dtype).eps
    assert_solves(A, x, b)


def test_methods_choose_the_other_solver(rng, assert_solves):
    A, b = random_matrix(rng, 30, np.float64), rng.standard_normal(30)
    x, report = overlapack.solve(A, b, report=True, method="multifrontal")
    assert report.method == "multifrontal"
    assert_solves(A, x, b)
    x, report = overlapack.solve(sparse.csr_array(A), b, report=True, method="dense")
    assert report.method == "dense"
    assert_solves(A, x, b)


@pytest.mark.parametrize("dtype", TYPES)
def test_lu_factor_and_transposed_solves(rng, assert_solves, dtype):
    A = random_matrix(rng, 50, dtype)
    factors = overlapack.lu_factor(A, ranks=2, block=8)
    assert factors.shape == (50, 50) and factors.dtype == dtype
    assert "50 x 50" in repr(factors)
    b = rng.standard_normal((50, 3)).astype(dtype)
    for trans, letter, op in ((0, "N", A), (1, "T", A.T), (2, "C", A.conj().T)):
        assert_solves(op, overlapack.lu_solve(factors, b, trans), b)
        assert_solves(op, factors.solve(b[:, 0], letter), b[:, 0])
    with pytest.raises(overlapack.BadPlan, match="trans"):
        factors.solve(b, "X")
    with pytest.raises(overlapack.BadPlan, match="lu_factor"):
        overlapack.lu_solve(linalg.lu_factor(A), b)


def test_layouts_and_operands_are_not_changed(rng, assert_solves):
    A, b = random_matrix(rng, 20, np.float64), rng.standard_normal(20)
    big = np.zeros((40, 40))
    big[::2, ::2] = A
    for given in (A, np.asfortranarray(A), A.tolist(), big[::2, ::2]):
        assert_solves(A, overlapack.solve(given, b), b)
    A.flags.writeable = b.flags.writeable = False
    before = A.copy()
    overlapack.solve(A, b)
    np.testing.assert_array_equal(A, before)


def laid_out(A):
    """The same matrix in every way that NumPy lays it out."""
    n = len(A)
    wide = np.zeros((n, n + 5), A.dtype)
    wide[:, 2 : n + 2] = A
    bytes_around = np.zeros(A.nbytes + 1, np.uint8)
    unaligned = bytes_around[1:].view(A.dtype).reshape(n, n)
    unaligned[:] = A
    fixed = A.copy()
    fixed.flags.writeable = False
    yield from (A, np.asfortranarray(A), wide[:, 2 : n + 2], np.asfortranarray(wide)[:, 2 : n + 2], wide.T[2 : n + 2].T,
                A[::-1][::-1], A[::-1, ::-1].copy()[::-1, ::-1], unaligned, fixed)


@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 2, 37])
def test_every_order_gives_the_same(rng, dtype, n, ranks):
    A, b = random_matrix(rng, n, dtype), rng.standard_normal(n).astype(dtype)
    expected = overlapack.lu_factor(A, ranks=ranks, block=8).solve(b)
    bound = 40 * n * np.finfo(dtype).eps * np.linalg.cond(A) * abs(expected).max()  # backward errors of both, 45 eps at most
    for given in laid_out(A):
        before = given.copy()
        for factors in (overlapack.lu_factor, overlapack.qr_factor):
            assert abs(factors(given, ranks=ranks, block=8).solve(b) - expected).max() <= bound
        x, report = overlapack.solve(given, b, ranks=ranks, block=8, report=True)
        assert x.dtype == dtype and report.ranks == ranks and report.backward_error <= 45 * np.finfo(dtype).eps
        assert abs(x - expected).max() <= bound
        np.testing.assert_array_equal(given, before)


@pytest.mark.parametrize("dtype", TYPES)
def test_both_triangles_in_every_order(rng, assert_solves, dtype):
    A, b = random_matrix(rng, 20, dtype), rng.standard_normal(20).astype(dtype)
    A = (A @ A.conj().T).astype(dtype)
    A = ((A + A.conj().T) / 2).astype(dtype)
    for given in laid_out(A):
        assert_solves(A, overlapack.solve(given, b, factorization="cholesky", ranks=2, block=8), b)
        assert_solves(A, overlapack.cholesky_factor(given, ranks=2, block=8).solve(b), b)


def test_overlapping_rows(rng, assert_solves):
    A, b = random_matrix(rng, 12, np.float64), rng.standard_normal(12)
    line = rng.standard_normal(23)
    line[11] = 30
    toeplitz = np.lib.stride_tricks.sliding_window_view(line, 12)[::-1]  # rows that share their entries
    forwards = np.lib.stride_tricks.sliding_window_view(line, 12)
    for matrix in (toeplitz, forwards):
        assert_solves(matrix.copy(), overlapack.solve(matrix, b), b)
    assert overlapack.solve(np.broadcast_to(4.0, (1, 1)), [2.0]) == [0.5]
    assert overlapack.lstsq(np.broadcast_to(4.0, (3, 1)), [2.0, 2.0, 2.0]) == pytest.approx([0.5])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_entries_that_are_not_finite_are_named(rng, bad):
    A, b = random_matrix(rng, 40, np.float64), rng.standard_normal(40)
    A[17, 5] = bad
    for given in laid_out(A):
        for ranks in (1, 3):
            with pytest.raises(overlapack.BadInput, match=r"entry \(17, 5\) is not a finite number"):
                overlapack.solve(given, b, ranks=ranks, block=8)
            with pytest.raises(overlapack.BadInput, match=r"entry \(17, 5\) is not a finite number"):
                overlapack.lu_factor(given, ranks=ranks, block=8)
    A[17, 5], b[3] = 1, bad
    with pytest.raises(overlapack.BadInput, match="entry 3 of the right-hand side"):
        overlapack.solve(A, b)


def test_large_finite_entries_whose_sums_overflow(rng):
    A = np.diag(np.full(4, 1e308))
    A[0, 1:] = 1e308
    np.testing.assert_allclose(overlapack.solve(A, [3e307, 2e307, 1e307, 1e307]), [-0.1, 0.2, 0.1, 0.1])


def test_b_may_be_a_part_of_A(rng, assert_solves):
    A = random_matrix(rng, 30, np.float64)
    before = A.copy()
    for b in (A[3], A[:, 4], A, A.T, A[:, ::3]):
        assert_solves(before, overlapack.solve(A, b), b)
    np.testing.assert_array_equal(A, before)


def threads():
    return len(os.listdir("/proc/self/task"))


def test_threads_are_kept_between_calls_and_do_not_grow(rng):
    A, b = random_matrix(rng, 60, np.float64), rng.standard_normal(60)
    overlapack.solve(A, b, ranks=3)
    kept = threads()
    for _ in range(5):
        overlapack.solve(A, b, ranks=3)
    assert threads() <= kept
    overlapack.solve(A, b, ranks=2)  # those of three ranks have gone for them
    assert threads() <= kept - 1


def test_threads_may_call_at_the_same_time(rng, assert_solves):
    systems = [(random_matrix(rng, n, np.float64), rng.standard_normal(n)) for n in (5, 40, 90, 40, 200, 7)]

    def check(system):
        A, b = system
        for ranks in (1, 2, 3, 2):
            assert_solves(A, overlapack.solve(A, b, ranks=ranks), b)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(check, systems))


def test_integers_and_complex_right_hand_sides(rng, assert_solves):
    A = (10 * random_matrix(rng, 15, np.float64)).astype(np.int32)
    b = rng.standard_normal(15) + 1j * rng.standard_normal(15)
    x = overlapack.solve(A, b)
    assert x.dtype == np.complex128
    assert_solves(A, x, b)
    factors = overlapack.lu_factor(A)
    assert factors.dtype == np.float64
    assert_solves(A.T, factors.solve(b, "C"), b)  # A is real


@pytest.mark.parametrize("dtype", TYPES)
def test_determinant_and_condition(rng, dtype):
    A = random_matrix(rng, 12, dtype)
    factors = overlapack.lu_factor(A, block=4, ranks=2)
    wide = A.astype(np.result_type(dtype, np.float64))
    # det(A + E) with |E| <= n eps |A|: relative change at most n cond(A) n eps
    tolerance = 12 * 12 * np.linalg.cond(wide, 1) * np.finfo(dtype).eps
    assert abs(factors.det() / np.linalg.det(wide) - 1) <= tolerance
    sign, log = factors.slogdet()
    expected_sign, expected_log = np.linalg.slogdet(wide)
    assert abs(sign - expected_sign) <= tolerance and abs(log - expected_log) <= tolerance
    rcond = 1 / np.linalg.cond(wide, 1)
    assert rcond * (1 - tolerance) <= factors.rcond() <= 3 * rcond
    assert factors.report.condition_estimate == pytest.approx(1 / factors.rcond())


def test_determinants_beyond_the_range():
    with pytest.warns(RuntimeWarning, match="slogdet"):
        assert overlapack.lu_factor(1e200 * np.eye(3)).det() == np.inf
    assert overlapack.lu_factor(-1e-200 * np.eye(3)).det() == 0
    sign, log = overlapack.lu_factor(-1e200 * np.eye(3)).slogdet()
    assert sign == -1 and log == pytest.approx(600 * np.log(10))


def test_mixed_precision(rng, assert_solves):
    A, b = random_matrix(rng, 80, np.float64), rng.standard_normal(80)
    x, report = overlapack.solve(A, b, precision="mixed", report=True)
    assert report.precision == "float32" and report.iterations.max > 0
    assert report.backward_error <= 45 * np.finfo(float).eps
    assert_solves(A, x, b)
    hilbert = linalg.hilbert(8)
    x, report = overlapack.solve(hilbert, b[:8], precision="mixed", report=True)
    assert report.precision == "float64"
    assert_solves(hilbert, x, b[:8])
    with pytest.raises(overlapack.BadPlan, match="single precision"):
        overlapack.solve(A.astype(np.float32), b.astype(np.float32), precision="mixed")


@pytest.mark.parametrize("schedule", ["flat", "lookahead", "split", "parity", "hybrid"])
def test_schedules(rng, assert_solves, schedule):
    A, b = random_matrix(rng, 64, np.float64), rng.standard_normal(64)
    workers = 1 if schedule == "hybrid" else 0
    x, report = overlapack.solve(A, b, schedule=schedule, workers=workers, grid="2x2", experiment={"ranks_per_node": 2}, block=8, report=True)
    assert (report.schedule, report.ranks) == (schedule, 4)
    assert_solves(A, x, b)


def test_singular_and_nearly_singular():
    dependent = np.random.default_rng(5).uniform(-1, 1, (30, 30))
    dependent[7] = dependent[3] - 2 * dependent[19]
    for A in (np.zeros((4, 4)), np.ones((5, 5)), dependent, linalg.hilbert(20)):
        with pytest.raises(overlapack.Singular):
            overlapack.lu_factor(A, singular="refuse")
    for A in (dependent, linalg.hilbert(20)):
        factors = overlapack.lu_factor(A)
        with pytest.warns(overlapack.IllConditionedWarning, match="singular to working precision"):
            x = factors.solve(A @ np.ones(len(A)))
        assert abs(A @ (x - 1)).max() < 1e-12
    with pytest.raises(overlapack.Singular, match="no solution"):
        overlapack.solve(dependent, np.arange(30.0) ** 2)
    # badly scaled is something else
    np.testing.assert_allclose(overlapack.solve(np.diag([1, 1e-20, 1e20]), [1, 1e-20, 1e20]), [1, 1, 1])


def test_bad_input():
    for kind, A, options in (
        (overlapack.BadInput, np.ones((2, 3)), {}),
        (overlapack.BadInput, np.ones(3), {}),
        (overlapack.BadInput, np.array([[np.nan]]), {}),
        (overlapack.BadPlan, np.eye(3), {"grid": "2 by 2"}),
        (overlapack.BadPlan, np.eye(3), {"experiment": {"discipline": "superstep"}, "schedule": "split"}),
        (overlapack.BadPlan, np.eye(3), {"grid": "2x2", "ranks": 3}),
        (overlapack.OutOfMemory, np.eye(3), {"memory_limit": 10}),
    ):
        with pytest.raises(kind):
            overlapack.lu_factor(A, **options)
    with pytest.raises(overlapack.BadInput, match="shape"):
        overlapack.solve(np.eye(3), np.ones(4))


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_cholesky_reads_the_triangle_that_is_named(rng, dtype):
    A, b = definite_matrix(rng, 30, dtype), rng.standard_normal(30)
    for name, half in (("lower", np.tril(A)), ("upper", np.triu(A)), ("upper", sparse.csc_array(np.triu(A)))):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", overlapack.BecomesDenseWarning)
            assert np.allclose(A @ overlapack.cholesky_factor(half, hermitian=name).solve(b), b)
    assert np.allclose(A @ overlapack.cholesky_factor(np.tril(A)).solve(b), b)


def test_cholesky_refuses_an_upper_triangle_that_is_not_named():
    A = np.array([[4.0, 2.0], [0.0, 3.0]])
    with pytest.raises(overlapack.BadInput, match='A is an upper triangle, but its lower triangle is read; give symmetric="upper"'):
        overlapack.cholesky_factor(A)
    assert np.allclose(overlapack.cholesky_factor(A, symmetric="lower").solve([4.0, 3.0]), 1)
    assert np.allclose(overlapack.cholesky_factor(np.diag([4.0, 3.0])).solve([4.0, 3.0]), 1)  # a diagonal is both
    with pytest.raises(overlapack.BadPlan, match="give hermitian="):
        overlapack.cholesky_factor(A + 0j, symmetric="upper")


def test_auto_tells_which_disciplines_it_compared(rng):
    A, b = rng.standard_normal((60, 60)), rng.standard_normal(60)
    x, report = overlapack.solve(A, b, ranks=2, block=16, experiment={"discipline": "auto"}, report=True)
    assert np.allclose(A @ x, b)
    assert report.choice.startswith(f"{report.discipline} of disciplines: messages ")
    assert "superstep" in report.choice


def test_progress_stops_a_factorization(rng):
    seen = []

    def stop(phase, share):
        seen.append((phase, share))
        return True

    with pytest.raises(overlapack.Cancelled):
        overlapack.lu_factor(random_matrix(rng, 200, np.float64), block=4, progress=stop)
    assert len(seen) == 1 and seen[0][0] == "factorisation" and 0 <= seen[0][1] <= 1


def definite_matrix(rng, n, dtype):
    """Hermitian with eigenvalues above about n: the diagonal dominates."""
    A = random_matrix(rng, n, dtype)
    return (A + A.conj().T + 2 * n * np.eye(n)).astype(dtype)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 16, 45])
def test_cholesky(rng, assert_solves, dtype, n):
    A = definite_matrix(rng, n, dtype)
    factors = overlapack.cholesky_factor(np.tril(A), ranks=2, block=8)  # as numpy.linalg.cholesky, the lower triangle
    assert factors.dtype == dtype and "CholeskyFactorization" in repr(factors)
    b = rng.standard_normal((n, 3)).astype(dtype)
    for trans, op in (("N", A), ("T", A.T), ("C", A)):
        assert_solves(op, factors.solve(b, trans), b)
    complex_b = b[:, 0] + 1j * b[:, 1]
    assert_solves(A.T, factors.solve(complex_b, "T"), complex_b)
    wide = A.astype(np.result_type(dtype, np.float64))
    tolerance = n * n * np.linalg.cond(wide, 1) * np.finfo(dtype).eps
    sign, log = factors.slogdet()
    assert abs(sign - 1) <= tolerance and abs(log - np.linalg.slogdet(wide)[1]) <= tolerance
    rcond = 1 / np.linalg.cond(wide, 1)
    assert rcond * (1 - tolerance) <= factors.rcond() <= 3 * rcond
    x, report = overlapack.solve(A, b, report=True, factorization="cholesky")
    assert report.factorization == "cholesky"
    assert_solves(A, x, b)


def test_solve_by_cholesky_wants_both_triangles(rng):
    A = definite_matrix(rng, 70, np.complex128)
    assert overlapack.solve(A + np.triu(1e-16 * A, 1), A @ np.ones(70), factorization="cholesky") == pytest.approx(np.ones(70))
    A[3, 66] += 1e-3
    with pytest.raises(overlapack.BadInput, match=r"not Hermitian: A\(66, 3\) = "):
        overlapack.solve(A, np.ones(70), factorization="cholesky")


def test_cholesky_names_the_minor(rng):
    A = definite_matrix(rng, 12, np.float64)
    A[6, 6] = -1
    with pytest.raises(overlapack.BadInput, match="minor of order 7 "):
        overlapack.cholesky_factor(A, block=4, ranks=2)


def test_product_of_one_part(rng):
    A, B = rng.standard_normal((5, 7)), rng.standard_normal((7, 3)) + 1j
    C, of_C = overlapack.multiply_parts(A, overlapack.Layout((5, 7), 2, (1, 1)), B, overlapack.Layout((7, 3), 2, (1, 1)))
    assert of_C == overlapack.Layout((5, 3), 2, (1, 1)) and C.dtype == np.complex128
    assert abs(C - A @ B).max() <= 10 * 7 * np.finfo(float).eps * (abs(A) @ abs(B)).max()


def test_products_whose_blocks_are_longer_than_a_matrix(rng):
    for m, k, n in [(10, 10, 100), (100, 10, 10), (10, 100, 10), (1, 70, 1)]:
        A, B = rng.standard_normal((m, k)), rng.standard_normal((k, n))
        C, _ = overlapack.multiply_parts(A, overlapack.Layout((m, k), 64, (1, 1)), B, overlapack.Layout((k, n), 64, (1, 1)))
        assert abs(C - A @ B).max() <= 10 * k * np.finfo(float).eps * (abs(A) @ abs(B)).max()


def test_a_part_is_solved_with_on_several_threads(rng, assert_solves):
    A, b = random_matrix(rng, 30, np.float64), rng.standard_normal((30, 2))
    factors = overlapack.lu_factor(A, ranks=2, block=4)
    assert factors.report.ranks == 2
    assert_solves(A, factors.solve_part(b, overlapack.Layout((30, 2), 8, (1, 1))), b)


@pytest.mark.parametrize("method", ["dense", "multifrontal"])
@pytest.mark.parametrize("dtype, size", [(np.float64, 1e-294), (np.float64, 1e-300), (np.float32, 1e-32)])
def test_a_singular_matrix_of_small_numbers_is_singular(method, dtype, size):
    A = np.array([[1, 1, 0], [1, 1, 1], [2, 2, 1]], dtype=dtype) * dtype(size)
    with pytest.raises(overlapack.Singular):
        overlapack.solve(sparse.csc_array(A) if method == "multifrontal" else A, np.array([1, 5, 3], dtype=dtype), method=method)


def test_layouts():
    A = np.arange(42).reshape(6, 7)
    for grid, order, first in (((2, 3), "row", (0, 0)), ((2, 3), "column", (1, 2)), ((1, 1), "row", (0, 0))):
        layout = overlapack.Layout(A.shape, 2, grid, order, first)
        seen = np.zeros(A.shape, dtype=int)
        for rank in range(8):
            part = layout.part(A, rank)
            assert part.shape == (len(layout.rows(rank)), len(layout.cols(rank)))
            seen[np.ix_(layout.rows(rank), layout.cols(rank))] += 1
        assert (seen == 1).all()
    assert overlapack.Layout((6, 6), 2, (2, 3)).rows(3).tolist() == [2, 3]
    assert overlapack.Layout((6, 6), 2, (2, 3), "column").rows(2).tolist() == [0, 1, 4, 5]
    desc = [1, 0, 6, 7, 2, 2, 1, 0, 3]
    assert overlapack.Layout.from_descriptor(desc, (2, 3)) == overlapack.Layout((6, 7), 2, (2, 3), "row", (1, 0))
    with pytest.raises(overlapack.BadInput):
        overlapack.Layout.from_descriptor([1, 0, 6, 7, 2, 3, 1, 0, 3], (2, 3))


def test_one_part_is_the_whole(rng, assert_solves):
    A, b = random_matrix(rng, 9, np.float64), rng.standard_normal((9, 2))
    layout = overlapack.Layout((9, 9), 4, (1, 1))
    factors = overlapack.lu_factor(A, layout=layout)
    assert factors.shape == (9, 9)
    assert_solves(A, factors.solve_part(b, overlapack.Layout((9, 2), 1, (1, 1))), b)
    assert_solves(A, factors.solve_part(b[:, 0], overlapack.Layout((9, 1), 1, (1, 1))), b[:, 0])
    with pytest.raises(overlapack.BadInput, match="complex"):
        factors.solve_part(1j * b, overlapack.Layout((9, 2), 1, (1, 1)))
    with pytest.raises(overlapack.BadPlan, match="mpi"):
        overlapack.lu_factor(A, layout=overlapack.Layout((9, 9), 4, (1, 2)))
    with pytest.raises(overlapack.BadInput, match="distributes"):
        overlapack.lu_factor(A[:4], layout=layout)
    with pytest.raises(overlapack.BadInput, match="rows"):
        factors.solve_part(b[:4], overlapack.Layout((4, 2), 1, (1, 1)))


def tall_matrix(rng, m, n, dtype):
    A = rng.uniform(-1, 1, (m, n))
    if np.dtype(dtype).kind == "c":
        A = A + 1j * rng.uniform(-1, 1, (m, n))
    return A.astype(dtype)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("m, n", [(1, 1), (40, 40), (90, 33)])
def test_qr_and_least_squares(rng, dtype, m, n):
    A, B = tall_matrix(rng, m, n, dtype), tall_matrix(rng, m, 3, dtype)
    # c m eps, and the condition number of these matrices, a few thousand at most
    bound = 10 * m * np.finfo(dtype).eps
    factors = overlapack.qr_factor(A, ranks=3, block=8)
    assert factors.shape == (m, n) and f"{m} x {n}" in repr(factors)
    Q, R = factors.q(), factors.r()
    assert Q.shape == (m, n) and np.array_equal(R, np.triu(R))
    assert abs(Q @ R - A).max() <= bound
    assert abs(Q.conj().T @ Q - np.eye(n)).max() <= bound
    assert abs(factors.multiply_q(factors.multiply_q(B[:, 0], "C")) - B[:, 0]).max() <= bound
    for b in (B, B[:, 0]):
        x = factors.solve(b)
        assert x.shape == (n, *b.shape[1:]) and x.dtype == dtype
        assert abs(A.conj().T @ (b - A @ x)).max() <= bound * m * (1 + abs(x).max())
    report = factors.report
    assert (report.factorization, report.rows, report.n) == ("qr", m, n)
    assert report.optimality <= bound
    expected = np.linalg.norm(B[:, 0] - A @ x)
    assert abs(report.residual_norm - expected) <= bound * m * (1 + abs(x).max())
    y, told = overlapack.lstsq(A, B[:, 0], report=True, ranks=2, schedule="flat")
    assert np.allclose(x, y, rtol=1e4 * bound, atol=1e4 * bound) and told.schedule == "flat"


def test_qr_solves_as_a_factorization(rng, assert_solves):
    A, b = random_matrix(rng, 30, np.float64), rng.standard_normal(30)
    x, report = overlapack.solve(A, b, report=True, factorization="qr")
    assert report.factorization == "qr"
    assert_solves(A, x, b)
    assert_solves(A, overlapack.lstsq(A, b + 1j * b), b + 1j * b)


def test_qr_refuses_what_it_has_not(rng):
    A = tall_matrix(rng, 20, 8, np.float64)
    with pytest.raises(overlapack.BadInput, match="8 rows and 20 columns"):
        overlapack.lstsq(A.T, np.ones(8))
    dependent = np.hstack([A, A[:, :1] - 3 * A[:, 1:2]])
    for ranks in (1, 2):
        with pytest.raises(overlapack.Singular, match="dependent"):
            overlapack.lstsq(dependent, np.ones(20), ranks=ranks, block=4)
    with pytest.raises(overlapack.Singular, match="dependent"):
        overlapack.lstsq(np.zeros((3, 2)), np.ones(3))
    graded = A * 10.0 ** np.arange(0, -160, -20)  # differently scaled columns are not dependent ones
    assert overlapack.qr_factor(graded).report.status == "ok"
    with pytest.raises(overlapack.BadPlan, match="flat and lookahead"):
        overlapack.qr_factor(A, schedule="split")
    with pytest.raises(overlapack.BadPlan, match="transpose"):
        overlapack.qr_factor(A).solve(np.ones(20), "T")
    with pytest.raises(overlapack.BadInput):
        overlapack.qr_factor(A).solve(np.ones(8))
    with pytest.raises(overlapack.BadPlan, match="qr"):
        overlapack.factorize(sparse.csc_array(np.eye(3)), factorization="qr")


@pytest.mark.parametrize("ranks", [1, 2])
def test_least_squares_say_what_x_is_worth(rng, ranks):
    for dtype, doubted, trusted in ((np.float64, 1e-14, 1e-9), (np.float32, 1e-6, 1e-3)):
        for least in (doubted, trusted):  # singular values from 1 to it
            Q, P = (np.linalg.qr(rng.standard_normal(shape))[0] for shape in ((30, 12), (12, 12)))
            A = (Q * np.geomspace(1, least, 12) @ P).astype(dtype)
            b = A @ np.ones(12, dtype)
            if least == trusted:
                x, report = overlapack.lstsq(A, b, report=True, ranks=ranks, block=4)
                assert report.status == "ok" and abs(x - 1).max() < np.sqrt(np.sqrt(np.finfo(dtype).eps))
                x, report = overlapack.lstsq(A * np.geomspace(1, 1e15, 12).astype(dtype), b, report=True, ranks=ranks)
                assert report.status == "ok"  # whatever the scaling of columns
            else:
                with pytest.warns(overlapack.IllConditionedWarning, match="nearly dependent"):
                    x, report = overlapack.lstsq(A, b, report=True, ranks=ranks, block=4)
                assert report.status == "ill_conditioned"
    # no pivot tells of it: R is A, and its smallest entry on the diagonal is 1
    A = np.eye(60) - np.triu(np.ones((60, 60)), 1)
    with pytest.warns(overlapack.IllConditionedWarning, match="nearly dependent"):
        overlapack.lstsq(A, A @ rng.standard_normal(60), ranks=ranks)
    # where b is orthogonal to the columns x is 0 up to rounding, which is no doubt
    A = np.column_stack([np.ones(40), np.tile([1.0, -1.0], 20)])
    assert abs(overlapack.lstsq(A, np.tile([1.0, 1.0, -1.0, -1.0], 10), ranks=ranks)).max() < 1e-15


def test_triangles(rng):
    n = 20
    A = rng.uniform(-1, 1, (n, n)) + 4 * np.eye(n)
    B = rng.uniform(-1, 1, (n, 3))
    of_A, of_B = overlapack.Layout((n, n), 6, (1, 1)), overlapack.Layout((n, 3), 6, (1, 1))
    for lower in (True, False):
        for unit in (True, False):
            for trans in ("N", "T"):
                x = overlapack.solve_triangle_parts(A, of_A, B, of_B, lower=lower, unit_diagonal=unit, trans=trans)
                expected = linalg.solve_triangular(A, B, lower=lower, unit_diagonal=unit, trans=trans)
                assert np.allclose(x, expected, rtol=1e-10, atol=1e-10 * abs(expected).max())
    A[7, 7] = 0
    with pytest.raises(overlapack.Singular, match="entry 7"):
        overlapack.solve_triangle_parts(A, of_A, B, of_B)
    overlapack.solve_triangle_parts(A, of_A, B, of_B, unit_diagonal=True)
    with pytest.raises(overlapack.BadInput, match="square"):
        overlapack.solve_triangle_parts(A, of_A, B[:5], overlapack.Layout((5, 3), 6, (1, 1)))
    with pytest.raises(overlapack.BadPlan, match="distributed alike"):
        overlapack.solve_triangle_parts(A, of_A, B, overlapack.Layout((n, 3), 5, (1, 1)))


def test_diagonals_without_a_finite_inverse():
    tiny = 1e-310
    with pytest.warns(overlapack.IllConditionedWarning):
        assert overlapack.solve(np.array([[1.0, tiny], [1.0, 2 * tiny]]), np.array([1.0, 1.0])).tolist() == [1.0, 0.0]
    assert overlapack.solve(np.array([[1.0, tiny], [2.0, 3 * tiny]]), np.array([tiny, 3 * tiny])).tolist() == [0.0, 1.0]


def test_least_squares_say_when_a_small_x_is_not_known(rng):
    """b is nearly orthogonal to the range of A, so that last digits of b are much of x."""
    Q = np.linalg.qr(rng.standard_normal((12, 4)))[0]
    R = np.triu(rng.standard_normal((3, 3)))
    R[2, 2] = 1e-4
    A, x = Q[:, :3] @ R, np.full(3, 1e-8)
    with pytest.warns(overlapack.IllConditionedWarning):
        overlapack.lstsq(A, Q[:, 3] + A @ x)
    assert overlapack.lstsq(A, Q[:, 3] + A @ np.ones(3)) == pytest.approx(np.ones(3), rel=1e-5)
    assert overlapack.lstsq(np.array([[1.0], [1.0]]), np.array([1.0, -1.0]), report=True)[1].status == "ok"


def test_optimality_sees_every_column(rng):
    A = rng.standard_normal((8, 2)) * [1e160, 1e-160]
    assert 0 < overlapack.lstsq(A, rng.standard_normal(8), report=True)[1].optimality < 1e-15
