"""Many systems whose matrices have one pattern."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._errors import BadInput
from ._factors import operation
from ._matrix import numbers, require_range, whole_pattern, working_type
from ._settings import begin

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options

_STATUS = np.array(_core.status_names())


def factorize_batch(pattern: Any, data: Any, mask: Any = None, **options: Unpack[Options]) -> Batch:
    """Factorise k matrices that have one pattern, analysed once.

    Small systems are computed side by side, several in one SIMD register. Large systems,
    and systems in which the common pivots are too small, are factorised each by itself. A
    system that fails does not stop the others.

    Parameters
    ----------
    pattern : sparse array or matrix
        Square, CSC or CSR, both triangles, each position once; its values are not read.
    data : array_like
        k x nnz numbers: a row for each system, in the order of `pattern.data`.
    mask : array_like of bool, optional
        k values; systems whose value is False are left out.
    **options
        ordering, matching, scaling, pivot_threshold, refinement_steps, ranks (threads
        over systems), ... `progress` and `time_limit` are for each call on the batch as
        a whole, and Ctrl-C stops it.

    Returns
    -------
    Batch
        Its `solve` solves, `refactorize` takes other values.

    Raises
    ------
    BadInput
        The pattern is invalid, or shapes do not fit. A fault in the numbers of one system
        is only in its `status`.
    BadPlan
        A method other than "multifrontal", a factorization other than "lu", or
        memory_limit, which batches do not support.
    OutOfMemory, Cancelled
        As `factorize`.

    Examples
    --------
    >>> import numpy as np, overlapack
    >>> from scipy import sparse
    >>> A = sparse.diags_array([[-1.0] * 9, [2.5] * 10, [-1.0] * 9], offsets=[-1, 0, 1]).tocsc()
    >>> data = A.data * np.linspace(1, 2, 1000)[:, None]
    >>> batch = overlapack.factorize_batch(A, data)
    >>> x = batch.solve(np.ones((1000, 10)))
    >>> print(x.shape, batch.status[0], batch.backward_error.max() < 1e-14)
    (1000, 10) ok True
    """
    used, _ = begin(options)  # type: ignore[arg-type]
    n, start, row, order = whole_pattern(pattern)
    batch = Batch()
    batch._entries = order.size
    batch._order = None if np.array_equal(order, np.arange(order.size)) else order
    values = batch._values(data, None)
    batch._batch = _core.factorize_batch(n, start, row, values.ravel(), _bytes_of(mask, values.shape[0]), used)
    batch._n, batch._systems, batch._dtype = n, batch.report["systems"], values.dtype
    batch.status = _STATUS[batch._batch.status()]
    return batch


class Batch:
    """The factors of many matrices with one pattern; made by `factorize_batch`.

    Attributes
    ----------
    status : ndarray of str
        How the last factorisation or solve of each system ended: "ok",
        "ill_conditioned" (there is an x, which may be far off), "singular", "bad_input" (values that are not finite), "cancelled" (left out by the mask), ...
    backward_error : ndarray of float
        The componentwise backward error of the last solve, the largest over a system's
        right-hand sides; NaN where there is no solution.
    """

    _batch: Any
    _entries: int
    _order: np.ndarray | None  # of data by columns; None: it is
    _n: int
    _systems: int
    _dtype: np.dtype
    status: np.ndarray
    backward_error: np.ndarray | None = None

    def solve(self, b: Any, trans: str | int = "N") -> np.ndarray:
        """Solve A_k x_k = b_k for every system k, or with A_k^T ("T"), A_k^H ("H").

        Parameters
        ----------
        b : array_like
            k x n, or k x n x r for r right-hand sides of each system.
        trans : {"N", "T", "H"}
            As in SciPy; 0, 1, 2 too.

        Returns
        -------
        ndarray
            Of b's shape; NaN where a system has no solution (see `status`).

        Raises
        ------
        BadInput, Cancelled
        """
        B = numbers(b, "b")
        working_type(B.dtype)
        systems = self._systems
        if B.ndim not in (2, 3) or B.shape[:2] != (systems, self._n):
            raise BadInput(f"b has the shape {B.shape}; for this batch it must be ({systems}, {self._n}) or ({systems}, {self._n}, r)", "python")
        if B.dtype.kind == "c" and self._dtype.kind != "c":
            raise BadInput("b is complex, but the matrices are real; give real and imaginary part as two right-hand sides", "python")
        sides = 1 if B.ndim == 2 else B.shape[2]
        require_range(B, self._dtype, "b")
        by_columns = B if B.ndim == 2 else B.transpose(0, 2, 1)
        flat = np.ascontiguousarray(by_columns, dtype=self._dtype).ravel()
        x, status, self.backward_error = self._batch.solve(flat, sides, operation(trans))
        self.status = _STATUS[status]
        return x.reshape(B.shape) if B.ndim == 2 else np.ascontiguousarray(x.reshape(systems, sides, self._n).transpose(0, 2, 1))

    def refactorize(self, data: Any, mask: Any = None) -> None:
        """Factorise other values, k x nnz, of the same pattern and type. Systems that mask leaves out have no factors then.

        Raises
        ------
        BadInput
            The old factors stay.
        OutOfMemory, Cancelled
            No system has factors until the next refactorize.
        """
        values = self._values(data, self._dtype)
        self._batch.refactorize(values.ravel(), _bytes_of(mask, values.shape[0]))
        self.status = _STATUS[self._batch.status()]
        self.backward_error = None

    def __reduce__(self) -> Any:
        raise TypeError("a batch cannot be pickled or copied; give pattern and data to factorize_batch again")

    @property
    def report(self) -> dict[str, Any]:
        """The figures: systems, n, nnz, in_lanes (computed side by side), alone, left_out, threads, bytes (values and factors), choice, seconds."""
        return self._batch.report()

    def _values(self, data: Any, dtype: np.dtype | None) -> np.ndarray:
        values = numbers(data, "data")
        if values.ndim != 2 or values.shape[1] != self._entries:
            raise BadInput(f"data has the shape {values.shape}; for this pattern it must be (k, {self._entries})", "python")
        own = working_type(values.dtype)
        if dtype is not None and values.dtype.kind == "c" and dtype.kind != "c":
            raise BadInput("data is complex, but the matrices before were real; call factorize_batch for them", "python")
        if dtype is not None:
            require_range(values, dtype, "data")
        return np.ascontiguousarray(values if self._order is None else np.take(values, self._order, axis=1), dtype=own if dtype is None else dtype)


def _bytes_of(mask: Any, systems: int) -> np.ndarray:
    if mask is None:
        return np.zeros(0, dtype=np.uint8)
    given = np.asarray(mask)
    if given.dtype.kind not in "bu" or given.shape != (systems,):
        raise BadInput(f"mask has the shape {given.shape} and the type {given.dtype}; give {systems} booleans, one for each system", "python")
    return np.ascontiguousarray(given.astype(bool).astype(np.uint8))
