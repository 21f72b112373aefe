"""What is no matrix, no right-hand side and no option: one sentence that names what it was and what to give instead."""
import re
import warnings

import numpy as np
import overlapack
import pytest
from overlapack import BadInput, BadPlan
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, aslinearoperator

A = sparse.csc_array([[4.0, 1], [1, 3]])
ones = np.ones(2)


class DataFrame:
    """As pandas' of mixed columns is seen by NumPy."""

    def __array__(self, dtype=None, copy=None):
        return np.array([[1.0, "a"], [2.0, "b"]], dtype=object)

    def to_numpy(self, dtype):
        return np.eye(2)


class Unreadable:
    """As a tensor that wants its gradient, or lies on a device."""

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu()")


DataFrame.__module__ = "pandas.core.frame"
Unreadable.__module__ = "torch"
masked = np.ma.masked_array([[4.0, 1], [1, 3]], mask=[[False, True], [False, False]])

of_objects = A.copy()
of_objects.data = A.data.astype(object)

NO_MATRIX = [
    (None, "A is None; give a SciPy sparse array, or an array of numbers with two dimensions"),
    (3.5, "A is a float with 0 dimension(s)"),
    ("A.mtx", "A is a str; read a file with overlapack.read_matrix"),
    (len, "A is a builtin_function_or_method"),
    (lambda x: x, "A is a function; give"),
    (aslinearoperator(A), "A is a LinearOperator; factors need its entries"),
    (LinearOperator((2, 2), matvec=lambda x: x), "A is a LinearOperator"),
    (ones, "A is a numpy.ndarray with 1 dimension(s), but a matrix has two"),
    (np.ones((2, 2, 2)), "A is a numpy.ndarray with 3 dimension(s)"),
    ([[1.0, 2], [3]], "A is a list, which NumPy cannot read as an array"),
    ([["1", "2"], ["3", "4"]], "A is a list with entries of type <U1"),
    ({0: 1}, "A is a dict"),
    (np.array([[1, None], [2, 3]]), "A is a numpy.ndarray with entries of type object"),
    (np.zeros((2, 2), "M8[s]"), "with entries of type datetime64[s]"),
    (of_objects, "A is a scipy.csc_array with entries of type object; convert it first"),
    (DataFrame(), "A is a pandas.DataFrame with entries of type object; give A.to_numpy(dtype=float)"),
    (Unreadable(), "A is a torch.Unreadable, which NumPy cannot read"),
    (masked, "A is a masked array, 1 of whose entries have no value; give them one, as A.filled(0) does"),
]
MAKE = {
    "solve": lambda A: overlapack.solve(A, ones),
    "factorize": overlapack.factorize,
    "plan": overlapack.plan,
    "refactorize": lambda B: overlapack.factorize(A).refactorize(B),
    "schur": lambda A: overlapack.schur(A, [0]),
    "lu_factor": overlapack.lu_factor,
    "cholesky_factor": overlapack.cholesky_factor,
    "qr_factor": overlapack.qr_factor,
    "lstsq": lambda A: overlapack.lstsq(A, ones),
    "jacobi": lambda A: overlapack.solve(A, ones, method="jacobi"),
    "symmetric": lambda A: overlapack.solve(A, ones, symmetric="upper"),
}


@pytest.mark.parametrize("name", MAKE)
def test_no_matrix(name):
    for given, told in NO_MATRIX:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", overlapack.BecomesDenseWarning)
            with pytest.raises(BadInput, match=re.escape(told)):
                MAKE[name](given)


@pytest.mark.parametrize("given, told", [
    (None, "b is None; give b as an array of numbers"),
    ("b", "b is a str; give b as an array of numbers"),
    (print, "b is a builtin_function_or_method"),
    ([[1], [2, 3]], "b is a list, which NumPy cannot read"),
    ([1, None], "b is a list with entries of type object"),
    (DataFrame(), "b is a pandas.DataFrame with entries of type object; give b.to_numpy(dtype=float)"),
    (np.ma.masked_array(ones, mask=[True, False]), "b is a masked array, 1 of whose entries have no value"),
    (np.ones(3), "b has the shape (3,); for this A it must be (2,) or (2, k)"),
    (1.0, "b has the shape ()"),
])
def test_no_right_hand_side(given, told):
    factors, S = overlapack.factorize(A), overlapack.schur(A, [0])
    for call in (factors.solve, overlapack.lu_factor(A.toarray()).solve, S.condense, lambda b: overlapack.solve(A, b),
                 lambda b: overlapack.solve(A.toarray(), b), lambda b: overlapack.lstsq(A.toarray(), b)):
        with pytest.raises(BadInput, match=re.escape(told)):
            call(given)


def test_masks_that_hide_nothing_and_types_of_numbers():
    whole = np.ma.masked_array([[4.0, 1], [1, 3]])
    for given in (whole, A.toarray().tolist(), A.toarray() > 0.5, A.toarray().astype("i1"), A.toarray().astype(">f8")):
        x = overlapack.solve(given, np.ma.masked_array(ones)) if np.linalg.det(np.asarray(given, float)) else None
        assert x is None or abs(np.asarray(given, float) @ x - 1).max() < 1e-15


@pytest.mark.parametrize("order, told", [
    (None, "user_order is None; give user_order as an array of numbers"),
    ("abc", "user_order is a str"),
    ([0, 1.5], "user_order must be whole numbers, not float64"),
    ([[0], [1, 0]], "user_order is a list, which NumPy cannot read"),
    ([0], "1 entries"),
    ([0, 0], "0"),
])
def test_no_order(order, told):
    for call in (overlapack.factorize, overlapack.plan):
        with pytest.raises(BadInput, match=re.escape(told)):
            call(A, ordering="user", user_order=order)
    assert overlapack.factorize(A, ordering="user", user_order=np.array([[1, 0]])).report.ordering == "user"


@pytest.mark.parametrize("name, meant", [("orderng", "ordering"), ("pivot_treshold", "pivot_threshold"), ("rank", "ranks"), ("progres", "progress"),
                                         ("userorder", "user_order"), ("Method", "method"), ("time_limits", "time_limit")])
def test_misspelt_options(name, meant):
    for call in (overlapack.factorize, overlapack.plan, lambda A, **o: overlapack.solve(A, ones, **o), overlapack.lu_factor):
        with pytest.raises(BadPlan, match=f'there is no option "{name}"; did you mean "{meant}"?'):
            call(A.toarray(), **{name: 1})
    with pytest.raises(BadPlan, match='there is no option "qqq"; the options are method, factorization, '):
        overlapack.factorize(A, qqq=1)


def test_a_sparse_matrix_becomes_dense_with_a_word():
    S = sparse.csc_array(np.vstack([A.toarray()] * 3))
    for call in (lambda: overlapack.lstsq(S, np.ones(6)), lambda: overlapack.qr_factor(S), lambda: overlapack.lu_factor(A),
                 lambda: overlapack.cholesky_factor(A)):
        with pytest.warns(overlapack.BecomesDenseWarning, match="as a dense array it takes .* MiB") as told:
            call()
        assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        overlapack.lstsq(S.toarray(), np.ones(6))
        overlapack.solve(A, ones, method="dense")  # which says it


def test_a_sparse_matrix_that_does_not_fit_as_a_dense_one():
    n = 10**8
    S = sparse.csc_array((np.ones(2), ([0, n - 1], [0, 1])), shape=(n, n // 2))
    with pytest.warns(overlapack.BecomesDenseWarning, match=r"it takes 3.73e\+07 GiB"):
        with pytest.raises(overlapack.OutOfMemory, match="would take .* GiB as a dense array, but .* GiB of memory are free; use"):
            overlapack.lstsq(S, np.ones(n))
    with pytest.raises(overlapack.OutOfMemory, match="as a dense array"):
        overlapack.solve(sparse.eye_array(n, format="csc"), np.ones(n), method="dense")
