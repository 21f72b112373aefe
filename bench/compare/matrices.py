"""Matrices as the drivers read them: one binary file a matrix, made once from Matrix Market or SciPy files."""

import csv
import gzip
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.io
import scipy.sparse

sys.path.append(str(Path(__file__).resolve().parents[2] / "studies"))
import stand_ins

MAGIC = b"OVLPBM01"
SUFFIXES = (".mtx", ".mtx.gz", ".npz")
# The large tier: model problems by `overlapack generate`, and three of studies/stand_ins.
LARGE_MODELS = {"elasticity36": 36, "elasticity48": 48, "cube60": 60, "cube80": 80, "convection40": 40}
LARGE_STAND_INS = ("mixtank_like", "bmwcra_like", "ship_like")


@dataclass(frozen=True)
class Matrix:
    """One matrix of the comparison. `binary` is what the drivers read, `source` the file that it came from."""

    name: str
    source: Path
    binary: Path
    n: int
    nnz: int
    is_symmetric: bool
    has_positive_diagonal: bool
    kind: str = ""

    def facts(self) -> dict:
        """What a store keeps of it."""
        return {"n": self.n, "nnz": self.nnz, "is_symmetric": self.is_symmetric, "kind": self.kind}


def list_sources(directory: Path) -> dict[str, Path]:
    """Name -> file of every matrix in a directory; the name is the file's without its suffix."""
    found = {}
    for path in sorted(directory.iterdir()):
        for suffix in SUFFIXES:
            if path.name.endswith(suffix):
                found[path.name.removesuffix(suffix)] = path
    return found


def list_kinds(directory: Path) -> dict[str, str]:
    """Name -> kind, from table.tsv where the directory has one."""
    table = directory / "table.tsv"
    if not table.exists():
        return {}
    with table.open() as lines:
        return {row["name"]: row["kind"] for row in csv.DictReader(lines, delimiter="\t")}


def make_stand_ins(names: Iterable[str], out: Path) -> None:
    """Makes those that `out` does not hold yet."""
    unknown = sorted(set(names) - set(stand_ins.CATALOGUE))
    if unknown:
        sys.exit(f"no such matrix to generate: {', '.join(unknown)}; there are {', '.join(stand_ins.CATALOGUE)}")
    for name in names:
        stand_ins.file_of(name, out)


def generate_models(executable: Path, out: Path) -> None:
    """Runs `overlapack generate` for those of LARGE_MODELS that `out` does not hold yet."""
    out.mkdir(parents=True, exist_ok=True)
    for name, size in LARGE_MODELS.items():
        if not (out / f"{name}.mtx").exists():
            print(f"generating {name}", flush=True)
            kind = name.removesuffix(str(size))
            subprocess.run([executable, "generate", kind, str(size), "-o", out / f"{name}.mtx"], check=True, stdout=subprocess.DEVNULL)


def prepare(name: str, source: Path, cache: Path, kind: str = "") -> Matrix:
    """Reads the source, or only the header of its binary file where that is newer."""
    binary = cache / f"{name}.bin"
    if not binary.exists() or binary.stat().st_mtime < source.stat().st_mtime:
        cache.mkdir(parents=True, exist_ok=True)
        _write(binary, *_read(source))
    header = np.fromfile(binary, dtype=np.int64, count=5)
    n, nnz, is_symmetric, positive = (int(v) for v in header[1:5])
    return Matrix(name, source, binary, n, nnz, bool(is_symmetric), bool(positive), kind)


def _read(source: Path) -> tuple[scipy.sparse.csc_matrix, bool]:
    if source.name.endswith(".npz"):
        a = scipy.sparse.csc_matrix(scipy.sparse.load_npz(source))
        difference = abs(a - a.T)
        is_symmetric = difference.nnz == 0 or difference.max() <= 1e-9 * abs(a).max()
        if is_symmetric:  # the lower triangle counts, as in a symmetric Matrix Market file
            lower = scipy.sparse.tril(a)
            a = lower + scipy.sparse.tril(a, -1).T
    else:
        opener = gzip.open if source.name.endswith(".gz") else open
        with opener(source, "rb") as stream:
            is_symmetric = b"symmetric" in stream.readline().lower().replace(b"skew-symmetric", b"")
        a = scipy.io.mmread(source)
    a = scipy.sparse.csc_matrix(a, dtype=np.float64)
    a.sum_duplicates()
    a.sort_indices()
    return a, is_symmetric


def _write(binary: Path, a: scipy.sparse.csc_matrix, is_symmetric: bool) -> None:
    positive = bool((a.diagonal() > 0).all())
    part = binary.with_suffix(".part")
    with part.open("wb") as out:
        out.write(MAGIC)
        np.array([a.shape[0], a.nnz, is_symmetric, positive], dtype=np.int64).tofile(out)
        a.indptr.astype(np.int64).tofile(out)
        a.indices.astype(np.int64).tofile(out)
        a.data.tofile(out)
    part.rename(binary)
