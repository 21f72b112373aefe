"""sanitized_tests.py distributes the tests of a small tree: each to one share, with what it needs built."""
import importlib.util
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "sanitized_tests.py"
spec = importlib.util.spec_from_file_location("sanitized_tests", SCRIPT)
sanitized_tests = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sanitized_tests)

# As CMake writes them.
TREE = """
add_test([=[walk_p1]=] "BUILD/tests/walk")
set_tests_properties([=[walk_p1]=] PROPERTIES  ENVIRONMENT "RANKS=1" LABELS "engine")
add_test([=[walk_mpi_p2]=] "/usr/bin/mpirun" "-n" "2" "BUILD/tests/walk" "--engine" "mpi")
add_test([=[solve]=] "/usr/bin/python3" "/project/test_solve.py")
set_tests_properties([=[solve]=] PROPERTIES  ENVIRONMENT "PROGRAM=BUILD/cli/solve;QUIET=1" LABELS "cli")
add_test([=[drop_in]=] "/usr/bin/mpirun" "-x" "LD_PRELOAD=/lib/a.so:BUILD/lib/drop.so" "BUILD/tests/walk")
add_test(plain "BUILD/tests/plain" "BUILD/tests/not_built.json")
add_test([=[no_mpi]=] "/usr/bin/cmake" "-E" "echo" "skipped: no MPI")
add_test([=[spelling]=] "/usr/bin/python3" "/project/spelling.py")
add_test([=[unasked]=] "BUILD/tests/plain")
"""
CHOSEN = {"walk_p1", "walk_mpi_p2", "solve", "drop_in", "plain", "no_mpi", "spelling"}
OUTPUTS = {"tests/walk", "tests/plain", "cli/solve", "lib/drop.so"}
STEPS = {"tests/plain": 1, "tests/walk": 5, "lib/drop.so": 20, "cli/solve": 30}


class SanitizedTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.build = Path(self.folder.name)
        (self.build / "tests").mkdir()
        (self.build / "tests" / "CTestTestfile.cmake").write_text(TREE.replace("BUILD", str(self.build)))
        self.tests = sanitized_tests.tests_of(self.build, CHOSEN)

    def tearDown(self):
        self.folder.cleanup()

    def share(self, k, n):
        return sanitized_tests.share(self.tests, self.build, OUTPUTS, k, n, lambda files: sum(STEPS[file] for file in files))

    def test_one_share_is_all_that_is_chosen(self):
        names, files, left_out = self.share(0, 1)
        self.assertEqual(names, sorted(CHOSEN - {"spelling"}))
        self.assertEqual(files, sorted(OUTPUTS))
        self.assertEqual(left_out, ["spelling"])

    def test_each_test_is_of_one_share_with_its_files(self):
        shares = [self.share(k, 3) for k in range(3)]
        distributed = [name for names, _, _ in shares for name in names if name != "no_mpi"]
        self.assertEqual(sorted(distributed), sorted(CHOSEN - {"spelling", "no_mpi"}))
        needs = {"walk_p1": {"tests/walk"}, "walk_mpi_p2": {"tests/walk"}, "solve": {"cli/solve"}, "plain": {"tests/plain"},
                 "drop_in": {"lib/drop.so", "tests/walk"}, "no_mpi": set()}
        for names, files, _ in shares:
            self.assertEqual(set(files), set().union(*(needs[name] for name in names)))
            self.assertIn("no_mpi", names)

    def test_tests_of_one_program_stay_together(self):
        for k in range(3):
            names, _, _ = self.share(k, 3)
            self.assertEqual("walk_p1" in names, "walk_mpi_p2" in names)

    def test_what_takes_few_steps_comes_first(self):
        """plain, the two of walk, then drop_in and solve."""
        self.assertEqual([self.share(k, 5)[0] for k in range(5)],
                         [["no_mpi", "plain"], ["no_mpi", "walk_mpi_p2", "walk_p1"], ["no_mpi"], ["drop_in", "no_mpi"], ["no_mpi", "solve"]])


if __name__ == "__main__":
    unittest.main()
