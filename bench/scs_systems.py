#!/usr/bin/env python3
"""SCS's linear systems beside its own QDLDL, on the quadratic programs of Maros and Meszaros, on one core.

    tools/foreign_suites scs                        makes both modules in build/foreign/scs
    taskset -c 0 bench/scs_systems.py PROBLEMS [--modules build/foreign/scs] [--repeat 3] [--most 100000] [--seconds 20] [--only NAME...]

PROBLEMS: a folder of .mat files with P, q, A, l and u: min 1/2 x'Px + q'x, l <= Ax <= u (of the repositories that have the set in that form,
qpsolvers/maros_meszaros_qpbenchmark is one). For each problem a line: order and entries of the KKT matrix; CPU seconds of a first factorisation with
its analysis, of a factorisation with other diagonal values and of a solve, best of --repeat, by SCS's own five functions; iterations, seconds and
how SCS ended, each with QDLDL and with overlapack. The last lines are geometric means of ratios, and how many problems took the same
number of iterations.
"""
import argparse
import ctypes
import importlib.util
import time
from pathlib import Path

import numpy as np
import scipy.io
from scipy import sparse

INTEGER, NUMBER = ctypes.c_longlong, ctypes.c_double


def best(work, times):
    """The least seconds of this processor in so many calls: other programs then matter little."""
    seconds = []
    for _ in range(times):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)


class Matrix(ctypes.Structure):
    """ScsMatrix"""
    _fields_ = [("x", ctypes.POINTER(NUMBER)), ("i", ctypes.POINTER(INTEGER)), ("p", ctypes.POINTER(INTEGER)), ("m", INTEGER), ("n", INTEGER)]

    def __init__(self, A):
        self.kept = A.data.astype(float), A.indices.astype(np.int64), A.indptr.astype(np.int64)
        super().__init__(pointer(self.kept[0]), pointer(self.kept[1]), pointer(self.kept[2]), *A.shape)


def pointer(array):
    return array.ctypes.data_as(ctypes.POINTER(NUMBER if array.dtype == float else INTEGER))


class Solver:
    """One build of SCS: as a Python module, and its functions for linear systems."""

    def __init__(self, folder):
        [path] = folder.glob("scs/_scs_direct*.so")
        spec = importlib.util.spec_from_file_location("_scs_direct", path)
        self.module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)
        self.library = ctypes.CDLL(str(path))
        self.library.scs_init_lin_sys_work.restype = ctypes.c_void_p
        self.library.scs_update_lin_sys_diag_r.restype = self.library.scs_solve_lin_sys.restype = INTEGER

    def linear_systems(self, problem, repeat):
        """Seconds of a first factorisation, another one, a solve; NaN where SCS would have failed."""
        P, A, diagonal = problem.P, problem.A, problem.diagonal()
        matrix_a, matrix_p, call = Matrix(A), Matrix(P), self.library
        made = []

        def first():
            for work in made:
                call.scs_free_lin_sys_work(work)
            made[:] = [ctypes.c_void_p(call.scs_init_lin_sys_work(ctypes.byref(matrix_a), ctypes.byref(matrix_p), pointer(diagonal)))]

        first_s = best(first, repeat)
        [work] = made
        if not work:
            return [np.nan] * 3
        others, turn = [1.1 * diagonal, diagonal], [0]

        def again():
            turn[0] += 1
            call.scs_update_lin_sys_diag_r(work, pointer(others[turn[0] % 2]))

        again_s = best(again, repeat)
        side = np.random.default_rng(1).standard_normal(len(diagonal))
        calls, x = max(1, 20000 // len(diagonal)), side.copy()

        def solves():
            for _ in range(calls):
                x[:] = side
                call.scs_solve_lin_sys(work, pointer(x), None, NUMBER(0))

        solve_s = best(solves, repeat) / calls
        call.scs_free_lin_sys_work(work)
        return first_s, again_s, solve_s

    def solve(self, problem, seconds):
        A, P = problem.A, problem.P
        arrays = [part for M in (A, P) for part in (M.data, M.indices.astype(np.int64), M.indptr.astype(np.int64))]
        solver = self.module.SCS(A.shape, *arrays, problem.b, problem.q, problem.cone, verbose=False, time_limit_secs=float(seconds))
        return solver.solve(False, None, None, None)["info"]


class Problem:
    """l <= Ax <= u as rows that are zero or not negative: A x + s = b."""

    def __init__(self, path):
        given = scipy.io.loadmat(path)
        self.name = path.stem
        self.P = sparse.csc_array(sparse.triu(given["P"].astype(float), format="csc"))
        self.q = given["q"].ravel().astype(float)
        rows, low, high = sparse.csr_array(given["A"].astype(float)), given["l"].ravel().astype(float), given["u"].ravel().astype(float)
        is_equal = high - low < 1e-10
        has_high, has_low = ~is_equal & (high < 9e19), ~is_equal & (low > -9e19)
        self.A = sparse.csc_array(sparse.vstack([rows[is_equal], rows[has_high], -rows[has_low]], format="csc"))
        self.A.sort_indices()
        self.b = np.r_[high[is_equal], high[has_high], -low[has_low]]
        self.cone = {"z": int(is_equal.sum()), "l": int(has_high.sum() + has_low.sum())}

    def diagonal(self):
        """SCS's R at its default settings."""
        rho_x, scale, of_zero = 1e-6, 0.1, 1000.0
        return np.r_[np.full(self.A.shape[1], rho_x), np.full(self.cone["z"], 1 / (of_zero * scale)), np.full(self.cone["l"], 1 / scale)]


def geometric(ratios):
    ratios = np.array([r for r in ratios if np.isfinite(r)])
    return f"{np.exp(np.log(ratios).mean()):.2f} (worst {ratios.max():.2f}, of {len(ratios)})" if len(ratios) else "none"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", type=Path)
    parser.add_argument("--modules", type=Path, default=Path(__file__).parent.parent / "build/foreign/scs")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--most", type=int, default=100000, help="largest order of a KKT matrix")
    parser.add_argument("--seconds", type=float, default=20, help="limit of a run of SCS; 0: SCS is not run")
    parser.add_argument("--only", nargs="+", default=[])
    asked = parser.parse_args()
    solvers = [Solver(asked.modules / name) for name in ("qdldl", "overlapack")]
    print("problem       order   entries   first: theirs, ours, ratio   again: theirs, ours, ratio   solve: theirs, ours, ratio   "
          "iterations: theirs, ours   SCS: theirs, ours, ratio   ended")
    ratios, same, run = {"small": [], "large": []}, 0, 0
    for path in sorted(asked.problems.glob("*.mat")):
        problem = Problem(path)
        order = sum(problem.A.shape)
        if order > asked.most or (asked.only and problem.name not in asked.only):
            continue
        theirs, ours = (np.array(solver.linear_systems(problem, asked.repeat)) for solver in solvers)
        ratios["large" if order >= 10000 else "small"].append(ours / theirs)
        line = f"{problem.name:10} {order:8} {problem.P.nnz + problem.A.nnz + order:9}   "
        line += "   ".join(f"{a:.1e} {b:.1e} {b / a:5.2f}" for a, b in zip(theirs, ours))
        if asked.seconds > 0:
            a, b = (solver.solve(problem, asked.seconds) for solver in solvers)
            total = [info["setup_time"] + info["solve_time"] for info in (a, b)]
            line += f"   {a['iter']:6} {b['iter']:6}   {total[0] / 1e3:.1e} {total[1] / 1e3:.1e} {total[1] / total[0]:5.2f}   {a['status']}; {b['status']}"
            is_over = max(total) > 900 * asked.seconds  # stopped by the clock
            same, run = same + (not is_over and a["iter"] == b["iter"]), run + (not is_over)
        print(line, flush=True)
    for size, found in ratios.items():
        if found:
            first, again, solve = np.array(found).T
            print(f"order {'from 10000' if size == 'large' else 'below 10000'}: first {geometric(first)}, again {geometric(again)}, solve {geometric(solve)}")
    print(f"same number of iterations in {same} of {run} problems that the limit of time did not end")


if __name__ == "__main__":
    main()
