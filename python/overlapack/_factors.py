"""The common parts of the factors of sparse and of dense matrices."""
from __future__ import annotations

import json
import math
import warnings
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from ._errors import (
    BadInput,
    BadPlan,
    IllConditionedWarning,
    InaccurateWarning,
    SingularWarning,
    OldKernelsWarning,
    UnusedOptionWarning,
    level_outside,
)
from ._figures import count, counted, doubt, size
from ._operator import Inverse
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


def warn_of_unused(options: str, method: str) -> None:
    text = f"set, but not used by method {method}: {options}; `overlapack info --options` says what reads them"
    warnings.warn(text, UnusedOptionWarning, stacklevel=level_outside())


_has_warned_of_kernels = False


def warn_of_kernels(advice: str) -> None:
    """Warn, once in a process, of a BLAS whose kernels are older than the processor, if there is advice."""
    global _has_warned_of_kernels
    if advice and not _has_warned_of_kernels:
        _has_warned_of_kernels = True
        warnings.warn(advice, OldKernelsWarning, stacklevel=level_outside())


_WARNINGS = {"ill_conditioned": IllConditionedWarning, "singular": SingularWarning}


def warn_of_answer(warning: str, status: str) -> None:
    """Warn with the message of a solve that ended with this status, if there is one."""
    if warning:
        warnings.warn(warning, _WARNINGS.get(status, InaccurateWarning), stacklevel=level_outside())


def solved(
    b: Described, B: np.ndarray | None, rows: int, dtype: np.dtype, solve: Callable[[np.ndarray], tuple[np.ndarray, str, str]]
) -> np.ndarray:
    """X, of `rows` rows and as many dimensions as b has, where solve gives (X flat, its warning, its status) for columns of the
    factors' type. Of real factors and complex b: X = A^-1 Re b + i A^-1 Im b, as one
    solve with twice the columns.

    b: as rank 0 has it; B: this rank's as columns, if it has them.
    """
    if B is None:
        B = no_right_hand_sides(b)
    k = B.shape[1]
    is_split = B.dtype.kind == "c" and dtype.kind != "c"
    x, warning, status = solve(np.asfortranarray(np.hstack([B.real, B.imag]) if is_split else B, dtype=dtype))
    warn_of_answer(warning, status)
    if is_split:
        x = x[: rows * k] + np.array(1j, dtype=np.result_type(dtype, np.complex64)) * x[rows * k :]
    return x if len(b[0]) == 1 else x.reshape((rows, k), order="F")


def _closed() -> BadInput:
    return BadInput("these factors have been closed; factorise again", "python")


class _Closed:
    """Takes the place of the extension's object after close()."""

    def __getattr__(self, name: str) -> Any:
        raise _closed()


class Factors:
    """The factors of a matrix: `solve`, `report`, `shape`, `dtype`.

    `with factorize(A) as factors:` closes them at its end.
    """

    def __init__(self, factors: Any, shape: tuple[int, ...], dtype: np.dtype, ranks: Ranks, are_new: bool = True) -> None:
        self._factors = factors
        self._ranks = ranks
        #: (n, n); of QR (m, n)
        self.shape = shape
        #: the type of the factors
        self.dtype = dtype
        if unused := factors.unused_options():
            warn_of_unused(unused, self.report["method"])
        warn_of_kernels(factors.kernel_advice())
        if are_new and ranks.voice.is_heard():
            ranks.voice.say_factorized(self.report)

    def solve(self, b: Any, trans: str | int = "N") -> np.ndarray:
        """Solve A x = b, or with the transpose of A.

        Parameters
        ----------
        b : array_like or sparse
            n numbers, or n x k for k right-hand sides. Under mpirun rank 0's counts;
            the others give None, or one of the same type and shape.
        trans : {"N", "T", "C"}
            "N": A x = b, "T": A^T x = b, "C": A^H x = b. SciPy's "H" and 0, 1, 2 are
            understood.

        Returns
        -------
        ndarray
            The shape of b and the type of the factors; complex if b is. With QR n rows, by
            least squares.

        Warns
        -----
        InaccurateWarning, SingularWarning, IllConditionedWarning
            As `overlapack.solve`.

        Examples
        --------
        >>> import overlapack
        >>> factors = overlapack.lu_factor([[2.0, 1.0], [0.0, 4.0]])
        >>> factors.solve([2.0, 5.0], "T")
        array([1., 1.])
        """
        facts, B = self._ranks.agree(lambda: given_columns(self._ranks, b, self.shape[0], factors=self.dtype, trans=operation(trans)))
        return self._solved(facts["b"], B, facts["trans"])

    def _solved(self, b: Described, B: np.ndarray | None, op: int = 0) -> np.ndarray:
        voice = self._ranks.voice
        if voice.is_watching:
            voice.begin()
        x = solved(b, B, self.shape[1], self.dtype, lambda columns: self._call_solve(columns, op))
        if voice.is_heard():
            voice.say_solved(self.report)
        return x

    def _call_solve(self, B: np.ndarray, op: int) -> tuple[np.ndarray, str, str]:
        raise NotImplementedError

    def __call__(self, b: Any, trans: str | int = "N") -> np.ndarray:
        """solve(b, trans)."""
        return self.solve(b, trans)

    @property
    def _is_closed(self) -> bool:
        return isinstance(self._factors, _Closed)

    def close(self) -> None:
        """Free memory and scratch files now, not when the object is deleted.

        Under mpirun all ranks call it.
        """
        self._factors = _Closed()
        self._ranks.refusal = _closed()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("factors cannot be pickled or copied; those of a sparse matrix go to a file by save and come back by load_factors")

    @property
    def report(self) -> Report:
        """The figures of the factorisation and of the last solve, if there was one."""
        return Report(json.loads(self._factors.report()))

    def write_timeline(self, path: Any, title: str = "") -> None:
        """Write the timeline of all ranks, for factors that were made with trace=True.

        Parameters
        ----------
        path : str or path
            .svg: a picture, .json: for ui.perfetto.dev, .csv: a table, which
            overlapack.timeline reads.
        title : str, optional
            The title of the picture, such as the name of the matrix. By default the method,
            the number of ranks and n.
        """
        self._factors.write_timeline(str(path), title)

    def _title(self) -> str:
        return f"overlapack.{type(self).__name__} of a {self.shape[0]} x {self.shape[1]} matrix, {self.dtype}"

    def __repr__(self) -> str:
        if self._is_closed:
            return f"<{self._title()}: closed>"
        report = self.report
        how = f"{report['factorization']}, {count(report['factor_nnz'])} entries, {size(report['peak_bytes'])}"
        return f"<{self._title()}: {how}, {counted(report['ranks'], 'rank')}{', may be singular' if doubt(report) else ''}>"

    def _repr_html_(self) -> str:
        from ._html import escape

        if self._is_closed:
            return f"<pre>{escape(repr(self))}</pre>"
        try:
            picture = self._factors.timeline(".svg", "")
        except BadInput:  # was not traced
            picture = ""
        return self.report._as_html(self._title(), picture)


class DirectFactors(Factors, Inverse):
    """Triangular factors, with the answers that follow from their diagonals and solves."""

    def det(self) -> Any:
        """The determinant.

        Returns
        -------
        number
            Infinite with a RuntimeWarning, or 0, if it is outside the type's range;
            `slogdet` has no such limit.

        Examples
        --------
        >>> import overlapack
        >>> float(overlapack.lu_factor([[2.0, 1.0], [0.0, 4.0]]).det())
        8.0
        """
        self._ranks.meet()
        mantissa, exponent = self._factors.determinant()
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            if self.dtype.kind != "c":
                det = self.dtype.type(np.ldexp(mantissa, exponent))
            else:
                det = self.dtype.type(complex(np.ldexp(mantissa.real, exponent), np.ldexp(mantissa.imag, exponent)))
        if np.isinf(det):
            warnings.warn(f"the determinant is beyond the range of {self.dtype}; slogdet() gives its sign and logarithm", RuntimeWarning,
                          stacklevel=level_outside())
        return det

    def slogdet(self) -> tuple[Any, float]:
        """The determinant as numpy.linalg.slogdet gives it.

        Returns
        -------
        (sign, logabsdet)
            det = sign * exp(logabsdet); (0, -inf) if det is 0.

        Examples
        --------
        >>> import overlapack
        >>> sign, logabsdet = overlapack.lu_factor([[-2.0, 1.0], [0.0, 4.0]]).slogdet()
        >>> float(sign), round(logabsdet, 4)
        (-1.0, 2.0794)
        """
        self._ranks.meet()
        mantissa, exponent = self._factors.determinant()
        size = abs(mantissa)
        if size == 0:
            return self.dtype.type(0), -math.inf
        return self.dtype.type(mantissa / size), math.log(size) + exponent * math.log(2)

    def rcond(self) -> float:
        """The reciprocal condition number, 1 / (|A| |A^-1|), in the 1-norm.

        The norm of the inverse is estimated, from below.

        Examples
        --------
        >>> import overlapack
        >>> overlapack.lu_factor([[1.0, 0.0], [0.0, 100.0]]).rcond()
        0.01
        """
        self._ranks.meet()
        return float(self._factors.reciprocal_condition())
