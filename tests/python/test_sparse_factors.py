"""What sparse factors tell beyond solutions: against dense twins."""
import warnings

import numpy as np
import overlapack
import pytest
from scipy import sparse

TYPES = (np.float32, np.float64, np.complex64, np.complex128)


def tolerance(n, dtype):
    return 100 * n * np.finfo(dtype).eps


def ring(n, dtype=np.float64):
    """The Laplacian of a ring: constant vectors are its null space."""
    P = sparse.csc_array(np.roll(np.eye(n), 1, axis=0))
    return sparse.csc_array(2 * sparse.eye_array(n) - P - P.T).astype(dtype)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("ranks", [1, 3])
def test_refactorize(make_matrix, rng, assert_solves, dtype, ranks):
    A = make_matrix(60, dtype).tocsc()
    for B in (A, sparse.csc_array(A + A.T)):
        factors = overlapack.factorize(B, ranks=ranks)
        for _ in range(3):
            C = B.copy()
            C.data = B.data * (1 + rng.integers(0, 3))
            C += sparse.csc_array(sparse.diags_array(rng.uniform(0, 5, 60).astype(dtype)))
            assert factors.refactorize(C) is factors
            b = rng.standard_normal((60, 2)).astype(dtype)
            assert_solves(C, factors.solve(b), b)
            assert_solves(C.T, factors.solve(b, "T"), b)
            assert factors.slogdet()[1] == pytest.approx(np.linalg.slogdet(C.toarray())[1], rel=float(tolerance(60, dtype)))


def test_refactorize_takes_indices_of_either_width(make_matrix, rng, assert_solves):
    A = make_matrix(40).tocsc()
    factors = overlapack.factorize(A)
    b = rng.standard_normal(40)
    for index in (np.int32, np.int64):
        B = sparse.csc_array((A.data * 2, A.indices.astype(index), A.indptr.astype(index)), shape=A.shape)
        B.indices, B.indptr = B.indices.astype(index), B.indptr.astype(index)  # SciPy prefers the shorter ones
        assert B.indices.dtype == index
        assert_solves(B, factors.refactorize(B).solve(b), b)


def test_refactorize_refuses_another_pattern_and_keeps_the_factors(make_matrix, rng, assert_solves):
    A = make_matrix(30).tocsc()
    factors = overlapack.factorize(A)
    for other in (make_matrix(31), sparse.csc_array(A + A.T), A.toarray() + 1j):
        with pytest.raises(overlapack.BadInput):
            factors.refactorize(other)
    b = rng.standard_normal(30)
    assert_solves(A, factors.solve(b), b)
    symmetric = overlapack.factorize(A + A.T)
    with pytest.raises(overlapack.BadInput, match="symmetric"):
        C = sparse.csc_array(A + A.T)
        C.data[1] += 1
        symmetric.refactorize(C)


def test_after_a_singular_refactorize_there_are_no_factors_until_the_next(make_matrix, rng, assert_solves):
    A = make_matrix(30).tocsc()
    factors = overlapack.factorize(A)
    with pytest.raises(overlapack.Singular):
        factors.refactorize(A * 0)
    for call in (lambda: factors.solve(np.ones(30)), factors.det, factors.rcond, factors.null_space):
        with pytest.raises(overlapack.BadInput, match="refactorize"):
            call()
    factors.refactorize(A)
    b = rng.standard_normal(30)
    assert_solves(A, factors.solve(b), b)


def singular_matrices(rng, dtype):
    """(matrix, rank) of several kinds."""
    yield ring(30, dtype), 29
    yield sparse.block_diag([ring(12), ring(9), ring(15)]).astype(dtype), 33
    left, right = rng.standard_normal((25, 21)), rng.standard_normal((21, 25))
    yield sparse.csc_array(left @ right).astype(dtype), 21
    B = left[:, :15] @ right[:15, :20]
    yield sparse.csc_array(np.block([[np.eye(25), B], [B.T, np.zeros((20, 20))]])).astype(dtype), 40
    A = sparse.random_array((30, 30), density=0.15, rng=rng).toarray() + 3 * np.eye(30)
    A[:, [4, 11]] = 0  # structurally singular
    yield sparse.csc_array(A).astype(dtype), 28
    C = rng.standard_normal((20, 17)) + 1j * rng.standard_normal((20, 17))
    if np.dtype(dtype).kind == "c":
        yield sparse.csc_array((C @ C.conj().T)).astype(dtype), 17


@pytest.mark.parametrize("dtype", TYPES)
def test_singular_matrices(rng, dtype):
    for A, rank in singular_matrices(rng, dtype):
        n, dense = A.shape[0], A.toarray()
        for ranks in (1, 3):
            factors = overlapack.factorize(A, null_pivots=True, ranks=ranks)
            report = factors.report
            assert (report.numerical_rank, report.pivots.null) == (rank, n - rank)
            assert factors.det() == 0 and factors.rcond() == 0
            assert factors.slogdet() == tuple(np.linalg.slogdet(np.zeros((2, 2), dtype))) == (0, -np.inf)
            for trans, op in (("N", dense), ("T", dense.T), ("C", dense.conj().T)):
                Z = factors.null_space(trans)
                size = np.abs(op).max() * n
                assert Z.shape == (n, n - rank)
                assert abs(op @ Z).max() <= tolerance(n, dtype) * size
                assert abs(Z.conj().T @ Z - np.eye(n - rank)).max() <= tolerance(n, dtype)
                b = (op @ rng.standard_normal(n)).astype(dtype)
                assert abs(op @ factors.solve(b, trans) - b).max() <= tolerance(n, dtype) * size
            assert factors.report.status == "ok"


def test_rows_that_are_nearly_equal_count_as_dependent(rng):
    n, twins = 400, 8
    dominant = sparse.random_array((n, n), density=0.01, rng=rng) + 4 * sparse.eye_array(n)
    A = dominant.tocsc()[:, rng.permutation(n)].tolil()  # a weak diagonal, so that there is a matching
    rows = rng.choice(n, 2 * twins, replace=False)
    for row, twin in rows.reshape(-1, 2):
        A[twin] = A[row]
        A[twin, twin] += 1e-13
    A = sparse.csc_array(A)
    sizes = np.linalg.svd(A.toarray(), compute_uv=False)
    assert sizes[n - twins] < 1e-12 < 1e-6 < sizes[n - twins - 1]
    report = overlapack.factorize(A, null_pivots=True).report
    assert (report.matching, report.scaling) == ("maximum product", "ruiz")
    assert report.numerical_rank == n - twins
    with pytest.raises(overlapack.Singular):
        overlapack.factorize(A, singular="refuse")


def test_a_system_without_solution_is_reported():
    with pytest.raises(overlapack.Singular, match="null_pivots"):
        overlapack.factorize(ring(30), singular="refuse")
    factors = overlapack.factorize(ring(30), null_pivots=True)
    with pytest.warns(overlapack.SingularWarning, match="no solution"):
        factors.solve(np.ones(30))
    assert factors.report.status == "singular"


def test_pivots_of_rounding_have_an_answer_or_none(rng):
    A = sparse.block_diag([3 * sparse.eye_array(7), ring(30), 2 * sparse.eye_array(5)]).tocsc()
    factors = overlapack.factorize(A)
    b = A @ rng.standard_normal(42)
    with pytest.warns(overlapack.IllConditionedWarning, match="unknown"):
        x = factors.solve(b)
    report = factors.report
    assert report.status == "ill_conditioned" and 7 <= report.weak_unknown < 37 and report.condition_estimate > 1e13
    assert report.numerical_rank is None and report.pivots.rounding == 1
    assert abs(A @ x - b).max() <= tolerance(42, float) * abs(x).max()
    with pytest.raises(overlapack.Singular, match="no solution"):
        factors.solve(np.ones(42))
    for call in (factors.inertia, factors.null_space, lambda: factors.inverse_entries([0], [0])):
        with pytest.raises(overlapack.Singular, match="null_pivots"):
            call()


def test_structural_rank():
    A = sparse.csc_array(np.array([[1.0, 2, 0], [3, 4, 0], [5, 6, 0]]))
    with pytest.raises(overlapack.Singular, match="structural rank is 2 of 3"):
        overlapack.factorize(A)
    report = overlapack.factorize(A, null_pivots=True).report
    assert (report.structural_rank, report.numerical_rank) == (2, 2)
    assert overlapack.factorize(np.eye(3)).report.structural_rank == 3


def test_beside_null_pivots_x_is_tested(rng):
    springs = np.kron(np.eye(2), [[1.0, -1.0], [-1.0, 1.0]])
    for factor, status in ((10.0, "ill_conditioned"), (0.5, "ok")):  # of the first 20 unknowns; their pivots are all 1
        A = sparse.block_diag([np.eye(20) + factor * np.diag(np.ones(19), 1), springs], format="csc")
        b = A @ rng.standard_normal(24)
        for ranks in (1, 2):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", overlapack.IllConditionedWarning)
                x, report = overlapack.solve(A, b, report=True, null_pivots=True, ranks=ranks)
            assert (report.numerical_rank, report.status, report.forward_error_bound) == (22, status, None)
            assert abs(A @ x - b).max() <= 1e-14 * abs(x).max() * 11


def test_inverse_entries_of_another_matrix_are_refused(rng):
    A = sparse.random_array((80, 80), density=0.1, rng=rng).tocsc()
    A = sparse.csc_array(A + A.T)
    for options in ({"method": "supernodal"}, {"perturbation": 1e-8}):
        factors = overlapack.factorize(A, matching="off", **options)
        assert factors.report.pivots["perturbed"] > 0
        with pytest.raises(overlapack.BadPlan, match="replaced"):
            factors.inverse_entries([0], [0])
    with pytest.raises(overlapack.BadPlan, match="compression"):
        overlapack.schur(A, [1], compression="blr")


@pytest.mark.parametrize("dtype", TYPES)
def test_inverse_entries(make_matrix, rng, dtype):
    A = make_matrix(70, dtype)
    inverse = np.linalg.inv(A.toarray())
    rows, cols = rng.integers(0, 70, 100), rng.integers(0, 70, 100)
    for B, wanted in ((A, inverse), (A + A.T, np.linalg.inv((A + A.T).toarray()))):
        factors = overlapack.factorize(B, ranks=2)
        found = factors.inverse_entries(rows, cols)
        assert abs(found - wanted[rows, cols]).max() <= tolerance(70, dtype) * abs(wanted).max()
        diagonal = factors.inverse_entries(range(70), range(70))
        assert abs(diagonal - np.diag(wanted)).max() <= tolerance(70, dtype) * abs(wanted).max()
    with pytest.raises(overlapack.BadInput, match="70"):
        factors.inverse_entries([0, 70], [1, 1])
    with pytest.raises(overlapack.Singular):
        overlapack.factorize(ring(8), null_pivots=True).inverse_entries([0], [0])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("ranks", [1, 3])
def test_schur(make_matrix, rng, dtype, ranks):
    n = 60
    variables = rng.permutation(n)[:13]
    others = np.setdiff1d(np.arange(n), variables)
    M = make_matrix(n, dtype)
    for A in (M, sparse.csc_array(M + M.T)):
        dense = A.toarray()
        S = overlapack.schur(A, variables, ranks=ranks)
        ii, iv, vi, vv = (dense[np.ix_(r, c)] for r in (others, variables) for c in (others, variables))
        wanted = vv - vi @ np.linalg.solve(ii, iv)
        assert abs(S.matrix - wanted).max() <= tolerance(n, dtype) * abs(wanted).max()
        for b in (rng.standard_normal(n).astype(dtype), rng.standard_normal((n, 3)).astype(dtype)):
            x = S.expand(b, np.linalg.solve(S.matrix, S.condense(b)))
            assert x.shape == b.shape
            assert abs(dense @ x - b).max() <= tolerance(n, dtype) * abs(dense).max() * max(abs(x).max(), 1)
    for bad in ([], [0, 0], [n], list(range(n))):
        with pytest.raises(overlapack.BadInput):
            overlapack.schur(A, bad)
    for refused in ({"null_pivots": True}, {"precision": "mixed"}, {"perturbation": 1e-8}, {"method": "supernodal"}):
        with pytest.raises(overlapack.BadPlan, match="Schur complement"):
            overlapack.schur(A, variables, **refused)


@pytest.mark.parametrize("ranks", [1, 2])
def test_schur_warns_where_the_others_are_nearly_singular(rng, ranks):
    # regular in all, but the part of the first 14 unknowns has the condition 1e14
    U, V = (np.linalg.qr(rng.standard_normal((14, 14)))[0] for _ in range(2))
    A = rng.standard_normal((16, 16))
    A[:14, :14] = U @ np.diag([1] * 13 + [1e-14]) @ V
    b = A.sum(axis=1)
    with pytest.warns(overlapack.IllConditionedWarning, match="the Schur complement may be far off; choose other variables"):
        S = overlapack.schur(sparse.csc_array(A), [14, 15], ranks=ranks)
    assert S.report.status == "ill_conditioned"
    with pytest.warns(overlapack.IllConditionedWarning, match="condensed right-hand side may be far off; choose other"):
        reduced = S.condense(b)
    with pytest.warns(overlapack.IllConditionedWarning, match="so that x may be far off; choose other"):
        S.expand(b, np.linalg.solve(S.matrix, reduced))
    other = overlapack.schur(sparse.csc_array(A), [0, 1], ranks=ranks)
    assert other.report.status == "ok"
    x = other.expand(b, np.linalg.solve(other.matrix, other.condense(b)))
    assert abs(x - 1).max() < 1e-9


def test_sparse_right_hand_sides(make_matrix, rng, assert_solves):
    A = make_matrix(80)
    b = sparse.random_array((80, 5), density=0.02, rng=rng, format="csc")
    assert_solves(A, overlapack.factorize(A, ranks=2).solve(b), b.toarray())


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_mixed_precision(make_matrix, rng, assert_solves, dtype):
    A = make_matrix(60, dtype)
    for B in (A, sparse.csc_array(A + A.T)):
        factors = overlapack.factorize(B, precision="mixed", ranks=2)
        b = rng.standard_normal((60, 2)).astype(dtype)
        assert_solves(B, factors.solve(b), b)
        assert_solves(B.T, factors.solve(b, "T"), b)
        assert factors.report.precision == ("float32" if dtype == np.float64 else "complex64")
        factors.refactorize(sparse.csc_array(B * 3))
        assert_solves(B * 3, factors.solve(b), b)
        assert factors.report.precision == ("float32" if dtype == np.float64 else "complex64")
        assert factors.slogdet()[1] == pytest.approx(np.linalg.slogdet(3 * B.toarray())[1])


def test_mixed_precision_falls_back_to_double_and_says_so(rng, make_matrix, assert_solves):
    hilbert = 1 / (np.arange(9)[:, None] + np.arange(9) + 1)  # condition 5e11: refinement in single cannot converge
    b = rng.standard_normal(9)
    x, report = overlapack.solve(sparse.csc_array(hilbert), b, precision="mixed", report=True)
    assert report.precision == "float64" and report.status == "ok"
    A = make_matrix(20) * 1e60  # beyond single precision
    b = rng.standard_normal(20)
    factors = overlapack.factorize(A, precision="mixed")
    assert factors.report.precision == "float64"
    assert_solves(A, factors.solve(b), b)
    with pytest.raises(overlapack.BadPlan, match="single"):
        overlapack.factorize(make_matrix(5, np.float32), precision="mixed")


@pytest.mark.parametrize("dtype", TYPES)
def test_ruiz_scaling(make_matrix, rng, dtype):
    D = sparse.diags_array(2.0 ** rng.integers(-20, 20, 50).astype(float)).tocsc()
    A = make_matrix(50, dtype)
    for B in (A, sparse.csc_array(A + A.T)):
        C = (D @ B @ D).astype(dtype)
        factors = overlapack.factorize(C, scaling="ruiz", matching="off", ranks=2)
        assert (factors.report.scaling, factors.report.matching) == ("ruiz", "off")
        b = D @ rng.standard_normal(50)
        factors.solve(b.astype(dtype))
        assert factors.report.status == "ok"
    assert overlapack.factorize(A, matching="on").report.scaling == "matching"
    assert overlapack.factorize(A, matching="on", scaling="off").report.scaling == "off"


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("ranks", [1, 3])
def test_factors_from_a_file(make_matrix, rng, assert_solves, tmp_path, dtype, ranks):
    A = make_matrix(60, dtype).tocsc()
    for B in (A, sparse.csc_array(A + A.T)):
        factors = overlapack.factorize(B, ranks=ranks, matching="on")
        path = tmp_path / "factors"
        factors.save(path)
        loaded = overlapack.load_factors(path)
        assert loaded.dtype == dtype and loaded.shape == B.shape
        b = rng.standard_normal((60, 2)).astype(dtype)
        for trans in "NTC":
            np.testing.assert_array_equal(loaded.solve(b, trans), factors.solve(b, trans))
        assert loaded.slogdet() == factors.slogdet()
        for field in ("factor_nnz", "ranks", "ordering", "matching", "symmetry", "nnz", "fronts", "numerical_rank"):
            assert loaded.report[field] == factors.report[field]
        loaded.refactorize(B * 2)
        assert_solves(B * 2, loaded.solve(b), b)
        with pytest.raises(overlapack.BadInput, match=f"{ranks} ranks"):
            overlapack.load_factors(path, ranks=ranks + 1)


def test_options_of_the_analysis_are_not_read_with_factors_of_a_file(make_matrix, tmp_path):
    path = tmp_path / "factors"
    options = {"ordering": "amd", "matching": "off", "method": "multifrontal"}
    overlapack.factorize(make_matrix(40), **options).save(path)
    assert overlapack.load_factors(path, **options).report.unused_options == ""  # as they were made
    with pytest.warns(overlapack.UnusedOptionWarning, match="ordering, scaling"):
        assert overlapack.load_factors(path, ordering="metis", scaling="ruiz").report.unused_options == "ordering, scaling"


def test_damaged_files_are_refused(make_matrix, tmp_path):
    path = tmp_path / "factors"
    overlapack.factorize(make_matrix(40), ranks=2).save(path)
    good = path.read_bytes()
    cut = [good[:size] for size in (0, 7, 20, 23, 24, 30, 60, len(good) // 2, len(good) - 1)]
    flipped = [good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :] for at in (0, 8, 12, 16, 20, 24, 40, 500, len(good) // 2, len(good) - 9)]
    for bad in [*cut, *flipped, b"something else" * 10]:
        path.write_bytes(bad)
        with pytest.raises(overlapack.BadInput, match="factors"):
            overlapack.load_factors(path)
    with pytest.raises(overlapack.BadInput, match="cannot be read"):
        overlapack.load_factors(tmp_path / "missing")
    with pytest.raises(overlapack.BadInput):
        overlapack.factorize(make_matrix(5)).save(tmp_path / "no" / "folder")


def test_a_claim_of_positive_definiteness_that_fails_names_the_variable(make_matrix):
    A = make_matrix(40)
    A = sparse.csc_array(A + A.T).tolil()
    A[17, 17] = -50
    with pytest.raises(overlapack.BadInput, match=r"variable \d+"):
        overlapack.factorize(A.tocsc(), factorization="cholesky", ranks=2)
    diagonal = np.ones(40)
    diagonal[17] = -1
    with pytest.raises(overlapack.BadInput, match="variable 17 "):
        overlapack.factorize(np.diag(diagonal), factorization="cholesky")


def parts_of(A, count, seed=1):
    """The entries of A, each in a random part; in three parts or more the second one stays empty."""
    A = A.tocoo()
    rng = np.random.default_rng(seed)
    owner = rng.integers(0, count, A.nnz)
    if count > 2:
        owner[owner == 1] = 0
    return [sparse.coo_array((A.data[owner == r], (A.row[owner == r], A.col[owner == r])), shape=A.shape) for r in range(count)]


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("ranks", [1, 3, 4])
def test_distributed_entries(dtype, ranks):
    rng = np.random.default_rng(3)
    A = (sparse.random_array((80, 80), density=0.05, rng=rng) + 4 * sparse.eye_array(80)).astype(dtype)
    if A.dtype.kind == "c":
        A = A + 1j * A.T
    A = A.astype(dtype).tocsc()
    b = rng.uniform(-1, 1, (80, 3)).astype(dtype)
    whole = overlapack.factorize(A, ranks=ranks, method="multifrontal")
    factors = overlapack.factorize(parts_of(A, ranks), distributed=True, ranks=ranks)
    x = whole.solve(b)
    assert np.array_equal(factors.solve(b), x)
    order = rng.permutation(80)
    blocks, rows = factors.solve_part(b[order], order)
    assert np.array_equal(blocks, x[rows]) and sorted(rows) == list(range(80))
    named, rows = factors.solve_part(b[order, 0], order, wanted=[7, 3, 7])
    assert np.array_equal(named, whole.solve(b[:, 0])[[7, 3, 7]]) and list(rows) == [7, 3, 7]
    everywhere, rows = factors.solve_part(b, np.arange(80), wanted="all", trans="T")
    assert np.array_equal(everywhere, whole.solve(b, "T"))
    factors.refactorize(parts_of(2 * A, ranks, seed=5))
    assert np.allclose(2 * factors.solve(b), x, rtol=0, atol=1e3 * np.finfo(dtype).eps * abs(x).max())
    assert np.array_equal(overlapack.solve(parts_of(A, ranks), b, distributed=True, ranks=ranks), x)
    if ranks > 1:
        assert factors.report.most_entries_of_rank < A.nnz


def test_distributed_input_that_is_wrong():
    A = sparse.eye_array(5).tocoo()
    factors = overlapack.factorize([A], distributed=True, ranks=1)
    with pytest.raises(overlapack.BadInput, match="given by no rank"):
        factors.solve_part(np.ones(4), [0, 1, 2, 3])
    with pytest.raises(overlapack.BadInput, match="twice|give each row once"):
        factors.solve_part(np.ones(6), [0, 1, 2, 3, 4, 4])
    with pytest.raises(overlapack.BadPlan, match="blocks"):
        factors.solve_part(np.ones(5), np.arange(5), wanted="somewhere")
    with pytest.raises(overlapack.BadInput, match="whole matrix"):
        overlapack.factorize([A, sparse.eye_array(4)], distributed=True)
    with pytest.raises(overlapack.BadInput, match="SciPy sparse"):
        overlapack.factorize(np.eye(5), distributed=True)
    with pytest.raises(overlapack.BadPlan, match="factorize_distributed"):
        factors.save("nowhere")


def reducible(rng, dtype=np.float64):
    """Four blocks of a band each, coupled one way, rows and columns shuffled."""
    blocks = [sparse.diags_array([rng.uniform(1, 2, n), 4 + rng.uniform(0, 1, n), rng.uniform(1, 2, n)], offsets=[-1, 0, 1],
                                 shape=(n, n)) for n in (1, 20, 7, 30)]
    A = sparse.lil_array(sparse.block_diag(blocks))
    A[0, 10] = A[5, 25] = A[22, 50] = 3
    A = sparse.csc_array(A)[rng.permutation(58)][:, rng.permutation(58)].astype(dtype)
    return A * (1 + 1j) if np.dtype(dtype).kind == "c" else A


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize("method", ["auto", "block_triangular"])
def test_block_triangular_form(rng, assert_solves, tmp_path, dtype, ranks, method):
    A = reducible(rng, dtype)
    factors = overlapack.factorize(A, ranks=ranks, method=method)
    report = factors.report
    assert (report.method, report.diagonal_blocks, report.column_blocks, report.largest_block) == ("block_triangular", 4, 4, 30)
    B = rng.standard_normal((58, 3)).astype(dtype)
    for op, matrix in (("N", A), ("T", A.T), ("C", A.conj().T)):
        assert_solves(matrix, factors.solve(B, op), B)
    sign, log = np.linalg.slogdet(A.toarray())
    assert abs(factors.slogdet()[0] - sign) < tolerance(58, dtype)
    assert factors.slogdet()[1] == pytest.approx(log, rel=float(tolerance(58, dtype)))
    factors.refactorize(A * 3)
    assert_solves(A * 3, factors.solve(B), B)
    factors.save(tmp_path / "f")
    loaded = overlapack.load_factors(tmp_path / "f")
    assert_solves(A.T * 3, loaded.solve(B, "T"), B)
    assert loaded.report.method == "block_triangular" and loaded.report.diagonal_blocks == 4
    loaded.refactorize(A)
    assert_solves(A, loaded.solve(B), B)
    inverse = np.linalg.inv(A.toarray())
    found = loaded.inverse_entries([3, 17], [40, 2])
    assert np.allclose(found, inverse[[3, 17], [40, 2]], atol=tolerance(58, dtype) * np.abs(inverse).max())
    assert 1 / loaded.rcond() == pytest.approx(np.linalg.cond(A.toarray(), 1), rel=2)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("ranks", [1, 3])
def test_symmetric_columns(rng, assert_solves, tmp_path, dtype, ranks):
    A = reducible(rng, dtype)
    n = 2 * A.shape[0]
    K = sparse.csc_array(sparse.block_array([[None, A], [A.T, sparse.eye_array(A.shape[0], dtype=dtype)]]))
    factors = overlapack.factorize(K, ranks=ranks, method="block_triangular", factorization="ldlt")
    report = factors.report
    assert (report.method, report.diagonal_blocks, report.fronts) == ("block_triangular", 1, 0)
    B = rng.standard_normal((n, 3)).astype(dtype)
    for op, matrix in (("N", K), ("T", K.T), ("C", K.conj().T)):
        assert_solves(matrix, factors.solve(B, op), B)
    sign, log = np.linalg.slogdet(K.toarray())
    assert abs(factors.slogdet()[0] - sign) < tolerance(n, dtype)
    assert factors.slogdet()[1] == pytest.approx(log, rel=float(tolerance(n, dtype)))
    if np.dtype(dtype).kind == "f":
        assert tuple(factors.inertia()) == (58, 58, 0)
    factors.refactorize(K * 3)
    assert_solves(K * 3, factors.solve(B), B)
    factors.save(tmp_path / "f")
    loaded = overlapack.load_factors(tmp_path / "f")
    assert_solves(K * 3, loaded.solve(B), B)
    assert 1 / loaded.rcond() == pytest.approx(np.linalg.cond((K * 3).toarray(), 1), rel=2)


def test_low_fill_goes_column_by_column(rng):
    n = 3000
    A = sparse.diags_array([np.ones(n - 1), rng.standard_normal(n), np.ones(n - 1)], offsets=[-1, 0, 1])
    factors = overlapack.factorize(A)
    assert (factors.report.method, factors.report.factorization) == ("block_triangular", "ldlt")
    assert "column by column" in factors.report.choice
    by_fronts = overlapack.factorize(A, method="multifrontal")
    assert factors.inertia() == by_fronts.inertia()
    assert abs(A @ factors.solve(np.ones(n)) - 1).max() < 1e-9
    assert overlapack.factorize(A, null_pivots=True).report.method == "multifrontal"
    assert overlapack.factorize(A, perturbation=1e-8).report.method == "multifrontal"


def test_block_triangular_form_refuses_what_it_is_not_for(rng):
    A = reducible(rng)
    with pytest.raises(overlapack.BadPlan, match="null_pivots"):
        overlapack.factorize(A, method="block_triangular", null_pivots=True)
    with pytest.raises(overlapack.BadPlan, match="cholesky"):
        overlapack.factorize(A + A.T, method="block_triangular", factorization="cholesky")
    for refused, value in (("null_pivots", True), ("perturbation", 1e-8)):
        with pytest.raises(overlapack.BadPlan, match=refused):
            overlapack.factorize(A + A.T, method="block_triangular", factorization="ldlt", **{refused: value})
    assert overlapack.factorize(A, null_pivots=True).report.method == "multifrontal"
    assert overlapack.factorize(A, method="multifrontal").report.diagonal_blocks == 0
    assert overlapack.factorize(A + A.T, method="block_triangular").report.factorization == "lu"
    x = overlapack.solve(A, np.ones(58), precision="mixed")
    assert abs(A @ x - 1).max() < tolerance(58, np.float64)


def test_structurally_singular_matrices_name_their_parts():
    A = sparse.csc_array(np.array([[1.0, 1, 1, 0], [0, 0, 0, 2], [0, 0, 0, 3], [1, 1, 0, 1]]))
    with pytest.raises(overlapack.Singular, match=r"rank is 3 of 4, since 3 columns \(0 is the first, from 0\) have entries in no more "
                                                  r"than 2 rows, and 2 rows \(1 is the first, from 0\) have entries in no more than 1 column;"):
        overlapack.factorize(A)
    explicit = sparse.csc_array((np.array([1.0, 0.0]), (np.array([0, 1]), np.array([0, 1]))), (2, 2))
    with pytest.raises(overlapack.Singular, match=r"since column 1 \(from 0\) has no entry but zeros, and row 1 \(from 0\) has no entry but"):
        overlapack.factorize(explicit)
    A = sparse.csc_array(np.array([[1.0, 0, 2], [3, 0, 1], [1, 0, 1]]))
    with pytest.raises(overlapack.Singular, match=r"since column 1 \(from 0\) has no entry but zeros; remove"):
        overlapack.factorize(A)


def test_a_pivot_that_is_zero_is_no_condition_and_no_factor():
    factors = overlapack.factorize(sparse.csc_array(np.ones((2, 2))), factorization="lu")
    assert factors.rcond() == 0 and factors.det() == 0
    with pytest.raises(overlapack.Singular, match="replaced"):
        factors.triangular_factors()
    with pytest.warns(overlapack.SingularWarning, match=r"The system of column 1 \(from 0\) has no solution"):
        x = factors.solve(np.array([[1.0, 1.0], [1.0, 2.0]]))
    assert factors.report.status == "singular" and factors.report.unsolved_columns == 1
    assert np.isnan(x[:, 1]).all() and abs(x[:, 0].sum() - 1) < 1e-15


def test_a_root_in_blocks_with_zeros_is_singular():
    A = np.ones((800, 800))
    options = {"method": "multifrontal", "factorization": "lu", "compression": "blr"}
    for ranks in (1, 2):
        with pytest.raises(overlapack.Singular):
            overlapack.factorize(sparse.csc_array(A), ranks=ranks, **options)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("ranks", [1, 2])
def test_cholesky_without_imaginary_parts(rng, assert_solves, dtype, ranks):
    K = sparse.csc_array(ring(30) + sparse.eye_array(30)).astype(dtype)
    B = K.copy()
    B[0, 1], B[1, 0] = -1 + 0.25j, -1 - 0.25j
    b = rng.standard_normal(30).astype(dtype)
    factors = overlapack.factorize(K, factorization="cholesky", ranks=ranks)
    assert factors.report.factorization == "cholesky" and factors.inertia() == (30, 0, 0)
    assert_solves(K, factors.solve(b), b)
    assert_solves(B, factors.refactorize(B).solve(b), b)
    with pytest.raises(overlapack.BadPlan, match="factorise its real part"):
        overlapack.factorize(K, ranks=ranks).inertia()


@pytest.mark.parametrize("method", ["dense", "multifrontal", "supernodal", "block_triangular"])
def test_no_right_hand_side_hides_another_x_that_is_far_off(method):
    """All pivots are 1, the condition number is 3e19. What tells nothing of A: zero, and an x that is right."""
    n = 60
    U = np.triu(-np.ones((n, n)), 1) + np.eye(n)
    b, zero, easy = U @ np.ones(n), np.zeros(n), np.eye(n)[0]

    def factors():
        return overlapack.lu_factor(U) if method == "dense" else overlapack.factorize(sparse.csc_array(U), method=method)

    for first in (zero, easy):
        made = factors()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made.solve(first)
        for _ in range(2):
            with pytest.warns(overlapack.IllConditionedWarning):
                made.solve(b)
        for columns in (np.c_[first, b], np.c_[b, first]):
            with pytest.warns(overlapack.IllConditionedWarning):
                factors().solve(columns)


def test_determinant_of_a_singular_matrix_by_nodes_is_zero(rng):
    A = sparse.csc_array(1e10 * np.array([[1.0, 2.0], [2.0, 4.0]]))
    assert overlapack.factorize(A, method="supernodal").det() == 0
    dense = sparse.random_array((200, 200), density=0.05, rng=1).toarray() + np.diag(rng.uniform(1, 2, 200))
    dense[7] = 2 * dense[3] + dense[5]
    assert overlapack.factorize(sparse.csc_array(dense), method="supernodal").slogdet() == (0, -np.inf)


def test_a_test_of_A_tells_nothing_of_its_transpose():
    """|A^-1| times the largest entries of rows is harmless, |A^-T| times those of columns is not."""
    A = sparse.lil_array(sparse.eye_array(20))
    A[1, 0] = A[1, 1] = 1e15
    b = np.zeros(20)
    b[:2] = 0.1, 0.1 * (1 + 3e-15)
    factors = overlapack.factorize(sparse.csc_array(A))
    factors.solve(np.ones(20))
    with pytest.warns(overlapack.IllConditionedWarning):
        factors.solve(b, trans="T")


@pytest.mark.parametrize("method", ["multifrontal", "block_triangular"])
def test_what_a_matrix_that_is_proved_singular_has_not(rng, method):
    """The Laplacian of a graph with integer weights: its last pivot is rounding, not zero."""
    found = 0
    for _ in range(20):
        W = np.triu(rng.integers(1, 9, (12, 12)), 1)
        W = W + W.T
        L = np.diag(W.sum(axis=0)) - W
        factors = overlapack.factorize(sparse.csc_array(L * 1.0), method=method)
        if factors.report.pivots["zero"] or factors.report.pivots["rounding"] == 0:
            continue
        found += 1
        assert factors.det() == 0 and factors.rcond() == 0
        with pytest.raises(overlapack.Singular):
            factors.half()
    assert found > 0


def test_inertia_and_rank_are_those_of_the_working_precision():
    n = 30
    line = sparse.diags_array([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], offsets=[-1, 0, 1])
    A = sparse.kronsum(line, line, format="csc")
    least = 8 * np.sin(np.pi / (2 * (n + 1))) ** 2
    shifted = sparse.csc_array(A - (least + 1e-7) * sparse.eye_array(n * n))
    for precision in ("working", "mixed"):
        assert overlapack.factorize(shifted, precision=precision).inertia() == (n * n - 1, 1, 0)
    Q = np.linalg.qr(np.random.default_rng(1).standard_normal((20, 20)))[0]
    S = sparse.csc_array(Q @ np.diag(np.r_[np.ones(18), 1e-6, 0]) @ Q.T)
    factors = overlapack.factorize(sparse.csc_array((S + S.T) / 2), null_pivots=True, precision="mixed")
    assert factors.report.numerical_rank == 19 and factors.null_space().shape == (20, 1)


def test_factors_in_single_precision_stay_when_full_ones_are_cancelled(make_matrix, rng, assert_solves):
    A = sparse.csc_array(make_matrix(60, np.float64))
    stop = False
    factors = overlapack.factorize(A, precision="mixed", progress=lambda phase, share: stop)
    b = rng.standard_normal(60)
    assert_solves(A, factors.solve(b), b)
    stop = True
    with pytest.raises(overlapack.Cancelled):
        factors.det()
    stop = False
    assert_solves(A, factors.solve(b), b)
    assert factors.det() != 0


def test_files_keep_what_becomes_of_small_pivots(tmp_path, rng):
    K = sparse.lil_array(sparse.block_array([[sparse.eye_array(6), None], [None, -sparse.eye_array(3)]]))
    K[0, 7] = K[7, 0] = 0.3
    K = K.tocsc()
    path = tmp_path / "factors"
    overlapack.factorize(K, factorization="quasidefinite", regularization=1e-2).save(path)
    loaded = overlapack.load_factors(path)
    for ask in (loaded.inverse_diagonal, loaded.half):
        with pytest.raises(overlapack.BadPlan):
            ask()
    with pytest.raises(overlapack.BadPlan, match="leave it out"):
        overlapack.load_factors(path, regularization=1e-3)
    S = sparse.csc_array(ring(30))
    overlapack.factorize(S, null_pivots=True).save(path)
    assert overlapack.load_factors(path).refactorize(2 * S).inertia() == (29, 0, 1)
