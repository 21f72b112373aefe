"""method="jacobi"."""
import numpy as np
import pytest
import scipy.sparse as sp

import overlapack
from overlapack import convergence


def matrix(dtype=float):
    A = sp.diags([-1.0, 4.0, -1.5], [-1, 0, 1], shape=(50, 50), format="csc")
    return A.astype(dtype) * (1 + 0.5j if np.dtype(dtype).kind == "c" else 1)


@pytest.mark.parametrize("dtype, variant", [("d", "sync"), ("d", "async"), ("d", "racy"), ("f", "racy"), ("D", "async")])
def test_the_residual_is_that_of_x(dtype, variant):
    A = matrix(dtype)
    b = np.arange(100.0).reshape(50, 2).astype(dtype)
    tolerance = 1e-5 if dtype == "f" else 1e-10
    x, report = overlapack.solve(A, b, method="jacobi", variant=variant, ranks=2, tolerance=tolerance, experiment={"residual_period": 5},
                                 report=True)
    assert x.dtype == b.dtype and x.shape == b.shape
    residuals = np.linalg.norm(b - A @ x, axis=0) / np.linalg.norm(b, axis=0)
    assert residuals.max() <= 2 * tolerance
    assert report["status"] == "ok" and report["method"] == "jacobi" and report["variant"] == variant
    assert report["right_hand_sides"] == 2


def test_what_does_not_converge_warns_and_returns_the_best():
    A = matrix()
    with pytest.warns(overlapack.InaccurateWarning, match="max_iterations"):
        x, report = overlapack.solve(A, np.ones(50), method="jacobi", variant="sync", max_iterations=3, report=True)
    assert report["status"] == "not_converged"
    assert np.linalg.norm(1 - A @ x) / np.sqrt(50) == pytest.approx(report["true_residual"])


def test_refusals():
    with pytest.raises(overlapack.BadInput, match="diagonal"):
        overlapack.solve(sp.csc_array([[0.0, 1], [1, 1]]), np.ones(2), method="jacobi")
    with pytest.raises(overlapack.BadPlan, match="spectral radius"):
        overlapack.solve(sp.csc_array([[1.0, 3], [3, 1]]), np.ones(2), method="jacobi")
    with pytest.raises(overlapack.BadPlan, match="complex"):
        overlapack.solve(matrix("D"), np.ones(50), method="jacobi", variant="racy")
    with pytest.raises(overlapack.BadPlan, match="no factors"):
        overlapack.factorize(matrix(), method="jacobi")


def test_history_as_figures_and_as_a_picture(tmp_path):
    A = matrix()
    reports = {}
    for variant in ("sync", "async"):
        form = {} if variant == "sync" else {"residual_sum": "doubling"}
        _, report = overlapack.solve(
            A, A @ np.ones(50), method="jacobi", ranks=2, variant=variant, tolerance=1e-6, report=True,
            experiment={"residual_period": 10, **form}
        )
        iteration, seconds, residual, is_true = report.history[-1]
        assert residual == pytest.approx(report.true_residual, rel=1e-6) and is_true and seconds >= 0
        assert len(report.iterations_of_rank) == 2 and max(report.iterations_of_rank) == report["iterations"]["max"]
        assert sum(report.batches) > 0
        reports[variant] = report
    pytest.importorskip("matplotlib")
    for given, against in ((reports, "seconds"), (reports["async"], "iteration")):
        convergence.draw(given, tmp_path / "convergence.svg", against)
        assert "<svg" in (tmp_path / "convergence.svg").read_text()
    with pytest.raises(overlapack.BadInput, match="no residual history"):
        convergence.draw(overlapack.plan(A), tmp_path / "nothing.svg")
