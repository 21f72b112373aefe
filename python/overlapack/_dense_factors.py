"""The factors of dense matrices."""
from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._errors import BadInput
from ._factors import DirectFactors, Factors, operation, warn_of_answer
from ._layout import Layout
from ._matrix import laid_out, part_of, require_range, type_of_factors
from ._ranks import Described, Facts, Ranks, given_columns, no_right_hand_sides, type_for

if TYPE_CHECKING:
    from typing_extensions import Self


def held_as(A: np.ndarray | None, dtype: np.dtype) -> np.ndarray:
    """A in this type; on a rank without a matrix an empty array in its place."""
    return np.zeros((0, 0), dtype) if A is None else laid_out(A, dtype)


class DenseFactors(Factors):
    """The factors of a dense matrix."""

    _whole: Any  #: the extension's function for a whole matrix,
    _distributed: Any  #: and for its parts

    @classmethod
    def of_whole(cls, A: np.ndarray | None, a: Described, b: Described | None, settings: _core.Settings, ranks: Ranks) -> Self:
        """Make factors of rank 0's matrix, which `a` describes, for right-hand sides that `b` describes. A: this rank's own matrix, if it has one."""
        held = held_as(A, type_for(a, b))
        return cls(cls._whole(held, settings=settings), tuple(a[0]), held.dtype, ranks)

    @classmethod
    def of_part(cls, A: np.ndarray, layout: Any, shape: tuple[int, int], settings: _core.Settings, ranks: Ranks) -> Self:
        """Make factors of the parts of all ranks. layout: the layout as numbers."""
        dtype = type_of_factors(A.dtype)
        return cls(cls._distributed(np.asfortranarray(A, dtype=dtype), layout=layout, settings=settings), shape, dtype, ranks)

    def solve_part(self, b: Any, layout: Layout, trans: str | int = "N") -> np.ndarray:
        """Solve for a distributed B and return this rank's part of X; all ranks of `comm` call it.

        Parameters
        ----------
        b : array_like
            This rank's part of B, of a type that the factors' type can hold. A part of one
            column may be a vector.
        layout : Layout
            How B is distributed.
        trans : {"N", "T", "C"}
            As for `solve`.

        Returns
        -------
        ndarray
            X is distributed as B. With QR it has fewer rows, and is distributed as a matrix of
            its shape in the same blocks.
        """
        def look() -> tuple[Facts, Any]:
            part = part_of(b, "b", (1, 2))
            if part.dtype.kind == "c" and self.dtype.kind != "c":
                raise BadInput("the part of B is complex, but the matrix is real; solve for its two parts one by one", "python")
            require_range(part, self.dtype, "the part of B")
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
    """Cholesky factors of a matrix whose two triangles are both read: BadInput if they differ."""

    _whole = staticmethod(_core.cholesky_factor_whole)


class QrFactorization(DenseFactors):
    """The QR factors of a dense matrix; made by `qr_factor`.

    `solve` gives least squares solutions.
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
            m numbers, or m x k, of a type that the factors' type can hold.
        trans : {"N", "T", "C"}
            "C": Q^H C; "T" is for real factors.

        Returns
        -------
        ndarray
        """
        def look() -> tuple[Facts, Any]:
            facts, columns = given_columns(self._ranks, C, self.shape[0], "C", self.dtype, trans=operation(trans))
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

        Diagonal entries may be negative.
        """
        self._ranks.meet()
        n = self.shape[1]
        return self._factors.r().reshape((n, n), order="F")
