"""The messages of a call while it works: records of the logger "overlapack" if these are shown, else lines on stdout with verbose=True."""
from __future__ import annotations

import logging
import os
import time
from typing import Any, Callable, TypeVar

from . import _figures
from ._errors import level_outside

_Result = TypeVar("_Result")
_logger = logging.getLogger("overlapack")
#: seconds after which a call first reports its progress
_FIRST_S = 10.0


def launched_rank() -> int:
    """The rank of this process in an MPI run, by its launcher; 0 without a launcher."""
    names = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID")
    return next((int(os.environ[name]) for name in names if name in os.environ), 0)


class Voice:
    """The messages of one call, and of later calls of the factors that it makes."""

    is_verbose: Any = False
    #: whether this rank prints, the only one of an MPI run
    is_first = True
    #: whether the library calls `watching` while it works
    is_watching = False
    _begin_s = 0.0
    _next_s = 0.0

    def begin(self) -> None:
        """A call that may take a while begins."""
        self._begin_s = time.monotonic()
        self._next_s = _FIRST_S

    def is_heard(self) -> bool:
        return (self.is_verbose or _logger.isEnabledFor(logging.INFO)) and self.is_first

    def say(self, text: str) -> None:
        """Of who is heard."""
        if _logger.isEnabledFor(logging.INFO) and _logger.hasHandlers():
            _logger.info(text, stacklevel=level_outside())
        elif self.is_verbose:
            print(f"overlapack: {text}", flush=True)

    def say_factorized(self, report: _figures.Figures, is_analysed: bool = True) -> None:
        """is_analysed: now, not in a call before."""
        if is_analysed and (text := _figures.analysis(report)):
            self.say(f"analysis {text}")
        if text := _figures.factorization(report):
            self.say(f"factorisation {text}")

    def say_solved(self, report: _figures.Figures) -> None:
        error = _figures.backward_error(report)
        self.say(f"solve {_figures.solve(report)}" + (f", backward error {error}" if error else ""))

    def timed(self, what: str, call: Callable[[], _Result]) -> _Result:
        """Return call(), and say how long it took."""
        begin_s = time.monotonic()
        result = call()
        if self.is_heard():
            self.say(f"{what} {_figures.seconds(time.monotonic() - begin_s)}")
        return result

    def watching(self, progress: Callable[[str, float], object] | None) -> Callable[[str, float], object]:
        """A progress function that says after 10, 20, 40, ... seconds how far the call is, and calls the user's function."""
        self.is_watching = True
        self.begin()

        def watch(phase: str, share: float) -> object:
            passed_s = time.monotonic() - self._begin_s
            if passed_s >= self._next_s and self.is_heard():
                self._next_s *= 2
                self.say(f"{phase} after {passed_s:.0f} s" + (f": {share:.0%} done" if share > 0 else ""))
            return progress is not None and progress(phase, share)

        return watch
