"""splu and spsolve as scipy.sparse.linalg's are called: what is the same, and what is refused with a sentence."""
from pathlib import Path

import numpy as np
import overlapack
import overlapack.scipy
import pytest
from scipy import sparse
from scipy.sparse import csc_array, csc_matrix
from scipy.sparse import linalg as scipy_linalg


@pytest.fixture
def system(rng, make_matrix):
    A = csc_matrix(make_matrix(40))
    return A, rng.standard_normal(40)


def test_the_same_calls_give_the_same_solutions(system, assert_solves):
    A, b = system
    for keywords in ({}, {"permc_spec": "NATURAL"}, {"permc_spec": "MMD_AT_PLUS_A"}, {"permc_spec": "MMD_ATA"}, {"diag_pivot_thresh": 0.5}):
        theirs, ours = scipy_linalg.splu(A, **keywords), overlapack.splu(A, **keywords)
        assert ours.shape == theirs.shape
        for trans in "NTH":
            x = ours.solve(b, trans)
            assert x.dtype == theirs.solve(b, trans).dtype and x.shape == b.shape
            assert_solves({"N": A, "T": A.T, "H": A.T}[trans], x, b)
    assert_solves(A, overlapack.spsolve(A, b, "NATURAL", use_umfpack=False), b)


def test_what_is_honoured_is_in_the_report(system):
    A, b = system
    report = overlapack.splu(A, permc_spec="NATURAL", diag_pivot_thresh=0.5, method="multifrontal").report
    assert report["ordering"] == "natural"
    assert overlapack.splu(A, "MMD_AT_PLUS_A", method="multifrontal").report["ordering"] == "amd"
    factors = overlapack.splu(A)
    assert A.nnz <= 40 * 40 and factors.nnz == factors.report["factor_nnz"] >= 40


def test_the_threshold_reaches_the_pivoting():
    # [1e-3 1; 1 1]: with u = 0.5 the first pivot is not on the diagonal, with u = 1e-6 it is
    A = csc_array([[1e-3, 1.0], [1.0, 1.0]])
    strict, loose = (overlapack.splu(A, diag_pivot_thresh=u, matching="off", scaling="off", factorization="lu",
                                     method="block_triangular").report for u in (0.5, 1e-6))
    assert strict.pivots.off_diagonal == 1 and loose.pivots.off_diagonal == 0


def test_what_tunes_superlu_is_without_effect(system):
    A, b = system
    for keyword in ({"relax": 1}, {"panel_size": 10}, {"options": {"SymmetricMode": True, "Equil": False}}):
        names = ", ".join(keyword.get("options", keyword))
        with pytest.warns(overlapack.UnusedOptionWarning, match=f"without effect, since it tunes SuperLU: {names}") as told:
            factors = overlapack.splu(A, **keyword)
        assert (factors.solve(b) == overlapack.splu(A).solve(b)).all()
        assert [Path(warning.filename) for warning in told] == [Path(__file__)]
    assert overlapack.splu(A, options={"ColPerm": "NATURAL"}, method="multifrontal").report.ordering == "natural"
    with pytest.raises(overlapack.BadPlan, match="option pivot_threshold is"):
        overlapack.splu(A, options={"DiagPivotThresh": 2.0})
    with pytest.raises(overlapack.BadPlan, match="ILU_MILU among SuperLU's options is not built; leave it out"):
        overlapack.splu(A, options={"ILU_MILU": "SILU"})


def test_orderings_that_there_are_not(system):
    A, b = system
    for call in (lambda: overlapack.splu(A, permc_spec="MMD"), lambda: overlapack.spsolve(A, b, permc_spec="MMD")):
        with pytest.raises(overlapack.BadPlan, match="permc_spec is 'MMD'; give one of NATURAL, MMD_AT_PLUS_A, COLAMD, MMD_ATA"):
            call()


@pytest.mark.parametrize("options", [{"factorization": "lu", "method": "multifrontal", "ranks": 1}, {}, {"method": "block_triangular"},
                                     {"method": "supernodal"}, {"ranks": 2, "scaling": "off"}])
@pytest.mark.parametrize("kind", [float, np.float32, complex])
def test_triangles(system, kind, options):
    A, b = system[0].astype(kind), system[1]
    A.data *= 1 + np.arange(A.nnz) % 7  # no longer symmetric in its numbers
    factors = overlapack.factorize(A, **options)
    L, U, perm_r, perm_c = factors.triangular_factors()
    n = A.shape[0]
    assert (L.diagonal() == 1).all() and (sparse.triu(L, 1).nnz, sparse.tril(U, -1).nnz) == (0, 0)
    P = csc_array((np.ones(n), (perm_r, np.arange(n))))
    Q = csc_array((np.ones(n), (np.arange(n), perm_c)))
    assert abs(P @ A @ Q - L @ U).max() < 1000 * np.finfo(kind).eps * abs(A).max()
    assert factors.L is L and factors.perm_c is perm_c and not hasattr(factors, "M")
    A.data *= 2
    assert abs(factors.refactorize(A).U - 2 * U).max() < 1000 * np.finfo(kind).eps * abs(U).max()


def test_triangles_of_a_symmetric_matrix_whose_pivots_are_pairs():
    A = csc_array(np.array([[0.0, 1, 0], [1, 0, 2], [0, 2, 3]]))
    factors = overlapack.factorize(A)
    assert factors.report["factorization"] == "ldlt"
    L, U, perm_r, perm_c = factors.triangular_factors()
    assert abs((L @ U).toarray()[np.ix_(perm_r, perm_c)] - A.toarray()).max() < 1e-15
    singular = overlapack.factorize(csc_array(np.ones((2, 2))), null_pivots=True, factorization="lu")
    with pytest.raises(overlapack.Singular, match="null_space|pivot"):
        singular.L
    with pytest.raises(overlapack.BadPlan, match="the entries of A are on all ranks"):
        overlapack.factorize(A, distributed=True).L


def test_shapes_of_spsolve(system):
    A, b = system
    assert overlapack.spsolve(A, b[:, np.newaxis]).shape == scipy_linalg.spsolve(A, b[:, np.newaxis]).shape == (40,)
    two = np.column_stack([b, 2 * b])
    assert overlapack.spsolve(A, two).shape == scipy_linalg.spsolve(A, two).shape == (40, 2)


def test_singular_is_raised():
    with pytest.raises(overlapack.Singular):
        overlapack.spsolve(csc_array(np.ones((4, 4))), np.arange(4.0))
    with pytest.warns(overlapack.IllConditionedWarning):  # this one has solutions
        x = overlapack.spsolve(csc_array(np.ones((4, 4))), np.ones(4))
    assert abs(x.sum() - 1) < 1e-14


@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
@pytest.mark.parametrize("function", [overlapack.spsolve, overlapack.scipy.spsolve])
@pytest.mark.parametrize("of_A", ["csc_array", "csr_array", "csc_matrix", "csr_matrix", "coo_array", "lil_matrix"])
@pytest.mark.parametrize("of_b", ["csc_array", "csr_array", "csc_matrix", "csr_matrix", "coo_matrix", "dok_array"])
def test_a_sparse_b_gives_what_it_gives_in_scipy(function, of_A, of_b, make_matrix):
    A = getattr(sparse, of_A)(make_matrix(30))
    B = sparse.random_array((30, 4), density=0.1, rng=np.random.default_rng(1))
    B = B + sparse.coo_array((np.ones(4), ([0, 1, 2, 3], [0, 1, 2, 3])), shape=(30, 4))
    for b in (B, B[:, [1]], B.astype(np.complex128), B.astype(np.float32)):
        b = getattr(sparse, of_b)(b)
        theirs, ours = scipy_linalg.spsolve(A, b), function(A, b)
        assert type(ours) is type(theirs) and ours.shape == theirs.shape and ours.dtype == theirs.dtype
        assert abs(ours - theirs).max() < 1e-12
        if sparse.issparse(theirs):
            assert ours.format == theirs.format and ours.nnz <= 120


@pytest.mark.parametrize("function", [overlapack.spsolve, overlapack.scipy.spsolve])
def test_sparse_b_with_few_entries_has_a_sparse_x(function):
    A = sparse.block_diag([np.array([[2.0, 1], [1, 3]])] * 10, format="csc")
    B = csc_array(([1.0, 2.0], ([0, 7], [0, 1])), shape=(20, 2))
    ours, theirs = function(A, B), scipy_linalg.spsolve(A, B)
    assert ours.nnz == theirs.nnz == 4 and (ours.indices == theirs.indices).all()
    one = sparse.coo_array(([1.0], ([3],)), shape=(20,))  # of one dimension
    assert function(A, one).shape == scipy_linalg.spsolve(A, one).shape == (20,)
    x, report = overlapack.spsolve(A, B, report=True)
    assert type(x) is type(theirs) and report.status == "ok"


def test_solves_with_factors_fill_a_sparse_b_up(system):
    """Which SciPy's SuperLU refuses."""
    A, b = system
    B = csc_array(np.column_stack([b, 0 * b]))
    assert (overlapack.splu(A).solve(B) == overlapack.splu(A).solve(B.toarray())).all()
    for splu in (scipy_linalg.splu, overlapack.scipy.splu):
        with pytest.raises(TypeError, match="must be numpy.ndarray, not csc_array"):
            splu(A).solve(B)
