"""The common part of overlapack.jax and overlapack.torch: kept factors, and how options reach them."""
from __future__ import annotations

import functools
import json
from typing import Any

from . import _core
from ._errors import BadPlan
from ._settings import _plain, _with_ranks, settings
from ._voice import Voice

#: what belongs to a call of its own, or what these calls decide themselves
_NOT_HERE = {
    **dict.fromkeys(("progress", "verbose", "trace", "user_order", "signs"), "call overlapack.factorize for it"),
    **dict.fromkeys(("comm", "engine"), "the factors are those of one process"),
    **dict.fromkeys(("singular", "null_pivots"), 'a singular matrix has no gradient; on_failure="raise" makes it an error'),
}
_ON_FAILURE = {"nan": False, "raise": True}


def options_text(options: dict[str, Any]) -> str:
    """The options as text for the extension; equal options give equal texts. Errors: BadPlan"""
    try:
        return _checked_text(tuple((name, type(value), value) for name, value in sorted(options.items())))
    except TypeError:  # a value that cannot be a key
        return _checked_text.__wrapped__(tuple((name, type(value), value) for name, value in options.items()))


@functools.lru_cache(maxsize=64)
def _checked_text(given: tuple) -> str:
    options = {name: value for name, _, value in given}
    for name in options:
        if name in _NOT_HERE:
            raise BadPlan(f'option "{name}" cannot be given here: {_NOT_HERE[name]}', "python")
    settings(options, Voice(), is_collective=False)
    return json.dumps(_with_ranks(options), default=_plain, sort_keys=True)


def raises(on_failure: str) -> bool:
    if on_failure not in _ON_FAILURE:
        raise BadPlan(f'on_failure is {on_failure!r}; give "nan" or "raise"', "python")
    return _ON_FAILURE[on_failure]


def cache_info() -> dict[str, Any]:
    """Return what happened to the kept factors since the process began.

    Returns
    -------
    dict
        hits, misses (a factorisation each), dropped, entries, bytes, limit_bytes; and
        inaccurate, ill_conditioned: the numbers of solves with these statuses, about which
        no warning is possible.
    """
    return _core.kept_figures()


def set_cache_limit(limit_bytes: float) -> None:
    """Set the most bytes of kept factors; those that were used last are kept.

    The first limit is a quarter of the free memory. With 0 nothing is kept, and a gradient
    factorises again.
    """
    if not limit_bytes >= 0:
        raise BadPlan(f"the limit is {limit_bytes!r}; give a number of bytes from 0 on", "python")
    _core.kept_limit(float(limit_bytes))


def clear_cache() -> None:
    """Free the memory of all kept factors."""
    _core.kept_clear()
