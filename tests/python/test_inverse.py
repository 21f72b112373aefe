"""Entries of the inverse against dense inverses, by whichever way they come."""
import numpy as np
import overlapack
import pytest
from scipy import sparse

TYPES = (np.float32, np.float64, np.complex64, np.complex128)


def tolerance(n, dtype):
    return 1000 * n * np.finfo(dtype).eps


def grid(n, dtype=np.float64):
    line = sparse.diags_array([[-1.0] * (n - 1), [2.0] * n, [-1.0] * (n - 1)], offsets=[-1, 0, 1])
    return sparse.csc_array(sparse.kronsum(line, line)).astype(dtype)


def kkt(n, m, rng, dtype=np.float64):
    B = sparse.random_array((m, n), density=3 / n, rng=rng) + sparse.eye_array(m, n)
    H = sparse.diags_array(1 + rng.random(n))
    return sparse.csc_array(sparse.block_array([[H, B.T], [B, None]])).astype(dtype)


def assert_inverse(A, **options):
    factors = overlapack.factorize(A, **options)
    inverse = np.linalg.inv(A.toarray().astype(np.result_type(A.dtype, np.float64)))
    most = tolerance(A.shape[0], A.dtype) * abs(inverse).max()
    Z = factors.selected_inverse()
    assert Z.dtype == A.dtype and Z.shape == A.shape
    pattern = sparse.csc_array(abs(A.T) + sparse.eye_array(A.shape[0]))
    assert ((Z != 0).astype(int) - (Z.astype(bool) * pattern.astype(bool)).astype(int)).nnz == 0
    coo = Z.tocoo()
    assert coo.nnz >= A.nnz
    assert abs(coo.data - inverse[coo.row, coo.col]).max() <= most
    assert abs(factors.inverse_diagonal() - np.diag(inverse)).max() <= most
    rows, cols = np.indices(A.shape)
    assert abs(factors.inverse_entries(rows, cols) - inverse).max() <= most
    return factors


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("ranks", [1, 3])
def test_of_all_kinds(make_matrix, rng, dtype, ranks):
    for n in (1, 2, 7, 90):
        A = make_matrix(n, dtype).tocsc()
        assert_inverse(A, ranks=ranks)
        assert_inverse(sparse.csc_array(A + A.T), ranks=ranks)
    assert_inverse(grid(9, dtype), ranks=ranks, factorization="cholesky")
    assert_inverse(kkt(40, 15, rng, dtype), ranks=ranks)


@pytest.mark.parametrize("method", ["multifrontal", "supernodal", "block_triangular"])
def test_of_each_method(make_matrix, method):
    assert_inverse(make_matrix(80, np.float64).tocsc(), method=method)


def test_of_triangular_blocks(rng):
    blocks = [sparse.random_array((k, k), density=0.3, rng=rng) + 3 * sparse.eye_array(k) for k in (1, 12, 1, 30, 5)]
    A = sparse.block_diag(blocks).tolil()
    A[:13, 20:] = rng.random((13, 29)) * (rng.random((13, 29)) < 0.2)
    assert_inverse(sparse.csc_array(A))


def test_where_the_diagonal_is_empty(rng):
    n = 300  # a cycle with some others: the matching leaves the diagonal, where A has no entries
    A = sparse.csc_array(5 * np.roll(np.eye(n), 1, axis=0)) + sparse.random_array((n, n), density=2 / n, rng=rng)
    A = sparse.csc_array(A - sparse.diags_array(A.diagonal()))
    A.eliminate_zeros()
    assert abs(A.diagonal()).max() == 0
    assert_inverse(A)


def test_diagonal_of_a_grid_agrees_with_solves():
    A = grid(40)
    factors = overlapack.factorize(A)
    some = np.arange(0, 1600, 97)
    columns = factors.solve(np.eye(1600)[:, some])
    diagonal = factors.inverse_diagonal()
    assert abs(diagonal[some] - columns[some, np.arange(len(some))]).max() <= 1e-13
    np.testing.assert_allclose(factors.inverse_entries(some, some), diagonal[some], rtol=1e-12)


def test_entries_beside_a_weak_pivot_warn_as_solves_do():
    A = sparse.csc_array([[1.0, 1.0], [1.0, 1.0 + 2.0**-46]])
    factors = overlapack.factorize(A)
    calls = (factors.selected_inverse, factors.inverse_diagonal, lambda: factors.inverse_entries([0], [1]))
    for call in calls:
        with pytest.warns(overlapack.IllConditionedWarning, match="inverse may be far off, since the pivot of unknown"):
            call()
        assert factors.report.status == "ill_conditioned"
    factors.refactorize(A + 3 * sparse.eye_array(2))
    for call in calls:
        call()  # warnings are errors in these tests
        assert factors.report.status == "ok"


def test_out_of_core(tmp_path):
    assert_inverse(grid(12), factors="disk", scratch=str(tmp_path))


def test_refusals():
    ring = sparse.csc_array(2 * sparse.eye_array(8) - sparse.csc_array(np.roll(np.eye(8), 1, 0)) - sparse.csc_array(np.roll(np.eye(8), -1, 0)))
    factors = overlapack.factorize(ring, null_pivots=True)
    for call in (factors.selected_inverse, factors.inverse_diagonal):
        with pytest.raises(overlapack.Singular, match="no inverse"):
            call()
    factors = overlapack.factorize(grid(10), compression="blr")
    if factors.report.get("blocks_compressed"):
        with pytest.raises(overlapack.BadPlan, match="compress"):
            factors.inverse_diagonal()
