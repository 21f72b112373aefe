"""mixtank_like and invextr_like: viscous flow in three dimensions, linearised (a step of Newton's method), by Taylor and Hood's elements on tetrahedra:
a block of velocities, and pressures whose own block is zero. Lengths and velocities are without unit.

mixtank_like, in the place of MIXTANK (order 29,957, 1,995,041 entries, structural symmetry 1.00): a stirred tank.
Physics: a unit cube with walls all round and a swirl in it; Reynolds number about 50. One pressure is left out, since only differences count.
Alike: order, a pattern that is symmetric and values that are not, zeros on the diagonal.
Not alike: the tank is a cube without a stirrer; 26 % more entries.
Order 29,510, 2,510,291 entries, structural symmetry 1.00, 1,727 zeros on the diagonal.

invextr_like, in the place of INVEXTR1 (order 30,412, 1,793,881 entries, structural symmetry 0.97): inverse extrusion with a free surface.
Physics: a channel 6 x 1 x 1, viscosity falling from its axis, as shear would have it, and along it; little inertia. Over the last half the
top is free, and its heights are unknowns of their own, which the velocities carry downstream.
Alike: as above, and rows of heights. Not alike: 41 % more entries; the pattern is nearly symmetric (1.00).
Order 30,626, 2,526,810 entries, 1,792 zeros on the diagonal."""
import numpy as np
import scipy.sparse as sp

from .entries import Entries, without_small
from .tetrahedra import Box, TaylorHood

DISTURBANCE = 0.15  # of inner points, in cells
NEAR = 1e-9


def saddle_point(A, B, velocities, pressures):
    A, B = A[velocities][:, velocities], B[pressures][:, velocities]
    return sp.bmat([[A, B.T], [B, None]], format="csc")


def mixtank_like(seed, cells=11):
    size = 1, 1, 1
    elements = TaylorHood(Box(size, (cells,) * 3, DISTURBANCE, np.random.default_rng(seed)))

    def swirl(x):
        strength = np.sin(np.pi * x[0]) * np.sin(np.pi * x[1])
        return np.array([-(x[1] - 0.5) * strength * 4, (x[0] - 0.5) * strength * 4, 0.5 * np.sin(2 * np.pi * x[2]) * strength])

    A, B = elements.integrate(lambda x: np.full(x.shape[1:], 2e-2), swirl, convection=1)
    is_wall = np.repeat(np.any((elements.nodes < NEAR) | (elements.nodes > 1 - NEAR), axis=1), 3)
    return without_small(saddle_point(A, B, np.flatnonzero(~is_wall), np.arange(1, elements.pressures)), 1e-15)


def add_free_surface(K, places, random):
    """K with the heights of the surface as unknowns: they are carried downstream, driven by the velocities there, and act back on most of these.

    places: numbers of the velocities at the surface, and their coordinates along and across."""
    velocities, coordinates = places
    nodes, height_of = np.unique(np.round(coordinates, 8), axis=0, return_inverse=True)
    height_of = height_of.ravel()
    heights = Entries()
    order = np.lexsort((nodes[:, 0], nodes[:, 1]))  # along each line across
    is_next = nodes[order[1:], 1] == nodes[order[:-1], 1]
    downstream, upstream = order[1:][is_next], order[:-1][is_next]
    heights.add(np.arange(len(nodes)), np.arange(len(nodes)), np.full(len(nodes), 2.0))
    heights.add(downstream, upstream, np.full(len(downstream), -1.9))
    driven = sp.coo_matrix((random.uniform(0.5, 1, len(velocities)), (height_of, velocities)), shape=(len(nodes), K.shape[0]))
    weights = 0.1 * random.uniform(0.5, 1, len(velocities))
    acting = np.flatnonzero(random.random(len(velocities)) < 0.7)
    back = sp.coo_matrix((weights[acting], (velocities[acting], height_of[acting])), shape=(K.shape[0], len(nodes)))
    return sp.bmat([[K, back], [-driven, heights.matrix(len(nodes))]], format="csc")


def invextr_like(seed, cells=(27, 7, 7)):
    size = length, width, depth = 6, 1, 1
    random = np.random.default_rng(seed)
    elements = TaylorHood(Box(size, cells, DISTURBANCE, random))

    def viscosity(x):
        from_axis = (x[1] - width / 2) ** 2 + (x[2] - depth / 2) ** 2
        return (1 + 20 * from_axis / (width * depth)) ** -0.7 * np.exp(-0.5 * x[0] / length)

    def wind(x):
        profile = 16 * x[1] * (width - x[1]) * x[2] * (depth - x[2]) / (width * depth) ** 2
        return np.array([profile, 0 * profile, 0.02 * np.sin(np.pi * x[0] / length) * profile])

    A, B = elements.integrate(viscosity, wind, convection=0.3)
    x, y, z = elements.nodes.T
    is_held = (x < NEAR) | (y < NEAR) | (y > width - NEAR) | (z < NEAR) | ((z > depth - NEAR) & (x < 0.5 * length))
    velocities = np.flatnonzero(~np.repeat(is_held, 3))
    K = saddle_point(A, B, velocities, np.arange(elements.pressures))
    at = elements.nodes[velocities // 3]
    on_surface = np.flatnonzero(at[:, 2] > depth - NEAR)
    return without_small(add_free_surface(K, (on_surface, at[on_surface, :2]), random), 1e-15)
