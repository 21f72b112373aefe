"""The agreement of the ranks of an MPI run before a call that all of them make. If one rank refuses its arguments, all ranks do."""
from __future__ import annotations

import json
from typing import Any, Callable, Dict, Sequence, Tuple

import numpy as np

from . import _core
from ._errors import BadInput, BadPlan, Error, MissingFile, make_error
from ._matrix import require_range, right_hand_sides, type_of_factors, working_type
from ._voice import Voice

#: the arguments of a rank's call, by name; None: not given, and so left to rank 0
Facts = Dict[str, Any]
#: shape and type, or its name
Described = Tuple[Sequence[int], Any]


def described(array: Any) -> Described:
    return array.shape, working_type(array.dtype)


def type_for(A: Described, b: Described | None) -> np.dtype:
    """The type of the factors of A that serve b."""
    return type_of_factors(np.dtype(A[1]), b and np.dtype(b[1]))


class Ranks:
    """The ranks that make calls together and share factors. There is one if ranks are threads of this process."""

    def __init__(self, settings: _core.Settings, voice: Voice) -> None:
        processes = _core.Processes(settings) if settings.ranks_are_processes() else None
        self._processes = processes if processes is not None and processes.size() > 1 else None
        #: whose matrix and right-hand sides count
        self.is_first = self._processes is None or self._processes.rank() == 0
        #: that of the first rank is heard
        self.voice = voice
        if not self.is_first:
            voice.is_first = False
        #: what this rank meets every further call with
        self.refusal: Error | None = None

    def looks_at(self, given: Any) -> bool:
        """Whether this rank looks at an argument. It does not look at None, unless the argument counts."""
        return given is not None or self.is_first

    def meet(self) -> None:
        """`agree` before a call without arguments."""
        self.agree(lambda: ({}, None))

    def agree(self, look: Callable[[], Tuple[Facts, Any]]) -> tuple[Facts, Any]:
        """Agree on the arguments of a call; collective. Returns (the facts of rank 0, what `look` made of this rank's arguments).

        look: returns the facts of this rank's arguments, and what it made of them. It raises if it refuses them.
        All ranks raise the error of the lowest rank that refuses; BadInput if a rank's facts differ from rank 0's.
        """
        if self._processes is None:
            return look()
        refusal: BaseException | None = self.refusal
        try:
            if refusal is not None:
                raise refusal
            facts, made = look()
            text = json.dumps({"facts": facts}, default=str)
        except BaseException as error:
            refusal = error
            text = json.dumps({"refuses": _as_error(error, self._processes.rank())})
        said = [json.loads(one) for one in self._processes.tell(text)]
        for rank, one in enumerate(said):
            if "refuses" in one:
                if rank == self._processes.rank() and (isinstance(refusal, Error) or not isinstance(refusal, Exception)):
                    raise refusal  # type: ignore[misc]
                raise make_error(**one["refuses"]) from refusal
        _require_alike([one["facts"] for one in said])
        return said[0]["facts"], made


def given_matrix(ranks: Ranks, A: Any, read: Callable[[Any], Any], **others: Any) -> tuple[Facts, Any]:
    """For `agree`: the description of a matrix, other facts, and the matrix as `read` makes it from A."""
    if not ranks.looks_at(A):
        return {**others, "A": None}, None
    held = read(A)
    return {**others, "A": described(held)}, held


def given_columns(
    ranks: Ranks, b: Any, rows: int | None, name: str = "b", factors: np.dtype | None = None, **others: Any
) -> tuple[Facts, np.ndarray | None]:
    """For `agree`: the description of right-hand sides, other facts, and the right-hand sides as columns. rows: of the matrix, if known.

    factors: their type, if they are made, which has to hold the numbers
    """
    if not ranks.looks_at(b):
        return {name: None, **others}, None
    B, shape = right_hand_sides(b, rows, name)
    if factors is not None:
        require_range(B, factors, name)
    return {name: (shape, working_type(B.dtype)), **others}, B


def no_right_hand_sides(b: Described) -> np.ndarray:
    """Takes the place of columns that only rank 0 has."""
    shape, dtype = b
    return np.zeros((0, shape[1] if len(shape) > 1 else 1), dtype=dtype, order="F")


def _as_error(error: BaseException, rank: int) -> dict[str, str]:
    if isinstance(error, Error):
        return {"kind": "missing_file" if isinstance(error, MissingFile) else error.kind, "where": error.where, "message": str(error)}
    text = f"rank {rank} could not go on: {type(error).__name__}: {error}; see what it was called with"
    return {"kind": "out_of_memory" if isinstance(error, MemoryError) else BadInput.kind, "where": "python", "message": text}


def _require_alike(facts: list[Facts]) -> None:
    for rank, mine in enumerate(facts):
        for name, value in mine.items():
            first = facts[0].get(name)
            if value is None or value == first:
                continue
            cure = "give the same on every rank" + (", or None on all but rank 0" if _is_description(value) else "")
            kind = BadInput if isinstance(value, list) else BadPlan
            raise kind(f"rank 0 was called with {_shown(name, first)}, rank {rank} with {_shown(name, value)}; {cure}", "python")


def _is_description(value: Any) -> bool:
    """Whether this is a Described of an array, as JSON gives it back."""
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], list)


def _shown(name: str, value: Any) -> str:
    if _is_description(value):
        return f"{name} of shape {tuple(value[0])} and type {value[1]}"
    return f"{name} {value}"
