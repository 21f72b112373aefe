"""What the study of paper 5 makes of its runs."""
import argparse
import json
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

STUDIES = Path(__file__).resolve().parents[2] / "studies"
sys.path[:0] = [str(STUDIES / "bethune2014"), str(STUDIES)]
import measured  # noqa: E402
import paper  # noqa: E402
import simulated  # noqa: E402
import study  # noqa: E402




def rows_of(page, head):
    """Cells of the table that begins with `head`."""
    lines = page[page.index(head):].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


REPORT = {"iterations": {"min": 90, "mean": 100, "max": 110}, "sends": 3, "sends_per_iteration": 0.5, "slices": 4, "slices_by_others": 1, "true_residual": 1e-4, "solve_s": 0.1}


class Held(simulated.Criteria, measured.MeasuredStudy):
    """Of programs of the tests; runs go to a folder of the tests."""

    def __init__(self, folder=None, program="overlapack", makes=True):
        super().__init__(is_small=False)
        self.a, self.runs = argparse.Namespace(overlapack=str(program)), simulated.Runs(str(program), "any", folder and folder / "runs.json", makes)


class Figure8(unittest.TestCase):
    def test_the_front_of_numbers(self):
        """Numbers of 4 slabs of 150 planes: 6^-d is subnormal from 6^-396 on."""
        front = measured.Front(planes=150, slabs=4, iterations=450)
        self.assertEqual(front.first, 396)
        self.assertEqual(front.slabs_of(1, 395), set())
        self.assertEqual(front.slabs_of(396, 450), {2})
        self.assertGreater(front.end, 600)  # a plane farther an iteration at most
        self.assertIn(f"until iteration {front.end}. The subnormal planes lie in slab 2 at iteration 396 and in slab 2 at iteration 450", front.text())

    def held(self, slowest, rank):
        rows = [[name, f"{begin} to {begin + 99}", 100, seconds, rank] for name, seconds in (("zero start", slowest), ("zero start, flush to zero", 100)) for begin in (101, 401)]
        held = Held()
        lines = held.held_sweeps(rows)
        return [line.split(":")[0] for line in lines[-2:]], held.failed, lines

    def test_the_slowest_rank_decides(self):
        verdicts, failed, lines = self.held(160, 6)
        self.assertEqual((verdicts, failed), (["holds", "holds"], []))
        self.assertIn("holds: in step the slowest rank's sweep takes 1.60 to 1.60 times", lines[-2])
        self.assertEqual(self.held(140, 6)[0], ["DOES NOT HOLD", "holds"])
        self.assertEqual(self.held(160, 5)[0], ["holds", "DOES NOT HOLD"])


class Machines(unittest.TestCase):
    def test_a_receive_costs_more_and_nothing_else_differs(self):
        ours = json.loads((STUDIES.parent / f"machines/{paper.MACHINE}.json").read_text())
        self.assertEqual(ours["network"].pop("receive_s")["value"], paper.STANDARD_RECEIVE)
        with tempfile.TemporaryDirectory() as folder:
            path = study.Study.with_receives(Path(folder), 6e-7)
            self.assertEqual(path.name, "xe6-gemini-like-receive_s-6e-07.json")
            other = json.loads(path.read_text())
        self.assertEqual(other["network"].pop("receive_s")["value"], 6e-7)
        self.assertEqual(other, ours)


class Quoted(unittest.TestCase):
    """Numbers that docs/jacobi.md quotes are those of the pages of the study."""

    document = (STUDIES.parent / "docs/jacobi.md").read_text()

    def test_in_flight_and_halo_period(self):
        page = rows_of((STUDIES / "bethune2014/results/choices.md").read_text(), "| ranks | points |")
        ms = {(ranks, how): time for ranks, points, variant, how, *_, time in page if (points, variant) == ("8^3", "async")}
        quoted = rows_of(self.document, "| ranks | R = N = 1 |")
        self.assertEqual([row[0] for row in quoted], ["32", "64"])
        for ranks, *times in quoted:
            others = [ms[ranks, how] for how in ("R 8, N 2", "R 8, N 4") if (ranks, how) in ms]
            expected = [ms[ranks, how] for how in ("R 1, N 1", "R 100, N 1", "found")] + [min(others, key=float, default="")]
            self.assertEqual([time.removesuffix(" ms") for time in times], expected)

    def test_sums(self):
        page = rows_of((STUDIES / "bethune2014/results/sums.md").read_text(), "| ranks | residual_sum |")
        quoted = rows_of(self.document, "| `residual_sum` | way |")
        for row, form in zip(quoted, ("tree", "doubling"), strict=True):
            self.assertIn(f"`{form}`", row[0])
            self.assertEqual(row[2].split(", "), [cells[3] for cells in page if cells[1] == form and "simulated" in cells[0]])
        ms = {(ranks, form): float(cells[3]) for ranks, form, *cells in page if "simulated" in ranks}
        longer = [f"{100 * ms[ranks, 'doubling'] / ms[ranks, 'tree'] - 100:.0f}" for ranks in ("16, simulated", "32, simulated")]
        self.assertIn(f"therefore {' and '.join(longer)} % longer with `doubling`", self.document)

    def test_rates_and_mapping(self):
        faster = re.search(r"async and racy iterate faster than sync at every size \(async on ([\d, ]+) ranks", (STUDIES / "bethune2014/results/figure3.md").read_text())[1]
        self.assertIn(f"than in step on {' and '.join(faster.rsplit(', ', 1))} simulated ranks, and not on fewer", self.document)
        ratios = {tuple(row[:2]): row[-1] for row in rows_of((STUDIES / "bethune2014/results/mapping.md").read_text(), "| points | variant |")}
        self.assertIn(f"takes {ratios.pop(('24^3', 'sync'))} times as long without it. With 8^3 points, and with async, it makes no difference.", " ".join(self.document.split()))
        self.assertLess(max(abs(float(ratio) - 1) for ratio in ratios.values()), 0.02)


class Engines(unittest.TestCase):
    """Programs of the tests stand in the place of overlapack and of the launchers."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.launchers = self.folder / "bin"
        self.launchers.mkdir()
        for tool in ("sh", "cat"):
            (self.launchers / tool).symlink_to(shutil.which(tool))
        (self.folder / "report").write_text(json.dumps(REPORT))
        self.program = self.write("overlapack", f"cat {self.folder}/report")
        patch = mock.patch.dict("os.environ", PATH=str(self.launchers))
        patch.start()
        self.addCleanup(patch.stop)

    def write(self, name, text):
        path = self.launchers / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    def study(self, makes=True):
        return Held(self.folder, self.program, makes)

    def test_a_launcher_that_is_not_there_is_a_row_in_words(self):
        page = self.study().real()
        self.assertEqual(page.count("| thread |"), 3)
        self.assertEqual(page.count("not run: no mpirun | - | - | - | - |"), 3)
        self.assertEqual(page.count("not run: no oshrun | - | - | - | - |"), 3)
        page = self.study().hybrid()
        self.assertEqual(page.count("not run: no mpirun | - | - | - | - | - |"), 6)
        self.assertIn("async takes 1.00 (16 ranks, threads) times the iterations of sync.", page)

    def test_what_older_runs_left_out_is_said(self):
        self.study().real()
        kept = json.loads((self.folder / "runs.json").read_text())
        kept["measured: real"]["rows"] = [row for row in kept["measured: real"]["rows"] if row[0] == "thread"]
        (self.folder / "runs.json").write_text(json.dumps(kept))
        page = self.study(makes=False).real()
        self.assertIn("| shmem | racy | not run | - | - | - | - |", page)
        self.assertIn("Rows that were not run are open", page)
        for launcher in ("mpirun", "oshrun"):
            self.write(launcher, f"cat {self.folder}/report")
        self.assertNotIn("not run", self.study().real())

    def test_a_run_that_fails_ends_the_study_and_changes_nothing(self):
        self.write("mpirun", "exit 0")
        self.write("oshrun", "exit 0")
        (self.folder / "runs.json").write_text(json.dumps({"measured: real": {"rows": []}}))
        self.write("mpirun", "echo this computer has no slots >&2; exit 1")
        with self.assertRaisesRegex(SystemExit, "mpirun .* jacobi --grid 40 .*\nended with 1: this computer has no slots"):
            self.study().real()
        self.assertEqual(json.loads((self.folder / "runs.json").read_text()), {"measured: real": {"rows": []}})

    def test_table_3_is_open_on_few_processors(self):
        for processors, verdicts in ((2, ["not asked"]), (15, ["not asked"]), (16, ["DOES NOT HOLD"] * 2)):
            with mock.patch("os.cpu_count", return_value=processors):
                page = self.study().table3()
            self.assertEqual(re.findall("^- (holds|DOES NOT HOLD|not asked):", page, re.MULTILINE), verdicts)
            self.assertEqual(page, self.study(makes=False).table3())  # of the runs that are kept, on any computer
        self.assertIn("16 threads, three runs", page)

    def test_other_programs_are_said(self):
        for load, is_said in ((0.2, False), (7.25, True)):
            with mock.patch("os.getloadavg", return_value=(load, 0, 0)), mock.patch("os.cpu_count", return_value=2):
                self.assertEqual("Other programs ran beside these runs or just before: the load was 7.2 on 2 processors." in self.study().real(), is_said)


if __name__ == "__main__":
    unittest.main()
