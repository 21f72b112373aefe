"""The executable as a user sees it: its exit code, what it prints, what it leaves behind."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))
import launch  # noqa: E402, F401

EXECUTABLE = os.environ["OVERLAPACK_EXECUTABLE"]


class CliCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def overlapack(self, *arguments, **kwargs):
        return subprocess.run([EXECUTABLE, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                              cwd=self.folder, **kwargs)

    def ok(self, *arguments):
        result = self.overlapack(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def ok_json(self, *arguments):
        return json.loads(self.ok(*arguments, "--json"))

    def refused(self, code, *arguments, saying=""):
        """The exit code; one sentence on stderr; the same as JSON; no file made or changed."""
        before = sorted(self.folder.iterdir())
        plain = self.overlapack(*arguments)
        self.assertEqual(plain.returncode, code, (arguments, plain.stdout, plain.stderr))
        lines = plain.stderr.strip().splitlines()
        self.assertEqual(len(lines), 1, plain.stderr)
        self.assertTrue(lines[0].startswith("overlapack: "), lines[0])
        self.assertIn(saying, lines[0])
        told = self.overlapack(*arguments, "--json")
        self.assertEqual(told.returncode, code)
        report = json.loads(told.stdout)
        self.assertNotEqual(report["status"], "ok")
        self.assertTrue(report["message"])
        self.assertEqual(sorted(self.folder.iterdir()), before)
        return report

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def matrix(self, name, n, entries, kind="real general"):
        lines = [f"%%MatrixMarket matrix coordinate {kind}", f"{n} {n} {len(entries)}"]
        lines += [" ".join(map(str, entry)) for entry in entries]
        return self.write(name, "\n".join(lines) + "\n")

    def tridiagonal(self, name="a.mtx", n=20):
        return self.matrix(name, n, [(i, i, 4.0) for i in range(1, n + 1)] +
                           [(i + 1, i, -1.0) for i in range(1, n)] + [(i, i + 1, -1.5) for i in range(1, n)])
