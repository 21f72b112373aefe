"""Sparse solves and determinants in PyTorch programs, with derivatives, on processors.

    x = overlapack.torch.solve(A, b)      A: a sparse tensor, CSR or COO; b dense
    overlapack.torch.logdet(A)            the gradient is the inverse on A's positions

Gradients are tensors on A's positions, and can be differentiated again; torch.func.vmap, grad and jvp work too. Factors are kept: the
gradient of a solve is a solve with the adjoint by the same factors.
"""
from __future__ import annotations

import functools
from typing import Any

import numpy as np

try:
    import torch
except ModuleNotFoundError:
    raise ModuleNotFoundError("overlapack.torch needs PyTorch, which is not here; pip install torch", name="torch") from None

from . import _core
from ._errors import BadInput
from ._factors import operation
from ._kept_factors import cache_info, clear_cache, options_text, raises, set_cache_limit

__all__ = ["cache_info", "clear_cache", "logdet", "set_cache_limit", "slogdet", "solve"]


def solve(A: torch.Tensor, b: torch.Tensor, trans: str | int = "N", *, on_failure: str = "nan", **options: Any) -> torch.Tensor:
    """Solve A x = b, or with the transpose of A.

    Parameters
    ----------
    A : sparse Tensor
        Square, CSR or COO, or (values, crow_indices, col_indices); on the CPU.
    b : Tensor
        n numbers, or n x k.
    trans : {"N", "T", "H"}
        A x = b, A^T x = b, A^H x = b.
    on_failure : {"nan", "raise"}
        What a singular matrix, or one or a b with NaN, gives: NaN, or an error.
    **options
        As for `overlapack.factorize`: ordering, factorization, pivot_threshold, ranks, ...

    Returns
    -------
    Tensor
        Of b's shape.

    Raises
    ------
    BadInput, BadPlan
    Singular
        With on_failure="raise".

    Examples
    --------
    >>> import torch, overlapack.torch
    >>> values = torch.tensor([2.0, 1.0, 4.0], requires_grad=True)
    >>> A = (values, torch.tensor([0, 2, 3]), torch.tensor([0, 1, 1]))
    >>> overlapack.torch.solve(A, torch.tensor([3.0, 4.0])).sum().backward()
    >>> values.grad
    tensor([-0.5000, -0.5000, -0.1250])
    """
    values, pattern = _entries(A)
    if b.ndim not in (1, 2) or b.shape[0] != pattern.n:
        raise BadInput(f"b has the shape {tuple(b.shape)}; for this A it must be ({pattern.n},) or ({pattern.n}, k)", "python")
    op = operation(trans)
    fixed = (options_text(options), raises(on_failure))
    sides = _numbers(b, "b").reshape(pattern.n, 1 if b.ndim == 1 else b.shape[1]).T
    is_split = sides.is_complex() and not values.is_complex()
    if is_split:  # A is real: both parts are right-hand sides
        sides = torch.cat([sides.real, sides.imag])
    kind = torch.promote_types(values.dtype, sides.dtype)
    values, sides = values.to(kind)[None], sides.to(kind)[None]
    if op == 1:  # A^T x = b is A^H conj(x) = conj(b)
        x = _Solve.apply(values, sides.conj(), pattern, True, fixed)[0].conj()
    else:
        x = _Solve.apply(values, sides, pattern, op == 2, fixed)[0]
    if is_split:
        x = torch.complex(*x.chunk(2))
    return x.T.reshape(b.shape)


def slogdet(A: torch.Tensor, *, on_failure: str = "nan", **options: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """The determinant as torch.linalg.slogdet gives it.

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
    values, pattern = _entries(A)
    sign, logarithm = _Slogdet.apply(values[None], pattern, (options_text(options), raises(on_failure)))
    return sign[0], logarithm[0]


def logdet(A: torch.Tensor, *, on_failure: str = "nan", **options: Any) -> torch.Tensor:
    """log det A; NaN where the determinant of a real matrix is negative, -inf where it is 0. See `slogdet`."""
    sign, logarithm = slogdet(A, on_failure=on_failure, **options)
    if sign.is_complex():
        return torch.log(sign) + logarithm
    return logarithm + torch.where(sign < 0, torch.nan, 0.0).to(logarithm.dtype)


# ---- What is given


class _Pattern:
    """Where the entries are: compressed rows, or the rows themselves. Looked at where autograd has numbers, in the functions below."""

    def __init__(self, n: int, rows: torch.Tensor, col: torch.Tensor, is_compressed: bool) -> None:
        self.n = n
        self._given = (rows, col, is_compressed)

    @functools.cached_property
    def arrays(self) -> tuple[int, np.ndarray, np.ndarray]:
        """(n, rows, columns) as the extension takes them."""
        rows, col, is_compressed = self._given
        row, col = (given.numpy().copy() for given in (rows, col))  # the caller may change his
        return self.n, _rows(row, col.size).astype(col.dtype, copy=False) if is_compressed else row, col

    @functools.cached_property
    def places(self) -> tuple[torch.Tensor, torch.Tensor]:
        """(rows, columns) as torch indexes with them."""
        _, row, col = self.arrays
        return torch.from_numpy(row), torch.from_numpy(col)


def _numbers(given: torch.Tensor, name: str) -> torch.Tensor:
    """In a type that factors have."""
    if given.device.type != "cpu":
        raise BadInput(f"{name} is on {given.device}; move it with .cpu(), factors are made on processors", "python")
    if given.dtype == torch.bool:
        raise BadInput(f"{name} has the type torch.bool; give numbers", "python")
    if given.dtype in (torch.float32, torch.float64, torch.complex64, torch.complex128):
        return given
    if given.is_complex():
        return given.to(torch.complex64)
    return given.to(torch.float32 if given.is_floating_point() else torch.get_default_dtype())


def _entries(A: Any) -> tuple[torch.Tensor, _Pattern]:
    """The values, from which gradients go to A, and where they are."""
    if isinstance(A, (tuple, list)) and len(A) == 3:
        values, start, index = A
        order = start.numel() - 1
        if values.ndim != 1 or values.shape != index.shape or start.ndim != 1 or order < 0:
            raise BadInput(f"values have the shape {tuple(values.shape)}, col_indices {tuple(index.shape)} and crow_indices {tuple(start.shape)}; give nnz, "
                           "nnz and n + 1 numbers", "python")
    elif isinstance(A, torch.Tensor) and A.layout in (torch.sparse_csr, torch.sparse_coo):
        if A.ndim != 2 or A.shape[0] != A.shape[1] or A.dense_dim() != 0:
            raise BadInput(f"A has the shape {tuple(A.shape)} and {A.dense_dim()} dense dimensions; give a square matrix of numbers", "python")
        order = A.shape[0]
        if A.layout == torch.sparse_coo:
            A = A.coalesce()
            return _numbers(A.values(), "A"), _Pattern(order, *A.indices(), False)
        start, index, values = A.crow_indices(), A.col_indices(), A.values()
    else:
        raise BadInput(f"A is a {type(A).__name__}{f' of layout {A.layout}' if isinstance(A, torch.Tensor) else ''}; give a sparse tensor, as "
                       "A.to_sparse_csr() makes it, or (values, crow_indices, col_indices)", "python")
    if {start.dtype, index.dtype} - {torch.int32, torch.int64}:
        raise BadInput(f"the offsets and numbers of A have the types {start.dtype} and {index.dtype}; give torch.int64 or torch.int32", "python")
    return _numbers(values, "A"), _Pattern(order, start, index, True)


def _rows(start: np.ndarray, entries: int) -> np.ndarray:
    """The row of each entry."""
    lengths = np.diff(start)
    if start[0] != 0 or start[-1] != entries or (lengths < 0).any():
        raise BadInput(f"the offsets of A begin with {start[0]} and end with {start[-1]}; give ones that begin with 0, never fall and end with the number of "
                       f"entries, {entries}", "python")
    return np.repeat(np.arange(lengths.size), lengths)


def _array(tensor: torch.Tensor) -> np.ndarray:
    """Its numbers, one after the other."""
    return tensor.detach().resolve_conj().resolve_neg().contiguous().numpy().ravel()


# ---- Derivatives. Shapes  values: systems x entries, sides: systems x right-hand sides x n


def _product(values: torch.Tensor, pattern: _Pattern, is_adjoint: bool, x: torch.Tensor) -> torch.Tensor:
    """A x, or A^H x."""
    row, col = pattern.places
    if is_adjoint:
        return torch.zeros_like(x).index_add(2, col, values.conj()[:, None] * x[:, :, row])
    return torch.zeros_like(x).index_add(2, row, values[:, None] * x[:, :, col])


class _Solve(torch.autograd.Function):
    """X of A X = B, or A^H X = B."""

    @staticmethod
    def forward(values: torch.Tensor, sides: torch.Tensor, pattern: _Pattern, is_adjoint: bool, fixed: tuple) -> torch.Tensor:
        x = _core.kept_solve(*pattern.arrays, _array(values), values.shape[0], _array(sides), sides.shape[1], 2 if is_adjoint else 0, *fixed)
        return torch.from_numpy(x).reshape(sides.shape)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: torch.Tensor) -> None:
        values, _, *ctx.fixed = inputs
        ctx.save_for_backward(values, output)
        ctx.save_for_forward(values, output)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple:
        values, x = ctx.saved_tensors
        pattern, is_adjoint, fixed = ctx.fixed
        of_sides = _Solve.apply(values, gradient, pattern, not is_adjoint, fixed)
        of_values = None
        if ctx.needs_input_grad[0]:
            row, col = pattern.places
            left, right = (x, of_sides) if is_adjoint else (of_sides, x)
            of_values = -(left[:, :, row] * right[:, :, col].conj()).sum(1)
        return of_values, of_sides, None, None, None

    @staticmethod
    def jvp(ctx: Any, of_values: Any, of_sides: Any, *_: Any) -> torch.Tensor:
        values, x = ctx.saved_tensors
        pattern, is_adjoint, fixed = ctx.fixed
        change = torch.zeros_like(x) if of_sides is None else of_sides
        if of_values is not None:
            change = change - _product(of_values, pattern, is_adjoint, x)
        return _Solve.apply(values, change, pattern, is_adjoint, fixed)

    @staticmethod
    def vmap(info: Any, in_dims: tuple, values: torch.Tensor, sides: torch.Tensor, *others: Any) -> tuple:
        size = info.batch_size
        if in_dims[1] is None:
            sides = sides.expand(size, *sides.shape)
        else:
            sides = sides.movedim(in_dims[1], 0)
        if in_dims[0] is None:  # one matrix: more right-hand sides
            together = _Solve.apply(values, sides.transpose(0, 1).flatten(1, 2), *others)
            return together.unflatten(1, (size, -1)).transpose(0, 1), 0
        values = values.movedim(in_dims[0], 0)
        return _Solve.apply(values.flatten(0, 1), sides.flatten(0, 1), *others).reshape(sides.shape), 0


class _OfMatrices(torch.autograd.Function):
    """What is mapped over values alone."""

    @classmethod
    def vmap(cls, info: Any, in_dims: tuple, values: torch.Tensor, *others: Any) -> tuple:
        values = values.movedim(in_dims[0], 0)
        together = cls.apply(values.flatten(0, 1), *others)
        if isinstance(together, tuple):
            return tuple(part.unflatten(0, (info.batch_size, -1)) for part in together), (0,) * len(together)
        return together.unflatten(0, (info.batch_size, -1)), 0


class _Slogdet(_OfMatrices):
    @staticmethod
    def forward(values: torch.Tensor, pattern: _Pattern, fixed: tuple) -> tuple[torch.Tensor, torch.Tensor]:
        sign, logarithm = _core.kept_slogdet(*pattern.arrays, _array(values), values.shape[0], *fixed)
        return torch.from_numpy(sign), torch.from_numpy(logarithm)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: tuple) -> None:
        values, *ctx.fixed = inputs
        ctx.save_for_backward(values, output[0])
        ctx.save_for_forward(values, output[0])

    @staticmethod
    def backward(ctx: Any, of_sign: torch.Tensor, of_logarithm: torch.Tensor) -> tuple:
        """d log det A = trace(A^-1 dA)"""
        values, sign = ctx.saved_tensors
        weight = of_logarithm
        if values.is_complex():
            weight = torch.complex(of_logarithm, -(of_sign.conj() * sign).imag)
        return weight[:, None] * _Inverse.apply(values, *ctx.fixed).conj(), None, None

    @staticmethod
    def jvp(ctx: Any, of_values: torch.Tensor, *_: Any) -> tuple:
        values, sign = ctx.saved_tensors
        change = (_Inverse.apply(values, *ctx.fixed) * of_values).sum(1)
        if values.is_complex():
            return sign * 1j * change.imag, change.real
        return torch.zeros_like(sign), change


class _Inverse(_OfMatrices):
    """A^-1 at (col, row) of each entry."""

    @staticmethod
    def forward(values: torch.Tensor, pattern: _Pattern, fixed: tuple) -> torch.Tensor:
        entries = _core.kept_inverse(*pattern.arrays, _array(values), values.shape[0], *fixed)
        return torch.from_numpy(entries).reshape(values.shape)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: torch.Tensor) -> None:
        values, *ctx.fixed = inputs
        ctx.save_for_backward(values)
        ctx.save_for_forward(values)

    @staticmethod
    def _dense_inverse(ctx: Any) -> torch.Tensor:
        """systems x n x n"""
        (values,) = ctx.saved_tensors
        pattern, fixed = ctx.fixed
        identity = torch.eye(pattern.n, dtype=values.dtype).expand(values.shape[0], -1, -1)
        return _Solve.apply(values, identity, pattern, False, fixed).mT

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple:
        """d A^-1 = -A^-1 dA A^-1"""
        adjoint = _Inverse._dense_inverse(ctx).mH
        row, col = ctx.fixed[0].places
        return -(adjoint @ _dense(adjoint, col, row, gradient) @ adjoint)[:, row, col], None, None

    @staticmethod
    def jvp(ctx: Any, of_values: torch.Tensor, *_: Any) -> torch.Tensor:
        inverse = _Inverse._dense_inverse(ctx)
        row, col = ctx.fixed[0].places
        return -(inverse @ _dense(inverse, row, col, of_values) @ inverse)[:, col, row]


def _dense(like: torch.Tensor, row: torch.Tensor, col: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Matrices with these entries."""
    system = torch.arange(like.shape[0])[:, None]
    return torch.zeros_like(like).index_put((system, row, col), values, accumulate=True)
