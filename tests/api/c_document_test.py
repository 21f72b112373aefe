"""Every line of code of docs/c.md stands in an example, which is compiled and run; whole programs are run by tests/docs."""
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = {"c": "solve.c", "fortran": "solve.f90"}


class CDocument(unittest.TestCase):
    def test_code_is_that_of_the_examples(self):
        page = (ROOT / "docs" / "c.md").read_text(encoding="utf-8")
        blocks = [block for block in re.findall(r"```(c|fortran)\n(.*?)```", page, re.DOTALL) if "end program" not in block[1]]
        self.assertEqual({language for language, _ in blocks}, set(EXAMPLES))
        for language, code in blocks:
            example = (ROOT / "examples" / EXAMPLES[language]).read_text(encoding="utf-8").splitlines()
            for line in code.splitlines():
                self.assertIn(line, example, f"docs/c.md, not in examples/{EXAMPLES[language]}")


if __name__ == "__main__":
    sys.exit(unittest.main())
