"""In the place of sksparse.cholmod: A[P][:, P] = L L^H = L D L^H by overlapack's Cholesky. Updates of factors are not there."""
import numpy as np
import scipy.sparse
import scipy.sparse.linalg

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
        self.ordering = ordering if ordering in ("natural", "amd", "metis") else "auto"
        self.analysis = overlapack.analyse(A, factorization="cholesky", ordering=self.ordering)
        self.failure = CholmodError("there is an analysis, and no factor")
        self.A = A

    def cholesky_inplace(self, A, beta=0):
        A = shifted(A, beta)
        self.A, self.failure = A, None
        try:
            self.given = overlapack.factorize(A, analysis=self.analysis, factorization="cholesky")
            self.parts = None
        except (overlapack.BadInput, overlapack.Singular) as error:
            self.failure = CholmodNotPositiveDefiniteError(str(error))

    def cholesky_AAt_inplace(self, A, beta=0):
        self.cholesky_inplace(A @ A.conj().T, beta)

    def cholesky(self, A, beta=0):
        other = Factor.__new__(Factor)
        other.ordering, other.analysis = self.ordering, self.analysis
        other.cholesky_inplace(A, beta)
        return other

    def cholesky_AAt(self, A, beta=0):
        return self.cholesky(A @ A.conj().T, beta)

    @property
    def factors(self):
        if self.failure:
            raise self.failure
        return self.given

    def made(self):
        """(L, perm), made once."""
        if self.failure:
            raise self.failure
        if self.parts is None:
            self.parts = self.given.cholesky()
        return self.parts

    def P(self):
        return np.asarray(self.analysis.order() if self.failure else self.made().perm)

    def L(self):
        return scipy.sparse.csc_matrix(self.made().L)

    def D(self):
        return np.abs(self.L().diagonal()) ** 2

    def L_D(self):
        L = self.L()
        return scipy.sparse.csc_matrix(L @ scipy.sparse.diags_array(1 / L.diagonal())), scipy.sparse.csc_matrix(scipy.sparse.diags_array(self.D()))

    def LD(self):
        """D on the diagonal of L."""
        L, D = self.L_D()
        return scipy.sparse.csc_matrix(scipy.sparse.tril(L, -1) + D)

    def apply_P(self, b):
        return self.checked(b)[self.made().perm]

    def apply_Pt(self, b):
        return self.checked(b)[np.argsort(self.made().perm)]

    def checked(self, b):
        return b if scipy.sparse.issparse(b) else np.asarray(b)

    def triangle(self, b, of, lower):
        self.made()
        wide = b.toarray() if scipy.sparse.issparse(b) else np.asarray(b, dtype=self.A.dtype)
        x = scipy.sparse.linalg.spsolve_triangular(scipy.sparse.csr_array(of()), wide, lower=lower)
        return scipy.sparse.csc_matrix(x) if scipy.sparse.issparse(b) else x

    def solve_L(self, b, use_LDLt_decomposition=True):
        return self.triangle(b, lambda: self.L_D()[0] if use_LDLt_decomposition else self.L(), True)

    def solve_Lt(self, b, use_LDLt_decomposition=True):
        return self.triangle(b, lambda: (self.L_D()[0] if use_LDLt_decomposition else self.L()).conj().T, False)

    def solve_D(self, b):
        self.made()
        D = self.D()
        return (b.T / D).T if not scipy.sparse.issparse(b) else scipy.sparse.csc_matrix(scipy.sparse.diags_array(1 / D) @ b)

    def solve_LD(self, b):
        return self.solve_D(self.solve_L(b))

    def solve_DLt(self, b):
        return self.solve_Lt(self.solve_D(b))

    def solve_LDLt(self, b):
        return self.solve_Lt(self.solve_LD(b))

    def solve_A(self, b):
        if scipy.sparse.issparse(b):
            return scipy.sparse.csc_array(self.solve_A(b.toarray()))
        b = np.asarray(b)
        if b.dtype.kind == "c" and self.A.dtype.kind != "c":
            raise CholmodError("the factor is real, and the right-hand side complex")
        factors = self.factors
        try:
            return factors.solve(b)
        except (overlapack.BadInput, ValueError) as error:
            raise CholmodError(str(error)) from error

    __call__ = solve_A

    def inv(self):
        return scipy.sparse.csc_matrix(self.solve_A(np.eye(self.A.shape[0], dtype=self.A.dtype)))

    def slogdet(self):
        return self.factors.slogdet()

    def logdet(self):
        return self.factors.slogdet()[1]

    def det(self):
        sign, log = self.factors.slogdet()
        return sign * np.exp(log)


def shifted(A, beta):
    A = scipy.sparse.csc_array(A)
    return A + beta * scipy.sparse.eye_array(*A.shape) if beta else A


def analyze(A, mode="auto", ordering_method="default", use_long=None):
    return Factor(scipy.sparse.csc_array(A), ordering_method)


def analyze_AAt(A, mode="auto", ordering_method="default", use_long=None):
    return analyze(A @ A.conj().T, mode, ordering_method)


def cholesky(A, beta=0, mode="auto", ordering_method="default", use_long=None):
    factor = analyze(shifted(A, beta), mode, ordering_method)
    factor.cholesky_inplace(A, beta)
    return factor


def cholesky_AAt(A, beta=0, mode="auto", ordering_method="default", use_long=None):
    return cholesky(A @ A.conj().T, beta, mode, ordering_method)


def __getattr__(name):
    """The module's other functions are there to be imported, and are not there when they are called."""
    if name.startswith("_"):
        raise AttributeError(name)

    def not_here(*_, **__):
        raise NotImplementedError(f"overlapack has nothing in the place of {name}")

    return not_here
