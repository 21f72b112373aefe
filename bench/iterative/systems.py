"""The systems of bench/preconditioners: a matrix by rows, a random right-hand side, and of elasticity the rigid motions."""

import subprocess
from collections import deque
from pathlib import Path

import numpy as np
from scipy.io import mmread
from scipy.sparse import coo_array, csr_array


def write_system(name: str, program: str, folder: Path) -> tuple[Path, dict]:
    """KIND:SIZE, of `overlapack generate`, or jumps:SIZE; the file, and what is told of the matrix."""
    kind, _, size = name.partition(":")
    near = np.zeros((0, 0))
    if kind == "jumps":
        A = jumps(int(size))
    else:
        path = folder / f"{kind}{size}.mtx"
        subprocess.run([program, "generate", kind, size, "-o", str(path)], check=True, stdout=subprocess.DEVNULL)
        A = csr_array(mmread(path))
        path.unlink()
        near = rigid_motions(int(size)) if kind == "elasticity" else near
    if near.size and len(near) != A.shape[0]:
        raise SystemExit(f"{name} has {A.shape[0]} unknowns, its rigid motions {len(near)}: mend bench/iterative/systems.py")
    file = folder / f"{kind}{size}.npz"
    np.savez(file, data=A.data, indices=A.indices, indptr=A.indptr, b=np.random.default_rng(0).standard_normal(A.shape[0]), near=near)
    return file, {"unknowns": A.shape[0], "entries": A.nnz, "symmetric": kind != "jumps" and bool(abs(A - A.T).max() == 0)}


def jumps(points: int) -> csr_array:
    """-div(k grad u) + w du/dx in the unit cube by volumes of equal size, k = 1 or 1e4 in cubes of an eighth at random, an upwind w = 1e3."""
    cells = np.arange(points**3).reshape(3 * [points])
    places = [np.arange(points) * 8 // points] * 3
    k = np.where(np.random.default_rng(1).random((8, 8, 8)) < 0.3, 1e4, 1.0)[np.ix_(*places)].ravel()
    h, wind = 1 / points, 1e3
    entries: list[tuple] = []

    def couple(row: np.ndarray, column: np.ndarray, value: np.ndarray) -> None:
        entries.extend([(row, column, -value), (row, row, value)])

    for axis in range(3):
        left, right = np.take(cells, range(points - 1), axis).ravel(), np.take(cells, range(1, points), axis).ravel()
        flow = h * 2 * k[left] * k[right] / (k[left] + k[right])
        couple(left, right, flow)
        couple(right, left, flow + (wind * h * h if axis == 0 else 0))
        for wall in (0, points - 1):  # u = 0 there
            at = np.take(cells, wall, axis).ravel()
            entries.append((at, at, 2 * h * k[at] + (wind * h * h if axis == 0 and wall == 0 else 0)))
    row, column, value = (np.concatenate(parts) for parts in zip(*entries))
    return coo_array((value, (row, column)), shape=2 * (points**3,)).tocsr()


def rigid_motions(size: int) -> np.ndarray:
    """Of the nodes of `overlapack generate elasticity` (src/sparse/generate/elasticity.cpp): three shifts and three rotations."""
    x = moving_nodes(size).astype(float) / size
    columns = [np.broadcast_to(axis, x.shape).ravel() for axis in np.eye(3)]
    return np.stack(columns + [np.cross(axis, x).ravel() for axis in np.eye(3)], axis=1)


def moving_nodes(size: int) -> np.ndarray:
    """Corners of the bracket's cubes that are not on the wall, in the order of their numbers: x, y, z in cubes."""
    shape = (round(1.5 * size), size, round(1.5 * size))
    solid = {cube for cube in np.ndindex(shape) if is_in_bracket(*(0 if k == 0 and axis != 1 else (k + 0.5) / size for axis, k in enumerate(cube)))}
    joined, waiting = set(), deque(cube for cube in solid if cube[0] == 0)
    while waiting:
        cube = waiting.popleft()
        if cube not in joined:
            joined.add(cube)
            waiting.extend(next_to for axis in range(3) for step in (-1, 1)
                           if (next_to := (*cube[:axis], cube[axis] + step, *cube[axis + 1 :])) in solid)  # fmt: skip
    corners = {tuple(np.add(cube, corner)) for cube in joined for corner in np.ndindex(2, 2, 2)}
    return np.array(sorted(node for node in corners if node[0] > 0))


def is_in_bracket(x: float, y: float, z: float) -> bool:
    def in_circle(a: float, b: float, radius: float) -> bool:
        return a * a + b * b < radius * radius

    base = z < 0.3 and not in_circle(x - 1.15, y - 0.25, 0.12) and not in_circle(x - 1.15, y - 0.75, 0.12)
    upright = x < 0.3 and not in_circle(y - 0.5, z - 1.1, 0.25)
    return base or upright or (abs(y - 0.5) < 0.15 and x + z < 1.3)
