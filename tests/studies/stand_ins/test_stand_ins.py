"""The matrices of studies/stand_ins, small: what they promise, and plain twins of their parts. With the argument `full`: each as it is, by order and entries."""
import gzip
import json
import subprocess
import sys
import tempfile
import unittest
from importlib.util import find_spec
from pathlib import Path

STUDIES = Path(__file__).resolve().parents[3] / "studies"
missing = [name for name in ("numpy", "scipy") if find_spec(name) is None]
if missing:
    print(f"skipped: not installed: {' '.join(missing)}")
    sys.exit(77)
sys.path.insert(0, str(STUDIES))
import numpy as np  # noqa: E402
import scipy.io  # noqa: E402
import scipy.sparse as sp  # noqa: E402
import scipy.sparse.linalg  # noqa: E402

import simulated  # noqa: E402
import stand_ins  # noqa: E402
from stand_ins import aerofoil, bricks, device, shells, tetrahedra  # noqa: E402

# Sizes for which a matrix is small: of fractions of a crankshaft, of points along axes.
SMALL = {"bbmat_like": (12, 7), "ecl32_like": (6, 5, 4), "invextr_like": ((4, 2, 2),), "mixtank_like": (3,), "bmwcra_like": (0.9,), "crankseg_like": (1.0,),
         "ship_like": (6, 3, 8, 3), "bmw3_2_like": (2, 4, (6, 5, 5), (2, 2)), "cube11_41": (5,), "convdiff3d_40": (5,), "helmholtz3d": (10,), "kkt_pdeopt3d": (4,),
         "chem_like": (12, 9), "circuit_pl": (400, 20)}
DEFINITE = {"bmwcra_like", "crankseg_like", "ship_like", "bmw3_2_like", "cube11_41"}
EPS = np.finfo(float).eps


class Promises(unittest.TestCase):
    def test_all_have_a_small_form_and_none_is_forgotten(self):
        self.assertEqual(set(SMALL), set(stand_ins.CATALOGUE))

    def test_the_same_matrix_each_time(self):
        for name, sizes in SMALL.items():
            first, second = (stand_ins.make(name, *sizes) for _ in range(2))
            for array in ("indptr", "indices", "data"):
                self.assertTrue(np.array_equal(getattr(first, array), getattr(second, array)), name)
            self.assertTrue(np.isfinite(first.data).all() and (first.data != 0).all(), name)
            self.assertEqual(len(set(zip(*first.nonzero()))), first.nnz, name)

    def test_symmetric_and_definite_as_promised(self):
        for name, made in stand_ins.CATALOGUE.items():
            A = stand_ins.make(name, *SMALL[name])
            self.assertEqual((A != A.T).nnz == 0, made.is_symmetric, name)
            if made.is_symmetric:
                values = np.linalg.eigvalsh(A.toarray())
                self.assertEqual(values[0] > len(values) * EPS * values[-1], name in DEFINITE, f"{name}: {values[0]} to {values[-1]}")

    def test_regular_by_pattern(self):
        for name, sizes in SMALL.items():
            A = stand_ins.make(name, *sizes)
            self.assertEqual(scipy.sparse.csgraph.structural_rank(A), A.shape[0], name)

    def test_zeros_on_the_diagonal_are_those_of_pressures_and_sources(self):
        self.assertEqual(self.zeros("mixtank_like"), 4**3 - 1)
        self.assertEqual(self.zeros("invextr_like"), 5 * 3 * 3)
        self.assertEqual(self.zeros("circuit_pl"), 20)
        self.assertEqual(self.zeros("kkt_pdeopt3d"), 4**3)

    def zeros(self, name):
        return int((stand_ins.make(name, *SMALL[name]).diagonal() == 0).sum())

    def test_entries_in_the_units_of_a_device_spread_over_decades(self):
        values = abs(stand_ins.make("ecl32_like", *SMALL["ecl32_like"]).data)
        self.assertGreater(values.max() / values.min(), 1e30)


class Twins(unittest.TestCase):
    """Parts of the matrices beside what they come from."""

    def test_the_jacobian_of_a_flux_is_its_derivative(self):
        def flux(U, nx, ny):
            density, mx, my, energy, k, omega = U
            u, v = mx / density, my / density
            pressure = (aerofoil.GAMMA - 1) * (energy - 0.5 * density * (u * u + v * v))
            through = u * nx + v * ny
            return np.array([density * through, mx * through + pressure * nx, my * through + pressure * ny, (energy + pressure) * through, k * through, omega * through])

        U, normal, step = np.array([1.1, 0.4, -0.3, 2.2, 0.05, 7.0]), (0.6, -0.9), 1e-6
        u, v = U[1] / U[0], U[2] / U[0]
        enthalpy = (U[3] + (aerofoil.GAMMA - 1) * (U[3] - 0.5 * U[0] * (u * u + v * v))) / U[0]
        A = aerofoil.flux_jacobian(*(np.array([a]) for a in (u, v, enthalpy, U[4] / U[0], U[5] / U[0], *normal)))[0]
        for column in range(6):
            ahead, behind = U.copy(), U.copy()
            ahead[column] += step
            behind[column] -= step
            np.testing.assert_allclose(A[:, column], (flux(ahead, *normal) - flux(behind, *normal)) / (2 * step), atol=1e-7)

    def test_fluxes_of_carriers(self):
        t = np.array([-30.0, -2.0, -1e-3, -1e-7, 0.0, 1e-7, 1e-3, 2.0, 30.0])
        np.testing.assert_allclose(device.bernoulli(t) - device.bernoulli(-t), -t, atol=1e-12)
        np.testing.assert_allclose(device.bernoulli(t) * np.where(t == 0, 1, np.expm1(t)), np.where(t == 0, 1, t), rtol=1e-9)

    def test_what_moves_as_one_has_no_energy(self):
        """Solids that nothing holds: displacements and small rotations, for both orders of bricks."""
        for order in (1, 2):
            A = bricks.solid(np.ones((2, 1, 3), bool), order, np.ones((2, 1, 3)), lambda x: np.zeros(len(x), bool))
            x = np.argwhere(np.ones((2 * order + 1, order + 1, 3 * order + 1), bool)) / order
            for motion in self.rigid(x):
                self.assertLess(abs(A @ motion.ravel()).max(), 100 * EPS * abs(A).max() * abs(motion).max())
            self.assertEqual((np.linalg.eigvalsh(A.toarray()) < 1e-10 * abs(A).max()).sum(), 6)

    @staticmethod
    def rigid(x):
        for axis in np.eye(3):
            yield np.broadcast_to(axis, x.shape)
            yield np.cross(axis, x)

    def test_a_bar_stretches_as_hooke_says(self):
        """The energy of a uniform strain is that of its stresses, in volume 2."""
        A = bricks.solid(np.ones((2, 1, 1), bool), 1, np.ones((2, 1, 1)), lambda x: np.zeros(len(x), bool))
        x = np.argwhere(np.ones((3, 2, 2), bool)).astype(float)
        stretched = x * [1, -bricks.POISSON, -bricks.POISSON]  # free sides: stress 1 along x
        self.assertAlmostEqual(stretched.ravel() @ A @ stretched.ravel(), 2.0, places=12)

    def test_a_plate_in_space(self):
        """A bent strip of shells in any position: rigid motions cost next to nothing, only by the stiffness of rotations."""
        R = np.linalg.qr(np.random.default_rng(1).standard_normal((3, 3)))[0]
        grid = np.stack([*(a.ravel() for a in np.meshgrid(range(4), range(3), indexing="ij")), 0.1 * np.arange(12) ** 1.2], 1) @ R.T
        quadrilaterals = np.array([[3 * i + j, 3 * i + j + 3, 3 * i + j + 4, 3 * i + j + 1] for i in range(3) for j in range(2)])
        A = shells.shell(grid, quadrilaterals, np.full(6, 0.1))
        self.assertLess(abs(A - A.T).max(), 100 * EPS * abs(A).max())
        for axis in np.eye(3):
            moved = np.concatenate([np.broadcast_to(axis, grid.shape), np.zeros(grid.shape)], 1).ravel()
            self.assertLess(abs(A @ moved).max(), 100 * EPS * abs(A).max())
        # stretched in its plane: a square of 3 x 2 and thickness 0.1 with stress 1
        flat = np.stack([*(a.ravel() * 1.0 for a in np.meshgrid(range(4), range(3), indexing="ij")), np.zeros(12)], 1) @ R.T
        A = shells.shell(flat, quadrilaterals, np.full(6, 0.1))
        u = (flat @ R) * [1, -shells.POISSON, 0] @ R.T
        moved = np.concatenate([u, np.zeros(u.shape)], 1).ravel()
        self.assertAlmostEqual(moved @ A @ moved, 0.6, places=12)

    def test_a_plate_is_sheared_bent_and_twisted(self):
        """Energies of uniform strains and curvatures of a plate of 3 x 2 and thickness t: stiffness times area, and what rotations cost by themselves."""
        t, area, nu, G = 0.1, 6.0, shells.POISSON, shells.SHEAR
        x, y = (a.ravel() * 1.0 for a in np.meshgrid(range(4), range(3), indexing="ij"))
        quadrilaterals = np.array([[3 * i + j, 3 * i + j + 3, 3 * i + j + 4, 3 * i + j + 1] for i in range(3) for j in range(2)])
        A, no = shells.shell(np.stack([x, y, 0 * x], 1), quadrilaterals, np.full(6, t)), 0 * x
        states = ((y / 2, x / 2, no, no, no, no, G * t * area),
                  (no, no, x * x / 2, no, -x, no, t**3 / 12 / (1 - nu**2) * area),  # w = x^2 / 2 without shear: rotations are its slopes
                  (no, no, y * y / 2, y, no, no, t**3 / 12 / (1 - nu**2) * area),
                  (no, no, (x * x + y * y) / 2, y, -x, no, 2 * (1 + nu) * t**3 / 12 / (1 - nu**2) * area),
                  (no, no, x * y, x, -y, no, 4 * G * t**3 / 12 * area),
                  (no, no, x, no, no, no, 5 / 6 * G * t * area))  # sheared through the thickness
        for *unknowns, energy in states:
            of_rotations = shells.ROTATIONS * G * t**3 * (np.array(unknowns[3:])[:, quadrilaterals] ** 2).sum()
            moved = np.stack(unknowns, 1).ravel()
            self.assertAlmostEqual(moved @ A @ moved, energy + of_rotations, places=13)

    def test_rule_and_functions_of_tetrahedra(self):
        points, weights = tetrahedra.rule()
        x, y, z = points[:, 1:].T
        for powers, integral in (((0, 0, 0), 1 / 6), ((1, 0, 0), 1 / 24), ((4, 0, 0), 24 / 5040), ((2, 1, 1), 2 / 5040), ((2, 2, 0), 4 / 5040), ((0, 1, 3), 6 / 5040)):
            self.assertAlmostEqual((weights * x**powers[0] * y**powers[1] * z**powers[2]).sum(), integral, places=15)
        values, slopes = tetrahedra.quadratic(points)
        np.testing.assert_allclose(values.sum(1), 1, atol=1e-14)
        np.testing.assert_allclose(slopes.sum(1), 0, atol=1e-14)

    def test_flows_whose_integrals_are_known(self):
        """A box of volume 6: the divergence of u = x is 3; u = (y, 0, 0) is sheared by 1; a constant wind carries it; a wind (0, x, 0) is carried by it."""
        box = tetrahedra.Box((1, 2, 3), (2, 2, 2), 0.1, np.random.default_rng(1))
        elements = tetrahedra.TaylorHood(box)

        def constant(x):
            return np.stack([0 * x[0], 1 + 0 * x[1], 0 * x[2]])

        def sheared(x):
            return np.stack([0 * x[0], x[0], 0 * x[2]])

        x = elements.nodes
        u = np.stack([x[:, 1], 0 * x[:, 0], 0 * x[:, 0]], 1).ravel()
        A, B = elements.integrate(lambda x: np.full(x.shape[1:], 0.5), constant, convection=0)
        self.assertAlmostEqual((B @ x.ravel()).sum(), -3 * 6.0, places=10)
        self.assertAlmostEqual(u @ A @ u, 0.5 * 6.0, places=10)
        for motion in self.rigid(x):  # no stress
            self.assertLess(abs(A @ motion.ravel()).max(), 1e-12)
        A, _ = elements.integrate(lambda x: np.zeros(x.shape[1:]), constant, convection=1)
        along = np.tile([1.0, 0, 0], len(x))
        self.assertAlmostEqual(along @ A @ u, 6.0, places=10)  # integral of d(y)/dy
        A, _ = elements.integrate(lambda x: np.zeros(x.shape[1:]), sheared, convection=1)
        self.assertAlmostEqual(np.tile([0, 1.0, 0], len(x)) @ A @ along, 6.0, places=8)  # u . grad of the wind: d(x)/dx
        self.assertAlmostEqual(sum(abs(np.linalg.det(box.points[t[1:]] - box.points[t[0]])) / 6 for t in box.elements), 6.0, places=12)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "matrices"

    def test_made_once_and_read_as_made(self):
        for name in ("chem_like", "kkt_pdeopt3d"):
            path = simulated.stand_in(name, self.folder)
            with gzip.open(path) as text:
                read = sp.csc_matrix(scipy.io.mmread(text))
                self.assertEqual((read != stand_ins.make(name)).nnz, 0)
            with gzip.open(path, "rt") as text:
                self.assertIn("symmetric" if name.startswith("kkt") else "general", text.readline())
            path.write_bytes(b"")
            self.assertEqual(simulated.stand_in(name, self.folder), path)
            self.assertEqual(stand_ins.file_of(name, self.folder), path)
            self.assertEqual(path.read_bytes(), b"")
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()), ["chem_like.mtx.gz", "kkt_pdeopt3d.mtx.gz"])

    def test_without_numpy_it_says_what_to_do(self):
        call = f"import sys; sys.path.insert(0, {str(STUDIES)!r}); sys.modules['numpy'] = sys.modules['scipy'] = None; import simulated; simulated.stand_in('chem_like', 'm')"
        result = subprocess.run([sys.executable, "-B", "-c", call], capture_output=True, text=True, cwd=self.folder.parent)
        self.assertEqual(result.returncode, 1)
        self.assertIn("python3 -m pip install numpy scipy", result.stderr.splitlines()[-1])

    def test_in_a_shell(self):
        shell = [sys.executable, "-B", "-m", "stand_ins", "--out", self.folder]
        result = subprocess.run([*shell, "helmholtz3d"], capture_output=True, text=True, cwd=STUDIES)
        self.assertEqual((result.returncode, result.stdout), (0, f"{self.folder / 'helmholtz3d.mtx.gz'}\n"), result.stderr)
        result = subprocess.run([*shell, "helmholtz2d"], capture_output=True, text=True, cwd=STUDIES)
        self.assertEqual(result.returncode, 2)
        self.assertIn("helmholtz3d", result.stderr)

    def test_runs_of_the_studies_are_of_these_matrices(self):
        """Order and entries that the kept runs of paper 1 tell are those of the catalogue."""
        seen = set()
        for file in ("runs.json", "supernodal_runs.json", "supernodal_cluster_runs.json"):
            for command, report in json.loads((STUDIES / "amestoy2001/results" / file).read_text()).items():
                for name in stand_ins.OF_PAPER_1:
                    if f" {name}.mtx.gz " in command:
                        seen.add(name)
                        self.assertEqual((report["n"], report["nnz"]), (stand_ins.CATALOGUE[name].n, stand_ins.CATALOGUE[name].nnz), command)
        self.assertEqual(seen, set(stand_ins.OF_PAPER_1))


class Pages(unittest.TestCase):
    def test_the_table_of_the_papers_is_the_catalogue(self):
        lines = [line for line in (STUDIES.parent / "docs/papers.md").read_text().splitlines() if "_like |" in line]
        cells = [[cell.strip().replace(",", "") for cell in line.strip("| ").split("|")] for line in lines]
        self.assertEqual({row[3]: (row[0], int(row[4]), int(row[5])) for row in cells},
                         {name: (made.stands_for, made.n, made.nnz) for name, made in stand_ins.CATALOGUE.items() if made.stands_for})

    def test_each_file_tells_order_and_entries_of_its_matrices(self):
        for name, made in stand_ins.CATALOGUE.items():
            text = (STUDIES / "stand_ins" / f"{made.made_by.split('.')[0]}.py").read_text()
            if made.made_by.split(".")[0] != "model_problems":
                self.assertIn(f"Order {made.n:,}, {made.nnz:,} entries", text, name)


QUICK = {"bbmat_like", "ecl32_like", "cube11_41", "convdiff3d_40", "helmholtz3d", "kkt_pdeopt3d", "chem_like", "circuit_pl"}


class Sizes(unittest.TestCase):
    def order_and_entries(self, names):
        for name in names:
            A, made = stand_ins.make(name), stand_ins.CATALOGUE[name]
            self.assertEqual((A.shape[0], A.nnz), (made.n, made.nnz), name)

    def test_those_that_are_made_at_once(self):
        self.order_and_entries(QUICK)


class Full(Sizes):
    """Takes about half a minute and some GB."""

    def test_the_others(self):
        self.order_and_entries(set(stand_ins.CATALOGUE) - QUICK)


if __name__ == "__main__":
    is_full = sys.argv[1:2] == ["full"]
    chosen = ["Full"] if is_full else ["Promises", "Twins", "Files", "Pages", "Sizes"]
    unittest.main(argv=[sys.argv[0], "-v", *chosen])
