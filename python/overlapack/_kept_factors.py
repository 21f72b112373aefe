"""What overlapack.jax and overlapack.torch share: factors that are kept, and how options get to them."""
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
    """As the extension reads them, the same text for the same options. Errors: BadPlan"""
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
    """What happened to the kept factors since the process began.

    Returns
    -------
    dict
        hits, misses (a factorisation each), dropped, entries, bytes, limit_bytes; and
        inaccurate, ill_conditioned: solves that ended so, of which no warning can tell.
    """
    return _core.kept_figures()


def set_cache_limit(limit_bytes: float) -> None:
    """Keep factors of at most so many bytes, those that were used last.

    At first it is a quarter of the memory that is free. With 0 nothing is kept, and a
    gradient factorises again.
    """
    if not limit_bytes >= 0:
        raise BadPlan(f"the limit is {limit_bytes!r}; give a number of bytes from 0 on", "python")
    _core.kept_limit(float(limit_bytes))


def clear_cache() -> None:
    """Give back the memory of all factors that are kept."""
    _core.kept_clear()
