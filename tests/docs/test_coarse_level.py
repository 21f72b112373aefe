"""The table of steps of docs/lab/jacobi.md is that of the steps that bench/coarse_level.py has kept."""
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_table_is_that_of_the_steps():
    checked = subprocess.run([sys.executable, "-B", ROOT / "bench/coarse_level.py", "--check"], capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, "")
