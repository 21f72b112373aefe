"""L, D and P of symmetric factors, half of a matrix, and samples, against dense twins."""
import threading

import numpy as np
import overlapack
import pytest
from scipy import sparse

TYPES = (np.float32, np.float64, np.complex64, np.complex128)


def tolerance(n, dtype):
    return 300 * n * np.finfo(dtype).eps


def positive(n, dtype, rng):
    """Hermitian and positive definite, badly scaled."""
    A = sparse.random_array((n, n), density=min(1, 3 / n), rng=rng)
    if np.dtype(dtype).kind == "c":
        A = A + 1j * sparse.random_array((n, n), density=min(1, 3 / n), rng=rng)
    A = A @ A.conj().T + sparse.eye_array(n)
    scale = sparse.diags_array(10.0 ** rng.integers(-2, 3, n))
    A = scale @ A @ scale
    return sparse.csc_array((A + A.conj().T) / 2).astype(dtype)


def indefinite(n, dtype, rng, is_hermitian):
    A = positive(n, dtype, rng).tolil()
    for i in range(0, n, 2):
        A[i, i] = 0
    for i in range(n - 1):
        A[i, i + 1] = A[i + 1, i] = 5
    A = sparse.csc_array(A)
    if np.dtype(dtype).kind == "c" and not is_hermitian:
        A = A + 1j * sparse.csc_array(A.real)
        A = sparse.csc_array(A + A.T)
    return sparse.csc_array(A).astype(dtype)


def assert_parts(A, factors):
    n = A.shape[0]
    L, D, perm = factors.ldlt()
    is_hermitian = abs(A - A.conj().T).max() == 0 if A.nnz else True
    other = L.conj().T if is_hermitian else L.T
    error = abs((L @ D @ other - A[perm][:, perm]).toarray())
    size = abs(L).toarray() @ abs(D).toarray() @ abs(other).toarray() + abs(A[perm][:, perm]).toarray()
    assert (error <= tolerance(n, A.dtype) * size).all()
    assert (L.diagonal() == 1).all() and sparse.triu(L, 1).nnz == 0
    assert sparse.tril(D, -2).nnz == 0
    assert L.dtype == D.dtype == A.dtype and sorted(perm) == list(range(n))
    return L, D, perm


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("kind", ["ldlt", "cholesky"])
def test_of_positive_definite_matrices(rng, dtype, kind):
    for n in (1, 2, 3, 40):
        A = positive(n, dtype, rng)
        factors = overlapack.factorize(A, factorization=kind)
        L, D, perm = assert_parts(A, factors)
        half = factors.half()
        b = rng.standard_normal((n, 3)).astype(dtype)
        dense, H = A.toarray(), None
        near = tolerance(n, dtype) * np.linalg.cond(dense)
        x = half.solve_Lt(half.solve_D(half.solve_L(b)))
        assert abs(x - np.linalg.solve(dense, b)).max() <= near * abs(x).max()
        H = half.multiply(np.eye(n, dtype=dtype))
        assert abs(H @ H.conj().T - dense).max() <= tolerance(n, dtype) * abs(dense).max()
        assert abs(half.solve(H) - np.eye(n)).max() <= near
        assert abs(half.solve_adjoint(H.conj().T) - np.eye(n)).max() <= near
        assert half.solve_L(b[:, 0]).shape == (n,) and half.solve_D(b).dtype == dtype
        assert abs(half.solve_L(b)[:, 0] - half.solve_L(b[:, 0])).max() == 0
        if kind == "cholesky":
            chol = factors.cholesky()
            residual = chol.L @ chol.L.conj().T - A[chol.perm][:, chol.perm]
            assert abs(residual).max() <= tolerance(n, dtype) * abs(dense).max()
        assert factors.logdet() == pytest.approx(np.linalg.slogdet(dense.astype(complex))[1], rel=1e-3 if dtype in (np.float32, np.complex64) else 1e-10, abs=1e-3)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("is_hermitian", [False, True])
@pytest.mark.parametrize("options", [{}, {"factorization": "ldlt", "method": "block_triangular"}])
def test_of_indefinite_matrices(rng, dtype, is_hermitian, options):
    pairs = 0
    for n in (2, 3, 31):
        A = indefinite(n, dtype, rng, is_hermitian)
        factors = overlapack.factorize(A, **options)
        L, D, perm = assert_parts(A, factors)
        pairs += D.nnz - n
        half = factors.half()
        b = (A @ np.ones(n)).astype(dtype)
        x = half.solve_Lt(half.solve_D(half.solve_L(b)))
        assert abs(x - 1).max() <= tolerance(n, dtype) * np.linalg.cond(A.toarray())
        with pytest.raises((overlapack.BadInput, overlapack.BadPlan), match="H"):
            half.multiply(b)
        with pytest.raises(overlapack.BadInput):
            factors.cholesky()
    assert pairs > 0


def test_from_any_factors(rng):
    A = positive(120, np.float64, rng)
    for options in ({"ranks": 3}, {"factorization": "lu"}, {"method": "block_triangular"}, {"precision": "mixed"}):
        assert_parts(A, overlapack.factorize(A, **options))


def test_of_a_itself_where_pivots_were_replaced(rng):
    A = sparse.random_array((60, 60), density=0.07, rng=rng) + sparse.diags_array(rng.standard_normal(60))
    A = A + A.T
    A = sparse.csc_array(A - sparse.diags_array(A.sum(axis=1)))  # singular up to rounding: constants are its null space
    for options in ({"perturbation": 1e-8}, {"method": "supernodal"}, {"perturbation": 1e-8, "ranks": 2}):
        factors = overlapack.factorize(A, **options)
        assert factors.report.pivots.perturbed > 0
        L, D, perm = factors.ldlt()
        assert abs(A[perm][:, perm] - L @ D @ L.T).max() <= 1e-14
        L, U, perm_r, perm_c = factors.triangular_factors()
        assert abs(A[np.argsort(perm_r)][:, np.argsort(perm_c)] - L @ U).max() <= 1e-14


def test_samples_have_the_covariance(rng):
    A = positive(6, np.float64, rng)
    A = sparse.csc_array(A / abs(A).max())
    factors = overlapack.factorize(A)
    mean = np.arange(6.0)
    X = factors.sample(mean, rng=3, k=200000)
    deviation = np.sqrt(np.diag(np.linalg.inv(A.toarray())))
    assert (abs(X.mean(axis=1) - mean) <= 0.02 * deviation).all()
    correlation = np.cov(X) / np.outer(deviation, deviation)
    assert abs(correlation - np.linalg.inv(A.toarray()) / np.outer(deviation, deviation)).max() <= 0.02
    assert factors.sample(rng=5).shape == (6,) and factors.sample(rng=5, k=0).shape == (6, 0)
    assert (factors.sample(rng=5) == factors.sample(rng=5)).all()
    old = factors.sample(rng=5)
    factors.refactorize(4 * A)
    assert abs(factors.sample(rng=5) - old / 2).max() <= 1e-12 * abs(old).max()


def test_bad_input(rng):
    general = sparse.csc_array(np.array([[2.0, 1.0], [0.0, 4.0]]))
    factors = overlapack.factorize(general)
    with pytest.raises(overlapack.BadPlan, match="triangular_factors"):
        factors.ldlt()
    factors = overlapack.factorize(positive(5, np.float64, rng))
    with pytest.raises(overlapack.BadInput, match="shape"):
        factors.half().solve_L(np.ones(4))
    with pytest.raises(overlapack.BadInput, match="mean"):
        factors.sample(np.ones(4))
    with pytest.raises(overlapack.BadInput, match="number of samples"):
        factors.sample(k=-1)
    with pytest.raises(overlapack.BadInput, match="slogdet"):
        overlapack.factorize(sparse.csc_array(np.diag([1.0, -2.0]))).logdet()


@pytest.mark.parametrize("dtype", TYPES)
def test_in_place(make_matrix, rng, dtype):
    n = 60
    for A in (make_matrix(n, dtype).tocsc(), positive(n, dtype, rng), indefinite(n, dtype, rng, True)):
        factors = overlapack.factorize(A)
        expected = np.asfortranarray((rng.standard_normal((n, 3)) + 1).astype(dtype))
        near = tolerance(n, dtype) * np.linalg.cond(A.toarray()) * abs(expected).max()
        for trans, op_A in (("N", A), ("T", A.T), ("C", A.conj().T)):
            X = np.asfortranarray(op_A @ expected)
            at = X.ctypes.data
            factors.substitute(X, trans)
            assert abs(X - expected).max() <= near and X.ctypes.data == at
            x = np.ascontiguousarray(op_A @ expected[:, 0])
            factors.substitute(x, trans)
            assert abs(x - expected[:, 0]).max() <= near
        if factors.report.factorization != "lu":
            X = np.asfortranarray(A @ expected)
            factors.half().substitute(X)
            assert abs(X - expected).max() <= near


def test_in_place_wants_fitting_arrays(rng):
    factors = overlapack.factorize(positive(5, np.float64, rng))
    frozen = np.ones(5)
    frozen.flags.writeable = False
    for call in (factors.substitute, factors.half().substitute):
        for x in ([1.0] * 5, np.ones(5, dtype=np.float32), np.ones((5, 3)), np.ones(10)[::2], frozen):
            with pytest.raises(overlapack.BadInput, match="in place"):
                call(x)
        for x in (np.ones(4), np.ones((4, 2), order="F")):
            with pytest.raises(overlapack.BadInput, match="entries"):
                call(x)
    with pytest.raises(overlapack.BadInput, match="NaN"):
        factors.substitute(np.full(5, np.nan))


@pytest.mark.parametrize("name", ["multiply", "solve", "solve_adjoint", "solve_L", "solve_Lt"])
def test_other_threads_run_meanwhile(name):
    n = 1000
    A = np.full((n, n), 1.0) + n * np.eye(n)
    half = overlapack.factorize(sparse.csc_array(A)).half()
    B = np.ones((n, 100))
    turns, is_over = [0], threading.Event()

    def count():
        while not is_over.wait(1e-4):
            turns[0] += 1

    other = threading.Thread(target=count)
    other.start()
    before = turns[0]
    getattr(half, name)(B)
    meanwhile = turns[0] - before
    is_over.set()
    other.join(60)
    assert meanwhile > 10
