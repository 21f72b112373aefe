"""The end of the interpreter while daemon threads are inside of the library: exit code 0, and nothing said."""
import subprocess
import sys

import pytest

SYSTEM = """
import sys, threading, time
import numpy as np, overlapack
from scipy import sparse
line = sparse.diags_array([-np.ones(39), 2.5 * np.ones(40), -np.ones(39)], offsets=[-1, 0, 1])
A = sparse.kronsum(line, line).tocsc()
b = np.ones(1600)
def start(work, count=1):
    began = threading.Barrier(count + 1)
    def loop():
        began.wait()
        while True:
            work()
    for _ in range(count):
        threading.Thread(target=loop, daemon=True).start()
    began.wait()
    time.sleep(0.2)
"""

#: what the threads do, over and over
WORK = {
    "solves": "f = overlapack.factorize(A); start(lambda: f.solve(b))",
    "solves of several": "f = overlapack.factorize(A); start(lambda: f.solve(b), 4)",
    "solves, each with its own": "start(lambda: overlapack.solve(A, b), 3)",
    "factorisations on several ranks": "start(lambda: overlapack.factorize(A, ranks=2, method='multifrontal'))",
    "options": "start(lambda: overlapack.factorize(A, ordering='amd', time_limit=100.0))",
    "refactorisations": "f = overlapack.factorize(A); start(lambda: f.refactorize(A))",
    "dense": "start(lambda: overlapack.solve(A.toarray()[:100, :100], b[:100]))",
    "iterations": "start(lambda: overlapack.solve(A, b, method='jacobi', tolerance=1e-3))",
    "errors": """
def fail():
    try:
        overlapack.solve(sparse.csc_array((5, 5)), np.ones(5))
    except overlapack.Singular:
        pass
start(fail, 2)""",
    "progress": "start(lambda: overlapack.factorize(A, progress=lambda phase, share: None))",
    "a callback that waits": "start(lambda: overlapack.factorize(A, progress=lambda phase, share: time.sleep(100)))",
    "a callback that computes": "start(lambda: overlapack.factorize(A, progress=lambda phase, share: sum(range(10**6)) < 0), 2)",
    "a callback of several ranks": "start(lambda: overlapack.factorize(A, ranks=3, method='multifrontal', progress=lambda phase, share: time.sleep(0.01)))",
    "a callback that solves": "f = overlapack.factorize(A); start(lambda: overlapack.factorize(A, progress=lambda phase, share: f.solve(b) is None))",
    "a large dense product": "D = np.random.default_rng(1).uniform(size=(1500, 1500)); start(lambda: overlapack.lu_factor(D, ranks=2))",
}


#: the process goes on for so many seconds, its exit code, after the interpreter has ended
LATE = """
import ctypes
ctypes.CDLL(None).on_exit(ctypes.CDLL(None).sleep, None)
D = np.random.default_rng(1).uniform(size=(2500, 2500))
start(lambda: WORK)
sys.exit(2)
"""


@pytest.mark.parametrize(
    "work",
    [
        "overlapack.lu_factor(D, ranks=1, progress=lambda phase, share: None)",
        "overlapack.factorize(A, ranks=2, method='multifrontal')",
        "overlapack.solve(A, b, method='jacobi', tolerance=1e-12)",
    ],
)
def test_a_call_may_outlive_the_interpreter(work):
    done = subprocess.run([sys.executable, "-c", SYSTEM + LATE.replace("WORK", work)], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


def test_finalisers_may_call():
    """On the thread that ends the interpreter; what makes arrays of NumPy does not come that far in Python."""
    code = """
class Last:
    def __init__(self, act):
        self.act = act
    def __del__(self):
        self.act()
f = overlapack.factorize(A, progress=lambda phase, share: None)
def act(f=f, A=A, print=print):
    print(f.refactorize(A) is f, f.rcond() > 0)
last = Last(act)
last.itself = last  # a cycle, which the collector finds at the end
import builtins
builtins.kept = Last(act)
"""
    done = subprocess.run([sys.executable, "-c", SYSTEM + code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "True True\n" * 2), done.stderr


@pytest.mark.parametrize("name", WORK)
def test_daemon_threads_do_not_end_the_process(name):
    for _ in range(3):  # the moment is another one each time
        done = subprocess.run([sys.executable, "-c", SYSTEM + WORK[name]], capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
