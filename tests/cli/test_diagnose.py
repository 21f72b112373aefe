"""The command diagnose: what it prints, its files, its exit codes."""
import unittest

from cli_case import CliCase

SINGULAR, BAD_INPUT = 3, 2


class Diagnose(CliCase):
    def ring(self):
        """A ring of four springs that nothing holds."""
        pairs = [(1, 2), (2, 3), (3, 4), (1, 4)]
        return self.matrix("ring.mtx", 4, [(i, i, 2.0) for i in range(1, 5)] + [(b, a, -1.0) for a, b in pairs], "real symmetric")

    def test_names_what_is_free(self):
        names = self.write("names", "north\neast\nsouth\nwest\n")
        result = self.overlapack("diagnose", self.ring(), "--names", names)
        self.assertEqual(result.returncode, SINGULAR, result.stderr)
        for words in ("free_unknowns", "north", "all by the same amount", "fix "):
            self.assertIn(words, " ".join(result.stdout.split()))

    def test_rigid_motions_by_coordinates(self):
        # a bar between (0, 0) and (1, 0)
        a = self.matrix("bar.mtx", 4, [(1, 1, 1.0), (3, 1, -1.0), (3, 3, 1.0)], "real symmetric")
        nodes = self.write("nodes.mtx", "%%MatrixMarket matrix array real general\n2 2\n0\n1\n0\n0\n")
        found = self.overlapack("diagnose", a, "--coordinates", nodes, "--json")
        self.assertEqual(found.returncode, SINGULAR)
        self.assertIn("translation along x", found.stdout)

    def test_sound(self):
        a = self.tridiagonal()
        self.assertIn("nothing wrong", self.ok("diagnose", a))
        told = self.ok_json("diagnose", a)
        self.assertEqual((told["sound"], told["findings"]), (True, []))
        self.assertEqual(self.ok("diagnose", a, "-q"), "")

    def test_bad_input(self):
        a = self.tridiagonal()
        self.refused(BAD_INPUT, "diagnose", a, "--names", self.write("few", "one\n"), saying="1 names")
        self.refused(BAD_INPUT, "diagnose", a, "--names", "nowhere", saying="nowhere")
        self.refused(BAD_INPUT, "diagnose", "nowhere.mtx", saying="nowhere")
        self.refused(BAD_INPUT, "diagnose", a, "--names", self.folder, saying="cannot be read")
        two = self.write("two.mtx", "%%MatrixMarket matrix array real general\n20 2\n" + "1\n" * 40)
        self.refused(BAD_INPUT, "diagnose", a, "--rhs", two, saying="has 2 columns")
        z = self.write("z.mtx", "%%MatrixMarket matrix array complex general\n20 1\n" + "1 1\n" * 20)
        self.refused(BAD_INPUT, "diagnose", a, "--rhs", z, saying="is complex")


if __name__ == "__main__":
    unittest.main()
