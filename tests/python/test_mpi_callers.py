"""What callers with mpi4py may do: communicators of some ranks, several at once, MPI begun by either side. Skipped where there is no mpi4py."""
import pytest

from test_mpi import mpirun, pytestmark  # noqa: F401

pytest.importorskip("mpi4py")

#: system(n): a matrix, and the right-hand side whose solution counts from n
SYSTEM = """
import numpy as np, overlapack
from scipy import sparse
def system(n):
    line = sparse.diags_array([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], offsets=[-1, 0, 1])
    A = sparse.kronsum(line, line)
    return A, A @ (n + np.arange(n * n))
def is_right(x, n):
    return bool(abs(x - n - np.arange(n * n)).max() < 1e-12 * n**4)  # cond(A) < n^2, and x < 2 n^2
"""


def test_groups_of_ranks_solve_at_once():
    """Each half solves a system of its own while the other does, then all solve together, then the halves' factors are used again."""
    code, lines, errors = mpirun(4, """
        from mpi4py import MPI
        world = MPI.COMM_WORLD
        mine = world.rank % 2
        half = world.Split(mine)
        n = (11, 17)[mine]
        A, b = system(n)
        factors = overlapack.factorize(A, comm=half)
        x = factors.solve(b)
        everywhere = overlapack.solve(*system(13), comm=world)
        alone = overlapack.solve(*system(5 + world.rank), comm=MPI.COMM_SELF)
        print(factors.report.ranks, is_right(x, n), is_right(everywhere, 13), is_right(alone, 5 + world.rank), is_right(factors.solve(b), n))
        """, SYSTEM)
    assert code == 0, errors
    assert lines == ["2 True True True True"] * 4


def test_factors_end_with_their_communicator():
    code, lines, errors = mpirun(2, """
        from mpi4py import MPI
        A, b = system(11)
        for _ in range(3):
            comm = MPI.COMM_WORLD.Dup()
            factors = overlapack.factorize(A, comm=comm)
            comm.Free()
            try:
                factors.solve(b)
            except overlapack.BadPlan as error:
                print("MPI_Comm_free" in str(error), is_right(overlapack.solve(A, b, comm=MPI.COMM_WORLD), 11))
        """, SYSTEM)
    assert code == 0, errors
    assert lines == ["True True"] * 6


@pytest.mark.parametrize("begun_by", ["the caller", "overlapack", "the caller, for one thread"])
def test_who_begins_mpi(begun_by):
    before = {
        "the caller": "from mpi4py import MPI",
        "overlapack": "overlapack.solve(*system(9))",
        "the caller, for one thread": "import mpi4py; mpi4py.rc.thread_level = 'single'; from mpi4py import MPI",
    }[begun_by]
    code, lines, errors = mpirun(2, before + """
from mpi4py import MPI
x, report = overlapack.solve(*system(11), comm=MPI.COMM_WORLD, report=True)
print(report.engine, report.ranks, is_right(x, 11), MPI.COMM_WORLD.allreduce(1))
""", SYSTEM)
    assert code == 0, errors
    assert lines == ["mpi 2 True 2"] * 2


def test_communicators_without_ranks_are_refused():
    code, lines, errors = mpirun(2, """
        from mpi4py import MPI
        world = MPI.COMM_WORLD
        other = world.Split(world.rank).Create_intercomm(0, world, 1 - world.rank)
        for comm in (MPI.COMM_NULL, other):
            try:
                overlapack.solve(*system(5), comm=comm)
            except overlapack.BadPlan as error:
                print("refused", "communicator" in str(error))
        try:
            overlapack.solve(*system(5), comm=3)
        except overlapack.BadPlan as error:
            print("refused", "communicator" in str(error))
        """, SYSTEM)
    assert code == 0, errors
    assert lines == ["refused True"] * 6


def test_a_second_thread_is_refused():
    """While a thread solves, which here waits in the middle until the other has tried; afterwards that one may, too."""
    code, lines, errors = mpirun(1, """
        import threading
        from mpi4py import MPI
        is_inside, has_tried = threading.Event(), threading.Event()
        def progress(phase, share):
            is_inside.set()
            has_tried.wait(60)
        def first():
            print("first", is_right(overlapack.solve(*system(200), comm=MPI.COMM_WORLD, progress=progress), 200))
        thread = threading.Thread(target=first)
        thread.start()
        is_inside.wait(60)
        try:
            overlapack.solve(*system(5), comm=MPI.COMM_WORLD)
        except overlapack.BadPlan as error:
            print("refused", "another thread" in str(error))
        has_tried.set()
        thread.join()
        print("second", is_right(overlapack.solve(*system(5), comm=MPI.COMM_WORLD), 5))
        """, SYSTEM)
    assert code == 0, errors
    assert lines == ["first True", "refused True", "second True"]


def test_after_the_end_of_mpi():
    """Solving is refused; factors that are still there go without a word to MPI."""
    code, lines, errors = mpirun(2, """
        from mpi4py import MPI
        A, b = system(7)
        factors = overlapack.factorize(A, comm=MPI.COMM_WORLD)
        MPI.Finalize()
        for call in (lambda: factors.solve(b), lambda: overlapack.solve(A, b)):
            try:
                call()
            except overlapack.BadPlan as error:
                print("refused", "MPI has ended" in str(error))
        del factors
        print(is_right(overlapack.solve(A, b, engine="thread"), 7))
        """, SYSTEM)
    assert code == 0, errors
    assert lines == ["True"] * 2 + ["refused True"] * 4
