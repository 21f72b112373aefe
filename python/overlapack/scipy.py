"""scipy.sparse.linalg's direct solvers for programs that know SciPy's: the same names, keywords, errors and warnings, overlapack's
factors.

    `from overlapack.scipy import factorized, splu, spsolve`    # instead of scipy.sparse.linalg
    with overlapack.scipy.in_place(): ...                       # whoever looks them up in scipy.sparse.linalg gets these
    python -m overlapack.scipy program.py arguments             # a program as it is

`overlapack.spsolve` and `overlapack.splu` differ where SciPy hides something: a singular matrix raises Singular there, and is a
warning and NaN, or a RuntimeError, here.
"""
from __future__ import annotations

import contextlib
import warnings
from typing import Any, Callable, Iterator

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

from . import _scipy_names
from ._errors import BadPlan, Singular
from ._solve import Factorization

__all__ = ["LU", "factorized", "in_place", "spilu", "splu", "spsolve"]


class ExactlySingular(Singular, RuntimeError):
    """What SciPy raises as RuntimeError."""


class LU:
    """As scipy.sparse.linalg.SuperLU: shape, nnz, solve, and L, U, perm_r and perm_c, which are made when they are asked for."""

    def __init__(self, factors: Factorization) -> None:
        self.factors = factors
        self.shape = factors.shape

    @property
    def nnz(self) -> int:
        """Entries of the factors."""
        return self.factors.nnz

    def solve(self, rhs: Any, trans: str = "N") -> np.ndarray:
        """x with op(A) x = rhs, of rhs's shape and the factors' type; op by trans: "N" A, "T" A^T, "H" A^H."""
        B = np.asarray(rhs)
        if B.dtype.kind == "c" and self.factors.dtype.kind != "c":
            raise TypeError(
                f"Cannot cast array data from {B.dtype!r} to {self.factors.dtype!r}: factorise A as a complex matrix"
            )
        if B.ndim > 2:
            raise ValueError(f"object too deep for desired array: rhs has the shape {B.shape}")
        if B.ndim == 0 or B.shape[0] != self.shape[0]:
            raise ValueError(f"rhs is of incompatible size: its shape is {B.shape}, that of A {self.shape}")
        try:
            return self.factors.solve(B, trans.upper()).astype(self.factors.dtype, copy=False)
        except Singular as error:
            raise ExactlySingular(f"Factor is singular: {error}", error.where) from error

    def __getattr__(self, name: str) -> Any:
        if name == "factors":  # a copy that has none yet
            raise AttributeError(name)
        return getattr(self.factors, name)


def splu(A: Any, *arguments: Any, **keywords: Any) -> LU:
    """scipy.sparse.linalg.splu, with overlapack's options as further keywords (`overlapack.splu`)."""
    if A.shape[0] != A.shape[1]:
        raise ValueError(f"can only factor square matrices; this one is {A.shape[0]} x {A.shape[1]}")
    try:
        factors = _scipy_names.splu(A, *arguments, **keywords)
    except Singular as error:
        raise ExactlySingular(f"Factor is exactly singular: {error}", error.where) from error
    if factors.report["pivots"]["zero"] > 0:
        raise ExactlySingular(f"Factor is exactly singular: the pivot of column {factors.report['weak_unknown']} is zero", "splu")
    return LU(factors)


def factorized(A: Any) -> Callable[[Any], np.ndarray]:
    """`scipy.sparse.linalg.factorized`: a function that solves A x = b."""
    return splu(A).solve


def spsolve(A: Any, b: Any, permc_spec: str | None = None, use_umfpack: bool = True, **options: Any) -> Any:
    """scipy.sparse.linalg.spsolve: x is sparse where b is and has several columns; NaN, with a warning, where A is singular."""
    b = b if scipy.sparse.issparse(b) else np.asarray(b)
    try:
        x = _scipy_names.spsolve(A, b, permc_spec, use_umfpack, **options)
    except Singular as error:
        message = f"Matrix is exactly singular: {error}"
        warnings.warn(message, scipy.sparse.linalg.MatrixRankWarning, stacklevel=2)
        shape = (b.shape[0],) if len(b.shape) == 2 and b.shape[1] == 1 else b.shape
        x = np.full(shape, np.nan, dtype=np.result_type(A.dtype, b.dtype, np.float32))
    return b.__class__(x) if scipy.sparse.issparse(b) and x.ndim == 2 else x


def spilu(*_: Any, **__: Any) -> None:
    """Refused: overlapack has no incomplete factors."""
    raise BadPlan(
        "spilu is not built; solve with spsolve or splu, or iterate with overlapack.solve(A, b, method=\"multisplitting\")", "scipy"
    )


#: what `in_place` puts in the place of SciPy's
REPLACED = (spsolve, splu, factorized)


@contextlib.contextmanager
def in_place() -> Iterator[None]:
    """Inside, scipy.sparse.linalg.`spsolve`, `splu` and `factorized` are these. Who imported the names before keeps SciPy's, as do
    SciPy's own functions, and spilu stays SciPy's."""
    before = [(f.__name__, getattr(scipy.sparse.linalg, f.__name__)) for f in REPLACED]
    for function in REPLACED:
        setattr(scipy.sparse.linalg, function.__name__, function)
    try:
        yield
    finally:
        for name, theirs in before:
            setattr(scipy.sparse.linalg, name, theirs)


def _run_program(arguments: list[str]) -> None:
    import runpy
    import sys

    if not arguments or arguments[0] in ("-h", "--help"):
        print("usage: python -m overlapack.scipy program.py [argument...]\n\nRuns a program whose scipy.sparse.linalg.spsolve, splu and "
              "factorized are overlapack's.")
        raise SystemExit(0 if arguments else 2)
    sys.argv = arguments
    with in_place():
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    import sys

    from overlapack.scipy import _run_program as run_program  # of the module that programs import, not of __main__

    run_program(sys.argv[1:])
