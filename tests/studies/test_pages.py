"""The pages of the studies are those of their runs: each is made again from the runs that are kept, by a program that makes none. No run is kept
that no page asks for."""
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STUDIES = ROOT / "studies"
# Pages without runs that are kept.
NOT_REMADE = {"viet2006": {"real", "figure1"}}
KEPT = {"amestoy2001", "tate2004", "bethune2014"}  # have --kept: what is measured is not measured anew
# Studies whose pages tell what was measured, all of them.
WITHOUT_RUNS = {"validation"}
# Instead of `overlapack`: it makes files, which nobody reads, and no runs.
NO_RUNS = """#!/bin/sh
[ "$1" = generate ] || exit 1
while [ "$1" != -o ]; do shift; done
: > "$2"
"""


class Pages(unittest.TestCase):
    def test_each_is_that_of_its_runs(self):
        for study in sorted(path.parent for path in STUDIES.glob("*/study.py")):
            if study.name in WITHOUT_RUNS:
                continue
            pages = {page.stem for page in (study / "results").glob("*.md")} - NOT_REMADE.get(study.name, set())
            self.assertGreater(len(pages), 5, study.name)
            with tempfile.TemporaryDirectory() as folder:
                out = Path(folder) / "results"
                shutil.copytree(study / "results", out)
                program = Path(folder) / "no_runs"
                program.write_text(NO_RUNS)
                program.chmod(0o755)
                for page in pages:
                    (out / f"{page}.md").unlink()
                made = self.make(study, pages, program, out, Path(folder) / "matrices")
                for page in sorted(pages):
                    with self.subTest(study=study.name, page=page):
                        self.assertTrue((out / f"{page}.md").exists(), made.stderr[-2000:])
                        self.assertEqual((out / f"{page}.md").read_text(), (study / "results" / f"{page}.md").read_text())
                results = study / "results"
                for file in [*results.glob("*runs*.json"), *results.glob("runs/*.json")]:
                    with self.subTest(study=study.name, file=file.name):
                        asked = json.loads((out / file.relative_to(results)).read_text())
                        self.assertEqual([name for name in json.loads(file.read_text()) if name not in asked], [],
                                         "no page asks for these: study.py all --prune")

    @staticmethod
    def make(study, pages, program, out, matrices):
        words = [sys.executable, study / "study.py", ",".join(sorted(pages)), "--prune", "--overlapack", program, "--out", out]
        if study.name == "amestoy2001":
            matrices.mkdir(exist_ok=True)
            for name in set(re.findall(r"\w+_like", "".join(file.read_text() for file in study.glob("*.py")))):
                (matrices / f"{name}.mtx.gz").touch()  # known by their names alone
            words += ["--matrices", matrices]
        if study.name in KEPT:
            words.append("--kept")
        return subprocess.run(list(map(str, words)), cwd=study, capture_output=True, text=True, timeout=280)


if __name__ == "__main__":
    unittest.main()
