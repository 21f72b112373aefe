"""overlapack.jax beside dense solves and determinants of jax.numpy."""
import shutil
import subprocess
import sys
import threading
from functools import partial

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed")
import jax.numpy as jnp  # noqa: E402
from jax.experimental import sparse as jax_sparse  # noqa: E402
from jax.test_util import check_grads  # noqa: E402

import overlapack.jax as our  # noqa: E402
from overlapack import BadInput, BadPlan, _jax_library  # noqa: E402

jax.config.update("jax_enable_x64", True)

TYPES = (np.float32, np.float64, np.complex64, np.complex128)


def close(found, wanted, dtype=np.float64, factor=1000):
    """Up to rounding: the matrices here have condition numbers below 100."""
    assert found.shape == wanted.shape and found.dtype == wanted.dtype
    assert abs(found - wanted).max() <= factor * np.finfo(dtype).eps * max(1, float(abs(wanted).max()))


@pytest.fixture
def system(make_matrix, rng):
    """(data, indices, indptr), b, and the dense matrix as a function of data."""

    def make(n, dtype=np.float64, sides=None):
        A = make_matrix(n, dtype)
        A.sum_duplicates()
        row = np.repeat(np.arange(n), np.diff(A.indptr))
        b = rng.standard_normal((n,) if sides is None else (n, sides)).astype(dtype)
        if np.dtype(dtype).kind == "c":
            b = b + 1j * rng.standard_normal(b.shape).astype(b.real.dtype)
        return jnp.array(A.data), jnp.array(A.indices), jnp.array(A.indptr), jnp.array(b), lambda data: jnp.zeros((n, n), data.dtype).at[row, A.indices].add(data)

    return make


# ---- Values


@pytest.mark.parametrize("trans", ("N", "T", "H"))
@pytest.mark.parametrize("dtype", TYPES)
def test_solutions(system, dtype, trans):
    data, indices, indptr, b, dense = system(25, dtype, None if trans == "T" else 3)
    A = dense(data)
    close(our.solve((data, indices, indptr), b, trans), jnp.linalg.solve({"N": A, "T": A.T, "H": A.conj().T}[trans], b), dtype)


@pytest.mark.parametrize("form", ("BCOO", "BCSR", "padded BCOO", "padded BCSR", "duplicates"))
def test_matrices_of_jax(system, form):
    data, indices, indptr, b, dense = system(20)
    A = dense(data)
    if form == "duplicates":
        coo = jax_sparse.BCOO.fromdense(A)
        given = jax_sparse.BCOO((jnp.concatenate([coo.data / 4, 3 * coo.data / 4]), jnp.concatenate([coo.indices, coo.indices])), shape=A.shape)
    else:
        kind = jax_sparse.BCOO if "BCOO" in form else jax_sparse.BCSR
        given = kind.fromdense(A, nse=len(data) + (7 if "padded" in form else 0))
    close(our.solve(given, b), jnp.linalg.solve(A, b))
    close(jax.jit(our.solve)(given, b), jnp.linalg.solve(A, b))
    close(our.logdet(given), jnp.linalg.slogdet(A)[1])
    gradient = jax.grad(lambda values: our.solve(jax_sparse.BCOO((values, given.indices), shape=A.shape) if kind_is_coo(given) else
                                                 (values, given.indices, given.indptr), b).sum())(given.data)
    assert jnp.isfinite(gradient).all()
    if "padded" in form:
        assert (gradient[len(data):] == 0).all()


def kind_is_coo(A):
    return isinstance(A, jax_sparse.BCOO)


def test_types_that_meet(system):
    data, indices, indptr, b, dense = system(12)
    whole = jnp.arange(12)
    assert our.solve((data.astype(jnp.float32), indices, indptr), b.astype(jnp.float32)).dtype == jnp.float32
    assert our.solve((data.astype(jnp.float32), indices, indptr), b).dtype == jnp.float64
    assert our.solve((data.astype(jnp.bfloat16), indices, indptr), b.astype(jnp.float16)).dtype == jnp.float32
    assert our.solve(([1, 2], [0, 1], [0, 1, 2]), [3, 4]).dtype == jnp.float64
    close(our.solve((data, indices, indptr), whole), jnp.linalg.solve(dense(data), whole))
    right = b + 1j * b[::-1]
    for columns in (right, jnp.stack([right, 2 * right], axis=1)):
        close(our.solve((data, indices, indptr), columns), jnp.linalg.solve(dense(data), columns))


@pytest.mark.parametrize("n", (0, 1))
def test_the_smallest_orders(n):
    A = (jnp.full(n, 4.0), jnp.arange(n), jnp.arange(n + 1))
    close(our.solve(A, jnp.full(n, 2.0)), jnp.full(n, 0.5)) if n else None
    assert our.solve(A, jnp.ones((n, 0))).shape == (n, 0)
    close(our.logdet(A), jnp.array(n * np.log(4.0)))


def test_determinants(system):
    data, indices, indptr, _, dense = system(15)
    data = data.at[indptr[3]:indptr[4]].multiply(-1)  # a negative determinant
    sign, logarithm = our.slogdet((data, indices, indptr))
    assert sign == -1
    close(logarithm, jnp.linalg.slogdet(dense(data))[1])
    assert jnp.isnan(our.logdet((data, indices, indptr)))
    assert our.logdet((0 * data, indices, indptr)) == -jnp.inf


# ---- Derivatives


@pytest.mark.parametrize("trans, dtype, sides", (("N", np.float64, None), ("N", np.complex128, 2), ("T", np.complex128, None), ("H", np.complex128, None)))
def test_derivatives_of_solutions(system, dtype, trans, sides):
    data, indices, indptr, b, _ = system(8, dtype, sides)
    check_grads(lambda data, b: our.solve((data, indices, indptr), b, trans), (data, b), order=2, modes=("fwd", "rev"))


@pytest.mark.parametrize("dtype", (np.float64, np.complex128))
def test_derivatives_of_determinants(system, dtype):
    data, indices, indptr, _, dense = system(8, dtype)
    check_grads(lambda data: our.slogdet((data, indices, indptr)), (data,), order=2, modes=("fwd", "rev"))
    close(jax.grad(lambda data: our.slogdet((data, indices, indptr))[1])(data), jax.grad(lambda data: jnp.linalg.slogdet(dense(data))[1])(data))


@pytest.mark.parametrize("dtype", TYPES)
def test_gradients_are_those_of_a_dense_solve(system, dtype):
    data, indices, indptr, b, dense = system(15, dtype)
    ours = jax.grad(lambda data, b: jnp.abs(our.solve((data, indices, indptr), b)).sum(), (0, 1))(data, b)
    theirs = jax.grad(lambda data, b: jnp.abs(jnp.linalg.solve(dense(data), b)).sum(), (0, 1))(data, b)
    for found, wanted in zip(ours, theirs):
        close(found, wanted, dtype)


def test_a_gradient_makes_factors_once(system):
    data, indices, indptr, b, _ = system(30)
    gradient = jax.jit(jax.grad(lambda data: our.solve((data, indices, indptr), b).sum()))
    gradient(data)
    before = our.cache_info()
    gradient(2 * data).block_until_ready()
    after = our.cache_info()
    assert (after["misses"] - before["misses"], after["hits"] - before["hits"]) == (1, 1)


def test_hessians(system):
    data, indices, indptr, b, dense = system(6)
    ours = jax.jit(jax.hessian(lambda data: (our.solve((data, indices, indptr), b) ** 2).sum() + our.logdet((data, indices, indptr))))(data)
    theirs = jax.hessian(lambda data: (jnp.linalg.solve(dense(data), b) ** 2).sum() + jnp.linalg.slogdet(dense(data))[1])(data)
    close(ours, theirs, factor=1e5)


# ---- Maps


@pytest.mark.parametrize("mapped", ("data", "b", "both"))
def test_maps(system, rng, mapped):
    data, indices, indptr, b, dense = system(14)
    many, sides = data * rng.uniform(0.5, 2, (5, data.size)), b * rng.uniform(0.5, 2, (5, b.size))
    axes = {"data": (0, None), "b": (None, 0), "both": (0, 0)}[mapped]
    arguments = (many if axes[0] == 0 else data, sides if axes[1] == 0 else b)
    ours = jax.jit(jax.vmap(lambda data, b: our.solve((data, indices, indptr), b), axes))
    theirs = jax.vmap(lambda data, b: jnp.linalg.solve(dense(data), b), axes)
    our.clear_cache()
    before = our.cache_info()["misses"]
    close(ours(*arguments), theirs(*arguments))
    assert our.cache_info()["misses"] == before + 1  # one batch, or one matrix with more right-hand sides
    found, wanted = (jax.grad(lambda *a: (f(*a) ** 3).sum(), (0, 1))(*arguments) for f in (ours, theirs))
    for one, other in zip(found, wanted):
        close(one, other, factor=1e5)


def test_maps_of_maps(system, rng):
    data, indices, indptr, b, dense = system(9)
    many, sides = data * rng.uniform(0.5, 2, (3, data.size)), b * rng.uniform(0.5, 2, (4, 2, b.size))
    ours = jax.vmap(jax.vmap(jax.vmap(lambda data, b: our.solve((data, indices, indptr), b), (None, 0)), (None, 0)), (0, None))(many, sides)
    theirs = jax.vmap(jax.vmap(jax.vmap(lambda data, b: jnp.linalg.solve(dense(data), b), (None, 0)), (None, 0)), (0, None))(many, sides)
    close(ours, theirs)


def test_maps_over_patterns(system):
    systems = [system(9) for _ in range(3)]
    dense = jnp.stack([make(data) for data, _, _, _, make in systems])
    A = jax_sparse.BCOO.fromdense(dense, n_batch=1)
    b = jnp.stack([one[3] for one in systems])

    def of_one(data, indices, b):
        one = jax_sparse.BCOO((data, indices), shape=dense.shape[1:])
        return our.solve(one, b), our.slogdet(one)[1]

    x, logarithm = jax.vmap(of_one)(A.data, A.indices, b)
    close(x, jax.vmap(jnp.linalg.solve)(dense, b))
    close(logarithm, jax.vmap(lambda A: jnp.linalg.slogdet(A)[1])(dense))


def test_maps_of_determinants(system, rng):
    data, indices, indptr, _, dense = system(9)
    many = data * rng.uniform(0.5, 2, (3, data.size))
    for transform in (lambda f: f, jax.grad, jax.hessian):
        close(jax.vmap(transform(lambda data: our.logdet((data, indices, indptr))))(many), jax.vmap(transform(lambda data: jnp.linalg.slogdet(dense(data))[1]))(many), factor=1e4)


# ---- What programs do


def test_shapes_that_change_under_jit(system):
    solve = jax.jit(our.solve)
    for n in (4, 9, 4, 1):
        data, indices, indptr, b, dense = system(n)
        close(solve((data, indices, indptr), b), jnp.linalg.solve(dense(data), b))


def test_donated_buffers(system):
    data, indices, indptr, b, dense = system(20)
    wanted = jnp.linalg.solve(dense(data), b)
    solve = jax.jit(lambda data, b: our.solve((data, indices, indptr), b), donate_argnums=(0, 1))
    for _ in range(3):
        close(solve(jnp.array(data, copy=True), jnp.array(b, copy=True)), wanted)


def test_loops_and_conditions(system):
    data, indices, indptr, b, dense = system(10)

    def steps(data):
        return jax.lax.scan(lambda x, _: (jax.lax.cond(x[0] > 1e3, lambda x: x, lambda x: our.solve((data, indices, indptr), x + b), x), None), b, length=4)[0].sum()

    def dense_steps(data):
        return jax.lax.scan(lambda x, _: (jnp.linalg.solve(dense(data), x + b), None), b, length=4)[0].sum()

    close(jax.jit(jax.grad(steps))(data), jax.grad(dense_steps)(data))


def test_threads(system):
    data, indices, indptr, b, _ = system(120)
    gradient = jax.jit(jax.grad(lambda data: our.solve((data, indices, indptr), b).sum()))
    alone = [gradient(data * k) for k in range(1, 4)]
    our.clear_cache()
    same, failures = [], []

    def work(k):
        try:
            for turn in range(5):
                which = (k + turn) % 3
                same.append(bool((gradient(data * (which + 1)) == alone[which]).all()))
        except Exception as error:  # shown by the assertion
            failures.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    [thread.start() for thread in threads]
    [thread.join(timeout=120) for thread in threads]
    assert not failures and len(same) == 30 and all(same)


def test_bits_do_not_depend_on_what_was_solved_before(system, rng):
    data, indices, indptr, b, _ = system(50)
    alone = our.solve((data, indices, indptr), b)
    our.clear_cache()
    for _ in range(3):
        our.solve((data * 10.0 ** rng.integers(-3, 3, data.size), indices, indptr), b)
    assert (our.solve((data, indices, indptr), b) == alone).all()


def test_options(system):
    data, indices, indptr, b, dense = system(20)
    close(our.solve((data, indices, indptr), b, ordering="amd", ranks=1), jnp.linalg.solve(dense(data), b))
    with pytest.raises(BadPlan, match="no option"):
        our.solve((data, indices, indptr), b, orderin="amd")


# ---- What is refused, and what has no answer


@pytest.mark.parametrize("A, b, words", (
    (np.eye(2), np.ones(2), "give a BCOO or BCSR"),
    (([1.0, 1.0], [0, 1], [0, 1, 2]), np.ones(3), r"must be \(2,\)"),
    (([1.0, 1.0], [0, 1], [0, 1, 2]), np.ones((2, 1, 1)), r"must be \(2,\)"),
    (([1.0, 1.0], [0], [0, 1, 2]), np.ones(2), "give nnz, nnz and n"),
    (([[1.0, 1.0]], [[0, 1]], [0, 1, 2]), np.ones(2), "list of whole numbers"),
    (([1.0, 1.0], [0.0, 1.0], [0, 1, 2]), np.ones(2), "list of whole numbers"),
    (([True, True], [0, 1], [0, 1, 2]), np.ones(2), "give numbers"),
))
def test_wrong_shapes_and_types(A, b, words):
    with pytest.raises(BadInput, match=words):
        our.solve(A, b)
    with pytest.raises(BadInput, match=words):
        jax.jit(lambda b: our.solve(A, b))(b)


def test_matrices_of_jax_that_are_refused():
    for given, words in ((jax_sparse.BCOO.fromdense(jnp.ones((2, 3))), "square"), (jax_sparse.BCOO.fromdense(jnp.ones((2, 3, 3)), n_batch=1), "jax.vmap")):
        with pytest.raises(BadInput, match=words):
            our.solve(given, jnp.ones(3))


def test_a_pattern_that_is_known_is_no_work_for_xla(system):
    data, indices, indptr, b, _ = system(20)
    text = jax.jit(lambda data: our.solve((data, indices, indptr), b)).lower(data).as_text()
    assert "overlapack_solve" in text and "reduce_window" not in text and "cumsum" not in text


@pytest.mark.parametrize("indices, indptr", (([0, 2], [0, 1, 2]), ([0, -1], [0, 1, 2]), ([0, 1], [0, 2, 1]), ([0, 1], [1, 1, 2]), ([0, 1], [0, 1, 3])))
def test_positions_outside(indices, indptr):
    A = (jnp.ones(2), jnp.array(indices), jnp.array(indptr))
    for solve in (our.solve, jax.jit(our.solve)):
        with pytest.raises((BadInput, jax.errors.JaxRuntimeError, ValueError), match="A is 2 x 2; give positions inside|indptr begins with"):
            solve(A, jnp.ones(2)).block_until_ready()


def test_what_has_no_answer():
    pattern, b = (jnp.arange(2), jnp.arange(3)), jnp.array([2.0, 4.0])
    for data in (jnp.array([1.0, 0.0]), jnp.array([jnp.nan, 1.0])):
        assert jnp.isnan(jax.jit(our.solve)((data, *pattern), b)).all()
        assert jnp.isnan(jax.grad(lambda data: our.solve((data, *pattern), b).sum())(data)).all()
        with pytest.raises(jax.errors.JaxRuntimeError, match="singular|NaN"):
            jax.jit(partial(our.solve, on_failure="raise"))((data, *pattern), b).block_until_ready()
    assert jnp.isnan(our.solve((jnp.ones(2), *pattern), jnp.array([jnp.inf, 1.0]))).all()
    with pytest.raises(BadPlan, match='"nan" or "raise"'):
        our.solve((jnp.ones(2), *pattern), b, on_failure="ignore")


# ---- The library of custom calls


def test_it_is_compiled_where_it_is_looked_for_and_once(tmp_path, monkeypatch):
    include = _jax_library.Path(jax.ffi.include_dir())
    monkeypatch.setattr(_jax_library.Path, "home", lambda: tmp_path)
    monkeypatch.setattr(_jax_library, "_HERE", shutil.copytree(_jax_library._HERE, tmp_path / "package", ignore=shutil.ignore_patterns("*.so", "__pycache__")))
    made = _jax_library._found_or_made(include)
    assert list((tmp_path / ".cache" / "overlapack").iterdir()) == [made]
    monkeypatch.setattr(_jax_library, "_compiler", None)  # not asked again
    assert _jax_library._found_or_made(include) == made


def test_another_version_of_the_interface_is_refused(tmp_path):
    header = "xla/ffi/api/c_api.h"
    text = (_jax_library.Path(jax.ffi.include_dir()) / header).read_text()
    (tmp_path / header).parent.mkdir(parents=True)
    (tmp_path / header).write_text(text.replace("#define XLA_FFI_API_MAJOR 0", "#define XLA_FFI_API_MAJOR 77"))
    made = _jax_library.compile_into(tmp_path / "made", tmp_path)
    assert made.name != _jax_library._name(_jax_library.Path(jax.ffi.include_dir()))
    code = f"from pathlib import Path; from overlapack import _jax_library; _jax_library.register(Path({str(made)!r}))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert run.returncode != 0 and "so that it is made anew" in run.stderr


def test_no_compiler_and_one_that_fails(tmp_path, monkeypatch):
    include = _jax_library.Path(jax.ffi.include_dir())
    empty = tmp_path / "empty"
    (empty / "xla/ffi/api").mkdir(parents=True)
    (empty / "xla/ffi/api/c_api.h").write_text("")
    with pytest.raises(BadPlan, match="do not compile with the header"):
        _jax_library.compile_into(tmp_path / "made", empty)
    monkeypatch.setattr(_jax_library.shutil, "which", lambda name: None)
    with pytest.raises(BadPlan, match="there is no C compiler"):
        _jax_library.compile_into(tmp_path / "made", include)
    assert list((tmp_path / "made").iterdir()) == []
