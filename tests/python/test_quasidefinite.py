"""LDL^T with pivots of known signs."""
import numpy as np
import pytest
from scipy import sparse

import overlapack


def kkt(n=60, m=40, lower=1e-3, seed=1):
    rng = np.random.default_rng(seed)
    A = sparse.random_array((m, n), density=0.08, rng=rng) + sparse.eye_array(m, n)
    K = sparse.block_array([[sparse.diags_array(rng.uniform(1, 2, n)), A.T], [A, -lower * sparse.eye_array(m)]], format="csc")
    return K, np.r_[np.ones(n), -np.ones(m)]


def test_signs_are_numbers_of_any_type():
    K, signs = kkt()
    for given in (signs, signs.astype(np.int8), list(signs.astype(int)), signs[:, None]):
        factors = overlapack.factorize(K, factorization="quasidefinite", signs=given)
        x = factors.solve(K @ np.ones(100))
        np.testing.assert_allclose(x, 1, atol=1e-10)
        assert factors.inertia() == (60, 40, 0)
        report = factors.report
        assert report.factorization == "quasidefinite"
        assert report.pivots["delayed"] == report.pivots["perturbed"] == report.pivots["wrong_sign"] == 0


def test_solve_in_one_call_and_by_one_triangle():
    K, signs = kkt()
    b = K @ np.ones(100)
    np.testing.assert_allclose(overlapack.solve(K, b, factorization="quasidefinite", signs=signs), 1, atol=1e-10)
    np.testing.assert_allclose(overlapack.solve(sparse.triu(K), b, symmetric="upper", factorization="quasidefinite", signs=signs), 1, atol=1e-10)


def test_a_kept_analysis_has_the_signs():
    K, signs = kkt()
    analysis = overlapack.analyse(K, factorization="quasidefinite", signs=signs)
    factors = overlapack.factorize(K, analysis=analysis)
    assert factors.inertia() == (60, 40, 0)
    with pytest.raises(overlapack.BadPlan, match="signs are others"):
        overlapack.factorize(K, analysis=analysis, signs=-signs)


def test_regularization_is_refined_away_and_parts_are_refused():
    K, signs = kkt(lower=0)
    factors = overlapack.factorize(K, factorization="quasidefinite", signs=signs, regularization=1e-6)
    x = factors.solve(K @ np.ones(100))
    np.testing.assert_allclose(x, 1, atol=1e-8)
    for ask in (factors.ldlt, factors.half, factors.inverse_diagonal):
        with pytest.raises(overlapack.BadPlan, match="replaced or shifted"):
            ask()


def test_factors_in_parts_are_those_of_the_matrix():
    K, signs = kkt()
    factors = overlapack.factorize(K, factorization="quasidefinite", signs=signs)
    x = K @ np.ones(100)
    factors.half().substitute(x)
    np.testing.assert_allclose(x, 1, atol=1e-10)


@pytest.mark.parametrize(
    "signs, message",
    [
        (np.ones(99), "signs has 99 entries, but the matrix has 100 columns"),
        (np.zeros(100), r"signs\[0\] is 0.0; give \+1 or -1"),
        (np.r_[np.ones(99), np.nan], r"signs\[99\] is nan"),
        ("plus", "signs is a str"),
        (None, "signs is None"),
    ],
)
def test_signs_that_do_not_fit(signs, message):
    K, _ = kkt()
    with pytest.raises(overlapack.BadInput, match=message):
        overlapack.factorize(K, factorization="quasidefinite", signs=signs)


def test_wrong_signs_are_counted_and_never_quietly_wrong():
    K, signs = kkt()
    factors = overlapack.factorize(K, factorization="quasidefinite", signs=-signs, gmres_steps=0)
    assert factors.report.pivots["wrong_sign"] > 0
    with pytest.warns(overlapack.InaccurateWarning):
        factors.solve(K @ np.ones(100))
    assert factors.report.status == "inaccurate"


def test_what_it_does_not_go_with():
    K, signs = kkt()
    for more in ({"matching": "on"}, {"null_pivots": True}, {"method": "supernodal"}):
        with pytest.raises(overlapack.BadPlan):
            overlapack.factorize(K, factorization="quasidefinite", signs=signs, **more)
    with pytest.raises(overlapack.BadPlan, match="signs are given"):
        overlapack.factorize(K, signs=signs)
    with pytest.raises(overlapack.BadPlan):
        overlapack.lu_factor(np.eye(3), factorization="quasidefinite")
