"""Reads matrices from files. Python's own libraries unpack files, and SciPy reads .mat files, before the extension sees them."""
from __future__ import annotations

import importlib
import os
import warnings
from pathlib import Path
from typing import Any, Callable

import numpy as np

from . import _core
from ._errors import BadInput, MissingFile
from ._matrix import columns, csc_array

#: the first bytes of a file, and the module that unpacks it, where Python was built with it
_UNPACKERS = {b"BZh": "bz2", b"\xfd7zXZ\0": "lzma", b"\x28\xb5\x2f\xfd": "compression.zstd"}


def _read(path: str) -> tuple[Any, ...]:
    """Rows, columns, indptr, indices and data of the matrix in a file, and what its reader assumed."""
    if not os.path.isfile(path):  # a pipe is read once; of a folder, or nothing, it says why
        return _core.read_matrix(path)
    try:
        with open(path, "rb") as file:
            head = file.read(128)
    except OSError:
        return _core.read_matrix(path)
    for magic, module in _UNPACKERS.items():
        if head.startswith(magic) and (unpacker := _module(module)):
            return _core.read_matrix_bytes(_read_by(path, lambda: unpacker.decompress(Path(path).read_bytes())), path)
    if head.startswith(b"MATLAB 5.0 MAT-file"):
        held = columns(_from_mat(path))
        return (*held.shape, held.indptr, held.indices, held.data, "")
    return _core.read_matrix(path)


def of_file(path: str, call: Callable[[], Any]) -> Any:
    """Return call(), which reads the file. A missing file raises MissingFile."""
    try:
        return call()
    except BadInput as error:
        if os.path.exists(path):
            raise
        raise MissingFile(str(error), error.where) from None


def _module(name: str) -> Any:
    """The module of this name; None if this Python does not have it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _read_by(path: str, read: Callable[[], Any]) -> Any:
    try:
        return read()
    except MemoryError:
        raise
    except Exception as error:  # each library has its own
        raise BadInput(f"{path}: cannot be read ({error}); copy or download the file again", "read") from None


def _from_mat(path: str) -> Any:
    """The only sparse matrix of a MATLAB file, also in the form of the SuiteSparse collection, Problem.A."""
    scipy_io = _module("scipy.io")
    if scipy_io is None:
        raise BadInput(f"{path}: is a MATLAB file, which SciPy reads; pip install scipy", "read")
    held = {name: value for name, value in _read_by(path, lambda: scipy_io.loadmat(path)).items() if not name.startswith("__")}
    problem = held.get("Problem")
    if isinstance(problem, np.ndarray) and problem.dtype.names and "A" in problem.dtype.names:
        return problem["A"].flat[0]
    found = [name for name, value in held.items() if hasattr(value, "tocsc")]
    if len(found) != 1:
        raise BadInput(f"{path}: has {len(found)} sparse matrices; load one with scipy.io.loadmat, which finds {', '.join(held) or 'nothing'}", "read")
    return held[found[0]]


def read_matrix(path: Any) -> Any:
    """Read a matrix from a file.

    Parameters
    ----------
    path : str or path
        Matrix Market, Harwell- or Rutherford-Boeing, SciPy's .npz, or MATLAB's .mat (of
        version 5 to 7); packed as .gz, .bz2, .xz, .zst (Python 3.14), or .zip of one
        file.

    Returns
    -------
    scipy.sparse.csc_array

    Raises
    ------
    MissingFile
        There is no such file; a BadInput and a FileNotFoundError.
    BadInput
        The file cannot be read; the message has its name and the line.

    Examples
    --------
    >>> import overlapack
    >>> text = "%%MatrixMarket matrix coordinate real general\\n2 2 2\\n1 1 4.0\\n2 2 5.0"
    >>> with open("two.mtx", "w") as file:
    ...     print(text, file=file)
    >>> overlapack.read_matrix("two.mtx").diagonal()
    array([4., 5.])
    """
    rows, cols, start, row, value, assumed = of_file(str(path), lambda: _read(str(path)))
    if assumed:
        warnings.warn(f"{path}: {assumed}", stacklevel=2)
    return csc_array(rows, cols, start, row, value)
