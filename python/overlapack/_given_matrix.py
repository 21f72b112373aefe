"""Turns the matrix that a function is given into the form that the extension takes."""
from __future__ import annotations

from typing import Any, Literal, Optional

from ._matrix import Columns, Triangle, columns, dense_matrix, entries, mirrored, no_columns
from ._ranks import Described, Facts, Ranks, given_matrix, type_for

#: a triangle of a matrix, or none of them
Half = Optional[Literal["upper", "lower"]]


def given(ranks: Ranks, A: Any, distributed: bool, triangle: Triangle | None, is_dense: bool = False) -> tuple[Facts, Any]:
    """For `Ranks.agree`: the description of the matrix, and the matrix as Entries, Columns or, with is_dense, an array."""
    if distributed:
        return {"distributed": True}, entries(A, triangle)
    facts: Facts = {"distributed": False, "A as": None, "A": None}
    if not ranks.looks_at(A):
        return facts, None
    read = dense_matrix if is_dense else columns
    facts["A as"] = "dense" if is_dense else "sparse"
    of_A, held = given_matrix(ranks, mirrored(A, triangle), read)
    return {**facts, **of_A}, held


def typed(held: Columns | None, A: Described, b: Described | None = None) -> Columns:
    """The matrix in the type of the factors that serve b. A: the description of rank 0's matrix; held: this rank's own, if it has one."""
    dtype = type_for(A, b)
    return no_columns(A[0], dtype) if held is None else held.astype(dtype)
