"""overlapack: solves A x = b in parallel with communication that never stalls the computation.

    x = overlapack.solve(A, b)              A: scipy.sparse, or a dense array
    factors = overlapack.factorize(A)       factors.solve(b), factors.report
    factors = overlapack.lu_factor(A)       the same for a dense array; det, rcond, transposed solves
"""
from importlib.metadata import version as _version

from ._dense import LuFactorization, lu_factor, lu_solve
from ._errors import (
    BadInput,
    BadPlan,
    Cancelled,
    CommFailure,
    Error,
    InaccurateWarning,
    Internal,
    NotConverged,
    OutOfMemory,
    Singular,
)
from ._layout import Layout
from ._report import Report
from ._solve import Factorization, factorize, plan, read_matrix, solve, splu, spsolve

__version__ = _version("overlapack")

__all__ = [
    "BadInput",
    "BadPlan",
    "Cancelled",
    "CommFailure",
    "Error",
    "Factorization",
    "InaccurateWarning",
    "Internal",
    "Layout",
    "LuFactorization",
    "NotConverged",
    "OutOfMemory",
    "Report",
    "Singular",
    "factorize",
    "lu_factor",
    "lu_solve",
    "plan",
    "read_matrix",
    "solve",
    "splu",
    "spsolve",
]
