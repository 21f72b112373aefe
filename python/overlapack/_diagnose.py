"""Finds out why a model is singular, in words about the model."""
from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np

from . import _core
from ._errors import BadInput
from ._matrix import columns, mirrored, right_hand_sides, triangle_of, working_type
from ._settings import settings
from ._given_matrix import Half
from ._voice import Voice


@dataclass(frozen=True)
class Finding:
    """One fault of a model, or a note about it."""

    #: empty_unknown, empty_equation, too_many_equations, too_few_equations, free_unknowns,
    #: dependent_equations; of notes weak_unknowns, uneven_scale
    kind: str
    #: True: a proved fault; False: a note
    is_fault: bool
    #: numbers of the unknowns that take part, those with the largest part first
    unknowns: tuple[int, ...]
    #: numbers of the equations that take part, those with the largest part first
    equations: tuple[int, ...]
    #: the unknowns to fix, or the equations to take out, as few as remove the fault
    change: tuple[int, ...]
    #: weak_unknowns: the relative size of the rest by which the matrix determines them
    share: float
    #: what is wrong, in the caller's names
    what: str
    #: what mends it
    remedy: str


class Diagnosis:
    """The findings of `diagnose`; print(diagnosis) shows them as a table."""

    def __init__(self, findings: tuple[Finding, ...], table: str) -> None:
        #: faults first
        self.findings = findings
        self._table = table

    @property
    def is_sound(self) -> bool:
        """Whether there is no fault. Notes are no faults."""
        return not any(finding.is_fault for finding in self.findings)

    def __str__(self) -> str:
        return self._table.rstrip()

    def __repr__(self) -> str:
        faults = sum(finding.is_fault for finding in self.findings)
        return f"<overlapack.Diagnosis: {faults} faults, {len(self.findings) - faults} notes>"


def _names(names: Sequence[Any] | None) -> list[str]:
    return [] if names is None else [str(name) for name in names]


def diagnose(
    A: Any,
    *,
    names: Sequence[Any] | None = None,
    equations: Sequence[Any] | None = None,
    coordinates: Any = None,
    b: Any = None,
    symmetric: Half = None,
    hermitian: Half = None,
) -> Diagnosis:
    """Find out why A is singular, or nearly so, in words about the model from which it comes.

    It looks for empty or surplus unknowns and equations by the pattern, for parts that
    nothing holds and their rigid motions, for dependent equations, for unknowns that are
    held weakly, and for rows in other units than the rest.

    Parameters
    ----------
    A : sparse array or matrix
        Square, as for `factorize`.
    names : sequence of str, optional
        Names of the unknowns; by default "unknown 7".
    equations : sequence of str, optional
        Names of the equations; by default "equation of" the unknown of the same number.
    coordinates : array_like, optional
        nodes x 1, 2 or 3. The unknowns are numbered node by node: as many for each node
        as there are dimensions (displacements), with rotations (3 in the plane, 6 in
        space), or one.
    b : array_like or sparse, optional
        The right-hand side, n real numbers. With it the findings distinguish equations
        that contradict each other from those that repeat each other.
    symmetric, hermitian : {"upper", "lower"}, optional
        As for `factorize`.

    Returns
    -------
    Diagnosis
        `findings`, faults first, and `is_sound`. A fault is proved: a relative change of
        each entry by 2e-14, which is rounding in a model, makes A singular. An
        ill-conditioned A has no faults; weak unknowns are notes.

    Raises
    ------
    BadInput
        A is not square, names, coordinates or b do not fit it, or b is complex.

    Notes
    -----
    It takes an analysis, a factorisation, and some solves for each null vector.

    Examples
    --------
    >>> import overlapack
    >>> from scipy.sparse import csc_array
    >>> springs = csc_array([[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, 2.0]])
    >>> print(overlapack.diagnose(springs, names=["left", "right", "wall"]))
    1. fault: free_unknowns
       left and right can change together in one way without any effect on an equation: all by the same
       amount; this part of 2 unknowns is not connected to the others, and nothing holds it
       -> fix left, or connect what is free to what is held
    """
    held = columns(mirrored(A, triangle_of(symmetric, hermitian)))
    held = held.astype(working_type(held.dtype))
    places = np.zeros((0, 0)) if coordinates is None else np.asarray(coordinates, dtype=float)
    if places.ndim != 2:
        raise BadInput(f"coordinates have the shape {places.shape}; give one row for each node", "python")
    side = np.zeros((0, 1)) if b is None else right_hand_sides(b, None)[0]
    if side.dtype.kind == "c":
        raise BadInput("b is complex, and diagnose compares real numbers; leave b out or, with a real A, give b.real and b.imag one by one",
                       "python")
    if side.shape[1] != 1:
        raise BadInput(f"b has {side.shape[1]} columns; give one right-hand side", "python")
    text, table = _core.diagnose(
        *held.arguments(),
        unknowns=_names(names),
        equations=_names(equations),
        coordinates=np.ascontiguousarray(places.ravel()),
        dimensions=places.shape[1],
        b=np.ascontiguousarray(side.ravel(), dtype=float),
        settings=settings({}, Voice(), is_collective=False),
    )
    found = []
    for entry in json.loads(text)["findings"]:
        lists = {key: tuple(entry.pop(key)) for key in ("unknowns", "equations", "change")}
        found.append(Finding(**entry, **lists))
    return Diagnosis(tuple(found), table)
