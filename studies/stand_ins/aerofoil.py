"""bbmat_like, in the place of BBMAT (order 38,744, 1,771,722 entries, structural symmetry 0.54): the Jacobian of a turbulent flow round an aerofoil.

Physics: two-dimensional compressible flow at Mach 0.75 and 2.5 degrees with two equations of turbulence; all lengths and
velocities are without unit (speed of sound far away 1, chord about 4). Six unknowns a node: density, two momenta, energy,
turbulent energy k, its rate omega.
Alike: six unknowns a node, a structured grid with one periodic direction, upwind differences of second order (two neighbours on
either side), a viscous stencil of nine points, a pattern that is not symmetric, entries over almost twelve orders of magnitude.
Not alike: the flow is not a solution but a potential flow under a boundary layer, with random disturbances of 1 %; the paper's matrix
has 17 % more entries and less structural symmetry.
Order 38,688, 1,512,561 entries, structural symmetry 0.71."""
from dataclasses import dataclass

import numpy as np

from .entries import Entries

UNKNOWNS = 6  # of a node
GAMMA = 1.4  # ratio of specific heats
MACH = 0.75
INCIDENCE = np.deg2rad(2.5)
CENTRE, RADIUS = -0.1 + 0.08j, 1.12  # of the circle that Joukowski's map takes to the aerofoil
VISCOUS_OF_UNKNOWN = np.diag([0, 1, 1, 1.4, 1, 0.8])  # diffusion, in units of the eddy viscosity
# (row, column, factor) of the mixed derivatives' coupling: momenta with each other, energy with momenta, and each with itself
MIXED = ((1, 2, 1 / 3), (2, 1, -1 / 3), (1, 1, 0.2), (2, 2, 0.2), (3, 1, 0.5), (3, 2, 0.5), (3, 3, 0.1), (4, 4, 0.1), (5, 5, 0.1))


@dataclass
class Flow:
    """At each node (around the aerofoil x away from it)."""
    u: np.ndarray  # velocity
    v: np.ndarray
    sound2: np.ndarray  # square of the speed of sound
    enthalpy: np.ndarray
    viscosity: np.ndarray  # eddy viscosity
    k: np.ndarray
    omega: np.ndarray


def o_grid(around, away):
    """(distance from the wall in 0..1, plane of the circle, plane of the aerofoil): complex coordinates of nodes, dense at the wall."""
    angle = 2 * np.pi * np.arange(around) / around
    distance = np.arange(away) / (away - 1)
    radius = RADIUS * np.exp(3.2 * (np.expm1(4.5 * distance) / np.expm1(4.5)))
    circle = CENTRE + radius[None, :] * np.exp(1j * angle)[:, None]
    return distance, circle, circle + 1 / circle


def flow_field(distance, circle, random):
    """Potential flow with circulation, slowed down to a boundary layer, and profiles of turbulence."""
    slope = 1 - 1 / circle**2
    from_centre = circle - CENTRE
    velocity = (np.exp(-1j * INCIDENCE) - RADIUS**2 * np.exp(1j * INCIDENCE) / from_centre**2) / np.where(abs(slope) < 0.15, 0.15, slope)
    layer = np.tanh(40 * distance**1.5 + 0.02)[None, :]
    u = np.clip(velocity.real, -1.8, 1.8) * MACH * layer
    v = np.clip(-velocity.imag, -1.8, 1.8) * MACH * layer
    u += 0.01 * random.standard_normal(u.shape)
    v += 0.01 * random.standard_normal(v.shape)
    speed2 = u * u + v * v
    sound2 = np.maximum(1 + 0.2 * (MACH**2 - speed2), 0.3)
    everywhere = np.ones_like(u)
    return Flow(u, v, sound2, enthalpy=sound2 / (GAMMA - 1) + 0.5 * speed2,
                viscosity=1e-5 * (1 + 200 * np.exp(-(((distance[None, :] - 0.25) / 0.12) ** 2))) * everywhere,
                k=1e-3 + 0.02 * np.exp(-(((distance[None, :] - 0.2) / 0.15) ** 2)) * everywhere,
                omega=50 + 5e3 * np.exp(-distance[None, :] * 30) * everywhere)


def flux_jacobian(u, v, enthalpy, k, omega, nx, ny):
    """d(flux through a face of normal (nx, ny)) / d(unknowns), a 6 x 6 block for each face."""
    A = np.zeros((u.size, UNKNOWNS, UNKNOWNS))
    through = u * nx + v * ny
    half = 0.5 * (GAMMA - 1) * (u * u + v * v)
    A[:, 0, 1], A[:, 0, 2] = nx, ny
    A[:, 1, 0] = half * nx - u * through
    A[:, 1, 1] = through - (GAMMA - 2) * u * nx
    A[:, 1, 2] = u * ny - (GAMMA - 1) * v * nx
    A[:, 1, 3] = (GAMMA - 1) * nx
    A[:, 2, 0] = half * ny - v * through
    A[:, 2, 1] = v * nx - (GAMMA - 1) * u * ny
    A[:, 2, 2] = through - (GAMMA - 2) * v * ny
    A[:, 2, 3] = (GAMMA - 1) * ny
    A[:, 3, 0] = (half - enthalpy) * through
    A[:, 3, 1] = enthalpy * nx - (GAMMA - 1) * u * through
    A[:, 3, 2] = enthalpy * ny - (GAMMA - 1) * v * through
    A[:, 3, 3] = GAMMA * through
    for unknown, carried in ((4, k), (5, omega)):
        A[:, unknown, 0] = -carried * through
        A[:, unknown, 1] = carried * nx
        A[:, unknown, 2] = carried * ny
        A[:, unknown, unknown] = through
    return A


def large_entries(blocks):
    """Blocks without the entries below 1e-3 of their largest: only these reach the second neighbours."""
    return blocks * (abs(blocks) > 1e-3 * abs(blocks).max(axis=(1, 2), keepdims=True))


class Jacobian:
    """Its blocks, and the sum of wave speeds of each node's faces."""

    def __init__(self, flow):
        self.flow = flow
        self.entries = Entries()
        self.wave_speed = np.zeros(flow.u.size)

    def add_faces(self, left, right, beyond_left, beyond_right, normal, distance):
        """Upwind fluxes of second order and diffusion through faces between nodes `left` and `right`, each with the node behind it."""
        flow, (nx, ny) = self.flow, (component.ravel() for component in normal)
        left, right, beyond_left, beyond_right = (nodes.ravel() for nodes in (left, right, beyond_left, beyond_right))

        def at_face(a):
            return 0.5 * (a.ravel()[left] + a.ravel()[right])

        area = np.hypot(nx, ny) + 1e-300
        A = flux_jacobian(at_face(flow.u), at_face(flow.v), at_face(flow.enthalpy), at_face(flow.k), at_face(flow.omega), nx, ny)
        through = at_face(flow.u) * nx + at_face(flow.v) * ny
        fastest = abs(through) + np.sqrt(at_face(flow.sound2)) * area
        downstream, upstream = self.split(A, abs(through)[:, None, None], fastest[:, None, None])
        diffusion = self.diffusion(at_face(flow.viscosity) * area / distance.ravel(), at_face(flow.u), at_face(flow.v))
        for sign, own in ((1, left), (-1, right)):
            self.entries.add_blocks(own, left, sign * (1.5 * downstream + diffusion))
            self.entries.add_blocks(own, right, sign * (1.5 * upstream - diffusion))
            self.entries.add_blocks(own, beyond_left, -sign * 0.5 * large_entries(downstream))
            self.entries.add_blocks(own, beyond_right, -sign * 0.5 * large_entries(upstream))
        np.add.at(self.wave_speed, left, fastest)
        np.add.at(self.wave_speed, right, fastest)

    @staticmethod
    def split(A, through, fastest):
        """(A + |A|) / 2 and (A - |A|) / 2, with a polynomial of A in the place of |A|."""
        unit = np.eye(UNKNOWNS)[None]
        magnitude = 0.5 * (A @ A / fastest + fastest * unit) * 0.6 + 0.4 * through * unit
        return 0.5 * (A + magnitude), 0.5 * (A - magnitude)

    @staticmethod
    def diffusion(coefficient, u, v):
        blocks = coefficient[:, None, None] * VISCOUS_OF_UNKNOWN[None]
        blocks[:, 3, 0] -= coefficient * 0.3
        blocks[:, 3, 1] += coefficient * u
        blocks[:, 3, 2] += coefficient * v
        return blocks

    def add_mixed_derivatives(self, nodes, random):
        """Viscous terms that reach the four diagonal neighbours: with them the stencil of diffusion has nine points."""
        inner = nodes[:, 1:-1]
        for i in (1, -1):
            for j in (1, -1):
                diagonal = np.roll(nodes, -i, 0)[:, 1 + j:nodes.shape[1] - 1 + j]
                blocks = np.zeros((inner.size, UNKNOWNS, UNKNOWNS))
                coefficient = (i * j * 0.25 * self.flow.viscosity[:, 1:-1]).ravel()
                for row, column, factor in MIXED:
                    blocks[:, row, column] = coefficient * factor * (1 + 0.1 * random.standard_normal(inner.size))
                self.entries.add_blocks(inner.ravel(), diagonal.ravel(), blocks)

    def add_time_and_sources(self, nodes, random):
        """A step of pseudo-time, production and destruction of turbulence, and no slip at the wall."""
        speed, k, omega = self.wave_speed, self.flow.k.ravel(), self.flow.omega.ravel()
        blocks = np.eye(UNKNOWNS)[None] * (speed / 50)[:, None, None]
        blocks[:, 4, 4] += 0.09 * omega * speed * 1e-3
        blocks[:, 4, 5] += 0.09 * k * speed * 1e-3
        blocks[:, 5, 5] += 0.15 * omega * speed * 1e-3
        blocks[:, 5, 1] += 1e-2 * random.standard_normal(nodes.size) * speed
        blocks[:, 5, 2] += 1e-2 * random.standard_normal(nodes.size) * speed
        wall = nodes[:, 0]
        for momentum in (1, 2):
            blocks[wall, momentum, momentum] += speed[wall] * 30
        self.entries.add_blocks(np.arange(nodes.size), np.arange(nodes.size), blocks)


def next_around(Q):
    return np.roll(Q, -1, 0)


def next_away(Q):
    """Of the outermost nodes: themselves."""
    return np.concatenate([Q[:, 1:], Q[:, -1:]], 1)


def normal_along(edge_x, edge_y, to_x, to_y):
    """The normal of an edge, as long as the edge, on the side of (to_x, to_y)."""
    nx, ny = edge_y.copy(), -edge_x
    side = np.sign(nx * to_x + ny * to_y)
    return nx * side, ny * side


def bbmat_like(seed, around=208, away=31):
    random = np.random.default_rng(seed)
    distance, circle, plane = o_grid(around, away)
    jacobian = Jacobian(flow_field(distance, circle, random))
    X, Y = plane.real, plane.imag
    nodes = np.arange(around * away).reshape(around, away)
    corner_x, corner_y = (0.25 * (Q + next_around(Q) + next_away(Q) + next_away(next_around(Q))) for Q in (X, Y))

    # faces between neighbours around the aerofoil
    edge_x, edge_y = (Q - np.concatenate([Q[:, :1], Q[:, :-1]], 1) for Q in (corner_x, corner_y))
    to_x, to_y = next_around(X) - X, next_around(Y) - Y
    jacobian.add_faces(nodes, next_around(nodes), np.roll(nodes, 1, 0), np.roll(nodes, -2, 0), normal_along(edge_x, edge_y, to_x, to_y), np.hypot(to_x, to_y) + 1e-9)
    # faces between neighbours away from it
    edge_x, edge_y = ((Q - np.roll(Q, 1, 0))[:, :-1] for Q in (corner_x, corner_y))
    to_x, to_y = X[:, 1:] - X[:, :-1], Y[:, 1:] - Y[:, :-1]
    inside, outside = np.maximum(np.arange(away - 1) - 1, 0), np.minimum(np.arange(1, away) + 1, away - 1)
    jacobian.add_faces(nodes[:, :-1], nodes[:, 1:], nodes[:, inside], nodes[:, outside], normal_along(edge_x, edge_y, to_x, to_y), np.hypot(to_x, to_y) + 1e-9)

    jacobian.add_mixed_derivatives(nodes, random)
    jacobian.add_time_and_sources(nodes, random)
    A = jacobian.entries.matrix(nodes.size * UNKNOWNS)
    A.data[abs(A.data) < 1e-13] = 0
    return A
