"""overlapack.scipy in place of scipy.sparse.linalg's direct solvers: SciPy's own tests of them, and what SciPy has no test for."""
import copy
import os
import re
import subprocess
import sys
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
    with pytest.raises(overlapack.BadPlan, match="spilu is not built"):
        overlapack.scipy.spilu(A)
    ring = 2 * sparse.eye_array(20) - sparse.eye_array(20, k=1) - sparse.eye_array(20, k=-1)
    ring = sparse.lil_array(ring)
    ring[0, 19] = ring[19, 0] = -1
    with pytest.raises(RuntimeError, match="singular"):
        overlapack.scipy.factorized(ring.tocsc())(np.ones(20))
    lu = overlapack.scipy.splu(sparse.csc_array(np.eye(2)), permc_spec="COLAMD")
    assert (copy.copy(lu).solve(np.ones(2), "t") == 1).all()
    assert lu.nnz == 2 and (lu.L @ lu.U - np.eye(2) == 0).all()
    with pytest.raises(TypeError, match="Cannot cast array data"):
        lu.solve(np.ones(2) * 1j)


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
