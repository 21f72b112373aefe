"""The functions of the package."""
from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any, Callable, Literal, overload

import numpy as np

from . import _core
from ._errors import BadInput, BadPlan, InaccurateWarning
from ._matrix import Columns, columns, right_hand_sides, working_type
from ._report import Report

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options


@overload
def solve(A: Any, b: Any, *, report: Literal[False] = False, **options: Unpack[Options]) -> np.ndarray: ...
@overload
def solve(A: Any, b: Any, *, report: Literal[True], **options: Unpack[Options]) -> tuple[np.ndarray, Report]: ...
def solve(A: Any, b: Any, *, report: bool = False, **options: Any) -> Any:
    """Solve A x = b.

    A: a square SciPy sparse array or matrix of any format, or anything that NumPy reads as a matrix. Duplicate
       entries are summed. Neither A nor b is changed.
    b: n numbers, or n x k for k right-hand sides.
    report: return (x, report) instead of x.
    options: the keywords of docs/options.md (ranks=4, ordering="metis", ...), and those of `factorize`.

    x has b's shape and the type that A and b promote to; integers count as float64.
    Under mpirun every rank calls solve: rank 0's A and b are used, the others give arrays of the same type and shape
    (a script that all ranks run does); x is returned on every rank.

    Raises Singular, BadInput, BadPlan, OutOfMemory, Cancelled, CommFailure; warns InaccurateWarning when the backward
    error stays above the option `accuracy`.
    """
    held = columns(A)
    right_hand_sides(b, held.shape[0])
    wanted = working_type(held.data.dtype, np.asarray(b).dtype)
    if held.data.dtype.kind != "c":
        wanted = wanted.type(0).real.dtype  # a real A with a complex b: both parts of b are real right-hand sides
    factors = Factorization(held.astype(wanted), **options)
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
    return Factorization(held.astype(working_type(held.data.dtype)), **options)


def read_matrix(path: Any) -> Any:
    """A matrix from a Matrix Market, Rutherford-Boeing or .npz file, also .gz, as a scipy.sparse.csc_array."""
    from scipy import sparse

    rows, cols, start, row, value = _core.read_matrix(str(path))
    make = getattr(sparse, "csc_array", sparse.csc_matrix)
    return make((value, row, start), shape=(rows, cols))


def plan(A: Any, **options: Unpack[Options]) -> Report:
    """What `factorize` would do, without doing it: ordering, predicted flops, fill and memory."""
    held = columns(A)
    held = held.astype(working_type(held.data.dtype))
    return Report(json.loads(_core.plan(*_arguments(held), settings=_settings(**options))))


class Factorization:
    """The factors of a matrix; made by `factorize`."""

    def __init__(self, A: Columns, **options: Unpack[Options]) -> None:
        self._factors = _core.factorize(*_arguments(A), settings=_settings(**options))
        #: (n, n)
        self.shape = A.shape
        #: the type of the factors
        self.dtype = A.data.dtype

    def solve(self, b: Any, trans: str = "N") -> np.ndarray:
        """x with A x = b, of b's shape and the factors' type; complex if b is."""
        if trans != "N":
            raise BadPlan(f'trans="{trans}" is not built; factorise A.T and solve with that', "python")
        B = right_hand_sides(b, self.shape[0])
        X = self._solve_parts(B) if B.dtype.kind == "c" and self.dtype.kind != "c" else self._solve_columns(B)
        if self.report["status"] == "inaccurate":
            warnings.warn(self.report["message"], InaccurateWarning, stacklevel=2)
        return X.reshape(np.shape(b))

    def _solve_parts(self, B: np.ndarray) -> np.ndarray:
        """Real factors, complex B: X = A^-1 Re B + i A^-1 Im B, as one solve with twice the columns."""
        k = B.shape[1]
        X = self._solve_columns(np.hstack([B.real, B.imag]))
        return X[:, :k] + np.array(1j, dtype=np.result_type(self.dtype, np.complex64)) * X[:, k:]

    def _solve_columns(self, B: np.ndarray) -> np.ndarray:
        x = self._factors.solve(np.asfortranarray(B, dtype=self.dtype))
        return x.reshape(B.shape, order="F")

    @property
    def report(self) -> Report:
        """The figures of the factorisation and, after one, of the last solve."""
        return Report(json.loads(self._factors.report()))

    def write_timeline(self, path: Any) -> None:
        """Write what every rank did when (needs trace=True): .svg a picture, .json for Perfetto, .csv a table."""
        self._factors.write_timeline(str(path))

    def __repr__(self) -> str:
        report = self.report
        return (
            f"<overlapack.Factorization of a {self.shape[0]} x {self.shape[1]} matrix, {self.dtype}: "
            f"{report['factorization']}, {report['factor_nnz']} entries, {report['ranks']} ranks>"
        )


def splu(A: Any, **options: Unpack[Options]) -> Factorization:
    """`factorize` under the name that SciPy's users know: splu(A).solve(b)."""
    return factorize(A, **options)


def spsolve(A: Any, b: Any, **options: Unpack[Options]) -> np.ndarray:
    """`solve` with the shape rule of scipy.sparse.linalg.spsolve: a single column comes back one-dimensional."""
    x = solve(A, b, **options)
    return x.ravel() if x.ndim == 2 and x.shape[1] == 1 else x


def _arguments(A: Columns) -> tuple[int, int, np.ndarray, np.ndarray, np.ndarray]:
    return (*A.shape, A.indptr, A.indices, A.data)


def _settings(
    user_order: Any = (),
    progress: Callable[[str, float], object] | None = None,
    comm: Any = None,
    **options: Any,
) -> _core.Settings:
    order = np.ascontiguousarray(user_order, dtype=np.int64)
    if progress is not None and not callable(progress):
        raise BadInput("progress must be a function of a phase and a share", "python")
    return _core.Settings(json.dumps(options, default=_plain), order, progress, _address(comm))


def _plain(value: Any) -> Any:
    """NumPy's numbers as JSON has them."""
    if isinstance(value, np.generic):
        return value.item()
    raise BadPlan(f"an option cannot be {value!r}; give a number, a text or True or False", "python")


def _address(comm: Any) -> int:
    if comm is None:
        return 0
    from mpi4py import MPI

    return int(MPI._addressof(comm))
