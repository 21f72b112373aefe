"""The names and keywords that users of scipy.sparse.linalg know."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import BadPlan
from ._solve import Factorization, factorize, solve

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options

#: SciPy's orderings that are one of ours; its default is no wish
_ORDERINGS = {"NATURAL": "natural", "MMD_AT_PLUS_A": "amd", "COLAMD": "auto"}


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

    permc_spec: "NATURAL" and "MMD_AT_PLUS_A" are the option ordering "natural" and "amd", SciPy's default "COLAMD" is "auto"; others are
       refused.
    diag_pivot_thresh: the option pivot_threshold.
    relax, panel_size, options: refused, since they tune SuperLU.
    more: as for `factorize`.

    The result has shape, nnz and solve as SciPy's, and L, U, perm_r and perm_c, which are made when they are asked for
    (`Factorization.triangular_factors`).
    """
    for name, value in (("relax", relax), ("panel_size", panel_size), ("options", options)):
        if value is not None:
            raise BadPlan(f"{name} tunes SuperLU; leave it out, or use the keywords of docs/options.md", "python")
    if diag_pivot_thresh is not None:
        more = {**more, "pivot_threshold": diag_pivot_thresh}
    return factorize(A, **_with_ordering(permc_spec, more))


def spsolve(
    A: Any, b: Any, permc_spec: str | None = None, use_umfpack: bool = True, **options: Unpack[Options]
) -> np.ndarray:
    """`solve` as scipy.sparse.linalg.spsolve is called: a single column comes back one-dimensional.

    permc_spec: as for `splu`; use_umfpack: without effect, as in SciPy where UMFPACK is not installed.

    Where A is singular, Singular is raised; SciPy warns and gives NaN.
    """
    x = solve(A, b, **_with_ordering(permc_spec, options))
    return x.ravel() if x.ndim == 2 and x.shape[1] == 1 else x


def _with_ordering(permc_spec: str | None, options: Any) -> Any:
    if permc_spec is None:
        return options
    if permc_spec not in _ORDERINGS:
        raise BadPlan(
            f'permc_spec is {permc_spec!r}, which is not built; leave it out, give "NATURAL" or "MMD_AT_PLUS_A", or use '
            'ordering="metis", "amd" or "natural"',
            "python",
        )
    return {**options, "ordering": _ORDERINGS[permc_spec]}
