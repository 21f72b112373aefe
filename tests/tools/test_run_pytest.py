"""run_pytest.sh skips what is not installed, and fails on what is installed and broken."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[1] / "python" / "run_pytest.sh"


def run(packages, tests="def test(): pass\n"):
    """Exit code and output with these packages (name -> text) and no others but the standard library."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in packages.items():
            (Path(folder) / f"{name}.py").write_text(text)
        (Path(folder) / "test_it.py").write_text(tests)
        python = Path(folder) / "python"
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
        python.chmod(0o755)
        done = subprocess.run(["sh", SCRIPT, python, folder], capture_output=True, text=True, timeout=60, cwd=folder,
                              env={**os.environ, "PYTHONPATH": folder})
        return done.returncode, done.stdout + done.stderr


PYTEST = "import sys\nprint('tests ran')\nsys.exit(0)\n"
ALL = {"overlapack": "", "scipy": "", "pytest": PYTEST}


class RunPytest(unittest.TestCase):
    def test_tests_run_where_all_is_there(self):
        self.assertEqual(run(ALL), (0, "tests ran\n"))

    def test_what_is_not_installed_is_skipped_by_name(self):
        for name in ALL:
            with self.subTest(name):
                code, output = run({n: text for n, text in ALL.items() if n != name})
                self.assertEqual(code, 77)
                self.assertIn(f"not installed: {name}", output)

    def test_a_broken_extension_fails(self):
        code, output = run({**ALL, "overlapack": "raise ImportError('undefined symbol')\n"})
        self.assertEqual(code, 1)
        self.assertIn("undefined symbol", output)


if __name__ == "__main__":
    unittest.main()
