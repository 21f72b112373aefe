"""How a matrix is distributed to the ranks of a communicator."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._errors import BadInput


@dataclass(frozen=True)
class Layout:
    """A block-cyclic distribution over a P x Q grid of ranks, as in ScaLAPACK.

    Blocks have block x block entries. Block (i, j) is on process row (i + first[0]) % P and
    process column (j + first[1]) % Q. With order "row" rank r is on process row r // Q,
    with "column" on process row r % P; ranks from P Q on have no part. A rank's part has
    its rows and columns in ascending order, as layout.part(A, rank) returns it.
    """

    shape: tuple[int, int]
    block: int
    grid: tuple[int, int]
    order: str = "row"
    first: tuple[int, int] = (0, 0)

    @classmethod
    def from_descriptor(cls, desc: Any, grid: tuple[int, int], order: str = "row") -> Layout:
        """Make a layout from ScaLAPACK's array descriptor of 9 integers. grid and order describe its context."""
        kind, _, rows, cols, row_block, col_block, first_row, first_col, _ = map(int, desc)
        if kind != 1 or row_block != col_block:
            raise BadInput(f"the descriptor has type {kind} and blocks of {row_block} x {col_block}; give type 1, square blocks")
        return cls((rows, cols), row_block, grid, order, (first_row, first_col))

    def rows(self, rank: int) -> np.ndarray:
        """The numbers of the rows that a rank has entries of."""
        return self._distributed(0, self._place(rank))

    def cols(self, rank: int) -> np.ndarray:
        """The numbers of the columns that a rank has entries of."""
        return self._distributed(1, self._place(rank))

    def part(self, A: Any, rank: int) -> np.ndarray:
        """A rank's part of the whole A, by columns."""
        return np.asfortranarray(np.asarray(A)[np.ix_(self.rows(rank), self.cols(rank))])

    def _place(self, rank: int) -> tuple[int, int] | None:
        P, Q = self.grid
        if rank >= P * Q:
            return None
        return (rank // Q, rank % Q) if self.order == "row" else (rank % P, rank // P)

    def _distributed(self, axis: int, place: tuple[int, int] | None) -> np.ndarray:
        number = np.arange(self.shape[axis])
        if place is None:
            return number[:0]
        return number[(number // self.block + self.first[axis]) % self.grid[axis] == place[axis]]

    def _numbers(self) -> tuple[int, int, int, int, int, bool, int, int]:
        if self.order not in ("row", "column"):
            raise BadInput(f'the order of a layout is {self.order!r}; give "row" or "column"')
        return (*self.shape, self.block, *self.grid, self.order == "row", *self.first)
