"""check_spelling.py finds each kind of word in code, comments and pages, and nothing in what is spelled well."""
import importlib.util
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "check_spelling.py"
spec = importlib.util.spec_from_file_location("check_spelling", SCRIPT)
check_spelling = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_spelling)

# (file, its text, the complaints about it)
CASES = [
    ("a.cpp", "int factorise_column();\n", ["a.cpp:1: factorise_column is a name: -ize"]),
    ("b.cpp", "// the factorisation of A\n/// as factorize\nint factorize();\n", []),
    ("c.cpp", "int a;\n// two factorizations\n", ["c.cpp:2: factorizations is prose: -ise"]),
    ("d.hpp", '#include "neighbor.hpp"\n', ["d.hpp:1: neighbor is American"]),
    ("e.py", '"""Factorised."""\ndef factorisation(): pass\n', ["e.py:2: factorisation is a name: -ize"]),
    ("f.md", "Optimized, factorized and `factorized`\n",
     ["f.md:1: Optimized is American", "f.md:1: factorized is prose: -ise"]),
    ("build/g.md", "neighbor\n", []),
    ("h.py", "np.einsum(form, a, optimize=True)\n", []),  # NumPy's word
]


class CheckSpelling(unittest.TestCase):
    def test_each_case(self):
        for name, text, complaints in CASES:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
                found = [f"{name}:{line}: {word} {why}" for line, word, why in
                         check_spelling.check_text(text, path.suffix in check_spelling.CODE)]
                if complaints:
                    self.assertEqual(found, complaints)
                self.assertEqual(check_spelling.main(Path(folder)), 1 if complaints else 0)


if __name__ == "__main__":
    unittest.main()
