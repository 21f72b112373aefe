"""Draws the course of an iteration: its residuals, the iterations of each rank, and how many halos came at once.

    x, report = overlapack.solve(A, b, method="jacobi", ranks=4, report=True)
    report.history                      [iteration, seconds, residual, is_true] each, on rank 0
    convergence.draw(report, "convergence.svg")
    convergence.draw({"async": first, "racy": second}, "convergence.svg")

Pictures need matplotlib.
"""
from __future__ import annotations

from typing import Any, Mapping

from ._errors import BadInput
from ._report import Report
from .timeline import empty_figure

__all__ = ["draw"]


def draw(reports: Report | Mapping[str, Report], path: Any, against: str = "iteration") -> None:
    """Draw residuals, a histogram of the iterations of the ranks, and one of the halos that a receive found.

    reports: one report, or several by name, which are drawn over each other; of methods that iterate.
    path: as matplotlib writes, .svg, .png, .pdf.
    against: "iteration" of rank 0, or "seconds".
    Lines are the sums that ranks look at, dots the true residuals of one vector.

    Errors: BadInput if a report has no history.
    """
    runs = {reports.get("variant", ""): reports} if "history" in reports or "status" in reports else dict(reports)
    for name, report in runs.items():
        if not report.get("history"):
            raise BadInput(f"the report {name!r} has no residual history; give one of method jacobi or multisplitting", "convergence")
    column = {"iteration": 0, "seconds": 1}[against]
    figure = empty_figure((8, 9))
    residuals, iterations, batches = figure.subplots(3, 1)
    for k, (name, report) in enumerate(runs.items()):
        colour = f"C{k}"
        history = [point for point in report["history"] if point[2]]
        sums = [point for point in history if not point[3]] or history
        residuals.semilogy([p[column] for p in sums], [p[2] for p in sums], color=colour, label=name)
        if len(sums) < len(history):
            true = [point for point in history if point[3]]
            residuals.semilogy([p[column] for p in true], [p[2] for p in true], "o", color=colour)
        iterations.hist(report["iterations_of_rank"], bins=20, color=colour, alpha=0.6, label=name)
        counts = report["batches"]
        batches.bar([n + 1 + 0.8 * k / len(runs) for n in range(len(counts))], counts, 0.8 / len(runs), color=colour, label=name)
    residuals.set(xlabel="iterations of rank 0" if column == 0 else "seconds", ylabel="residual")
    iterations.set(xlabel="iterations", ylabel="ranks")
    batches.set(xlabel="halos that had come to a receive", ylabel="receives")
    for axis in (residuals, iterations, batches):
        axis.spines[["top", "right"]].set_visible(False)
    residuals.legend(frameon=False)
    figure.savefig(path)
