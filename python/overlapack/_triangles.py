"""The factors of a sparse matrix as matrices."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._errors import BadInput
from ._factors import DirectFactors
from ._half import CholeskyFactors, HalfFactors, LdltFactors
from ._matrix import csc_array


class TriangularFactors(NamedTuple):
    """The whole factors L and U as matrices, as those of scipy.sparse.linalg.SuperLU.

    A[argsort(perm_r)][:, argsort(perm_c)] = L @ U.

    Row i of A is row perm_r[i] of L, column j is column perm_c[j] of U; L has ones on
    its diagonal. L and U are scipy.sparse.csc_array."""

    L: Any
    U: Any
    perm_r: np.ndarray
    perm_c: np.ndarray


class SparseTriangles(DirectFactors):
    """L, U, D and their permutations; half of a symmetric matrix."""

    _triangles: TriangularFactors | None = None
    _half: HalfFactors | None = None

    def close(self) -> None:
        self._triangles = self._half = None
        super().close()

    def triangular_factors(self) -> TriangularFactors:
        """Return L and U as matrices, with their permutations; solves do not need them.

        They are made on first use and kept until `refactorize`. They are a copy of the
        factors. If these are not LU by fronts of one rank in memory, such as LDL^T of a
        symmetric matrix, A is factorised once more. All ranks call it; ranks other than 0
        get empty matrices.

        Returns
        -------
        TriangularFactors

        Raises
        ------
        Singular
            A pivot is zero.

        Examples
        --------
        >>> import numpy as np, overlapack
        >>> from scipy.sparse import csc_array
        >>> A = csc_array([[2.0, 1.0], [1.0, 4.0]])
        >>> L, U, perm_r, perm_c = overlapack.factorize(A).triangular_factors()
        >>> (L @ U - A[np.argsort(perm_r)][:, np.argsort(perm_c)]).toarray()
        array([[0., 0.],
               [0., 0.]])
        """
        if self._triangles is None:
            self._ranks.meet()
            L, U, perm_r, perm_c = self._factors.triangular_factors()
            n = len(perm_r)
            self._triangles = TriangularFactors(csc_array(n, n, *L), csc_array(n, n, *U), perm_r, perm_c)
        return self._triangles

    @property
    def L(self) -> Any:
        """The unit lower triangle of `triangular_factors`."""
        return self.triangular_factors().L

    @property
    def U(self) -> Any:
        """The upper triangle of `triangular_factors`."""
        return self.triangular_factors().U

    @property
    def perm_r(self) -> np.ndarray:
        """Row i of A is row perm_r[i] of L, see `triangular_factors`."""
        return self.triangular_factors().perm_r

    @property
    def perm_c(self) -> np.ndarray:
        """Column j of A is column perm_c[j] of U, see `triangular_factors`."""
        return self.triangular_factors().perm_c

    def ldlt(self) -> LdltFactors:
        """Return L, D and the order of elimination of a symmetric or Hermitian A.

        Each call makes them anew. They are a copy of the factors. If these are not by
        fronts of one rank in memory, A is factorised once more. All ranks call it; ranks
        other than 0 get empty matrices.

        Returns
        -------
        LdltFactors
            A[perm][:, perm] = L @ D @ L.T, of a Hermitian A L @ D @ L.conj().T.

        Raises
        ------
        BadPlan
            A is not symmetric or Hermitian.
        Singular
            A pivot is null or was replaced.

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> A = csc_array([[4.0, 2.0], [2.0, 5.0]])
        >>> L, D, perm = overlapack.factorize(A).ldlt()
        >>> bool(abs(A[perm][:, perm] - L @ D @ L.T).max() < 1e-15)
        True
        """
        self._ranks.meet()
        L, D, place = self._factors.symmetric_factors()
        n = len(place)
        return LdltFactors(csc_array(n, n, *L), csc_array(n, n, *D), np.argsort(place))

    def cholesky(self) -> CholeskyFactors:
        """Return L and the order of elimination of a positive definite A, also from factors L D L^T.

        Returns
        -------
        CholeskyFactors
            A[perm][:, perm] = L @ L.conj().T.

        Raises
        ------
        BadInput
            A is not positive definite.
        BadPlan, Singular
            As `ldlt`.

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> overlapack.factorize(csc_array([[4.0, 0.0], [0.0, 9.0]])).cholesky().L.diagonal()
        array([2., 3.])
        """
        L, D, perm = self.ldlt()
        pivot = D.diagonal().real
        if D.nnz > len(perm):
            raise BadInput("D has blocks of order 2, which Cholesky has not; factorise with factorization=\"cholesky\"", "python")
        if len(perm) and not pivot.min() > 0:
            unknown = perm[pivot.argmin()]
            raise BadInput(f"the matrix is not positive definite: the pivot of unknown {unknown} (from 0) is not positive", "python")
        L.data *= np.repeat(np.sqrt(pivot), np.diff(L.indptr)).astype(L.dtype)
        return CholeskyFactors(L, perm)

    def half(self) -> HalfFactors:
        """Return the factors of a symmetric or Hermitian A, to solve and multiply with each of them.

        They are a copy of the factors of `ldlt`, made once and kept until `refactorize`.
        All ranks call it; ranks other than 0 get an object of order 0.

        Raises
        ------
        BadPlan, Singular
            As `ldlt`.

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> half = overlapack.factorize(csc_array([[4.0, 0.0], [0.0, 9.0]])).half()
        >>> half.multiply([1.0, 1.0])
        array([2., 3.])
        """
        if self._half is None:
            self._ranks.meet()
            half = self._factors.half()
            self._half = HalfFactors(half, half.order(), self.dtype)
        return self._half
