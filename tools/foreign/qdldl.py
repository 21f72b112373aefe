"""In the place of qdldl-python: its Solver on overlapack's LDL^T. factors() is not there: L, D and P have no public form."""
import scipy.sparse

import overlapack


class Solver:
    def __init__(self, A, upper=False):
        if A.shape[0] != A.shape[1]:
            raise ValueError("A is not square")
        self.update(A, upper)

    def update(self, A, upper=False):
        half = {"symmetric": "upper"} if upper else {}
        self.factors_ = overlapack.factorize(scipy.sparse.csc_array(A), factorization="ldlt", **half)

    def solve(self, b):
        return self.factors_.solve(b)
