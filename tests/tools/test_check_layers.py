"""check_layers.py finds each kind of violation in a small tree, and nothing in a clean one."""
import importlib.util
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "check_layers.py"
spec = importlib.util.spec_from_file_location("check_layers", SCRIPT)
check_layers = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_layers)

# (file, its text, a part of the complaint)
BAD = [
    ("src/base/a.hpp", '#include "comm/rank.hpp"\n', "base includes comm/rank.hpp"),
    ("src/kernels/a.cpp", '#include "trace/event.hpp"\n', "kernels includes trace/event.hpp"),
    ("src/dense/a.cpp", '#include "sparse/tree.hpp"\n', "dense includes sparse/tree.hpp"),
    ("src/sparse/a.cpp", '#include "overlapack/options.hpp"\n', "of the layer api"),
    ("include/overlapack/error.hpp", '#include "overlapack/report.hpp"\n', "of the layer api"),
    ("src/sparse/b.cpp", '#  include <mpi.h>\n', "header of the engines"),
    ("src/comm/mailbox/a.cpp", '#include <thread>\n', "header of the engines"),
    ("src/api/a.cpp", '#include <atomic>\n', "header of the engines"),
    ("src/sparse/analysis/graph/ordering.cpp", '#include <thread>\n', "header of the engines"),
    ("src/sparse/analysis/graph/graph.cpp", '#include <mutex>\n', "header of the engines"),
    ("src/comm/a.cpp", '#include "comm/engine/thread/team.hpp"\n', "includes an engine"),
    ("src/dist/a.cpp", 'void f() { std::cout << 1; }\n', "prints"),
    ("src/dist/b.cpp", 'void f() { std::printf("x"); }\n', "prints"),
    ("src/dist/c.cpp", 'void f() { exit(1); }\n', "ends the process"),
    ("src/dist/d.cpp", 'void f() { std::abort(); }\n', "ends the process"),
    ("src/api/b.cpp", 'auto* p = std::getenv("HOME");\n', "reads the environment"),
    ("src/sparse/c.cpp", 'auto t = std::chrono::steady_clock::now();\n', "reads a clock"),
    ("src/sparse/d.cpp", '#include <fstream>\n', "opens files"),
    ("src/sparse/e.cpp", '// TO' + 'DO later\n', "unfinished"),
    ("src/sparse/block_triangular/a.cpp", '#include "sparse/multifrontal/multifrontal.hpp"\n', "of a room that is not below"),
    ("src/sparse/multifrontal/plan/a.hpp", '#include "sparse/multifrontal/front/front.hpp"\n', "of a room that is not below"),
    ("src/sparse/multifrontal/solve/a.cpp", '#include "sparse/multifrontal/multifrontal.hpp"\n', "of a room that is not below"),
    ("src/sparse/multifrontal/plan/b.hpp", 'namespace overlapack::sparse {\n', "its folder's is overlapack::sparse::multifrontal"),
    ("cli/a.cpp", '#include "comm/team.hpp"\n', "which is not installed"),
    ("src/trace/CMakeLists.txt", 'overlapack_layer(trace SOURCES a.cpp LINKS base comm PRIVATE_LINKS x)\n', "links comm"),
]

GOOD = [
    ("src/base/a.cpp", '#include "overlapack/error.hpp"\n#include "base/view.hpp"\n#include <vector>\n'),
    ("src/comm/rank.hpp", '// std::cout and exit(1) in a comment\nvirtual void abort(const Error& e) = 0;\n'),
    ("src/comm/engine/mpi/a.cpp", '#include <mpi.h>\n#include <thread>\nauto* p = getenv("PMI_SIZE");\n'),
    ("src/sparse/a.cpp", '#include "dense/lu.hpp"\nvoid f(Rank& r) { r.abort(error); char b[9]; snprintf(b, 9, "exit(");}\n'),
    ("src/sparse/analysis/graph/ordering.cpp", '#include <mutex>\n'),
    ("src/sparse/multifrontal/front/a.cpp", '#include "sparse/multifrontal/plan/plan.hpp"\n#include "sparse/multifrontal/front/b.hpp"\n'),
    ("src/sparse/multifrontal/multifrontal.cpp", '#include "sparse/multifrontal/solve/solve.hpp"\n'),
    ("src/sparse/multifrontal/plan/c.hpp", 'namespace overlapack::sparse {\n}\nnamespace overlapack::sparse::multifrontal {\n'),
    ("src/api/dense/b.hpp", 'namespace overlapack::api {\n'),
    ("src/comm/team.cpp", '#include "comm/engine/thread/thread_team.hpp"\n'),
    ("src/api/a.cpp", '#include "sparse/solve.hpp"\n#include <fstream>\n'),
    ("cli/main.cpp", '#include <iostream>\nint main() { std::cout << 1; exit(2); }\n'),
    ("cli/a.cpp", '#include "command.hpp"\n#include "overlapack/trace.hpp"\n#include "overlapack/io.hpp"\n'),
    ("scalapack/a.cpp", '#include "dense/lu/lu.hpp"\n'),
    ("src/trace/CMakeLists.txt", 'overlapack_layer(trace SOURCES a.cpp LINKS base)\n'),
]


def complaints(files):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text, *_ in files:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        found = [p for top in ("src", "include", "cli", "scalapack") for p in check_layers.check_folder(root, root / top)]
        return found, check_layers.main(root)


class CheckLayers(unittest.TestCase):
    def test_clean_tree_passes(self):
        self.assertEqual(complaints(GOOD), ([], 0))

    def test_each_violation_is_found_once(self):
        for case in BAD:
            with self.subTest(case[0], text=case[1]):
                found, code = complaints([case])
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith(case[0]), found)
                self.assertIn(case[2], found[0])
                self.assertEqual(code, 1)

    def test_a_violation_among_good_files_fails(self):
        for case in BAD:
            with self.subTest(case[0]):
                good = [g for g in GOOD if g[0] != case[0]]
                self.assertEqual(len(complaints(good + [case])[0]), 1)


if __name__ == "__main__":
    unittest.main()
