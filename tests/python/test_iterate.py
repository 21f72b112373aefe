"""overlapack.iterate: iterations that are kept, and precondition."""
import numpy as np
import pytest

import overlapack

sparse = pytest.importorskip("scipy.sparse")
linalg = pytest.importorskip("scipy.sparse.linalg")


def grid(k, wind=0.0):
    line = sparse.diags_array([[-1.0 - wind] * (k - 1), [2.0] * k, [-1.0 + wind] * (k - 1)], offsets=[-1, 0, 1])
    one = sparse.eye_array(k)
    return sparse.csc_array(sparse.kron(line, one) + sparse.kron(one, line))


@pytest.mark.parametrize("accelerator", ["none", "gmres", "cg"])
def test_solve_many_times_and_from_a_start(accelerator):
    A = grid(12)
    iteration = overlapack.iterate(A, ranks=2, accelerator=accelerator, tolerance=1e-11)
    x = np.random.default_rng(0).random((144, 2))
    assert np.abs(iteration.solve(A @ x) - x).max() < 1e-8
    assert np.abs(iteration.solve(A @ x[:, 0]) - x[:, 0]).max() < 1e-8
    assert np.abs(iteration.solve(A @ x, x0=x) - x).max() < 1e-8
    assert iteration.report["iterations"]["max"] == 0
    assert iteration.refactorize(2 * A) is iteration
    assert np.abs(iteration.solve(2 * A @ x) - x).max() < 1e-8


@pytest.mark.parametrize("options", [{}, {"accelerator": "gmres"}, {"accelerator": "cg"}, {"method": "jacobi"}])
def test_right_hand_sides_of_zeros_from_a_start(options):
    A = grid(6) + sparse.eye_array(36)
    iteration = overlapack.iterate(A, ranks=2, tolerance=1e-11, **options)
    for size in (1.0, 1e-200):
        x = iteration.solve(np.zeros(36), x0=np.full(36, size))
        assert (x == 0).all() and iteration.report.status == "ok"
    b = np.column_stack([np.zeros(36), A @ np.ones(36)])
    x = iteration.solve(b, x0=np.ones((36, 2)))
    assert (x[:, 0] == 0).all() and abs(x[:, 1] - 1).max() < 1e-8


def test_scipy_takes_it_as_preconditioner():
    A, b = grid(14), np.ones(196)
    M = overlapack.iterate(A, ranks=2, blocks=6, weights="both", coarse="near_null_space")
    x, failed = linalg.cg(A, b, M=M, rtol=1e-10)
    assert failed == 0 and np.linalg.norm(b - A @ x) < 1e-8
    A = grid(14, 0.4)
    M = overlapack.iterate(A, ranks=2, sweeps=2)
    steps = []
    x, failed = linalg.gmres(A, b, M=M.aslinearoperator(), rtol=1e-10, callback=steps.append, callback_type="pr_norm")
    assert failed == 0 and np.linalg.norm(b - A @ x) < 1e-7 and len(steps) < 40


def test_a_product_is_that_of_the_preconditioner():
    A = sparse.diags_array([[-1.0] * 99, [2.0] * 100, [-1.0] * 99], offsets=[-1, 0, 1], format="csc")
    M, B = overlapack.iterate(A, ranks=2, weights="both"), np.arange(200.0).reshape(100, 2)
    assert np.array_equal(M @ B, M.apply(B)) and np.array_equal(M @ B[:, 0], M.matvec(B[:, 0]))


def test_the_operator_has_a_transpose():
    A = grid(8, 0.3)
    M = overlapack.iterate(A, ranks=2, sweeps=2).aslinearoperator()
    whole, turned = M @ np.eye(64), M.T @ np.eye(64)
    assert np.abs(whole.T - turned).max() < 1e-12 * np.abs(whole).max()
    assert np.abs((M @ (1j * np.ones(64))) - 1j * (M @ np.ones(64))).max() < 1e-14 * np.abs(whole).max() * 64


def test_vectors_of_the_caller():
    A = grid(10)
    M = overlapack.iterate(A, ranks=2, blocks=5, coarse="near_null_space", near_null_space=np.column_stack([np.ones(100), np.arange(100.0)]))
    assert M.report["coarse_unknowns"] == 10
    assert np.abs(M.solve(A @ np.ones(100)) - 1).max() < 1e-6


def test_refusals():
    A = grid(5)
    iteration = overlapack.iterate(A, ranks=2)
    for call, says in [
        (lambda: overlapack.iterate(A, method="dense"), "use multisplitting or jacobi"),
        (lambda: overlapack.iterate(A, near_null_space=np.ones(3), coarse="near_null_space"), "near_null_space has the shape"),
        (lambda: overlapack.iterate(A, near_null_space=np.full(25, np.nan), coarse="near_null_space"), "NaN or infinity"),
        (lambda: overlapack.iterate(A, near_null_space=1j * np.ones(25)), "complex"),
        (lambda: iteration.solve(np.ones(25), "T"), "solves with A only"),
        (lambda: iteration.solve(np.ones(25), x0=np.ones((25, 2))), "x0 has the shape"),
        (lambda: iteration.solve(np.ones(25), x0=np.full(25, np.inf)), "x0 holds NaN or infinity"),
        (lambda: iteration.apply(np.ones(25), "T"), "transpose is set"),
        (lambda: iteration.refactorize(grid(5) + sparse.eye_array(25, k=9)), "entries in other places"),
        (lambda: overlapack.iterate(A, ranks=2, variant="racy", sweeps=2).apply(np.ones(25), "T"), "use variant sync"),
    ]:
        with pytest.raises(overlapack.Error, match=says):
            call()
    assert np.abs(iteration.solve(A @ np.ones(25)) - 1).max() < 1e-6
    iteration.close()
    assert "closed" in repr(iteration)
