"""Sparse solves and determinants in JAX programs, with derivatives, on processors.

    x = overlapack.jax.solve(A, b)        A: jax.experimental.sparse's BCOO or BCSR, or (data, indices, indptr)
    overlapack.jax.logdet(A)              the gradient is the inverse on A's positions
    python -m overlapack.jax              compiles the custom calls beside the package, for machines without a compiler

Both work under jit, grad, jvp and vmap, in any order and to any depth. Factors are kept: the gradient of a solve is a solve with the
transpose by the same factors. The first use compiles one small file of C.
"""
from __future__ import annotations

import functools
from typing import Any, Callable

try:
    import jax
except ModuleNotFoundError:
    raise ModuleNotFoundError("overlapack.jax needs JAX, which is not here; pip install jax", name="jax") from None
if not hasattr(jax, "ffi"):
    raise ImportError(f"overlapack.jax needs JAX 0.5 or newer, and this is {jax.__version__}; pip install --upgrade jax")
import jax.numpy as jnp
import numpy as np
from jax.experimental import sparse

from . import _jax_library
from ._errors import BadInput
from ._kept_factors import cache_info, clear_cache, options_text, raises, set_cache_limit
from ._factors import operation

__all__ = ["cache_info", "clear_cache", "logdet", "set_cache_limit", "slogdet", "solve"]


def solve(A: Any, b: Any, trans: str | int = "N", *, on_failure: str = "nan", **options: Any) -> jax.Array:
    """Solve A x = b, or with the transpose of A.

    Parameters
    ----------
    A : BCOO, BCSR or (data, indices, indptr)
        Square; the tuple is that of compressed rows. Entries at one position are summed.
    b : array_like
        n numbers, or n x k.
    trans : {"N", "T", "H"}
        A x = b, A^T x = b, A^H x = b.
    on_failure : {"nan", "raise"}
        What a singular matrix, or one or a b with NaN, gives: NaN, or an error.
    **options
        As for `overlapack.factorize`: ordering, factorization, pivot_threshold, ranks, ...

    Returns
    -------
    jax.Array
        Of b's shape.

    Raises
    ------
    BadInput, BadPlan
        Shapes, types and options, while JAX traces.
    jax.errors.JaxRuntimeError
        Positions outside of A; with on_failure="raise" what has no answer.

    Examples
    --------
    >>> import jax, overlapack.jax
    >>> indices, indptr = jax.numpy.array([0, 1, 1]), jax.numpy.array([0, 2, 3])
    >>> def total(data):
    ...     return overlapack.jax.solve((data, indices, indptr), [3.0, 4.0]).sum()
    >>> print(jax.grad(total)(jax.numpy.array([2.0, 1.0, 4.0])))
    [-0.5   -0.5   -0.125]
    """
    data, row, col, n = _entries(A)
    sides = _array(b, "b")
    if sides.ndim not in (1, 2) or sides.shape[0] != n:
        raise BadInput(f"b has the shape {sides.shape}; for this A it must be ({n},) or ({n}, k)", "python")
    op = operation(trans)
    fixed = (n, raises(on_failure), options_text(options))
    _jax_library.load()
    data = data.astype(_working_type(data.dtype, sides.dtype if data.dtype.kind == "c" else sides.real.dtype))
    if sides.dtype.kind == "c" and data.dtype.kind != "c":  # A is real: both parts are right-hand sides
        columns = sides.reshape(n, 1 if sides.ndim == 1 else sides.shape[1])
        both = jnp.concatenate([columns.real, columns.imag], axis=1).astype(data.dtype)
        real, imaginary = jnp.split(_solve(data, row, col, both, op, fixed), 2, axis=1)
        return jax.lax.complex(real, imaginary).reshape(sides.shape)
    return _solve(data, row, col, sides.astype(data.dtype), op, fixed)


def slogdet(A: Any, *, on_failure: str = "nan", **options: Any) -> tuple[jax.Array, jax.Array]:
    """The determinant as jax.numpy.linalg.slogdet gives it.

    Parameters
    ----------
    A, on_failure, **options
        As `solve`. A singular matrix is no failure.

    Returns
    -------
    (sign, logabsdet)
        (0, -inf) where A is singular. The gradient is the inverse on A's positions
        (`selected_inverse`); a second derivative is made of A^-1 as a dense matrix.
    """
    data, row, col, n = _entries(A)
    fixed = (n, raises(on_failure), options_text(options))
    _jax_library.load()
    return _slogdet(data.astype(_working_type(data.dtype)), row, col, fixed)


def logdet(A: Any, *, on_failure: str = "nan", **options: Any) -> jax.Array:
    """log det A; NaN where the determinant of a real matrix is negative, -inf where it is 0. See `slogdet`."""
    sign, logarithm = slogdet(A, on_failure=on_failure, **options)
    if sign.dtype.kind == "c":
        return jnp.log(sign) + logarithm
    return logarithm + jnp.where(sign < 0, jnp.nan, 0).astype(logarithm.dtype)


# ---- What is given


def _array(given: Any, name: str) -> jax.Array:
    array = jnp.asarray(given)
    if array.dtype.kind not in "iufc" and not jnp.issubdtype(array.dtype, jnp.floating):
        raise BadInput(f"{name} has the type {array.dtype}; give numbers", "python")
    return array


def _working_type(*types: Any) -> np.dtype:
    """The type of the factors: float32, float64, or complex of these."""
    together = jnp.result_type(*types)
    return jnp.result_type(together if jnp.issubdtype(together, jnp.inexact) else jnp.result_type(float), jnp.float32)


def _entries(A: Any) -> tuple[jax.Array, jax.Array, jax.Array, int]:
    """(data, rows, columns, order); an entry at (order, order) counts for nothing."""
    if isinstance(A, (sparse.BCOO, sparse.BCSR)):
        if A.n_batch or A.n_dense:
            raise BadInput(f"A is a {type(A).__name__} with {A.n_batch} batch and {A.n_dense} dense dimensions; give one of rows and columns alone, and "
                           "map over others with jax.vmap", "python")
        if len(A.shape) != 2 or A.shape[0] != A.shape[1]:
            raise BadInput(f"A has the shape {A.shape}; give a square matrix", "python")
        data = _array(A.data, "A")
        if isinstance(A, sparse.BCOO):
            kind = jnp.int64 if A.indices.dtype.itemsize > 4 else jnp.int32
            indices = A.indices.astype(kind)  # the custom call knows these two
            return data, indices[:, 0], indices[:, 1], A.shape[0]
        return (data, *_rows_and_columns(_index(A.indices), _index(A.indptr)), A.shape[0])
    if not isinstance(A, (tuple, list)) or len(A) != 3:
        raise BadInput(f"A is a {type(A).__name__}; give a BCOO or BCSR of jax.experimental.sparse, or (data, indices, indptr)", "python")
    data, indices, indptr = _array(A[0], "data"), _index(A[1]), _index(A[2])
    for name, numbers in (("indices", indices), ("indptr", indptr)):
        if numbers.ndim != 1 or (numbers.dtype.kind != "i" and numbers.size > 0):
            raise BadInput(f"{name} has the shape {numbers.shape} and the type {numbers.dtype}; give a list of whole numbers", "python")
    if data.shape != indices.shape or indptr.size == 0:
        raise BadInput(f"data has the shape {data.shape}, indices {indices.shape} and indptr {indptr.shape}; give nnz, nnz and n + 1 numbers, and one "
                       "matrix a call (jax.vmap maps over many)", "python")
    return (data, *_rows_and_columns(indices, indptr), indptr.size - 1)


def _index(given: Any) -> Any:
    """As NumPy's where its numbers are known: XLA folds constants slowly."""
    return given if isinstance(given, jax.core.Tracer) else np.asarray(given)


def _rows_and_columns(indices: Any, indptr: Any) -> tuple[Any, Any]:
    """Of each entry; (n, n) behind the end of indptr. Rows -1 where a traced indptr is none, which the custom call refuses."""
    n, entries = indptr.size - 1, indices.size
    kind = jnp.promote_types(jnp.promote_types(indices.dtype, indptr.dtype), jnp.int32) if entries else jnp.int32
    if isinstance(indptr, np.ndarray):
        lengths = np.diff(indptr)
        if indptr[0] != 0 or indptr[-1] > entries or (lengths < 0).any():
            raise BadInput(f"indptr begins with {indptr[0]} and ends with {indptr[-1]}; give one that begins with 0, never falls and ends with the number of "
                           f"entries, {entries}", "python")
        row = np.repeat(np.arange(n + 1), np.append(lengths, entries - indptr[-1])).astype(kind)
    else:
        steps = jnp.zeros(entries, kind).at[indptr[1:]].add(1, mode="drop").cumsum(dtype=kind)
        is_rising = (indptr[0] == 0) & (indptr[-1] <= entries) & jnp.all(indptr[1:] >= indptr[:-1])
        row = jnp.where(is_rising, steps, -1)
    where = np.where if isinstance(row, np.ndarray) and isinstance(indices, np.ndarray) else jnp.where
    return row, where(row == n, n, indices).astype(kind)


# ---- Solutions


@functools.partial(jax.jit, static_argnums=(4, 5))
def _solve(data: jax.Array, row: jax.Array, col: jax.Array, b: jax.Array, op: int, fixed: tuple) -> jax.Array:
    """op: 0 A, 1 A^T, 2 A^H; fixed: (n, raises, options)."""
    if op == 2:
        return _solve(data, row, col, b.conj(), 1, fixed).conj()

    def product(x: jax.Array) -> jax.Array:
        i, j = (row, col) if op == 0 else (col, row)
        return jnp.zeros_like(x).at[:, i].add(data * x.at[:, j].get(mode="fill", fill_value=0), mode="drop")

    def solver(op: int) -> Callable:
        return lambda _, b: _solutions(op, fixed)(data[None], row, col, b[None])[0]

    sides = b[None] if b.ndim == 1 else b.T
    x = jax.lax.custom_linear_solve(product, sides, solver(op), solver(1 - op))
    return x[0] if b.ndim == 1 else x.T


def _each_by_itself(call: Callable, is_mapped: list[bool], *arguments: jax.Array) -> Any:
    """Over matrices that have a pattern each."""
    size = next(a.shape[0] for a, mapped in zip(arguments, is_mapped) if mapped)
    return jax.lax.map(lambda one: call(*one), tuple(
        a if mapped else jnp.broadcast_to(a, (size, *a.shape)) for a, mapped in zip(arguments, is_mapped)))


def _attributes(fixed: tuple, op: int = 0) -> dict[str, Any]:
    n, does_raise, options = fixed
    return {"n": np.int64(n), "op": np.int64(op), "raises": np.int64(does_raise), "options": options}


@functools.lru_cache(maxsize=None)
def _solutions(op: int, fixed: tuple) -> Callable:
    """Of data (systems x entries), row, col, b (systems x sides x n): x. A map over it is one call with more systems or sides."""

    @jax.custom_batching.custom_vmap
    def call(data: jax.Array, row: jax.Array, col: jax.Array, b: jax.Array) -> jax.Array:
        return jax.ffi.ffi_call("overlapack_solve", jax.ShapeDtypeStruct(b.shape, b.dtype))(data, row, col, b, **_attributes(fixed, op))

    @call.def_vmap
    def mapped(size: int, is_mapped: list[bool], data: jax.Array, row: jax.Array, col: jax.Array, b: jax.Array) -> tuple[jax.Array, bool]:
        if is_mapped[1] or is_mapped[2]:
            return _each_by_itself(call, is_mapped, data, row, col, b), True
        if not is_mapped[3]:
            b = jnp.broadcast_to(b, (size, *b.shape))
        _, systems, sides, n = b.shape
        if is_mapped[0]:
            return call(data.reshape(size * systems, data.shape[2]), row, col, b.reshape(size * systems, sides, n)).reshape(b.shape), True
        together = call(data, row, col, b.swapaxes(0, 1).reshape(systems, size * sides, n))
        return together.reshape(systems, size, sides, n).swapaxes(0, 1), True

    return call


# ---- Determinants


@functools.lru_cache(maxsize=None)
def _of_matrices(name: str, fixed: tuple, make_results: Callable) -> Callable:
    """The custom call of this name, of data (systems x entries), row and col."""

    @jax.custom_batching.custom_vmap
    def call(data: jax.Array, row: jax.Array, col: jax.Array) -> Any:
        return jax.ffi.ffi_call(name, make_results(data))(data, row, col, **_attributes(fixed))

    @call.def_vmap
    def mapped(size: int, is_mapped: list[bool], data: jax.Array, row: jax.Array, col: jax.Array) -> tuple[Any, Any]:
        if is_mapped[1] or is_mapped[2]:
            made = _each_by_itself(call, is_mapped, data, row, col)
        else:
            together = call(data.reshape(-1, data.shape[2]), row, col)
            made = jax.tree.map(lambda r: r.reshape(size, data.shape[1], *r.shape[1:]), together)
        return made, jax.tree.map(lambda _: True, made)

    return call


def _of_determinants(data: jax.Array) -> tuple[Any, Any]:
    return jax.ShapeDtypeStruct(data.shape[:1], data.dtype), jax.ShapeDtypeStruct(data.shape[:1], data.real.dtype)


def _of_entries(data: jax.Array) -> Any:
    return jax.ShapeDtypeStruct(data.shape, data.dtype)


@functools.partial(jax.custom_jvp, nondiff_argnums=(3,))
@functools.partial(jax.jit, static_argnums=(3,))
def _slogdet(data: jax.Array, row: jax.Array, col: jax.Array, fixed: tuple) -> tuple[jax.Array, jax.Array]:
    sign, logarithm = _of_matrices("overlapack_slogdet", fixed, _of_determinants)(data[None], row, col)
    return sign[0], logarithm[0]


@_slogdet.defjvp
def _slogdet_jvp(fixed: tuple, primals: tuple, tangents: tuple) -> tuple:
    """d log det A = trace(A^-1 dA)"""
    data, row, col = primals
    sign, logarithm = _slogdet(data, row, col, fixed)
    change = (_inverse(data, row, col, fixed) * tangents[0]).sum()
    of_sign = sign * 1j * change.imag if sign.dtype.kind == "c" else jnp.zeros_like(sign)
    return (sign, logarithm), (of_sign.astype(sign.dtype), change.real)


@functools.partial(jax.custom_jvp, nondiff_argnums=(3,))
@functools.partial(jax.jit, static_argnums=(3,))
def _inverse(data: jax.Array, row: jax.Array, col: jax.Array, fixed: tuple) -> jax.Array:
    """A^-1 at (col, row) of each entry."""
    return _of_matrices("overlapack_inverse", fixed, _of_entries)(data[None], row, col)[0]


@_inverse.defjvp
def _inverse_jvp(fixed: tuple, primals: tuple, tangents: tuple) -> tuple:
    """d A^-1 = -A^-1 dA A^-1, as dense matrices."""
    data, row, col = primals
    inverse = _solve(data, row, col, jnp.eye(fixed[0], dtype=data.dtype), 0, fixed)
    change = jnp.zeros_like(inverse).at[row, col].add(tangents[0], mode="drop")
    changed = -(inverse @ change @ inverse).at[col, row].get(mode="fill", fill_value=0)
    return _inverse(data, row, col, fixed), changed


if __name__ == "__main__":
    from pathlib import Path

    print(_jax_library.compile_into(Path(__file__).parent, Path(jax.ffi.include_dir())))
