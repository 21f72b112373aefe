"""Loads the compiled library, and its BLAS with it."""
import os

# The threads that OpenBLAS begins while it is loaded sleep at once. They would spin for 0.1 s, though nothing here needs them, and take
# a solve that soon follows 1.7 times as long (decision 0080).
_NAME = "OPENBLAS_THREAD_TIMEOUT"
_IS_OURS = _NAME not in os.environ
if _IS_OURS:
    os.environ[_NAME] = "4"  # spin for 2^4 ticks of the processor's clock
try:
    from . import _core as core
finally:
    if _IS_OURS:
        del os.environ[_NAME]

__all__ = ["core"]
