"""Models with planted faults, each named at the right unknowns, and sound ones, none accused."""
import numpy as np
import overlapack
import pytest
from scipy import sparse

FAULTS = ("island", "no_ground", "truss", "loose_bar", "elastic", "twice", "sum", "empty", "crowded", "pressure")
SOUND = ("weak_spring", "conductances", "shift", "units", "saddle", "beam")


def springs(points, pairs, stiffness):
    """Bars between points in the plane: unknowns 2 k and 2 k + 1 are the displacements of point k."""
    n = 2 * len(points)
    A = sparse.lil_array((n, n))
    for (a, b), k in zip(pairs, stiffness):
        d = (points[b] - points[a]) / np.linalg.norm(points[b] - points[a])
        block = k * np.outer(d, d)
        for p, q, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            A[2 * p : 2 * p + 2, 2 * q : 2 * q + 2] += sign * block
    A = sparse.csc_array(A)
    return sparse.csc_array((A + A.T) / 2)


def lattice(rng, w, h):
    """A braced lattice of w x h points, a little out of place, turned."""
    x, y = np.meshgrid(np.arange(w), np.arange(h))
    turn = rng.uniform(0, 6)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    points = (np.stack([x.ravel(), y.ravel()], axis=1) + rng.uniform(-0.2, 0.2, (w * h, 2))) @ rotation
    at = lambda i, j: i + w * j
    pairs = [(at(i, j), at(i + 1, j)) for j in range(h) for i in range(w - 1)]
    pairs += [(at(i, j), at(i, j + 1)) for j in range(h - 1) for i in range(w)]
    pairs += [(at(i, j), at(i + 1, j + 1)) for j in range(h - 1) for i in range(w - 1)]
    return points, pairs


def resistors(rng, w, h, low=0.1, high=10.0):
    """A grid of resistors without a ground."""
    n = w * h
    A = sparse.lil_array((n, n))
    for j in range(h):
        for i in range(w):
            for a, b in ((i + w * j, i + 1 + w * j), (i + w * j, i + w * (j + 1))):
                if (b == a + 1 and i + 1 == w) or (b > a + 1 and j + 1 == h):
                    continue
                g = np.exp(rng.uniform(np.log(low), np.log(high)))
                A[a, a] += g
                A[b, b] += g
                A[a, b] -= g
                A[b, a] -= g
    return A


def grounded(A, rng, g=1.0):
    A = A.copy()
    k = int(rng.integers(A.shape[0]))
    A[k, k] += g
    return A


def convection(rng, n):
    A = sparse.lil_array(sparse.diags_array([[-1.5] * (n - 1), [3.0] * n, [-0.5] * (n - 1)], offsets=[-1, 0, 1]))
    for _ in range(n):
        A[int(rng.integers(n)), int(rng.integers(n))] += rng.uniform(0.1, 0.5)
    return A


def held_truss(rng, w, h):
    points, pairs = lattice(rng, w, h)
    A = springs(points, pairs, rng.uniform(0.5, 2, len(pairs))).tolil()
    for dof in (0, 1, 2 * w - 2, 2 * w - 1):
        A[dof, dof] += 1
    return points, pairs, A


def fault(seed):
    """Of this seed: matrix, keywords, the kind that is to be found, and the test of its finding."""
    rng = np.random.default_rng(seed)
    w, h = (int(k) for k in rng.integers(3, 9, 2))
    kind = FAULTS[seed % len(FAULTS)]
    if kind == "island":  # a part without a connection, somewhere in the numbering
        main, island = grounded(resistors(rng, w, h), rng), resistors(rng, 2, int(rng.integers(2, 6)))
        A = sparse.csc_array(sparse.block_diag([main, island]))
        order = rng.permutation(A.shape[0])
        where = set(np.flatnonzero(order >= main.shape[0]).tolist())
        return A[order][:, order], {}, "free_unknowns", lambda f: set(f.unknowns) == where and "not connected" in f.what
    if kind == "no_ground":
        A = resistors(rng, w, h)
        return A, {}, "free_unknowns", lambda f: len(f.unknowns) == w * h and "same amount" in f.what and len(f.change) == 1
    if kind == "truss":  # nothing holds it
        points, pairs = lattice(rng, w, h)
        A = springs(points, pairs, rng.uniform(0.1, 10, len(pairs)))
        words = ("translation along x", "translation along y", "rotation")
        return A, {"coordinates": points}, "free_unknowns", lambda f: all(word in f.what for word in words) and len(f.change) == 3
    if kind == "loose_bar":  # a pendulum at a point of a truss that is held
        points, pairs, _ = held_truss(rng, w, h)
        at = int(rng.integers(w * h))
        points = np.vstack([points, points[at] + rng.uniform(0.5, 1, 2)])
        pairs = pairs + [(at, w * h)]
        A = springs(points, pairs, np.ones(len(pairs))).tolil()
        for dof in (0, 1, 2 * w - 2, 2 * w - 1):
            A[dof, dof] += 1
        loose = {2 * w * h, 2 * w * h + 1}
        return A, {"coordinates": points}, "free_unknowns", lambda f: set(f.unknowns) <= loose and len(f.unknowns) > 0
    if kind == "elastic":  # held at one point of the plane: it turns about that
        points, pairs = lattice(rng, w, h)
        A = springs(points, pairs, rng.uniform(0.5, 2, len(pairs))).tolil()
        at = int(rng.integers(w * h))
        for dof in (2 * at, 2 * at + 1):
            A[dof, dof] += 3
        center = "(%.3g" % points[at][0]
        return A, {"coordinates": points}, "free_unknowns", lambda f: "rotation about (" in f.what and abs(float(f.what.split("(")[1].split(",")[0]) - points[at][0]) < 1e-3
    if kind in ("twice", "sum"):  # an equation that is a combination of others
        A = convection(rng, 10 * w)
        a, b, c = rng.choice(10 * w, 3, replace=False)
        A[[int(a)]] = (A[[int(b)]] * 3.0 if kind == "twice" else A[[int(b)]] - A[[int(c)]]).toarray()
        those = {int(a), int(b)} | ({int(c)} if kind == "sum" else set())
        return A, {}, "dependent_equations", lambda f: set(f.equations) == those
    if kind == "empty":  # an unknown whose element was left out
        A = convection(rng, 10 * w)
        k = int(rng.integers(10 * w))
        A[:, [k]] = 0
        return A, {}, "empty_unknown", lambda f: f.unknowns == (k,)
    if kind == "crowded":  # four equations of three unknowns
        A = convection(rng, 10 * w)
        rows, cols = rng.choice(10 * w, 4, replace=False), rng.choice(10 * w, 3, replace=False)
        A[rows] = 0
        for i in rows:
            for j in cols:
                A[int(i), int(j)] = rng.uniform(1, 2)
        return A, {}, "too_many_equations", lambda f: set(f.equations) == set(rows.tolist()) and set(f.unknowns) == set(cols.tolist())
    # pressure: fluxes between cells, whose balances sum to zero
    pipes = [(i, i + 1) for i in range(h)] + [(int(rng.integers(h)), h) for _ in range(w)]
    B = sparse.lil_array((h + 1, len(pipes)))
    for k, (a, b) in enumerate(pipes):
        B[a, k] += 1
        B[b, k] -= 1
    A = sparse.block_array([[sparse.diags_array(rng.uniform(1, 2, len(pipes))), B.T], [B, None]])
    cells = set(range(len(pipes), len(pipes) + h + 1))
    return A, {}, "free_unknowns", lambda f: set(f.unknowns) == cells and "same amount" in f.what


def sound(seed):
    rng = np.random.default_rng(1000 + seed)
    w, h = (int(k) for k in rng.integers(3, 9, 2))
    kind = SOUND[seed % len(SOUND)]
    if kind == "weak_spring":  # held by a spring far weaker than the others
        points, pairs, _ = held_truss(rng, w, h)
        A = springs(points, pairs, np.ones(len(pairs))).tolil()
        for dof in (0, 1, 2 * w - 2, 2 * w - 1):
            A[dof, dof] += 10.0 ** rng.uniform(-11, -9)
        return A, {"coordinates": points}
    if kind == "conductances":
        return grounded(resistors(rng, w, h, 1e-6, 1e6), rng, 1e-6), {}
    if kind == "shift":  # near an eigenvalue
        n = 10 * w
        A = sparse.diags_array([[-1.0] * (n - 1), [2.0] * n, [-1.0] * (n - 1)], offsets=[-1, 0, 1])
        shift = 2 - 2 * np.cos(np.pi * int(rng.integers(1, n)) / (n + 1))
        return A - (shift * (1 + 10.0 ** rng.uniform(-11, -9))) * sparse.eye_array(n), {}
    if kind == "units":  # condition 1e15 by units alone
        A = grounded(resistors(rng, w, h), rng).tocsc()
        scale = sparse.diags_array(10.0 ** rng.uniform(-4, 4, w * h))
        return scale @ A @ scale, {}
    if kind == "saddle":
        m, n = 4 * w, 10 * w
        B = sparse.random_array((m, n), density=3 / n, rng=rng) + sparse.eye_array(m, n)
        return sparse.block_array([[sparse.diags_array(10.0 ** rng.uniform(-7, 7, n)), B.T], [B, None]]), {}
    n = 80 * w  # bending: fourth differences, clamped at one end
    D = sparse.diags_array([[1.0] * n, [-2.0] * (n - 1), [1.0] * (n - 2)], offsets=[0, -1, -2])
    return D.T @ D, {}


def test_faults_are_named():
    missed = []
    for seed in range(30):
        A, more, kind, is_right = fault(seed)
        diagnosis = overlapack.diagnose(sparse.csc_array(A), **more)
        faults = [f for f in diagnosis.findings if f.is_fault]
        if diagnosis.is_sound or not any(f.kind == kind and is_right(f) for f in faults):
            missed.append(f"{FAULTS[seed % len(FAULTS)]} {seed}:\n{diagnosis}")
    assert len(missed) <= 2, "\n\n".join(missed)


def test_sound_models_are_not_accused():
    conditions = []
    for seed in range(30):
        A, more = sound(seed)
        A = sparse.csc_array(A)
        conditions.append(np.linalg.cond(A.toarray()))
        diagnosis = overlapack.diagnose(A, **more)
        assert diagnosis.is_sound, f"{SOUND[seed % len(SOUND)]} {seed}, condition {conditions[-1]:.0e}:\n{diagnosis}"
    assert sum(c > 1e10 for c in conditions) >= 12


def test_names_and_right_hand_sides():
    A = sparse.csc_array([[1.0, 1.0, 0.0], [2.0, 2.0, 0.0], [0.0, 0.0, 1.0]])
    names = ["north", "south", "west"]
    for b, words in (([1, 2, 0], "repeat each other"), ([1, 3, 0], "contradict each other")):
        found = [f for f in overlapack.diagnose(A, names=names, b=b).findings if f.kind == "dependent_equations"]
        assert len(found) == 1 and words in found[0].what and "or, by" not in found[0].what
        assert "equation of north" in found[0].what and found[0].change[0] in (0, 1)
    table = str(overlapack.diagnose(A, names=names, equations=["first", "second", "third"]))
    assert "second" in table and "north" in table and "equation of" not in table


def test_what_is_empty_is_accused_once():
    A = sparse.lil_array((12, 12))
    A.setdiag([0, 0, 0, *[2.0] * 9])
    A[10:, 10:] = [[1.0, -1.0], [-1.0, 1.0]]
    found = overlapack.diagnose(A.tocsc()).findings
    assert [f.kind for f in found] == ["empty_equation"] * 3 + ["empty_unknown"] * 3 + ["free_unknowns"]
    assert set(found[-1].unknowns) == {10, 11}


def test_an_empty_unknown_beside_dependent_equations():
    A = sparse.csc_array(np.outer([1.0, 2.0, 3.0], [0.0, 1.0, 1.0]))  # rank 1, by the pattern 2
    for matrix, more in ((A, {}), (sparse.block_diag([np.eye(4), A]).tocsc(), {"names": [f"u{k}" for k in range(7)]})):
        first = matrix.shape[0] - 3
        found = overlapack.diagnose(matrix, b=np.r_[np.ones(first), 1, 2, 3], **more).findings
        kinds = ["empty_unknown", "too_many_equations", "free_unknowns", "dependent_equations", "dependent_equations"]
        assert [f.kind for f in found] == kinds
        assert found[0].unknowns == (first,) and set(found[2].unknowns) == {first + 1, first + 2}
        for f in found[3:]:
            assert set(f.equations) <= {first, first + 1, first + 2} and "repeat each other" in f.what


def test_each_of_many_loose_parts_is_found():
    parts = 300
    loose = sparse.kron(sparse.eye_array(parts), np.array([[1.0, -1.0], [-1.0, 1.0]]))
    one_sided = sparse.kron(sparse.eye_array(parts), np.array([[1.0, -1.0], [-2.0, 2.0]]))
    found = overlapack.diagnose(sparse.csc_array(loose)).findings
    assert [set(f.unknowns) for f in found] == [{2 * k, 2 * k + 1} for k in range(parts)]
    found = overlapack.diagnose(sparse.block_diag([sparse.eye_array(5), one_sided]).tocsc()).findings
    for kind, lines in (("free_unknowns", "unknowns"), ("dependent_equations", "equations")):
        of_kind = [f for f in found if f.kind == kind]
        assert [set(getattr(f, lines)) for f in of_kind] == [{5 + 2 * k, 6 + 2 * k} for k in range(parts)]


def test_right_hand_sides_are_read_as_solve_reads_them():
    A = sparse.csc_array([[1.0, 1.0, 0.0], [2.0, 2.0, 0.0], [0.0, 0.0, 1.0]])
    for b in (np.array([1, 3, 0]), np.array([[1.0], [3.0], [0.0]]), sparse.csc_array([[1.0], [3.0], [0.0]])):
        assert "contradict each other" in str(overlapack.diagnose(A, b=b))
    for b, words in (([1, 2 + 1j, 0], "b is complex"), (np.ones((3, 2)), "b has 2 columns"), (["one"] * 3, "b is a list")):
        with pytest.raises(overlapack.BadInput, match=words):
            overlapack.diagnose(A, b=b)


def test_complex_and_single_precision():
    ring = sparse.csc_array(2 * np.eye(6) - np.roll(np.eye(6), 1, 0) - np.roll(np.eye(6), -1, 0))
    for dtype in (np.float32, np.float64, np.complex64, np.complex128):
        diagnosis = overlapack.diagnose(ring.astype(dtype))
        assert [f.kind for f in diagnosis.findings] == ["free_unknowns"] and len(diagnosis.findings[0].unknowns) == 6
        assert overlapack.diagnose((ring + sparse.eye_array(6)).astype(dtype)).is_sound


def test_notes():
    A = sparse.csc_array(np.diag([1.0, 1.0, 1e-14, 1.0]))
    diagnosis = overlapack.diagnose(A)
    assert diagnosis.is_sound and [f.kind for f in diagnosis.findings] == ["uneven_scale"]
    assert diagnosis.findings[0].equations == (2,) and "no fault" in str(diagnosis)
    assert "nothing wrong" in str(overlapack.diagnose(sparse.eye_array(3)))
    assert not overlapack.diagnose(sparse.csc_array((3, 3))).is_sound


def test_bad_input():
    for bad in (np.inf, np.nan):
        with pytest.raises(overlapack.BadInput, match="row 1, column 0 .* is not a finite number"):
            overlapack.diagnose(sparse.csc_array([[1.0, 2.0], [bad, 3.0]]))
    A = sparse.csc_array(np.eye(4))
    for keywords, words in (
        ({"names": ["a"]}, "1 names of unknowns for 4"),
        ({"equations": list("abcde")}, "5 names of equations"),
        ({"coordinates": np.zeros(4)}, "one row for each node"),
        ({"coordinates": np.zeros((3, 2))}, "3 nodes for 4 unknowns"),
        ({"coordinates": np.zeros((2, 5))}, "5 dimensions"),
        ({"coordinates": np.full((4, 2), np.nan)}, "entry 0 of the coordinates is not a finite number"),
        ({"b": np.zeros(3)}, "3 entries for 4"),
        ({"b": [0, 1, np.nan, 0]}, "entry 2 of the right-hand side is not a finite number"),
    ):
        with pytest.raises(overlapack.BadInput, match=words):
            overlapack.diagnose(A, **keywords)
    with pytest.raises(overlapack.BadInput, match="as many equations as unknowns"):
        overlapack.diagnose(sparse.csc_array((2, 3)))
