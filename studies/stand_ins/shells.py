"""Elasticity of flat shells of four nodes, six unknowns a node: three displacements and three rotations."""
import numpy as np
import scipy.sparse as sp

from .entries import without_small

POISSON = 0.3
MODULUS = 1.0
SHEAR = MODULUS / (2 * (1 + POISSON))
PLANE_STRESS = MODULUS / (1 - POISSON**2) * np.array([[1, POISSON, 0], [POISSON, 1, 0], [0, 0, (1 - POISSON) / 2]])
DRILLING = 0.1  # penalty on rotations about the normal that differ from the displacements', in units of SHEAR
ROTATIONS = 1e-4  # stiffness of all rotations, so that none is free


def local_axes(corners):
    """(rotation to the axes of each quadrilateral, corners in its plane): e x 3 x 3 and e x 4 x 2."""
    along = corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]
    along /= np.linalg.norm(along, axis=1)[:, None]
    across = corners[:, 2] + corners[:, 3] - corners[:, 0] - corners[:, 1]
    normal = np.cross(along, across)
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    R = np.stack([along, np.cross(normal, along), normal], 1)
    return R, np.einsum("eij,ekj->eki", R, corners - corners.mean(1, keepdims=True))[:, :, :2]


def shape_functions(a, b, corners):
    """(values, gradients, determinant) of the bilinear functions at (a, b) of the square, for each quadrilateral."""
    N = 0.25 * np.array([(1 - a) * (1 - b), (1 + a) * (1 - b), (1 + a) * (1 + b), (1 - a) * (1 + b)])
    slopes = 0.25 * np.array([[-(1 - b), 1 - b, 1 + b, -(1 + b)], [-(1 - a), -(1 + a), 1 + a, 1 - a]])
    J = np.einsum("ak,ekj->eaj", slopes, corners)
    determinant = J[:, 0, 0] * J[:, 1, 1] - J[:, 0, 1] * J[:, 1, 0]
    inverse = np.stack([np.stack([J[:, 1, 1], -J[:, 0, 1]], 1), np.stack([-J[:, 1, 0], J[:, 0, 0]], 1)], 1) / determinant[:, None, None]
    return N, np.einsum("eab,bk->eak", inverse, slopes), determinant


def add_membrane_and_bending(K, N, gradients, weight, thickness):
    """To K what one point adds by stretching, by curvature and by the penalty on rotations about the normal."""
    e = len(gradients)
    stretch, bend, drill = np.zeros((e, 3, 24)), np.zeros((e, 3, 24)), np.zeros((e, 1, 24))
    for k in range(4):
        x, y = gradients[:, 0, k], gradients[:, 1, k]
        u, v, _, about_x, about_y, about_z = range(6 * k, 6 * k + 6)
        stretch[:, 0, u], stretch[:, 1, v], stretch[:, 2, u], stretch[:, 2, v] = x, y, y, x
        bend[:, 0, about_y], bend[:, 1, about_x], bend[:, 2, about_y], bend[:, 2, about_x] = x, -y, y, -x
        drill[:, 0, u], drill[:, 0, v], drill[:, 0, about_z] = -0.5 * y, 0.5 * x, -N[k]
    stretching = np.einsum("eai,ab,ebj,e->eij", stretch, PLANE_STRESS, stretch, weight * thickness, optimize=True)
    bending = np.einsum("eai,ab,ebj,e->eij", bend, PLANE_STRESS, bend, weight * thickness**3 / 12, optimize=True)
    K += stretching + bending
    K += np.einsum("eai,eaj,e->eij", drill, drill, DRILLING * SHEAR * weight * thickness, optimize=True)


def add_transverse_shear(K, N, gradients, weight, thickness):
    """To K what the middle point adds by shear through the thickness, and the small stiffness of rotations."""
    shear = np.zeros((len(gradients), 2, 24))
    for k in range(4):
        w, about_x, about_y = 6 * k + 2, 6 * k + 3, 6 * k + 4
        shear[:, 0, w], shear[:, 0, about_y] = gradients[:, 0, k], N[k]
        shear[:, 1, w], shear[:, 1, about_x] = gradients[:, 1, k], -N[k]
    K += np.einsum("eai,eaj,e->eij", shear, shear, 5 / 6 * SHEAR * weight * thickness, optimize=True)
    rotations = np.tile([0, 0, 0, 1, 1, 1], 4)
    K += ROTATIONS * ((weight * thickness**3 * SHEAR)[:, None, None] * np.diag(rotations)[None])


def element_stiffness(corners, thickness):
    """e x 24 x 24, in the axes of the space; membrane and bending by 2 x 2 points, transverse shear by the middle one."""
    R, flat = local_axes(corners)
    K = np.zeros((len(corners), 24, 24))
    g = 1 / np.sqrt(3)
    for a in (-g, g):
        for b in (-g, g):
            add_membrane_and_bending(K, *shape_functions(a, b, flat), thickness)
    N, gradients, determinant = shape_functions(0, 0, flat)
    add_transverse_shear(K, N, gradients, 4.0 * determinant, thickness)
    T = np.zeros_like(K)
    for k in range(0, 24, 3):
        T[:, k:k + 3, k:k + 3] = R
    K = np.einsum("eai,eab,ebj->eij", T, K, T, optimize=True)
    return 0.5 * (K + K.swapaxes(1, 2))


def shell(points, quadrilaterals, thickness):
    """Stiffness of quadrilaterals (e x 4 numbers of points, in turn) of these thicknesses: semidefinite until something holds it."""
    K = element_stiffness(points[quadrilaterals], thickness)
    unknowns = (quadrilaterals[:, :, None] * 6 + np.arange(6)).reshape(len(K), 24)
    rows, columns = np.repeat(unknowns, 24, 1), np.tile(unknowns, (1, 24))
    n = 6 * len(points)
    return sp.coo_matrix((K.ravel(), (rows.ravel(), columns.ravel())), shape=(n, n)).tocsc()


def held_by(springs, A):
    """A with a spring at each unknown (0: none), without negligible entries."""
    A = without_small(A + sp.diags(springs), 1e-15)
    return 0.5 * (A + A.T)
