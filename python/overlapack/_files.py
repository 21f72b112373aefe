"""Files that Python's own libraries unpack, and SciPy reads, before the extension sees them."""
from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np

from . import _core
from ._errors import BadInput
from ._matrix import columns

#: the first bytes of a file, and the module that unpacks it, where Python was built with it
_UNPACKERS = {b"BZh": "bz2", b"\xfd7zXZ\0": "lzma", b"\x28\xb5\x2f\xfd": "compression.zstd"}


def read(path: str) -> tuple[Any, ...]:
    """Rows, columns, indptr, indices and data of the matrix in a file, and what its reader assumed."""
    try:
        with open(path, "rb") as file:
            head = file.read(128)
    except OSError:
        return _core.read_matrix(path)  # says why
    for magic, module in _UNPACKERS.items():
        if head.startswith(magic) and _is_here(module):
            return _core.read_matrix_bytes(_unpacked(path, module), path)
    if head.startswith(b"MATLAB 5.0 MAT-file"):
        held = columns(_from_mat(path))
        return (*held.shape, held.indptr, held.indices, held.data, "")
    return _core.read_matrix(path)


def _is_here(module: str) -> bool:
    try:
        importlib.import_module(module)
    except ImportError:
        return False
    return True


def _unpacked(path: str, module: str) -> bytes:
    try:
        return importlib.import_module(module).decompress(Path(path).read_bytes())
    except Exception as error:  # each module has its own
        raise BadInput(f"{path}: cannot be unpacked ({error}); copy or download the file again", "read") from None


def _from_mat(path: str) -> Any:
    """The one sparse matrix of a MATLAB file, also that of the SuiteSparse collection, Problem.A."""
    from scipy.io import loadmat

    held = {name: value for name, value in loadmat(path).items() if not name.startswith("__")}
    problem = held.get("Problem")
    if isinstance(problem, np.ndarray) and problem.dtype.names and "A" in problem.dtype.names:
        return problem["A"].flat[0]
    found = [name for name, value in held.items() if hasattr(value, "tocsc")]
    if len(found) != 1:
        raise BadInput(f"{path}: has {len(found)} sparse matrices; load one with scipy.io.loadmat, which finds {', '.join(held) or 'nothing'}", "read")
    return held[found[0]]
