"""In the place of klujax: its functions on overlapack.jax. Factors are kept by the values of their matrix, so that what klujax's handles own is
the matrix here, and nothing is freed."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import sparse

import overlapack.jax

jax.config.update("jax_enable_x64", True)

COMPLEX_DTYPES = (np.complex64, np.complex128, jnp.complex64, jnp.complex128)


class KLUHandleManager:
    """of: rows, columns and, with factors, values of the matrix."""

    def __init__(self, handle, free_callable, owner=True, of=()):
        self.handle, self.free_callable, self.of = handle, free_callable, of
        self._owner, self._freed = owner, False

    def close(self):
        self._freed = True


jax.tree_util.register_pytree_node(KLUHandleManager, lambda manager: ((), manager),
                                   lambda one, _: KLUHandleManager(one.handle, one.free_callable, owner=False, of=one.of))


def free_symbolic(symbolic, dependency=None):
    symbolic.close()
    return jnp.array(0, dtype=jnp.int32)


free_numeric = free_symbolic


def _of_each(one, Ai, Aj, Ax, b):
    """one(A, b), b of one column or several, for each matrix and its b; klujax's rules for one matrix, one b, or one of each system."""
    if Ax.ndim not in (1, 2) or b.ndim not in (1, 2, 3):
        raise ValueError(f"Ax has the shape {Ax.shape} and b {b.shape}; give (n_nz) or (n_lhs, n_nz), and (n_col), (n_lhs, n_col) or (n_lhs, n_col, n_rhs)")
    n = b.shape[1] if b.ndim == 3 or (b.ndim == 2 and Ax.ndim == 2) else b.shape[0]
    kind = jnp.result_type(Ax.dtype, b.dtype, jnp.float64)

    def call(values, sides):
        return one(sparse.BCOO((values.astype(kind), jnp.stack([Ai, Aj], axis=1)), shape=(n, n)), sides.astype(kind))

    of_A = 0 if Ax.ndim == 2 and Ax.shape[0] > 1 else None
    of_b = 0 if b.ndim == 3 or (b.ndim == 2 and Ax.ndim == 2) else None
    if of_A is None and Ax.ndim == 2:
        Ax = Ax[0]
    if of_A is None and of_b is None:
        return call(Ax, b)
    return jax.vmap(call, (of_A, of_b))(Ax, b)


def solve(Ai, Aj, Ax, b):
    return _of_each(overlapack.jax.solve, Ai, Aj, Ax, b)


def dot(Ai, Aj, Ax, x):
    return _of_each(lambda A, side: jnp.zeros_like(side).at[A.indices[:, 0]].add(A.data.reshape(-1, *[1] * (side.ndim - 1)) * side[A.indices[:, 1]]),
                    Ai, Aj, Ax, x)


def coalesce(Ai, Aj, Ax):
    """Entries at one place are summed; sorted by rows."""
    with jax.ensure_compile_time_eval():
        places, group = np.unique(np.stack([Ai, Aj]), axis=1, return_inverse=True)
    sums = jnp.zeros((*Ax.shape[:-1], places.shape[1]), Ax.dtype).at[..., group.ravel()].add(Ax)
    return jnp.asarray(places[0]), jnp.asarray(places[1]), sums


def analyze(Ai, Aj, n_col):
    return KLUHandleManager(jnp.array(n_col, dtype=jnp.uint64), free_symbolic, of=(Ai, Aj))


def factor(Ai, Aj, Ax, symbolic):
    return KLUHandleManager(symbolic.handle, free_numeric, of=(Ai, Aj, Ax))


def refactor(Ai, Aj, Ax, numeric, symbolic):
    return KLUHandleManager(numeric.handle, free_numeric, owner=False, of=(Ai, Aj, Ax))


def solve_with_symbol(Ai, Aj, Ax, b, symbolic):
    return solve(Ai, Aj, Ax, b)


def tsolve_with_symbol(Ai, Aj, Ax, b, symbolic):
    return solve(Aj, Ai, Ax, b)


def solve_with_numeric(numeric, b, symbolic):
    return solve(*numeric.of, b)


def tsolve_with_numeric(numeric, b, symbolic):
    return tsolve_with_symbol(*numeric.of, b, symbolic)


def refactor_and_solve(Ai, Aj, Ax, b, numeric, symbolic):
    other = refactor(Ai, Aj, Ax, numeric, symbolic)
    return solve_with_numeric(other, b, symbolic), other
