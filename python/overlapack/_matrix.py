"""What the caller hands over -> the arrays that the extension takes: sorted compressed columns, int64, one of four types."""
from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ._errors import BadInput

_TYPES = {np.dtype(t) for t in ("float32", "float64", "complex64", "complex128")}


class Columns(NamedTuple):
    """A by compressed columns: column j holds indices[indptr[j]:indptr[j + 1]], ascending and unique."""

    shape: tuple[int, int]
    indptr: np.ndarray
    indices: np.ndarray
    data: np.ndarray

    @property
    def dtype(self) -> np.dtype:
        return self.data.dtype

    def astype(self, dtype: np.dtype) -> Columns:
        return self if self.data.dtype == dtype else self._replace(data=np.ascontiguousarray(self.data, dtype=dtype))


class Entries(NamedTuple):
    """The entries that the ranks of this process hold of a matrix, one rank's after the other's: counts[k] are rank k's."""

    shape: tuple[int, int]
    counts: np.ndarray
    row: np.ndarray
    col: np.ndarray
    data: np.ndarray

    @property
    def dtype(self) -> np.dtype:
        return self.data.dtype

    def astype(self, dtype: np.dtype) -> Entries:
        return self._replace(data=np.ascontiguousarray(self.data, dtype=dtype))


def entries(A: Any) -> Entries:
    """Parts of a sparse matrix, each with the shape of the whole: one, or a list with one for each rank of this process."""
    parts = list(A) if isinstance(A, (list, tuple)) else [A]
    if not parts or not all(hasattr(part, "tocoo") for part in parts):
        raise BadInput("with distributed=True A is a SciPy sparse array with this rank's entries and the shape of the whole "
                       "matrix, or a list of them", "python")
    held = [part.tocoo() for part in parts]
    if len({part.shape for part in held}) > 1:
        raise BadInput("the parts have different shapes; give each the shape of the whole matrix", "python")

    def joined(arrays: list[np.ndarray], dtype: Any = None) -> np.ndarray:
        return np.ascontiguousarray(np.concatenate(arrays), dtype=dtype)

    data = joined([part.data for part in held])
    working_type(data.dtype)
    counts = np.array([part.nnz for part in held], dtype=np.int64)
    return Entries(held[0].shape, counts, joined([part.row for part in held], np.int64),
                   joined([part.col for part in held], np.int64), data)


@lru_cache(maxsize=None)
def working_type(*dtypes: np.dtype) -> np.dtype:
    """The type that a solve with these operands runs in, as SciPy promotes: integers count as float64."""
    result = np.result_type(*(np.float64 if d.kind in "biu" else d for d in dtypes))
    if result == np.float16:
        result = np.dtype(np.float32)
    if result not in _TYPES:
        raise BadInput(f"there is no solver for entries of type {result}; convert to float64 or complex128 first", "python")
    return result


def columns(A: Any, keeps_indices: bool = False) -> Columns:
    """Any SciPy sparse array or matrix, or anything that NumPy reads as a matrix; duplicates are summed. A stays as it is.

    keeps_indices: those of SciPy that are int32 stay so, without a copy.
    """
    if hasattr(A, "tocsc"):
        return _from_sparse(A, keeps_indices)
    dense = _matrix(A)
    column, row = np.nonzero(dense.T)
    indptr = np.zeros(dense.shape[1] + 1, dtype=np.int64)
    np.cumsum(np.bincount(column, minlength=dense.shape[1]), out=indptr[1:])
    return Columns(dense.shape, indptr, row.astype(np.int64), dense[row, column])


def _matrix(A: Any) -> np.ndarray:
    dense = np.asarray(A)
    if dense.ndim != 2:
        raise BadInput(f"A must be a matrix; this one has {dense.ndim} dimension(s)", "python")
    working_type(dense.dtype)
    return dense


def dense_array(A: Any, b: Any = None) -> np.ndarray:
    """A in the type that `for_solving` says, as it lies where that is by columns or by rows. A stays as it is."""
    dense = _matrix(A.toarray() if hasattr(A, "tocsc") else A)
    held = np.asarray(dense, dtype=for_solving(dense, b))
    return held if _lies_in_lines(held) else np.array(held, order="C")


def _lies_in_lines(A: np.ndarray) -> bool:
    """Columns or rows whose entries are side by side, and which do not overlap."""
    if A.flags.forc:
        return A.flags.aligned
    short, long = sorted(A.strides)
    return A.flags.aligned and short == A.itemsize and long % short == 0 and long >= short * A.shape[A.strides.index(short)]


def for_solving(A: Any, b: Any = None) -> np.dtype:
    """The type of the factors of A (with shape and dtype) that serve b: that of the solve, but real where A is real, since
    both parts of a complex b are real right-hand sides."""
    if b is None:
        return working_type(A.dtype)
    return _type_of_factors(A.dtype, right_hand_sides(b, A.shape[0]).dtype)


@lru_cache(maxsize=None)
def _type_of_factors(A: np.dtype, b: np.dtype) -> np.dtype:
    wanted = working_type(A, b)
    return wanted if A.kind == "c" else wanted.type(0).real.dtype


def _from_sparse(A: Any, keeps_indices: bool) -> Columns:
    working_type(A.dtype)
    csc = A.tocsc()
    if not csc.has_canonical_format:
        csc = csc.copy()
        csc.sum_duplicates()
    are_short = keeps_indices and csc.indptr.dtype == csc.indices.dtype == np.int32
    index = np.int32 if are_short else np.int64
    indptr, indices = (np.ascontiguousarray(given, dtype=index) for given in (csc.indptr, csc.indices))
    return Columns(csc.shape, indptr, indices, np.ascontiguousarray(csc.data))


def right_hand_sides(b: Any, rows: int) -> np.ndarray:
    """b as an n x k array of numbers, n = rows; a sparse b is filled up (sparse factors leave out what its zeros allow)."""
    B: np.ndarray = np.asarray(b.toarray() if hasattr(b, "tocsc") else b)
    if B.ndim not in (1, 2) or B.shape[0] != rows:
        raise BadInput(f"b has the shape {B.shape}; for this A it must be ({rows},) or ({rows}, k)", "python")
    working_type(B.dtype)
    return B if B.ndim == 2 else B[:, np.newaxis]
