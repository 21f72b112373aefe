"""Under mpirun rank 0's matrix and right-hand sides count, and what one rank refuses all refuse, with one sentence: nobody waits for who
has gone. Skipped where there is no MPI."""
import pytest

from test_mpi import mpirun, pytestmark  # noqa: F401

pytest.importorskip("mpi4py")

#: mine(x): x on rank 0, None on the others; refused(call): its error, told by every rank in one line; works(call): it does, on all
BOTH = """
import numpy as np, overlapack, scipy.sparse as sp
from mpi4py import MPI
comm = MPI.COMM_WORLD
root = comm.rank == 0
last = comm.size - 1
A = sp.diags_array([-np.ones(19), 4 * np.ones(20), -2 * np.ones(19)], offsets=[-1, 0, 1]).tocsc()
D, one = A.toarray(), np.ones(20)
def mine(x):
    return x if root else None
def odd(x, other):
    "other on the last rank alone"
    return other if comm.rank == last else x
def refused(call):
    try:
        call()
        print("accepted")
    except overlapack.Error as error:
        print(type(error).__name__, str(error))
def residual(x, b=one, A=A):
    return bool(abs(A @ x - b).max() < 1e-12)
"""


def in_all(ranks, code):
    """What every rank printed, line by line: the same on all of them."""
    code, lines, errors = mpirun(ranks, code, BOTH)
    assert code == 0, errors
    told = sorted(set(lines))
    assert all(lines.count(line) == ranks * (lines.count(line) // ranks) for line in told), lines
    return [line for line in told for _ in range(lines.count(line) // ranks)]


@pytest.mark.parametrize("ranks", [2, 3])
def test_only_rank_0_has_anything(ranks):
    assert in_all(ranks, """
        b2 = np.column_stack([one, 1j * one, one])
        factors = overlapack.factorize(mine(A))
        print("factors", factors.shape, factors.dtype, residual(factors.solve(mine(one))), residual(factors.solve(mine(b2)), b2))
        factors.refactorize(mine(2 * A))
        print("again", residual(factors.solve(mine(one), "T"), A=2 * A.T), factors.inverse_entries([0], [1]).shape)
        for x in (overlapack.solve(mine(A), mine(one)), overlapack.solve(mine(D), mine(one)), overlapack.solve(mine(A), mine(one), method="dense"),
                  overlapack.solve(mine(D), mine(one), factorization="qr"), overlapack.solve(mine(A), mine(one), method="supernodal"),
                  overlapack.lstsq(mine(D), mine(one)), overlapack.spsolve(mine(A), mine(one))):
            print("x", residual(x), x.dtype)
        x, report = overlapack.solve(mine(A), mine(b2), report=True)
        print("report", report.n, x.shape, x.dtype, residual(x, b2))
        x = overlapack.solve(mine(A), mine(one), method="jacobi", tolerance=1e-13)
        print("jacobi", bool(abs(A @ x - one).max() < 1e-11))
        for make in (overlapack.lu_factor, overlapack.qr_factor):
            dense = make(mine(D))
            print("dense", dense.shape, residual(dense.solve(mine(one))), residual(dense.solve(mine(b2)), b2))
        print("q", bool(abs(dense.multiply_q(mine(np.eye(20)[:, :3])) - dense.q()[:, :3]).max() < 1e-14))
        S = overlapack.schur(mine(A), mine([3, 4]))
        x = S.expand(mine(one), mine(np.linalg.solve(S.matrix, S.condense(mine(one)))))
        print("schur", residual(x))
        rows = np.arange(comm.rank, 20, comm.size)
        part = sp.csr_array(sp.diags_array((np.arange(20) % comm.size == comm.rank).astype(float)) @ A)
        print("parts", residual(overlapack.solve(part, mine(one), distributed=True)))
        H = D + D.T
        print("cholesky", residual(overlapack.cholesky_factor(mine(H)).solve(mine(one)), A=H))
        """) == sorted(["factors (20, 20) float64 True True", "again True (1,)", *["x True float64"] * 7, "report 20 (20, 3) complex128 True",
                        "jacobi True", "dense (20, 20) True True", "dense (20, 20) True True", "q True", "schur True", "parts True", "cholesky True"])


#: a call that one rank makes otherwise than the others, and what all are told
REFUSALS = {
    "overlapack.solve(odd(A, 'abc'), one)": "BadInput A is a str",
    "overlapack.solve(mine(None), one)": "BadInput A is None",
    "overlapack.solve(A, None)": "BadInput b is None",
    "overlapack.solve(A if root else A[:5, :5], one)": "type",
    "overlapack.solve(odd(A, A.astype('float32')), one)": "float32",
    "overlapack.solve(odd(A, D), one)": "A as dense",
    "overlapack.solve(A, odd(one, np.ones(21)))": "BadInput b has the shape (21,)",
    "overlapack.solve(A, odd(one, np.ones((20, 2))))": "b of shape (20, 2)",
    "overlapack.solve(A, odd(one, object()))": "BadInput b is an object",
    "overlapack.solve(A, one, distributed=odd(False, True))": "distributed True",
    "overlapack.solve(mine(A), one, distributed=root)": "distributed",
    "overlapack.solve(A, one, **odd({}, {'orderng': 'amd'}))": 'BadPlan there is no option "orderng"; did you mean "ordering" (group Sparse factors)?',
    "overlapack.solve(A, one, user_order=odd((), None))": "BadInput user_order is None",
    "overlapack.solve(A, one, symmetric=odd(None, 'left'))": "symmetric is 'left'",
    "overlapack.solve(A, one, method=odd('auto', 'dense'))": "BadPlan",
    "overlapack.solve(mine(A * np.nan), mine(one))": "BadInput",
    "overlapack.solve(mine(A), mine(one * np.inf))": "BadInput",
    "overlapack.solve(mine(A[:5]), mine(np.ones(5)))": "BadInput",
    "overlapack.solve(mine(0 * A), mine(one))": "Singular",
    "overlapack.factorize(odd(A, print))": "BadInput A is a function",
    "overlapack.factorize(A, **odd({}, {'method': 'dense'}))": "BadPlan",
    "overlapack.factorize(A, distributed=odd(False, True))": "distributed True",
    "factors.solve(odd(one, np.ones(3)))": "BadInput b has the shape (3,)",
    "factors.solve(odd(one, np.ones((20, 2))))": "b of shape (20, 2)",
    "factors.solve(odd(one, one * 1j))": "complex128",
    "factors.solve(one, odd('N', 'T'))": "trans",
    "factors.solve(one, odd('N', 'X'))": "BadPlan trans is 'X'",
    "factors.solve(None)": "BadInput b is None",
    "factors.solve(mine(one * np.nan))": "BadInput",
    "factors.refactorize(odd(A, A[:3]))": "A of shape (3, 20)",
    "factors.refactorize(odd(A, A * 1j))": "BadInput A is complex",
    "factors.refactorize(mine(A + sp.eye_array(20, k=5)))": "other places",
    "factors.inverse_entries(odd([0], ['a']), [1])": "BadInput rows",
    "factors.null_space(odd('N', 3))": "BadPlan trans is 3",
    "factors.solve_part(odd(one[:0], [None]), [])": "BadInput b is a list",
    "factors.solve_part(one[:0], [], wanted=odd('all', 'first'))": "wanted first",
    "dense.solve(odd(one, np.ones(3)))": "BadInput b has the shape (3,)",
    "dense.solve_part(odd(D, 'a'), None)": "BadInput",
    "dense.multiply_q(odd(one, np.ones(3)))": "BadInput C has the shape (3,)",
    "overlapack.lu_factor(odd(D, D[0]))": "BadInput A is a numpy.ndarray with 1 dimension(s)",
    "overlapack.lu_factor(D, layout=odd(None, overlapack.Layout((20, 20), 4, (1, 1))))": "layout True",
    "overlapack.lu_factor(D, layout=odd(overlapack.Layout((20, 20), 4, (1, 1)), None))": "layout False",
    "overlapack.qr_factor(odd(D, D[:5]))": "A of shape (5, 20)",
    "overlapack.lstsq(D, odd(one, np.ones((20, 2))))": "b of shape (20, 2)",
    "overlapack.multiply_parts(odd(D, D[0]), whole, D, whole)": "BadInput the part of A",
    "overlapack.solve_triangle_parts(D, whole, D, whole, trans=odd('N', 'Q'))": "BadPlan trans",
    "overlapack.solve(A, one, method='jacobi', tolerance=odd(1e-2, 1e-6))": "BadPlan the ranks were called with different options: rank 0 with method = jacobi, tolerance = 0.01",
    "overlapack.solve(A, one, method='jacobi', variant=odd('async', 'sync'))": "variant = sync",
    "overlapack.solve(A, one, method='jacobi', experiment={'in_flight': odd(3, 4)})": "experiment.in_flight = 3",
    "overlapack.solve(A, one, method='jacobi', experiment={'halo_period': odd(5, 6)})": "experiment.halo_period = 5",
    "overlapack.solve(A, one, method='jacobi', experiment={'residual_period': odd(7, 8)})": "experiment.residual_period = 7",
    "overlapack.solve(A, one, method='multisplitting', overlap=odd(2, 3))": "overlap = 2",
    "overlapack.solve(A, one, method='multisplitting', inner=odd('cg', 'direct'))": "inner = cg",
    "overlapack.solve(A, one, method='multisplitting', ranks_per_block=odd(1, 2))": "ranks_per_block = 2",
    "overlapack.load_factors(odd(path, '/no/such/file'))": "MissingFile /no/such/file",
    "overlapack.schur(A, odd([1], [1.5]))": "BadInput variables must be whole numbers",
}


@pytest.mark.parametrize("ranks", [2, 3])
def test_what_one_rank_refuses_all_refuse(ranks, tmp_path):
    calls = "\n".join(f"        refused(lambda: {call})" for call in REFUSALS)
    lines = in_all(ranks, f"""
        factors, dense = overlapack.factorize(A), overlapack.qr_factor(D)
        whole, path = overlapack.Layout((20, 20), 20, (1, 1)), "{tmp_path}/factors"
        factors.save(path)
{calls}
        print(residual(factors.solve(one)), residual(overlapack.solve(A, one)))
        """)
    assert "True True" in lines
    assert len(lines) == len(REFUSALS) + 1 and "accepted" not in lines, lines
    for call, told in REFUSALS.items():
        assert any(told in line for line in lines), (call, told, lines)


def test_factors_that_one_rank_has_closed():
    calls = ("solve(one)", "det()", "slogdet()", "rcond()", "save('/dev/null')", "L", "refactorize(A)", "null_space()", "inverse_entries([0], [0])")
    lines = in_all(2, """
        factors, dense = overlapack.factorize(A), overlapack.qr_factor(D)
        if not root:
            factors.close()
            dense.close()
        """ + "".join(f"refused(lambda: factors.{call})\n        " for call in calls) + """
        for call in (lambda: dense.solve(one), dense.r, dense.q):
            refused(call)
        """)
    assert lines == ["BadInput these factors have been closed; factorise again"] * (len(calls) + 3)


def test_a_thread_engine_is_each_ranks_own():
    assert in_all(2, """
        x = overlapack.solve(A, one, engine="thread")
        if root:
            refused(lambda: overlapack.solve(A, one, engine="thread", orderng="amd"))
            overlapack.solve(D, one, engine="thread")
        comm.Barrier()
        if not root:
            refused(lambda: overlapack.solve(A, one, engine="thread", orderng="amd"))
        print(residual(x))
        """) == ['BadPlan there is no option "orderng"; did you mean "ordering" (group Sparse factors)?', "True"]


def test_iterations_that_are_kept():
    lines = in_all(2, """
        M = overlapack.iterate(mine(A), blocks=4, sweeps=2, coarse="near_null_space", near_null_space=mine(one))
        x = M.solve(mine(one), x0=mine(0 * one))
        print("x", bool(abs(A @ x - one).max() < 1e-6), M.report["matrix_blocks"], M.report["coarse_unknowns"])
        y = np.arange(20.0)
        print("transpose", bool(abs(M.apply(mine(one)) @ y - one @ M.apply(mine(y), "T")) < 1e-10))
        print("again", bool(abs(A @ M.refactorize(mine(2 * A)).solve(mine(one)) - one / 2).max() < 1e-6))
        refused(lambda: M.solve(mine(one), x0=mine(np.nan * one)))
        refused(lambda: M.solve(one, x0=odd(one, one[:3])))
        refused(lambda: M.refactorize(mine(A + sp.eye_array(20, k=7))))
        refused(lambda: overlapack.iterate(mine(A), near_null_space=mine(one[:7])))
        refused(lambda: overlapack.iterate(A, coarse=odd("none", "near_null_space")))
        print("still", bool(abs(A @ M.solve(mine(one)) - one / 2).max() < 1e-6))
        ones, ramp = np.ones(8000), np.arange(8000.0)
        line = sp.diags_array([-ones[1:], 2 * ones, -ones[1:]], offsets=[-1, 0, 1]).tocsc()
        M = overlapack.iterate(mine(line), coarse="near_null_space", near_null_space=mine(np.column_stack([ones, ramp, ramp**2])), accelerator="cg")
        print("of 4000 nodes True", M.report["matrix_blocks"])
        """)
    assert [line for line in lines if " True" in line] == ["again True", "of 4000 nodes True 5", "still True", "transpose True", "x True 4 4"], lines
    for says in ("x0 holds NaN", "x0 has the shape", "entries in other places", "near_null_space has the shape", "different options"):
        assert any(says in line for line in lines), (says, lines)
