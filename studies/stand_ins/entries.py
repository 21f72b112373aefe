"""Matrices from entries, as all stand-ins are made."""
import numpy as np
import scipy.sparse as sp


class Entries:
    """Entries of a square matrix, in pieces; those of one place are added."""

    def __init__(self):
        self.rows, self.columns, self.values = [], [], []

    def add(self, rows, columns, values):
        """Arrays of one size, of any shape."""
        for pieces, piece in ((self.rows, rows), (self.columns, columns), (self.values, values)):
            pieces.append(np.ravel(piece))

    def add_blocks(self, block_rows, block_columns, blocks):
        """blocks[i] (m x m) at block row block_rows[i] and block column block_columns[i] of a matrix of m x m blocks."""
        m = blocks.shape[1]
        rows = block_rows[:, None, None] * m + np.arange(m)[None, :, None]
        columns = block_columns[:, None, None] * m + np.arange(m)[None, None, :]
        self.add(*np.broadcast_arrays(rows, columns, blocks))

    def matrix(self, n):
        values = np.concatenate(self.values).astype(float)
        return sp.coo_matrix((values, (np.concatenate(self.rows), np.concatenate(self.columns))), shape=(n, n)).tocsc()


def neighbours(axis):
    """Slices of the nodes at the lower and upper ends of all edges along an axis of a grid of three dimensions."""
    lower, upper = [slice(None)] * 3, [slice(None)] * 3
    lower[axis], upper[axis] = slice(0, -1), slice(1, None)
    return tuple(lower), tuple(upper)


def without_small(A, least):
    """A without its entries below `least` times the largest."""
    A.data[abs(A.data) < least * abs(A.data).max()] = 0
    A.eliminate_zeros()
    return A


def canonical(A):
    """Compressed columns, rows ascending, each place once, no zeros."""
    A = sp.csc_matrix(A)
    A.sum_duplicates()
    A.eliminate_zeros()
    A.sort_indices()
    return A
