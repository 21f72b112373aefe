"""Factors as SciPy's LinearOperator, and as a function."""
import subprocess
import sys

import numpy as np
import overlapack
import pytest
from scipy.sparse.linalg import LinearOperator, aslinearoperator, eigsh, gmres

KINDS = {
    "sparse": lambda A: overlapack.factorize(A),
    "lu": lambda A: overlapack.lu_factor(A.toarray()),
    "cholesky": lambda A: overlapack.cholesky_factor((A @ A.conj().T).toarray()),
}


@pytest.fixture(params=[(kind, dtype) for kind in KINDS for dtype in ("float64", "complex128", "float32")], ids=str)
def case(request, make_matrix):
    """(factors, the inverse as an array, a vector, an array of three columns, a bound on differences)"""
    kind, dtype = request.param
    A = make_matrix(20, dtype)
    whole = A.toarray() if kind != "cholesky" else (A @ A.conj().T).toarray()
    rng = np.random.default_rng(3)
    X = rng.standard_normal((20, 3)).astype(dtype)
    if X.dtype.kind == "c":
        X += 1j * rng.standard_normal((20, 3))
    inverse = np.linalg.inv(whole)
    bound = 1e3 * np.finfo(dtype).eps * np.linalg.cond(whole) * abs(inverse).max()
    return KINDS[kind](A), inverse, X[:, 0].copy(), X, bound


def test_the_names_of_a_linear_operator(case):
    factors, inverse, x, X, bound = case
    adjoint = inverse.conj().T
    for found, wanted in ((factors.matvec(x), inverse @ x), (factors.rmatvec(x), adjoint @ x), (factors.matmat(X), inverse @ X),
                          (factors.rmatmat(X), adjoint @ X), (factors(x), inverse @ x), (factors(X, "T"), inverse.T @ X),
                          (factors @ x, inverse @ x), (factors @ X, inverse @ X), (X.T @ factors, X.T @ inverse),
                          (factors.H @ x, adjoint @ x), (factors.T @ X, inverse.T @ X)):
        assert found.shape == wanted.shape and abs(found - wanted).max() < bound
    assert factors.ndim == 2 and factors.shape == (20, 20) and factors.dtype == X.dtype


def test_they_become_a_linear_operator_and_join_its_algebra(case):
    factors, inverse, x, X, bound = case
    operator = aslinearoperator(factors)
    assert isinstance(operator, LinearOperator) and operator.shape == factors.shape and operator.dtype == factors.dtype
    B = X @ X.T
    other = aslinearoperator(B)
    bound *= 1 + abs(B).max() ** 2
    for found, wanted in ((operator, inverse), (operator.H, inverse.conj().T), (2 * factors, 2 * inverse), (factors * 2, 2 * inverse),
                          (-factors, -inverse), (factors + other, inverse + B), (other + factors, inverse + B), (factors - B, inverse - B),
                          (other - factors, B - inverse), (factors @ other, inverse @ B), (other @ operator, B @ inverse),
                          (factors @ factors, inverse @ inverse), (factors + factors, 2 * inverse)):
        assert isinstance(found, LinearOperator)
        assert abs(found @ x - wanted @ x).max() < bound and abs(found @ X - wanted @ X).max() < bound
        assert abs(found.rmatvec(x) - wanted.conj().T @ x).max() < bound


def test_scipys_functions_take_them(make_matrix):
    A = make_matrix(200).tocsc()
    b = np.ones(200)
    near = overlapack.factorize(A, precision="mixed", gmres_steps=0)
    steps = []
    x, status = gmres(A, b, M=near, rtol=1e-12, callback=steps.append, callback_type="pr_norm")
    assert status == 0 and len(steps) <= 3 and abs(A @ x - b).max() < 1e-10
    S = A @ A.T
    found = eigsh(S, 3, sigma=0, OPinv=overlapack.factorize(S.tocsc()), return_eigenvectors=False)
    assert np.allclose(np.sort(found), np.sort(np.linalg.eigvalsh(S.toarray()))[:3], rtol=1e-8)
    product = A @ overlapack.factorize(A)
    assert isinstance(product, LinearOperator) and abs(product @ b - b).max() < 1e-12


def test_factors_of_least_squares_are_a_function_alone():
    factors = overlapack.qr_factor(np.array([[1.0, 0], [0, 2], [0, 0]]))
    assert factors(np.array([1.0, 4, 5])).tolist() == [1, 2]
    assert not hasattr(factors, "matvec")


def test_none_of_it_imports_scipy():
    code = """
import sys, numpy as np, overlapack
factors = overlapack.lu_factor([[2.0, 1.0], [0.0, 4.0]])
print(factors @ [3.0, 4.0], np.eye(2) @ factors, factors.rmatvec(np.ones(2)), factors([3.0, 4.0]), "scipy" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[1. 1.] [[ 0.5   -0.125]\n [ 0.     0.25 ]] [0.5   0.125] [1. 1.] False\n", done.stderr
