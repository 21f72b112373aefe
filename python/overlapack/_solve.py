"""The functions of the package."""
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from . import _core
from ._dense import CholeskyFactorization, LuFactorization
from ._factors import DirectFactors, Factors
from ._matrix import Columns, columns, dense_array, for_solving
from ._report import Report
from ._settings import settings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options


@overload
def solve(A: Any, b: Any, *, report: Literal[False] = False, **options: Unpack[Options]) -> np.ndarray: ...
@overload
def solve(A: Any, b: Any, *, report: Literal[True], **options: Unpack[Options]) -> tuple[np.ndarray, Report]: ...
def solve(A: Any, b: Any, *, report: bool = False, **options: Any) -> Any:
    """Solve A x = b.

    A: a square SciPy sparse array or matrix of any format, whose duplicate entries are summed; or a dense array, or
       anything that NumPy reads as one, which is solved by dense LU, or dense Cholesky with factorization="cholesky".
       method="dense" and method="multifrontal" treat either as the other; method="jacobi" and method="multisplitting"
       iterate with the option `tolerance`. Neither A nor b is changed.
    b: n numbers, or n x k for k right-hand sides.
    report: return (x, report) instead of x.
    options: the keywords of docs/options.md (ranks=4, ordering="metis", ...), and those of `factorize`.

    x has b's shape and the type that A and b promote to; integers count as float64.
    Under mpirun every rank calls solve: rank 0's A and b are used, the others give arrays of the same type and shape
    (a script that all ranks run does); x is returned on every rank.

    Raises Singular, BadInput, BadPlan, OutOfMemory, Cancelled, CommFailure; warns InaccurateWarning when the backward
    error stays above the option `accuracy`, or an iteration does not reach its tolerance (the best x known is returned).
    """
    is_dense = not hasattr(A, "tocsc")
    method = options.get("method", "auto")
    factors: Factors
    if method == "dense" or (is_dense and method == "auto"):
        kind = CholeskyFactorization if options.get("factorization") == "cholesky" else LuFactorization
        factors = kind(dense_array(A, b), **options)
    elif method in ("jacobi", "multisplitting"):
        held = columns(A)
        factors = _Iteration(held.astype(for_solving(held, b)), **options)
    else:
        held = columns(A)
        factors = Factorization(held.astype(for_solving(held, b)), **options)
    x = factors.solve(b)
    return (x, factors.report) if report else x


def factorize(A: Any, **options: Unpack[Options]) -> Factorization:
    """Factorise A once, to solve with it often: factorize(A).solve(b).

    Besides the keywords of docs/options.md:
    user_order: the variables in the order in which they are eliminated (ordering="user").
    progress: called about 20 times a second as progress(phase, share); a true answer stops the run (Cancelled).
    comm: an mpi4py communicator for engine="mpi"; MPI_COMM_WORLD without it.

    Ctrl-C raises KeyboardInterrupt, on all ranks of this process.
    """
    held = columns(A)
    return Factorization(held.astype(for_solving(held)), **options)


def read_matrix(path: Any) -> Any:
    """A matrix from a Matrix Market, Rutherford-Boeing or .npz file, also .gz, as a scipy.sparse.csc_array."""
    from scipy import sparse

    rows, cols, start, row, value = _core.read_matrix(str(path))
    make = getattr(sparse, "csc_array", sparse.csc_matrix)
    return make((value, row, start), shape=(rows, cols))


def plan(A: Any, **options: Unpack[Options]) -> Report:
    """What `factorize` would do, without doing it: ordering, predicted flops, fill and memory."""
    held = columns(A)
    held = held.astype(for_solving(held))
    return Report(json.loads(_core.plan(*_arguments(held), settings=settings(**options))))


class Factorization(DirectFactors):
    """The factors of a sparse matrix; made by `factorize`."""

    def __init__(self, A: Columns, **options: Unpack[Options]) -> None:
        super().__init__(_core.factorize(*_arguments(A), settings=settings(**options)), A.shape, A.data.dtype)

    def _call_solve(self, B: np.ndarray, op: int) -> np.ndarray:
        return self._factors.solve(B, op)

    def inertia(self) -> tuple[int, int, int]:
        """How many eigenvalues are positive, negative and zero, by the signs of the pivots; of a real symmetric or
        Hermitian matrix. Raises BadPlan for others."""
        return self._factors.inertia()

    def __repr__(self) -> str:
        report = self.report
        return (
            f"<overlapack.Factorization of a {self.shape[0]} x {self.shape[1]} matrix, {self.dtype}: "
            f"{report['factorization']}, {report['factor_nnz']} entries, {report['ranks']} ranks>"
        )


class _Iteration(Factors):
    """A sparse matrix dealt to ranks that iterate on it."""

    def __init__(self, A: Columns, **options: Unpack[Options]) -> None:
        super().__init__(_core.iteration(*_arguments(A), settings=settings(**options)), A.shape, A.data.dtype)

    def _call_solve(self, B: np.ndarray, operation: int) -> np.ndarray:
        return self._factors.solve(B)


def splu(A: Any, **options: Unpack[Options]) -> Factorization:
    """`factorize` under the name that SciPy's users know: splu(A).solve(b)."""
    return factorize(A, **options)


def spsolve(A: Any, b: Any, **options: Unpack[Options]) -> np.ndarray:
    """`solve` with the shape rule of scipy.sparse.linalg.spsolve: a single column comes back one-dimensional."""
    x = solve(A, b, **options)
    return x.ravel() if x.ndim == 2 and x.shape[1] == 1 else x


def _arguments(A: Columns) -> tuple[int, int, np.ndarray, np.ndarray, np.ndarray]:
    return (*A.shape, A.indptr, A.indices, A.data)
