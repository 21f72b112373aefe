"""Analyses that are kept for many matrices of one pattern."""
import launch
import numpy as np
import overlapack
import pytest
from scipy import sparse
from test_mpi import mpirun

TYPES = [np.float32, np.float64, np.complex64, np.complex128]


def with_large_entries(A, shift):
    """A's pattern with ones at (j + shift, j), all else below 1/8; A has entries there."""
    A = A.tocoo()
    values = np.where(A.row == (A.col + shift) % A.shape[0], 1, 0.1 * A.data / np.abs(A.data))
    return sparse.csc_array((values.astype(A.dtype), (A.row, A.col)), shape=A.shape)


@pytest.fixture
def make_band(make_matrix):
    def make(n, dtype=np.float64):
        rows = np.arange(n)
        band = sparse.coo_array((np.ones(2 * n), (np.r_[rows, (rows + 1) % n], np.r_[rows, rows])), shape=(n, n))
        return with_large_entries(sparse.csc_array(make_matrix(n, dtype) + band.astype(dtype)), 0)

    return make


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("ranks", [1, 2])
def test_gives_the_same_bits(make_band, rng, tmp_path, dtype, ranks):
    A = make_band(60, dtype)
    b = rng.standard_normal((60, 2)).astype(dtype)
    for B in (A, sparse.csc_array(A + A.T)):
        analysis = overlapack.analyse(B, ordering="amd", ranks=ranks)
        assert isinstance(analysis.report, overlapack.Plan)
        planned = overlapack.plan(B, ordering="amd", ranks=ranks)
        told = [name for name in planned if not name.startswith("analysis_")]
        assert [analysis.report[name] for name in told] == [planned[name] for name in told]
        analysis.save(tmp_path / "kept")
        x = overlapack.factorize(B, ordering="amd", ranks=ranks).solve(b)
        for kept in (analysis, overlapack.load_analysis(tmp_path / "kept", ranks=ranks)):
            factors = overlapack.factorize(B, analysis=kept, ranks=ranks)
            assert factors.report.ordering == "amd" and factors.report.analysed_again == 0
            np.testing.assert_array_equal(factors.solve(b), x)
            np.testing.assert_array_equal(overlapack.solve(B, b, analysis=kept, ranks=ranks), x)


def test_serves_other_values(make_band, rng, assert_solves):
    A = make_band(50)
    analysis = overlapack.analyse(A)
    b = rng.standard_normal(50)
    for scale in (1e-3, 1, 1e5):
        B = A.copy()
        B.data *= scale * rng.uniform(0.5, 1, A.nnz)
        x, report = overlapack.solve(B, b, analysis=analysis, report=True)
        assert_solves(B, x, b)
        assert report.analysed_again == 0


def test_is_made_anew_where_the_matching_does_not_fit(make_band, rng, assert_solves):
    A = make_band(50)
    other = with_large_entries(A, 1)
    b = rng.standard_normal(50)
    analysis = overlapack.analyse(A)
    before = overlapack.factorize(A, analysis=analysis).solve(b)
    factors = overlapack.factorize(other, analysis=analysis)
    assert factors.report.analysed_again == 1
    assert "analysed again by its own values" in factors.report.choice
    assert_solves(other, factors.solve(b), b)
    np.testing.assert_array_equal(overlapack.factorize(A, analysis=analysis).solve(b), before)


def test_refuses(make_band, make_matrix, tmp_path):
    A = make_band(30)
    analysis = overlapack.analyse(A, ordering="amd")
    for other, words in [(make_band(31), "of order 31"), (sparse.csc_array(A + sparse.eye_array(30, k=7)), "other places"),
                         (A.astype(np.complex128), "of type complex128")]:
        with pytest.raises(overlapack.BadInput, match=words):
            overlapack.factorize(other, analysis=analysis)
    with pytest.raises(overlapack.BadPlan, match="option ordering is metis"):
        overlapack.factorize(A, analysis=analysis, ordering="metis")
    for method in ("dense", "jacobi"):
        with pytest.raises(overlapack.BadPlan, match=f"{method}"):
            overlapack.solve(A, np.ones(30), analysis=analysis, method=method)
    with pytest.raises(overlapack.BadPlan, match="distributed=True.*refactorize reuses their analysis"):
        overlapack.factorize(A, analysis=analysis, distributed=True)
    with pytest.raises(overlapack.BadInput, match="analysis is 'amd'"):
        overlapack.factorize(A, analysis="amd")
    symmetric = sparse.csc_array(A + A.T)
    unsymmetric = symmetric.copy()
    unsymmetric.data[1] += 1
    with pytest.raises(overlapack.BadInput, match="symmetric, this one is not"):
        overlapack.factorize(unsymmetric, analysis=overlapack.analyse(symmetric))
    path = tmp_path / "kept"
    analysis.save(path)
    good = path.read_bytes()
    for bad in (good[:50], good[:-1], good[:100] + bytes([good[100] ^ 1]) + good[101:], b"something else" * 10):
        path.write_bytes(bad)
        with pytest.raises(overlapack.BadInput, match="analysis"):
            overlapack.load_analysis(path)
    with pytest.raises(overlapack.BadInput, match="cannot be read"):
        overlapack.load_analysis(tmp_path / "missing")
    with pytest.raises(overlapack.BadInput):
        analysis.save(tmp_path / "no" / "folder")


@pytest.mark.parametrize("n", [0, 1, 2])
def test_small(n):
    A = sparse.csc_array(2 * np.eye(n))
    if n == 0:
        with pytest.raises(overlapack.BadInput):
            overlapack.analyse(A)
    else:
        analysis = overlapack.analyse(A)
        assert f"n {n}, {n} entries of type float64" in repr(analysis)
        assert overlapack.solve(A, np.ones(n), analysis=analysis).tolist() == [0.5] * n


def test_a_complex_right_hand_side_has_real_factors(make_band, rng, assert_solves):
    A = make_band(20)
    b = rng.standard_normal(20) + 1j * rng.standard_normal(20)
    assert_solves(A, overlapack.solve(A, b, analysis=overlapack.analyse(A)), b)


@pytest.mark.skipif(not launch.MPIRUN, reason="there is no mpirun here")
def test_under_mpirun(tmp_path):
    code, lines, errors = mpirun(3, f"""
        import numpy as np, overlapack
        from mpi4py import MPI
        from scipy import sparse
        rank = MPI.COMM_WORLD.rank
        line = sparse.diags_array([-np.ones(29), 2 * np.ones(30), -np.ones(29)], offsets=[-1, 0, 1])
        A = sparse.kronsum(line, line, format="csc")
        b = A @ np.ones(900)
        analysis = overlapack.analyse(A if rank == 0 else None, ordering="amd")
        analysis.save({str(tmp_path / "kept")!r})
        x = overlapack.solve(A, b, ordering="amd")
        for kept in (analysis, overlapack.load_analysis({str(tmp_path / "kept")!r})):
            same = np.array_equal(overlapack.factorize(A, analysis=kept).solve(b), x)
            print("same", same)
        def refused(call):
            try:
                call()
            except overlapack.Error as error:
                print(type(error).__name__)
        refused(lambda: overlapack.factorize(A + sparse.eye_array(900, k=7), analysis=analysis))
        refused(lambda: overlapack.factorize(A, analysis=analysis, ordering="metis"))
        refused(lambda: overlapack.factorize(A, analysis=analysis if rank else "amd"))
        refused(lambda: overlapack.analyse(0 * A, matching="on", factorization="lu"))
        refused(lambda: overlapack.load_analysis({str(tmp_path / "missing")!r}))
        refused(lambda: analysis.save({str(tmp_path / "no" / "folder")!r}))
        """)
    assert code == 0, errors
    names = ["BadInput", "BadPlan", "BadInput", "Singular", "MissingFile", "BadInput"]
    assert lines == sorted(3 * (names + 2 * ["same True"]))


def test_has_the_order(make_band, rng):
    """Of a symmetric matrix without delayed pivots: the places of the entries of L follow it."""
    n = 120
    A = make_band(n)
    A = sparse.csc_array(A + A.T + 10 * sparse.eye_array(n))
    analysis = overlapack.analyse(A, factorization="cholesky")
    order = analysis.order()
    assert order.dtype == np.int64
    assert np.array_equal(np.sort(order), np.arange(n))
    assert np.array_equal(overlapack.factorize(A, analysis=analysis, factorization="cholesky").cholesky().perm, order)
