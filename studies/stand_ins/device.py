"""ecl32_like, in the place of ECL32 (order 51,993, 380,415 entries, structural symmetry 0.93): the Jacobian of a bipolar transistor.

Physics: drift and diffusion of electrons and holes in silicon, three unknowns a node: potential psi in V, densities n and p in
1/cm^3; lengths in cm, currents in A. Fluxes along edges by Scharfetter and Gummel; recombination by Shockley, Read and Hall.
Alike: three unknowns a node on a three-dimensional grid, natural units, so that entries go over forty orders of magnitude and
no pivoting works before matching and scaling; oxide, where nothing couples the carriers.
Not alike: psi, n and p are profiles of a doped device and no solution, with random disturbances; all of a node's couplings are
stored, so there are 1.7 times the paper's entries, and the structural symmetry is less.
Order 52,650, 641,920 entries, structural symmetry 0.70."""
import numpy as np

from .entries import Entries, neighbours

THERMAL_V = 0.02585  # kT / q
INTRINSIC = 1e10  # density of carriers in undoped silicon
CHARGE = 1.6e-19  # As
PERMITTIVITY = 1.04e-12  # As / V cm
LIFETIME_S = 1e-7
MOBILITY = {"n": 1000.0, "p": 400.0}  # cm^2 / Vs
PSI, N, P = 0, 1, 2  # unknowns of a node
CONTACT = {PSI: 1e-8, N: 1e-17, P: 1e-17}  # added to the diagonal at contacts
UNIT = 1e14  # one factor of all rows, which brings most entries to 1e-15 .. 1e15


def graded(points, length, grading):
    """Coordinates that are dense near 0."""
    return length * (np.sinh(grading * np.linspace(0, 1, points)) / np.sinh(grading))


def bernoulli(t):
    """t / (exp t - 1)"""
    is_small = abs(t) < 1e-6
    return np.where(is_small, 1 - t / 2, t / np.expm1(np.clip(t, -300, 300) + np.where(is_small, 1.0, 0)))


def bernoulli_slope(t):
    return (bernoulli(t + 1e-5) - bernoulli(t - 1e-5)) / 2e-5


def doping(X, random):
    """Emitter, base, collector and substrate along x: donors less acceptors, 1/cm^3."""
    emitter = np.where(X < 3e-5, 1e20 * np.exp(-((X / 2e-5) ** 2)), 0)
    base = np.where((X > 2e-5) & (X < 9e-5), 5e17, 0)
    collector = np.where((X >= 9e-5) & (X < 2.4e-4), 1e16, 0)
    substrate = np.where(X >= 2.4e-4, 1e15, 0)
    net = emitter - base + collector - substrate
    return np.where(abs(net) < 1e14, 1e14, net) * np.exp(0.2 * random.standard_normal(net.shape))


def carriers(net, random):
    """n and p: what dopes is there, the other one at random over many orders."""
    n = np.where(net > 0, net, INTRINSIC * 1e2 * np.exp(random.uniform(0, 12, net.shape)))
    p = np.where(net < 0, -net, INTRINSIC * 1e1 * np.exp(random.uniform(-6, 6, net.shape)))
    return n, p


def add_carrier_fluxes(entries, i, j, unknown, sign, conductance, t, lower_density, upper_density, is_silicon):
    """d(J)/d(density, psi) of J = D (B(s t) c_j - B(-s t) c_i) along edges i-j, in the rows of both ends; t is the step of psi in kT/q."""
    by_upper, by_lower = bernoulli(sign * t), bernoulli(-sign * t)
    by_psi = sign / THERMAL_V * (bernoulli_slope(sign * t) * upper_density + bernoulli_slope(-sign * t) * lower_density) * conductance
    chosen = is_silicon.ravel()
    for row, direction in ((i, 1.0), (j, -1.0)):
        for column, value in ((3 * j + unknown, conductance * by_upper), (3 * i + unknown, -conductance * by_lower), (3 * j, by_psi), (3 * i, -by_psi)):
            entries.add((3 * row + unknown).ravel()[chosen], column.ravel()[chosen], (-direction * value).ravel()[chosen])


def add_edges(entries, nodes, axes, volume, psi, n, p, is_oxide):
    for axis, points in enumerate(axes):
        lower, upper = neighbours(axis)
        i, j = nodes[lower], nodes[upper]
        along = [1, 1, 1]
        along[axis] = -1
        length = np.diff(points).reshape(along)
        width = np.sqrt(np.gradient(points)[:-1] * np.gradient(points)[1:]).reshape(along)
        area = np.sqrt(volume[lower] * volume[upper]) / width
        capacity = PERMITTIVITY * area / length
        for row, column, sign in ((i, i, 1), (i, j, -1), (j, j, 1), (j, i, -1)):
            entries.add(3 * row, 3 * column, sign * capacity)
        is_silicon = ~(is_oxide[lower] | is_oxide[upper])
        t = (psi[upper] - psi[lower]) / THERMAL_V
        for unknown, mobility, density, sign in ((N, MOBILITY["n"], n, 1.0), (P, MOBILITY["p"], p, -1.0)):
            conductance = CHARGE * mobility * THERMAL_V * area / length * is_silicon
            add_carrier_fluxes(entries, i, j, unknown, sign, conductance, t, density[lower], density[upper], is_silicon)


def add_charge_and_recombination(entries, nodes, volume, n, p, is_oxide):
    """Poisson's right-hand side, recombination, and ones where oxide has no carriers."""
    silicon = nodes.ravel()[~is_oxide.ravel()]
    volume, n, p = (a.ravel()[silicon] for a in (volume, n, p))
    entries.add(3 * silicon, 3 * silicon + N, CHARGE * volume)
    entries.add(3 * silicon, 3 * silicon + P, -CHARGE * volume)
    rate = CHARGE * volume / LIFETIME_S
    by_n, by_p = rate * p / (n + p + 2 * INTRINSIC), rate * n / (n + p + 2 * INTRINSIC)
    entries.add(3 * silicon + N, 3 * silicon + N, by_n + 1e-30)
    entries.add(3 * silicon + P, 3 * silicon + P, by_p + 1e-30)
    entries.add(3 * silicon + N, 3 * silicon + P, by_p)
    entries.add(3 * silicon + P, 3 * silicon + N, by_n)
    oxide = nodes.ravel()[is_oxide.ravel()]
    for unknown in (N, P):
        entries.add(3 * oxide + unknown, 3 * oxide + unknown, np.ones(oxide.size))


def ecl32_like(seed, nx=27, ny=26, nz=25):
    random = np.random.default_rng(seed)
    nodes = np.arange(nx * ny * nz).reshape(nx, ny, nz)
    axes = graded(nx, 4e-4, 3.0), graded(ny, 2e-4, 2.0), graded(nz, 2e-4, 1.5)
    X, Y, _ = np.meshgrid(*axes, indexing="ij")
    is_oxide = (Y > 1.7e-4) & (X < 1e-4)
    net = doping(X, random)
    psi = THERMAL_V * np.arcsinh(net / (2 * INTRINSIC)) + 0.5 * (X / 4e-4) * (1 + 0.3 * np.sin(4e4 * Y))
    n, p = carriers(net, random)
    dx, dy, dz = map(np.gradient, axes)
    volume = dx[:, None, None] * dy[None, :, None] * dz[None, None, :]
    entries = Entries()
    add_edges(entries, nodes, axes, volume, psi, n, p, is_oxide)
    add_charge_and_recombination(entries, nodes, volume, n, p, is_oxide)
    for contact in (nodes[0].ravel(), nodes[-1].ravel()):
        for unknown, value in CONTACT.items():
            entries.add(3 * contact + unknown, 3 * contact + unknown, np.full(contact.size, value))
    return entries.matrix(3 * nodes.size) * UNIT
