"""The solver type overlapack in the hands of petsc4py: petsc4py_test.py LIBRARY, also under mpirun.

The twin of each solve is NumPy's on the whole matrix; tolerances are c n eps times a condition number of about 10.
"""
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import petsc4py

petsc4py.init(["petsc4py_test", "-dll_prepend", sys.argv.pop(1)])
from petsc4py import PETSc  # noqa: E402

WORLD = PETSc.COMM_WORLD
N = 60


def entries(seed=0, symmetric=False):
    """A whole matrix, the same on each rank: few entries a row, a diagonal that makes it well conditioned."""
    random = np.random.default_rng(seed)
    A = np.where(random.random((N, N)) < 0.05, random.uniform(-1, 1, (N, N)), 0)
    if symmetric:
        A = np.tril(A, -1) + np.tril(A, -1).T
    # an indefinite one is to be factorised too
    np.fill_diagonal(A, np.where(np.arange(N) % 3 == 0, -4.0, 5.0))
    return A


def matrix(A, kind="aij", pattern=None):
    """A PETSc matrix with the entries of A where `pattern` has some."""
    M = PETSc.Mat().create(WORLD)
    M.setSizes((N, N))
    M.setType(kind)
    M.setPreallocationNNZ((N, N))
    pattern = A if pattern is None else pattern
    fill(M, A, np.triu(pattern) if kind == "sbaij" else pattern)
    return M


def fill(M, A, pattern):
    for i in range(*M.getOwnershipRange()):
        for j in np.flatnonzero(pattern[i]):
            M.setValue(i, j, A[i, j])
    M.assemble()


def solver(M, kind="lu", prefix=None, **options):
    ksp = PETSc.KSP().create(WORLD)
    ksp.setOperators(M)
    ksp.setType("preonly")
    ksp.pc.setType(kind)
    ksp.pc.setFactorSolverType("overlapack")
    if prefix:
        ksp.setOptionsPrefix(prefix)
        for name, value in options.items():
            PETSc.Options(prefix)["mat_overlapack_" + name] = value
    return ksp


def vector(M, values):
    b = M.createVecLeft()
    first, last = b.getOwnershipRange()
    b.array[:] = values[first:last]
    return b


def whole(x):
    scatter, everywhere = PETSc.Scatter.toAll(x)
    scatter.scatter(x, everywhere)
    return everywhere.array.copy()


def report(ksp):
    """What KSPView prints about the factors, on the first rank; "" on others."""
    with tempfile.TemporaryDirectory() as folder:  # a file of each rank: only the first one writes
        path = Path(folder) / "view"
        viewer = PETSc.Viewer().createASCII(str(path), comm=WORLD)
        ksp.view(viewer)
        viewer.destroy()
        return path.read_text() if WORLD.rank == 0 else ""


class PetscTest(unittest.TestCase):
    def assert_close(self, x, expected):
        self.assertLessEqual(np.linalg.norm(x - expected), 100 * N * np.finfo(float).eps * np.linalg.norm(expected))

    def test_solves_and_transposed_solves(self):
        A, b = entries(), np.linspace(-1, 2, N)
        for kind in ("aij", "seqaij" if WORLD.size == 1 else "mpiaij"):
            M = matrix(A, kind)
            ksp = solver(M)
            rhs, x = vector(M, b), M.createVecRight()
            ksp.solve(rhs, x)
            self.assert_close(whole(x), np.linalg.solve(A, b))
            ksp.solveTranspose(rhs, x)
            self.assert_close(whole(x), np.linalg.solve(A.T, b))

    def test_many_right_hand_sides(self):
        A = entries(1)
        M = matrix(A)
        ksp = solver(M)
        ksp.setUp()
        columns = np.random.default_rng(2).uniform(-1, 1, (N, 5))
        B = PETSc.Mat().createDense((N, 5), comm=WORLD)
        B.setUp()
        first, last = B.getOwnershipRange()
        B.getDenseArray()[:] = columns[first:last]
        B.assemble()
        X = B.duplicate()
        ksp.pc.getFactorMatrix().matSolve(B, X)
        self.assertEqual(X.getDenseArray().shape, (last - first, 5))
        expected = np.linalg.solve(A, columns)[first:last]
        self.assertLessEqual(np.abs(X.getDenseArray() - expected).max(initial=0), 1e-12)

    def test_cholesky_reads_the_upper_triangle_and_tells_the_inertia(self):
        A, b = entries(3, symmetric=True), np.ones(N)
        values = np.linalg.eigvalsh(A)
        for kind in ("aij", "sbaij"):
            M = matrix(A + (np.tril(A, -1) if kind == "aij" else 0), kind)  # what stands below is not looked at
            ksp = solver(M, "cholesky")
            rhs, x = vector(M, b), M.createVecRight()
            ksp.solve(rhs, x)
            self.assert_close(whole(x), np.linalg.solve(A, b))
            self.assertEqual(ksp.pc.getFactorMatrix().getInertia(), ((values < 0).sum(), 0, (values > 0).sum()))

    def test_other_values_on_the_same_pattern_need_no_analysis(self):
        A, b = entries(4), np.ones(N)
        M = matrix(A)
        ksp = solver(M)
        x, rhs = M.createVecRight(), vector(M, b)
        ksp.solve(rhs, x)
        analysed = report(ksp).count("analysis_s")
        before = [line for line in report(ksp).splitlines() if "analysis_s" in line]
        for factor in (2.0, -3.0):
            fill(M, factor * A, A)
            ksp.setOperators(M)
            ksp.solve(rhs, x)
            self.assert_close(whole(x), np.linalg.solve(factor * A, b))
        self.assertEqual([line for line in report(ksp).splitlines() if "analysis_s" in line], before)  # the first one's time
        self.assertEqual(analysed, 1 if WORLD.rank == 0 else 0)

    def test_another_pattern_is_analysed_anew(self):
        ksp = solver(matrix(entries(5)))
        b = np.ones(N)
        for seed in (5, 6):
            A = entries(seed)
            M = matrix(A)
            ksp.setOperators(M)
            x = M.createVecRight()
            ksp.solve(vector(M, b), x)
            self.assert_close(whole(x), np.linalg.solve(A, b))

    def test_a_singular_matrix_fails_the_preconditioner(self):
        A = entries(7)
        A[:, 9] = 0
        M = matrix(A, pattern=np.where(entries(7) != 0, 1, 0))
        ksp = solver(M)
        x = M.createVecRight()
        ksp.solve(vector(M, np.ones(N)), x)
        self.assertEqual(ksp.getConvergedReason(), PETSc.KSP.ConvergedReason.DIVERGED_PCSETUP_FAILED)
        ksp = solver(M)
        ksp.setErrorIfNotConverged(True)
        with self.assertRaises(PETSc.Error):
            ksp.solve(vector(M, np.ones(N)), x)

    def test_a_matrix_that_is_not_definite_though_the_program_says_so(self):
        M = matrix(entries(9, symmetric=True))
        M.setOption(PETSc.Mat.Option.SPD, True)
        ksp = solver(M, "cholesky")
        ksp.solve(vector(M, np.ones(N)), M.createVecRight())
        self.assertEqual(ksp.getConvergedReason(), PETSc.KSP.ConvergedReason.DIVERGED_PCSETUP_FAILED)
        A = entries(9, symmetric=True) + 20 * np.eye(N)
        fill(M, A, A)
        M.setOption(PETSc.Mat.Option.SPD, True)  # forgotten when values change
        ksp, x = solver(M, "cholesky"), M.createVecRight()
        ksp.solve(vector(M, np.ones(N)), x)
        self.assert_close(whole(x), np.linalg.solve(A, np.ones(N)))
        view = report(ksp)
        if WORLD.rank == 0:
            self.assertIn("factorization: cholesky", view)

    def test_options_are_those_of_the_table(self):
        M = matrix(entries(8))
        ksp = solver(M, prefix="natural_", ordering="natural", method="multifrontal", pivot_threshold=0.1)
        ksp.setFromOptions()
        ksp.setUp()
        view = report(ksp)
        if WORLD.rank == 0:
            self.assertIn("ordering: natural", view)
        ksp = solver(M, prefix="wrong_", ordering="alphabetical")
        ksp.setFromOptions()
        with self.assertRaises(PETSc.Error) as raised:
            ksp.setUp()
        self.assertEqual(raised.exception.ierr, 56)  # PETSC_ERR_SUP
        if WORLD.rank == 0:
            self.assertIn("alphabetical", " ".join(raised.exception._traceback_))


if __name__ == "__main__":
    unittest.main(verbosity=2 if WORLD.rank == 0 else 0)
