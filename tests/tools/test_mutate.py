"""tools/mutate.py: the places of tests/mutations.toml are in the sources, and one that is gone is told."""
import importlib.util
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if sys.version_info < (3, 11):
    print("skipped: Python has no tomllib before 3.11")
    sys.exit(77)
spec = importlib.util.spec_from_file_location("mutate", ROOT / "tools/mutate.py")
mutate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(mutate)

TABLE = """[[unit]]
file = "src/a.cpp"
tests = ["walk_p3"]
changes = [['return x;', 'return y;'], ['++n;', '']]
"""


class Places(unittest.TestCase):
    def faults(self, source, tests="overlapack_test(NAME walk LABEL unit)\n"):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for path, text in (("src/a.cpp", source), ("tests/CMakeLists.txt", tests), ("tests/mutations.toml", TABLE)):
                if text is not None:
                    (root / path).parent.mkdir(exist_ok=True)
                    (root / path).write_text(text)
            return mutate.faults(root)

    def test_those_of_this_tree(self):
        self.assertEqual(mutate.faults(ROOT), [])

    def test_all_there(self):
        self.assertEqual(self.faults("++n;\nreturn x;\n"), [])

    def test_what_is_gone_or_stands_twice(self):
        self.assertEqual(self.faults("++n; ++n;\n"),
                         ['src/a.cpp: "return x;" stands there 0 times, not once', 'src/a.cpp: "++n;" stands there 2 times, not once'])
        self.assertEqual(len(self.faults(None)), 2)

    def test_a_test_that_is_gone(self):
        self.assertEqual(self.faults("++n;\nreturn x;\n", "overlapack_test(NAME walks LABEL unit)\n"), ["src/a.cpp: there is no test walk_p3"])


if __name__ == "__main__":
    unittest.main()
