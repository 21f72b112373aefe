"""Turns keywords into what the extension takes: options as JSON, and separately those that JSON cannot carry."""
from __future__ import annotations

import difflib
import json
import os
from typing import Any, Callable

import numpy as np

from . import _core
from ._errors import BadInput, BadPlan
from ._matrix import signs_of_pivots, whole_numbers
from ._options import Experiment, Options
from ._ranks import Ranks
from ._voice import Voice

#: other packages' names of the option ranks, for which -1 means all processors
_RANKS = ("threads", "n_jobs")
#: keywords of SciPy's and NumPy's solvers, and what to use instead of them here
_ELSEWHERE = {
    name: meant
    for names, meant in {
        ("tol", "rtol", "atol"): "solves are refined until their error is rounding, see refinement_target and accuracy; "
                                 'method="jacobi" and "multisplitting" have tolerance',
        ("permc_spec", "perm_c_spec", "ColPerm"): 'give ordering="metis", "amd" or "natural", or call overlapack.splu, which has permc_spec',
        ("diag_pivot_thresh", "DiagPivotThresh"): "give pivot_threshold",
        ("assume_a", "sym_pos"): 'symmetry is found in the entries; give factorization="cholesky" where A is positive definite, '
                                 'symmetric="upper" or hermitian="upper" where one triangle is to be read',
        ("lower", "uplo"): 'give symmetric="upper" or "lower", the triangle of A that is read; hermitian instead of symmetric for a Hermitian A',
        ("symmetric", "hermitian"): "solve, factorize, plan, analyse, diagnose, iterate, schur and cholesky_factor read one triangle; here give the whole matrix",
        ("overwrite_a", "overwrite_b"): "A and b are never changed; leave it out",
        ("check_finite",): "numbers are always checked; leave it out",
        ("use_umfpack",): "leave it out, or call overlapack.spsolve, which has it",
        ("rhs", "B"): "the right-hand side is b, the second argument of solve",
        ("trans", "transpose", "transposed"): "give it to the solve of the factors: factorize(A).solve(b, trans)",
    }.items()
    for name in names
}
_NO_ORDER = np.zeros(0, dtype=np.int64)
_NO_SIGNS = np.zeros(0, dtype=np.int8)


def begin(options: Any) -> tuple[_core.Settings, Ranks]:
    """Begin a call with these keywords, which all ranks make: returns the settings for the extension, and the ranks."""
    voice = Voice()
    used = settings(options, voice)
    return used, Ranks(used, voice)


def settings(options: Any, voice: Voice, is_collective: bool = True) -> _core.Settings:
    """Make the settings for the extension. voice: the voice of the call. is_collective: all processes of an MPI run make the call, so that all refuse
    what one of them refuses."""
    if not options and not voice.is_heard():
        return _core.Settings()  # what a small system would wait for longer than for its solution
    return _settings(voice, is_collective and options.get("engine") != "thread", **options)


def _settings(
    voice: Voice,
    is_collective: bool,
    /,
    user_order: Any = (),
    signs: Any = (),
    progress: Callable[[str, float], object] | None = None,
    comm: Any = None,
    verbose: bool = False,
    **options: Any,
) -> _core.Settings:
    voice.is_verbose = verbose
    address = _address(comm)
    refused: BadInput | BadPlan | None = None
    try:
        has_order = not isinstance(user_order, tuple) or len(user_order) > 0
        order = np.ascontiguousarray(whole_numbers(user_order, "user_order").ravel()) if has_order else _NO_ORDER
        signs = signs_of_pivots(signs) if not isinstance(signs, tuple) or len(signs) > 0 else _NO_SIGNS
        _require_plain(progress, verbose, options)
        options = _with_ranks(options)
        _require_names(options)
        as_json = json.dumps(options, default=_plain)
    except (BadInput, BadPlan) as error:
        refused = error
    if refused is None:  # from here on the extension tells all ranks what one refuses
        return _core.Settings(as_json, order, signs, voice.watching(progress) if voice.is_heard() else progress, address, is_collective)
    if is_collective:  # not while the exception is handled: Python would print two
        _core.refuse_together(address, refused.kind, str(refused))
    raise refused


def _with_ranks(options: dict[str, Any]) -> dict[str, Any]:
    """The keywords, with other names of the option ranks replaced by ranks."""
    if options.keys().isdisjoint(_RANKS):
        return options
    given = [name for name in ("ranks", *_RANKS) if options.get(name) is not None]
    if len(given) > 1:
        raise BadPlan(f"{' and '.join(given)} are the same option; give one of them", "python")
    used = {name: value for name, value in options.items() if name not in _RANKS}
    for name in given:
        if name in _RANKS:
            number = options[name]
            if not isinstance(number, (int, np.integer)) or (number != -1 and number < 1):
                raise BadPlan(f"{name} is {number!r}; give a number from 1 on, or -1 for as many as pay", "python")
            used["ranks"] = max(number, 0)
    return used


def _require_names(options: dict[str, Any]) -> None:
    for name in options:
        if name in Experiment.__annotations__:
            raise BadPlan(f'{name} is an experiment; give experiment={{"{name}": ...}}', "python")
        if name not in Options.__annotations__:
            raise BadPlan(f'there is no option "{name}"; {_meant(name)}', "python")
    for name in options.get("experiment", ()):
        if name in Options.__annotations__:
            raise BadPlan(f"{name} is an option and no experiment; give {name}=...", "python")
        if name not in Experiment.__annotations__:
            near = difflib.get_close_matches(str(name).lower(), Experiment.__annotations__)
            meant = f"did you mean {' or '.join(map(_quoted, near))}?" if near else "`overlapack info --experiments` has them all"
            raise BadPlan(f'there is no experiment "{name}"; {meant}', "python")


def _quoted(name: str) -> str:
    return f'"{name}"'


def _meant(name: str) -> str:
    """Advice on what to give instead of an unknown option."""
    if name in _ELSEWHERE:
        return _ELSEWHERE[name]
    known, groups = [*Options.__annotations__, *_ELSEWHERE], dict(_core.option_groups())
    near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.85)
    if not near:
        words = set(name.lower().split("_"))
        near = difflib.get_close_matches(name.lower(), known) + [other for other in known if words & set(other.split("_"))]
    if near:
        shown = [f'"{other}"' + (f" (group {groups[other]})" if other in groups else "") for other in dict.fromkeys(near)]
        return f"did you mean {' or '.join(shown[:4])}?"
    return f"`overlapack info --options` has them all; they are in groups: {', '.join(dict.fromkeys(groups.values()))}"


def _require_plain(progress: Any, verbose: Any, options: dict[str, Any]) -> None:
    if progress is not None and not callable(progress):
        raise BadInput("progress must be a function of a phase and a share", "python")
    if verbose and not isinstance(verbose, (bool, int, np.bool_)):
        raise BadPlan(f'verbose is {verbose!r}; give True or False: the lines are printed, or go to logging.getLogger("overlapack")', "python")
    experiments = options.get("experiment", {})
    if not isinstance(experiments, dict):
        raise BadPlan(f'experiment is {experiments!r}; give a dict of experiments and their values, as {{"strip_rows": 64}}', "python")
    for name, value in (*options.items(), *experiments.items()):
        if isinstance(value, (float, np.floating)) and not np.isfinite(value):
            raise BadPlan(f"option {name} is {value}; give a finite number, or leave it out", "python")


def _plain(value: Any) -> Any:
    """A value for JSON: NumPy's numbers and paths become plain numbers and texts."""
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
