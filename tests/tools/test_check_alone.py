"""tools/check_alone.py on a small tree: what a unity build hides is found."""
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = Path(__file__).resolve().parents[2] / "tools" / "check_alone.py"


class Alone(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "tools").mkdir()
        shutil.copy(CHECK, self.root / "tools")
        self.write("src/a.cpp", "#include <string>\nstd::string a() { return {}; }\n")
        self.write("src/b.cpp", "int b() { return NUMBER; }\n")
        self.write("src/b.hpp", "#pragma once\nint b();\n")
        unit = self.write("build/src/Unity/unity_0_cxx.cxx", "".join(f'#include "{self.root}/src/{name}.cpp"\n' for name in "ab"))
        command = f"g++ -DNUMBER=3 -I{self.root}/src -O3 -o unit.o -c {unit}"
        self.write("build/compile_commands.json", json.dumps([{"file": str(unit), "command": command}]))

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def check(self, *names):
        return subprocess.run([sys.executable, self.root / "tools" / "check_alone.py", self.root / "build", *names], capture_output=True, text=True)

    def test_a_tree_that_is_well(self):
        done = self.check()
        self.assertEqual((done.returncode, done.stdout), (0, "3 files compile by themselves\n"), done.stderr)

    def test_a_source_that_another_one_helps(self):
        self.write("src/b.cpp", "std::string b() { return {}; }\n")
        done = self.check()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"src/b.cpp does not compile by itself: .*string")
        self.assertEqual(self.check("a.cpp").returncode, 0)

    def test_a_header_that_its_users_help(self):
        self.write("src/b.hpp", "#pragma once\nstd::size_t b();\n")
        done = self.check()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"src/b.hpp does not compile by itself: .*size_t")


if __name__ == "__main__":
    unittest.main()
