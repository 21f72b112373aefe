"""splu and spsolve as scipy.sparse.linalg's are called: what is the same, and what is refused with a sentence."""
import numpy as np
import overlapack
import pytest
from scipy.sparse import csc_array, csc_matrix
from scipy.sparse import linalg as scipy_linalg


@pytest.fixture
def system(rng, make_matrix):
    A = csc_matrix(make_matrix(40))
    return A, rng.standard_normal(40)


def test_the_same_calls_give_the_same_solutions(system, assert_solves):
    A, b = system
    for keywords in ({}, {"permc_spec": "NATURAL"}, {"permc_spec": "MMD_AT_PLUS_A"}, {"diag_pivot_thresh": 0.5}):
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


def test_what_tunes_superlu_is_refused(system):
    A, b = system
    for keyword in ({"relax": 1}, {"panel_size": 10}, {"options": {"SymmetricMode": True}}):
        with pytest.raises(overlapack.BadPlan, match=f"{next(iter(keyword))} tunes SuperLU; leave it out"):
            overlapack.splu(A, **keyword)
    for call in (lambda: overlapack.splu(A, permc_spec="COLAMD"), lambda: overlapack.spsolve(A, b, permc_spec="MMD_ATA")):
        with pytest.raises(overlapack.BadPlan, match="not built; leave it out"):
            call()


def test_triangles_are_not_given(system):
    factors = overlapack.splu(system[0])
    for name in ("L", "U", "perm_r", "perm_c"):
        assert not hasattr(factors, name)
        with pytest.raises(AttributeError, match=f"has no {name}; .* use solve"):
            getattr(factors, name)
    with pytest.raises(AttributeError, match="has no M$"):
        factors.M


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
