"""The names and keywords that users of scipy.sparse.linalg know."""
from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from ._errors import BadPlan, UnusedOptionWarning, level_outside
from ._report import Report
from ._factorization import Factorization
from ._solve import checked_solve, factorize

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
    """`factorize`, called as scipy.sparse.linalg.splu is.

    Parameters
    ----------
    A : sparse array or matrix
    permc_spec : {"COLAMD", "MMD_ATA", "MMD_AT_PLUS_A", "NATURAL"}, optional
        "NATURAL" and "MMD_AT_PLUS_A" are the option ordering "natural" and "amd";
        SciPy's default "COLAMD" and "MMD_ATA" are "auto".
    diag_pivot_thresh : float, optional
        The option pivot_threshold.
    relax, panel_size : int, optional
        Without effect, since they tune SuperLU (UnusedOptionWarning).
    options : dict, optional
        ColPerm and DiagPivotThresh are permc_spec and diag_pivot_thresh. Other options of
        SuperLU, such as SymmetricMode and Equil, have no effect, like relax; unknown
        options are refused.
    **more
        As for `factorize`.

    Returns
    -------
    Factorization
        It has shape, nnz and solve as in SciPy, and L, U, perm_r and perm_c, which are
        made on first use.

    Examples
    --------
    >>> import numpy as np
    >>> from overlapack import splu
    >>> from scipy.sparse import csc_array
    >>> factors = splu(csc_array([[2.0, 1.0], [0.0, 4.0]]), permc_spec="NATURAL")
    >>> factors.solve(np.array([2.0, 5.0]), "T")
    array([1., 1.])
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
    """`solve`, called as scipy.sparse.linalg.spsolve is.

    Parameters
    ----------
    A : sparse array or matrix
    b : array_like or sparse
        n numbers, or n x k.
    permc_spec : str, optional
        As for `splu`.
    use_umfpack : bool
        Without effect, as in SciPy where UMFPACK is not installed.
    **options
        As for `solve`.

    Returns
    -------
    ndarray or sparse
        A single column is returned one-dimensional. Several columns of a sparse b are
        returned sparse: of A's class if that is CSC or CSR, else csc_array.

    Raises
    ------
    Singular
        A is singular; SciPy warns and gives NaN.

    Examples
    --------
    >>> from overlapack import spsolve
    >>> from scipy.sparse import csc_array
    >>> A = csc_array([[2.0, 1.0], [0.0, 4.0]])
    >>> spsolve(A, csc_array([[3.0], [4.0]]))
    array([1., 1.])
    >>> spsolve(A, A).toarray()
    array([[1., 0.],
           [0., 1.]])
    """
    found = dense_spsolve(A, b, permc_spec, None, **options)
    if isinstance(found, tuple):
        return as_scipy(found[0], A, b), found[1]
    return as_scipy(found, A, b)


def dense_spsolve(A: Any, b: Any, permc_spec: str | None, check: Callable[[Report], None] | None, **options: Any) -> Any:
    """spsolve whose x is an array also for a sparse b. check: as for `checked_solve`."""
    found = checked_solve(check, A, b, **_with_ordering(permc_spec, options))
    x, *report = found if isinstance(found, tuple) else (found,)
    x = x.ravel() if x.ndim == 2 and x.shape[1] == 1 else x
    return (x, *report) if report else x


def as_scipy(x: np.ndarray, A: Any, b: Any) -> Any:
    """x as SciPy returns it: sparse if b is sparse and has several columns, and of A's class if that is CSC or CSR."""
    if x.ndim == 1 or not hasattr(b, "tocsc"):
        return x
    from scipy import sparse

    make = type(A) if getattr(A, "format", "") in ("csc", "csr") else sparse.csc_array
    return make(x)


def _tell_without_effect(names: list[str]) -> None:
    """Warn of options that only tune SuperLU. Errors: BadPlan for a name that does not."""
    for name in names:
        if name not in _TUNES_SUPERLU:
            raise BadPlan(f"{name} among SuperLU's options is not built; leave it out, or use overlapack's own options, which "
                          "`overlapack info --options` lists", "python")
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
