"""pytest plugin: PyPardiso's Python, with overlapack where it calls MKL's pardiso."""
import ctypes
import os
import types
from unittest import mock

import numpy as np

import overlapack

os.environ["PYPARDISO_MKL_RT"] = "a stand-in for MKL"
with mock.patch.object(ctypes, "CDLL", lambda _: types.SimpleNamespace(pardiso=types.SimpleNamespace())):
    import pypardiso.pardiso_wrapper as wrapper


def call_pardiso(self, A, b):
    """Phase 12 factorises, 33 solves, 13 does both."""
    if self.phase in (12, 13):
        self.factors = overlapack.factorize(A)
    return np.ascontiguousarray(self.factors.solve(b)) if self.phase in (13, 33) else np.zeros_like(b)


wrapper.PyPardisoSolver._call_pardiso = call_pardiso
