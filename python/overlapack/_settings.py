"""Keywords -> what the extension takes: options as JSON, and beside them what JSON cannot carry."""
from __future__ import annotations

import difflib
import json
import os
from typing import Any, Callable

import numpy as np

from . import _core
from ._errors import BadInput, BadPlan
from ._matrix import whole_numbers
from ._options import Options


def settings(
    user_order: Any = (),
    progress: Callable[[str, float], object] | None = None,
    comm: Any = None,
    collective: bool = True,
    **options: Any,
) -> _core.Settings:
    """collective: all processes of an MPI run make the call that these are for: what one of them refuses, all refuse."""
    has_order = not isinstance(user_order, tuple) or len(user_order) > 0
    is_collective = collective and options.get("engine") != "thread"
    if not options and progress is None and comm is None and not has_order:
        return _core.Settings()  # what a small system would wait for longer than for its solution
    address = _address(comm)
    try:
        order = np.ascontiguousarray(whole_numbers(user_order, "user_order").ravel())
        _require_names(options)
        _require_plain(progress, options)
        as_json = json.dumps(options, default=_plain)
    except (BadInput, BadPlan) as error:
        if is_collective:
            _core.refuse_together(address, error.kind, str(error))
        raise
    return _core.Settings(as_json, order, progress, address, is_collective)


def _require_names(options: dict[str, Any]) -> None:
    for name in options:
        if name not in Options.__annotations__:
            near = difflib.get_close_matches(name, Options.__annotations__, n=1)
            known = f'did you mean "{near[0]}"?' if near else f"the options are {', '.join(Options.__annotations__)}"
            raise BadPlan(f'there is no option "{name}"; {known}', "python")


def _require_plain(progress: Any, options: dict[str, Any]) -> None:
    if progress is not None and not callable(progress):
        raise BadInput("progress must be a function of a phase and a share", "python")
    for name, value in options.items():
        if isinstance(value, (float, np.floating)) and not np.isfinite(value):
            raise BadPlan(f"option {name} is {value}; give a finite number, or leave it out", "python")


def _plain(value: Any) -> Any:
    """NumPy's numbers and paths as JSON has them."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise BadPlan(f"an option cannot be {value!r}; give a number, a text or True or False", "python")


def _address(comm: Any) -> int:
    if comm is None:
        return 0
    from mpi4py import MPI

    if not isinstance(comm, MPI.Comm):
        raise BadPlan(f"comm is {comm!r}; give a communicator of mpi4py", "python")
    return int(MPI._addressof(comm))
