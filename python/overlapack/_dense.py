"""Dense matrices: LU with partial pivoting, Cholesky, QR and least squares."""
from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any, Callable, Literal, TypeVar, overload

import numpy as np

from . import _core
from ._dense_factors import CholeskyFactorization, DenseFactors, LuFactorization, QrFactorization, held_as
from ._errors import BadInput, BadPlan, BecomesDenseWarning, level_outside
from ._factors import solved, warn_of_kernels, warn_of_unused
from ._given_matrix import Half
from ._layout import Layout
from ._matrix import Triangle, check_sparse, dense_matrix, filled_bytes, mirrored, triangle_of
from ._ranks import Described, Facts, given_columns, given_matrix, type_for
from ._report import Report
from ._settings import begin
from ._voice import Voice

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options

_Kind = TypeVar("_Kind", bound="DenseFactors")


def lu_factor(A: Any, *, layout: Layout | None = None, **options: Unpack[Options]) -> LuFactorization:
    """Factorise a dense square matrix, P A = L U, to solve with it often.

    Parameters
    ----------
    A : array_like or sparse
        A sparse matrix becomes dense (BecomesDenseWarning). A is not changed.
    layout : Layout, optional
        How A is distributed to the ranks of `comm`. Each rank gives its own part as A.
    **options
        block=64, grid="2x2", precision="mixed", schedule="split", ...: `overlapack info
        --options`, in a shell, lists all of them. ranks, threads, verbose, progress and
        comm are as for `factorize`.

    Returns
    -------
    LuFactorization
        Its `solve` solves; det, rcond and transposed solves are there, too. It is also
        a function, factors(b), and an operator, as the factors of `factorize`.

    Raises
    ------
    Singular, BadInput, BadPlan, OutOfMemory, Cancelled, CommFailure
        As `solve`.

    Notes
    -----
    Under mpirun every rank calls lu_factor. Without a layout rank 0's A is used; the
    others give None, or arrays of the same type and shape.

    Examples
    --------
    >>> import overlapack
    >>> factors = overlapack.lu_factor([[2.0, 1.0], [0.0, 4.0]])
    >>> factors.solve([3.0, 4.0]), float(factors.det())
    (array([1., 1.]), 8.0)
    """
    return _factors(LuFactorization, A, layout, options)


def solve_by_lu(
    A: np.ndarray | None, a: Described, b: Described, B: np.ndarray | None, settings: _core.Settings, voice: Voice, wants_report: bool
) -> Any:
    """Return x, or (x, report), by factors that are not kept. a, b: descriptions of rank 0's A and b; A, B: this rank's own."""
    held = held_as(A, type_for(a, b))
    report: Any = None
    is_read = wants_report or voice.is_heard()

    def solve(columns: np.ndarray) -> tuple[np.ndarray, str, str]:
        nonlocal report
        x, warning, status, unused, kernels, report = _core.dense_solve(held, columns, settings=settings, wants_report=is_read)
        if unused:
            warn_of_unused(unused, "dense")
        warn_of_kernels(kernels)
        return x, warning, status

    x = solved(b, B, a[0][1], held.dtype, solve)
    if not is_read:
        return x
    told = Report(json.loads(report))
    if voice.is_heard():
        voice.say_factorized(told)
        voice.say_solved(told)
    return (x, told) if wants_report else x


def lu_solve(factors: LuFactorization, b: Any, trans: str | int = 0) -> np.ndarray:
    """Solve with the factors of `lu_factor`: factors.solve, called as SciPy's lu_solve is.

    Parameters
    ----------
    factors : LuFactorization
    b : array_like
        n numbers, or n x k.
    trans : {0, 1, 2}
        0: A x = b, 1: A^T x = b, 2: A^H x = b.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import overlapack
    >>> factors = overlapack.lu_factor([[2.0, 1.0], [0.0, 4.0]])
    >>> overlapack.lu_solve(factors, [2.0, 5.0], trans=1)
    array([1., 1.])
    """
    if not isinstance(factors, LuFactorization):
        raise BadPlan("lu_solve takes what overlapack.lu_factor returns", "python")
    return factors.solve(b, trans)


def cholesky_factor(
    A: Any, *, symmetric: Half = None, hermitian: Half = None, layout: Layout | None = None, **options: Unpack[Options]
) -> CholeskyFactorization:
    """Factorise a dense positive definite matrix, A = L L^H, with half the work of `lu_factor`.

    Parameters
    ----------
    A : array_like or sparse
        Symmetric or Hermitian, otherwise as for `lu_factor`. Only its lower triangle is
        read, as by numpy.linalg.cholesky.
    symmetric, hermitian : {"upper", "lower"}, optional
        The triangle that is read: of a real A either keyword, of a complex A `hermitian`.
        scipy.linalg.cho_factor reads the upper one. A matrix whose lower triangle is
        empty wants "upper". Not with a layout.
    layout, **options
        As for `lu_factor`. The only schedule is lookahead with depth 1.

    Returns
    -------
    CholeskyFactorization

    Raises
    ------
    BadInput
        A is not positive definite; the message has the order of the first leading minor
        that is not positive. Otherwise as `lu_factor`.

    Examples
    --------
    >>> import overlapack
    >>> overlapack.cholesky_factor([[4.0, 2.0], [2.0, 3.0]]).solve([6.0, 5.0])
    array([1., 1.])
    """
    triangle = triangle_of(symmetric, hermitian)
    if triangle and layout:
        raise BadPlan("a distributed matrix is read by its lower triangle; leave symmetric and hermitian out", "python")
    return _factors(CholeskyFactorization, A, layout, options, lambda A: _lower_triangle(A, triangle))


def _lower_triangle(A: Any, triangle: Triangle | None) -> np.ndarray:
    """An array whose lower triangle is that of the matrix."""
    if triangle and not triangle.is_hermitian and np.iscomplexobj(A if hasattr(A, "tocsc") else np.asarray(A)):
        raise BadPlan('A is complex, and positive definite only where it is Hermitian; give hermitian="upper" or "lower"', "python")
    if triangle and triangle.name == "upper":
        return dense_matrix(mirrored(A, triangle))
    held = dense_matrix(A)
    if triangle is None and held.shape[0] == held.shape[1] and _is_upper_triangle(held):
        raise BadInput('A is an upper triangle, but its lower triangle is read; give symmetric="upper" (hermitian="upper" for a complex A), or '
                       'symmetric="lower" for the diagonal alone', "python")
    return held


def _is_upper_triangle(A: np.ndarray) -> bool:
    """Is nothing below the diagonal, and something above it? Most matrices show by their first column that they are none."""
    return not any(A[j + 1:, j].any() for j in range(A.shape[0])) and any(A[:j, j].any() for j in range(A.shape[0]))


def qr_factor(A: Any, *, layout: Layout | None = None, **options: Unpack[Options]) -> QrFactorization:
    """Factorise a dense matrix with at least as many rows as columns, A = Q R, for least squares.

    Parameters
    ----------
    A, layout, **options
        As for `lu_factor`; the schedule is flat or lookahead.

    Returns
    -------
    QrFactorization
        Its `solve` gives the x for which ||b - A x|| is least.

    Raises
    ------
    BadInput
        There are fewer rows than columns.
    Singular
        The columns are linearly dependent to working precision. Otherwise as `lu_factor`.

    Examples
    --------
    >>> import overlapack
    >>> factors = overlapack.qr_factor([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
    >>> factors.solve([1.0, 4.0, 5.0])
    array([1., 2.])
    """
    return _factors(QrFactorization, A, layout, options)


def _factors(
    kind: type[_Kind], A: Any, layout: Layout | None, options: Any, read: Callable[[Any], np.ndarray] = dense_matrix
) -> _Kind:
    """read: makes a whole matrix an array."""
    used, ranks = begin(options)

    def look() -> tuple[Facts, Any]:
        tell_of_filling(A)
        if layout is None:
            return given_matrix(ranks, A, read, layout=False)
        return {"layout": True}, (dense_matrix(A), layout._numbers())

    facts, held = ranks.agree(look)
    if layout is None:
        return kind.of_whole(held, facts["A"], None, used, ranks)
    part, numbers = held
    return kind.of_part(part, numbers, layout.shape, used, ranks)


def tell_of_filling(A: Any) -> None:
    """Warn that a sparse matrix becomes dense, in a function for dense matrices."""
    if hasattr(A, "tocsc"):
        check_sparse(A)
        warnings.warn(f"A is sparse and is filled up: as a dense array it takes {_core.bytes_text(filled_bytes(A))}", BecomesDenseWarning,
                      stacklevel=level_outside())


@overload
def lstsq(A: Any, b: Any, *, report: Literal[False] = False, **options: Unpack[Options]) -> np.ndarray: ...
@overload
def lstsq(
    A: Any, b: Any, *, report: Literal[True], **options: Unpack[Options]
) -> tuple[np.ndarray, Report]: ...
def lstsq(A: Any, b: Any, *, report: bool = False, **options: Any) -> Any:
    """Find the x for which ||b - A x|| is least, for each column of b, by QR. A has full rank.

    Parameters
    ----------
    A : array_like or sparse
        m x n, m >= n, as for `qr_factor`.
    b : array_like
        m numbers, or m x k.
    report : bool
        Return (x, report) instead of x; report.residual_norm is ||b - A x|| of the
        worst column.
    **options
        As for `qr_factor`.

    Returns
    -------
    x : ndarray
        n rows, otherwise the shape of b, and the type to which A and b promote.
    report : Report
        With report=True.

    Raises
    ------
    BadInput, Singular, ...
        As `qr_factor`.

    Examples
    --------
    >>> import overlapack
    >>> x, report = overlapack.lstsq([[1.0], [1.0], [1.0]], [1.0, 2.0, 3.0], report=True)
    >>> x.round(12), round(report.residual_norm, 4)
    (array([2.]), 1.4142)
    """
    used, ranks = begin(options)

    def look() -> tuple[Facts, Any]:
        tell_of_filling(A)
        of_A, held = given_matrix(ranks, A, dense_matrix)
        of_b, B = given_columns(ranks, b, None if held is None else held.shape[0])
        return {**of_A, **of_b}, (held, B)

    facts, (held, B) = ranks.agree(look)
    factors = QrFactorization.of_whole(held, facts["A"], facts["b"], used, ranks)
    x = factors._solved(facts["b"], B)
    return (x, factors.report) if report else x
