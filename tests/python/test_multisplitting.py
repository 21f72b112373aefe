"""method="multisplitting"."""
import numpy as np
import pytest
import scipy.sparse as sp

import overlapack


def laplacian(n=30):
    """Symmetric positive definite, an M-matrix: 5 points on an n x n grid."""
    line = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n))
    return (sp.kron(line, sp.eye(n)) + sp.kron(sp.eye(n), line)).tocsc()


@pytest.mark.parametrize("dtype, size", [(np.float32, 1e-25), (np.float64, 1e-170)])
def test_incomplete_factors_do_not_depend_on_the_unit(dtype, size):
    A = laplacian()
    A = (A @ A).astype(dtype)  # an incomplete factorisation of it has to raise the diagonal
    b, iterations = A @ np.ones(900, dtype), []
    for factor in (1, size):
        x, report = overlapack.solve(A * dtype(factor), b * dtype(factor), method="multisplitting", inner="ilu", ranks=1, tolerance=1e-4,
                                     accelerator="gmres", max_iterations=600, report=True)
        assert report["status"] == "ok" and report["raised_blocks"] == 1
        iterations.append(report["iterations"]["max"])
    assert iterations[1] <= 1.2 * iterations[0]


def test_near_null_vectors_have_any_unit():
    A, iterations = laplacian(20), []
    for size in (1, 1e-200, 1e200):
        iteration = overlapack.iterate(A, blocks=16, coarse="near_null_space", accelerator="gmres", near_null_space=np.full(400, size), ranks=1)
        iteration.solve(A @ np.ones(400))
        iterations.append(iteration.report.iterations)
    assert iterations[0] == iterations[1] == iterations[2]


@pytest.mark.parametrize("variant", ["sync", "async", "racy"])
@pytest.mark.parametrize("inner", ["direct", "cg"])
@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_the_residual_is_that_of_x(variant, inner, ranks):
    A = laplacian()
    b = np.arange(1800.0).reshape(900, 2)
    x, report = overlapack.solve(A, b, method="multisplitting", variant=variant, inner=inner, ranks=ranks, overlap=3,
                                 tolerance=1e-10, report=True)
    residuals = np.linalg.norm(b - A @ x, axis=0) / np.linalg.norm(b, axis=0)
    assert residuals.max() <= 2e-10
    assert (report["status"], report["method"], report["inner"]) == ("ok", "multisplitting", inner)
    assert report["overlap"] == 3 and 900 / ranks <= report["block_rows"] <= 900
    assert (report["factor_nnz"] > 0) == (inner == "direct")
    assert (report["inner_steps"] > 0) == (inner == "cg")
    assert (report["sends"] > 0) == (ranks > 1)
    assert report["warning"] == ""


@pytest.mark.parametrize("inner", ["direct", "cg"])
def test_groups_of_ranks_solve_with_a_block(inner):
    A = laplacian()
    b = np.arange(900.0)
    x, report = overlapack.solve(A, b, method="multisplitting", inner=inner, ranks=6, ranks_per_block=3, tolerance=1e-10,
                                 report=True)
    assert np.linalg.norm(b - A @ x) <= 2e-10 * np.linalg.norm(b)
    assert report["ranks_per_block"] == 3 and len(report["iterations_of_rank"]) == 2
    assert report["group_solves"] >= 2 * report["iterations"]["min"] > 0
    with pytest.raises(overlapack.BadPlan, match="divides"):
        overlapack.solve(A, b, method="multisplitting", ranks=4, ranks_per_block=3)


@pytest.mark.parametrize("dtype", ["f", "F", "D"])
def test_types(dtype):
    A = laplacian(12).astype(dtype) * (1 + 1j if dtype in "FD" else 1)
    b = np.ones(144, dtype)
    tolerance = 1e-4 if dtype in "fF" else 1e-10
    x = overlapack.solve(A, b, method="multisplitting", ranks=2, tolerance=tolerance)
    assert x.dtype == b.dtype
    assert np.linalg.norm(b - A @ x) <= 2 * tolerance * 12


def test_what_diverges_warns_and_returns_the_best():
    A = sp.csc_array(np.eye(40) * 0.3 + 1)  # positive definite, far from an H-matrix: blocks know nothing of each other
    with pytest.warns(overlapack.InaccurateWarning, match="diverges"):
        x, report = overlapack.solve(A, np.arange(40.0), method="multisplitting", variant="sync", ranks=4, overlap=0,
                                     report=True)
    assert report["status"] == "not_converged" and "H-matri" in report["warning"]
    b = np.arange(40.0)
    assert np.linalg.norm(b - A @ x) / np.linalg.norm(b) == pytest.approx(report["true_residual"])
    x, report = overlapack.solve(A, b, method="multisplitting", variant="sync", ranks=4, overlap=0, damping=0.3, report=True)
    assert report["status"] == "ok" and report["damping"] == 0.3


def test_refusals():
    A = laplacian(6)
    unsymmetric = A + sp.diags([0.5], [1], shape=A.shape)
    with pytest.raises(overlapack.BadPlan, match="cg, which needs a symmetric"):
        overlapack.solve(unsymmetric, np.ones(36), method="multisplitting", inner="cg")
    with pytest.raises(overlapack.BadInput, match="not positive definite"):
        overlapack.solve(-A, np.ones(36), method="multisplitting", inner="cg", ranks=2)
    with pytest.raises(overlapack.Singular, match="block of rank"):
        ring = sp.csc_array(np.roll(np.eye(20), 1, axis=0))  # regular, but no part of it is
        overlapack.solve(ring, np.ones(20), method="multisplitting", ranks=2, overlap=0)
    with pytest.raises(overlapack.BadPlan, match="damping"):
        overlapack.solve(A, np.ones(36), method="multisplitting", damping=0)
    with pytest.raises(overlapack.BadPlan, match="ordering user"):
        overlapack.solve(A, np.ones(36), method="multisplitting", ordering="user", user_order=np.arange(36))
    with pytest.raises(overlapack.BadPlan, match="solve --method|not built"):
        overlapack.solve(A, np.ones(36), method="multisplitting", engine="shmem")
    with pytest.raises(overlapack.BadPlan, match="no factors"):
        overlapack.factorize(A, method="multisplitting")
