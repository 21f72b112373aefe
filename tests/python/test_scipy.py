"""overlapack.scipy in place of scipy.sparse.linalg's direct solvers: SciPy's own tests of them, and what SciPy has no test for."""
import copy
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import overlapack
import overlapack.scipy
import pytest
import scipy.sparse.linalg
from scipy import sparse

#: SciPy's tests of how SuperLU does it: a natural order that is not even postordered, an array that refers to its factors, and A - L U in single
#: precision below 1.2e-5, where partial pivoting by rows gives 0.5e-5 and ours 1.9e-5 (entries up to 113)
OF_SUPERLU = {"test_natural_permc[splu-1e-07]", "test_lu_refcount", "test_lu_attr"}
PLUGIN = """
import overlapack.scipy as ours
import scipy.sparse.linalg._dsolve as theirs
for function in ours.REPLACED:
    setattr(theirs, function.__name__, function)
"""


def test_scipys_own_tests(tmp_path):
    import scipy.sparse.linalg._dsolve as solvers

    tests = Path(solvers.__file__).parent / "tests" / "test_linsolve.py"
    if not tests.is_file():
        pytest.skip("this SciPy was installed without its tests")
    (tmp_path / "overlapack_for_scipy.py").write_text(PLUGIN)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rfE", "-p", "overlapack_for_scipy", "-p", "no:cacheprovider", "--rootdir", tmp_path,
         "-k", "not triangular and not Triangular", tests],
        capture_output=True, text=True, timeout=600, cwd=tmp_path, env={**os.environ, "PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"},
    )
    failed = {line.split("::")[-1].split(" - ")[0] for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))}
    assert failed - OF_SUPERLU == set(), done.stdout[-4000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed, done.stdout + done.stderr
    print(f"SciPy {scipy.__version__}: {passed[1]} of its tests of direct solvers pass, {len(failed)} are of SuperLU alone")
    assert int(passed[1]) >= 30  # of TestFactorized, TestLinsolve and TestSplu, in each version of SciPy


def test_errors_are_both_scipys_and_ours():
    A = sparse.csc_array(np.diag([1.0, 0.0]))
    with pytest.raises(RuntimeError, match="Factor is exactly singular: the matrix is structurally singular"):
        overlapack.scipy.splu(A)
    with pytest.raises(overlapack.Singular):
        overlapack.scipy.factorized(A)
    with pytest.warns(scipy.sparse.linalg.MatrixRankWarning, match="Matrix is exactly singular"):
        assert np.isnan(overlapack.scipy.spsolve(A, np.ones(2))).all()
    with pytest.warns() as told:  # zero is met by the factorisation
        assert np.isnan(overlapack.scipy.spsolve(sparse.csc_array(np.ones((2, 2))), np.ones(2))).all()
    assert [warning.category for warning in told] == [scipy.sparse.linalg.MatrixRankWarning]
    for solvers in (overlapack.scipy, scipy.sparse.linalg):  # columns that are sparse are solved by factorized
        with pytest.raises(RuntimeError, match="exactly singular"):
            solvers.spsolve(A, sparse.csc_array(np.eye(2)))
    with pytest.raises(overlapack.BadPlan, match="spilu is not built"):
        overlapack.scipy.spilu(A)
    ring = 2 * sparse.eye_array(20) - sparse.eye_array(20, k=1) - sparse.eye_array(20, k=-1)
    ring = sparse.lil_array(ring)
    ring[0, 19] = ring[19, 0] = -1
    with pytest.warns(overlapack.IllConditionedWarning, match="no solution"):  # its last pivot is rounding, and no zero: an x as SuperLU's
        assert abs(overlapack.scipy.factorized(ring.tocsc())(np.ones(20))).min() > 1e10
    with pytest.raises(RuntimeError, match="Factor is exactly singular"):
        overlapack.scipy.factorized(sparse.csc_array(np.ones((3, 3))))
    lu = overlapack.scipy.splu(sparse.csc_array(np.eye(2)), permc_spec="COLAMD")
    assert (copy.copy(lu).solve(np.ones(2), "t") == 1).all()
    assert lu.nnz == 2 and (lu.L @ lu.U - np.eye(2) == 0).all()
    with pytest.raises(TypeError, match="Cannot cast array data"):
        lu.solve(np.ones(2) * 1j)


@pytest.mark.parametrize("kind", [np.asarray, np.ndarray.tolist, sparse.coo_array])
def test_a_is_whatever_scipy_takes(kind):
    regular, singular = np.array([[2.0, 1.0], [0.0, 4.0]]), np.array([[1.0, 2.0], [2.0, 4.0]])
    np.testing.assert_array_equal(overlapack.scipy.spsolve(kind(regular), np.array([3.0, 4.0])), 1)
    np.testing.assert_array_equal(overlapack.scipy.splu(kind(regular)).solve(np.array([3.0, 4.0])), 1)
    with pytest.warns() as told:
        assert np.isnan(overlapack.scipy.spsolve(kind(singular), np.ones(2))).all()
    assert scipy.sparse.linalg.MatrixRankWarning in [warning.category for warning in told]
    with pytest.warns(scipy.sparse.linalg.MatrixRankWarning):
        assert np.isnan(overlapack.scipy.spsolve(kind(np.diag([1.0, 0.0])), np.ones(2))).all()


def test_in_place_ends_also_after_an_error(make_matrix):
    A = make_matrix(30).tocsc()
    before = [getattr(scipy.sparse.linalg, name) for name in ("spsolve", "splu", "factorized")]
    with pytest.raises(KeyError), overlapack.scipy.in_place():
        assert isinstance(scipy.sparse.linalg.splu(A), overlapack.scipy.LU)
        x = scipy.sparse.linalg.spsolve(A, A @ np.ones(30), ranks=1)  # an option that only overlapack has
        assert abs(x - 1).max() < 1e-12
        raise KeyError
    assert [getattr(scipy.sparse.linalg, name) for name in ("spsolve", "splu", "factorized")] == before


def test_a_program_runs_as_it_is(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import sys\nfrom scipy.sparse.linalg import splu\nprint(splu.__module__, sys.argv[1:], __name__)\n")
    run = [sys.executable, "-m", "overlapack.scipy"]
    done = subprocess.run([*run, program, "a", "-b"], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.stdout == "overlapack.scipy ['a', '-b'] __main__\n", done.stderr
    without = subprocess.run(run, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert without.returncode == 2 and without.stdout.startswith("usage: python -m overlapack.scipy program.py")


def systems_that_are_not_finite():
    """Matrices and right-hand sides, with NaN and infinity in the one, the other, or neither."""
    n = 7
    line = sparse.diags_array([-np.ones(n - 1), 4 * np.ones(n), -2 * np.ones(n - 1)], offsets=[-1, 0, 1])
    two = sparse.block_diag([line, sparse.diags_array([2.0, 3.0])])
    for A in (line.tocsc(), two.tocsc(), two.tocsr()):
        for place in (None, 0, A.nnz // 2):
            for bad in (np.nan, np.inf):
                M = A.copy()
                if place is not None:
                    M.data[place] = bad
                yield M, np.ones(M.shape[0])
                for rows in ([1], [0, M.shape[0] - 1]):
                    b = np.ones((M.shape[0], 3))
                    b[rows, 1] = bad
                    yield M, b[:, 1]
                    yield M, b


def outcome(call):
    """Where x is NaN or infinite, or the class of what was raised; and the categories of the warnings."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            x = call()
            x = x.toarray() if sparse.issparse(x) else x
            result = np.isfinite(x).tolist()
        except RuntimeError:
            result = "RuntimeError"
    return result, {warning.category for warning in told} & {scipy.sparse.linalg.MatrixRankWarning}


def test_nan_and_infinity_as_scipy():
    theirs, ours = scipy.sparse.linalg, overlapack.scipy
    for A, b in systems_that_are_not_finite():
        C = A.tocsc()
        assert outcome(lambda: ours.spsolve(A, b)) == outcome(lambda: theirs.spsolve(A, b))
        for trans in "NT":
            assert outcome(lambda: ours.splu(C).solve(b, trans)) == outcome(lambda: theirs.splu(C).solve(b, trans))
        assert outcome(lambda: ours.factorized(C)(b)) == outcome(lambda: theirs.factorized(C)(b))
        if b.ndim == 2:
            S = sparse.csc_array(b)
            assert outcome(lambda: ours.spsolve(C, S)) == outcome(lambda: theirs.spsolve(C, S))
        with overlapack.scipy.in_place():
            inverse = outcome(lambda: theirs.inv(C))
        assert inverse == outcome(lambda: theirs.inv(C))


def test_other_formats_and_what_is_no_matrix():
    N = sparse.csc_array([[np.nan, 1], [0, 3]])
    for A in (N.tolil(), N.todok()):
        with pytest.raises(RuntimeError):
            overlapack.scipy.splu(A)
        with pytest.warns(scipy.sparse.linalg.MatrixRankWarning):
            assert np.isnan(overlapack.scipy.spsolve(A, np.ones(2))).all()
    for wrong in ("abc", None):
        with pytest.raises(overlapack.BadInput, match="A is"):
            overlapack.scipy.splu(wrong)


def test_finite_columns_beside_others_are_solved():
    A = sparse.csc_array([[2.0, 1], [0, 3]])
    x = overlapack.scipy.splu(A).solve(np.array([[3.0, np.nan, 6], [3, 3, 6]]))
    assert np.allclose(x, [[1, np.nan, 2], [1, 1, 2]], rtol=1e-15, equal_nan=True)
    assert np.isnan(overlapack.scipy.splu(A).solve([1, np.nan])).all()
    with pytest.raises(overlapack.BadInput, match="shape"):
        overlapack.scipy.spsolve(A, np.ones(3))


def test_a_newton_that_diverges_says_so():
    """As PYPOWER's: an island has an admittance of 0 / 0; its residual is NaN, and its loop ends."""
    x, has_converged = np.ones(2), False
    for _ in range(5):
        J = sparse.csc_array([[2 * x[0], 1], [1, 2 * x[1] * np.nan]])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            x = x - overlapack.scipy.spsolve(J, np.array([x[0] ** 2 - 2, np.nan]))
        has_converged = bool(np.abs(x).max() < 1e-8)
    assert np.isnan(x).all() and not has_converged


#: what of SciPy looks its solver up by name when it is called, and the result that tells whether it is right
USES = {
    "eigsh": "assert abs(sl.eigsh(A, 2, sigma=0, v0=np.ones(400))[0] - sl.eigsh(A, 2, which='SA', v0=np.ones(400))[0]).max() < 1e-8",
    "eigs": "sl.eigs(A, 2, sigma=0.1 + 0.1j, v0=np.ones(400))",
    "inv": "assert abs(sl.inv(A) @ A - sparse.eye_array(400)).max() < 1e-12",
    "Radau": "solve_ivp(lambda t, y: -A @ y, (0, 1), np.ones(400), method='Radau', jac=-A)",
    "BDF": "solve_ivp(lambda t, y: -A @ y, (0, 1), np.ones(400), method='BDF', jac=-A)",
    "bvp": "assert solve_bvp(lambda x, y: np.vstack([y[1], -y[0]]), lambda a, b: np.array([a[0], b[0] - 1]), np.linspace(0, 1, 5), np.zeros((2, 5))).success",
    "trust-constr": """r = scipy.optimize.minimize(lambda x: x @ A @ x, np.ones(400), jac=lambda x: 2 * A @ x, hess=lambda x: 2 * A, method='trust-constr',
        constraints=scipy.optimize.LinearConstraint(sparse.csr_array(np.ones((1, 400))), 1, 1))""",
}
PROGRAM = """
import numpy as np, overlapack.scipy
from scipy import sparse
import scipy.sparse.linalg as sl
{early}
count = 0
def counted(self, *given, solve=overlapack.scipy.LU.solve, **more):
    global count
    count += 1
    return solve(self, *given, **more)
overlapack.scipy.LU.solve = counted
line = sparse.diags_array([-np.ones(19), 2 * np.ones(20), -np.ones(19)], offsets=[-1, 0, 1])
A = sparse.csc_array(sparse.kronsum(line, line))
def names():
    import sys
    return {{(m, n): vars(module)[n] for m, module in list(sys.modules.items()) if m.split(".")[0] == "scipy"
            for n in [f.__name__ for f in overlapack.scipy.REPLACED] if n in vars(module)}}
before = names()
with overlapack.scipy.in_place():
    assert all(f in overlapack.scipy.REPLACED for f in names().values()), names()
    {late}
    {use}
    assert all(f in overlapack.scipy.REPLACED for f in names().values()), names()
assert {{place: f for place, f in names().items() if place in before}} == before
assert not any(f in overlapack.scipy.REPLACED for f in names().values()), names()
print(count)
"""


@pytest.mark.parametrize("is_early", [True, False])
def test_in_place_reaches_scipys_own_functions(is_early):
    """Those that imported the names before, and those that are imported inside."""
    imports = "from scipy.integrate import solve_bvp, solve_ivp; import scipy.optimize"
    for name, use in USES.items():
        code = PROGRAM.format(early=imports if is_early else "", late=imports, use=use)
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, (name, done.stderr)
        assert name == "inv" or int(done.stdout) > 0, (name, done.stdout)


def test_in_place_inside_of_itself():
    with overlapack.scipy.in_place():
        with overlapack.scipy.in_place():
            pass
        assert scipy.sparse.linalg.splu is overlapack.scipy.splu
    assert scipy.sparse.linalg.splu is not overlapack.scipy.splu
