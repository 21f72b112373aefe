"""scipy.sparse.linalg's direct solvers for programs that know SciPy's: the same names, keywords, errors and warnings, overlapack's
factors.

    `from overlapack.scipy import factorized, splu, spsolve`    # instead of scipy.sparse.linalg
    with overlapack.scipy.in_place(): ...                       # whoever looks them up in scipy.sparse.linalg gets these
    python -m overlapack.scipy program.py arguments             # a program as it is

`overlapack.spsolve` and `overlapack.splu` differ where SciPy hides something: a singular matrix raises Singular there, and is a
warning and NaN, or a RuntimeError, here. NaN and infinity in b are BadInput there, and NaN in x here; a matrix with such entries goes
to SciPy's own function.
"""
from __future__ import annotations

import contextlib
import sys
import warnings
from typing import Any, Callable, Iterator

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

from . import _core, _scipy_names
from ._errors import BadInput, BadPlan, Singular
from ._factorization import Factorization

__all__ = ["LU", "factorized", "in_place", "spilu", "splu", "spsolve"]


#: SuperLU goes on from all but exact zeros
_GOES_ON: Any = {"singular": "always"}
#: SciPy's own, whatever is in their place
_THEIRS = {name: getattr(scipy.sparse.linalg, name) for name in ("spsolve", "splu", "factorized")}


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
        """x with op(A) x = rhs, of rhs's shape and the factors' type. trans says what op(A) is: "N" A, "T" A^T, "H" A^H, the conjugate
        transpose, which is A^T where A is real."""
        _, B = self.factors._ranks.agree(lambda: ({}, self._checked(rhs)))
        try:
            return _solve_all(B, lambda B: self.factors.solve(B, trans.upper())).astype(self.factors.dtype, copy=False)
        except Singular as error:
            raise ExactlySingular(f"Factor is singular: {error}", error.where) from error

    def _checked(self, rhs: Any) -> np.ndarray:
        if scipy.sparse.issparse(rhs):
            raise TypeError(f"rhs must be numpy.ndarray, not {type(rhs).__name__}: give rhs.toarray()")
        B = np.asarray(rhs)
        if B.dtype.kind == "c" and self.factors.dtype.kind != "c":
            raise TypeError(
                f"Cannot cast array data from {B.dtype!r} to {self.factors.dtype!r}: factorise A as a complex matrix"
            )
        if B.ndim > 2:
            raise ValueError(f"object too deep for desired array: rhs has the shape {B.shape}")
        if B.ndim == 0 or B.shape[0] != self.shape[0]:
            raise ValueError(f"rhs is of incompatible size: its shape is {B.shape}, that of A {self.shape}")
        return B

    def __getattr__(self, name: str) -> Any:
        if name == "factors":  # a copy that has none yet
            raise AttributeError(name)
        return getattr(self.factors, name)


def splu(A: Any, *arguments: Any, **keywords: Any) -> Any:
    """scipy.sparse.linalg.splu, with overlapack's options as further keywords (`overlapack.splu`)."""
    try:
        factors = _scipy_names.splu(A, *arguments, **{**_GOES_ON, **keywords})
        _require_pivots(factors.report, "splu")
    except BadInput as error:
        if len(set(np.shape(A))) > 1:
            raise ValueError(f"can only factor square matrices; {error}") from error
        if not _is_refused_number(A):
            raise
        return _THEIRS["splu"](scipy.sparse.csc_array(A))
    except Singular as error:
        raise ExactlySingular(f"Factor is exactly singular: {error}", error.where) from error
    return LU(factors)


def factorized(A: Any) -> Callable[[Any], np.ndarray]:
    """`scipy.sparse.linalg.factorized`: a function that solves A x = b."""
    return splu(A).solve


def spsolve(A: Any, b: Any, permc_spec: str | None = None, use_umfpack: bool = True, **options: Any) -> Any:
    """scipy.sparse.linalg.spsolve: x is sparse where b is and has several columns; NaN, with a warning, where A is singular."""
    A = A if scipy.sparse.issparse(A) or A is None else scipy.sparse.csc_array(A)  # None: rank 0 has it
    b = b if scipy.sparse.issparse(b) else np.asarray(b)
    try:
        x = _solve_all(b, lambda b: _solve(A, b, permc_spec, **options))
    except BadInput:
        if not _is_refused_number(A):
            raise
        by_lines = getattr(A, "format", None) in ("csc", "csr")  # which SciPy solves as they are
        return _THEIRS["spsolve"](A if by_lines else scipy.sparse.csc_array(A), b)
    except Singular as error:
        if scipy.sparse.issparse(b) and b.ndim == 2 and b.shape[1] != 1:  # solved there by factorized
            raise ExactlySingular(f"Factor is exactly singular: {error}", error.where) from error
        message = f"Matrix is exactly singular: {error}"
        warnings.warn(message, scipy.sparse.linalg.MatrixRankWarning, stacklevel=2)
        shape = (b.shape[0],) if len(b.shape) == 2 and b.shape[1] == 1 else b.shape
        x = np.full(shape, np.nan, dtype=np.result_type(A.dtype, b.dtype, np.float32))
    return _scipy_names.as_scipy(x, A, b)


def _solve(A: Any, b: Any, permc_spec: str | None, **options: Any) -> np.ndarray:
    """Errors: Singular where a pivot is exactly zero."""
    return _scipy_names.dense_spsolve(A, b, permc_spec, lambda report: _require_pivots(report, "spsolve"), **{**_GOES_ON, **options})


def _require_pivots(report: Any, where: str) -> None:
    if report["pivots"]["zero"] > 0:
        raise Singular(f"the pivot of column {report['weak_unknown']} is zero", where)


def _is_refused_number(values: Any) -> bool:
    """Was it refused for NaN or infinity? Not where other ranks were refused with us: what they have is not known here."""
    numbers = np.asarray(values.tocoo().data if scipy.sparse.issparse(values) else values)
    return numbers.dtype.kind in "fc" and not np.isfinite(numbers).all() and not _core.Settings().ranks_are_processes()


def _solve_all(b: Any, solve: Callable[[Any], np.ndarray]) -> np.ndarray:
    """solve(b), also where b is not finite: what such a number reaches in x is NaN, as substitution makes it."""
    try:
        return solve(b)
    except BadInput:
        if not _is_refused_number(b):
            raise
    B = b.toarray() if scipy.sparse.issparse(b) else b
    is_known = np.isfinite(B)
    weights = np.random.default_rng(0).uniform(1, 2, len(B))  # that do not cancel
    reach = solve(np.where(is_known, 0, weights if B.ndim == 1 else weights[:, np.newaxis]))
    x = solve(np.where(is_known, B, 0))
    return np.where(reach == 0, x, np.nan)


def spilu(*_: Any, **__: Any) -> None:
    """Refused: overlapack has no incomplete factors."""
    raise BadPlan(
        "spilu is not built; solve with spsolve or splu, or iterate with overlapack.solve(A, b, method=\"multisplitting\")", "scipy"
    )


#: what `in_place` puts in the place of SciPy's
REPLACED = (spsolve, splu, factorized)


@contextlib.contextmanager
def in_place() -> Iterator[None]:
    """Inside, `spsolve`, `splu` and `factorized` of scipy.sparse.linalg are these, also for SciPy's own functions: shift-and-invert of
    eigsh, solve_ivp, solve_bvp, inv. Programs that imported the names before keep SciPy's; spilu stays SciPy's."""
    ours = {function.__name__: function for function in REPLACED}
    if scipy.sparse.linalg.splu is splu:  # already
        yield
        return
    _exchange(_THEIRS, ours)
    try:
        yield
    finally:
        _exchange(ours, _THEIRS)


def _exchange(before: dict[str, Any], after: dict[str, Any]) -> None:
    """In all modules of SciPy that are there: those that come later take the names from these."""
    for module_name, module in list(sys.modules.items()):
        if module_name.partition(".")[0] != "scipy":
            continue
        names = getattr(module, "__dict__", {})
        for name, function in before.items():
            if names.get(name) is function:
                setattr(module, name, after[name])


def _run_program(arguments: list[str]) -> None:
    import runpy

    if not arguments or arguments[0] in ("-h", "--help"):
        print("usage: python -m overlapack.scipy program.py [argument...]\n\nRuns a program whose scipy.sparse.linalg.spsolve, splu and "
              "factorized are overlapack's.")
        raise SystemExit(0 if arguments else 2)
    if arguments[0].startswith("-"):
        raise SystemExit(f"There is no option {arguments[0]}; give the file of a program: python -m overlapack.scipy program.py")
    sys.argv = arguments
    with in_place():
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    from overlapack.scipy import _run_program as run_program  # of the module that programs import, not of __main__

    run_program(sys.argv[1:])
