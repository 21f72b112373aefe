"""Dense matrices: LU with partial pivoting."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._errors import BadPlan
from ._factors import Factors, operation
from ._layout import Layout
from ._matrix import dense_array
from ._settings import settings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options


def lu_factor(A: Any, *, layout: Layout | None = None, **options: Unpack[Options]) -> LuFactorization:
    """P A = L U of a dense square matrix, to solve with it often: lu_factor(A).solve(b).

    A: a NumPy array, or anything that NumPy reads as one; a SciPy sparse matrix is filled up. A is not changed.
    layout: A is this rank's part of a matrix that is dealt so to the ranks of `comm`; each rank gives its own part.
    options: the keywords of docs/options.md that name dense LU (schedule="split", block=64, grid="2x2",
       precision="mixed", ...), ranks, engine and the like; progress and comm as for `factorize`.

    Under mpirun every rank calls lu_factor. Without a layout rank 0's A is used, the others give arrays of the same type
    and shape.
    Raises Singular, BadInput, BadPlan, OutOfMemory, Cancelled, CommFailure.
    """
    return LuFactorization(dense_array(A), layout, **options)


def lu_solve(factors: LuFactorization, b: Any, trans: str | int = 0) -> np.ndarray:
    """factors.solve under the name and with the `trans` (0: A x = b, 1: A^T x = b, 2: A^H x = b) of SciPy."""
    if not isinstance(factors, LuFactorization):
        raise BadPlan("lu_solve takes what overlapack.lu_factor returns", "python")
    return factors.solve(b, trans)


class LuFactorization(Factors):
    """The LU factors of a dense matrix; made by `lu_factor`."""

    def __init__(self, A: np.ndarray, layout: Layout | None = None, **options: Unpack[Options]) -> None:
        if layout is None:
            super().__init__(_core.lu_factor(A, settings=settings(**options)), A.shape, A.dtype)
        else:
            factors = _core.lu_factor_distributed(A, layout=layout._numbers(), settings=settings(**options))
            super().__init__(factors, layout.shape, A.dtype)

    def solve_part(self, b: Any, layout: Layout, trans: str | int = "N") -> np.ndarray:
        """This rank's part of X for its part of B, which is dealt as `layout` says; called by all ranks of `comm`."""
        part = np.asfortranarray(b, dtype=self.dtype)
        x = self._factors.solve_distributed(part, layout=layout._numbers(), op=operation(trans))
        self._warn_if_inaccurate()
        return x.reshape(part.shape, order="F")

    def _call_solve(self, B: np.ndarray, op: int) -> np.ndarray:
        return self._factors.solve(B, op)

    def det(self) -> Any:
        """The determinant; infinite or 0 where it is beyond the type's range (slogdet is not)."""
        mantissa, exponent = self._factors.determinant()
        with np.errstate(over="ignore", under="ignore"):
            if self.dtype.kind != "c":
                return self.dtype.type(np.ldexp(mantissa, exponent))
            return self.dtype.type(complex(np.ldexp(mantissa.real, exponent), np.ldexp(mantissa.imag, exponent)))

    def slogdet(self) -> tuple[Any, float]:
        """(sign, log|det|), as numpy.linalg.slogdet: det = sign * exp(log|det|)."""
        mantissa, exponent = self._factors.determinant()
        size = abs(mantissa)
        return self.dtype.type(mantissa / size), math.log(size) + exponent * math.log(2)

    def rcond(self) -> float:
        """1 / (|A| |A^-1|) in the 1-norm, where the norm of the inverse is estimated, from below."""
        return float(self._factors.reciprocal_condition())

    def __repr__(self) -> str:
        report = self.report
        return (
            f"<overlapack.LuFactorization of a {self.shape[0]} x {self.shape[1]} matrix, {self.dtype}: "
            f"grid {report['grid']}, blocks of {report['block']}, schedule {report['schedule']}>"
        )
