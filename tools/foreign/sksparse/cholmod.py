"""cholesky(A) and the solve with A, log-determinants included. L, D, P, solves with one factor and updates are not there."""
import numpy as np
import scipy.sparse

import overlapack

_modes = {"auto": 0, "simplicial": 1, "supernodal": 2}
_ordering_methods = {"default": 0, "natural": 1, "amd": 2, "metis": 3}


class CholmodError(Exception):
    pass


class CholmodNotPositiveDefiniteError(CholmodError):
    pass


class Factor:
    """An indefinite matrix is an error of what is asked of its factors, as CHOLMOD has it."""

    def __init__(self, A, ordering):
        known = {"natural": "natural", "amd": "amd", "metis": "metis"}
        self.failure = None
        self.A = A
        try:
            self.given = overlapack.factorize(A, factorization="cholesky", ordering=known.get(ordering, "auto"))
        except (overlapack.BadInput, overlapack.Singular) as error:
            self.failure = error

    @property
    def factors(self):
        if self.failure:
            raise CholmodNotPositiveDefiniteError(str(self.failure)) from self.failure
        return self.given

    def L(self):
        raise NotImplementedError(f"overlapack gives no L of {self.factors}")

    def solve_A(self, b):
        if scipy.sparse.issparse(b):
            return scipy.sparse.csc_array(self.solve_A(b.toarray()))
        b = np.asarray(b)
        if b.dtype.kind == "c" and self.A.dtype.kind != "c":
            raise CholmodError("the factor is real, and the right-hand side complex")
        try:
            return self.factors.solve(b)
        except (overlapack.BadInput, ValueError) as error:
            raise CholmodError(str(error)) from error

    __call__ = solve_A

    def slogdet(self):
        return self.factors.slogdet()

    def logdet(self):
        return self.factors.slogdet()[1]

    def det(self):
        sign, log = self.factors.slogdet()
        return sign * np.exp(log)


def cholesky(A, beta=0, mode="auto", ordering_method="default", use_long=None):
    return Factor(scipy.sparse.csc_array(A + beta * scipy.sparse.eye_array(*A.shape)), ordering_method)


def cholesky_AAt(A, beta=0, mode="auto", ordering_method="default", use_long=None):
    return cholesky(A @ A.conj().T, beta, mode, ordering_method)


def __getattr__(name):
    """The module's other functions are there to be imported, and are not there when they are called."""
    if name.startswith("_"):
        raise AttributeError(name)

    def not_here(*_, **__):
        raise NotImplementedError(f"overlapack has nothing in the place of {name}")

    return not_here
