"""ship_like, in the place of SHIP_003 (order 121,728, 4,103,881 entries of the lower triangle): a ship's hull girder.

Physics: bottom, decks, side shells, two longitudinal and twelve transverse bulkheads as flat shells 0.012 to 0.02 thick; the unit of
length is the distance of two frames, Young's modulus 1. Springs for buoyancy and mooring hold the bottom.
Alike: six unknowns a node, plates that meet at lines, a long structure; symmetric positive definite and badly conditioned
(bending against stretching). Not alike: a regular grid, without stiffeners and openings; 13 % fewer entries a row.
Order 122,712, 7,067,664 entries in all."""
import numpy as np

from .shells import held_by, shell

BUOYANCY, MOORING = 1e-4, 1e-3  # springs
FRAMES_BETWEEN_MOORINGS = 31


def plate(nodes, axis, at, thickness):
    """The quadrilaterals of the grid's plane axis = at, and their thickness."""
    corners = np.take(nodes, at, axis)
    quadrilaterals = np.stack([corners[:-1, :-1], corners[1:, :-1], corners[1:, 1:], corners[:-1, 1:]], -1).reshape(-1, 4)
    return quadrilaterals, np.full(len(quadrilaterals), thickness)


def plates(nodes, bulkhead_distance):
    length, width, height = (points - 1 for points in nodes.shape)
    for deck, thickness in ((0, 0.02), (2, 0.016), (height, 0.018), (height - 6, 0.012)):
        yield plate(nodes, 2, deck, thickness)
    for side, thickness in ((0, 0.018), (width, 0.018), (width // 3, 0.012), (2 * width // 3, 0.012)):
        yield plate(nodes, 1, side, thickness)
    for bulkhead in range(0, length + 1, bulkhead_distance):
        yield plate(nodes, 0, bulkhead, 0.012)


def ship_like(seed, length=112, width=24, height=16, bulkhead_distance=10):
    random = np.random.default_rng(seed)
    nodes = np.arange((length + 1) * (width + 1) * (height + 1)).reshape(length + 1, width + 1, height + 1)
    quadrilaterals, thickness = map(np.concatenate, zip(*plates(nodes, bulkhead_distance)))
    used, number = np.unique(quadrilaterals, return_inverse=True)
    i, j, k = np.unravel_index(used, nodes.shape)
    amidships = 2 * i / length - 1  # -1 at the stern, 1 at the bow
    across = (j / width - 0.5) * (1 - 0.75 * abs(amidships) ** 6 * (1 - 0.3 * k / height))
    points = np.stack([i * 1.0, across * width * 0.8, k * 0.9 + 2 * abs(amidships) ** 4], 1)
    points += 0.01 * random.standard_normal(points.shape)
    A = shell(points, number.reshape(quadrilaterals.shape), thickness * np.exp(0.1 * random.standard_normal(len(thickness))))
    springs = np.zeros(A.shape[0])
    springs[6 * np.flatnonzero(k == 0) + 2] = BUOYANCY
    moored = np.flatnonzero((k == 0) & (i % FRAMES_BETWEEN_MOORINGS == 0))
    springs[6 * moored] = springs[6 * moored + 1] = MOORING
    return held_by(springs, A)
