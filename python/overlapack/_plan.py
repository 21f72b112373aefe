"""Plans and analyses: the facts about a matrix before it is factorised."""
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from . import _core
from ._analysis import PatternAnalysis
from ._given_matrix import Half, given, typed
from ._matrix import columns, mirrored, triangle_of, working_type
from ._report import Plan
from ._settings import begin, settings
from ._voice import Voice, launched_rank

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options


def plan(A: Any, *, symmetric: Half = None, hermitian: Half = None, **options: Unpack[Options]) -> Plan:
    """Predict what `factorize` would do: ordering, work, fill and memory.

    Parameters
    ----------
    A, symmetric, hermitian, **options
        As for `factorize`.

    Returns
    -------
    Plan
        print(plan) shows it; predicted_factor_s, predicted_flops, predicted_bytes and
        predicted_factor_nnz are among its entries. Where `factorize` would refuse for
        want of the given memory_limit, status is "out_of_memory" and message says why.

    Notes
    -----
    Under mpirun each rank may call it by itself.

    Examples
    --------
    >>> import overlapack
    >>> from scipy import sparse
    >>> bands = [[-1.0] * 29, [2.0] * 30, [-1.0] * 29]
    >>> line = sparse.diags_array(bands, offsets=[-1, 0, 1])
    >>> planned = overlapack.plan(sparse.kronsum(line, line, format="csc"))
    >>> planned.factorization, planned.predicted_bytes < 2**20
    ('ldlt', True)
    """
    held = columns(mirrored(A, triangle_of(symmetric, hermitian)))
    held = held.astype(working_type(held.dtype))
    voice = Voice()
    used = settings(options, voice, is_collective=False)
    voice.is_first = not used.ranks_are_processes() or launched_rank() == 0
    planned = Plan(json.loads(_core.plan(*held.arguments(), settings=used)))
    if voice.is_heard():
        voice.say_factorized(planned)
    return planned


def analyse(A: Any, *, symmetric: Half = None, hermitian: Half = None, **options: Unpack[Options]) -> PatternAnalysis:
    """Analyse A once, to factorise many matrices with its pattern.

    The order, the tree, the matching and the scaling are kept, and `factorize` and `solve`
    take them as `analysis`. `Factorization.refactorize` reuses them, too, for one object
    of factors. A kept analysis serves many factors at once, also in another run.

    Parameters
    ----------
    A, symmetric, hermitian, **options
        As for `factorize`.

    Returns
    -------
    PatternAnalysis
        Its `report` is the Plan that `plan` returns; its `save` writes a file that
        `load_analysis` reads.

    Raises
    ------
    Singular
        A is structurally singular.
    BadInput, BadPlan, OutOfMemory, Cancelled, CommFailure
        As `solve`.

    Notes
    -----
    Under mpirun every rank calls analyse; A of rank 0 is used.

    Examples
    --------
    >>> import overlapack
    >>> from scipy.sparse import csc_array
    >>> A = csc_array([[2.0, 1.0], [0.0, 4.0]])
    >>> analysis = overlapack.analyse(A)
    >>> [overlapack.solve(k * A, [3.0, 4.0], analysis=analysis).tolist() for k in (1, 2)]
    [[1.0, 1.0], [0.5, 0.5]]
    """
    used, ranks = begin(options)
    facts, held = ranks.agree(lambda: given(ranks, A, False, triangle_of(symmetric, hermitian)))
    ranks.voice.begin()
    analysis = PatternAnalysis(_core.analyse(*typed(held, facts["A"]).arguments(), settings=used), ranks)
    if ranks.voice.is_heard():
        ranks.voice.say_factorized(analysis.report)
    return analysis
