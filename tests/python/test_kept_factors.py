"""The factors that overlapack.jax and overlapack.torch keep, asked directly; and these modules where their package is missing."""
import multiprocessing
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import overlapack
from overlapack import _core, _kept_factors

TYPES = (np.float32, np.float64, np.complex64, np.complex128)


@pytest.fixture(autouse=True)
def no_other_factors():
    _kept_factors.clear_cache()
    yield
    _kept_factors.clear_cache()
    _kept_factors.set_cache_limit(1 << 30)


def entries(A, index=np.int32):
    """n, row, col, data of a sparse matrix in an order of its own."""
    given = A.tocoo()
    order = np.random.default_rng(3).permutation(given.nnz)
    return A.shape[0], given.row[order].astype(index), given.col[order].astype(index), np.ascontiguousarray(given.data[order])


def solve(A, b, op=0, options="{}", raises=False, index=np.int32):
    n, row, col, data = entries(A, index)
    sides = np.ascontiguousarray(np.asarray(b, dtype=data.dtype).reshape(n, -1).T)
    x = _core.kept_solve(n, row, col, data, 1, sides.ravel(), sides.shape[0], op, options, raises)
    return x.reshape(sides.shape).T.reshape(np.shape(b))


def counted(work):
    """What the work adds to the figures."""
    before = _kept_factors.cache_info()
    work()
    return {name: number - before[name] for name, number in _kept_factors.cache_info().items()}


@pytest.mark.parametrize("index", (np.int32, np.int64))
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("op", (0, 1, 2))
def test_solutions_in_all_types(make_matrix, assert_solves, rng, dtype, op, index):
    A = make_matrix(37, dtype)
    b = rng.standard_normal((37, 3)).astype(dtype)
    assert_solves({0: A, 1: A.T, 2: A.conj().T}[op].tocsr(), solve(A, b, op, index=index), b)


@pytest.mark.parametrize("n", (0, 1))
def test_the_smallest_orders(n):
    row = np.arange(n, dtype=np.int32)
    assert np.array_equal(_core.kept_solve(n, row, row, np.full(n, 4.0), 1, np.full(n, 2.0), 1, 0, "{}", False), np.full(n, 0.5))
    sign, logarithm = _core.kept_slogdet(n, row, row, np.full(n, 4.0), 1, "{}", False)
    assert sign[0] == 1 and abs(logarithm[0] - n * np.log(4)) < 1e-15
    assert np.array_equal(_core.kept_inverse(n, row, row, np.full(n, 4.0), 1, "{}", False), np.full(n, 0.25))


def test_entries_at_one_position_are_summed_and_those_at_n_n_left_out():
    row, col = np.array([1, 0, 0, 2, 0], dtype=np.int32), np.array([1, 0, 0, 2, 1], dtype=np.int32)
    data = np.array([2.0, 1.0, 3.0, 9.0, 1.0])
    assert np.allclose(_core.kept_solve(2, row, col, data, 1, np.array([5.0, 2.0]), 1, 0, "{}", False), [1, 1], atol=1e-15)
    inverse = _core.kept_inverse(2, row, col, data, 1, "{}", False)
    assert np.allclose(inverse, [0.5, 0.25, 0.25, 0, 0], atol=1e-15)  # A^-1 at (1, 0) is 0


@pytest.mark.parametrize("position", ((0, -1), (2, 0), (2, 1), (1, 2)))
def test_positions_outside_are_errors(position):
    row, col = np.array([0, 1, position[0]], dtype=np.int32), np.array([0, 1, position[1]], dtype=np.int32)
    with pytest.raises(overlapack.BadInput, match=rf"entry 2 of A is at \({position[0]}, {position[1]}\)"):
        _core.kept_solve(2, row, col, np.ones(3), 1, np.ones(2), 1, 0, "{}", False)


@pytest.mark.parametrize("dtype", TYPES)
def test_determinants_and_inverses(make_matrix, dtype):
    A = make_matrix(31, dtype)
    n, row, col, data = entries(A)
    sign, logarithm = _core.kept_slogdet(n, row, col, data, 1, "{}", False)
    wanted = np.linalg.slogdet(A.toarray().astype(np.complex128 if data.dtype.kind == "c" else np.float64))
    bound = 100 * n * np.finfo(dtype).eps
    assert abs(sign[0] - wanted[0]) <= bound and abs(logarithm[0] - wanted[1]) <= bound * abs(wanted[1])
    inverse = np.linalg.inv(A.toarray().astype(wanted[0].dtype))
    found = _core.kept_inverse(n, row, col, data, 1, "{}", False)
    assert abs(found - inverse[col, row]).max() <= bound * abs(inverse).max()


def test_second_questions_find_the_factors(make_matrix, rng):
    A, b = make_matrix(40), rng.standard_normal(40)
    n, row, col, data = entries(A)

    def ask():
        solve(A, b)
        solve(A, b, op=1)
        _core.kept_slogdet(n, row, col, data, 1, "{}", False)
        _core.kept_inverse(n, row, col, data, 1, "{}", False)

    found = counted(ask)
    assert (found["misses"], found["hits"]) == (1, 3)


def test_other_bits_options_or_positions_are_other_matrices(make_matrix, rng):
    A, b = make_matrix(40), rng.standard_normal(40)
    solve(A, b)
    near = A.copy()
    near.data[0] = np.nextafter(near.data[0], 10)
    assert counted(lambda: solve(near, b))["misses"] == 1
    assert counted(lambda: solve(A, b, options='{"ordering": "amd"}'))["misses"] == 1
    assert counted(lambda: solve(A.T.tocsr(), b))["misses"] == 1
    assert counted(lambda: solve(A, b, index=np.int64))["misses"] == 1


def test_bits_do_not_depend_on_what_was_asked_before(make_matrix, rng):
    A, b = make_matrix(60), rng.standard_normal(60)
    alone = solve(A, b)
    _kept_factors.clear_cache()
    for k in range(5):  # values of this pattern that other pivots are right for
        other = A.copy()
        other.data *= rng.standard_normal(A.nnz) * 10.0 ** rng.integers(-3, 3, A.nnz)
        solve(other, b)
    assert np.array_equal(solve(A, b), alone)


def test_the_oldest_go_first_and_bytes_stay_below_the_limit(make_matrix, rng):
    matrices, b = [make_matrix(50) for _ in range(4)], rng.standard_normal(50)
    solve(matrices[0], b)
    _kept_factors.set_cache_limit(3.5 * _kept_factors.cache_info()["bytes"])
    for A in matrices[1:3]:
        solve(A, b)
    solve(matrices[0], b)  # now the newest
    solve(matrices[3], b)
    info = _kept_factors.cache_info()
    assert 0 < info["bytes"] <= info["limit_bytes"] and info["entries"] < 4
    assert counted(lambda: solve(matrices[0], b))["hits"] == 1
    assert counted(lambda: solve(matrices[1], b))["misses"] == 1
    _kept_factors.set_cache_limit(0)
    assert _kept_factors.cache_info()["entries"] == 0 and _kept_factors.cache_info()["bytes"] == 0
    assert [counted(lambda: solve(matrices[0], b))["misses"] for _ in range(2)] == [1, 1]


def test_one_above_the_limit_goes_alone(make_matrix, rng):
    small, large = make_matrix(10), make_matrix(400)
    solve(small, rng.standard_normal((1, 1, 10)))
    _kept_factors.set_cache_limit(1.5 * _kept_factors.cache_info()["bytes"])
    solve(large, rng.standard_normal((1, 1, 400)))
    before = _kept_factors.cache_info()
    solve(small, rng.standard_normal((1, 1, 10)))
    after = _kept_factors.cache_info()
    assert (before["entries"], after["hits"] - before["hits"]) == (1, 1)


def entries_of_a_child(A):
    before = _kept_factors.cache_info()["entries"]
    x = solve(A, np.ones((1, 1, A.shape[0])))
    return before, _kept_factors.cache_info()["entries"], bool(np.isfinite(x).all())


@pytest.mark.skipif("libtsan" in os.environ.get("LD_PRELOAD", ""), reason="the thread sanitizer does not support new threads in a forked child")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Python 3.12 warns of forks beside threads
def test_a_forked_child_begins_anew(make_matrix):
    A = make_matrix(30)
    solve(A, np.ones((1, 1, 30)))
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(entries_of_a_child, (A,)).get(timeout=120) == (0, 1, True)


def test_a_limit_below_0_is_refused():
    with pytest.raises(overlapack.BadPlan, match="from 0 on"):
        _kept_factors.set_cache_limit(-1)


def test_what_has_no_answer_is_nan_or_an_error():
    row = np.arange(2, dtype=np.int32)
    singular, bad, good, b = np.array([1.0, 0.0]), np.array([np.nan, 1.0]), np.array([2.0, 4.0]), np.array([2.0, 4.0])

    def ask(data, b, raises):
        return _core.kept_solve(2, row, row, data, 1, b, b.size // 2, 0, "{}", raises)

    for data in (singular, bad):
        assert np.isnan(ask(data, b, False)).all()
        assert np.isnan(_core.kept_inverse(2, row, row, data, 1, "{}", False)).all()
    assert np.array_equal(_core.kept_slogdet(2, row, row, singular, 1, "{}", False), [[0], [-np.inf]])
    assert np.array_equal(_core.kept_slogdet(2, row, row, singular, 1, "{}", True), [[0], [-np.inf]])
    assert np.isnan(_core.kept_slogdet(2, row, row, bad, 1, "{}", False)).all()
    assert np.array_equal(ask(good, np.array([1.0, np.inf, 2.0, 4.0]), False), [np.nan, np.nan, 1, 1], equal_nan=True)  # each side by itself
    assert _kept_factors.cache_info()["entries"] == 1  # what has no factors is not kept
    with pytest.raises(overlapack.Singular):
        ask(singular, b, True)
    with pytest.raises(overlapack.BadInput, match="value of A is NaN"):
        ask(bad, b, True)
    with pytest.raises(overlapack.BadInput, match="right-hand side 0"):
        ask(good, np.array([1.0, np.inf]), True)


@pytest.mark.parametrize("raises", (False, True))
def test_what_is_finite_has_an_answer_though_its_modulus_is_not(raises):
    row, large = np.arange(2, dtype=np.int32), 1.5e308 * (1 + 1j)
    for data, b, x in ((np.array([4, 2 + 0j]), np.array([large, 1]), [large / 4, 0.5]),
                       (np.array([large, 2]), np.array([1e308, 1 + 0j]), [(1 - 1j) / 3, 0.5])):
        assert np.allclose(_core.kept_solve(2, row, row, data, 1, b, 1, 0, "{}", raises), x, rtol=1e-15, atol=0)


def test_several_systems_of_one_pattern(make_matrix, rng):
    A = make_matrix(30)
    n, row, col, data = entries(A)
    many = data * rng.uniform(0.5, 2, (5, data.size))
    many[2] = 0
    many[3, 4] = np.nan
    b = rng.standard_normal((5, 2, n))
    x = _core.kept_solve(n, row, col, many.ravel(), 5, b.ravel(), 2, 1, "{}", False).reshape(b.shape)
    for k in range(5):
        if k in (2, 3):
            assert np.isnan(x[k]).all()
            continue
        dense = np.zeros((n, n))
        dense[row, col] = many[k]
        assert np.allclose(dense.T @ x[k].T, b[k].T, atol=1e-12)
    with pytest.raises(overlapack.Error, match=r"system 2 \(from 0\) has no solution"):
        _core.kept_solve(n, row, col, many.ravel(), 5, b.ravel(), 2, 1, "{}", True)
    sign, logarithm = _core.kept_slogdet(n, row, col, many.ravel(), 5, "{}", False)
    assert sign[2] == 0 and np.isnan(sign[3]) and np.isfinite(logarithm[[0, 1, 4]]).all()


def test_threads_that_ask_for_the_same_and_for_others(make_matrix, rng):
    matrices, b = [make_matrix(200) for _ in range(3)], rng.standard_normal(200)
    alone = [solve(A, b) for A in matrices]
    _kept_factors.clear_cache()
    found, failures = [[] for _ in range(8)], []

    def work(k):
        try:
            for turn in range(6):
                which = (k + turn) % 3
                found[k].append(np.array_equal(solve(matrices[which], b), alone[which]))
        except Exception as error:  # shown by the assertion
            failures.append(error)

    def ask():
        threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        [thread.start() for thread in threads]
        [thread.join(timeout=120) for thread in threads]

    figures = counted(ask)
    assert not failures and all(len(f) == 6 and all(f) for f in found)
    assert (figures["misses"], figures["hits"]) == (3, 45)  # one thread factorises, the others wait


def test_solves_that_no_warning_can_tell_of_are_counted(rng):
    n = 12
    hilbert = 1 / (np.add.outer(np.arange(n), np.arange(n)) + 1.0)
    row, col = (index.ravel().astype(np.int32) for index in np.indices((n, n)))
    found = counted(lambda: _core.kept_solve(n, row, col, hilbert.ravel(), 1, rng.standard_normal(n), 1, 0, "{}", False))
    assert found["ill_conditioned"] + found["inaccurate"] == 1


@pytest.mark.parametrize("options, words", (
    ({"verbose": True}, "cannot be given here"), ({"comm": 1}, "one process"), ({"singular": "always"}, "no gradient"), ({"orderin": "amd"}, "no option"),
    ({"ordering": "best"}, "ordering")))
def test_options_that_are_refused(options, words):
    with pytest.raises(overlapack.BadPlan, match=words):
        _kept_factors.options_text(options)


def test_the_same_options_are_the_same_text():
    assert _kept_factors.options_text({"ranks": 1, "ordering": "amd"}) == _kept_factors.options_text({"ordering": "amd", "threads": 1})


@pytest.mark.parametrize("module, package", (("jax", "JAX"), ("torch", "PyTorch")))
def test_a_missing_package_is_named(module, package):
    code = f"import sys; sys.modules['{module}'] = None\nimport overlapack.{module}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert run.returncode != 0 and f"overlapack.{module} needs {package}, which is not here; pip install {module}" in run.stderr


def test_import_overlapack_imports_neither():
    code = "import sys, overlapack; print([name for name in ('jax', 'jaxlib', 'torch') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300).stdout.strip() == "[]"
