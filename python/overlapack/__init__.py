"""overlapack: solves A x = b in parallel with communication that never stalls the computation.

    x = overlapack.solve(A, b)              A: scipy.sparse, or a dense array
    factors = overlapack.factorize(A)       factors.solve(b), factors.report
"""
from importlib.metadata import version as _version

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
    "NotConverged",
    "OutOfMemory",
    "Report",
    "Singular",
    "factorize",
    "plan",
    "read_matrix",
    "solve",
    "splu",
    "spsolve",
]
