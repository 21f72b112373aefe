"""L, D and P of a symmetric matrix, and solves and products with each of them."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._errors import BadInput
from ._matrix import require_range, right_hand_sides


def is_fit(x: Any, dtype: np.dtype) -> bool:
    """Whether x can be solved for in place."""
    return isinstance(x, np.ndarray) and x.dtype == dtype and x.ndim in (1, 2) and x.flags.f_contiguous and x.flags.writeable


def unfit(x: Any, dtype: np.dtype) -> BadInput:
    """The reason why x cannot be solved for in place, for the error message."""
    what = f"an array of {x.dtype}, shape {x.shape}" if isinstance(x, np.ndarray) else type(x).__name__
    return BadInput(f'x is {what}; what is solved in place is a writable ndarray of {dtype}, (n,) or (n, k) with order="F"', "python")


class LdltFactors(NamedTuple):
    """A[perm][:, perm] = L @ D @ L.T; of a Hermitian A L @ D @ L.conj().T.

    L is unit lower triangular, D is block diagonal with blocks of order 1 and 2; both are
    scipy.sparse.csc_array. They are factors of A itself, without its scaling."""

    L: Any
    D: Any
    perm: np.ndarray


class CholeskyFactors(NamedTuple):
    """A[perm][:, perm] = L @ L.conj().T, of a positive definite A; L is a
    scipy.sparse.csc_array."""

    L: Any
    perm: np.ndarray


class HalfFactors:
    """Applies each factor of a symmetric or Hermitian A by itself; made by `Factorization.half`.

    With L, D and P of `Factorization.ldlt`, A = P^T L D L^H P, and A^-1 b is
    half.solve_Lt(half.solve_D(half.solve_L(b))). Of a positive definite A there is
    H = P^T L D^(1/2) with A = H H^H: `multiply`, `solve` and `solve_adjoint` are with
    H, H^-1 and H^-H. Of white noise z, multiply(z) has the covariance A, and
    solve_adjoint(z) the covariance A^-1.

    All methods take n numbers, or n x k, and return a new array. Results are not refined.
    For a complex symmetric A (not Hermitian) read T for H; it has no `multiply`, `solve`
    and `solve_adjoint`.

    Examples
    --------
    >>> import overlapack
    >>> from scipy.sparse import csc_array
    >>> half = overlapack.factorize(csc_array([[4.0, 2.0], [2.0, 5.0]])).half()
    >>> half.solve_Lt(half.solve_D(half.solve_L([8.0, 7.0]))).round(12)
    array([1.625, 0.75 ])
    """

    def __init__(self, half: Any, n: int, dtype: np.dtype) -> None:
        self._half = half
        #: (n, n)
        self.shape = (n, n)
        self.dtype = dtype

    def __copy__(self) -> HalfFactors:
        return self

    def __deepcopy__(self, memo: Any) -> HalfFactors:
        return self

    def __reduce__(self) -> Any:
        raise TypeError("half of a matrix cannot be pickled; its factors go to a file by save, come back by load_factors and give another one")

    def _apply(self, name: str, b: Any) -> np.ndarray:
        B, shape = right_hand_sides(b, self.shape[0])
        if B.dtype.kind == "c" and self.dtype.kind != "c":
            return self._apply(name, B.real.reshape(shape)) + 1j * self._apply(name, B.imag.reshape(shape))
        require_range(B, self.dtype, "what is given")
        x = getattr(self._half, name)(np.asfortranarray(B, dtype=self.dtype))
        return x.reshape(B.shape, order="F").reshape(shape)

    def substitute(self, x: np.ndarray) -> None:
        """x <- A^-1 x in place: the shortest call there is, for many solves with one
        matrix (ADMM, preconditioners).

        It is neither refined nor checked for NaN, and nothing is copied or reported.

        Parameters
        ----------
        x : ndarray
            n numbers of the factors' type, or n x k by columns (order="F").
        """
        try:
            self._half.substitute(x)
        except TypeError:
            raise unfit(x, self.dtype) from None

    def solve_L(self, b: Any) -> np.ndarray:
        """Compute L^-1 P b; the result is in the order of elimination."""
        return self._apply("solve_l", b)

    def solve_D(self, b: Any) -> np.ndarray:
        """Compute D^-1 b; b and the result are in the order of elimination."""
        return self._apply("solve_d", b)

    def solve_Lt(self, b: Any) -> np.ndarray:
        """Compute P^T L^-H b; b is in the order of elimination."""
        return self._apply("solve_lt", b)

    def multiply(self, x: Any) -> np.ndarray:
        """H x.

        Raises
        ------
        BadInput
            A is not positive definite; the message names an unknown.
        """
        return self._apply("multiply", x)

    def solve(self, b: Any) -> np.ndarray:
        """Compute H^-1 b, which is white noise if b has the covariance A; errors as `multiply`."""
        return self._apply("solve", b)

    def solve_adjoint(self, b: Any) -> np.ndarray:
        """Compute H^-H b, which has the covariance A^-1 if b is white noise; errors as `multiply`."""
        return self._apply("solve_adjoint", b)


def white_noise(rng: Any, n: int, k: int, dtype: np.dtype) -> np.ndarray:
    """n x k independent numbers of mean 0 and variance 1; complex ones have half of it in each part."""
    source = np.random.default_rng(rng)
    if dtype.kind != "c":
        return source.standard_normal((n, k)).astype(dtype)
    parts = source.standard_normal((2, n, k)) / np.sqrt(2)
    return (parts[0] + 1j * parts[1]).astype(dtype)


def sample_count(k: int | None) -> int:
    if k is None:
        return 1
    if not isinstance(k, (int, np.integer)) or isinstance(k, bool) or k < 0:
        raise BadInput(f"k is {k!r}; give the number of samples", "python")
    return int(k)
