"""The functions of the package."""
from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any, Callable, Literal, NamedTuple, Optional, overload

import numpy as np

from . import _core, _files
from ._analysis import PatternAnalysis
from ._dense import QrFactorization, WholeCholesky, solve_by_lu
from ._errors import BadInput, BadPlan
from ._factors import DirectFactors, Factors, operation, warn_of_answer
from ._half import CholeskyFactors, HalfFactors, LdltFactors, sample_count, unfit, white_noise
from ._matrix import (
    Columns,
    Entries,
    Triangle,
    columns,
    dense_matrix,
    entries,
    mirrored,
    no_columns,
    right_hand_sides,
    triangle_of,
    whole_numbers,
    working_type,
)
from ._ranks import Described, Facts, Ranks, described, given_columns, given_matrix, no_right_hand_sides, type_for
from ._report import Plan, Report
from ._settings import begin, settings
from ._voice import Voice, launched_rank

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options

#: a triangle of a matrix, or none of them
_Half = Optional[Literal["upper", "lower"]]


@overload
def solve(
    A: Any, b: Any, *, report: Literal[False] = False, analysis: PatternAnalysis | None = None, distributed: bool = False,
    symmetric: _Half = None, hermitian: _Half = None, **options: Unpack[Options]
) -> np.ndarray: ...
@overload
def solve(
    A: Any, b: Any, *, report: Literal[True], analysis: PatternAnalysis | None = None, distributed: bool = False,
    symmetric: _Half = None, hermitian: _Half = None, **options: Unpack[Options]
) -> tuple[np.ndarray, Report]: ...
def solve(
    A: Any, b: Any, *, report: bool = False, analysis: PatternAnalysis | None = None, distributed: bool = False, symmetric: Any = None,
    hermitian: Any = None, **options: Any
) -> Any:
    """Solve A x = b.

    A sparse A is solved by sparse factors, an array by dense LU, unless `method` says
    otherwise. A and b are not changed.

    Parameters
    ----------
    A : sparse array or matrix, or array_like
        Square. Sparse: any format of SciPy's; duplicate entries are summed, and zeros
        that are stored are left out. method="dense" fills a sparse A up,
        method="multifrontal" takes an array as sparse, and method="jacobi" and
        method="multisplitting" iterate until the option `tolerance` is met.
    b : array_like or sparse
        n numbers, or n x k for k right-hand sides.
    report : bool
        Return (x, report) instead of x.
    analysis : PatternAnalysis, optional
        As for `factorize`; then A is solved by sparse factors, and its zeros stay.
    distributed : bool
        A is this rank's entries of a matrix that all ranks have together, as for
        `factorize`.
    symmetric, hermitian : {"upper", "lower"}, optional
        The triangle of A that is read, as for `factorize`.
    **options
        As for `factorize`.

    Returns
    -------
    x : ndarray
        Of b's shape, and of the type that A and b promote to; integers count as
        float64.
    report : Report
        Method, times, memory and errors; with report=True.

    Raises
    ------
    Singular
        The matrix is singular and b has no solution, or the option `singular` refuses
        it.
    BadInput, BadPlan
        What was given cannot be used; the message says what to give instead.
    OutOfMemory, Cancelled, CommFailure
        The run could not go on.

    Warns
    -----
    InaccurateWarning
        The backward error stayed above the option `accuracy`, or an iteration above its
        tolerance; x is the best one known.
    SingularWarning
        The matrix is singular and b has no solution, but there is an x: with
        null_pivots the one of least change, of several b NaN where there is none.
    IllConditionedWarning
        The backward error is small, but x may change with the last digits of A.

    Notes
    -----
    Under mpirun every rank calls solve. A and b of rank 0 are used; the others give
    None, or arrays of the same type and shape, as a script does that all ranks run.
    Every rank gets x. What one rank refuses, all refuse.

    Examples
    --------
    >>> import numpy as np, overlapack
    >>> from scipy import sparse
    >>> A = sparse.csc_array([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]])
    >>> overlapack.solve(A, np.array([5.0, 5.0, 3.0]))
    array([1., 1., 1.])

    How well it is solved:

    >>> x, report = overlapack.solve(A, np.array([5.0, 5.0, 3.0]), report=True)
    >>> report.status, report.backward_error < 1e-15
    ('ok', True)
    """
    return checked_solve(
        None, A, b, report=report, distributed=distributed, symmetric=symmetric, hermitian=hermitian, analysis=analysis, **options
    )


def checked_solve(
    check: Callable[[Report], None] | None,
    A: Any,
    b: Any,
    report: bool = False,
    distributed: bool = False,
    symmetric: Any = None,
    hermitian: Any = None,
    analysis: PatternAnalysis | None = None,
    **options: Any,
) -> Any:
    """`solve`; check gets the report of sparse factors before they solve, and may raise an exception."""
    used, ranks = begin(options)
    method = options.get("method", "auto")

    def look() -> tuple[Facts, Any]:
        _require_analysis(analysis, distributed)
        is_dense = analysis is None and (method == "dense" or (method == "auto" and not hasattr(A, "tocsc")))
        facts, held = _given(ranks, A, distributed, triangle_of(symmetric, hermitian), is_dense)
        of_b, B = given_columns(ranks, b, None if held is None else held.shape[0])
        return {**facts, **of_b}, (held, B)

    facts, (held, B) = ranks.agree(look)
    factors: Factors
    if distributed:
        factors = Factorization._of_parts(held.astype(type_for(described(held), facts["b"])), used, ranks)
    elif facts["A as"] == "dense":
        kind = {"cholesky": WholeCholesky, "qr": QrFactorization}.get(options.get("factorization", "auto"))
        if kind is None:
            return solve_by_lu(held, facts["A"], facts["b"], B, used, ranks.voice, report)
        factors = kind.of_whole(held, facts["A"], facts["b"], used, ranks)
    else:
        A_held = _typed(held, facts["A"], facts["b"] if analysis is None else None)
        if analysis is not None:
            factors = Factorization(A_held, used, ranks, analysis)
        elif method in ("jacobi", "multisplitting"):
            factors = _Iteration(A_held, used, ranks)
        else:
            factors = Factorization(A_held.without_zeros(), used, ranks)
    if check is not None and isinstance(factors, Factorization):
        check(factors.report)
    x = factors._solved(facts["b"], B)
    return (x, factors.report) if report else x


def _require_analysis(analysis: Any, distributed: bool) -> None:
    if analysis is None:
        return
    if not isinstance(analysis, PatternAnalysis):
        raise BadInput(f"analysis is {analysis!r}; give what analyse or load_analysis returns", "python")
    if distributed:
        raise BadPlan("an analysis is given, and distributed=True, whose matrix is analysed where it is; leave one of them out", "python")


def _given(ranks: Ranks, A: Any, distributed: bool, triangle: Triangle | None, is_dense: bool = False) -> tuple[Facts, Any]:
    """For `Ranks.agree`: what the matrix is, and Entries, Columns or, with is_dense, an array of it."""
    if distributed:
        return {"distributed": True}, entries(A, triangle)
    facts: Facts = {"distributed": False, "A as": None, "A": None}
    if not ranks.looks_at(A):
        return facts, None
    read = dense_matrix if is_dense else columns
    facts["A as"] = "dense" if is_dense else "sparse"
    of_A, held = given_matrix(ranks, mirrored(A, triangle), read)
    return {**facts, **of_A}, held


def _typed(held: Columns | None, A: Described, b: Described | None = None) -> Columns:
    """The matrix in the type of the factors that serve b; A: as rank 0 has it, held: this rank's, if it has one."""
    dtype = type_for(A, b)
    return no_columns(A[0], dtype) if held is None else held.astype(dtype)


def factorize(
    A: Any, *, analysis: PatternAnalysis | None = None, distributed: bool = False, symmetric: _Half = None, hermitian: _Half = None,
    **options: Unpack[Options]
) -> Factorization:
    """Factorise a sparse A once, to solve with it often.

    Parameters
    ----------
    A : sparse array or matrix, or array_like
        Square; as for `solve`, but zeros that are stored count as entries, so that
        `refactorize` can fill them.
    analysis : PatternAnalysis, optional
        That of a matrix of A's type and pattern, made by `analyse`. Options that shape an
        analysis (ordering, matching, ...) are its own. Where the largest entries of A
        have left the places that were matched, A is analysed anew, for these factors
        alone; the report says so (analysed_again, choice).
    distributed : bool
        A is a SciPy sparse array that holds this rank's entries, with the indices and
        the shape of the whole matrix. Entries at one place are summed, also across
        ranks, and a rank may have none. No rank ever holds all of them. Without mpirun
        a list of such arrays stands for as many ranks. See `Factorization.solve_part`
        for right-hand sides that are distributed, too.
    symmetric, hermitian : {"upper", "lower"}, optional
        Only this triangle of A is read. The other one is its mirror image, with
        `hermitian` conjugated; then imaginary parts on the diagonal are not read.
        `refactorize` reads the same triangle.
    ranks, threads, n_jobs : int
        How many ranks work: threads of this process, or the processes that mpirun
        started. All three names are one option. By default, and with threads=-1 or
        n_jobs=-1, as many as pay, at most the usable processors.
    verbose : bool
        Print a line each on analysis, factorisation and every later solve; in a call of
        more than 10 s also how far it is. The lines are records of level INFO of
        logging.getLogger("overlapack") as well, with or without verbose; where these
        are shown nothing is printed. Rank 0 alone tells.
    progress : callable
        progress(phase, share) is called about 20 times a second; a true answer stops
        the run (Cancelled).
    user_order : array_like of int
        The variables in the order in which they are eliminated (ordering="user").
    comm : mpi4py.MPI.Comm
        For engine="mpi"; MPI.COMM_WORLD without it.
    **options
        ordering="metis", memory_limit=2**34, trace=True, ...: `overlapack info
        --options`, in a shell, lists all of them.

    Returns
    -------
    Factorization
        Its `solve` solves; it is also a function, factors(b), and an operator, for
        SciPy's iterations and eigenvalues.

    Raises
    ------
    Singular
        A is structurally singular, or singular and the option `singular` refuses it.
    BadInput, BadPlan, OutOfMemory, Cancelled, CommFailure
        As `solve`. Ctrl-C is KeyboardInterrupt, and ends all ranks of this process:
        mostly within half a second, but during an ordering by METIS, AMD or SCOTCH, which
        nothing stops, and long steps of solves with many right-hand sides, at their
        end.

    Examples
    --------
    >>> import numpy as np, overlapack
    >>> from scipy import sparse
    >>> bands = [[-1.0] * 99, [4.0] * 100, [-1.0] * 99]
    >>> A = sparse.diags_array(bands, offsets=[-1, 0, 1]).tocsc()
    >>> factors = overlapack.factorize(A)
    >>> x = factors.solve(A @ np.ones(100))
    >>> print(np.abs(x - 1).max() < 1e-14)
    True
    """
    used, ranks = begin(options)
    triangle = None

    def look() -> tuple[Facts, Any]:
        nonlocal triangle
        if options.get("method") == "dense":
            raise BadPlan('method="dense" makes no sparse factors; call lu_factor, cholesky_factor or qr_factor, or '
                          'solve(A, b, method="dense")', "python")
        _require_analysis(analysis, distributed)
        triangle = triangle_of(symmetric, hermitian)
        return _given(ranks, A, distributed, triangle)

    facts, held = ranks.agree(look)
    if distributed:
        factors = Factorization._of_parts(held.astype(working_type(held.dtype)), used, ranks)
    else:
        factors = Factorization(_typed(held, facts["A"]), used, ranks, analysis)
    factors._triangle = triangle
    return factors


def _csc_array(rows: int, cols: int, start: np.ndarray, row: np.ndarray, value: np.ndarray) -> Any:
    try:
        from scipy import sparse
    except ModuleNotFoundError:
        raise BadPlan("the matrix would be a sparse array of SciPy, which is not here; pip install scipy", "python") from None

    make = getattr(sparse, "csc_array", sparse.csc_matrix)
    return make((value, row, start), shape=(rows, cols))


def read_matrix(path: Any) -> Any:
    """Read a matrix from a file.

    Parameters
    ----------
    path : str or path
        Matrix Market, Harwell- or Rutherford-Boeing, SciPy's .npz, or MATLAB's .mat (of
        version 5 to 7); packed as .gz, .bz2, .xz, .zst (Python 3.14), or .zip of one
        file.

    Returns
    -------
    scipy.sparse.csc_array

    Raises
    ------
    BadInput
        There is no such file, or it cannot be read; the message has its name and line.

    Examples
    --------
    >>> import overlapack
    >>> text = "%%MatrixMarket matrix coordinate real general\\n2 2 2\\n1 1 4.0\\n2 2 5.0"
    >>> with open("two.mtx", "w") as file:
    ...     print(text, file=file)
    >>> overlapack.read_matrix("two.mtx").diagonal()
    array([4., 5.])
    """
    rows, cols, start, row, value, assumed = _files.read(str(path))
    if assumed:
        warnings.warn(f"{path}: {assumed}", stacklevel=2)
    return _csc_array(rows, cols, start, row, value)


def plan(A: Any, *, symmetric: _Half = None, hermitian: _Half = None, **options: Unpack[Options]) -> Plan:
    """What `factorize` would do: ordering, predicted work, fill and memory.

    Parameters
    ----------
    A, symmetric, hermitian, **options
        As for `factorize`.

    Returns
    -------
    Plan
        print(plan) shows it; predicted_factor_s, predicted_flops, predicted_bytes and
        predicted_factor_nnz are among its entries.

    Notes
    -----
    Under mpirun each rank that calls it asks for itself.

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
    planned = Plan(json.loads(_core.plan(*_arguments(held), settings=used)))
    if voice.is_heard():
        voice.say_factorized(planned)
    return planned


def analyse(A: Any, *, symmetric: _Half = None, hermitian: _Half = None, **options: Unpack[Options]) -> PatternAnalysis:
    """Analyse A once, to factorise many matrices of its pattern.

    The order, the tree, the matching and the scaling are kept: `factorize` and `solve`
    take them as `analysis`. `Factorization.refactorize` keeps them, too, in factors
    whose values it replaces; an analysis serves many factors at once, or another run.

    Parameters
    ----------
    A, symmetric, hermitian, **options
        As for `factorize`.

    Returns
    -------
    PatternAnalysis
        `report` is what `plan` tells; `save` writes a file that `load_analysis` reads.

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
    facts, held = ranks.agree(lambda: _given(ranks, A, False, triangle_of(symmetric, hermitian)))
    ranks.voice.begin()
    analysis = PatternAnalysis(_core.analyse(*_arguments(_typed(held, facts["A"])), settings=used), ranks)
    if ranks.voice.is_heard():
        ranks.voice.say_factorized(analysis.report)
    return analysis


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
        super().__init__(_core.factorize(*_arguments(A), analysis=kept, settings=settings), A.shape, A.data.dtype, ranks)

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
        self = cls._of(_core.factorize_distributed(*_list_arguments(A), settings=settings), A.shape, A.dtype, ranks)
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
            self._factors.refactorize_distributed(*_list_arguments(held.astype(self.dtype)))
        else:
            A = no_columns(self.shape, self.dtype) if held is None else held.astype(self.dtype)
            self._factors.refactorize(*_arguments(A))
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
            self._triangles = TriangularFactors(_csc_array(n, n, *L), _csc_array(n, n, *U), perm_r, perm_c)
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
        return LdltFactors(_csc_array(n, n, *L), _csc_array(n, n, *D), np.argsort(place))

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
        return _csc_array(n, n, start, row, value)

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

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> overlapack.factorize(csc_array([[1.0, 2.0], [2.0, 1.0]])).inertia()
        (1, 1, 0)
        """
        return self._factors.inertia()


def load_factors(path: Any, **options: Unpack[Options]) -> Factorization:
    """Factors that `Factorization.save` wrote.

    Parameters
    ----------
    path : str or path
    **options
        As for `factorize`; the factors come back on as many ranks as they had.

    Returns
    -------
    Factorization

    Raises
    ------
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
        name = _core.type_of_factors(str(path))
        return {"type of the factors": name}, name

    _, name = ranks.agree(look)
    loaded = ranks.voice.timed("loading", lambda: getattr(_core, f"load_factors_{name}")(str(path), settings=used))
    n = json.loads(loaded.report())["n"]
    return Factorization._of(loaded, (n, n), np.dtype(name.lower()), ranks, are_new=False)


class SchurComplement:
    """The Schur complement of some variables; made by `schur`."""

    def __init__(self, A: Columns, variables: np.ndarray, settings: _core.Settings, ranks: Ranks) -> None:
        self._ranks = ranks
        self._schur = ranks.voice.timed(
            "Schur complement", lambda: _core.schur(*_arguments(A), variables=variables, settings=settings)
        )
        if ranks.voice.is_heard():
            ranks.voice.say_factorized(self.report)
        self._n = A.shape[0]
        self.dtype = A.dtype
        values = self._schur.matrix()
        order = round(len(values) ** 0.5)
        #: S, a dense array in the order of the variables
        self.matrix = values.reshape((order, order), order="F")

    def condense(self, b: Any) -> np.ndarray:
        """The right-hand side of S x_v = condense(b): b_v - A_vi A_ii^-1 b_i."""
        facts, B = self._ranks.agree(lambda: self._given(b, self._n))
        return self._shaped(self._schur.condense(self._columns(facts, B)), facts, len(self.matrix))

    def expand(self, b: Any, x: Any) -> np.ndarray:
        """All of x from its part x at the variables, for the right-hand side b."""

        def look() -> tuple[Facts, Any]:
            (of_b, B), (of_x, X) = self._given(b, self._n), self._given(x, len(self.matrix), "x")
            if B is not None and X is not None and B.shape[1] != X.shape[1]:
                raise BadInput(f"b has {B.shape[1]} columns and x has {X.shape[1]}; give as many of each", "python")
            return {**of_b, **of_x}, (B, X)

        facts, (B, X) = self._ranks.agree(look)
        whole = self._schur.expand(self._columns(facts, B), self._columns(facts, X, "x"))
        return self._shaped(whole, facts, self._n)

    @property
    def report(self) -> Report:
        """The figures of the factorisation of A_ii and, after one, of its last solve."""
        return Report(json.loads(self._schur.report()))

    def _given(self, b: Any, rows: int, name: str = "b") -> tuple[Facts, np.ndarray | None]:
        facts, B = given_columns(self._ranks, b, rows, name)
        if B is not None and B.dtype.kind == "c" and self.dtype.kind != "c":
            raise BadInput("the right-hand side is complex, but the matrix is real; give its two parts one by one", "python")
        return facts, B

    def _columns(self, facts: Facts, B: np.ndarray | None, name: str = "b") -> np.ndarray:
        return np.asfortranarray(no_right_hand_sides(facts[name]) if B is None else B, dtype=self.dtype)

    @staticmethod
    def _shaped(values: np.ndarray, facts: Facts, rows: int) -> np.ndarray:
        X = values.reshape((rows, -1), order="F")
        return X[:, 0] if len(facts["b"][0]) == 1 else X


def schur(A: Any, variables: Any, **options: Unpack[Options]) -> SchurComplement:
    """The Schur complement of some variables v: S = A_vv - A_vi A_ii^-1 A_iv.

    All other variables i are eliminated. It costs a solve with the factors of A_ii for
    each of v.

    Parameters
    ----------
    A : sparse array or matrix
        As for `factorize`.
    variables : array_like of int
        Their numbers, from 0; S is in their order.
    **options
        As for `factorize`.

    Returns
    -------
    SchurComplement
        `matrix` is S as an array; `condense` and `expand` take right-hand sides there
        and solutions back.

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
        facts, held = given_matrix(ranks, A, columns)
        chosen = whole_numbers(variables, "variables") if ranks.looks_at(variables) else np.zeros(0, dtype=np.int64)
        return facts, (held, np.ascontiguousarray(chosen.ravel()))

    facts, (held, chosen) = ranks.agree(look)
    return SchurComplement(_typed(held, facts["A"]), chosen, used, ranks)


class _Iteration(Factors):
    """A sparse matrix distributed to ranks that iterate on it."""

    def __init__(self, A: Columns, settings: _core.Settings, ranks: Ranks, near_null_space: np.ndarray | None = None) -> None:
        vectors = np.zeros((0, 0), dtype=A.data.dtype, order="F") if near_null_space is None else near_null_space
        made = _core.iteration(*_arguments(A), near_null_space=vectors, settings=settings)
        super().__init__(made, A.shape, A.data.dtype, ranks)

    def _call_solve(self, B: np.ndarray, operation: int) -> tuple[np.ndarray, str, bool]:
        return self._factors.solve(B, np.zeros((0, B.shape[1]), dtype=B.dtype, order="F"))


def _list_arguments(A: Entries) -> tuple[int, int, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    return (*A.shape, A.counts, A.row, A.col, A.data)


def _arguments(A: Columns) -> tuple[int, int, np.ndarray, np.ndarray, np.ndarray]:
    return (*A.shape, A.indptr, A.indices, A.data)
