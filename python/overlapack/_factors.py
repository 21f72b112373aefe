"""What the factors of sparse and of dense matrices have in common."""
from __future__ import annotations

import json
import math
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from ._errors import BadInput, BadPlan, IllConditionedWarning, InaccurateWarning, OldKernelsWarning, UnusedOptionWarning
from ._ranks import Described, Ranks, given_columns, no_right_hand_sides
from ._report import Report

if TYPE_CHECKING:
    from typing_extensions import Self

#: how `trans` may be written, as LAPACK's letters and SciPy's numbers
_OPERATIONS = {"N": 0, "T": 1, "C": 2, "H": 2, 0: 0, 1: 1, 2: 2}


def operation(trans: str | int) -> int:
    """0, 1, 2 for A, A^T and A^H."""
    if trans not in _OPERATIONS:
        raise BadPlan(f'trans is {trans!r}; give "N", "T" or "C", or SciPy\'s 0, 1, 2', "python")
    return _OPERATIONS[trans]


def level_outside() -> int:
    """The stacklevel at which the caller of this function names the line that called the package."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and Path(frame.f_code.co_filename).parent == Path(__file__).parent:
        frame, level = frame.f_back, level + 1
    return level


def warn_of_unused(options: str, method: str) -> None:
    text = f"set, but not used by method {method}: {options}; docs/options.md says what reads them"
    warnings.warn(text, UnusedOptionWarning, stacklevel=level_outside())


_has_warned_of_kernels = False


def warn_of_kernels(advice: str) -> None:
    """Once a process, of a BLAS whose kernels are older than the processor; nothing where there is no advice."""
    global _has_warned_of_kernels
    if advice and not _has_warned_of_kernels:
        _has_warned_of_kernels = True
        warnings.warn(advice, OldKernelsWarning, stacklevel=level_outside())


def warn_of_answer(warning: str, is_answer: bool) -> None:
    """Of what a solve said, if anything; is_answer: of an x that is an answer all the same."""
    if warning:
        kind = IllConditionedWarning if is_answer else InaccurateWarning
        warnings.warn(warning, kind, stacklevel=level_outside())


def solved(
    b: Described, B: np.ndarray | None, rows: int, dtype: np.dtype, solve: Callable[[np.ndarray], tuple[np.ndarray, str, bool]]
) -> np.ndarray:
    """X, of `rows` rows and as many dimensions as b has, where solve gives (X flat, its warning, is it an answer) for columns of the
    factors' type. Of real factors and complex b: X = A^-1 Re b + i A^-1 Im b, as one solve with twice the columns.

    b: as rank 0 has it; B: this rank's as columns, if it has them.
    """
    if B is None:
        B = no_right_hand_sides(b)
    k = B.shape[1]
    is_split = B.dtype.kind == "c" and dtype.kind != "c"
    x, warning, is_answer = solve(np.asfortranarray(np.hstack([B.real, B.imag]) if is_split else B, dtype=dtype))
    warn_of_answer(warning, is_answer)
    if is_split:
        x = x[: rows * k] + np.array(1j, dtype=np.result_type(dtype, np.complex64)) * x[rows * k :]
    return x if len(b[0]) == 1 else x.reshape((rows, k), order="F")


def _closed() -> BadInput:
    return BadInput("these factors have been closed; factorise again", "python")


class _Closed:
    """Stands for the extension's object once it has gone."""

    def __getattr__(self, name: str) -> Any:
        raise _closed()


class Factors:
    """The factors of a matrix, kept by an object of the extension. `with factorize(A) as factors:` closes them at its end."""

    def __init__(self, factors: Any, shape: tuple[int, ...], dtype: np.dtype, ranks: Ranks) -> None:
        self._factors = factors
        self._ranks = ranks
        #: (n, n); of QR (m, n)
        self.shape = shape
        #: the type of the factors
        self.dtype = dtype
        if unused := factors.unused_options():
            warn_of_unused(unused, self.report["method"])
        warn_of_kernels(factors.kernel_advice())

    def solve(self, b: Any, trans: str | int = "N") -> np.ndarray:
        """x with A x = b (trans "T": A^T x = b, "C": A^H x = b), of b's shape and the factors' type; complex if b is."""
        facts, B = self._ranks.agree(lambda: given_columns(self._ranks, b, self.shape[0], trans=operation(trans)))
        return self._solved(facts["b"], B, facts["trans"])

    def _solved(self, b: Described, B: np.ndarray | None, op: int = 0) -> np.ndarray:
        return solved(b, B, self.shape[1], self.dtype, lambda columns: self._call_solve(columns, op))

    def _call_solve(self, B: np.ndarray, op: int) -> tuple[np.ndarray, str, bool]:
        raise NotImplementedError

    @property
    def _is_closed(self) -> bool:
        return isinstance(self._factors, _Closed)

    def close(self) -> None:
        """Give memory and scratch files back now, not when the object goes; under mpirun called by all ranks."""
        self._factors = _Closed()
        self._ranks.refusal = _closed()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("factors cannot be pickled; those of a sparse matrix go to a file by save and come back by load_factors")

    @property
    def report(self) -> Report:
        """The figures of the factorisation and, after one, of the last solve."""
        return Report(json.loads(self._factors.report()))

    def write_timeline(self, path: Any) -> None:
        """Write what every rank did when (needs trace=True): .svg a picture, .json for Perfetto, .csv a table."""
        self._factors.write_timeline(str(path))


class DirectFactors(Factors):
    """Factors that are triangular: what their diagonals and solves tell of the matrix."""

    def det(self) -> Any:
        """The determinant; infinite or 0 where it is beyond the type's range (slogdet is not)."""
        self._ranks.meet()
        mantissa, exponent = self._factors.determinant()
        with np.errstate(over="ignore", under="ignore"):
            if self.dtype.kind != "c":
                return self.dtype.type(np.ldexp(mantissa, exponent))
            return self.dtype.type(complex(np.ldexp(mantissa.real, exponent), np.ldexp(mantissa.imag, exponent)))

    def slogdet(self) -> tuple[Any, float]:
        """(sign, log|det|), as numpy.linalg.slogdet: det = sign * exp(log|det|); (0, -inf) where det is 0."""
        self._ranks.meet()
        mantissa, exponent = self._factors.determinant()
        size = abs(mantissa)
        if size == 0:
            return self.dtype.type(0), -math.inf
        return self.dtype.type(mantissa / size), math.log(size) + exponent * math.log(2)

    def rcond(self) -> float:
        """1 / (|A| |A^-1|) in the 1-norm, where the norm of the inverse is estimated, from below."""
        self._ranks.meet()
        return float(self._factors.reciprocal_condition())
