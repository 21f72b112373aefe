"""Kept analyses, for many matrices with one pattern."""
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._files import of_file
from ._ranks import Facts, Ranks
from ._report import Plan
from ._settings import begin

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options


class PatternAnalysis:
    """The analysis of a matrix, for all matrices of its pattern; made by `analyse`.

    The object never changes. Under mpirun rank 0 has the analysis, and the other ranks
    have an empty object."""

    def __init__(self, analysis: _core.Analysis, ranks: Ranks) -> None:
        self._analysis = analysis
        self._ranks = ranks
        #: what `plan` tells, a Plan
        self.report = Plan(json.loads(analysis.report()))

    def order(self) -> np.ndarray:
        """The unknowns in the order of their elimination, if no pivot is delayed.

        Other programs can use it as a fill-reducing order. Under mpirun rank 0 has it.

        Returns
        -------
        ndarray of int64, (n,)

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import eye_array
        >>> sorted(overlapack.analyse(eye_array(3, format="csc")).order().tolist())
        [0, 1, 2]
        """
        return self._analysis.order()

    def save(self, path: Any) -> None:
        """Write the analysis to a file that `load_analysis` reads.

        Under mpirun all ranks call it.
        """

        def write() -> tuple[Facts, None]:
            self._analysis.save(str(path))
            return {}, None

        self._ranks.agree(write)

    def __copy__(self) -> PatternAnalysis:
        return self

    def __deepcopy__(self, memo: Any) -> PatternAnalysis:
        return self

    def __reduce__(self) -> Any:
        raise TypeError("an analysis cannot be pickled; it goes to a file by save and comes back by load_analysis")

    def __repr__(self) -> str:
        told = self.report
        return f"<PatternAnalysis: {told.method}, {told.factorization}, n {told.n}, {told.nnz} entries of type {told.type}>"


def load_analysis(path: Any, **options: Unpack[Options]) -> PatternAnalysis:
    """Read an analysis from a file that `PatternAnalysis.save` wrote.

    Parameters
    ----------
    path : str or path
    **options
        As for `factorize`. Options that shape an analysis come from the file.

    Returns
    -------
    PatternAnalysis

    Raises
    ------
    MissingFile
        There is no such file; a BadInput and a FileNotFoundError.
    BadInput
        The file is not one of ours, of another version, cut short or changed.

    Examples
    --------
    >>> import overlapack
    >>> from scipy.sparse import csc_array
    >>> A = csc_array([[2.0, 1.0], [0.0, 4.0]])
    >>> overlapack.analyse(A).save("kept.analysis")
    >>> analysis = overlapack.load_analysis("kept.analysis")
    >>> overlapack.factorize(A, analysis=analysis).solve([3.0, 4.0])
    array([1., 1.])
    """
    used, ranks = begin(options)
    ranks.meet()
    return PatternAnalysis(of_file(str(path), lambda: _core.load_analysis(str(path), settings=used)), ranks)
