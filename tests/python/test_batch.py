"""Many systems of one pattern."""
import threading

import numpy as np
import pytest
from scipy import sparse

import overlapack


def systems(k=20, n=12, dtype=np.float64, layout="csc", seed=1):
    rng = np.random.default_rng(seed)
    A = sparse.random_array((n, n), density=0.25, rng=rng) + 3 * sparse.eye_array(n)
    A = A.asformat(layout)
    data = A.data * (1 + 0.1 * rng.standard_normal((k, A.data.size)))
    if np.dtype(dtype).kind == "c":
        data = data + 0.1j * rng.standard_normal(data.shape)
    return A, data.astype(dtype), rng


def with_data(A, data):
    return type(A)((data, A.indices, A.indptr), shape=A.shape)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize("layout", ["csc", "csr"])
def test_every_system_is_solved(dtype, layout):
    A, data, rng = systems(dtype=dtype, layout=layout)
    batch = overlapack.factorize_batch(A, data)
    assert list(batch.status) == ["ok"] * 20 and batch.report["in_lanes"] == 20
    for trans, of in (("N", lambda M: M), ("T", lambda M: M.T), ("H", lambda M: M.conj().T)):
        x = rng.standard_normal((20, 12, 2)).astype(dtype)
        b = np.stack([of(with_data(A, data[k])) @ x[k] for k in range(20)])
        found = batch.solve(b, trans)
        assert found.dtype == dtype
        np.testing.assert_allclose(found, x, atol=1e5 * np.finfo(dtype).eps)
        np.testing.assert_allclose(batch.solve(b[:, :, 0], trans), x[:, :, 0], atol=1e5 * np.finfo(dtype).eps)
        assert batch.backward_error.max() <= 50 * np.finfo(dtype).eps


def test_failures_are_their_own():
    A, data, _ = systems()
    data[3, 0] = np.nan
    data[5] = 0
    mask = np.arange(20) != 7
    batch = overlapack.factorize_batch(A, data, mask)
    x = batch.solve(np.ones((20, 12)))
    assert [(k, status) for k, status in enumerate(batch.status) if status != "ok"] == [(3, "bad_input"), (5, "singular"), (7, "cancelled")]
    assert np.isnan(x[[3, 5, 7]]).all() and np.isfinite(np.delete(x, [3, 5, 7], axis=0)).all()
    assert batch.report["left_out"] == 1


@pytest.mark.parametrize("threads", [1, 3])
def test_verdicts_are_those_of_a_single_system(threads):
    n, k = 10, 19
    of_hilbert = 1 / (np.arange(n)[:, np.newaxis] + np.arange(n) + 1)
    of_random = np.random.default_rng(2).standard_normal((n, n))
    is_weak = np.arange(k) % 3 == 1
    A = sparse.csc_array(np.ones((n, n)))
    data = np.stack([(of_hilbert.T if weak else of_random.T + 4 * np.eye(n)).ravel() * (1 + i) for i, weak in enumerate(is_weak)])
    batch = overlapack.factorize_batch(A, data, threads=threads)
    b = np.stack([with_data(A, row) @ np.ones(n) for row in data])
    for _ in range(2):  # the second one has not forgotten
        batch.solve(b)
        assert ((batch.status == "ill_conditioned") == is_weak).all() and set(batch.status) == {"ok", "ill_conditioned"}
        assert (batch.solve(np.zeros((k, n))) == 0).all() and set(batch.status) == {"ok"}
    batch.refactorize(data[::-1])
    batch.solve(b[::-1])
    assert ((batch.status == "ill_conditioned") == is_weak[::-1]).all()
    batch = overlapack.factorize_batch(A, data, refinement_steps=0, accuracy=1e-12)  # no test, as of a single system
    batch.solve(b)
    assert set(batch.status) == {"ok"}


def test_refactorize_and_strides():
    A, data, _ = systems()
    batch = overlapack.factorize_batch(A, np.asfortranarray(data))
    b = np.ones((20, 24))[:, ::2]
    x = batch.solve(b)
    batch.refactorize(2 * data[::-1][::-1])
    np.testing.assert_allclose(batch.solve(b), x / 2, rtol=1e-10)


def test_without_systems_and_of_integers():
    A, data, _ = systems()
    assert overlapack.factorize_batch(A, data[:0]).solve(np.zeros((0, 12))).shape == (0, 12)
    I = sparse.eye_array(3, format="csr")
    np.testing.assert_array_equal(overlapack.factorize_batch(I, np.full((2, 3), 2)).solve(np.ones((2, 3))), 0.5)


def test_bad_input_has_a_sentence():
    A, data, _ = systems()
    batch = overlapack.factorize_batch(A, data)
    twice = sparse.csc_array((np.ones(3), [0, 0, 1], [0, 2, 3]), shape=(2, 2))
    for call, message in (
        (lambda: overlapack.factorize_batch(A.toarray(), data), "CSC or CSR"),
        (lambda: overlapack.factorize_batch(A[:, :5], data), "square"),
        (lambda: overlapack.factorize_batch(A, data[0]), "data has the shape"),
        (lambda: overlapack.factorize_batch(A, data[:, 1:]), "data has the shape"),
        (lambda: overlapack.factorize_batch(A, data, np.ones(3, dtype=bool)), "mask has the shape"),
        (lambda: overlapack.factorize_batch(A, data, np.ones(20)), "20 booleans"),
        (lambda: overlapack.factorize_batch(twice, np.ones((1, 3))), "twice"),
        (lambda: batch.solve(np.ones((20, 11))), "b has the shape"),
        (lambda: batch.solve(np.ones((20, 12)) * 1j), "b is complex"),
        (lambda: batch.refactorize(data * 1j), "data is complex"),
        (lambda: batch.solve(np.full((20, 12), np.inf)), "not finite"),
    ):
        with pytest.raises(overlapack.BadInput, match=message):
            call()
    with pytest.raises(overlapack.BadPlan, match="trans"):
        batch.solve(np.ones((20, 12)), "X")


def test_threads_that_solve_and_refactorize_one_batch():
    A, data, _ = systems(k=200, n=40)
    batch = overlapack.factorize_batch(A, data, threads=1)
    b = np.ones((200, 40))
    x = batch.solve(b)
    is_over = threading.Event()

    def refactorize():
        factor = 1
        while not is_over.wait(1e-4):  # the lock is not fair
            batch.refactorize(factor * data)
            factor = 3 - factor

    other = threading.Thread(target=refactorize)
    other.start()
    try:
        for _ in range(50):  # of the one values or of the others, not of some of each
            found = batch.solve(b)
            assert min(abs(found - x).max(), abs(found - x / 2).max()) < 1e-12 * abs(x).max()
            assert batch.report["in_lanes"] == 200
    finally:
        is_over.set()
        other.join(60)


def test_a_batch_is_stopped_as_other_calls_are():
    A, data, _ = systems()
    seen, wish = [], []

    def watch(phase, share):
        seen.append(phase)
        if wish and wish[0] is None:
            raise KeyboardInterrupt
        return phase in wish

    batch = overlapack.factorize_batch(A, data, progress=watch)
    x = batch.solve(np.ones((20, 12)))
    assert seen[0] == "analysis" and "factorisation" in seen and seen[-1] == "solve"
    wish.append("factorisation")
    with pytest.raises(overlapack.Cancelled, match="in the factorisation"):
        batch.refactorize(data)
    wish.clear()
    with pytest.raises(overlapack.BadInput, match="there are no factors"):
        batch.solve(np.ones((20, 12)))
    batch.refactorize(data)
    wish.append(None)
    with pytest.raises(KeyboardInterrupt):
        batch.solve(np.ones((20, 12)))
    wish.clear()
    np.testing.assert_array_equal(batch.solve(np.ones((20, 12))), x)
    with pytest.raises(overlapack.Cancelled, match="time limit"):
        overlapack.factorize_batch(A, data, time_limit=1e-9)


@pytest.mark.parametrize("options", [{"method": "supernodal"}, {"factorization": "cholesky"}, {"memory_limit": 2**30}])
def test_options_that_a_batch_does_not_keep_to_are_refused(options):
    A, data, _ = systems()
    with pytest.raises(overlapack.BadPlan, match=next(iter(options))):
        overlapack.factorize_batch(A, data, **options)
    assert overlapack.factorize_batch(A, data, method="multifrontal", factorization="lu").report["in_lanes"] == 20


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.uint16, bool, np.int64])
def test_integers_count_as_float64(dtype):
    I = sparse.eye_array(3, format="csr")
    x = overlapack.factorize_batch(I, np.ones((2, 3), dtype=dtype)).solve(np.full((2, 3), 1 / 3))
    assert x.dtype == np.float64 and (x == 1 / 3).all()


@pytest.mark.skipif(np.longdouble is np.float64 or np.finfo(np.longdouble).eps == np.finfo(float).eps, reason="no longer type")
def test_numbers_that_would_be_rounded_are_refused():
    A, data, _ = systems()
    batch = overlapack.factorize_batch(A, data)
    for call in (
        lambda: overlapack.factorize_batch(A, data.astype(np.longdouble)),
        lambda: batch.refactorize(data.astype(np.longdouble)),
        lambda: batch.solve(np.ones((20, 12), dtype=np.longdouble)),
    ):
        with pytest.raises(overlapack.BadInput, match="there is no solver for entries of type"):
            call()
