"""Each kind of bad input raises the exception of its kind, with a sentence; nothing of it goes on stdout."""
import copy
import gc
import pickle
import subprocess
import sys
import warnings
import weakref

import numpy as np
import overlapack
import pytest
from scipy import sparse


def refused(kind, A, b, **options):
    with pytest.raises(kind) as caught:
        overlapack.solve(A, b, **options)
    assert isinstance(caught.value, overlapack.Error)
    assert len(str(caught.value)) > 15
    return caught.value


def test_classes_are_also_the_usual_ones():
    assert issubclass(overlapack.BadInput, ValueError)
    assert issubclass(overlapack.BadPlan, ValueError)
    assert issubclass(overlapack.Singular, np.linalg.LinAlgError)
    assert issubclass(overlapack.OutOfMemory, MemoryError)
    kinds = {c.kind for c in overlapack.Error.__subclasses__()}
    assert kinds == {"bad_input", "bad_plan", "singular", "not_converged", "out_of_memory", "comm_failure",
                     "cancelled", "internal"}


def test_a_file_that_is_not_there_is_the_usual_error_too(tmp_path):
    missing = str(tmp_path / "none.mtx")
    for read in (overlapack.read_matrix, overlapack.load_factors, overlapack.load_analysis):
        with pytest.raises(FileNotFoundError, match="none.mtx") as caught:
            read(missing)
        assert isinstance(caught.value, overlapack.MissingFile) and isinstance(caught.value, overlapack.BadInput)
        assert caught.value.kind == "bad_input"
    (tmp_path / "none.mtx").write_text("no matrix")
    with pytest.raises(overlapack.BadInput) as other:
        overlapack.read_matrix(missing)
    assert not isinstance(other.value, FileNotFoundError)


def test_options_that_are_no_numbers():
    for bad in (np.inf, float("nan"), np.float32("inf")):
        assert "time_limit" in str(refused(overlapack.BadPlan, np.eye(2), np.ones(2), time_limit=bad))


def test_a_warning_names_the_line_that_called():
    A = sparse.csc_array(np.array([[1.0, 2], [2, 4]]))
    with pytest.warns(overlapack.IllConditionedWarning) as caught:
        overlapack.solve(A, np.array([1.0, 2]))
        overlapack.factorize(A).solve(np.array([1.0, 2]))
    assert {warning.filename for warning in caught} == {__file__} and len(caught) == 2


def test_one_triangle_is_told():
    A = sparse.csc_array(np.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]]))
    for factorization in ("cholesky", "ldlt"):
        with pytest.raises(overlapack.BadPlan, match=r"one triangle only.*A \+ A\^T - diag\(A\)"):
            overlapack.factorize(sparse.tril(A).tocsc(), factorization=factorization)
    with pytest.raises(overlapack.BadPlan, match=r"\(A \+ A\^H\) / 2"):
        overlapack.factorize(sparse.csc_array(A + 1j * A), factorization="cholesky")


def test_closed_factors_have_a_repr():
    factors = overlapack.factorize(sparse.eye_array(3, format="csc"))
    factors.close()
    assert "closed" in repr(factors)


def test_options_that_a_method_does_not_read():
    A, b = sparse.eye_array(3, format="csc"), np.ones(3)
    calls = [
        (lambda: overlapack.factorize(A, method="supernodal", experiment={"fronts": "strips"}), "method supernodal: experiment.fronts"),
        (lambda: overlapack.solve(A, b, method="jacobi", ordering="amd"), "method jacobi: ordering"),
        (lambda: overlapack.lu_factor(np.eye(2), experiment={"relax": 8}), "method dense: experiment.relax"),
    ]
    for call, text in calls:
        with pytest.warns(overlapack.UnusedOptionWarning, match=text) as caught:
            call()
        assert [warning.filename for warning in caught] == [__file__]
    assert overlapack.plan(A, method="multifrontal", experiment={"relax": 8}).unused_options == "experiment.relax"


def test_closed_factors():
    with overlapack.factorize(sparse.eye_array(3, format="csc")) as factors:
        factors.solve(np.ones(3))
        with pytest.raises(TypeError, match="load_factors"):
            pickle.dumps(factors)
    with pytest.raises(overlapack.BadInput, match="closed"):
        factors.solve(np.ones(3))


def test_closed_factors_keep_nothing():
    factors = overlapack.factorize(sparse.csc_array(np.array([[4.0, 2.0], [2.0, 5.0]])))
    kept = weakref.ref(factors.half()), weakref.ref(factors.L)
    factors.close()
    gc.collect()
    assert [reference() for reference in kept] == [None, None]
    for call in (factors.half, factors.sample, factors.triangular_factors, factors.ldlt, lambda: factors.L, lambda: factors.report):
        with pytest.raises(overlapack.BadInput, match="closed"):
            call()


def test_what_cannot_be_pickled_says_what_to_do(tmp_path):
    A = sparse.csc_array([[4.0, 1.0], [1.0, 3.0]])
    factors, analysis = overlapack.factorize(A), overlapack.analyse(A)
    for kept, remedy in [
        (factors, "load_factors"),
        (factors.half(), "load_factors"),
        (analysis, "load_analysis"),
        (overlapack.factorize_batch(A, A.data[np.newaxis]), "factorize_batch"),
        (overlapack.schur(A, [1]), "schur"),
        (overlapack.lu_factor(A.toarray()), "factors"),
        (overlapack.iterate(A, ranks=1), "iterate"),
    ]:
        with pytest.raises(TypeError, match=f"cannot be pickled.*{remedy}"):
            pickle.dumps(kept)
    for kept in (factors, overlapack.factorize_batch(A, A.data[np.newaxis]), overlapack.schur(A, [1])):  # which calls change
        with pytest.raises(TypeError, match="copied"):
            copy.deepcopy(kept)
    for kept in (analysis, factors.half()):  # which never change
        assert copy.copy(kept) is kept and copy.deepcopy([kept])[0] is kept


def test_not_square():
    refused(overlapack.BadInput, sparse.csr_array(np.ones((2, 3))), np.ones(2))


def test_wrong_lengths():
    A = sparse.eye(4, format="csc")
    for b in (np.ones(3), np.ones((3, 4)), np.ones((4, 2, 1)), 1.0):
        refused(overlapack.BadInput, A, b)


def test_not_a_matrix():
    refused(overlapack.BadInput, np.ones(3), np.ones(3))
    refused(overlapack.BadInput, np.array([["a"]]), np.ones(1))
    refused(overlapack.BadInput, np.eye(2, dtype=object), np.ones(2))


def test_extended_precision_is_refused_rather_than_rounded():
    refused(overlapack.BadInput, np.eye(2, dtype=np.longdouble), np.ones(2))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_not_finite(bad):
    A = np.eye(3)
    A[1, 2] = bad
    refused(overlapack.BadInput, A, np.ones(3))
    refused(overlapack.BadInput, np.eye(3), np.array([1, bad, 1]))


@pytest.mark.parametrize("method", ["multifrontal", "block_triangular"])
def test_numbers_that_leave_the_range_of_their_type(method):
    a = np.float32(3e38)
    A = sparse.csc_array(np.array([[a, -a, 0], [a, a, a], [0, a, a]], np.float32))  # the second pivot would be 2 a
    error = refused(overlapack.BadInput, A, np.ones(3, np.float32), method=method, factorization="lu", matching="off",
                    scaling="off", ordering="natural")
    assert "scaling ruiz" in str(error)


def test_empty():
    refused(overlapack.BadInput, np.zeros((0, 0)), np.zeros(0))


@pytest.mark.parametrize("A", [np.zeros((2, 2)), np.array([[1.0, 2.0], [2.0, 4.0]]), np.diag([1.0, 0.0, 2.0])])
def test_singular(A):
    error = refused(overlapack.Singular, A, np.ones(len(A)))
    assert error.kind == "singular" and error.where in ("solve", "lu_factor")


def test_errors_name_the_public_call(tmp_path):
    A = sparse.csc_array(np.array([[2.0, 1.0], [1.0, 2.0]]))
    factors = overlapack.factorize(A)
    zero_row = sparse.csc_array(np.array([[1.0, 1.0], [0.0, 0.0]]))

    def where(call, *arguments, **options):
        with pytest.raises(overlapack.Error) as caught:
            call(*arguments, **options)
        return caught.value.where

    assert where(overlapack.factorize, zero_row) == "factorize"
    assert where(overlapack.factorize, sparse.csc_array(np.ones((2, 2))), singular="refuse") == "factorize"
    assert where(overlapack.factorize, A, ordering="alphabetic") == "options"
    assert where(overlapack.plan, A, method="dense") == "plan"
    assert where(factors.solve, np.array([np.nan, 1.0])) == "solve"
    assert where(factors.refactorize, sparse.eye_array(2, format="csc")) == "refactorize"
    assert where(factors.save, tmp_path / "nowhere" / "file") == "save"
    assert where(overlapack.lu_factor, np.zeros((2, 2))) == "lu_factor"
    assert where(overlapack.cholesky_factor, -np.eye(2)) == "cholesky_factor"
    assert where(overlapack.qr_factor, np.ones((2, 2))) == "qr_factor"
    assert where(overlapack.solve, A, np.array([1.0, np.nan]), method="jacobi") == "solve"
    assert where(overlapack.solve, zero_row, np.ones(2), method="jacobi") == "jacobi"
    assert where(overlapack.read_matrix, tmp_path / "none.mtx") == "read_matrix"


@pytest.mark.parametrize("method", ["multifrontal", "dense"])
def test_singular_has_one_ending(method):
    A = sparse.csc_array(np.ones((2, 2))) if method == "multifrontal" else np.ones((2, 2))
    b, B = np.array([1.0, 2.0]), np.array([[1.0, 1.0], [1.0, 2.0]])
    refused(overlapack.Singular, A, b, method=method)
    refused(overlapack.Singular, A, b, method=method, singular="refuse")
    with pytest.warns(overlapack.SingularWarning, match="has no solution, and x is NaN there"):
        x, report = overlapack.solve(A, B, method=method, report=True)
    assert report.status == "singular" and np.isnan(x[:, 1]).all() and np.isfinite(x[:, 0]).all()
    if method == "multifrontal":
        with pytest.warns(overlapack.SingularWarning, match="null_pivots"):
            x, report = overlapack.solve(A, b, null_pivots=True, report=True)
        assert report.status == "singular" and np.isfinite(x).all()
        assert issubclass(overlapack.SingularWarning, overlapack.InaccurateWarning)


def test_options_are_checked():
    A, b = np.eye(3), np.ones(3)
    assert "orderin" in str(refused(overlapack.BadPlan, A, b, orderin="metis"))
    refused(overlapack.BadPlan, A, b, ordering="alphabetic")
    refused(overlapack.BadPlan, A, b, ranks=-1)
    refused(overlapack.BadPlan, A, b, pivot_threshold=[0.1])
    refused(overlapack.BadPlan, A, b, ranks=object())
    refused(overlapack.BadInput, A, b, progress="loud")


def test_indices_out_of_range_are_refused():
    A = sparse.csc_array(np.eye(3))
    A.indices = np.array([0, 1, 7], dtype=A.indices.dtype)
    with pytest.raises(ValueError):  # SciPy's own check or ours
        overlapack.solve(A, np.ones(3))


def test_missing_file(tmp_path):
    with pytest.raises(overlapack.BadInput, match="nowhere.mtx"):
        overlapack.read_matrix(tmp_path / "nowhere.mtx")


def test_old_kernels_are_told_once():
    program = """
import warnings, overlapack
from overlapack._factors import warn_of_kernels
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    for advice in ("", "old kernels: take newer ones", "old kernels: take newer ones"):
        warn_of_kernels(advice)
print([(w.category is overlapack.OldKernelsWarning, str(w.message)) for w in told])
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[(True, 'old kernels: take newer ones')]"


def test_numbers_beyond_single_precision_are_named():
    A = sparse.csc_array(np.array([[4.0, 1.0], [1.0, 3.0]]))
    single = A.astype(np.float32)
    factors, dense = overlapack.factorize(single), overlapack.lu_factor(single.toarray())
    iteration, schur = overlapack.iterate(single, ranks=1), overlapack.schur(single, [1])
    batch, qr = overlapack.factorize_batch(A, single.data[np.newaxis]), overlapack.qr_factor(single.toarray())
    wide, wide_A = np.array([1.0, -1e300]), sparse.csc_array(A * 1e300)
    calls = [
        lambda: factors.solve(wide), lambda: factors.solve(1j * wide), lambda: factors.refactorize(wide_A), lambda: factors.half().solve_L(wide),
        lambda: factors.solve_part(wide, [0, 1]), lambda: dense.solve(wide), lambda: iteration.solve(wide), lambda: iteration.solve([1, 1], x0=wide),
        lambda: iteration.apply(wide), lambda: iteration.refactorize(wide_A), lambda: schur.condense(wide), lambda: schur.expand([1, 1], [-1e300]),
        lambda: batch.solve(wide[np.newaxis]), lambda: batch.refactorize(A.data[np.newaxis] * 1e300), lambda: qr.multiply_q(wide),
        lambda: overlapack.iterate(single, near_null_space=wide),
    ]
    for call in calls:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # NumPy's of the overflow
            with pytest.raises(overlapack.BadInput, match=r"has the number .*e\+300.*, which overflows single precision"):
                call()
    with pytest.raises(overlapack.BadInput, match="not a finite number"):
        factors.solve([1.0, np.inf])
    np.testing.assert_allclose(factors.solve(np.array([5.0, 4.0])), 1, rtol=1e-6)
