"""Factors of a sparse matrix, and the questions that they answer."""
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._analysis import PatternAnalysis
from ._errors import BadInput, BadPlan
from ._factors import Factors, operation, warn_of_answer
from ._files import of_file
from ._half import is_fit, unfit
from ._inverse import SparseInverse
from ._matrix import Columns, Entries, Triangle, columns, entries, mirrored, no_columns, require_range, right_hand_sides, whole_numbers
from ._ranks import Facts, Ranks, given_matrix
from ._settings import begin

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options


class Factorization(SparseInverse):
    """The factors of a sparse matrix; made by `factorize`.

    factors.solve(b), or factors(b), solves.
    `scipy.sparse.linalg.aslinearoperator(factors)` is A^-1, and SciPy's functions take
    the factors where they take an operator: gmres(A, b, M=factors), eigsh(A, sigma=0,
    OPinv=factors).

    Examples
    --------
    >>> import numpy as np, overlapack
    >>> from scipy.sparse import csc_array
    >>> with overlapack.factorize(csc_array([[2.0, 1.0], [0.0, 4.0]])) as factors:
    ...     print(factors.solve([3.0, 4.0]), factors([3.0, 4.0], "T"), factors.det())
    [1. 1.] [1.5   0.625] 8.0
    """

    def __init__(self, A: Columns, settings: _core.Settings, ranks: Ranks, analysis: PatternAnalysis | None = None) -> None:
        kept = None if analysis is None else analysis._analysis
        super().__init__(_core.factorize(*A.arguments(), analysis=kept, settings=settings), A.shape, A.data.dtype, ranks)

    _is_distributed = False
    _triangle: Triangle | None = None  #: of the matrix, that is read

    @classmethod
    def _of(cls, factors: Any, shape: tuple[int, int], dtype: np.dtype, ranks: Ranks, are_new: bool = True) -> Factorization:
        self = cls.__new__(cls)
        Factors.__init__(self, factors, shape, dtype, ranks, are_new)
        return self

    @classmethod
    def _of_parts(cls, A: Entries, settings: _core.Settings, ranks: Ranks) -> Factorization:
        self = cls._of(_core.factorize_distributed(*A.arguments(), settings=settings), A.shape, A.dtype, ranks)
        self._is_distributed = True
        return self

    def _call_solve(self, B: np.ndarray, op: int) -> tuple[np.ndarray, str, str]:
        return self._factors.solve(B, op)

    def substitute(self, x: np.ndarray, trans: str | int = "N") -> None:
        """Compute x <- A^-1 x in place by the factors alone, for callers who refine themselves.

        x is neither refined nor measured, and the report's errors are unknown after it.
        For a symmetric A `half().substitute(x)` has less overhead.

        Parameters
        ----------
        x : ndarray
            n numbers of the factors' type, or n x k by columns (order="F"); under mpirun
            on every rank, with b on rank 0.
        trans : {"N", "T", "C"}
            As for `solve`.

        Raises
        ------
        BadInput
            x is of another type, order or size, or holds NaN or infinity.

        Examples
        --------
        >>> import numpy as np, overlapack
        >>> from scipy.sparse import csc_array
        >>> factors = overlapack.factorize(csc_array([[2.0, 1.0], [0.0, 4.0]]))
        >>> x = np.array([3.0, 4.0])
        >>> factors.substitute(x)
        >>> x
        array([1., 1.])
        """
        op = operation(trans)
        try:
            self._factors.substitute(x, op)
        except TypeError:
            if is_fit(x, self.dtype):  # it is the progress function's
                raise
            raise unfit(x, self.dtype) from None

    def solve_part(self, b: Any, rows: Any, wanted: Any = "blocks", trans: str | int = "N") -> tuple[np.ndarray, np.ndarray]:
        """Solve for right-hand sides whose rows are distributed; all ranks call it.

        Parameters
        ----------
        b : array_like
            The values of `rows`: len(rows) numbers, or len(rows) x k for k right-hand
            sides, of a type that the factors' type can hold.
        rows : array_like of int
            The numbers of these rows in the whole right-hand side. Each row is given by
            exactly one rank; a rank may have none.
        wanted : {"blocks", "first", "all"} or array_like of int
            Which rows of x come back here. "blocks": rank r of p gets rows r n / p to
            (r + 1) n / p - 1. "first": rank 0 gets all. "all": every rank gets all. Or
            row numbers, each rank its own.
        trans : {"N", "T", "C"}
            As for `solve`.

        Returns
        -------
        x : ndarray
        rows : ndarray of int
            The numbers of the rows in x.
        """
        places = ["blocks", "first", "all"]
        is_named = not isinstance(wanted, str)

        def look() -> tuple[Facts, Any]:
            given = whole_numbers(rows, "rows").ravel()
            B, shape = right_hand_sides(b, len(given))
            if B.dtype.kind == "c" and self.dtype.kind != "c":
                raise BadInput("the part of b is complex, but the matrix is real; solve for its two parts one by one", "python")
            require_range(B, self.dtype, "the part of b")
            if isinstance(wanted, str) and wanted not in places:
                raise BadPlan(f'wanted is "{wanted}"; give "blocks", "first", "all" or row numbers', "python")
            chosen = whole_numbers(wanted, "wanted").ravel() if is_named else np.zeros(0, dtype=np.int64)
            facts = {"wanted": "rows" if is_named else wanted, "trans": operation(trans)}
            return facts, (np.ascontiguousarray(given), B, shape, np.ascontiguousarray(chosen))

        facts, (given, B, shape, chosen) = self._ranks.agree(look)
        values = np.asfortranarray(B, dtype=self.dtype).ravel(order="F")
        voice = self._ranks.voice
        voice.begin()
        x_rows, x, warning, status = self._factors.solve_distributed(
            given, values, facts["trans"], len(places) if is_named else places.index(wanted), chosen
        )
        warn_of_answer(warning, status)
        if voice.is_heard():
            voice.say_solved(self.report)
        X = x.reshape((len(x_rows), -1 if len(x_rows) else B.shape[1]), order="F")
        return (X[:, 0] if len(shape) == 1 else X), x_rows

    def refactorize(self, A: Any) -> Factorization:
        """Factorise another matrix with A's pattern, without a new analysis.

        Parameters
        ----------
        A : sparse array or matrix
            As for `factorize` (after distributed=True a part), with entries, zeros too,
            at the same places, and of a type that the factors' type holds. Under mpirun
            rank 0's counts, as for `solve`.

        Returns
        -------
        Factorization
            The same object. It needs no new memory unless more pivots are delayed.

        Raises
        ------
        BadInput
            Another pattern or symmetry; the old factors stay.
        Singular
            As `factorize`; there are no factors then until the next refactorize.

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> A = csc_array([[2.0, 1.0], [0.0, 4.0]])
        >>> factors = overlapack.factorize(A)
        >>> factors.refactorize(2 * A).solve([6.0, 8.0])
        array([1., 1.])
        """
        self._triangles = self._half = None

        def look() -> tuple[Facts, Any]:
            if self._is_distributed:
                facts: Facts = {}
                held: Any = entries(A, self._triangle)
            else:
                facts, held = given_matrix(self._ranks, A, lambda A: columns(mirrored(A, self._triangle)))
            if held is not None and held.dtype.kind == "c" and self.dtype.kind != "c":
                raise BadInput("A is complex, but the factors are real; call factorize", "python")
            if held is not None:
                require_range(held.data, self.dtype, "A")
            return facts, held

        facts, held = self._ranks.agree(look)
        voice = self._ranks.voice
        voice.begin()
        if self._is_distributed:
            self._factors.refactorize_distributed(*held.astype(self.dtype).arguments())
        else:
            A = no_columns(self.shape, self.dtype) if held is None else held.astype(self.dtype)
            self._factors.refactorize(*A.arguments())
        if voice.is_heard():
            voice.say_factorized(self.report, is_analysed=False)
        return self

    def save(self, path: Any) -> None:
        """Write the factors and the matrix to a file that `load_factors` reads.

        Under mpirun all ranks call it.
        """
        self._ranks.meet()
        self._factors.save(str(path))

    def null_space(self, trans: str | int = "N") -> np.ndarray:
        """An orthonormal basis of the x with A x = 0.

        Parameters
        ----------
        trans : {"N", "T", "C"}
            "N": the x with A x = 0, "T": with A^T x = 0, "C": with A^H x = 0.

        Returns
        -------
        ndarray
            n x k, a vector a column; k is 0 unless the option null_pivots=True found A
            singular.

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> A = csc_array([[1.0, -1.0], [-1.0, 1.0]])
        >>> factors = overlapack.factorize(A, null_pivots=True)
        >>> abs(factors.null_space()).round(4).tolist()
        [[0.7071], [0.7071]]
        """
        _, op = self._ranks.agree(lambda: ({"trans": operation(trans)}, operation(trans)))
        return self._factors.null_space(op).reshape((self.shape[0], -1), order="F")

    @property
    def nnz(self) -> int:
        """Entries of the factors."""
        return int(self.report["factor_nnz"])

    def inertia(self) -> tuple[int, int, int]:
        """How many eigenvalues are positive, negative and zero.

        They follow from the signs of the pivots of a real symmetric or Hermitian matrix.

        Returns
        -------
        (int, int, int)

        Raises
        ------
        BadPlan
            The factors are LU, or A is complex and symmetric.
        Singular
            A is singular, and `null_pivots` is not set.

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> overlapack.factorize(csc_array([[1.0, 2.0], [2.0, 1.0]])).inertia()
        (1, 1, 0)
        """
        return self._factors.inertia()


def load_factors(path: Any, **options: Unpack[Options]) -> Factorization:
    """Read factors from a file that `Factorization.save` wrote.

    Parameters
    ----------
    path : str or path
    **options
        As for `factorize`. The factors need as many ranks as they had.

    Returns
    -------
    Factorization

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
    >>> overlapack.factorize(csc_array([[2.0, 1.0], [0.0, 4.0]])).save("kept.factors")
    >>> overlapack.load_factors("kept.factors").solve([3.0, 4.0])
    array([1., 1.])
    """
    used, ranks = begin(options)

    def look() -> tuple[Facts, str]:
        name = of_file(str(path), lambda: _core.type_of_factors(str(path)))
        return {"type of the factors": name}, name

    _, name = ranks.agree(look)
    loaded = ranks.voice.timed("loading", lambda: getattr(_core, f"load_factors_{name}")(str(path), settings=used))
    n = json.loads(loaded.report())["n"]
    return Factorization._of(loaded, (n, n), np.dtype(name.lower()), ranks, are_new=False)
