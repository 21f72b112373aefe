"""check_contract.py finds a claim whose test is gone, a test beside two claims and a table that is gone."""
import importlib.util
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "check_contract.py"
spec = importlib.util.spec_from_file_location("check_contract", SCRIPT)
check_contract = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_contract)


def complaints(rows, tests="".join(f"TEST(Suite, Name{i}) {{}}\n" for i in range(30)), listing=""):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "docs").mkdir()
        (root / "tests").mkdir()
        table = "| claim | test |\n|---|---|\n" + "".join(f"| {claim} | {names} |\n" for claim, names in rows)
        (root / "docs" / "contract.md").write_text("# The contract\n\n## What shows it\n\n" + table)
        (root / "tests" / "some_test.cpp").write_text(tests)
        (root / "tests" / "CMakeLists.txt").write_text(listing)
        return list(check_contract.problems(root))


class CheckContract(unittest.TestCase):
    rows = [(f"claim {i}", f"Suite.Name{i}") for i in range(25)]

    def test_all_is_there(self):
        self.assertEqual(complaints(self.rows), [])

    def test_a_test_that_is_gone(self):
        self.assertEqual(len(complaints(self.rows + [("another", "Suite.Name99")])), 1)

    def test_a_test_beside_two_claims(self):
        self.assertEqual(len(complaints(self.rows + [("another", "Suite.Name26, Suite.Name3")])), 1)

    def test_an_entry_of_ctest(self):
        rows = self.rows + [("another", "of_processes")]
        self.assertEqual(len(complaints(rows)), 1)
        self.assertEqual(complaints(rows, listing="add_test(NAME of_processes_p${ranks} COMMAND x)"), [])

    def test_a_table_that_is_gone(self):
        self.assertEqual(len(complaints([])), 1)


if __name__ == "__main__":
    unittest.main()
