"""Turns the caller's matrices and vectors into the arrays that the extension takes: compressed columns, int64 or int32 indices, one of four types."""
from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._errors import BadInput, BadPlan, OutOfMemory

_TYPES = {np.dtype(t) for t in ("float32", "float64", "complex64", "complex128")}


class Columns(NamedTuple):
    """A by compressed columns: column j holds indices[indptr[j]:indptr[j + 1]]. The extension sorts them, and sums duplicates."""

    shape: tuple[int, int]
    indptr: np.ndarray
    indices: np.ndarray
    data: np.ndarray

    @property
    def dtype(self) -> np.dtype:
        return self.data.dtype

    def without_zeros(self) -> Columns:
        """The columns without stored zeros, which would cause fill like any other entries."""
        is_kept = self.data != 0
        if is_kept.all():
            return self
        before = np.concatenate(([0], np.cumsum(is_kept)))
        return self._replace(indptr=before[self.indptr], indices=self.indices[is_kept], data=self.data[is_kept])

    def astype(self, dtype: np.dtype) -> Columns:
        return self if self.data.dtype == dtype else self._replace(data=np.ascontiguousarray(self.data, dtype=dtype))

    def arguments(self) -> tuple[int, int, np.ndarray, np.ndarray, np.ndarray]:
        """As the extension's functions take a matrix."""
        return (*self.shape, self.indptr, self.indices, self.data)


class Entries(NamedTuple):
    """The entries of a matrix that the ranks of this process hold, one rank after the other: counts[k] entries of rank k."""

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

    def arguments(self) -> tuple[int, int, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """As the extension's functions take a distributed matrix."""
        return (*self.shape, self.counts, self.row, self.col, self.data)


def entries(A: Any, triangle: Triangle | None = None) -> Entries:
    """Parts of a sparse matrix, each with the shape of the whole: one, or a list with one for each rank of this process."""
    parts = list(A) if isinstance(A, (list, tuple)) else [A]
    for part in parts or [A]:
        if not hasattr(part, "tocoo"):
            raise BadInput(f"with distributed=True A is a SciPy sparse array with this rank's entries and the shape of the whole "
                           f"matrix, or a list of them; this is {type_of(part)}", "python")
        check_sparse(part)
    held = [mirrored(part, triangle).tocoo() for part in parts]
    if len({part.shape for part in held}) > 1:
        raise BadInput("the parts have different shapes; give each the shape of the whole matrix", "python")

    def joined(arrays: list[np.ndarray], dtype: Any = None) -> np.ndarray:
        return np.ascontiguousarray(np.concatenate(arrays), dtype=dtype)

    data = joined([part.data for part in held])
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


_SINGLE = {np.dtype(np.float32), np.dtype(np.complex64)}


def require_range(values: np.ndarray, dtype: np.dtype, name: str) -> None:
    """Check the range of numbers. Errors: BadInput if a number overflows single precision, the type of the factors."""
    if dtype not in _SINGLE or values.dtype in _SINGLE or values.dtype.kind not in "fc":
        return
    with np.errstate(over="ignore"):
        single = values.astype(np.complex64 if values.dtype.kind == "c" else np.float32)
    lost = np.isfinite(values) & ~np.isfinite(single)
    if lost.any():
        raise BadInput(f"{name} has the number {values[lost][0]:.6g}, which overflows single precision, and the factors are in single precision; "
                       "factorise in double, as factorize(A.astype(float)) does", "python")


class Triangle(NamedTuple):
    """The triangle of A that is read, "upper" or "lower". The other one is its mirror image, with is_hermitian conjugated."""

    name: str
    is_hermitian: bool


def triangle_of(symmetric: Any, hermitian: Any) -> Triangle | None:
    """The triangle by the keywords; None if none was given."""
    for name, value in (("symmetric", symmetric), ("hermitian", hermitian)):
        if value not in (None, "upper", "lower"):
            raise BadPlan(f'{name} is {value!r}; give "upper" or "lower", the triangle of A that is read', "python")
    if symmetric and hermitian:
        raise BadPlan("both symmetric and hermitian were given; give one of them", "python")
    return Triangle(symmetric or hermitian, symmetric is None) if symmetric or hermitian else None


def mirrored(A: Any, triangle: Triangle | None) -> Any:
    """A, or the matrix with this triangle of A and its mirror image: sparse where A is (zeros stay entries), else dense."""
    if triangle is None:
        return A
    is_sparse = hasattr(A, "tocoo")
    if is_sparse:
        check_sparse(A)
    whole = A.tocoo() if is_sparse else _matrix(A)
    if whole.shape[0] != whole.shape[1]:
        raise BadInput(f"one triangle was to be read, but A is {whole.shape[0]} x {whole.shape[1]}; give a square matrix", "python")
    if not is_sparse:
        half, strict = (np.triu(whole), np.triu(whole, 1)) if triangle.name == "upper" else (np.tril(whole), np.tril(whole, -1))
        return _real_diagonal(half, triangle) + _reflected(strict.T, triangle)
    row, col, value = whole.row, whole.col, whole.data
    is_read = row <= col if triangle.name == "upper" else row >= col
    row, col, value = row[is_read], col[is_read], value[is_read]
    off = row != col
    if triangle.is_hermitian and value.dtype.kind == "c":
        value = np.where(off, value, value.real)
    joined = np.concatenate([value, _reflected(value[off], triangle)])
    return type(whole)((joined, (np.concatenate([row, col[off]]), np.concatenate([col, row[off]]))), shape=whole.shape)


def _reflected(values: np.ndarray, triangle: Triangle) -> np.ndarray:
    return values.conj() if triangle.is_hermitian else values


def _real_diagonal(A: np.ndarray, triangle: Triangle) -> np.ndarray:
    if triangle.is_hermitian and A.dtype.kind == "c":
        np.fill_diagonal(A, A.diagonal().real)
    return A


def columns(A: Any) -> Columns:
    """Any SciPy sparse array or matrix, or anything that NumPy reads as a matrix. A stays as it is."""
    if hasattr(A, "tocsc"):
        return _from_sparse(A)
    dense = _matrix(A)
    column, row = np.nonzero(dense.T)
    indptr = np.zeros(dense.shape[1] + 1, dtype=np.int64)
    np.cumsum(np.bincount(column, minlength=dense.shape[1]), out=indptr[1:])
    return Columns(dense.shape, indptr, row.astype(np.int64), dense[row, column])


def no_columns(shape: Any, dtype: Any) -> Columns:
    """Takes the place of a matrix that only rank 0 has."""
    none = np.zeros(0, dtype=np.int64)
    return Columns(tuple(shape), np.zeros(shape[1] + 1, dtype=np.int64), none, np.zeros(0, dtype=dtype))


def type_of(value: Any) -> str:
    """The type of an object, as users name it."""
    kind = type(value)
    if value is None:
        return "None"
    if callable(value) and hasattr(value, "__code__"):
        return "a function"
    if any(base.__name__ == "LinearOperator" for base in kind.__mro__):
        return "a LinearOperator"
    package = kind.__module__.partition(".")[0]
    name = kind.__qualname__ if package == "builtins" else f"{package}.{kind.__qualname__}"
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _advice(given: Any, name: str) -> str:
    """Advice on what to give instead of this object."""
    if hasattr(given, "to_numpy"):
        return f"give {name}.to_numpy(dtype=float)"
    if name != "A":
        return f"give {name} as an array of numbers"
    a_matrix = "a SciPy sparse array, or an array of numbers with two dimensions"
    if isinstance(given, (str, bytes)) or hasattr(given, "__fspath__"):
        return f"read a file with overlapack.read_matrix, or give {a_matrix}"
    if hasattr(given, "matvec"):
        return "factors need its entries: give a SciPy sparse array, or iterate with scipy.sparse.linalg.gmres"
    return f"give {a_matrix}"


def _numbers(given: Any, name: str) -> np.ndarray:
    """The object as NumPy reads it. Errors: BadInput, naming its type, if it has no numbers or some are masked."""
    try:
        array = np.asarray(given)
    except Exception as error:  # whatever the type's own code raises
        raise BadInput(f"{name} is {type_of(given)}, which NumPy cannot read as an array; {_advice(given, name)}", "python") from error
    if array.dtype.kind not in "biufc":
        entries = f" with entries of type {array.dtype}" if array.ndim > 0 else ""
        raise BadInput(f"{name} is {type_of(given)}{entries}; {_advice(given, name)}", "python")
    if hasattr(given, "mask") and np.ma.is_masked(given):
        raise BadInput(f"{name} is a masked array, {np.ma.count_masked(given)} of whose entries have no value; give them one, as "
                       f"{name}.filled(0) does", "python")
    return array


def _matrix(A: Any) -> np.ndarray:
    dense = _numbers(A, "A")
    if dense.ndim != 2:
        raise BadInput(f"A is {type_of(A)} with {dense.ndim} dimension(s), but a matrix has two; {_advice(A, 'A')}", "python")
    working_type(dense.dtype)
    return dense


def part_of(values: Any, name: str, dimensions: tuple[int, ...] = (2,)) -> np.ndarray:
    """A rank's part of a dense matrix."""
    part = _numbers(values, name)
    if part.ndim not in dimensions:
        raise BadInput(f"the part of {name} has {part.ndim} dimension(s); give rows and columns", "python")
    working_type(part.dtype)
    return part


def dense_matrix(A: Any) -> np.ndarray:
    """A as an array; a sparse A becomes dense. Errors: OutOfMemory if memory does not suffice for that."""
    if not hasattr(A, "tocsc"):
        return _matrix(A)
    check_sparse(A)
    wanted, there = filled_bytes(A), _core.available_memory_bytes()
    if wanted > there:
        raise OutOfMemory(f"A is sparse and would take {_core.bytes_text(wanted)} as a dense array, but {_core.bytes_text(there)} of memory are free; use "
                          "factorize or solve with its sparse methods, or a machine with more memory", "python")
    return _matrix(A.toarray())


def filled_bytes(A: Any) -> int:
    """The bytes of a sparse matrix as a dense array."""
    return A.shape[0] * A.shape[1] * working_type(A.dtype).itemsize


def laid_out(A: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """A in this type. It is not copied if it already has this type and is stored by columns or by rows. A does not change."""
    held = np.asarray(A, dtype=dtype)
    return held if _lies_in_lines(held) else np.array(held, order="C")


def _lies_in_lines(A: np.ndarray) -> bool:
    """Whether the entries of each column, or of each row, are adjacent, and columns or rows do not overlap."""
    if A.flags.forc:
        return A.flags.aligned
    short, long = sorted(A.strides)
    return A.flags.aligned and short == A.itemsize and long % short == 0 and long >= short * A.shape[A.strides.index(short)]


@lru_cache(maxsize=None)
def type_of_factors(A: np.dtype, b: np.dtype | None = None) -> np.dtype:
    """That of the factors of A which serve b: of the solve, but real where A is real, since both parts of a complex b are real
    right-hand sides."""
    if b is None:
        return working_type(A)
    wanted = working_type(A, b)
    return wanted if A.kind == "c" else wanted.type(0).real.dtype


def check_sparse(A: Any) -> None:
    """Check that a sparse object is a matrix of numbers. Errors: BadInput"""
    if A.dtype.kind not in "biufc":
        raise BadInput(f"A is {type_of(A)} with entries of type {A.dtype}; convert it first, as A.astype(float) does", "python")
    if A.ndim != 2:
        raise BadInput(f"A is {type_of(A)} with {A.ndim} dimension(s), but a matrix has two; {_advice(A, 'A')}", "python")
    working_type(A.dtype)


def _from_sparse(A: Any) -> Columns:
    check_sparse(A)
    csc = A.tocsc()
    indptr, indices = (
        np.ascontiguousarray(given, dtype=np.int32 if given.dtype == np.int32 else np.int64) for given in (csc.indptr, csc.indices)
    )
    return Columns(csc.shape, indptr, indices, np.ascontiguousarray(csc.data))


def right_hand_sides(b: Any, rows: int | None, name: str = "b") -> tuple[np.ndarray, tuple[int, ...]]:
    """b as an n x k array of numbers, n = rows where they are known, and its own shape; a sparse b is filled up (sparse factors leave
    out what its zeros allow)."""
    B = _numbers(b.toarray() if hasattr(b, "tocsc") else b, name)
    if B.ndim not in (1, 2) or (rows is not None and B.shape[0] != rows):
        wanted = "(n,) or (n, k)" if rows is None else f"({rows},) or ({rows}, k)"
        raise BadInput(f"{name} has the shape {B.shape}; for this A it must be {wanted}", "python")
    working_type(B.dtype)
    return (B if B.ndim == 2 else B[:, np.newaxis]), B.shape


def whole_numbers(values: Any, name: str) -> np.ndarray:
    """An array of integers, such as numbers of variables."""
    numbers = _numbers(values, name)
    if numbers.dtype.kind not in "iu" and numbers.size > 0:
        raise BadInput(f"{name} must be whole numbers, not {numbers.dtype}; convert them", "python")
    return numbers.astype(np.int64)


def numbers(values: Any, name: str) -> np.ndarray:
    """An array of numbers of any shape."""
    return _numbers(values, name)


def whole_pattern(A: Any) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
    """(order, offsets, rows, which entry of A.data is that of each position) by columns."""
    if getattr(A, "format", None) not in ("csc", "csr"):
        raise BadInput(f"the pattern is {type_of(A)}; give a SciPy matrix in CSC or CSR", "python")
    if A.shape[0] != A.shape[1]:
        raise BadInput(f"the pattern is {A.shape[0]} x {A.shape[1]}, but systems have square matrices", "python")
    from scipy import sparse

    numbered = type(A)((np.arange(A.data.size), A.indices, A.indptr), shape=A.shape, copy=True)
    if numbered.data.size != numbered.indptr[-1]:
        raise BadInput("the pattern's data has another length than its indices; give one number each", "python")
    by_columns = sparse.csc_array(numbered)
    if by_columns.data.size != A.data.size:
        raise BadInput("the pattern has a position twice; call sum_duplicates", "python")
    return A.shape[0], by_columns.indptr.astype(np.int64), by_columns.indices.astype(np.int64), by_columns.data.astype(np.int64)


def signs_of_pivots(values: Any) -> np.ndarray:
    """+1 and -1, of any type of number."""
    numbers = _numbers(values, "signs").ravel()
    odd = np.flatnonzero((numbers != 1) & (numbers != -1))
    if odd.size > 0:
        raise BadInput(f"signs[{odd[0]}] is {numbers[odd[0]]}; give +1 or -1 for each unknown, the sign of its pivot", "python")
    return np.ascontiguousarray(numbers.real.astype(np.int8))


def csc_array(rows: int, cols: int, start: np.ndarray, row: np.ndarray, value: np.ndarray) -> Any:
    """A sparse array of SciPy."""
    try:
        from scipy import sparse
    except ModuleNotFoundError:
        raise BadPlan("the matrix would be a sparse array of SciPy, which is not here; pip install scipy", "python") from None

    make = getattr(sparse, "csc_array", sparse.csc_matrix)
    return make((value, row, start), shape=(rows, cols))
