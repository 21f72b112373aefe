"""Solve, or factorise a sparse matrix."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Literal, overload

import numpy as np

from ._analysis import PatternAnalysis
from ._dense import solve_by_lu
from ._dense_factors import QrFactorization, WholeCholesky
from ._errors import BadInput, BadPlan
from ._factorization import Factorization
from ._factors import Factors
from ._given_matrix import Half, given, typed
from ._iterate import DistributedIteration
from ._matrix import triangle_of, working_type
from ._ranks import Facts, described, given_columns, type_for
from ._report import Report
from ._settings import begin

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options


@overload
def solve(
    A: Any, b: Any, *, report: Literal[False] = False, analysis: PatternAnalysis | None = None, distributed: bool = False,
    symmetric: Half = None, hermitian: Half = None, **options: Unpack[Options]
) -> np.ndarray: ...
@overload
def solve(
    A: Any, b: Any, *, report: Literal[True], analysis: PatternAnalysis | None = None, distributed: bool = False,
    symmetric: Half = None, hermitian: Half = None, **options: Unpack[Options]
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
        Square. Sparse: any format of SciPy; duplicate entries are summed, and stored zeros
        are left out. method="dense" makes a sparse A dense, method="multifrontal" takes an
        array as sparse, and method="jacobi" and method="multisplitting" iterate until the
        option `tolerance` is met.
    b : array_like or sparse
        n numbers, or n x k for k right-hand sides.
    report : bool
        Return (x, report) instead of x.
    analysis : PatternAnalysis, optional
        As for `factorize`. A is then solved by sparse factors, and its stored zeros stay.
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
        The shape of b, and the type to which A and b promote; integers count as float64.
    report : Report
        Method, times, memory and errors; with report=True.

    Raises
    ------
    Singular
        The matrix is singular and b has no solution, or the option `singular` refuses
        it.
    BadInput, BadPlan
        An argument cannot be used; the message says what to give instead.
    OutOfMemory, Cancelled, CommFailure
        The run could not go on.

    Warns
    -----
    InaccurateWarning
        The backward error stayed above the option `accuracy`, or an iteration above its
        tolerance; x is the best one known.
    SingularWarning
        The matrix is singular and b has no solution, but an x is returned. With null_pivots
        it is 0 at the null pivots. Otherwise, with several columns of b, it is NaN in the
        columns without a solution.
    IllConditionedWarning
        The backward error is small, but x may change with the last digits of A.

    Notes
    -----
    Under mpirun every rank calls solve. A and b of rank 0 are used; the others give
    None, or arrays of the same type and shape, so that all ranks can run one script. Every
    rank gets x. If one rank refuses its arguments, all ranks do.

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
        facts, held = given(ranks, A, distributed, triangle_of(symmetric, hermitian), is_dense)
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
        A_held = typed(held, facts["A"], facts["b"] if analysis is None else None)
        if analysis is not None:
            factors = Factorization(A_held, used, ranks, analysis)
        elif method in ("jacobi", "multisplitting"):
            factors = DistributedIteration(A_held, used, ranks)
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
        raise BadPlan(
            "an analysis is given, and distributed=True, whose matrix is analysed where its entries are; leave one out, or keep the factors: "
            "refactorize reuses their analysis",
            "python",
        )


def factorize(
    A: Any, *, analysis: PatternAnalysis | None = None, distributed: bool = False, symmetric: Half = None, hermitian: Half = None,
    **options: Unpack[Options]
) -> Factorization:
    """Factorise a sparse matrix A once, to solve with it often.

    Parameters
    ----------
    A : sparse array or matrix, or array_like
        Square; as for `solve`, but stored zeros count as entries, so that `refactorize`
        can give them values.
    analysis : PatternAnalysis, optional
        An analysis of a matrix with A's type and pattern, made by `analyse`. Options that
        shape an analysis (ordering, matching, ...) come from it. If the large entries of A
        are no longer where the matching put them, A is analysed anew, for these factors
        alone; the report then has analysed_again and choice.
    distributed : bool
        A is a SciPy sparse array with this rank's entries, with the indices and the shape
        of the whole matrix. Entries at one position are summed, also across ranks, and a
        rank may have none. No rank ever holds all entries. Without mpirun A is a list of
        such arrays, one for each rank. See `Factorization.solve_part` for distributed
        right-hand sides.
    symmetric, hermitian : {"upper", "lower"}, optional
        Only this triangle of A is read. The other one is its mirror image, with
        `hermitian` conjugated; then imaginary parts on the diagonal are not read.
        `refactorize` reads the same triangle.
    ranks, threads, n_jobs : int
        The number of ranks: threads of this process, or the processes that mpirun started.
        All three names are one option. By default, and with threads=-1 or n_jobs=-1, the
        library chooses, at most the usable processors.
    verbose : bool
        Print one line on the analysis, the factorisation and every later solve, and in a
        call of more than 10 s also its progress. The lines are also records of level INFO
        of logging.getLogger("overlapack"), with or without verbose; if these are shown,
        nothing is printed. Only rank 0 does so.
    progress : callable
        progress(phase, share) is called at most 50 times a second, under mpirun on rank
        0; a true answer stops the run (Cancelled).
    user_order : array_like of int
        The variables in the order in which they are eliminated (ordering="user").
    signs : array_like of int
        +1 or -1 for each unknown, the sign of its pivot (factorization="quasidefinite");
        without it the signs of the diagonal.
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
        As `solve`. Ctrl-C raises KeyboardInterrupt and ends all ranks of this process,
        mostly within half a second. An ordering by METIS, AMD or SCOTCH cannot be
        interrupted, and a long step of a solve with many right-hand sides is finished
        first.

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
        return given(ranks, A, distributed, triangle)

    facts, held = ranks.agree(look)
    if distributed:
        factors = Factorization._of_parts(held.astype(working_type(held.dtype)), used, ranks)
    else:
        factors = Factorization(typed(held, facts["A"]), used, ranks, analysis)
    factors._triangle = triangle
    return factors
