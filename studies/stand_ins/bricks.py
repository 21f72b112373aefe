"""Elasticity of solids that consist of equal bricks: stiffness of a brick, and of all of them."""
import numpy as np
import scipy.sparse as sp

from .entries import without_small

POISSON = 0.3
ENTRIES_AT_ONCE = 4_000_000  # of element matrices, for the sake of memory


def lagrange(x, nodes):
    """Values and slopes of the polynomials that are 1 at one of the nodes, at x."""
    m = len(nodes)
    values, slopes = np.ones(m), np.zeros(m)
    for i in range(m):
        others = [j for j in range(m) if j != i]
        for j in others:
            values[i] *= (x - nodes[j]) / (nodes[i] - nodes[j])
        for k in others:
            term = 1 / (nodes[i] - nodes[k])
            for j in others:
                if j != k:
                    term *= (x - nodes[j]) / (nodes[i] - nodes[j])
            slopes[i] += term
    return values, slopes


def strains(gx, gy, gz):
    """6 x 3m: strains (xx, yy, zz, xy, yz, zx) by the displacements of m nodes whose functions have these gradients."""
    B = np.zeros((6, 3 * len(gx)))
    B[0, 0::3], B[1, 1::3], B[2, 2::3] = gx, gy, gz
    B[3, 0::3], B[3, 1::3] = gy, gx
    B[4, 1::3], B[4, 2::3] = gz, gy
    B[5, 0::3], B[5, 2::3] = gz, gx
    return B


def hooke():
    """6 x 6: stresses by strains, for Young's modulus 1."""
    first = POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
    shear = 1 / (2 * (1 + POISSON))
    D = np.zeros((6, 6))
    D[:3, :3] = first
    D[np.arange(3), np.arange(3)] += 2 * shear
    D[3:, 3:] = shear * np.eye(3)
    return D


def brick(order):
    """Stiffness of the unit cube with (order + 1)^3 nodes, three unknowns each, and the nodes' places on the lattice of `order` steps."""
    steps = np.linspace(-1, 1, order + 1)
    points, weights = np.polynomial.legendre.leggauss(order + 1)
    at_point = [lagrange(x, steps) for x in points]
    m = (order + 1) ** 3
    D, K = hooke(), np.zeros((3 * m, 3 * m))
    for (lx, dx), wx in zip(at_point, weights):
        for (ly, dy), wy in zip(at_point, weights):
            for (lz, dz), wz in zip(at_point, weights):
                # the polynomials' cube has edges of 2, the brick of 1
                B = strains(*(2 * np.einsum("i,j,k->ijk", *factors).ravel() for factors in ((dx, ly, lz), (lx, dy, lz), (lx, ly, dz))))
                K += B.T @ D @ B * wx * wy * wz / 8
    return 0.5 * (K + K.T), np.argwhere(np.ones((order + 1,) * 3, bool))


def solid(is_filled, order, modulus, is_fixed):
    """Stiffness of the bricks where is_filled (3 dimensions), of Young's modulus `modulus`; symmetric positive definite where enough is fixed.

    order: 1 for 8 nodes a brick, 2 for 27. is_fixed(coordinates): of each node, in edges of a brick; those are left out."""
    bricks = np.argwhere(is_filled)
    K, places = brick(order)
    _, width_y, width_z = np.array(is_filled.shape) * order + 1
    lattice = bricks[:, None, :] * order + places[None]
    names, node_of = np.unique((lattice[..., 0] * width_y + lattice[..., 1]) * width_z + lattice[..., 2], return_inverse=True)
    coordinates = np.stack([names // (width_y * width_z), (names // width_z) % width_y, names % width_z], 1) / order
    is_free = ~is_fixed(coordinates)
    number = np.where(is_free, np.cumsum(is_free) - 1, -1)
    nodes = number[node_of.reshape(lattice.shape[:2])]
    unknowns = np.where(nodes[:, :, None] >= 0, nodes[:, :, None] * 3 + np.arange(3), -1).reshape(len(bricks), -1)
    A = sum_of_bricks(K, unknowns, modulus[tuple(bricks.T)], int(is_free.sum()) * 3)
    A = (A + A.T) * 0.5
    return without_small(A, 1e-14)


def sum_of_bricks(K, unknowns, modulus, n):
    """The sum of K times each brick's modulus at its unknowns (-1: left out)."""
    A = sp.csc_matrix((n, n))
    at_once = max(1, ENTRIES_AT_ONCE // K.size)
    for first in range(0, len(unknowns), at_once):
        some = unknowns[first:first + at_once]
        rows, columns, values = np.broadcast_arrays(some[:, :, None], some[:, None, :], modulus[first:first + at_once, None, None] * K[None])
        is_in = (rows >= 0) & (columns >= 0)
        A = A + sp.coo_matrix((values[is_in], (rows[is_in], columns[is_in])), shape=(n, n)).tocsc()
    return A
