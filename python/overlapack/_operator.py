"""Factors as the operator A^-1, which scipy.sparse.linalg takes as a LinearOperator. SciPy is imported only when one is needed."""
from __future__ import annotations

from typing import Any

import numpy as np


class Inverse:
    """The operator A^-1 of an object with shape, dtype and solve(b, trans)."""

    #: array @ factors is ours
    __array_ufunc__ = None
    ndim = 2

    shape: tuple[int, ...]
    dtype: np.dtype

    def solve(self, b: Any, trans: str | int = "N") -> np.ndarray:
        raise NotImplementedError

    def matvec(self, x: Any) -> np.ndarray:
        """Compute A^-1 x for a vector: solve(x)."""
        return self.solve(x)

    def rmatvec(self, x: Any) -> np.ndarray:
        """Compute A^-H x for a vector: solve(x, "C")."""
        return self.solve(x, "C")

    def matmat(self, X: Any) -> np.ndarray:
        """Compute A^-1 X for n x k numbers: solve(X)."""
        return self.solve(X)

    def rmatmat(self, X: Any) -> np.ndarray:
        """Compute A^-H X for n x k numbers: solve(X, "C")."""
        return self.solve(X, "C")

    @property
    def T(self) -> Any:
        """A^-T as a scipy.sparse.linalg.LinearOperator."""
        return self._as_operator().T

    @property
    def H(self) -> Any:
        """A^-H as a scipy.sparse.linalg.LinearOperator."""
        return self._as_operator().H

    def __matmul__(self, other: Any) -> Any:
        if hasattr(other, "matvec"):
            return self._as_operator() @ _operator(other)
        return self.solve(other)

    def __rmatmul__(self, other: Any) -> Any:
        if hasattr(other, "tocsc"):
            return _operator(other) @ self._as_operator()
        return self.solve(np.asarray(other).T, "T").T

    def __add__(self, other: Any) -> Any:
        return self._as_operator() + _operator(other)

    def __radd__(self, other: Any) -> Any:
        return _operator(other) + self._as_operator()

    def __sub__(self, other: Any) -> Any:
        return self._as_operator() - _operator(other)

    def __rsub__(self, other: Any) -> Any:
        return _operator(other) - self._as_operator()

    def __mul__(self, factor: complex) -> Any:
        return self._as_operator() * factor

    def __rmul__(self, factor: complex) -> Any:
        return self._as_operator() * factor

    def __neg__(self) -> Any:
        return -self._as_operator()

    def _as_operator(self) -> Any:
        from scipy.sparse.linalg import LinearOperator

        return LinearOperator(
            self.shape, matvec=self.matvec, rmatvec=self.rmatvec, matmat=self.matmat, rmatmat=self.rmatmat, dtype=self.dtype
        )


def _operator(other: Any) -> Any:
    from scipy.sparse.linalg import aslinearoperator

    return other._as_operator() if isinstance(other, Inverse) else aslinearoperator(other)
