"""overlapack.torch beside dense solves and determinants of torch.linalg."""
import threading
import warnings

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
from torch.autograd import gradcheck, gradgradcheck  # noqa: E402

import overlapack.torch as our  # noqa: E402
from overlapack import BadInput, BadPlan, Singular  # noqa: E402

TYPES = (torch.float32, torch.float64, torch.complex64, torch.complex128)
warnings.filterwarnings("ignore", message="Sparse (CSR|CSC|invariant)")


def close(found, wanted, factor=1000):
    """Up to rounding: the matrices here have condition numbers below 100."""
    assert found.shape == wanted.shape and found.dtype == wanted.dtype
    assert (found - wanted).abs().max() <= factor * torch.finfo(found.dtype).eps * max(1, float(wanted.abs().max()))


def numpy_type(dtype):
    return torch.zeros(0, dtype=dtype).numpy().dtype


@pytest.fixture
def system(make_matrix, rng):
    """values, (crow_indices, col_indices), b, and the dense matrix as a function of values."""

    def make(n, dtype=torch.float64, sides=None):
        A = make_matrix(n, numpy_type(dtype))
        A.sum_duplicates()
        row, col = torch.from_numpy(np.repeat(np.arange(n), np.diff(A.indptr))), torch.from_numpy(A.indices.astype(np.int64))
        b = torch.from_numpy(rng.standard_normal((n,) if sides is None else (n, sides))).to(dtype)
        if dtype.is_complex:
            b = b * (1 + 0.5j)
        return torch.from_numpy(A.data), (torch.from_numpy(A.indptr), torch.from_numpy(A.indices)), b, lambda values: torch.zeros(n, n, dtype=values.dtype).index_put((row, col), values)

    return make


@pytest.mark.parametrize("trans", ("N", "T", "H"))
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("sides", (None, 3))
def test_solutions(system, dtype, trans, sides):
    values, lines, b, dense = system(25, dtype, sides)
    A = dense(values)
    close(our.solve((values, *lines), b, trans), torch.linalg.solve({"N": A, "T": A.T, "H": A.mH}[trans], b))


@pytest.mark.parametrize("layout", (torch.sparse_csr, torch.sparse_coo))
def test_gradients_lie_on_the_positions(system, layout):
    values, _, b, dense = system(15)
    A = dense(values).to_sparse(layout=layout).requires_grad_()
    full = dense(values).requires_grad_()
    (our.solve(A, b) ** 2).sum().backward()
    (torch.linalg.solve(full, b) ** 2).sum().backward()
    assert A.grad.layout == layout
    close(A.grad.to_dense(), torch.where(full.detach() != 0, full.grad, 0), factor=1e4)


@pytest.mark.parametrize("dtype", TYPES)
def test_determinants(system, dtype):
    values, lines, _, dense = system(15, dtype)
    for found, wanted in zip(our.slogdet((values, *lines)), torch.linalg.slogdet(dense(values))):
        close(found, wanted)
    if not dtype.is_complex:
        values = -values
        assert our.slogdet((values, *lines))[0] == -1 and our.logdet((values, *lines)).isnan()
    assert our.slogdet((0 * values, *lines))[1] == -torch.inf


@pytest.mark.parametrize("trans, dtype, sides", (("N", torch.float64, None), ("N", torch.complex128, 2), ("T", torch.complex128, None), ("H", torch.complex128, None)))
def test_derivatives_of_solutions(system, dtype, trans, sides):
    values, lines, b, _ = system(6, dtype, sides)
    arguments = (values.requires_grad_(), b.requires_grad_())

    def solve(values, b):
        return our.solve((values, *lines), b, trans)

    assert gradcheck(solve, arguments, check_forward_ad=True)
    assert gradgradcheck(solve, arguments, check_fwd_over_rev=True, check_rev_over_rev=True)


def test_derivatives_of_sparse_tensors(system):
    values, lines, b, _ = system(6)
    A = torch.sparse_csr_tensor(*lines, values, dtype=torch.float64).requires_grad_()
    assert gradcheck(our.solve, (A, b.requires_grad_()), masked=True, check_undefined_grad=False)
    assert gradcheck(our.logdet, (A,), masked=True, check_undefined_grad=False)


@pytest.mark.parametrize("dtype", (torch.float64, torch.complex128))
def test_derivatives_of_determinants(system, dtype):
    values, lines, _, _ = system(6, dtype)
    values.requires_grad_()
    slogdet = lambda values: our.slogdet((values, *lines))
    assert gradcheck(slogdet, values, check_forward_ad=True)
    assert gradgradcheck(slogdet, values, check_fwd_over_rev=True)


def test_complex_sides_of_a_real_matrix(system):
    values, lines, b, dense = system(12)
    for sides in (b + 1j * b.flip(0), torch.stack([b, 2j * b], 1)):
        close(our.solve((values, *lines), sides), torch.linalg.solve(dense(values).to(sides.dtype), sides))


def test_a_gradient_makes_factors_once(system):
    values, lines, b, _ = system(30)
    before = our.cache_info()
    our.solve((values.requires_grad_(), *lines), b).sum().backward()
    after = our.cache_info()
    assert (after["misses"] - before["misses"], after["hits"] - before["hits"]) == (1, 1)


@pytest.mark.parametrize("axes", ((0, None), (None, 0), (0, 0)))
def test_maps(system, rng, axes):
    values, lines, b, dense = system(10)
    many, sides = (torch.from_numpy(given.numpy() * rng.uniform(0.5, 2, (4, given.numel()))) for given in (values, b))
    arguments = (many if axes[0] == 0 else values, sides if axes[1] == 0 else b)
    our.clear_cache()
    before = our.cache_info()["misses"]
    ours = torch.vmap(lambda values, b: our.solve((values, *lines), b), axes)(*arguments)
    assert our.cache_info()["misses"] == before + 1  # one batch, or one matrix with more right-hand sides
    close(ours, torch.vmap(lambda values, b: torch.linalg.solve(dense(values), b), axes)(*arguments))
    if axes[0] == 0:
        of = lambda logdet: torch.vmap(torch.func.grad(logdet))(many)
        close(of(lambda values: our.logdet((values, *lines))), of(lambda values: torch.linalg.slogdet(dense(values))[1]))


def test_functions_of_torch_func(system):
    values, lines, b, dense = system(6)
    ours = lambda values: (our.solve((values, *lines), b) ** 2).sum() + our.logdet((values, *lines))
    theirs = lambda values: (torch.linalg.solve(dense(values), b) ** 2).sum() + torch.linalg.slogdet(dense(values))[1]
    for transform in (torch.func.grad, torch.func.hessian):
        close(transform(ours)(values), transform(theirs)(values), factor=1e5)


def test_types_that_meet(system):
    values, lines, b, _ = system(8)
    assert our.solve((values.float(), *lines), b).dtype == torch.float64
    assert our.solve((values.half(), *lines), b.bfloat16()).dtype == torch.float32
    assert our.solve(((10 * values).ceil().int(), *lines), b.float()).dtype == torch.float32


def test_threads(system):
    values, lines, b, _ = system(100)
    alone = [our.solve((k * values, *lines), b) for k in range(1, 4)]
    our.clear_cache()
    same, failures = [], []

    def work(k):
        try:
            for turn in range(5):
                which = (k + turn) % 3
                own = ((which + 1) * values).requires_grad_()
                x = our.solve((own, *lines), b)
                x.sum().backward()
                same.append(torch.equal(x, alone[which]) and bool(own.grad.isfinite().all()))
        except Exception as error:  # shown by the assertion
            failures.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    [thread.start() for thread in threads]
    [thread.join(timeout=120) for thread in threads]
    assert not failures and len(same) == 30 and all(same)


def test_what_is_refused(system):
    values, lines, b, dense = system(5)
    A = dense(values).to_sparse_csr()
    for given, sides, words in ((dense(values), b, "give a sparse tensor"), (dense(values).to_sparse_csc(), b, "give a sparse tensor"), (A, b[:4], r"must be \(5,\)"), (A, torch.ones(5, 1, 1), r"must be \(5,\)"),
                                (torch.ones(2, 3).to_sparse_csr(), b, "square"), ((values[1:], *lines), b, "give nnz, nnz and n"),
                                ((values, lines[0].flip(0), lines[1]), b, "never fall"), ((values, lines[0], lines[1] + 3), b, "give positions inside"),
                                ((values > 0, *lines), b, "give numbers"), (A, b.to("meta"), "move it with .cpu()")):
        with pytest.raises(BadInput, match=words):
            our.solve(given, sides)
    with pytest.raises(BadPlan, match="no option"):
        our.solve(A, b, orderin="amd")


def test_what_has_no_answer():
    b = torch.tensor([2.0, 4.0])
    for values in (torch.tensor([1.0, 0.0]), torch.tensor([torch.nan, 1.0])):
        A = (values.requires_grad_(), torch.arange(3), torch.arange(2))
        x = our.solve(A, b)
        x.sum().backward()
        assert x.isnan().all() and values.grad.isnan().all()
        with pytest.raises((Singular, BadInput), match="singular|NaN"):
            our.solve(A, b, on_failure="raise")
