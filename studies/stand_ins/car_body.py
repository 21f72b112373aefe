"""bmw3_2_like, in the place of BMW3_2 (order 227,362, 5,757,996 entries of the lower triangle): a car's body with a solid part.

Physics: fourteen curved panels of flat shells (six unknowns a node), each welded to the next one by stiff springs, and a hollow
block of bricks (three unknowns a node), tied to them in 60 places at random; Young's modulus 1 and 0.01; 40 nodes are held.
Alike: shells and solids in one structure, parts that few couplings join, symmetric positive definite, badly conditioned.
Not alike: panels are squares of equal size; there are 16 % more entries.
Order 235,914, 13,042,182 entries in all."""
import numpy as np
import scipy.sparse as sp

from .bricks import solid
from .entries import Entries
from .shells import held_by, shell

WELD, TIE, MOUNT = 1e-2, 1e-3, 1e-3  # springs
TIES, MOUNTS = 60, 40


def panels(random, count, m):
    """(points, quadrilaterals, thickness) of `count` curved panels of m x m quadrilaterals side by side, which share no points."""
    a, b = np.meshgrid(np.arange(m + 1), np.arange(m + 1), indexing="ij")
    first = (a[:-1, :-1] * (m + 1) + b[:-1, :-1]).ravel()
    of_panel = np.stack([first, first + m + 1, first + m + 2, first + 1], 1)
    points, thickness = [], []
    for p in range(count):
        surface = 0.25 * np.sin(1.3 * a / m + p) + 0.15 * np.cos(2 * b / m)
        x = np.stack([a / m + p * 1.0, b / m * 1.0, surface], -1).reshape(-1, 3)
        points.append(x + 0.0005 * random.standard_normal(x.shape))
        thickness.append(np.full(m * m, 0.008 * np.exp(0.5 * random.standard_normal())))
    quadrilaterals = np.concatenate([of_panel + p * (m + 1) ** 2 for p in range(count)])
    return np.concatenate(points), quadrilaterals, np.concatenate(thickness)


def hollow_block(random, size, wall):
    """Stiffness of a block of bricks with a hollow inside, held nowhere."""
    is_filled = np.ones(size, bool)
    inside = slice(wall[0], -wall[0]), slice(wall[1], -wall[1]), slice(wall[1], -wall[1])
    is_filled[inside] = False
    return solid(is_filled, 1, 0.5 * np.exp(0.3 * random.standard_normal(size)), lambda coordinates: np.zeros(len(coordinates), bool)) * 0.02


def tie(entries, a, b, stiffness):
    """Springs between unknowns a and b."""
    for row, column, value in ((a, a, stiffness), (b, b, stiffness), (a, b, -stiffness), (b, a, -stiffness)):
        entries.add(row, column, np.full(len(a), value))


def bmw3_2_like(seed, count=14, m=48, block=(34, 18, 18), wall=(4, 5)):
    random = np.random.default_rng(seed)
    A = shell(*panels(random, count, m))
    B = hollow_block(random, block, wall)
    of_shells, n, of_panel = A.shape[0], A.shape[0] + B.shape[0], (m + 1) ** 2
    springs = Entries()
    for p in range(count - 1):  # the last row of a panel and the first of the next one
        last = p * of_panel + m * (m + 1) + np.arange(m + 1)
        first = (p + 1) * of_panel + np.arange(m + 1)
        for d in range(6):
            tie(springs, 6 * last + d, 6 * first + d, WELD)
    for _ in range(TIES):
        of_panels, of_block = np.array([random.integers(count * of_panel)]), np.array([random.integers(B.shape[0] // 3)])
        for d in range(3):
            tie(springs, 6 * of_panels + d, of_shells + 3 * of_block + d, TIE)
    A = sp.block_diag([A, B], format="csc") + springs.matrix(n)
    held = np.zeros(n)
    mounts = random.integers(0, count * of_panel, MOUNTS)
    for d in range(3):
        held[6 * mounts + d] = MOUNT
    return held_by(held, A)
