"""Kept iterations. Their blocks and factors serve many right-hand sides, and precondition SciPy's methods."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._errors import BadInput, BadPlan
from ._factors import Factors, operation, solved
from ._given_matrix import Half, typed
from ._matrix import Columns, columns, mirrored, no_columns, require_range, right_hand_sides, triangle_of, working_type
from ._operator import Inverse
from ._ranks import Facts, Ranks, given_columns, given_matrix
from ._settings import begin

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options


def iterate(
    A: Any, *, near_null_space: Any = None, symmetric: Half = None, hermitian: Half = None, **options: Unpack[Options]
) -> Iteration:
    """Distribute a sparse A to ranks that iterate on it, and keep their blocks and factors.

    Parameters
    ----------
    A : sparse array or matrix, or array_like
        Square; as for `solve`.
    near_null_space : array_like
        n numbers, or n x k: vectors that A nearly maps to 0, for
        coarse="near_null_space", such as the rigid motions for elasticity. By default
        ones on each strongly coupled part of a block.
    symmetric, hermitian : {"upper", "lower"}, optional
        Only this triangle of A is read, as by `solve`.
    **options
        method="multisplitting" (the default) or "jacobi"; accelerator="gmres" or "cg"
        around it, sweeps=1, blocks=64, coarse="near_null_space", overlap=2, ...:
        `overlapack info --options`, in a shell, lists all of them.

    Returns
    -------
    Iteration
        Its `solve` solves; its `apply` is a preconditioner M. It can be the argument M of
        scipy.sparse.linalg's methods.

    Raises
    ------
    Singular
        A block or the coarse level is singular.
    BadInput, BadPlan, OutOfMemory, Cancelled, CommFailure
        As `solve`.

    Examples
    --------
    >>> import numpy as np, overlapack
    >>> from scipy import sparse
    >>> from scipy.sparse.linalg import cg
    >>> A = sparse.diags_array([[-1.0] * 999, [2.0] * 1000, [-1.0] * 999], offsets=[-1, 0, 1]).tocsc()
    >>> M = overlapack.iterate(A, ranks=2, blocks=8, accelerator="cg", coarse="near_null_space")
    >>> x = M.solve(A @ np.ones(1000))
    >>> print(np.abs(x - 1).max() < 1e-3, M.report["iterations"]["max"] < 50)
    True True
    >>> x, failed = cg(A, A @ np.ones(1000), M=M, rtol=1e-10)
    >>> print(failed, np.abs(x - 1).max() < 1e-3)
    0 True
    """
    options.setdefault("method", "multisplitting")  # type: ignore[typeddict-item]
    used, ranks = begin(options)  # type: ignore[arg-type]
    triangle = triangle_of(symmetric, hermitian)

    def look() -> tuple[Facts, Any]:
        if options["method"] not in ("jacobi", "multisplitting"):
            raise BadPlan(f"method is {options['method']!r}; use multisplitting or jacobi, or call factorize", "python")
        facts, held = given_matrix(ranks, A, lambda A: columns(mirrored(A, triangle)))
        vectors = None
        if near_null_space is not None:
            rows = None if held is None else held.shape[0]
            vectors = right_hand_sides(near_null_space, rows, "near_null_space")[0]
            if vectors.dtype.kind == "c" and (held is None or held.dtype.kind != "c"):
                raise BadInput("near_null_space is complex, but A is real; give real vectors", "python")
            if held is not None:
                require_range(vectors, working_type(held.dtype), "near_null_space")
        return facts, (held, vectors)

    facts, (held, vectors) = ranks.agree(look)
    mine = typed(held, facts["A"])
    kept = None if vectors is None else np.asfortranarray(vectors, dtype=mine.data.dtype)
    iteration = Iteration(mine, used, ranks, kept)
    iteration._triangle = triangle
    return iteration


class DistributedIteration(Factors):
    """A sparse matrix distributed to ranks that iterate on it."""

    def __init__(self, A: Columns, settings: _core.Settings, ranks: Ranks, near_null_space: np.ndarray | None = None) -> None:
        vectors = np.zeros((0, 0), dtype=A.data.dtype, order="F") if near_null_space is None else near_null_space
        made = _core.iteration(*A.arguments(), near_null_space=vectors, settings=settings)
        super().__init__(made, A.shape, A.data.dtype, ranks)

    def __reduce__(self) -> Any:
        raise TypeError("an iteration cannot be pickled or copied; give the matrix to iterate again")

    def _call_solve(self, B: np.ndarray, operation: int) -> tuple[np.ndarray, str, str]:
        return self._factors.solve(B, np.zeros((0, B.shape[1]), dtype=B.dtype, order="F"))


class Iteration(DistributedIteration):
    """A kept iteration, made by `iterate`: it has `solve`, `refactorize` and, as a preconditioner, `apply`.

    For scipy.sparse.linalg it is the operator M, the result of `sweeps` iterations from 0.
    It can be the argument M of gmres, cg and others.
    """

    _triangle: Any = None

    def solve(self, b: Any, trans: str | int = "N", x0: Any = None) -> np.ndarray:
        """Iterate until ||b - A x|| <= tolerance ||b||, or let the accelerator do so.

        Parameters
        ----------
        b : array_like or sparse
            n numbers, or n x k for k right-hand sides, each by itself. Under mpirun rank
            0's counts.
        trans : {"N"}
            An iteration solves with A only.
        x0 : array_like, optional
            Where to begin, of b's shape; by default 0.

        Returns
        -------
        ndarray
            Of b's shape.

        Warns
        -----
        InaccurateWarning
            The residual stayed above the tolerance; report["message"] says why.
        """

        def look() -> tuple[Facts, Any]:
            self._refuse_transpose(trans)
            of_b, B = given_columns(self._ranks, b, self.shape[0], factors=self.dtype)
            if x0 is None:
                return {**of_b, "x0": None}, (B, None)
            of_x, X = given_columns(self._ranks, x0, self.shape[0], "x0", self.dtype)
            if of_b["b"] is not None and of_x["x0"] is not None and of_x["x0"][0] != of_b["b"][0]:
                raise BadInput(f"x0 has the shape {of_x['x0'][0]}, b {of_b['b'][0]}; give the same", "python")
            if self.dtype.kind != "c" and any(given is not None and given.dtype.kind == "c" for given in (B, X)):
                raise BadInput("b or x0 is complex, but A is real; solve for the real and imaginary parts", "python")
            return {**of_b, **of_x}, (B, X)

        facts, (B, X) = self._ranks.agree(look)
        if facts["x0"] is None:
            return self._solved(facts["b"], B)
        start = np.zeros((0, 0)) if X is None else X
        start = np.asfortranarray(start, dtype=self.dtype)
        return solved(facts["b"], B, self.shape[1], self.dtype, lambda columns: self._factors.solve(columns, start))

    def _refuse_transpose(self, trans: str | int) -> None:
        if operation(trans) != 0:
            raise BadPlan(f"trans is {trans!r}, but an iteration solves with A only; apply(b, trans) has the transpose of M", "python")

    def apply(self, b: Any, trans: str | int = "N") -> np.ndarray:
        """Compute M b, M^T b or M^H b: `sweeps` iterations from 0, whatever the residual.

        Parameters
        ----------
        b : array_like or sparse
            n numbers, or n x k.
        trans : {"N", "T", "C"}
            "T" and "C" need blocks that precondition in step.

        Returns
        -------
        ndarray
            The shape of b. In step and with inner="direct" it is linear in b. With weights
            "both" or "none" M is symmetric positive definite if A is.

        Examples
        --------
        >>> import numpy as np, overlapack
        >>> from scipy import sparse
        >>> A = sparse.diags_array([[-1.0] * 99, [2.0] * 100, [-1.0] * 99], offsets=[-1, 0, 1]).tocsc()
        >>> M = overlapack.iterate(A, ranks=2, weights="both")
        >>> x, y = np.arange(100.0), np.cos(np.arange(100.0))
        >>> print(abs(M.apply(x) @ y - x @ M.apply(y)) < 1e-9, M.apply(x) @ x > 0)
        True True
        """
        facts, B = self._ranks.agree(lambda: given_columns(self._ranks, b, self.shape[0], factors=self.dtype, trans=operation(trans)))
        return solved(facts["b"], B, self.shape[1], self.dtype, lambda columns: (self._factors.apply(columns, facts["trans"]), "", ""))

    def refactorize(self, A: Any) -> Iteration:
        """Take the values of another matrix with A's pattern. Rows stay on their ranks; blocks are factorised anew.

        Raises
        ------
        BadInput
            Another pattern; the old blocks stay.
        """

        def look() -> tuple[Facts, Any]:
            facts, held = given_matrix(self._ranks, A, lambda A: columns(mirrored(A, self._triangle)))
            if held is not None and held.dtype.kind == "c" and self.dtype.kind != "c":
                raise BadInput("A is complex, but the blocks are real; call iterate", "python")
            if held is not None:
                require_range(held.data, self.dtype, "A")
            return facts, held

        facts, held = self._ranks.agree(look)
        mine = no_columns(self.shape, self.dtype) if held is None else held.astype(self.dtype)
        self._factors.refactorize(*mine.arguments())
        return self

    def matvec(self, x: Any) -> np.ndarray:
        """M x: apply(x)."""
        return self.apply(x)

    def rmatvec(self, x: Any) -> np.ndarray:
        """M^H x: apply(x, "C")."""
        return self.apply(x, "C")

    def __matmul__(self, other: Any) -> np.ndarray:
        """M b: apply(b)."""
        return self.apply(other)

    def aslinearoperator(self) -> Any:
        """M as a scipy.sparse.linalg.LinearOperator."""
        return _Preconditioner(self)._as_operator()

    def __repr__(self) -> str:
        if self._is_closed:
            return f"<{self._title()}: closed>"
        return f"<{self._title()}: {self.report['method']}, {self.report['ranks']} ranks>"


class _Preconditioner(Inverse):
    def __init__(self, iteration: Iteration) -> None:
        self.shape, self.dtype = iteration.shape, iteration.dtype
        self.solve = iteration.apply  # type: ignore[method-assign]
