"""Model problems of the benchmarks, on cubes of k^3 points. They stand for no matrix of paper 1, but for cubes as its section 5.2 has them, without coefficients.

cube11_41: Laplace's equation by 11 points, nine of them in a plane, as in section 5.2 of paper 1; symmetric positive definite.
convdiff3d_40: diffusion, and convection by a swirl that is up to ten times as strong between neighbours; upwind, a matrix of type M.
helmholtz3d: waves, k h = 0.6; symmetric indefinite.
kkt_pdeopt3d: optimal control of a box (states, controls, multipliers); symmetric indefinite with a zero block."""
import numpy as np
import scipy.sparse as sp

from .entries import Entries, neighbours

SPEED = 20.0  # of the swirl, across the cube, in units of diffusion between neighbours
WAVE = 0.36  # (k h)^2
CONTROL = 1e-4  # what control costs


def off_diagonals(k):
    """Ones beside the diagonal."""
    return sp.diags([np.ones(k - 1), np.ones(k - 1)], [-1, 1])


def cube11(seed, k=41):
    I, C = sp.identity(k), off_diagonals(k)
    plane = (20 / 6) * sp.kron(I, I) - (4 / 6) * (sp.kron(C, I) + sp.kron(I, C)) - (1 / 6) * sp.kron(C, C)
    return sp.kron(I, plane) + sp.kron(2 * I - C, sp.kron(I, I))


def laplace7(k):
    I = sp.identity(k)
    T = 2 * I - off_diagonals(k)
    return sp.kron(sp.kron(T, I), I) + sp.kron(sp.kron(I, T), I) + sp.kron(sp.kron(I, I), T)


def convdiff3d(seed, k=40):
    x = (np.arange(k) + 1) / (k + 1)
    X, Y, _ = np.meshgrid(x, x, x, indexing="ij")
    velocity = [SPEED * (Y - 0.5), -SPEED * (X - 0.5), SPEED * 0.3 * np.sin(np.pi * X)]
    nodes, diagonal, entries = np.arange(k**3).reshape(k, k, k), np.zeros(k**3), Entries()
    for axis in range(3):
        lower, upper = neighbours(axis)
        for sign, own, other in ((-1, upper, lower), (1, lower, upper)):
            weight = 1 + np.maximum(-sign * velocity[axis], 0)
            diagonal += weight.ravel()  # also at the boundary, behind which the solution is zero
            entries.add(nodes[own], nodes[other], -weight[own])
    entries.add(nodes, nodes, diagonal.reshape(nodes.shape))
    return entries.matrix(k**3)


def helmholtz3d(seed, k=28):
    return laplace7(k) - WAVE * sp.identity(k**3) * (1 + 0.05 * np.random.default_rng(seed).random())


def kkt_pdeopt3d(seed, k=20):
    K, M = laplace7(k), sp.identity(k**3) * (1 / (k + 1) ** 2)
    return sp.bmat([[M, None, K.T], [None, CONTROL * M, -M], [K, -M, None]], format="csc")
