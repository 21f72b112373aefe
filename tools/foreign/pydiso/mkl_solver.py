"""What pymatsolver asks of pydiso."""
import numpy as np

import overlapack

# PARDISO's types of matrices of which it reads the upper triangle, and the keyword that says so
TRIANGLES = {2: "symmetric", -2: "symmetric", 6: "symmetric", 4: "hermitian", -4: "hermitian"}


class MKLPardisoSolver:
    def __init__(self, A, matrix_type=None, factor=True, verbose=False):
        self.keyword = TRIANGLES.get(matrix_type)
        self.factors = None
        self.A = A
        if factor:
            self.refactor(A)

    def refactor(self, A):
        self.A = A
        half = {self.keyword: "upper"} if self.keyword else {}
        self.factors = overlapack.factorize(A.tocsc(), **half)

    def solve(self, rhs, transpose=False):
        if self.factors is None:
            self.refactor(self.A)
        return self.factors.solve(np.asarray(rhs, dtype=np.result_type(rhs, self.A.dtype)), "T" if transpose else "N")


threads = 1


def set_mkl_pardiso_threads(number):
    global threads
    if not isinstance(number, int):
        raise TypeError(f"the number of threads is {number!r}")
    threads = number


def get_mkl_pardiso_max_threads():
    return threads
