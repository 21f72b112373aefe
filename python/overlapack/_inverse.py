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
    """Answers about A^-1 beyond its product with a vector."""

    def sample(self, mean: Any = None, rng: Any = None, k: int | None = None) -> np.ndarray:
        """Draw samples of the normal distribution with the precision matrix A.

        Their covariance is A^-1, as for a Gaussian Markov random field. For the
        covariance A take ``mean + half().multiply(z)`` with white noise z.

        Parameters
        ----------
        mean : array_like, optional
            n numbers; by default zeros.
        rng : int or numpy.random.Generator, optional
            As of numpy.random.default_rng; the same seed gives the same samples.
        k : int, optional
            The number of samples; by default one.

        Returns
        -------
        ndarray
            n numbers, or n x k if k is given.

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
        """Compute log det A of a matrix with a positive determinant; it does not overflow.

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
        """Compute entries of the inverse of A, by the way with the least work.

        Parameters
        ----------
        rows, cols : array_like of int
            Positions of the entries; the two arrays are broadcast against each other.

        Returns
        -------
        ndarray
            Entry (rows[k], cols[k]) of A^-1 at k.

        Raises
        ------
        Singular
            A has no inverse.
        BadPlan
            Pivots were replaced or factors compressed, so that they belong to another
            matrix.

        Warns
        -----
        IllConditionedWarning
            A is nearly singular, and the entries may be far off; solve for their columns.

        Notes
        -----
        If the pattern of the factors includes the positions (cols[k], rows[k]), the
        entries are computed from the root front down, in about the time of two
        factorisations, whatever their number. Few entries, and those at other positions,
        take a solve for each column. If these columns are many, A is factorised once more
        with these positions in its pattern.

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
        """Compute the diagonal of the inverse; these are variances if A is a precision matrix.

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
        """Compute the selected inverse: the entries of A^-1 where A^T has entries, and the diagonal.

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
