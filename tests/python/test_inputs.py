"""What is no matrix, no right-hand side and no option: one sentence that names what it was and what to give instead."""
import re
import subprocess
import warnings
from pathlib import Path

import numpy as np
import overlapack
import pytest
from overlapack import BadInput, BadPlan, _core
from scipy import sparse
from scipy.sparse import csc_array
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


def refused(**options):
    """What all that take options say of these."""
    told = set()
    for call in (overlapack.factorize, overlapack.plan, lambda A, **o: overlapack.solve(A, ones, **o), overlapack.lu_factor,
                 lambda A, **o: overlapack.spsolve(csc_array(A), ones, **o)):
        with pytest.raises(BadPlan) as error:
            call(A.toarray(), **options)
        told.add(str(error.value))
    assert len(told) == 1
    return told.pop()


@pytest.mark.parametrize("name, meant", [("orderng", '"ordering" (group Sparse factors)'), ("pivot_treshold", '"pivot_threshold" (group Sparse factors)'),
                                         ("rank", '"ranks" (group Where and how it runs)'), ("progres", '"progress"'), ("userorder", '"user_order"'),
                                         ("Method", '"method" (group Solver)'), ("time_limits", '"time_limit" (group Where and how it runs)'),
                                         ("num_threads", '"threads"'), ("nthreads", '"threads"'), ("n_threads", '"threads"')])
def test_misspelt_options(name, meant):
    assert refused(**{name: 1}) == f'there is no option "{name}"; did you mean {meant}?'


def test_options_that_share_a_word_and_those_that_share_nothing():
    assert '"memory_limit" (group Where and how it runs)' in refused(memory_max=1)
    groups = [group for _, group in _core.option_groups()]
    told = refused(qqq=1)
    assert "`overlapack info --options`" in told and told.endswith(f"in groups: {', '.join(dict.fromkeys(groups))}")
    assert len(told) < 400


@pytest.mark.parametrize("options, told", [
    ({"strip_rows": 64}, 'strip_rows is an experiment; give experiment={"strip_rows": ...}'),
    ({"experiment": {"ordering": "amd"}}, "ordering is an option and no experiment; give ordering=..."),
    ({"experiment": {"strip_row": 64}}, 'there is no experiment "strip_row"; did you mean "strip_rows"'),
    ({"experiment": {"qqq": 1}}, 'there is no experiment "qqq"; `overlapack info --experiments` has them all'),
    ({"experiment": {1: 1}}, 'there is no experiment "1"'),
    ({"experiment": [("strip_rows", 64)]}, "experiment is [('strip_rows', 64)]; give a dict of experiments and their values"),
    ({"experiment": None}, "experiment is None; give a dict"),
    ({"experiment": {"strip_rows": "many"}}, 'experiment strip_rows is "many"; give a whole number from 1'),
    ({"experiment": {"slice_flops": np.inf}}, "option slice_flops is inf; give a finite number"),
])
def test_experiments_in_the_wrong_place(options, told):
    assert refused(**options).startswith(told)


def test_experiments_count_and_are_suggested_to_nobody():
    A = sparse.csc_array(np.diag([2.0, 4.0]))
    with pytest.warns(overlapack.UnusedOptionWarning, match="experiment.relax"):
        x, report = overlapack.solve(A, np.ones(2), method="multifrontal", experiment={"relax": np.int64(8)}, report=True)
    assert report.unused_options == "experiment.relax" and list(x) == [0.5, 0.25]
    assert "strip_rows" not in refused(strip_row=64)


def test_groups_of_options_are_those_of_the_command_line():
    program = Path(overlapack.__file__).parent / "overlapack"
    helped = subprocess.run([program, "solve", "--help-all"], capture_output=True, text=True, timeout=60).stdout
    headings = {line.rstrip(":") for line in helped.splitlines() if line[:1].isalpha() and line.endswith(":")}
    assert {group for _, group in _core.option_groups()} <= headings


@pytest.mark.parametrize("name, told", [("tol", "refinement_target and accuracy"), ("atol", "tolerance"), ("permc_spec", 'ordering="metis"'),
                                        ("perm_c_spec", "overlapack.splu"), ("assume_a", 'factorization="cholesky"'),
                                        ("overwrite_b", "never changed"), ("overwrite_a", "leave it out"), ("check_finite", "leave it out"),
                                        ("lower", 'symmetric="upper" or "lower"'), ("trans", "solve(b, trans)"), ("transpose", "solve(b, trans)"), ("diag_pivot_thresh", "pivot_threshold")])
def test_keywords_of_scipy(name, told):
    for call in (overlapack.solve, overlapack.lstsq):
        with pytest.raises(BadPlan, match=re.escape(f'there is no option "{name}"; ')) as error:
            call(np.eye(2), ones, **{name: "T"})
        assert told in str(error.value)


@pytest.mark.parametrize("name", ["threads", "n_jobs"])
def test_ranks_by_other_names(name):
    assert overlapack.factorize(A, **{name: 2}).report.ranks == overlapack.factorize(A, ranks=2).report.ranks == 2
    assert overlapack.factorize(A, **{name: np.int64(3)}).report.ranks == 3
    assert overlapack.factorize(A, **{name: -1}).report.ranks == overlapack.factorize(A, **{name: None}).report.ranks == 1  # so small
    assert overlapack.solve(A.toarray(), ones, report=True, **{name: 2})[1].ranks == 2
    for value in (0, -2, 1.5, "2"):
        assert refused(**{name: value}) == f"{name} is {value!r}; give a number from 1 on, or -1 for as many as pay"
    assert refused(**{name: 2}, ranks=2) == f"ranks and {name} are the same option; give one of them"


def test_a_sparse_matrix_becomes_dense_with_a_word():
    S = sparse.csc_array(np.vstack([A.toarray()] * 3))
    for call in (lambda: overlapack.lstsq(S, np.ones(6)), lambda: overlapack.qr_factor(S), lambda: overlapack.lu_factor(A),
                 lambda: overlapack.cholesky_factor(A)):
        with pytest.warns(overlapack.BecomesDenseWarning, match=r"as a dense array it takes \d+ B") as told:
            call()
        assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        overlapack.lstsq(S.toarray(), np.ones(6))
        overlapack.solve(A, ones, method="dense")  # which says it


def test_a_sparse_matrix_that_does_not_fit_as_a_dense_one():
    n = 10**8
    S = sparse.csc_array((np.ones(2), ([0, n - 1], [0, 1])), shape=(n, n // 2))
    with pytest.warns(overlapack.BecomesDenseWarning, match=r"it takes 40.0 PB"):
        with pytest.raises(overlapack.OutOfMemory, match="would take .* PB as a dense array, but .* GB of memory are free; use"):
            overlapack.lstsq(S, np.ones(n))
    with pytest.raises(overlapack.OutOfMemory, match="as a dense array"):
        overlapack.solve(sparse.eye_array(n, format="csc"), np.ones(n), method="dense")
