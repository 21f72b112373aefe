"""Boxes of tetrahedra with quadratic velocities and linear pressures (Taylor and Hood), and integrals of a flow's linearised equations on them."""
from itertools import permutations

import numpy as np
import scipy.sparse as sp

CORNERS = 4
EDGES = ((0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))
SLOPES = np.array([[-1.0, -1, -1], [1, 0, 0], [0, 1, 0], [0, 0, 1]])  # of the barycentric coordinates on the unit tetrahedron
FUNCTIONS = CORNERS + len(EDGES)
ELEMENTS_AT_ONCE = 1000  # for the sake of memory


def rule():
    """Barycentric points and weights that integrate polynomials of degree 4 over the unit tetrahedron (Keast 1986, 11 points)."""
    a, b = 11 / 14, 1 / 14
    c = (1 - np.sqrt(5 / 14)) / 4
    d = 0.5 - c
    points = [[0.25] * 4, *([a if i == j else b for j in range(4)] for i in range(4)),
              *([c if i in pair else d for i in range(4)] for pair in EDGES)]
    return np.array(points), np.array([-74 / 5625] + [343 / 45000] * 4 + [56 / 2250] * 6)


def quadratic(points):
    """Values (q x 10) and slopes (q x 10 x 3) on the unit tetrahedron: of the functions of corners, then of edges."""
    at, edges = points, np.array(EDGES)
    i, j = edges.T
    values = np.concatenate([at * (2 * at - 1), 4 * at[:, i] * at[:, j]], 1)
    of_corners = (4 * at - 1)[:, :, None] * SLOPES[None]
    of_edges = 4 * (at[:, i, None] * SLOPES[None, j] + at[:, j, None] * SLOPES[None, i])
    return values, np.concatenate([of_corners, of_edges], 1)


class Box:
    """A box of cells, each of them six tetrahedra from its lowest corner to its highest, in directions x, y, z one after the other.

    points: m x 3, y running first, then x, then z. elements: e x 4, ascending. edges: e x 6, numbers of edges; middles: of all edges."""

    def __init__(self, size, cells, disturbance, random):
        """Inner points move by up to `disturbance` cells."""
        steps = [np.linspace(0, s, c + 1) for s, c in zip(size, cells)]
        z, x, y = np.meshgrid(steps[2], steps[0], steps[1], indexing="ij")
        self.points = np.stack([x.ravel(), y.ravel(), z.ravel()])
        is_inner = np.all((self.points > 1e-9) & (self.points < np.array(size)[:, None] - 1e-9), axis=0)
        cell = np.array([s / c for s, c in zip(size, cells)])[:, None]
        self.points[:, is_inner] += disturbance * cell * random.uniform(-1, 1, (3, is_inner.sum()))
        self.points = self.points.T
        self.elements = self.split(np.array(cells))
        pairs = np.stack([self.elements[:, edge] for edge in EDGES], 1).reshape(-1, 2)
        ends, number = np.unique(pairs, axis=0, return_inverse=True)
        self.edges = number.reshape(-1, len(EDGES))
        self.middles = self.points[ends].mean(1)

    @staticmethod
    def split(cells):
        nodes = np.arange(np.prod(cells + 1)).reshape(cells[2] + 1, cells[0] + 1, cells[1] + 1).transpose(1, 2, 0)
        tetrahedra = []
        for way in permutations(range(3)):
            corner, corners = np.zeros(3, int), []
            for step in (None, *way):
                if step is not None:
                    corner[step] += 1
                corners.append(nodes[tuple(slice(at, at + count) for at, count in zip(corner, cells))].ravel())
            tetrahedra.append(np.stack(corners, 1))
        return np.concatenate(tetrahedra)


class TaylorHood:
    """Three velocities at each corner and at each middle of an edge, one after the other, then one pressure at each corner."""

    def __init__(self, box):
        self.nodes = np.concatenate([box.points, box.middles])
        self.pressures = len(box.points)
        self.box = box
        self.functions = np.concatenate([box.elements, box.edges + len(box.points)], 1)
        self.barycentric, self.weights = rule()
        self.values, self.slopes = quadratic(self.barycentric)

    def integrate(self, viscosity, wind, convection):
        """(A, B): of the momenta by the velocities, and of the divergence, negative, by the velocities.

        viscosity(x), wind(x): at points x (3 x ...), the wind of three components; the flow is linearised about it, its inertia
        multiplied by `convection`."""
        A, B = zip(*(self.integrals(range_of, viscosity, wind, convection) for range_of in
                     (slice(first, first + ELEMENTS_AT_ONCE) for first in range(0, len(self.functions), ELEMENTS_AT_ONCE))))
        n = 3 * len(self.nodes)
        velocity = (self.functions[:, :, None] * 3 + np.arange(3)).reshape(-1, 3 * FUNCTIONS)
        return (self.gathered(np.concatenate(A), velocity, velocity, (n, n)), self.gathered(np.concatenate(B), self.box.elements, velocity, (self.pressures, n)))

    def integrals(self, some, viscosity, wind, convection):
        """Of some elements: e x 30 x 30 and e x 4 x 30."""
        corners = self.box.points[self.box.elements[some]]
        J = np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)
        gradients = np.einsum("qfk,ekl->eqfl", self.slopes, np.linalg.inv(J))
        weights = self.weights * abs(np.linalg.det(J))[:, None]
        x = np.moveaxis(np.einsum("qc,eck->eqk", self.barycentric, corners), 2, 0)
        b, slope = wind(x), wind_slopes(wind, x)
        same = np.eye(3)
        spread = weights * viscosity(x)
        stretching = np.einsum("eq,eqil,eqjl->eij", spread, gradients, gradients, optimize=True)
        carried = np.einsum("eq,qi,keq,eqjk->eij", weights * convection, self.values, b, gradients, optimize=True)
        A = np.einsum("eij,ab->eiajb", stretching + carried, same)
        A += np.einsum("eq,eqib,eqja->eiajb", spread, gradients, gradients, optimize=True)
        A += np.einsum("eq,abeq,qi,qj->eiajb", weights * convection, slope, self.values, self.values, optimize=True)
        B = -np.einsum("eq,qc,eqjb->ecjb", weights, self.barycentric, gradients, optimize=True)
        return A.reshape(-1, 3 * FUNCTIONS, 3 * FUNCTIONS), B.reshape(-1, CORNERS, 3 * FUNCTIONS)

    @staticmethod
    def gathered(blocks, rows, columns, shape):
        rows, columns = np.broadcast_arrays(rows[:, :, None], columns[:, None, :])
        return sp.coo_matrix((blocks.ravel(), (rows.ravel(), columns.ravel())), shape=shape).tocsr()


def wind_slopes(wind, x, step=1e-4):
    """d(component l) / d(direction k) by central differences: 3 x 3 x ..."""
    def along(k):
        shift = step * np.eye(3)[k].reshape(3, *[1] * (x.ndim - 1))
        return (wind(x + shift) - wind(x - shift)) / (2 * step)
    return np.stack([along(k) for k in range(3)], 1)
