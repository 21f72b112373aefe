"""Dense matrices: LU with partial pivoting, Cholesky, QR and least squares, products, triangles."""
from __future__ import annotations

import json
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

import numpy as np

from . import _core
from ._errors import BadInput, BadPlan, BecomesDenseWarning, level_outside
from ._factors import (
    DirectFactors,
    Factors,
    operation,
    solved,
    warn_of_answer,
    warn_of_kernels,
    warn_of_unused,
)
from ._layout import Layout
from ._matrix import check_sparse, dense_matrix, filled_bytes, laid_out, part_of, type_of_factors, working_type
from ._ranks import Described, Facts, Ranks, given_columns, given_matrix, no_right_hand_sides, type_for
from ._report import Report
from ._settings import begin
from ._voice import Voice

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from ._options import Options

_Kind = TypeVar("_Kind", bound="DenseFactors")


def lu_factor(A: Any, *, layout: Layout | None = None, **options: Unpack[Options]) -> LuFactorization:
    """P A = L U of a dense square matrix, to solve with it often.

    Parameters
    ----------
    A : array_like or sparse
        A sparse matrix is filled up (BecomesDenseWarning). A is not changed.
    layout : Layout, optional
        A is this rank's part of a matrix that is distributed so to the ranks of `comm`; each
        rank gives its own part.
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
    """x, or (x, report), by factors that are not kept. a, b: as rank 0 has them; A, B: this rank's, if it has them."""
    held = _held(A, type_for(a, b))
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


def cholesky_factor(A: Any, *, layout: Layout | None = None, **options: Unpack[Options]) -> CholeskyFactorization:
    """A = L L^H of a dense matrix that is positive definite: half the work of `lu_factor`.

    Parameters
    ----------
    A : array_like or sparse
        Symmetric or Hermitian, else as for `lu_factor`; only its lower triangle is
        read, as by numpy.linalg.cholesky.
    layout, **options
        As for `lu_factor`; the schedule is lookahead with depth 1.

    Returns
    -------
    CholeskyFactorization

    Raises
    ------
    BadInput
        A is not positive definite; the message has the order of the leading minor that
        is not. Else as `lu_factor`.

    Examples
    --------
    >>> import overlapack
    >>> overlapack.cholesky_factor([[4.0, 2.0], [2.0, 3.0]]).solve([6.0, 5.0])
    array([1., 1.])
    """
    return _factors(CholeskyFactorization, A, layout, options)


def qr_factor(A: Any, *, layout: Layout | None = None, **options: Unpack[Options]) -> QrFactorization:
    """A = Q R of a dense matrix with at least as many rows as columns, for least squares.

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
        Columns are dependent to working precision. Else as `lu_factor`.

    Examples
    --------
    >>> import overlapack
    >>> factors = overlapack.qr_factor([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
    >>> factors.solve([1.0, 4.0, 5.0])
    array([1., 2.])
    """
    return _factors(QrFactorization, A, layout, options)


def _factors(kind: type[_Kind], A: Any, layout: Layout | None, options: Any) -> _Kind:
    used, ranks = begin(options)

    def look() -> tuple[Facts, Any]:
        tell_of_filling(A)
        if layout is None:
            return given_matrix(ranks, A, dense_matrix, layout=False)
        return {"layout": True}, (dense_matrix(A), layout._numbers())

    facts, held = ranks.agree(look)
    if layout is None:
        return kind.of_whole(held, facts["A"], None, used, ranks)
    part, numbers = held
    return kind.of_part(part, numbers, layout.shape, used, ranks)


def _held(A: np.ndarray | None, dtype: np.dtype) -> np.ndarray:
    """A in this type; where only rank 0 has one, nothing in its place."""
    return np.zeros((0, 0), dtype) if A is None else laid_out(A, dtype)


def tell_of_filling(A: Any) -> None:
    """Of a sparse matrix where only a dense one will do."""
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
    """The x for which ||b - A x|| is least, column by column; by QR, for A of full rank.

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
        n rows, else of b's shape, and of the type that A and b promote to.
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


def multiply_parts(
    A: Any, of_A: Layout, B: Any, of_B: Layout, **options: Unpack[Options]
) -> tuple[np.ndarray, Layout]:
    """C = A B, for matrices whose parts are on the ranks of `comm`; called by all of them.

    Parameters
    ----------
    A, B : array_like
        This rank's parts.
    of_A, of_B : Layout
        How the matrices are distributed: in blocks of the same size to the same grid.
    **options
        As for `lu_factor`.

    Returns
    -------
    C : ndarray
        This rank's part, of the type that A and B promote to.
    of_C : Layout
        C's rows are distributed as A's, its columns as B's.

    Raises
    ------
    BadInput, BadPlan, CommFailure

    Examples
    --------
    >>> import numpy as np, overlapack
    >>> layout = overlapack.Layout((2, 2), block=1, grid=(1, 1))
    >>> C, of_C = overlapack.multiply_parts(2 * np.eye(2), layout, np.ones((2, 2)), layout)
    >>> C.tolist(), of_C.shape
    ([[2.0, 2.0], [2.0, 2.0]], (2, 2))
    """
    used, ranks = begin(options)
    left, right, of_left, of_right = _two_parts(ranks, A, of_A, B, of_B)
    product = ranks.voice.timed(
        "product", lambda: _core.multiply_distributed(left, of_A=of_left, B=right, of_B=of_right, settings=used)
    )
    of_C = replace(of_A, shape=(of_A.shape[0], of_B.shape[1]), first=(of_A.first[0], of_B.first[1]))
    return product.reshape((left.shape[0], right.shape[1]), order="F"), of_C


def solve_triangle_parts(
    A: Any, of_A: Layout, B: Any, of_B: Layout, *, lower: bool = True, unit_diagonal: bool = False,
    trans: str | int = "N", **options: Unpack[Options]
) -> np.ndarray:
    """Solve op(A) X = B for a triangle A whose parts are on the ranks of `comm`.

    All of them call it.

    Parameters
    ----------
    A, B : array_like
        This rank's parts.
    of_A, of_B : Layout
        How the matrices are distributed: in blocks of the same size to the same grid, their
        rows beginning at the same process row.
    lower : bool
        Of A the lower, else the upper triangle is read.
    unit_diagonal : bool
        The diagonal is not read, and is ones.
    trans : {"N", "T", "C"}
        As for solves.
    **options
        As for `lu_factor`.

    Returns
    -------
    ndarray
        This rank's part of X, which is distributed as B, of the type that A and B promote to.

    Raises
    ------
    Singular
        A zero is on the diagonal.
    BadInput, BadPlan, CommFailure

    Examples
    --------
    >>> import numpy as np, overlapack
    >>> of_A = overlapack.Layout((2, 2), block=2, grid=(1, 1))
    >>> of_B = overlapack.Layout((2, 1), block=2, grid=(1, 1))
    >>> A, B = np.array([[2.0, 9.0], [1.0, 4.0]]), np.array([[2.0], [5.0]])
    >>> overlapack.solve_triangle_parts(A, of_A, B, of_B).tolist()
    [[1.0], [1.0]]
    """
    used, ranks = begin(options)
    form = {"lower": lower, "unit_diagonal": unit_diagonal, "trans": trans}
    triangle, right, of_left, of_right = _two_parts(ranks, A, of_A, B, of_B, **form)
    x = ranks.voice.timed("triangular solve", lambda: _core.solve_triangle_distributed(
        triangle, of_A=of_left, B=right, of_B=of_right, is_lower=lower, is_unit=unit_diagonal, op=operation(trans), settings=used
    ))
    return x.reshape(right.shape, order="F")


def _two_parts(ranks: Ranks, A: Any, of_A: Layout, B: Any, of_B: Layout, **facts: Any) -> tuple[np.ndarray, np.ndarray, Any, Any]:
    """This rank's parts of A and B as the extension takes them, and the numbers of their layouts."""

    def look() -> tuple[Facts, Any]:
        left, right = part_of(A, "A"), part_of(B, "B")
        dtype = working_type(left.dtype, right.dtype)
        operation(facts.get("trans", "N"))
        return facts, (np.asfortranarray(left, dtype), np.asfortranarray(right, dtype), of_A._numbers(), of_B._numbers())

    return ranks.agree(look)[1]


class DenseFactors(Factors):
    """The factors of a dense matrix."""

    _whole: Any  #: the extension's function for a whole matrix,
    _distributed: Any  #: and for its parts

    @classmethod
    def of_whole(cls, A: np.ndarray | None, a: Described, b: Described | None, settings: _core.Settings, ranks: Ranks) -> Self:
        """Of the matrix of rank 0, described as a, for right-hand sides described as b. A: this rank's, if it has one."""
        held = _held(A, type_for(a, b))
        return cls(cls._whole(held, settings=settings), tuple(a[0]), held.dtype, ranks)

    @classmethod
    def of_part(cls, A: np.ndarray, layout: Any, shape: tuple[int, int], settings: _core.Settings, ranks: Ranks) -> Self:
        """Of the parts of all ranks. layout: as numbers."""
        dtype = type_of_factors(A.dtype)
        return cls(cls._distributed(np.asfortranarray(A, dtype=dtype), layout=layout, settings=settings), shape, dtype, ranks)

    def solve_part(self, b: Any, layout: Layout, trans: str | int = "N") -> np.ndarray:
        """This rank's part of X for its part of B; called by all ranks of `comm`.

        Parameters
        ----------
        b : array_like
            The part of B, of a type that the factors' type holds; a part of one column
            may be a vector.
        layout : Layout
            How B is distributed.
        trans : {"N", "T", "C"}
            As for `solve`.

        Returns
        -------
        ndarray
            X is distributed as B. Of QR it has fewer rows, and is distributed as a matrix of its
            shape in the same blocks.
        """
        def look() -> tuple[Facts, Any]:
            part = part_of(b, "b", (1, 2))
            if part.dtype.kind == "c" and self.dtype.kind != "c":
                raise BadInput("the part of B is complex, but the matrix is real; solve for its two parts one by one", "python")
            columns = part[:, np.newaxis] if part.ndim == 1 else part
            return {"trans": operation(trans)}, (np.asfortranarray(columns, dtype=self.dtype), part.shape, layout._numbers())

        _, (part, shape, numbers) = self._ranks.agree(look)
        voice = self._ranks.voice
        voice.begin()
        x, warning, status = self._factors.solve_distributed(part, layout=numbers, op=operation(trans))
        warn_of_answer(warning, status)
        if voice.is_heard():
            voice.say_solved(self.report)
        return x.reshape((self._rows_of_x(part, layout), *shape[1:]), order="F")

    def _rows_of_x(self, part: np.ndarray, layout: Layout) -> int:
        return part.shape[0]

    def _call_solve(self, B: np.ndarray, op: int) -> tuple[np.ndarray, str, str]:
        return self._factors.solve(B, op)


class LuFactorization(DenseFactors, DirectFactors):
    """The LU factors of a dense matrix; made by `lu_factor`."""

    _whole = staticmethod(_core.lu_factor)
    _distributed = staticmethod(_core.lu_factor_distributed)


class CholeskyFactorization(DenseFactors, DirectFactors):
    """The Cholesky factors of a dense matrix; made by `cholesky_factor`."""

    _whole = staticmethod(_core.cholesky_factor)
    _distributed = staticmethod(_core.cholesky_factor_distributed)


class WholeCholesky(CholeskyFactorization):
    """Of a matrix both of whose triangles count: BadInput where they differ."""

    _whole = staticmethod(_core.cholesky_factor_whole)


class QrFactorization(DenseFactors):
    """The QR factors of a dense matrix; made by `qr_factor`.

    `solve` is by least squares.
    """

    _whole = staticmethod(_core.qr_factor)
    _distributed = staticmethod(_core.qr_factor_distributed)

    def _rows_of_x(self, part: np.ndarray, layout: Layout) -> int:
        of_X = replace(layout, shape=(self.shape[1], layout.shape[1]))
        return len(of_X.rows(self._factors.rank()))

    def multiply_q(self, C: Any, trans: str | int = "N") -> np.ndarray:
        """Q C, on every rank; Q is m x m.

        Parameters
        ----------
        C : array_like
            m numbers, or m x k; of a type that the factors' type holds.
        trans : {"N", "T", "C"}
            "C": Q^H C; "T" is for real factors.

        Returns
        -------
        ndarray
        """
        def look() -> tuple[Facts, Any]:
            facts, columns = given_columns(self._ranks, C, self.shape[0], "C", trans=operation(trans))
            if columns is not None and columns.dtype.kind == "c" and self.dtype.kind != "c":
                raise BadInput("C is complex, but Q is real; multiply its two parts one by one", "python")
            return facts, columns

        facts, columns = self._ranks.agree(look)
        if columns is None:
            columns = no_right_hand_sides(facts["C"])
        product = self._factors.multiply_q(np.asfortranarray(columns, dtype=self.dtype), op=facts["trans"])
        return product.reshape(facts["C"][0], order="F")

    def q(self) -> np.ndarray:
        """The first n columns of Q, on every rank: A = q() @ r().

        Examples
        --------
        >>> import numpy as np, overlapack
        >>> A = np.array([[3.0, 1.0], [4.0, 2.0]])
        >>> factors = overlapack.qr_factor(A)
        >>> print(abs(factors.q() @ factors.r() - A).max() < 1e-14)
        True
        """
        return self.multiply_q(np.eye(*self.shape, dtype=self.dtype))

    def r(self) -> np.ndarray:
        """R, n x n, with zeros below its diagonal, on every rank.

        Entries of the diagonal may be negative.
        """
        self._ranks.meet()
        n = self.shape[1]
        return self._factors.r().reshape((n, n), order="F")
