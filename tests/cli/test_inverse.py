"""The command inverse: the entries that it writes, beside a dense inverse; its refusals."""
import json
import unittest

from cli_case import CliCase

BAD_INPUT, SINGULAR = 2, 3
A = [[4.0, 1.0, 0.0], [0.0, 3.0, 1.0], [2.0, 0.0, 5.0]]
DET = 62.0
# by cofactors: INVERSE[i][j] * DET
COFACTORS = [[15.0, -5.0, 1.0], [2.0, 20.0, -4.0], [-6.0, 2.0, 12.0]]


class Inverse(CliCase):
    def a(self):
        return self.matrix("a.mtx", 3, [(i + 1, j + 1, A[i][j]) for i in range(3) for j in range(3) if A[i][j]])

    def check(self, text, places):
        """A file of coordinates holds the entries of the inverse at these places, numbers from 1."""
        lines = [line.split() for line in text.splitlines() if not line.startswith("%")]
        found = {(int(i), int(j)): float(v) for i, j, v in lines[1:]}
        self.assertEqual(set(found), set(places))
        for (i, j), value in found.items():
            self.assertAlmostEqual(value, COFACTORS[i - 1][j - 1] / DET, places=14)

    def test_where_the_matrix_has_entries(self):
        told = self.ok("inverse", self.a(), "-o", "z.mtx")
        self.assertIn("entries", told)
        self.assertIn("written to z.mtx", told)
        self.check((self.folder / "z.mtx").read_text(), {(j + 1, i + 1) for i in range(3) for j in range(3) if A[i][j]})

    def test_where_another_matrix_has(self):
        places = self.matrix("places.mtx", 3, [(1, 3), (3, 1), (2, 2)], "pattern general")
        self.check(self.ok("inverse", self.a(), "--at", places, "-o", "-"), {(1, 3), (3, 1), (2, 2)})

    def test_diagonal(self):
        told = json.loads(self.ok("inverse", self.a(), "--diagonal", "-o", "d.mtx", "--json"))
        self.assertEqual((told["inverse_entries"], told["status"]), (3, "ok"))
        numbers = [float(line) for line in (self.folder / "d.mtx").read_text().splitlines()[-3:]]
        for k in range(3):
            self.assertAlmostEqual(numbers[k], COFACTORS[k][k] / DET, places=14)

    def test_one_triangle_of_a_symmetric_inverse(self):
        self.ok("generate", "cube", "4", "-o", "cube.mtx")
        self.ok("inverse", "cube.mtx", "-o", "z.mtx")
        header, size = [line for line in (self.folder / "z.mtx").read_text().splitlines() if not line.startswith("% ")][:2]
        self.assertTrue(header.endswith("symmetric"), header)
        self.assertEqual(size.split()[:2], ["64", "64"])

    def test_bad_input(self):
        a = self.a()
        self.refused(BAD_INPUT, "inverse", a, "-o", "z.mtx", "--diagonal", "--at", a, saying="give one of them")
        self.refused(BAD_INPUT, "inverse", a, "-o", "z.mtx", "--at", self.tridiagonal("b.mtx"), saying="give a matrix of that order")
        self.refused(BAD_INPUT, "inverse", a, "-o", "z.npy", saying="Matrix Market")
        self.refused(BAD_INPUT, "inverse", a, "-o", "z.mtx", "--method", "dense", saying="dense")
        singular = self.matrix("singular.mtx", 2, [(1, 1, 1.0), (1, 2, 2.0), (2, 1, 2.0), (2, 2, 4.0)])
        self.refused(SINGULAR, "inverse", singular, "-o", "z.mtx", saying="singular")


if __name__ == "__main__":
    unittest.main()
