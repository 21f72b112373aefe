"""Products and triangular solves with distributed dense matrices."""
from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._factors import operation
from ._layout import Layout
from ._matrix import part_of, working_type
from ._ranks import Facts, Ranks
from ._settings import begin

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options


def multiply_parts(
    A: Any, of_A: Layout, B: Any, of_B: Layout, **options: Unpack[Options]
) -> tuple[np.ndarray, Layout]:
    """Multiply distributed matrices, C = A B; all ranks of `comm` call it.

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
        True: the lower triangle of A is read; False: the upper one.
    unit_diagonal : bool
        The diagonal is not read, and is taken as ones.
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
