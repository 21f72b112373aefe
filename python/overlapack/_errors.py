"""One exception class for each kind of error in overlapack/error.hpp."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np


class Error(Exception):
    """The base class of all errors of overlapack. str(error) is one sentence that says what to do next."""

    #: the kind as reports and the command line name it
    kind = "internal"

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(message)
        #: the call that ended so, as the C++ library names it: "factorize", "solve", "read_matrix", "options", ...; "python" where the
        #: package itself refused
        self.where = where


class BadInput(Error, ValueError):
    """The matrix, file or vector cannot be used as it is."""

    kind = "bad_input"


class MissingFile(BadInput, FileNotFoundError):
    """There is no file of this name."""


class BadPlan(Error, ValueError):
    """Options that do not go together, or a combination that is not built."""

    kind = "bad_plan"


class Singular(Error, np.linalg.LinAlgError):
    """The matrix is structurally or numerically singular."""

    kind = "singular"


class NotConverged(Error, ArithmeticError):
    """An iteration or a refinement stopped above its tolerance."""

    kind = "not_converged"


class OutOfMemory(Error, MemoryError):
    """The factors need more memory than there is, or than the option memory_limit allows."""

    kind = "out_of_memory"


class CommFailure(Error, RuntimeError):
    """A rank, a message or a launcher failed."""

    kind = "comm_failure"


class Cancelled(Error, RuntimeError):
    """The progress callback or a time limit ended the run. Ctrl-C raises KeyboardInterrupt instead."""

    kind = "cancelled"


class Internal(Error, RuntimeError):
    """A defect of overlapack."""

    kind = "internal"


_BY_KIND = {
    c.kind: c
    for c in (BadInput, BadPlan, Singular, NotConverged, OutOfMemory, CommFailure, Cancelled, Internal)
}
_BY_KIND["missing_file"] = MissingFile  # as one rank names it to the others


def make_error(kind: str, where: str, message: str) -> Error:
    """The exception for an overlapack::Error; called by the extension."""
    return _BY_KIND.get(kind, Internal)(message, where)


class IllConditionedWarning(RuntimeWarning):
    """A solution was returned whose backward error is small, but which may change with the last digits of A. The report has
    forward_error_bound, and condition_estimate if a weak pivot showed it; of an A that is singular to working precision null_vector instead."""


class InaccurateWarning(RuntimeWarning):
    """A solution was returned whose backward error stayed above what its type allows; the report has the figure."""


class SingularWarning(InaccurateWarning):
    """The matrix is singular and a right-hand side has no solution, but something was returned: with null_pivots an x that is 0 at the
    null pivots, else, of several right-hand sides, NaN in the columns without a solution. Where there is no x to return, the exception Singular is raised."""


class BecomesDenseWarning(UserWarning):
    """A sparse matrix was given to a function of dense ones, and is filled up. The warning says how large it becomes."""


class UnusedOptionWarning(UserWarning):
    """Options were set that the method does not read; the report names them as unused_options."""


class OldKernelsWarning(UserWarning):
    """A factorisation of more than a second was computed by a BLAS whose kernels are older than the processor. Told once a process."""


def level_outside() -> int:
    """The stacklevel at which the caller of this function names the line that called the package."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and Path(frame.f_code.co_filename).parent == Path(__file__).parent:
        frame, level = frame.f_back, level + 1
    return level
