"""The table of docs/papers.md is that of the pages of the studies, and a page tells which programs made its runs."""
import contextlib
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

STUDIES = Path(__file__).resolve().parents[2] / "studies"
sys.path.insert(0, str(STUDIES))
import overview  # noqa: E402
import simulated  # noqa: E402

COUNTS = {"amestoy2001": (10, 7), "viet2006": (3, 10), "tate2004": (0, 9), "horvitz1999": (1, 4), "bethune2014": (3, 11)}  # tables and figures that the papers number


class Overview(unittest.TestCase):
    def test_the_table_is_that_of_the_pages(self):
        checked = subprocess.run([sys.executable, "-B", STUDIES / "overview.py", "--check"], capture_output=True, text=True)
        self.assertEqual((checked.returncode, checked.stderr), (0, ""))

    def test_each_table_and_figure_has_one_row(self):
        for study, (tables, figures) in COUNTS.items():
            items = [item for item, *_ in overview.ITEMS[study][1] if re.match("Table|Figure", item)]
            self.assertEqual(items, [f"Table {k + 1}" for k in range(tables)] + [f"Figure {k + 1}" for k in range(figures)], study)

    def test_what_has_no_verdict_says_why(self):
        for study, (_, items) in overview.ITEMS.items():
            for item, _, page, why in items:
                _, _, verdict, reason = overview.row(STUDIES / study / "results", item, "", page, why)
                self.assertTrue(reason, item)
                self.assertEqual(verdict == "–", bool(why), item)
                self.assertTrue(page or why, item)

    def test_verdicts(self):
        for page, expected in (("- holds: a, 1\n- holds: b\n", ("yes", "a, 1")), ("- holds: a\n- DOES NOT HOLD: b, 2\n- DOES NOT HOLD: c\n", ("in part, 1 of 3", "fails: b, 2")),
                               ("- DOES NOT HOLD: a\n", ("no", "fails: a")), ("- it holds: a\n", ("not computed", "the page has no criteria")),
                               ("- not asked: too few\n", ("not asked", "too few")), ("- not asked: b\n- holds: a\n", ("yes", "a; not asked: b")),
                               ("- not asked: b\n- DOES NOT HOLD: a\n", ("no", "fails: a; not asked: b"))):
            self.assertEqual(overview.verdict(page), expected)

    def test_a_page_that_changes_changes_its_row(self):
        with tempfile.TemporaryDirectory() as folder:
            for study in overview.ITEMS:
                results = Path(folder) / study / "results"
                results.mkdir(parents=True)
                for page in (STUDIES / study / "results").glob("*.md"):
                    shutil.copy(page, results)
            self.assertEqual(overview.text(Path(folder)), overview.text())
            page = Path(folder) / "horvitz1999/results/figure3.md"
            page.write_text(page.read_text().replace("- holds:", "- DOES NOT HOLD:"))
            lines, changed = overview.text().splitlines(), overview.text(Path(folder)).splitlines()
            differ = [(a, b) for a, b in zip(lines, changed) if a != b]
            self.assertEqual(len(differ), 1)
            self.assertRegex(differ[0][0], r"Figure 3.*\| yes \|")
            self.assertRegex(differ[0][1], r"Figure 3.*\| no \| fails: ")
            page.unlink()
            with self.assertRaisesRegex(SystemExit, "overlapack study horvitz1999 figure3"):
                overview.text(Path(folder))


class Programs(unittest.TestCase):
    """Of a study of one page, whose program tells the version in a file beside it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.program = self.folder / "overlapack"
        self.program.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exec cat {self.folder}/version\necho "{{}}"\n')
        self.program.chmod(0o755)

    def page(self, version, orders, *more):
        """Made by this version of runs of these orders, and of a measurement."""
        out = self.folder / "out"

        class Study:
            def __init__(self, arguments):
                self.runs = simulated.Runs(arguments.overlapack, "any", out / "runs.json", makes=not arguments.kept)

            def item(self):
                made = [self.runs.report(2, ["dense", "--n", n]) for n in orders]
                return f"{made.count(None)} not made, {self.runs.measured('clock', lambda: [version])}\n"

        (self.folder / "version").write_text(f"overlapack {version}\n")
        with mock.patch.object(sys, "argv", ["study", "item", "--overlapack", str(self.program), "--out", str(out), *more]), \
             contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            simulated.main(Study, ["item"], "", out, simulated.add_kept)
        return (out / "item.md").read_text()

    def test_a_page_tells_its_programs(self):
        told = r"( of [\d-]+ [\d:]+, \w+( and changes)?)?"  # where the sources have their history
        self.assertRegex(self.page("9.1.0", [1, 2]), rf"\n- Runs of this page: 3 by overlapack 9\.1\.0{told}\.\n$")
        self.assertRegex(self.page("9.2.0", [1, 2, 3]), rf": 2 by overlapack 9\.2\.0{told}; 2 by an older program, overlapack 9\.1\.0{told}\.\n$")
        kept = self.folder / "out/runs.json"
        runs = json.loads(kept.read_text())
        for run in runs.values():
            run.pop("made_by")
        kept.write_text(json.dumps(runs))
        self.assertIn("\n- Runs of this page: 4 by an older program, which left no version.\n", self.page("9.3.0", [1, 2, 3], "--kept"))
        self.assertRegex(self.page("9.3.0", [1, 2, 3]), rf": 1 by overlapack 9\.3\.0{told}; 3 by an older program, which left no version\.\n$")

    def test_what_is_measured_is_measured_anew_unless_kept(self):
        with self.assertRaisesRegex(SystemExit, "runs.json does not have what was measured: clock: leave out --kept"):
            self.page("9.1.0", [1], "--kept")
        self.assertIn("0 not made, ['9.1.0']", self.page("9.1.0", [1]))
        self.assertIn("1 not made, ['9.1.0']", self.page("9.2.0", [1, 2], "--kept"))
        self.assertIn("0 not made, ['9.2.0']", self.page("9.2.0", [1]))

    def test_the_newest_is_told_by_its_date(self):
        old, new = "overlapack 9.1.0 of 2026-01-31 10:00, fff", "overlapack 9.1.0 of 2026-02-01 09:00, aaa"
        self.assertEqual(simulated.made_by([old, new, None, new]), f"- Runs of this page: 2 by {new}; 1 by an older program, {old}; 1 by an older program, which left no version.\n")
        self.assertIn("1 by overlapack 0.10.0; 1 by an older program, overlapack 0.9.0", simulated.made_by(["overlapack 0.9.0", "overlapack 0.10.0"]))
        self.assertEqual(simulated.made_by([]), "")


if __name__ == "__main__":
    unittest.main()
