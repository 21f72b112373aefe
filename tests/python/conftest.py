"""Matrices that the tests share; everything is random with a fixed seed, and small."""
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

sys.path.append(str(Path(__file__).resolve().parent.parent))  # launch.py


@pytest.fixture
def rng():
    return np.random.default_rng(20010101)


@pytest.fixture
def make_matrix(rng):
    """make_matrix(n, dtype): a sparse nonsymmetric matrix with a strong diagonal, condition number below 100."""

    def make(n, dtype=np.float64):
        A = sparse.random(n, n, density=min(1.0, 5 / n), random_state=rng, format="csr", dtype=np.float64)
        if np.dtype(dtype).kind == "c":
            A = A + 1j * sparse.random(n, n, density=min(1.0, 3 / n), random_state=rng, format="csr")
        diagonal = 1 + np.asarray(abs(A).sum(axis=1)).ravel()
        return sparse.csr_array(A + sparse.diags(diagonal)).astype(dtype)

    return make


def tolerance(A, x):
    """A bound on |A x - b| for a backward stable solve: c n eps |A| |x|, c = 10 for refinement's last residual."""
    n = A.shape[0]
    eps = np.finfo(x.dtype).eps
    norm = abs(A).sum(axis=1).max() if hasattr(A, "tocsr") else np.abs(A).sum(axis=1).max()
    return 10 * n * eps * float(norm) * float(np.abs(x).max())


@pytest.fixture
def assert_solves():
    """assert_solves(A, x, b): the residual of x is that of a backward stable solve."""

    def check(A, x, b):
        dense = A.toarray() if hasattr(A, "toarray") else np.asarray(A)
        b = np.asarray(b)
        assert x.shape == b.shape
        residual = np.abs(dense.astype(x.dtype) @ x - b).max()
        assert residual <= tolerance(A, x)

    return check
