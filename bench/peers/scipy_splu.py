#!/usr/bin/env python3
"""SciPy's splu (SuperLU), as a driver of bench/sparse_compare: scipy_splu.py MATRIX.bin --variant ORDERING --ranks N --budget S.

The variant is permc_spec. SciPy analyses and factorises in one call, and does not refine.
"""

import argparse
import ctypes
import json
import re
import time
from pathlib import Path

import numpy as np
import scipy
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

MAX_REPEATS = 10


def read(path: str) -> sparse.csc_matrix:
    with open(path, "rb") as file:
        file.read(8)
        n, nnz = np.fromfile(file, np.int64, 4)[:2]
        start, row, value = np.fromfile(file, np.int64, n + 1), np.fromfile(file, np.int64, nnz), np.fromfile(file, np.float64, nnz)
    return sparse.csc_matrix((value, row.astype(np.int32), start.astype(np.int32)), shape=(n, n))


def resident_bytes(field: str) -> int:
    return 1024 * int(re.search(rf"^{field}:\s*(\d+)", Path("/proc/self/status").read_text(), re.MULTILINE)[1])


def reset_peak() -> int:
    Path("/proc/self/clear_refs").write_text("5")
    return resident_bytes("VmRSS")


def kernels() -> str:
    """Of the OpenBLAS that SciPy brings along."""
    maps = Path("/proc/self/maps").read_text()
    file = next(iter(re.findall(r"/\S*scipy\.libs/\S*openblas\S*", maps)), None)
    if file is None:
        return "unknown"
    library = ctypes.CDLL(file)
    config, core = library.scipy_openblas_get_config, library.scipy_openblas_get_corename
    config.restype = core.restype = ctypes.c_char_p
    return f"{Path(file).name} ({config().decode()}, kernels {core().decode()})"


def backward_error(A: sparse.csc_matrix, x: np.ndarray, b: np.ndarray) -> float:
    """omega_1 + omega_2 of Arioli, Demmel and Duff, as bench/peers/problem.cpp has it."""
    if not np.isfinite(x).all():
        return float("nan")
    r, weight, row_norm, x_norm = abs(b - A @ x), abs(A) @ abs(x), abs(A) @ np.ones(len(x)), abs(x).max()
    is_large = weight + abs(b) > 1000 * len(x) * np.finfo(float).eps * (row_norm * x_norm + abs(b))
    with np.errstate(invalid="ignore"):
        shares = np.where(is_large, r / (weight + abs(b)), np.where(r > 0, r / (weight + row_norm * x_norm), 0))
    return float(shares[is_large].max(initial=0) + shares[~is_large].max(initial=0))


def seconds(phase) -> float:
    begin = time.perf_counter()
    phase()
    return time.perf_counter() - begin


def repeat(budget_s: float, phase) -> list[float]:
    times = []
    while not times or (sum(times) < budget_s and len(times) < MAX_REPEATS):
        times.append(seconds(phase))
    return times


def measure(A: sparse.csc_matrix, ordering: str, budget_s: float) -> dict:
    b, found = A @ np.ones(A.shape[0]), {}

    def factor():
        found.clear()
        found["lu"] = splu(A, permc_spec=ordering)

    def solve():
        found["x"] = found["lu"].solve(b)

    before = reset_peak()
    first, first_solve = seconds(factor), seconds(solve)
    growth, peak = resident_bytes("VmHWM") - before, resident_bytes("VmHWM")
    factors = [first] if first > 20 * budget_s else repeat(budget_s, factor)
    solves = repeat(budget_s / 3, solve)
    return {
        "version": scipy.__version__, "parameters": f"permc_spec={ordering}", "blas": kernels(),
        "factor_nnz": found["lu"].nnz, "first_factor_s": first, "factor_s": min(factors), "factor_times_s": factors,
        "solve_s": min(solves), "solution_s": first + first_solve, "peak_bytes": growth, "process_peak_bytes": peak,
        "backward_error": backward_error(A, found["x"], b), "forward_error": float(abs(found["x"] - 1).max()), "status": "ok",
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("matrix")
    parser.add_argument("--variant", default="COLAMD")
    parser.add_argument("--ranks", type=int, help="threads of BLAS, which the environment sets")
    parser.add_argument("--budget", type=float, default=0.3)
    options = parser.parse_args()
    record = {"peer": "splu"}
    try:
        record |= measure(read(options.matrix), options.variant, options.budget)
    except (RuntimeError, MemoryError) as error:
        record |= {"status": "failed", "message": str(error) or type(error).__name__}
    print(json.dumps(record))


if __name__ == "__main__":
    main()
