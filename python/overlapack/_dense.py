"""Dense matrices: LU with partial pivoting, Cholesky, QR and least squares, products, triangles."""
from __future__ import annotations

import json
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

import numpy as np

from . import _core
from ._errors import BadInput, BadPlan, BecomesDenseWarning
from ._factors import (
    DirectFactors,
    Factors,
    level_outside,
    operation,
    solved,
    warn_of_answer,
    warn_of_kernels,
    warn_of_unused,
)
from ._layout import Layout
from ._matrix import check_sparse, dense_matrix, filled_bytes, gib, laid_out, part_of, type_of_factors, working_type
from ._ranks import Described, Facts, Ranks, given_columns, given_matrix, no_right_hand_sides, type_for
from ._report import Report
from ._settings import settings

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from ._options import Options

_Kind = TypeVar("_Kind", bound="DenseFactors")


def lu_factor(A: Any, *, layout: Layout | None = None, **options: Unpack[Options]) -> LuFactorization:
    """P A = L U of a dense square matrix, to solve with it often: lu_factor(A).solve(b).

    A: a NumPy array, or anything that NumPy reads as one; a SciPy sparse matrix is filled up. A is not changed.
    layout: A is this rank's part of a matrix that is dealt so to the ranks of `comm`; each rank gives its own part.
    options: the keywords of docs/options.md that name dense LU (schedule="split", block=64, grid="2x2",
       precision="mixed", ...), ranks, engine and the like; progress and comm as for `factorize`.

    Under mpirun every rank calls lu_factor. Without a layout rank 0's A is used, the others give arrays of the same type
    and shape.
    Raises Singular, BadInput, BadPlan, OutOfMemory, Cancelled, CommFailure.
    """
    return _factors(LuFactorization, A, layout, options)


def solve_by_lu(
    A: np.ndarray | None, a: Described, b: Described, B: np.ndarray | None, settings: _core.Settings, wants_report: bool
) -> Any:
    """x, or (x, report), by factors that are not kept. a, b: as rank 0 has them; A, B: this rank's, if it has them."""
    held = _held(A, type_for(a, b))
    report = None

    def solve(columns: np.ndarray) -> tuple[np.ndarray, str, bool]:
        nonlocal report
        x, warning, is_answer, unused, kernels, report = _core.dense_solve(held, columns, settings=settings, wants_report=wants_report)
        if unused:
            warn_of_unused(unused, "dense")
        warn_of_kernels(kernels)
        return x, warning, is_answer

    x = solved(b, B, a[0][1], held.dtype, solve)
    return (x, Report(json.loads(report))) if wants_report else x


def lu_solve(factors: LuFactorization, b: Any, trans: str | int = 0) -> np.ndarray:
    """factors.solve under the name and with the `trans` (0: A x = b, 1: A^T x = b, 2: A^H x = b) of SciPy."""
    if not isinstance(factors, LuFactorization):
        raise BadPlan("lu_solve takes what overlapack.lu_factor returns", "python")
    return factors.solve(b, trans)


def cholesky_factor(A: Any, *, layout: Layout | None = None, **options: Unpack[Options]) -> CholeskyFactorization:
    """A = L L^H of a dense symmetric or Hermitian positive definite matrix: half the work of lu_factor.

    A: as for lu_factor; only its lower triangle is read, as numpy.linalg.cholesky does.
    layout, options: as for lu_factor; the schedule is lookahead with depth 1.

    Raises BadInput, naming the order of the leading minor, where A is not positive definite; else as lu_factor.
    """
    return _factors(CholeskyFactorization, A, layout, options)


def qr_factor(A: Any, *, layout: Layout | None = None, **options: Unpack[Options]) -> QrFactorization:
    """A = Q R of a dense matrix with at least as many rows as columns, for least squares: qr_factor(A).solve(b).

    A, layout, options: as for lu_factor; the schedule is flat or lookahead.

    Raises BadInput for fewer rows than columns, Singular where columns cannot be told from dependent ones; else as lu_factor.
    """
    return _factors(QrFactorization, A, layout, options)


def _factors(kind: type[_Kind], A: Any, layout: Layout | None, options: Any) -> _Kind:
    used = settings(**options)
    ranks = Ranks(used)

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
        warnings.warn(f"A is sparse and is filled up: as a dense array it takes {gib(filled_bytes(A))}", BecomesDenseWarning,
                      stacklevel=level_outside())


@overload
def lstsq(A: Any, b: Any, *, report: Literal[False] = False, **options: Unpack[Options]) -> np.ndarray: ...
@overload
def lstsq(
    A: Any, b: Any, *, report: Literal[True], **options: Unpack[Options]
) -> tuple[np.ndarray, Report]: ...
def lstsq(A: Any, b: Any, *, report: bool = False, **options: Any) -> Any:
    """The x for which ||b - A x|| is least, column by column; for A of full rank, by QR.

    A: m x n, m >= n, as for qr_factor; b: m numbers, or m x k.
    report: return (x, report) instead of x; report.residual_norm is ||b - A x|| of the worst column.

    x has n rows, else b's shape, and the type that A and b promote to. Raises as qr_factor.
    """
    used = settings(**options)
    ranks = Ranks(used)

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
    """(my part of C = A B, its layout), for matrices whose parts are on the ranks of `comm`; called by all of them.

    A, B: this rank's parts, dealt as of_A and of_B say: in blocks of the same size to the same grid. C's rows are dealt as
       A's, its columns as B's; its type is the one that A and B promote to.

    Raises BadInput, BadPlan, CommFailure.
    """
    used = settings(**options)
    left, right, of_left, of_right = _two_parts(Ranks(used), A, of_A, B, of_B)
    product = _core.multiply_distributed(left, of_A=of_left, B=right, of_B=of_right, settings=used)
    of_C = replace(of_A, shape=(of_A.shape[0], of_B.shape[1]), first=(of_A.first[0], of_B.first[1]))
    return product.reshape((left.shape[0], right.shape[1]), order="F"), of_C


def solve_triangle_parts(
    A: Any, of_A: Layout, B: Any, of_B: Layout, *, lower: bool = True, unit_diagonal: bool = False,
    trans: str | int = "N", **options: Unpack[Options]
) -> np.ndarray:
    """My part of X with op(A) X = B for a triangle A, whose parts are on the ranks of `comm`; called by all of them.

    A, B: this rank's parts, dealt as of_A and of_B say: in blocks of the same size to the same grid, their rows beginning at the
       same process row. Of A the lower (else the upper) triangle is read; with unit_diagonal its diagonal is not, and is ones.
    trans: "N", "T" or "C", as for solves. X is dealt as B; its type is the one that A and B promote to.

    Raises Singular for a zero on the diagonal, BadInput, BadPlan, CommFailure.
    """
    used = settings(**options)
    form = {"lower": lower, "unit_diagonal": unit_diagonal, "trans": trans}
    triangle, right, of_left, of_right = _two_parts(Ranks(used), A, of_A, B, of_B, **form)
    x = _core.solve_triangle_distributed(
        triangle, of_A=of_left, B=right, of_B=of_right, is_lower=lower, is_unit=unit_diagonal, op=operation(trans), settings=used
    )
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
    _dealt: Any  #: and for its parts

    @classmethod
    def of_whole(cls, A: np.ndarray | None, a: Described, b: Described | None, settings: _core.Settings, ranks: Ranks) -> Self:
        """Of the matrix of rank 0, described as a, for right-hand sides described as b. A: this rank's, if it has one."""
        held = _held(A, type_for(a, b))
        return cls(cls._whole(held, settings=settings), tuple(a[0]), held.dtype, ranks)

    @classmethod
    def of_part(cls, A: np.ndarray, layout: Any, shape: tuple[int, int], settings: _core.Settings, ranks: Ranks) -> Self:
        """Of the parts of all ranks. layout: as numbers."""
        dtype = type_of_factors(A.dtype)
        return cls(cls._dealt(np.asfortranarray(A, dtype=dtype), layout=layout, settings=settings), shape, dtype, ranks)

    def solve_part(self, b: Any, layout: Layout, trans: str | int = "N") -> np.ndarray:
        """This rank's part of X for its part of B, which is dealt as `layout` says; called by all ranks of `comm`. X of QR, with
        fewer rows, is dealt as a matrix of its shape in the same blocks.

        b: of a type that the factors' type holds; a part of one column may be a vector.
        """
        def look() -> tuple[Facts, Any]:
            part = part_of(b, "b", (1, 2))
            if part.dtype.kind == "c" and self.dtype.kind != "c":
                raise BadInput("the part of B is complex, but the matrix is real; solve for its two parts one by one", "python")
            columns = part[:, np.newaxis] if part.ndim == 1 else part
            return {"trans": operation(trans)}, (np.asfortranarray(columns, dtype=self.dtype), part.shape, layout._numbers())

        _, (part, shape, numbers) = self._ranks.agree(look)
        x, warning, is_answer = self._factors.solve_distributed(part, layout=numbers, op=operation(trans))
        warn_of_answer(warning, is_answer)
        return x.reshape((self._rows_of_x(part, layout), *shape[1:]), order="F")

    def _rows_of_x(self, part: np.ndarray, layout: Layout) -> int:
        return part.shape[0]

    def _call_solve(self, B: np.ndarray, op: int) -> tuple[np.ndarray, str, bool]:
        return self._factors.solve(B, op)

    def __repr__(self) -> str:
        report = self.report
        return (
            f"<overlapack.{type(self).__name__} of a {self.shape[0]} x {self.shape[1]} matrix, {self.dtype}: "
            f"grid {report['grid']}, blocks of {report['block']}, schedule {report['schedule']}>"
        )


class LuFactorization(DenseFactors, DirectFactors):
    """The LU factors of a dense matrix; made by `lu_factor`."""

    _whole = staticmethod(_core.lu_factor)
    _dealt = staticmethod(_core.lu_factor_distributed)


class CholeskyFactorization(DenseFactors, DirectFactors):
    """The Cholesky factors of a dense matrix; made by `cholesky_factor`."""

    _whole = staticmethod(_core.cholesky_factor)
    _dealt = staticmethod(_core.cholesky_factor_distributed)


class WholeCholesky(CholeskyFactorization):
    """Of a matrix both of whose triangles count: BadInput where they differ."""

    _whole = staticmethod(_core.cholesky_factor_whole)


class QrFactorization(DenseFactors):
    """The QR factors of a dense matrix; made by `qr_factor`. `solve` is by least squares."""

    _whole = staticmethod(_core.qr_factor)
    _dealt = staticmethod(_core.qr_factor_distributed)

    def _rows_of_x(self, part: np.ndarray, layout: Layout) -> int:
        of_X = replace(layout, shape=(self.shape[1], layout.shape[1]))
        return len(of_X.rows(self._factors.rank()))

    def multiply_q(self, C: Any, trans: str | int = "N") -> np.ndarray:
        """Q C, or with trans "C" Q^H C ("T": of real factors), on every rank; Q is m x m.

        C: m numbers, or m x k; of a type that the factors' type holds.
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
        """The first n columns of Q, on every rank: A = q() @ r()."""
        return self.multiply_q(np.eye(*self.shape, dtype=self.dtype))

    def r(self) -> np.ndarray:
        """R, n x n, with zeros below the diagonal, whose entries may be negative; on every rank."""
        self._ranks.meet()
        n = self.shape[1]
        return self._factors.r().reshape((n, n), order="F")
