"""symmetric and hermitian: only one triangle of A is read."""
import numpy as np
import overlapack
import pytest
from overlapack import BadInput, BadPlan
from scipy import sparse


@pytest.fixture
def whole(rng):
    """A symmetric matrix, and a Hermitian one."""
    A = sparse.random(40, 40, density=0.1, random_state=rng, format="csc") + sparse.diags_array(rng.uniform(5, 6, 40))
    C = A + 1j * sparse.random(40, 40, density=0.1, random_state=rng, format="csc")
    return sparse.csc_array(A + A.T), sparse.csc_array(C + C.conj().T)


@pytest.fixture
def garbled(rng):
    """garbled(A, triangle): A with other entries, and NaN, in the other triangle."""

    def garble(A, triangle):
        kept = (sparse.triu if triangle == "upper" else sparse.tril)(A)
        other = sparse.random(*A.shape, density=0.2, random_state=rng)
        other = (sparse.tril(other, -1) if triangle == "upper" else sparse.triu(other, 1)).tocsc()
        other.data[0] = np.nan
        return sparse.csc_array(kept + other)

    return garble


TRIANGLES = [("upper", sparse.triu), ("lower", sparse.tril)]


@pytest.mark.parametrize("triangle, part", TRIANGLES)
@pytest.mark.parametrize("form", ["csc", "csr", "coo", "lil", "dense"])
def test_one_triangle_is_the_matrix(whole, garbled, rng, triangle, part, form):
    b = rng.uniform(size=(40, 2))
    for A, word in ((whole[0], "symmetric"), (whole[1], "hermitian")):
        for given in (part(A), garbled(A, triangle), A):
            given = given.toarray() if form == "dense" else given.asformat(form)
            x, report = overlapack.solve(given, b, report=True, **{word: triangle})
            assert abs(A @ x - b).max() < 1e-13
            factors = overlapack.factorize(given, **{word: triangle})
            assert factors.report.symmetry == word and factors.report.factorization == "ldlt"
            assert abs(A @ factors.solve(b) - b).max() < 1e-13
            assert overlapack.plan(given, **{word: triangle}).symmetry == word
            if form != "dense":
                assert report.symmetry == word and report.nnz == A.nnz


def test_an_ulp_does_not_matter(whole):
    """As assembled in another order: LU without the word, and LDL^T with it, also when it is factorised again."""
    A = whole[0]
    ulps = A.copy()
    ulps.data *= 1 + np.finfo(float).eps * (np.arange(A.nnz) % 2)
    assert overlapack.factorize(ulps).report.factorization == "lu"
    factors = overlapack.factorize(A, symmetric="upper")
    assert factors.report.factorization == "ldlt"
    for k in range(3):
        x = factors.refactorize((k + 1) * ulps).solve(np.ones(40))
        assert abs((k + 1) * (A @ x) - 1).max() < 1e-12
    assert overlapack.solve(ulps, np.ones(40), symmetric="lower", factorization="cholesky", report=True)[1].factorization == "cholesky"


@pytest.mark.parametrize("triangle, part", TRIANGLES)
def test_refactorize_reads_the_same_triangle(whole, garbled, triangle, part):
    A = whole[0]
    half = sparse.csc_array(part(A))
    factors = overlapack.factorize(half, symmetric=triangle)
    half.data[:] *= 2
    half.data[1] = 0  # stays an entry
    now = part(half, 1 if triangle == "upper" else -1)
    x = factors.refactorize(half).solve(np.ones(40))
    assert abs((half + now.T) @ x - 1).max() < 1e-12
    x = factors.refactorize(garbled(A, triangle)).solve(np.ones(40))
    assert abs(A @ x - 1).max() < 1e-12


def test_explicit_zeros_stay_entries():
    half = sparse.csc_array((np.array([2.0, 0.0, 2.0]), np.array([0, 0, 1]), np.array([0, 1, 3])), shape=(2, 2))
    factors = overlapack.factorize(half, symmetric="upper")
    half.data[1] = 1.0
    assert abs(factors.refactorize(half).solve([3.0, 3.0]) - 1).max() < 1e-15


def test_imaginary_parts_on_the_diagonal_are_not_read(whole):
    A = whole[1]
    other = A + 1j * sparse.eye_array(40)
    for given in (sparse.csc_array(other), other.toarray()):
        assert abs(A @ overlapack.solve(given, np.ones(40), hermitian="lower") - 1).max() < 1e-13
    S = sparse.csc_array(sparse.triu(A))  # complex symmetric is not Hermitian
    x = overlapack.solve(S, np.ones(40), symmetric="upper")
    assert abs((S + sparse.triu(A, 1).T) @ x - 1).max() < 1e-12


@pytest.mark.parametrize("triangle, part", TRIANGLES)
def test_schur_complements_read_one_triangle(whole, garbled, triangle, part):
    for A, keyword in ((whole[0], "symmetric"), (whole[1], "hermitian")):
        S = overlapack.schur(A, [3, 20]).matrix
        for given in (part(A), garbled(A, triangle)):
            assert abs(overlapack.schur(given, [3, 20], **{keyword: triangle}).matrix - S).max() < 1e-12 * abs(S).max()
    with pytest.raises(BadPlan, match="symmetric is 'U'; give"):
        overlapack.schur(whole[0], [3], symmetric="U")


def test_who_reads_no_triangle_says_so(whole):
    A = sparse.csc_array(whole[0])
    for call in (lambda **o: overlapack.factorize_batch(A, A.data[np.newaxis], **o), lambda **o: overlapack.lu_factor(A.toarray(), **o)):
        with pytest.raises(BadPlan, match='there is no option "symmetric"; .* here give the whole matrix'):
            call(symmetric="upper")


def test_parts_of_ranks(whole):
    A = sparse.coo_array(sparse.triu(whole[0]))
    parts = [sparse.coo_array((A.data[k::2], (A.row[k::2], A.col[k::2])), shape=A.shape) for k in range(2)]
    factors = overlapack.factorize(parts, distributed=True, symmetric="upper")
    assert factors.report.factorization == "ldlt"
    assert abs(whole[0] @ factors.solve(np.ones(40)) - 1).max() < 1e-12
    assert abs(whole[0] @ factors.refactorize(parts).solve(np.ones(40)) - 1).max() < 1e-12
    assert abs(whole[0] @ overlapack.solve(parts, np.ones(40), distributed=True, symmetric="upper") - 1).max() < 1e-12


def test_bad_words(whole):
    A = whole[0]
    for call in (overlapack.factorize, overlapack.plan, lambda A, **o: overlapack.solve(A, np.ones(40), **o)):
        for word in ("Upper", "U", True, 1, "whole"):
            with pytest.raises(BadPlan, match=f'symmetric is {word!r}; give "upper" or "lower", the triangle of A that is read'):
                call(A, symmetric=word)
        with pytest.raises(BadPlan, match="both symmetric and hermitian were given; give one of them"):
            call(A, symmetric="upper", hermitian="upper")
        with pytest.raises(BadInput, match="one triangle was to be read, but A is 3 x 40; give a square matrix"):
            call(A[:3], symmetric="upper")


def test_a_triangle_alone_and_rounding_are_told(whole):
    """report.hint of what was taken as unsymmetric."""
    n = np.finfo(float).eps
    for A, word, adjoint in ((whole[0], "symmetric", "A^T"), (whole[1], "hermitian", "A^H")):
        ulps = A.copy()
        ulps.data *= 1 + n * (np.arange(A.nnz) % 2)
        hint = overlapack.plan(ulps).hint
        assert hint.startswith(f"A is {word} up to rounding: no two entries that should be equal differ by more than "), hint
        share = float(hint.split("more than ")[1].split()[0])
        assert 0 < share <= 1.1 * n and f"(A + {adjoint}) / 2" in hint
        assert overlapack.factorize(ulps).report.hint == overlapack.solve(ulps, np.ones(40), report=True)[1].hint == hint
        with pytest.raises(overlapack.BadInput, match=r"differ by more than .* of the largest entries.*: give \(A \+ A\^[TH]\) / 2 where that is"):
            overlapack.factorize(A).refactorize(ulps)
        with pytest.raises(BadPlan, match=r"differ by more than .*: give \(A \+ A\^H?T?\) / 2"):
            overlapack.factorize(ulps, factorization="cholesky")
        assert overlapack.factorize(A).report.hint == ""
        for half in (sparse.triu(A), sparse.tril(A)):
            assert "entries in one triangle alone" in overlapack.factorize(half.tocsc()).report.hint
    other = whole[0].copy()
    other.data[1] *= 1.001
    assert overlapack.factorize(other).report.hint == ""
    assert overlapack.factorize(sparse.eye_array(5, format="csc")).report.hint == ""
