"""Schur complements."""
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._errors import BadInput
from ._factors import warn_of_answer
from ._matrix import Columns, columns, mirrored, triangle_of, whole_numbers
from ._ranks import Facts, Ranks, given_columns, given_matrix, no_right_hand_sides
from ._report import Report
from ._settings import begin
from ._given_matrix import Half, typed

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options


class SchurComplement:
    """The Schur complement of some variables; made by `schur`."""

    #: S, a dense array in the order of the variables
    matrix: np.ndarray
    #: the type of its numbers
    dtype: np.dtype

    def __init__(self, A: Columns, variables: np.ndarray, settings: _core.Settings, ranks: Ranks) -> None:
        self._ranks = ranks
        self._schur = ranks.voice.timed(
            "Schur complement", lambda: _core.schur(*A.arguments(), variables=variables, settings=settings)
        )
        if ranks.voice.is_heard():
            ranks.voice.say_factorized(self.report)
        self._n = A.shape[0]
        self.dtype = A.dtype
        values = self._schur.matrix()
        order = round(len(values) ** 0.5)
        self.matrix = values.reshape((order, order), order="F")
        warn_of_answer(*self._schur.doubt())

    def condense(self, b: Any) -> np.ndarray:
        """The right-hand side of S x_v = condense(b): b_v - A_vi A_ii^-1 b_i."""
        facts, B = self._ranks.agree(lambda: self._given(b, self._n))
        return self._shaped(self._schur.condense(self._columns(facts, B)), facts, len(self.matrix))

    def expand(self, b: Any, x: Any) -> np.ndarray:
        """The whole solution from its part x_v at the variables, for the right-hand side b."""

        def look() -> tuple[Facts, Any]:
            (of_b, B), (of_x, X) = self._given(b, self._n), self._given(x, len(self.matrix), "x")
            if B is not None and X is not None and B.shape[1] != X.shape[1]:
                raise BadInput(f"b has {B.shape[1]} columns and x has {X.shape[1]}; give as many of each", "python")
            return {**of_b, **of_x}, (B, X)

        facts, (B, X) = self._ranks.agree(look)
        whole = self._schur.expand(self._columns(facts, B), self._columns(facts, X, "x"))
        return self._shaped(whole, facts, self._n)

    def __reduce__(self) -> Any:
        raise TypeError("a Schur complement cannot be pickled or copied; its array `matrix` can, and schur makes another one")

    @property
    def report(self) -> Report:
        """The figures of the factorisation of A_ii and of the last solve with it, if there was one."""
        return Report(json.loads(self._schur.report()))

    def _given(self, b: Any, rows: int, name: str = "b") -> tuple[Facts, np.ndarray | None]:
        facts, B = given_columns(self._ranks, b, rows, name, self.dtype)
        if B is not None and B.dtype.kind == "c" and self.dtype.kind != "c":
            raise BadInput("the right-hand side is complex, but the matrix is real; give its two parts one by one", "python")
        return facts, B

    def _columns(self, facts: Facts, B: np.ndarray | None, name: str = "b") -> np.ndarray:
        return np.asfortranarray(no_right_hand_sides(facts[name]) if B is None else B, dtype=self.dtype)

    @staticmethod
    def _shaped(answer: tuple[np.ndarray, str, str], facts: Facts, rows: int) -> np.ndarray:
        values, warning, status = answer
        warn_of_answer(warning, status)
        X = values.reshape((rows, -1), order="F")
        return X[:, 0] if len(facts["b"][0]) == 1 else X


def schur(A: Any, variables: Any, *, symmetric: Half = None, hermitian: Half = None, **options: Unpack[Options]) -> SchurComplement:
    """Compute the Schur complement of some variables v: S = A_vv - A_vi A_ii^-1 A_iv.

    All other variables i are eliminated. The cost is a factorisation of A_ii and a solve
    with it for each variable of v. If A_ii is nearly singular, `schur`, `condense` and
    `expand` warn as `solve` does (IllConditionedWarning, InaccurateWarning): choose other
    variables then.

    Parameters
    ----------
    A : sparse array or matrix
        As for `factorize`.
    variables : array_like of int
        The numbers of v, from 0. Rows and columns of S are in this order.
    symmetric, hermitian : {"upper", "lower"}, optional
        As for `factorize`: only this triangle of A is read.
    **options
        As for `factorize`.

    Returns
    -------
    SchurComplement
        Its `matrix` is S as an array. Its `condense` turns right-hand sides of A into those
        of S, and its `expand` turns solutions with S into those of A.

    Examples
    --------
    >>> import numpy as np, overlapack
    >>> from scipy import sparse
    >>> bands = [[-1.0] * 7, [4.0] * 8, [-1.0] * 7]
    >>> A = sparse.diags_array(bands, offsets=[-1, 0, 1]).tocsc()
    >>> b = A @ np.ones(8)
    >>> S = overlapack.schur(A, [0, 7])
    >>> x = S.expand(b, np.linalg.solve(S.matrix, S.condense(b)))
    >>> print(np.abs(x - 1).max() < 1e-14)
    True
    """
    used, ranks = begin(options)

    def look() -> tuple[Facts, Any]:
        triangle = triangle_of(symmetric, hermitian)
        facts, held = given_matrix(ranks, A, lambda A: columns(mirrored(A, triangle)))
        chosen = whole_numbers(variables, "variables") if ranks.looks_at(variables) else np.zeros(0, dtype=np.int64)
        return facts, (held, np.ascontiguousarray(chosen.ravel()))

    facts, (held, chosen) = ranks.agree(look)
    return SchurComplement(typed(held, facts["A"]), chosen, used, ranks)
