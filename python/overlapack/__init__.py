"""overlapack: solves A x = b in parallel with communication that never stalls the computation.

    x = overlapack.solve(A, b)              A: scipy.sparse, or a dense array
    factors = overlapack.factorize(A)       factors.solve(b), factors.report
    analysis = overlapack.analyse(A)        factorize(B, analysis=analysis) for all B of A's pattern
    factors = overlapack.lu_factor(A)       the same for a dense array; det, rcond, transposed solves
    factors = overlapack.cholesky_factor(A) a dense array that is positive definite
    x = overlapack.lstsq(A, b)              more equations than unknowns; factors: overlapack.qr_factor(A)

Options are keywords of all of them: verbose=True, ranks=4, ordering="metis", ... In a shell, `overlapack info --options` lists them,
and `overlapack info --report` what reports tell.
"""
import atexit as _atexit
import importlib as _importlib
import threading as _threading
from importlib.metadata import version as _version

from . import _load
from ._analysis import PatternAnalysis, load_analysis
from ._batch import Batch, factorize_batch
from ._dense import cholesky_factor, lstsq, lu_factor, lu_solve, qr_factor
from ._dense_factors import CholeskyFactorization, LuFactorization, QrFactorization
from ._distributed_dense import multiply_parts, solve_triangle_parts
from ._diagnose import Diagnosis, Finding, diagnose
from ._errors import (
    BadInput,
    BadPlan,
    BecomesDenseWarning,
    Cancelled,
    CommFailure,
    Error,
    IllConditionedWarning,
    InaccurateWarning,
    SingularWarning,
    Internal,
    MissingFile,
    NotConverged,
    OldKernelsWarning,
    OutOfMemory,
    Singular,
    UnusedOptionWarning,
)
from ._factorization import Factorization, load_factors
from ._files import read_matrix
from ._half import CholeskyFactors, HalfFactors, LdltFactors
from ._iterate import Iteration, iterate
from ._layout import Layout
from ._plan import analyse, plan
from ._report import Plan, Report
from ._scipy_names import splu, spsolve
from ._schur import SchurComplement, schur
from ._solve import factorize, solve

__version__ = _version("overlapack")


_core = _load.core


@_atexit.register
def _begin_end() -> None:
    """Runs on the thread that ends the interpreter. Other threads may still be inside the library."""
    _core.begin_end(_threading.active_count() > 1)


__all__ = [
    "BadInput",
    "BadPlan",
    "Batch",
    "BecomesDenseWarning",
    "Cancelled",
    "CholeskyFactorization",
    "CholeskyFactors",
    "CommFailure",
    "Diagnosis",
    "Error",
    "Factorization",
    "Finding",
    "IllConditionedWarning",
    "InaccurateWarning",
    "SingularWarning",
    "HalfFactors",
    "Internal",
    "Iteration",
    "Layout",
    "LdltFactors",
    "LuFactorization",
    "MissingFile",
    "NotConverged",
    "OldKernelsWarning",
    "OutOfMemory",
    "PatternAnalysis",
    "Plan",
    "QrFactorization",
    "Report",
    "SchurComplement",
    "Singular",
    "UnusedOptionWarning",
    "analyse",
    "cholesky_factor",
    "diagnose",
    "factorize",
    "factorize_batch",
    "iterate",
    "load_analysis",
    "load_factors",
    "lstsq",
    "lu_factor",
    "lu_solve",
    "multiply_parts",
    "plan",
    "qr_factor",
    "read_matrix",
    "schur",
    "solve",
    "solve_triangle_parts",
    "splu",
    "spsolve",
]


def __getattr__(name: str) -> object:
    """Import modules that need SciPy or matplotlib when they are first named."""
    if name in ("scipy", "timeline", "convergence"):
        return _importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
