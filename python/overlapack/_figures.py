"""The figures of a report that people look at first, as text: for its repr, for notebooks and for verbose=True."""
from __future__ import annotations

from typing import Any, Mapping

#: of Report; its entries are JSON's
Figures = Mapping[str, Any]


def figures(report: Figures) -> dict[str, str]:
    """The figures of a run by label. Labels without a value are left out."""
    return _told({
        "matrix": _matrix(report),
        "analysis": analysis(report),
        "factorisation": factorization(report),
        "memory": _memory(report),
        "numerical rank": _rank(report),
        "pivots": doubt(report),
        "solve": solve(report),
        **_errors(report),
        **_remarks(report),
        "status": report["status"] + (f": {report['message']}" if report["message"] else ""),
    })


def planned(report: Figures) -> dict[str, str]:
    """The figures of a plan by label."""
    predicted_s = report.get("predicted_factor_s")
    least, scratch = report["predicted_least_bytes"], report["predicted_scratch_bytes"]
    if report["factors"] == "disk":
        on_disk = f"{size(scratch)}"
    else:
        on_disk = f"{size(scratch)}, and {size(report['predicted_disk_memory_bytes'])} of memory, with factors=\"disk\""
    return _told({
        "matrix": _matrix(report),
        "method": f"{_method(report)} on {_ranks(report)}",
        "choice": report["choice"],
        "analysis": f"{seconds(report['analysis_s'])}, {_ordering(report)}",
        "time": "" if predicted_s is None else f"about {seconds(predicted_s)} on one rank, as predicted",
        "factors": f"{count(report['predicted_factor_nnz'])} entries, {_times(report)} times those of the matrix",
        "work": scaled(report["predicted_flops"], "flop"),
        "memory": f"{f'{size(least)} to ' if least else ''}{size(report['predicted_bytes'])} for one rank, without delayed pivots",
        "on disk": on_disk if scratch and not least else "",
        **_remarks(report),
        "does not fit": report["message"],
    })


def analysis(report: Figures) -> str:
    """The text about the analysis; empty if there was none, as for a dense matrix."""
    if not report["ordering"] or report["analysis_s"] is None:
        return ""
    predicted = (f"{count(report['predicted_factor_nnz'])} entries, {scaled(report['predicted_flops'], 'flop')} and "
                 f"{size(report['predicted_bytes'])} predicted")
    return f"{seconds(report['analysis_s'])}, {_ordering(report)}; {predicted}"


def factorization(report: Figures) -> str:
    """The text about the factorisation; empty if there was none, as with Jacobi's method."""
    if not report["factor_nnz"]:
        return ""
    parts = [f"{seconds(report['factor_s'])}, {_method(report)} on {_ranks(report)}", f"{count(report['factor_nnz'])} entries"]
    if report["flops"]:
        rate = report["flops"] / max(report["factor_s"], 1e-9)
        parts += [scaled(report["flops"], "flop"), scaled(rate, "flop/s")]
    pivots = report["pivots"]
    parts += [f"{counted(pivots[kind], f'{kind} pivot')}" for kind in ("delayed", "perturbed", "null") if pivots[kind]]
    return ", ".join(parts)


def solve(report: Figures) -> str:
    """The text about the last solve; empty before the first solve."""
    if not report["right_hand_sides"] or report["solve_s"] is None:
        return ""
    text = f"{seconds(report['solve_s'])}, {counted(report['right_hand_sides'], 'right-hand side')}"
    iterations = report["iterations"]
    if "variant" in report:
        least, most = iterations["min"], iterations["max"]
        return f"{text}, {_method(report)} on {_ranks(report)}, {f'{least} to ' if least < most else ''}{counted(most, 'iteration')}"
    if report["gmres_steps"]:
        text += f", {counted(report['gmres_steps'], 'step')} of GMRES"
    return text + (f", {counted(iterations['max'], 'refinement step')}" if iterations["max"] else "")


def doubt(report: Figures) -> str:
    """The text if a pivot is rounding and no solve has shown yet whether the matrix is singular."""
    pivots = report.get("pivots", {})
    if not pivots.get("rounding") or report["right_hand_sides"]:
        return ""
    size = "zero" if pivots.get("zero") else "no more than rounding"
    return f"that of unknown {report['weak_unknown']} is {size}: the matrix may be singular, which a solve tells"


def backward_error(report: Figures) -> str:
    """The text about the backward error; empty if it is not known."""
    return _small(report["backward_error"])


def scaled(value: float, unit: str) -> str:
    """A number with three digits and an SI prefix that keeps it below 1000, as the command line writes it."""
    prefix = ""
    for next_prefix in "kMGTP":
        if abs(value) < 999.5:
            break
        value, prefix = value / 1000, next_prefix
    decimals = 0 if not prefix and value == int(value) else 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{decimals}f} {prefix}{unit}".rstrip()


def size(size_bytes: float) -> str:
    return scaled(size_bytes, "B")


def count(number: float) -> str:
    return scaled(number, "")


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def seconds(value: float | None) -> str:
    if value is None:
        return "unknown"
    if value >= 1:
        return f"{value:.{0 if value >= 100 else 2}f} s"
    return f"{value * 1e3:.3g} ms" if value >= 1e-3 else f"{value * 1e6:.3g} us"


def _told(all_figures: dict[str, str]) -> dict[str, str]:
    return {label: text for label, text in all_figures.items() if text}


def _matrix(report: Figures) -> str:
    """The text about the matrix. Ranks other than the first know only its size."""
    entries = f"{count(report['nnz'])} entries" if report["nnz"] and report["method"] != "dense" else ""
    shape = f"{report.get('rows', report['n'])} x {report['n']}"
    return ", ".join(filter(None, (shape, entries, report["type"], report["symmetry"])))


def _method(report: Figures) -> str:
    return " ".join(filter(None, (report["method"], report["factorization"] or report.get("variant", "")))) or "factors"


def _ranks(report: Figures) -> str:
    engine = "" if report["engine"] == "thread" else f" of {report['engine']}"
    workers = f" and {counted(report['workers'], 'worker')}" if report["workers"] else ""
    return counted(report["ranks"], "rank") + engine + workers + (", simulated" if report["simulated"] else "")


def _ordering(report: Figures) -> str:
    matching = report["matching"]
    return f"ordering {report['ordering']}" + (f", matching {matching}" if matching not in ("", "off") else "")


def _times(report: Figures) -> str:
    return f"{report['predicted_factor_nnz'] / max(report['nnz'], 1):.1f}"


def _memory(report: Figures) -> str:
    if not report["peak_bytes"]:
        return ""
    on_disk = f", {size(report['disk_written_bytes'])} of factors on disk" if report["disk_written_bytes"] else ""
    return f"{size(report['peak_bytes'])} at the peak{on_disk}"


def _rank(report: Figures) -> str:
    rank = report["numerical_rank"]
    return "" if rank is None or rank == report["n"] else f"{rank} of {report['n']}"


def _errors(report: Figures) -> dict[str, str]:
    return {
        "backward error": backward_error(report),
        "error bound": _small(report["forward_error_bound"]),
        "condition": _small(report["condition_estimate"]),
        "||b - A x||": "" if report.get("residual_norm") is None else f"{report['residual_norm']:.6g}",
    }


def _remarks(report: Figures) -> dict[str, str]:
    return {"not used": report["unused_options"], "hint": report["hint"]}


def _small(value: float | None) -> str:
    return "" if value is None else f"{value:.2g}"
