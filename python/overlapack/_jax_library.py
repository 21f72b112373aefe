"""The library of overlapack.jax's custom calls: one file of C, which is compiled with the header of the installed jaxlib."""
from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import sysconfig
import tempfile
import threading
from pathlib import Path

from . import _core
from ._errors import BadPlan

_HERE = Path(__file__).parent
_SOURCES = ("_jax_calls.c", "_kept_call.h")
_CALLS = ("overlapack_solve", "overlapack_slogdet", "overlapack_inverse")
_HEADER = "xla/ffi/api/c_api.h"


def _name(include: Path) -> str:
    """The name of the library's file, which differs for each version of XLA's interface and of ours."""
    texts = [(_HERE / name).read_bytes() for name in _SOURCES] + [(include / _HEADER).read_bytes()]
    return f"_jax_calls-{hashlib.sha256(b'|'.join(texts)).hexdigest()[:16]}-{os.uname().machine}.so"


def _compiler() -> str:
    words = (sysconfig.get_config_var("CC") or "").split()
    for name in (*words[:1], "cc", "gcc", "clang"):
        if found := shutil.which(name):
            return found
    raise BadPlan("overlapack.jax compiles one file of C with the header of your jaxlib, and there is no C compiler; install one (gcc or clang), or "
                  "run `python -m overlapack.jax` where there is one and take the file along that it names", "python")


def compile_into(folder: Path, include: Path) -> Path:
    """Compile into a folder. Errors: BadPlan, with the compiler's words; OSError if the folder is not writable."""
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / _name(include)
    handle, unfinished = tempfile.mkstemp(suffix=".so", dir=folder)
    os.close(handle)
    try:
        command = [_compiler(), "-O2", "-shared", "-fPIC", f"-I{include}", f"-I{_HERE}", str(_HERE / _SOURCES[0]), "-o", unfinished]
        run = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if run.returncode != 0:
            raise BadPlan(f"the custom calls of overlapack.jax do not compile with the header in {include}; `{' '.join(command)}` says: "
                          f"{run.stderr.strip()[-1000:]}", "python")
        os.chmod(unfinished, 0o755)
        os.replace(unfinished, made)  # whole, whoever else compiles at the same time
    finally:
        Path(unfinished).unlink(missing_ok=True)
    return made


def _found_or_made(include: Path) -> Path:
    """The path of the library: beside this file or in the user's cache; else compiled there, or for this process only."""
    cache = Path.home() / ".cache" / "overlapack"
    for folder in (_HERE, cache):
        if (made := folder / _name(include)).exists():
            return made
    try:
        return compile_into(cache, include)
    except OSError:
        return compile_into(Path(tempfile.mkdtemp(prefix="overlapack-")), include)


def register(path: Path) -> None:
    """Register the calls of this library with JAX. If XLA has begun, it compares versions now."""
    import jax

    jax.devices("cpu")
    library = ctypes.CDLL(str(path))
    library.overlapack_attach(ctypes.c_void_p(_core.kept_answer_address()))
    for name in _CALLS:
        try:
            jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(getattr(library, name)), platform="cpu")
        except Exception as error:
            raise BadPlan(f"jaxlib {jax.lib.__version__} does not take the custom call {name}: {error}; remove {path}, so that it is made anew", "python") from error


_loading = threading.Lock()
_is_loaded = False


def load() -> None:
    """Load the library once in a process, on the first thread that asks."""
    global _is_loaded
    with _loading:
        if not _is_loaded:
            import jax

            register(_found_or_made(Path(jax.ffi.include_dir())))
            _is_loaded = True
