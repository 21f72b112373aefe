"""coverage_table.py sums what gcovr counted of a small tree."""
import importlib.util
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "coverage_table.py"
spec = importlib.util.spec_from_file_location("coverage_table", SCRIPT)
coverage_table = importlib.util.module_from_spec(spec)
spec.loader.exec_module(coverage_table)


def line(number, count, *branches):
    return {"line_number": number, "count": count, "branches": [{"count": taken} for taken in branches]}


FILES = [
    {"file": "src/comm/mailbox/inbox.cpp", "lines": [line(1, 5, 3, 0), line(2, 0), line(3, 0), line(7, 0), line(9, 1)]},
    {"file": "src/comm/mailbox/deep/er.cpp", "lines": [line(1, 1)]},
    {"file": "cli/main.cpp", "lines": [line(4, 0, 0, 0)]},
]


class CoverageTable(unittest.TestCase):
    def test_sums_by_folder(self):
        sums = coverage_table.shares(FILES)
        self.assertEqual(sums, {"src/comm/mailbox": [6, 3, 2, 1], "cli": [1, 0, 2, 0], "all": [7, 3, 4, 1]})

    def test_a_row_a_folder_and_the_sum_last(self):
        rows = coverage_table.table(FILES).splitlines()[2:]
        self.assertEqual(rows[0], "| cli | 1 | 0.0 % | 2 | 0.0 % |")
        self.assertEqual(rows[1], "| src/comm/mailbox | 6 | 50.0 % | 2 | 50.0 % |")
        self.assertEqual(rows[2], "| all | 7 | 42.9 % | 4 | 25.0 % |")

    def test_lines_that_did_not_run_are_ranges_up_to_one_that_did(self):
        self.assertEqual(coverage_table.unrun(FILES), "cli/main.cpp: 4\nsrc/comm/mailbox/inbox.cpp: 2-7\n")

    def test_instances_of_a_template_are_one(self):
        def counted(number, count, *branches):
            return {"line_number": number, "count": count, "branches": [{"branchno": k, "count": taken} for k, taken in branches]}

        left_out = {**counted(9, 0), "gcovr/excluded": True}
        lines = [counted(4, 0, (0, 0), (1, 0)), counted(3, 2), counted(4, 5, (1, 4), (2, 0)), left_out]
        self.assertEqual(coverage_table.merged(lines), [line(3, 2), line(4, 5, 0, 4, 0)])

    def test_the_page_has_one_place_for_the_table(self):
        self.assertEqual(len(coverage_table.BLOCK.findall(coverage_table.PAGE.read_text())), 1)


if __name__ == "__main__":
    unittest.main()
