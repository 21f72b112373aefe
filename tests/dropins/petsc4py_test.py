"""The solver type overlapack in the hands of petsc4py: petsc4py_test.py LIBRARY, also under mpirun.

The twin of each solve is NumPy's on the whole matrix; tolerances are c n eps times a condition number of about 10.
"""
import ctypes
import re
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


def bytes_in_use():
    """By malloc's own count (mallinfo2)."""

    class Counts(ctypes.Structure):
        _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]

    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = Counts
    counts = mallinfo2()
    return counts.uordblks + counts.hblkhd


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

    def test_good_values_after_bad_ones_make_factors(self):
        symmetric = entries(9, symmetric=True)
        definite, general = symmetric + 20 * np.eye(N), entries(12)
        for kind, good, bad in (("cholesky", definite, symmetric), ("lu", general, np.where(general, np.nan, 0)),
                                ("lu", general, np.where(general, np.inf, 0)), ("lu", general, 0 * general)):
            M = matrix(bad, pattern=good)
            ksp, x, b = solver(M, kind), M.createVecRight(), vector(M, np.ones(N))
            for A, reason in ((bad, PETSc.KSP.ConvergedReason.DIVERGED_PCSETUP_FAILED), (good, PETSc.KSP.ConvergedReason.CONVERGED_ITS)) * 2:
                fill(M, A, good)
                M.setOption(PETSc.Mat.Option.SPD, kind == "cholesky")  # forgotten when values change
                ksp.solve(b, x)
                self.assertEqual(ksp.getConvergedReason(), reason)
            self.assert_close(whole(x), np.linalg.solve(good, np.ones(N)))

    def neumann(self, kind="aij"):
        """A Laplacian without boundary values, of a path: its null space are the constants."""
        A = 2 * np.eye(N) - np.eye(N, k=1) - np.eye(N, k=-1)
        A[0, 0] = A[-1, -1] = 1
        return matrix(A, kind), A

    def attach_constants(self, M):
        M.setNullSpace(PETSc.NullSpace().create(constant=True, comm=WORLD))

    def test_an_attached_null_space_lets_a_singular_matrix_be_solved(self):
        b = np.cos(np.arange(N))
        b -= b.mean()
        for kind, factors, is_definite in (("aij", "lu", False), ("aij", "cholesky", False), ("sbaij", "cholesky", False),
                                           ("aij", "cholesky", True)):
            M, A = self.neumann(kind)
            M.setOption(PETSc.Mat.Option.SPD, is_definite)  # as programs say of what is semidefinite
            self.attach_constants(M)
            ksp, x = solver(M, factors), M.createVecRight()
            ksp.solve(vector(M, b), x)
            self.assertEqual(ksp.getConvergedReason(), PETSc.KSP.ConvergedReason.CONVERGED_ITS)
            expected = np.linalg.pinv(A) @ b
            self.assertLessEqual(np.linalg.norm(whole(x) - expected), 1e-10 * np.linalg.norm(expected))

    def test_residuals_that_are_rounding_are_in_the_range(self):
        """Also where the program has not said that the matrix is symmetric; KSPPREONLY keeps its verdict."""
        reason = PETSc.KSP.ConvergedReason
        for size in (1e-3, 1, 1e5):
            A = size * self.neumann()[1]
            M, b = matrix(A), A @ np.cos(np.arange(N))
            self.attach_constants(M)
            for method in ("richardson", "cg", "gmres", "bcgs"):
                ksp, x = solver(M), M.createVecRight()
                ksp.setType(method)
                ksp.setTolerances(rtol=1e-10, max_it=5)
                ksp.solve(vector(M, b), x)
                self.assertGreater(ksp.getConvergedReason(), 0, method)
                self.assertLessEqual(np.linalg.norm(A @ whole(x) - b), 1e-10 * np.linalg.norm(b), method)
            ksp = solver(M)
            ksp.solve(vector(M, np.ones(N)), x)
            self.assertEqual(ksp.getConvergedReason(), reason.DIVERGED_PCSETUP_FAILED)
        B = np.diag(1 + np.arange(N) / N) @ A  # the constants are in its null space, but not in that of its adjoint
        M, b = matrix(B), B @ np.cos(np.arange(N))
        self.attach_constants(M)
        ksp, x = solver(M), M.createVecRight()
        ksp.setType("gmres")
        ksp.solve(vector(M, b), x)
        self.assertGreater(ksp.getConvergedReason(), 0)
        self.assertLessEqual(np.linalg.norm(B @ whole(x) - b), 1e-10 * np.linalg.norm(b))

    def test_an_empty_matrix_is_that_of_a_process_without_rows(self):
        for kind in ("lu", "cholesky"):
            M = PETSc.Mat().createAIJ((0, 0), comm=PETSc.COMM_SELF)
            M.setUp()
            M.assemble()
            ksp = PETSc.KSP().create(PETSc.COMM_SELF)
            ksp.setOperators(M)
            ksp.setType("preonly")
            ksp.pc.setType(kind)
            ksp.pc.setFactorSolverType("overlapack")
            ksp.setErrorIfNotConverged(True)
            x, b = M.createVecs()
            ksp.solve(b, x)
            ksp.solveTranspose(b, x)
            if kind == "cholesky":
                self.assertEqual(ksp.pc.getFactorMatrix().getInertia(), (0, 0, 0))

    def test_without_a_null_space_a_singular_matrix_fails_unless_singular_is_answer(self):
        M, _ = self.neumann()
        ksp = solver(M)
        ksp.solve(vector(M, np.ones(N)), M.createVecRight())
        self.assertEqual(ksp.getConvergedReason(), PETSc.KSP.ConvergedReason.DIVERGED_PCSETUP_FAILED)
        self.attach_constants(M)  # what the program asks for by name counts more
        ksp = solver(M, prefix="refuses_", singular="refuse")
        ksp.setFromOptions()
        ksp.solve(vector(M, np.ones(N)), M.createVecRight())
        self.assertEqual(ksp.getConvergedReason(), PETSc.KSP.ConvergedReason.DIVERGED_PCSETUP_FAILED)

    def assert_fails(self, ksp, b, x, reason=PETSc.KSP.ConvergedReason.DIVERGED_PCSETUP_FAILED):
        ksp.solve(b, x)
        self.assertEqual(ksp.getConvergedReason(), reason)
        self.assertFalse(np.isfinite(whole(x)).any())  # no answer rather than one that is none

    def test_a_system_without_a_solution_is_a_reason_and_no_error(self):
        M, A = self.neumann()
        good = A @ np.linspace(0, 1, N)
        for kind in ("lu", "cholesky"):
            ksp = solver(M, kind, prefix="answers_", singular="answer")
            ksp.setFromOptions()
            x = M.createVecRight()
            self.assert_fails(ksp, vector(M, np.ones(N)), x)
            view = report(ksp)
            if WORLD.rank == 0:
                self.assertIn("no solution", view)
            ksp.solve(vector(M, good), x)  # and the next one is solved
            self.assertEqual(ksp.getConvergedReason(), PETSc.KSP.ConvergedReason.CONVERGED_ITS)
            self.assertLessEqual(np.abs(A @ whole(x) - good).max(), 1e-12)
            raising = solver(M, kind, prefix="answers_")
            raising.setFromOptions()
            raising.setErrorIfNotConverged(True)
            with self.assertRaises(PETSc.Error):
                raising.solve(vector(M, np.ones(N)), x)

    def test_columns_that_have_a_solution_are_solved_beside_one_that_has_none(self):
        M, A = self.neumann()
        good = A @ np.linspace(0, 1, N)
        ksp = solver(M, prefix="answers_", singular="answer")
        ksp.setFromOptions()
        ksp.setUp()
        B = PETSc.Mat().createDense((N, 2), comm=WORLD)
        B.setUp()
        first, last = B.getOwnershipRange()
        B.getDenseArray()[:] = np.column_stack([good, np.ones(N)])[first:last]
        B.assemble()
        X = B.duplicate()
        ksp.pc.getFactorMatrix().matSolve(B, X)
        columns = [M.createVecRight(), M.createVecRight()]
        for column, values in zip(columns, X.getDenseArray().T):
            column.array = values
        self.assertLessEqual(np.abs(A @ whole(columns[0]) - good).max(), 1e-12)
        self.assertFalse(np.isfinite(whole(columns[1])).any())

    def test_a_right_hand_side_that_is_not_finite_is_a_reason_and_no_error(self):
        A, b = entries(10), np.ones(N)
        M = matrix(A)
        for wrong in (np.nan, np.inf):
            ksp, x = solver(M), M.createVecRight()
            b[N // 2] = wrong
            self.assert_fails(ksp, vector(M, b), x)
            ksp.solveTranspose(vector(M, b), x)
            self.assertEqual(ksp.getConvergedReason(), PETSc.KSP.ConvergedReason.DIVERGED_PCSETUP_FAILED)
            b[N // 2] = 1
            ksp.solve(vector(M, b), x)
            self.assert_close(whole(x), np.linalg.solve(A, b))
            b[N // 2] = wrong
            krylov = solver(M)
            krylov.setType("gmres")
            krylov.solve(vector(M, b), x)
            self.assertLess(krylov.getConvergedReason(), 0)

    def test_many_right_hand_sides_with_one_that_is_not_finite(self):
        M = matrix(entries(11))
        ksp = solver(M)
        ksp.setUp()
        B = PETSc.Mat().createDense((N, 3), comm=WORLD)
        B.setUp()
        B.getDenseArray()[:] = np.nan
        B.assemble()
        X = B.duplicate()
        loaded = re.search(r"\S*libpetsc\S*\.so\S*", Path("/proc/self/maps").read_text()).group()
        function = ctypes.CDLL(loaded).KSPMatSolve  # petsc4py 3.18 does not have it
        self.assertEqual(function(*(ctypes.c_void_p(each.handle) for each in (ksp, B, X))), 0)
        self.assertEqual(ksp.getConvergedReason(), PETSc.KSP.ConvergedReason.DIVERGED_PCSETUP_FAILED)
        self.assertFalse(np.isfinite(X.getDenseArray()).any())

    def test_a_block_that_fails_fails_the_whole_preconditioner(self):
        M = matrix(entries(12))
        ksp = PETSc.KSP().create(WORLD)
        ksp.setOperators(M)
        ksp.setType("preonly")
        ksp.pc.setType("bjacobi")
        ksp.setOptionsPrefix("blocks_")
        PETSc.Options("blocks_sub_")["pc_type"] = "lu"
        PETSc.Options("blocks_sub_")["pc_factor_mat_solver_type"] = "overlapack"
        ksp.setFromOptions()
        ksp.solve(vector(M, np.ones(N)), M.createVecRight())
        self.assertGreater(ksp.getConvergedReason(), 0)
        self.assert_fails(ksp, vector(M, np.full(N, np.nan)), M.createVecRight())

    def test_steps_leave_memory_as_it_is(self):
        A = entries(11)
        M, steps = matrix(A), 2000
        ksp, b = solver(M), vector(M, np.ones(N))
        x = M.createVecRight()

        def step():
            M.scale(-1)  # other values
            ksp.solve(b, x)

        for _ in range(steps // 4):
            step()
        before = bytes_in_use()
        for _ in range(steps):
            step()
        self.assertLess(bytes_in_use() - before, 30 * steps)
        self.assert_close(whole(x), np.linalg.solve(A, np.ones(N)))

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
