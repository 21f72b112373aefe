"""In the place of qdldl-python: its Solver on overlapack's LDL^T."""
import numpy as np
import scipy.sparse

import overlapack


class Solver:
    def __init__(self, A, upper=False):
        if A.shape[0] != A.shape[1]:
            raise ValueError("A is not square")
        self.update(A, upper)

    def update(self, A, upper=False):
        self.A = scipy.sparse.csc_array(A)
        self.half = {"symmetric": "upper"} if upper else {}
        self.factors_ = overlapack.factorize(self.A, factorization="ldlt", **self.half)

    def solve(self, b):
        return self.factors_.solve(b)

    def factors(self):
        """(L without its diagonal, the diagonal of D, p): A[p][:, p] = (I + L) D (I + L)^T. QDLDL has no 2x2 pivots, and looks for none."""
        in_order = overlapack.factorize(self.A, factorization="ldlt", pivot_threshold=0.0, matching="off", scaling="off", **self.half)
        L, D, p = in_order.ldlt()
        if (D - scipy.sparse.diags_array(D.diagonal())).count_nonzero():
            raise ValueError("there are 2x2 pivots")
        return scipy.sparse.tril(L, -1, format="csc"), D.diagonal(), np.asarray(p)
