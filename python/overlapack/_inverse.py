"""Entries of the inverse of a sparse matrix, samples and the determinant's logarithm."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import BadInput
from ._factors import warn_of_answer
from ._half import sample_count, white_noise
from ._matrix import csc_array, whole_numbers
from ._ranks import Facts
from ._triangles import SparseTriangles


def told(answer: Any, warning: str, status: str) -> Any:
    """The answer, after its warning."""
    warn_of_answer(warning, status)
    return answer


class SparseInverse(SparseTriangles):
    """What is asked of A^-1 beyond its product with a vector."""

    def sample(self, mean: Any = None, rng: Any = None, k: int | None = None) -> np.ndarray:
        """Samples of the normal distribution with the precision matrix A.

        Their covariance is A^-1: of a Gaussian Markov random field, say. For the
        covariance A take ``mean + half().multiply(z)`` of white noise z.

        Parameters
        ----------
        mean : array_like, optional
            n numbers; by default zeros.
        rng : int or numpy.random.Generator, optional
            As of numpy.random.default_rng; the same seed gives the same samples.
        k : int, optional
            Their number; by default one.

        Returns
        -------
        ndarray
            n numbers, or n x k where k is given.

        Raises
        ------
        BadInput
            A is not positive definite.
        BadPlan, Singular
            As `ldlt`.

        Examples
        --------
        >>> import numpy as np, overlapack
        >>> from scipy.sparse import csc_array
        >>> factors = overlapack.factorize(csc_array([[4.0, 0.0], [0.0, 1.0]]))
        >>> factors.sample([1.0, 2.0], rng=7, k=100000).std(axis=1).round(1)
        array([0.5, 1. ])
        """
        columns = sample_count(k)
        half = self.half()
        n = half.shape[0]
        center = np.zeros(n) if mean is None else np.asarray(mean)
        if center.shape != (n,):
            raise BadInput(f"mean has the shape {center.shape}; for this A it must be ({n},)", "python")
        X = half.solve_adjoint(white_noise(rng, n, columns, self.dtype)) + center[:, np.newaxis]
        return X[:, 0] if k is None else X

    def logdet(self) -> float:
        """log det A of a matrix whose determinant is positive; it does not overflow.

        Raises
        ------
        BadInput
            The determinant is not positive; `slogdet` has its sign.

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> overlapack.factorize(csc_array([[4.0, 0.0], [0.0, 9.0]])).logdet()
        3.58351893845611
        """
        sign, logarithm = self.slogdet()
        if not (np.real(sign) > 0 and np.imag(sign) == 0):
            raise BadInput(f"the determinant has the sign {sign}, and no logarithm; slogdet has both", "python")
        return float(logarithm)

    def inverse_entries(self, rows: Any, cols: Any) -> np.ndarray:
        """Entries of the inverse of A, by what is least work.

        Parameters
        ----------
        rows, cols : array_like of int
            Which entries; they are broadcast against each other.

        Returns
        -------
        ndarray
            Entry (rows[k], cols[k]) of A^-1 at k.

        Raises
        ------
        Singular
            A has no inverse.
        BadPlan
            Pivots were replaced or factors compressed: these are of another matrix.

        Warns
        -----
        IllConditionedWarning
            A is nearly singular, and the entries may be far off; solve for their columns.

        Notes
        -----
        Entries at places (cols[k], rows[k]) that the factors fill are computed from the
        last front down, in about two factorisations' time however many they are. Few
        entries, and those at other places, take a solve for each column; where these
        are many, A is factorised once more with their places in its pattern.

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> factors = overlapack.factorize(csc_array([[2.0, 1.0], [0.0, 4.0]]))
        >>> factors.inverse_entries([0, 1], [0, 1])
        array([0.5 , 0.25])
        """

        def look() -> tuple[Facts, Any]:
            row, col = np.broadcast_arrays(whole_numbers(rows, "rows"), whole_numbers(cols, "cols"))
            return {"shape": list(row.shape)}, (np.ascontiguousarray(row.ravel()), np.ascontiguousarray(col.ravel()))

        facts, (row, col) = self._ranks.agree(look)
        return told(*self._factors.inverse_entries(row, col)).reshape(facts["shape"])

    def inverse_diagonal(self) -> np.ndarray:
        """The diagonal of the inverse: variances, where A is a precision matrix.

        Raises
        ------
        Singular, BadPlan
            As `inverse_entries`.

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> overlapack.factorize(csc_array([[2.0, 1.0], [0.0, 4.0]])).inverse_diagonal()
        array([0.5 , 0.25])
        """
        self._ranks.meet()
        return told(*self._factors.inverse_diagonal())

    def selected_inverse(self) -> Any:
        """The inverse where A^T has entries, and on its diagonal.

        Returns
        -------
        scipy.sparse.csc_array
            Entry (j, i) of A^-1 for each entry (i, j) of A; of a symmetric A that is
            A's own pattern. Empty on ranks other than 0.

        Raises
        ------
        Singular, BadPlan
            As `inverse_entries`; BadPlan also after distributed=True.

        Notes
        -----
        For gradients: d log|det A| / dA_ij is entry (j, i) of A^-1.

        Examples
        --------
        >>> import overlapack
        >>> from scipy.sparse import csc_array
        >>> Z = overlapack.factorize(csc_array([[2.0, 1.0], [0.0, 4.0]])).selected_inverse()
        >>> Z.toarray()
        array([[0.5 , 0.  ],
               [0.  , 0.25]])
        """
        self._ranks.meet()
        start, row, value = told(*self._factors.selected_inverse())
        n = len(start) - 1 if len(start) else 0
        return csc_array(n, n, start, row, value)
