"""The package under mpirun: it uses MPI by itself, and a failure reaches every rank. Skipped where there is no MPI."""
import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest

import launch

pytestmark = pytest.mark.skipif(not launch.MPIRUN, reason="there is no mpirun here")


# Lines of several ranks must not mix, and launchers pass on what ranks print in pieces: each rank has a file.
WHOLE_LINES = """
import os
def print(*values):
    with open(os.path.join(os.environ["FOLDER_OF_LINES"], str(os.getpid())), "a") as file:
        file.write(" ".join(map(str, values)) + "\\n")
"""


#: for programs whose ranks have parts of dense matrices, on `grid` in `order`
PARTS = textwrap.dedent("""
    import numpy as np, overlapack
    from mpi4py import MPI
    comm = MPI.COMM_WORLD
    def layout(A, first=(0, 0)):
        return overlapack.Layout(A.shape, 8, grid, order, first)
    def part(A, of_A):
        return of_A.part(A, comm.rank)
    def whole(mine, of_A):
        A = np.zeros(of_A.shape, mine.dtype)
        A[np.ix_(of_A.rows(comm.rank), of_A.cols(comm.rank))] = mine
        return comm.allreduce(A)
    """)


def mpirun(ranks, code, before=""):
    command = launch.mpirun(ranks, sys.executable, "-c", WHOLE_LINES + before + textwrap.dedent(code))
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command, env={**launch.ENVIRONMENT, "FOLDER_OF_LINES": folder}, capture_output=True, text=True, timeout=120)
        printed = [line for file in Path(folder).iterdir() for line in file.read_text().splitlines()]
    return done.returncode, sorted(done.stdout.splitlines() + printed), done.stderr


@pytest.mark.parametrize("who", ["all", "mpi4py", "a group"])
@pytest.mark.parametrize("call", ["overlapack.solve(A, b, comm=comm)", "factors.solve(b)", "factors.refactorize(A)"])
@pytest.mark.parametrize("gone", [0, 2])
def test_who_waits_for_a_process_that_has_ended_is_told(gone, call, who):
    if who != "all":
        pytest.importorskip("mpi4py")
    begin = {"all": "comm = None; rank = int(os.environ.get('OMPI_COMM_WORLD_RANK', os.environ.get('PMI_RANK')))",
             "mpi4py": "from mpi4py import MPI; comm = None; rank = MPI.COMM_WORLD.rank",
             "a group": "from mpi4py import MPI; rank = MPI.COMM_WORLD.rank; comm = MPI.COMM_WORLD.Split(0, -rank)"}[who]
    code, lines, errors = mpirun(3, f"""
        import os, sys, numpy as np, overlapack
        {begin}
        A, b = np.diag([1.0, 2.0, 3.0]), np.ones(3)
        factors = overlapack.factorize(A, comm=comm)
        if rank == {gone}:
            sys.exit()
        try:
            {call}
        except overlapack.CommFailure as error:
            print(error)
            raise
        """)
    assert code != 0
    number = 2 - gone if who == "a group" else gone
    assert any(line.startswith(f"process {number} has ended, and this one waits for it") for line in lines), (lines, errors)


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_solve(ranks):
    engine = "mpi" if ranks == 1 else "auto"  # who is alone takes threads
    code, lines, errors = mpirun(ranks, f"""
        import numpy as np, overlapack
        from scipy import sparse
        line = sparse.diags([-np.ones(29), 2 * np.ones(30), -np.ones(29)], [-1, 0, 1])
        A = sparse.kronsum(line, line)
        x, report = overlapack.solve(A, A @ np.ones(900), engine="{engine}", report=True)
        print(report.engine, report.ranks, abs(x - 1).max() < 1e-10, report.backward_error < 1e-14)
        """)
    assert code == 0, errors
    assert lines == [f"mpi {ranks} True True"] * ranks


ALONE = {
    "srun --mpi=pmi2 --pty": {"PMI_RANK": "0", "PMI_SIZE": "1", "SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "1", "SLURM_NTASKS": "4"},
    "PMI and no more": {"PMI_RANK": "0", "PMI_SIZE": "1"},
    "Jupyter by srun --mpi=pmix": {"PMIX_RANK": "0", "SLURM_STEP_NUM_TASKS": "1", "SLURM_NTASKS": "4"},
    "sbatch": {"SLURM_PROCID": "0", "SLURM_NTASKS": "4"},
    "prun -n 1": {"PMIX_RANK": "0", "PMIX_NAMESPACE": "prte-a@3"},
}


@pytest.mark.parametrize("name", ALONE)
def test_a_process_that_is_alone_takes_threads(name):
    code = "import numpy as np, overlapack; print(overlapack.factorize(np.eye(3)).report.engine)"
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **ALONE[name]}, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "thread\n"), done.stderr


def test_the_sister_of_a_silent_singleton_is_refused():
    """Whose launcher tells no number: MPI sees one process, and the rank says that there are more."""
    code = "import numpy as np, overlapack; overlapack.factorize(np.eye(3))"
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PMIX_RANK": "1", "PMIX_NAMESPACE": "prte-a@3"},
                          capture_output=True, text=True, timeout=120)
    assert done.returncode != 0 and "the rank 1 (PMIX_RANK) and no number of processes" in done.stderr, done.stderr


def test_factors_that_were_saved_can_be_loaded_at_once(tmp_path):
    code, lines, errors = mpirun(2, f"""
        import numpy as np, overlapack
        from scipy import sparse
        A = sparse.diags([-np.ones(29), 4 * np.ones(30), -np.ones(29)], [-1, 0, 1], format="csc")
        for k in range(10):
            path = "{tmp_path}/factors" + str(k)
            overlapack.factorize(A).save(path)
            factors = overlapack.load_factors(path)
        print(abs(A @ factors.solve(np.ones(30)) - 1).max() < 1e-14)
        try:
            factors.save("{tmp_path}/no/such/folder")
        except overlapack.BadInput:
            print("refused")
        """)
    assert code == 0, errors
    assert lines == ["True", "True", "refused", "refused"]


def test_ranks_with_other_types_are_told():
    code, lines, errors = mpirun(2, """
        import os, numpy as np, overlapack
        from scipy import sparse
        first = os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("PMI_RANK")) == "0"
        mine = np.float64 if first else np.float32
        for A in (sparse.eye_array(10, format="csc", dtype=mine), np.eye(10, dtype=mine)):
            try:
                overlapack.solve(A, np.ones(10, mine))
            except overlapack.BadInput as error:
                print("float32" in str(error) and "float64" in str(error))
        """)
    assert code == 0, errors
    assert lines == ["True"] * 4


def test_what_rank_0_holds_counts():
    code, lines, errors = mpirun(2, """
        import os, numpy as np, overlapack
        rank = int(os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ["PMI_RANK"])
        factors = overlapack.factorize(np.diag([2.0, 4.0]) if rank == 0 else np.zeros((2, 2)))
        b = np.array([[2.0, 4.0], [8.0, 4.0]]) if rank == 0 else np.empty((2, 2))
        print(factors.solve(b).tolist())
        """)
    assert code == 0, errors
    assert lines == ["[[1.0, 2.0], [2.0, 1.0]]"] * 2


def test_singular_reaches_every_rank():
    code, lines, errors = mpirun(3, """
        import numpy as np, overlapack
        try:
            overlapack.solve(np.zeros((5, 5)), np.ones(5))
        except overlapack.Singular as error:
            print("singular", len(str(error)) > 15)
        """)
    assert (code, lines) == (0, ["singular True"] * 3), errors


@pytest.mark.parametrize("ranks", [1, 3, 4])
def test_dense(ranks):
    code, lines, errors = mpirun(ranks, """
        import os, numpy as np, overlapack
        rank = int(os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ["PMI_RANK"])
        A = np.random.default_rng(1).uniform(-1, 1, (70, 70)) if rank == 0 else np.empty((70, 70))
        b = np.arange(70.0) if rank == 0 else np.empty(70)
        factors = overlapack.lu_factor(A, block=8)
        x, y = factors.solve(b), factors.solve(b, "T")
        if rank == 0:
            good = max(abs(A @ x - b).max(), abs(A.T @ y - b).max()) < 1e-9
        sign, log = factors.slogdet()
        print(factors.report.ranks, x.shape, sign, round(log, 6), round(x[3], 9), round(factors.rcond(), 12))
        if rank == 0:
            print(good)
        """)
    assert code == 0, errors
    assert lines[-1] == "True" and len(lines) == ranks + 1
    assert len(set(lines[:-1])) == 1  # the same on every rank


@pytest.mark.parametrize("ranks, grid, order", [(1, (1, 1), "row"), (2, (1, 2), "row"), (4, (2, 2), "column"), (4, (1, 3), "row"), (3, (3, 1), "row")])
def test_parts_of_a_dense_matrix(ranks, grid, order):
    pytest.importorskip("mpi4py")
    code, lines, errors = mpirun(ranks, f"""
        import numpy as np, overlapack
        from mpi4py import MPI
        comm = MPI.COMM_WORLD.Dup()
        rng = np.random.default_rng(2)
        A, B = rng.uniform(-1, 1, (50, 50)), rng.uniform(-1, 1, (50, 6))
        of_A = overlapack.Layout(A.shape, 8, {grid}, "{order}", ({grid[0]} - 1, 0))
        of_B = overlapack.Layout(B.shape, 4, {grid}, "{order}")
        factors = overlapack.lu_factor(of_A.part(A, comm.rank), layout=of_A, comm=comm)
        good = []
        for trans, op in (("N", A), ("T", A.T)):
            part = factors.solve_part(of_B.part(B, comm.rank), of_B, trans)
            X = np.zeros(B.shape)
            X[np.ix_(of_B.rows(comm.rank), of_B.cols(comm.rank))] = part
            X = comm.allreduce(X)
            good.append(bool(abs(op @ X - B).max() < 1e-10))
        x = factors.solve(B[:, 0])  # a whole right-hand side, of rank 0
        print(good, abs(A @ x - B[:, 0]).max() < 1e-10, factors.report.grid, abs(factors.det() / np.linalg.det(A) - 1) < 1e-10)
        """)
    assert code == 0, errors
    assert lines == [f"[True, True] True {grid[0]}x{grid[1]} True"] * ranks


@pytest.mark.parametrize("ranks, grid, order", [(1, (1, 1), "row"), (2, (2, 1), "row"), (4, (2, 2), "column"), (4, (1, 3), "row")])
def test_cholesky_and_products_of_parts(ranks, grid, order):
    pytest.importorskip("mpi4py")
    code, lines, errors = mpirun(ranks, f"""
        grid, order, rng = {grid}, "{order}", np.random.default_rng(3)
        H = rng.uniform(-1, 1, (50, 50)) + 1j * rng.uniform(-1, 1, (50, 50))
        H = H + H.conj().T + 200 * np.eye(50)
        B = rng.uniform(-1, 1, (50, 6))
        of_H, of_B = layout(H, ({grid[0]} - 1, 0)), layout(B)
        factors = overlapack.cholesky_factor(part(np.tril(H), of_H), layout=of_H)
        good = [bool(abs(op @ whole(factors.solve_part(part(B, of_B), of_B, trans), of_B) - B).max() < 1e-12)
                for trans, op in (("N", H), ("T", H.T), ("C", H))]
        C = overlapack.multiply_parts(part(H, of_H), of_H, part(B, of_B), of_B, comm=comm)
        good.append(bool(abs(whole(*C) - H @ B).max() < 1e-10))
        print(good, factors.report.grid)
        """, PARTS)
    assert code == 0, errors
    assert lines == [f"[True, True, True, True] {grid[0]}x{grid[1]}"] * ranks


@pytest.mark.parametrize("ranks, grid, order", [(2, (2, 1), "row"), (4, (2, 2), "column"), (4, (1, 3), "row")])
def test_qr_and_triangles_of_parts(ranks, grid, order):
    pytest.importorskip("mpi4py")
    code, lines, errors = mpirun(ranks, f"""
        grid, order, rng = {grid}, "{order}", np.random.default_rng(4)
        A = rng.uniform(-1, 1, (70, 25)) + 1j * rng.uniform(-1, 1, (70, 25))
        B = rng.uniform(-1, 1, (70, 6)) + 0j
        of_A, of_B = layout(A, ({grid[0]} - 1, 0)), layout(B)
        factors = overlapack.qr_factor(part(A, of_A), layout=of_A)
        X = whole(factors.solve_part(part(B, of_B), of_B), layout(B[:25]))
        good = [bool(abs(X - np.linalg.lstsq(A, B, rcond=None)[0]).max() < 1e-11)]
        good.append(bool(abs(factors.q() @ factors.r() - A).max() < 1e-12))
        good.append(bool(abs(factors.solve(B) - X).max() < 1e-12))  # a whole right-hand side, of rank 0
        R = factors.r()
        of_R, of_C = layout(R, ({grid[0]} - 1, 0)), layout(B[:25], ({grid[0]} - 1, 0))
        for trans, op in (("N", R), ("T", R.T), ("C", R.conj().T)):
            X = overlapack.solve_triangle_parts(part(R, of_R), of_R, part(B[:25], of_C), of_C, lower=False, trans=trans, comm=comm)
            good.append(bool(abs(op @ whole(X, of_C) - B[:25]).max() < 1e-11))
        print(good, factors.report.grid)
        """, PARTS)
    assert code == 0, errors
    assert lines == [f"[True, True, True, True, True, True] {grid[0]}x{grid[1]}"] * ranks


def test_bad_parts_end_all_ranks():
    pytest.importorskip("mpi4py")
    code, lines, errors = mpirun(2, """
        import numpy as np, overlapack
        from mpi4py import MPI
        rank = MPI.COMM_WORLD.rank
        for kind, layout, part in (
            (overlapack.BadInput, overlapack.Layout((4, 4), 2, (1, 2)), np.ones((4, 3 if rank else 2))),
            (overlapack.BadInput, overlapack.Layout((4, 4), 2 - rank, (1, 2)), np.ones((4, 2))),
            (overlapack.BadInput, overlapack.Layout((4, 6), 3, (1, 2)), np.ones((4, 3))),
            (overlapack.BadInput, overlapack.Layout((4, 4), 2, (1, 2)), np.ones((4, 2), "f4" if rank else "f8")),
            (overlapack.BadPlan, overlapack.Layout((4, 4), 2, (2, 2)), np.ones((2, 2))),
            (overlapack.BadPlan, overlapack.Layout((4, 4), 0, (1, 2)), np.ones((4, 2))),
            (overlapack.Singular, overlapack.Layout((4, 4), 2, (1, 2)), np.zeros((4, 2))),
        ):
            try:
                overlapack.lu_factor(part, layout=layout)
                print("accepted", layout)
            except kind as error:
                print("refused", len(str(error)) > 15)
        """)
    assert code == 0, errors
    assert lines == ["refused True"] * 14, lines


def test_distributed_entries_of_every_rank():
    code, lines, errors = mpirun(3, """
        import os, numpy as np, overlapack
        from scipy import sparse
        rank = int(os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ["PMI_RANK"])
        A = sparse.kronsum(*[sparse.diags_array([-np.ones(9), 2 * np.ones(10), -np.ones(9)], offsets=[-1, 0, 1])] * 2).tocoo()
        A.sum_duplicates()
        mine = np.arange(A.nnz) % 2 == rank  # rank 2 has none
        part = sparse.coo_array((A.data[mine], (A.row[mine], A.col[mine])), shape=A.shape)
        factors = overlapack.factorize(part, distributed=True)
        rows = np.arange(rank, 100, 3)
        x, got = factors.solve_part((A @ np.arange(100.0))[rows], rows, wanted=rows[::-1])
        print(abs(x - rows[::-1]).max() < 1e-10, np.array_equal(got, rows[::-1]))
        try:
            overlapack.factorize(part if rank else sparse.coo_array((5, 5)), distributed=True)
        except overlapack.BadInput as error:
            print("refused", "whole matrix" in str(error))
        try:
            overlapack.factorize(part.astype(complex) if rank == 1 else part, distributed=True)
        except overlapack.BadInput as error:
            print("refused", "same type" in str(error))
        """)
    assert code == 0, errors
    assert lines == ["True True"] * 3 + ["refused True"] * 6


@pytest.mark.parametrize("ranks", [2, 3])
def test_factors_go_when_python_likes(ranks):
    """In cycles, kept by a traceback or by one rank alone, collected anywhere: no rank waits for another one's collector."""
    pytest.importorskip("mpi4py")
    code, lines, errors = mpirun(ranks, """
        import gc, sys, numpy as np, scipy.sparse as sp
        from mpi4py import MPI
        import overlapack
        comm = MPI.COMM_WORLD
        gc.disable()
        A = sp.diags([-1.0, 2.5, -1.0], [-1, 0, 1], shape=(200, 200), format="csr")
        b = np.ones(200)
        kept = []

        class Holder:
            pass

        def in_a_cycle(factors):
            holder = Holder()
            holder.factors, holder.itself = factors, holder

        def in_a_traceback(factors):
            raise ValueError("a user's mistake")

        def solve(kind):
            factors = overlapack.factorize(A, comm=comm)
            factors.solve(b)
            if comm.rank != kind % comm.size:
                return  # they go at once
            if kind % 3 == 0:
                kept.append(factors)
            elif kind % 3 == 1:
                in_a_cycle(factors)
            else:
                try:
                    in_a_traceback(factors)
                except ValueError as error:
                    kept.append(error)

        for kind in range(9):
            solve(kind)
            assert comm.allreduce(1) == comm.size
            if kind == 4 + comm.rank:
                gc.collect()
        def collect(phase, share):
            kept.clear()
            gc.collect()
        x = overlapack.factorize(A, comm=comm, progress=collect).solve(b)
        dense = overlapack.lu_factor(np.eye(5), comm=comm)
        in_a_cycle(dense)
        del dense
        iteration = overlapack.factorize(A, comm=comm)
        print(abs(A @ x - b).max() < 1e-12)
        """)
    assert code == 0, errors
    assert lines == ["True"] * ranks


@pytest.mark.parametrize("options", [
    {"ordering": "bogus"}, {"workers": -1}, {"ranks": 5}, {"accuracy": -1.0}, {"accuracy": float("nan")}, {"progress": 3}, {"no_option": 1},
    {"method": "jacobi", "error_analysis": True}, {"experiment": {"eager_bytes": 100}}, {"ordering": "amd"}, {"watchdog": 0}])
def test_options_of_one_rank_are_refused_by_all(options):
    pytest.importorskip("mpi4py")
    code, lines, errors = mpirun(2, f"""
        import numpy as np, scipy.sparse as sp
        from mpi4py import MPI
        import overlapack
        from math import nan
        comm = MPI.COMM_WORLD
        A = sp.diags([-1.0, 2.5, -1.0], [-1, 0, 1], shape=(50, 50), format="csr")
        mine = {options!r} if comm.rank == 1 else {{}}
        try:
            overlapack.factorize(A, comm=comm, **mine)
            print("accepted")
        except (overlapack.BadPlan, overlapack.BadInput, TypeError) as error:
            print("refused", len(str(error)) > 15)
        x = overlapack.factorize(A, comm=comm).solve(np.ones(50))
        """)
    assert code == 0, errors
    assert lines == ["refused True"] * 2, lines
