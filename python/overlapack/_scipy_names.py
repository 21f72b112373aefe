"""The names and keywords that users of scipy.sparse.linalg know."""
from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import BadPlan, UnusedOptionWarning
from ._factors import level_outside
from ._solve import Factorization, factorize, solve

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options

#: what SciPy's orderings are here; its default is no wish, nor is the other one for A^T A, whose factors ours are not
_ORDERINGS = {"NATURAL": "natural", "MMD_AT_PLUS_A": "amd", "COLAMD": "auto", "MMD_ATA": "auto"}
#: entries of SuperLU's options that change how it comes to the factors, and arguments of splu that do
_TUNES_SUPERLU = ("relax", "panel_size", "Relax", "PanelSize", "Equil", "SymmetricMode", "IterRefine", "PivotGrowth", "ConditionNumber",
                  "PrintStat")


def splu(
    A: Any,
    permc_spec: str | None = None,
    diag_pivot_thresh: float | None = None,
    relax: int | None = None,
    panel_size: int | None = None,
    options: dict[str, Any] | None = None,
    **more: Unpack[Options],
) -> Factorization:
    """`factorize` as scipy.sparse.linalg.splu is called: splu(A).solve(b, trans).

    permc_spec: "NATURAL" and "MMD_AT_PLUS_A" are the option ordering "natural" and "amd", SciPy's default "COLAMD" and "MMD_ATA" are
       "auto".
    diag_pivot_thresh: the option pivot_threshold.
    relax, panel_size: without effect, since they tune SuperLU (UnusedOptionWarning).
    options: its ColPerm and DiagPivotThresh are permc_spec and diag_pivot_thresh; SymmetricMode, Equil and the like are without effect, as
       relax is; others are refused.
    more: as for `factorize`.

    The result has shape, nnz and solve as SciPy's, and L, U, perm_r and perm_c, which are made when they are asked for
    (`Factorization.triangular_factors`).
    """
    tuning = {"relax": relax, "panel_size": panel_size, **(options or {})}
    permc_spec = tuning.pop("ColPerm", permc_spec)
    diag_pivot_thresh = tuning.pop("DiagPivotThresh", diag_pivot_thresh)
    _tell_without_effect([name for name, value in tuning.items() if value is not None])
    if diag_pivot_thresh is not None:
        more = {**more, "pivot_threshold": diag_pivot_thresh}
    return factorize(A, **_with_ordering(permc_spec, more))


def spsolve(
    A: Any, b: Any, permc_spec: str | None = None, use_umfpack: bool = True, **options: Unpack[Options]
) -> Any:
    """`solve` as scipy.sparse.linalg.spsolve is called: a single column comes back one-dimensional.

    permc_spec: as for `splu`; use_umfpack: without effect, as in SciPy where UMFPACK is not installed.

    Where A is singular, Singular is raised; SciPy warns and gives NaN.
    """
    found = solve(A, b, **_with_ordering(permc_spec, options))
    x, *report = found if isinstance(found, tuple) else (found,)
    x = x.ravel() if x.ndim == 2 and x.shape[1] == 1 else x
    return (x, *report) if report else x


def _tell_without_effect(names: list[str]) -> None:
    """Errors: BadPlan for a name that does not tune SuperLU."""
    for name in names:
        if name not in _TUNES_SUPERLU:
            raise BadPlan(f"{name} among SuperLU's options is not built; leave it out, or use the keywords of docs/options.md", "python")
    if names:
        text = f"set, but without effect, since it tunes SuperLU: {', '.join(names)}"
        warnings.warn(text, UnusedOptionWarning, stacklevel=level_outside())


def _with_ordering(permc_spec: str | None, options: Any) -> Any:
    if permc_spec is None:
        return options
    if permc_spec not in _ORDERINGS:
        raise BadPlan(
            f"permc_spec is {permc_spec!r}; give one of {', '.join(_ORDERINGS)}, or use ordering=\"metis\", \"amd\" or \"natural\"",
            "python",
        )
    return {**options, "ordering": _ORDERINGS[permc_spec]}
