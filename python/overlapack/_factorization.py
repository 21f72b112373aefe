"""Factors of a sparse matrix, and what they can be asked."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._analysis import PatternAnalysis
from ._errors import BadInput, BadPlan
from ._factors import DirectFactors, Factors, operation, warn_of_answer
from ._half import CholeskyFactors, HalfFactors, LdltFactors, sample_count, unfit, white_noise
from ._matrix import Columns, Entries, Triangle, columns, csc_array, entries, mirrored, no_columns, right_hand_sides, whole_numbers
from ._ranks import Facts, Ranks, given_matrix


class TriangularFactors(NamedTuple):
    """L and U in one piece, as of scipy.sparse.linalg.SuperLU.

    A[argsort(perm_r)][:, argsort(perm_c)] = L @ U.

    Row i of A is row perm_r[i] of L, column j is column perm_c[j] of U; L has ones on
    its diagonal. L and U are scipy.sparse.csc_array."""

    L: Any
    U: Any
    perm_r: np.ndarray
    perm_c: np.ndarray


class Factorization(DirectFactors):
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
    _triangles: TriangularFactors | None = None
    _half: HalfFactors | None = None

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

    def _call_solve(self, B: np.ndarray, op: int) -> tuple[np.ndarray, str, bool]:
        return self._factors.solve(B, op)

    def substitute(self, x: np.ndarray, trans: str | int = "N") -> None:
        """x <- A^-1 x in place by the factors alone, for callers who refine themselves.

        x is neither refined nor measured, and the report's errors are unknown after it.
        Of a symmetric A `half().substitute(x)` is shorter still.

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
            raise unfit(x, self.dtype) from None

    def solve_part(self, b: Any, rows: Any, wanted: Any = "blocks", trans: str | int = "N") -> tuple[np.ndarray, np.ndarray]:
        """Solve for right-hand sides whose rows are on the ranks; called by all of them.

        Parameters
        ----------
        b : array_like
            The values of `rows`: as many numbers, or len(rows) x k for k right-hand
            sides; of a type that the factors' type holds.
        rows : array_like of int
            Which rows of the whole they are. Each row of the matrix is given by one
            rank; a rank may have none.
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
            Those of x.
        """
        places = ["blocks", "first", "all"]
        is_named = not isinstance(wanted, str)

        def look() -> tuple[Facts, Any]:
            given = whole_numbers(rows, "rows").ravel()
            B, shape = right_hand_sides(b, len(given))
            if B.dtype.kind == "c" and self.dtype.kind != "c":
                raise BadInput("the part of b is complex, but the matrix is real; solve for its two parts one by one", "python")
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
            These factors. They need no new memory unless more pivots are delayed.

        Raises
        ------
        BadInput
            Another pattern or symmetry; the old factors stay.
        Singular
            As `factorize`; then there are no factors until the next refactorize.

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
            "T": of A^T x = 0, "C": of A^H x = 0.

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

    def triangular_factors(self) -> TriangularFactors:
        """L and U in one piece, with their permutations; solving needs none of it.

        They are made when they are asked for first, and kept until `refactorize`: a
        copy of the factors, or, where those at hand are not LU by fronts of one rank in
        memory (LDL^T of a symmetric matrix, say), one more factorisation. Called by all
        ranks; empty on those but rank 0.

        Returns
        -------
        TriangularFactors

        Raises
        ------
        Singular
            A pivot is zero.

        Examples
        --------
        >>> import numpy as np, overlapack
        >>> from scipy.sparse import csc_array
        >>> A = csc_array([[2.0, 1.0], [1.0, 4.0]])
        >>> L, U, perm_r, perm_c = overlapack.factorize(A).triangular_factors()
        >>> (L @ U - A[np.argsort(perm_r)][:, np.argsort(perm_c)]).toarray()
        array([[0., 0.],
               [0., 0.]])
        """
        if self._triangles is None:
            self._ranks.meet()
            L, U, perm_r, perm_c = self._factors.triangular_factors()
            n = len(perm_r)
            self._triangles = TriangularFactors(csc_array(n, n, *L), csc_array(n, n, *U), perm_r, perm_c)
        return self._triangles

    @property
    def L(self) -> Any:
        """The unit lower triangle of `triangular_factors`."""
        return self.triangular_factors().L

    @property
    def U(self) -> Any:
        """The upper triangle of `triangular_factors`."""
        return self.triangular_factors().U

    @property
    def perm_r(self) -> np.ndarray:
        """Row i of A is row perm_r[i] of L, see `triangular_factors`."""
        return self.triangular_factors().perm_r

    @property
    def perm_c(self) -> np.ndarray:
        """Column j of A is column perm_c[j] of U, see `triangular_factors`."""
        return self.triangular_factors().perm_c

    def ldlt(self) -> LdltFactors:
        """L, D and the order of elimination of a symmetric or Hermitian A.

        They are made anew by each call: a copy of the factors, or, where those at hand
        are not by fronts of one rank in memory, one more factorisation. Called by all
        ranks; empty on those but rank 0.

        Returns
        -------
        LdltFactors
            A[perm][:, perm] = L @ D @ L.T, of a Hermitian A L @ D @ L.conj().T.

        Raises
        ------
        BadPlan
            A is not symmetric or Hermitian.
        Singular
            A pivot is null or was replaced.

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> A = csc_array([[4.0, 2.0], [2.0, 5.0]])
        >>> L, D, perm = overlapack.factorize(A).ldlt()
        >>> bool(abs(A[perm][:, perm] - L @ D @ L.T).max() < 1e-15)
        True
        """
        self._ranks.meet()
        L, D, place = self._factors.symmetric_factors()
        n = len(place)
        return LdltFactors(csc_array(n, n, *L), csc_array(n, n, *D), np.argsort(place))

    def cholesky(self) -> CholeskyFactors:
        """L and the order of elimination of a positive definite A, from L D L^T too.

        Returns
        -------
        CholeskyFactors
            A[perm][:, perm] = L @ L.conj().T.

        Raises
        ------
        BadInput
            A is not positive definite.
        BadPlan, Singular
            As `ldlt`.

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> overlapack.factorize(csc_array([[4.0, 0.0], [0.0, 9.0]])).cholesky().L.diagonal()
        array([2., 3.])
        """
        L, D, perm = self.ldlt()
        pivot = D.diagonal().real
        if D.nnz > len(perm):
            raise BadInput("D has blocks of order 2, which Cholesky has not; factorise with factorization=\"cholesky\"", "python")
        if len(perm) and not pivot.min() > 0:
            unknown = perm[pivot.argmin()]
            raise BadInput(f"the matrix is not positive definite: the pivot of unknown {unknown} (from 0) is not positive", "python")
        L.data *= np.repeat(np.sqrt(pivot), np.diff(L.indptr)).astype(L.dtype)
        return CholeskyFactors(L, perm)

    def half(self) -> HalfFactors:
        """One half of a symmetric or Hermitian A, to solve and multiply with in parts.

        It is a copy of the factors as `ldlt` gives them, made once and kept until
        `refactorize`. Called by all ranks; of order 0 on those but rank 0.

        Raises
        ------
        BadPlan, Singular
            As `ldlt`.

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> half = overlapack.factorize(csc_array([[4.0, 0.0], [0.0, 9.0]])).half()
        >>> half.multiply([1.0, 1.0])
        array([2., 3.])
        """
        if self._half is None:
            self._ranks.meet()
            half = self._factors.half()
            self._half = HalfFactors(half, half.order(), self.dtype)
        return self._half

    def sample(self, mean: Any = None, rng: Any = None, k: int | None = None) -> np.ndarray:
        """Samples of the normal distribution with the precision matrix A.

        Their covariance is A^-1: of a Gaussian Markov random field, say. For the
        covariance A take ``mean + half().multiply(z)`` of white noise z.

        Parameters
        ----------
        mean : array_like, optional
            n numbers; by default zeros.
        rng : int or numpy.random.Generator, optional
            As of numpy.random.default_rng; the same seed gives the same samples.
        k : int, optional
            Their number; by default one.

        Returns
        -------
        ndarray
            n numbers, or n x k where k is given.

        Raises
        ------
        BadInput
            A is not positive definite.
        BadPlan, Singular
            As `ldlt`.

        Examples
        --------
        >>> import numpy as np, overlapack
        >>> from scipy.sparse import csc_array
        >>> factors = overlapack.factorize(csc_array([[4.0, 0.0], [0.0, 1.0]]))
        >>> factors.sample([1.0, 2.0], rng=7, k=100000).std(axis=1).round(1)
        array([0.5, 1. ])
        """
        columns = sample_count(k)
        half = self.half()
        n = half.shape[0]
        center = np.zeros(n) if mean is None else np.asarray(mean)
        if center.shape != (n,):
            raise BadInput(f"mean has the shape {center.shape}; for this A it must be ({n},)", "python")
        X = half.solve_adjoint(white_noise(rng, n, columns, self.dtype)) + center[:, np.newaxis]
        return X[:, 0] if k is None else X

    def logdet(self) -> float:
        """log det A of a matrix whose determinant is positive; it does not overflow.

        Raises
        ------
        BadInput
            The determinant is not positive; `slogdet` has its sign.

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> overlapack.factorize(csc_array([[4.0, 0.0], [0.0, 9.0]])).logdet()
        3.58351893845611
        """
        sign, logarithm = self.slogdet()
        if not (np.real(sign) > 0 and np.imag(sign) == 0):
            raise BadInput(f"the determinant has the sign {sign}, and no logarithm; slogdet has both", "python")
        return float(logarithm)

    def inverse_entries(self, rows: Any, cols: Any) -> np.ndarray:
        """Entries of the inverse of A, by what is least work.

        Parameters
        ----------
        rows, cols : array_like of int
            Which entries; they are broadcast against each other.

        Returns
        -------
        ndarray
            Entry (rows[k], cols[k]) of A^-1 at k.

        Raises
        ------
        Singular
            A has no inverse.
        BadPlan
            Pivots were replaced or factors compressed: these are of another matrix.

        Notes
        -----
        Entries at places (cols[k], rows[k]) that the factors fill are computed from the
        last front down, in about two factorisations' time however many they are. Few
        entries, and those at other places, take a solve for each column; where these
        are many, A is factorised once more with their places in its pattern.

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> factors = overlapack.factorize(csc_array([[2.0, 1.0], [0.0, 4.0]]))
        >>> factors.inverse_entries([0, 1], [0, 1])
        array([0.5 , 0.25])
        """

        def look() -> tuple[Facts, Any]:
            row, col = np.broadcast_arrays(whole_numbers(rows, "rows"), whole_numbers(cols, "cols"))
            return {"shape": list(row.shape)}, (np.ascontiguousarray(row.ravel()), np.ascontiguousarray(col.ravel()))

        facts, (row, col) = self._ranks.agree(look)
        return self._factors.inverse_entries(row, col).reshape(facts["shape"])

    def inverse_diagonal(self) -> np.ndarray:
        """The diagonal of the inverse: variances, where A is a precision matrix.

        Raises
        ------
        Singular, BadPlan
            As `inverse_entries`.

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> overlapack.factorize(csc_array([[2.0, 1.0], [0.0, 4.0]])).inverse_diagonal()
        array([0.5 , 0.25])
        """
        self._ranks.meet()
        return self._factors.inverse_diagonal()

    def selected_inverse(self) -> Any:
        """The inverse where A^T has entries, and on its diagonal.

        Returns
        -------
        scipy.sparse.csc_array
            Entry (j, i) of A^-1 for each entry (i, j) of A; of a symmetric A that is
            A's own pattern. Empty on ranks other than 0.

        Raises
        ------
        Singular, BadPlan
            As `inverse_entries`; BadPlan also after distributed=True.

        Notes
        -----
        For gradients: d log|det A| / dA_ij is entry (j, i) of A^-1.

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> Z = overlapack.factorize(csc_array([[2.0, 1.0], [0.0, 4.0]])).selected_inverse()
        >>> Z.toarray()
        array([[0.5 , 0.  ],
               [0.  , 0.25]])
        """
        self._ranks.meet()
        start, row, value = self._factors.selected_inverse()
        n = len(start) - 1 if len(start) else 0
        return csc_array(n, n, start, row, value)

    @property
    def nnz(self) -> int:
        """Entries of the factors."""
        return int(self.report["factor_nnz"])

    def inertia(self) -> tuple[int, int, int]:
        """How many eigenvalues are positive, negative and zero.

        They are the signs of the pivots, of a real symmetric or Hermitian matrix.

        Returns
        -------
        (int, int, int)

        Raises
        ------
        BadPlan
            The factors are LU, or A is complex and symmetric.
        Singular
            A is singular, and there is no null_pivots to count zeros.

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> overlapack.factorize(csc_array([[1.0, 2.0], [2.0, 1.0]])).inertia()
        (1, 1, 0)
        """
        return self._factors.inertia()
