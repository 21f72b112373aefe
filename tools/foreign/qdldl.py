"""In the place of qdldl-python: its Solver on overlapack's LDL^T. factors() is not there: L, D and P have no public form."""
import scipy.sparse

import overlapack


class Solver:
    def __init__(self, A, upper=False):
        A = scipy.sparse.csc_array(A)
        if A.shape[0] != A.shape[1]:
            raise ValueError("A is not square")
        self.upper = upper
        self.factors_ = overlapack.factorize(self.whole(A), factorization="ldlt")

    def whole(self, A):
        A = scipy.sparse.csc_array(A)
        return A + scipy.sparse.triu(A, 1).T if self.upper else A

    def update(self, A, upper=False):
        self.upper = upper
        self.factors_.refactorize(self.whole(A))

    def solve(self, b):
        return self.factors_.solve(b)
