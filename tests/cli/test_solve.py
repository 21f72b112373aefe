"""solve, from file to file, on one and several ranks."""
import contextlib
import json
import os
import pty
import signal
import struct
import subprocess
import unittest

from cli_case import EXECUTABLE, CliCase
from launch import ENVIRONMENT, MPIRUN, mpirun

KEYS = """status message n nnz type method engine ranks simulated analysis_s factor_s solve_s factor_nnz flops peak_bytes
backward_error forward_error true_residual iterations pivots wait_share messages bytes largest_message_bytes""".split()
DOUBLE_ACCURACY = 45 * 2.0**-52


def array(values):
    return "%%MatrixMarket matrix array real general\n" + f"{len(values)} 1\n" + "\n".join(map(repr, values)) + "\n"


class Solve(CliCase):
    def test_report_has_every_field_and_the_error_is_small(self):
        for ranks in (1, 2, 3):
            with self.subTest(ranks=ranks):
                report = self.ok_json("solve", self.tridiagonal(n=300), "--ranks", ranks)
                self.assertEqual([k for k in KEYS if k not in report], [])
                self.assertEqual((report["status"], report["n"], report["ranks"]), ("ok", 300, ranks))
                self.assertLessEqual(report["backward_error"], DOUBLE_ACCURACY)
                # diagonally dominant by 1.5: the condition number in the maximum norm is at most (4 + 2.5) / 1.5
                self.assertLessEqual(report["forward_error"], 5 * DOUBLE_ACCURACY)

    def test_solution_file_solves_the_system(self):
        n = 50
        x = [((7 * i) % 13) - 6.5 for i in range(n)]
        b = [4 * x[i] + (-1.0 * x[i - 1] if i > 0 else 0) + (-1.5 * x[i + 1] if i + 1 < n else 0) for i in range(n)]
        self.ok("solve", self.tridiagonal(n=n), "--rhs", self.write("b.mtx", array(b)), "-o", "x.mtx")
        lines = [l for l in (self.folder / "x.mtx").read_text().splitlines() if not l.startswith("%")]
        self.assertEqual(lines[0].split(), [str(n), "1"])
        for got, want in zip(map(float, lines[1:]), x):
            self.assertLessEqual(abs(got - want), 5 * DOUBLE_ACCURACY * 7)

    def test_pivots_of_known_signs(self):
        entries = [(1, 1, 2), (2, 1, 1), (2, 2, -3), (3, 2, 1), (3, 3, 4)]
        matrix = self.write("kkt.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n"
                            + "".join(f"{i} {j} {x}\n" for i, j, x in entries))
        signs = self.write("signs.mtx", array([1.0, -1.0, 1.0]))
        for given in ([], ["--signs", signs]):
            report = self.ok_json("solve", matrix, "--factorization", "quasidefinite", *given)
            self.assertEqual((report["factorization"], report["pivots"]["negative"]), ("quasidefinite", 1))
        refused = [
            (["--factorization", "quasidefinite", "--signs", self.write("two.mtx", array([1.0, -1.0]))], "signs has 2 entries"),
            (["--factorization", "quasidefinite", "--signs", self.write("odd.mtx", array([1.0, 0.5, 1.0]))], "holds 0.5 as sign 1"),
            (["--factorization", "ldlt", "--signs", signs], "signs are given, but factorization is ldlt"),
            (["--factorization", "quasidefinite", "--regularization", "2"], "regularization"),
        ]
        for arguments, message in refused:
            done = self.overlapack("solve", matrix, *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(message, done.stderr)

    def test_dashes_stand_for_standard_input_and_output(self):
        a = self.tridiagonal()
        with a.open() as file:
            piped = [subprocess.run([EXECUTABLE, "solve", "-", "-o", "-"], capture_output=True, text=True, **given)
                     for given in ({"input": a.read_text()}, {"stdin": file})]
        for done in piped:
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(done.stdout.startswith("%%MatrixMarket matrix array real general\n"), done.stdout)
            self.assertEqual(len(done.stdout.splitlines()), 20 + 3)
            self.assertIn("backward error", done.stderr)
        with (self.folder / "all.txt").open("w") as out:  # a file that standard output is led to is added to
            out.write("before\n")
            out.flush()
            subprocess.run([EXECUTABLE, "generate", "cube", "3", "-o", "-"], stdout=out, stderr=subprocess.PIPE, check=True)
        self.assertTrue((self.folder / "all.txt").read_text().startswith("before\n%%MatrixMarket matrix coordinate"))
        for out in "-", "/dev/stdout":
            self.assertEqual(self.overlapack("solve", a, "-o", out, "--json").returncode, 2)
        for option in "--trace", "--trace-csv", "--trace-svg":  # the report is there
            self.refused(2, "solve", a, option, "-", saying="a file of its own")

    def test_x_for_numpy(self):
        self.ok("solve", self.tridiagonal(), "-o", "x.npy")
        saved = (self.folder / "x.npy").read_bytes()
        self.assertTrue(saved.startswith(b"\x93NUMPY\x01\x00"))
        self.assertIn(b"{'descr': '<f8', 'fortran_order': True, 'shape': (20,), }", saved)
        self.assertEqual(len(saved) % 64, 20 * 8 % 64)
        for x in struct.unpack("<20d", saved[-160:]):
            self.assertLessEqual(abs(x - 1), 5 * DOUBLE_ACCURACY)
        self.assertLess(self.ok_json("solve", self.tridiagonal(), "--rhs", "x.npy")["backward_error"], DOUBLE_ACCURACY)

    def test_what_a_banner_leaves_out_is_said(self):
        a = self.write("a.mtx", "%MatrixMarket matrix coordinate general\n1 1 1\n1 1 4\n")
        self.assertIn("a banner with one per cent sign, a banner without a field, read as real", self.ok("solve", a))
        report = self.ok_json("solve", a)
        self.assertEqual(report["read"]["field"], "real")
        self.assertRegex(report["version"], r"^\d+\.\d+\.\d+$")

    def test_zeros_of_the_file_are_left_out(self):
        entries = [(i, i, 4.0) for i in range(1, 9)] + [(1, i, 0) for i in range(2, 9)]
        a = self.matrix("a.mtx", 8, entries)
        report = self.ok_json("solve", a)
        self.assertEqual((report["nnz"], report["read"]["explicit_zeros"]), (8, 7))
        self.assertIn("7 entries of the file are zero and were left out", self.ok("solve", a, "--explain"))
        self.ok("generate", "cube", "3", "-o", "c.mtx")
        self.assertNotIn("zero", self.ok("solve", "c.mtx", "--explain"))

    def test_types(self):
        accuracy = {"float32": 45 * 2.0**-23, "float64": DOUBLE_ACCURACY, "complex64": 45 * 2.0**-23,
                    "complex128": DOUBLE_ACCURACY}
        for name, bound in accuracy.items():
            report = self.ok_json("solve", self.tridiagonal(), "--type", name)
            self.assertEqual(report["type"], name)
            self.assertLessEqual(report["backward_error"], bound)

    def test_complex_hermitian_and_symmetric_files(self):
        hermitian = self.matrix("h.mtx", 3, [(1, 1, 4, 0), (2, 1, 1, 2), (2, 2, 5, 0), (3, 2, 0, -1), (3, 3, 6, 0)],
                                "complex hermitian")
        symmetric = self.matrix("s.mtx", 3, [(1, 1, 4, 1), (2, 1, 1, 2), (2, 2, 5, 0), (3, 2, 0, -1), (3, 3, 6, 2)],
                                "complex symmetric")
        for path, symmetry in ((hermitian, "hermitian"), (symmetric, "symmetric")):
            report = self.ok_json("solve", path)
            self.assertEqual((report["symmetry"], report["factorization"]), (symmetry, "ldlt"))

    def test_single_equation(self):
        self.assertEqual(self.ok_json("solve", self.matrix("one.mtx", 1, [(1, 1, 3)]))["backward_error"], 0)

    def test_plan_file_and_flags_on_top(self):
        plan = self.write("p.json", json.dumps({"ranks": 2, "ordering": "natural", "pivot_threshold": 0.5}))
        report = self.ok_json("solve", self.tridiagonal(), "--plan", plan, "--ranks", "1")
        self.assertEqual((report["ranks"], report["ordering"]), (1, "natural"))

    def test_options_that_the_method_does_not_read(self):
        matrix = self.tridiagonal(n=50)
        options = ("--method", "multifrontal", "--experiment", "relax=8", "--tolerance", "1e-3")
        self.assertRegex(self.ok("solve", matrix, *options), r"not used +experiment.relax, tolerance \(method multifrontal\)")
        self.assertRegex(self.ok("solve", matrix, "--method", "supernodal", "--variant", "sync"), r"not used +variant \(method supernodal\)")
        self.assertEqual(self.ok_json("solve", matrix, *options)["unused_options"], "experiment.relax, tolerance")

    def test_transposed_solves(self):
        unsymmetric = self.matrix("u.mtx", 3, [(1, 1, 2), (2, 2, 3), (3, 3, 4), (1, 2, 1), (3, 1, 5)])
        right = self.write("b.mtx", "%%MatrixMarket matrix array real general\n3 1\n7\n4\n4\n")  # A^T * ones
        for method in ("multifrontal", "block_triangular", "dense"):
            for op in ("trans", "conj_trans"):
                with self.subTest(method=method, op=op):
                    arguments = ("solve", unsymmetric, "--transpose", op, "--method", method)
                    self.assertLess(self.ok_json(*arguments)["forward_error"], 1e-14)
                    self.ok(*arguments, "--rhs", right, "-o", "x.mtx")
                    x = [float(v) for v in (self.folder / "x.mtx").read_text().split()[-3:]]
                    self.assertTrue(all(abs(v - 1) < 1e-14 for v in x), x)
        self.refused(2, "solve", unsymmetric, "--transpose", "trans", "--method", "jacobi", saying="a direct method")
        report = self.ok_json("solve", unsymmetric)
        self.assertEqual((report["method"], report["diagonal_blocks"], report["column_blocks"]), ("block_triangular", 3, 3))

    def test_traces(self):
        self.ok("generate", "cube", "8", "-o", "cube.mtx")
        self.ok("solve", "cube.mtx", "--ranks", "2", "--trace", "t.json", "--trace-svg", "t.svg", "--trace-csv", "t.csv")
        events = json.loads((self.folder / "t.json").read_text())["traceEvents"]
        self.assertEqual({e["tid"] for e in events if e["ph"] == "X"}, {0, 1})
        self.assertIn("rank 1", (self.folder / "t.svg").read_text())
        self.assertGreater(len((self.folder / "t.csv").read_text().splitlines()), 2)

    def test_messages_by_kind_and_rank(self):
        self.ok("generate", "convection", "8", "-o", "A.mtx")
        report = self.ok_json("solve", "A.mtx", "--ranks", "3", "--experiment", "root=grid", "--experiment", "root_block=8")
        kinds, ranks = report["messages_of_kind"], report["traffic_of_rank"]
        for kind in ("contribution block", "root piece", "dense panel"):
            self.assertGreater(kinds[kind]["messages"], 0, kind)
        self.assertNotIn("data", kinds)  # every message has a name
        self.assertEqual(len(ranks), 3)
        for key, whole in (("messages", report["messages"]), ("bytes", report["bytes"])):
            self.assertEqual(sum(k[key] for k in kinds.values()), whole)
            self.assertEqual(sum(r[key] for r in ranks), whole)
            for r in ranks:
                self.assertEqual(sum(k[key] for k in r["kinds"].values()), r[key])
        self.assertEqual(max(k["largest_bytes"] for k in kinds.values()), report["largest_message_bytes"])
        for r in ranks:
            self.assertGreater(r["compute_s"], 0)
            self.assertGreaterEqual(min(r["communication_s"], r["idle_s"]), 0)
        text = self.ok("solve", "A.mtx", "--ranks", "3", "--method", "multifrontal", "--trace-summary", "--trace-chart", "chart.svg")
        self.assertIn("contribution block", text)
        self.assertIn("bytes a rank", text)
        self.assertIn("rank 2", (self.folder / "chart.svg").read_text())

    def test_critical_path(self):
        self.ok("generate", "cube", "20", "-o", "A.mtx")
        report = self.ok_json("solve", "A.mtx", "--ranks", "2", "--method", "multifrontal", "--critical-path", "--trace-svg", "t.svg")
        check_critical_path(self, report)
        self.assertIn("critical path", (self.folder / "t.svg").read_text())
        self.assertEqual(self.ok_json("solve", "A.mtx", "--ranks", "2")["critical_path"], [])
        text = self.ok("solve", "A.mtx", "--ranks", "2", "--method", "multifrontal", "--critical-path")
        self.assertRegex(text, r"share +links +critical path")
        self.assertRegex(text, r"100.0% +\d+  all\n$")

    def test_explanation_in_words(self):
        self.ok("generate", "cube", "6", "-o", "A.mtx")
        text = self.ok("solve", "A.mtx", "--explain")
        for words in ("A is symmetric, so one triangle was factorised, as L D L^T", "small dense fronts", "times those of A", "gave no trouble",
                      "went to the analysis", "x is the exact solution of a system", "No pivot is negative",
                      "predicted in the order of amd, "):
            self.assertIn(words, text)
        self.ok("generate", "saddle", "3", "-o", "S.mtx")
        text, report = self.ok("solve", "S.mtx", "--explain"), self.ok_json("solve", "S.mtx")
        self.assertNotIn("positive definite", text)
        negative = report["pivots"]["negative"]
        self.assertIn(f"eigenvalues {report['n'] - negative} are positive, {negative} negative.", text)
        self.assertIn("as L L^T, which needs no pivots", self.ok("solve", "A.mtx", "--explain", "--factorization", "cholesky"))
        self.assertIn("x itself is within", self.ok("solve", "A.mtx", "--explain", "--error-analysis"))
        self.ok("generate", "process", "40", "-o", "B.mtx")
        self.assertIn("A is not symmetric", self.ok("solve", "B.mtx", "--explain", "--ranks", "1"))
        self.assertNotIn("A is", self.ok("solve", "A.mtx"))
        self.refused(2, "solve", "A.mtx", "--explain", "--method", "dense", saying="--explain tells")

    def test_explanation_of_what_went_wrong(self):
        ring = [(i, j, value) for i in range(1, 9) for j, value in ((i, 2.0), (i % 8 + 1, -1.0), ((i - 2) % 8 + 1, -1.0))]
        path = self.matrix("ring.mtx", 8, ring)
        self.assertIn("no more than rounding", self.ok("solve", path, "--method", "multifrontal", "--explain"))
        half = self.matrix("half.mtx", 8, [(i, j, value + i) for i, j, value in ring if i >= j])
        self.assertIn("A has entries in one triangle alone", self.ok("solve", half, "--explain"))
        ulp = self.matrix("ulp.mtx", 8, [(i, j, (value + 3 * (i == j)) * (1 + 2.0**-52 * (i < j))) for i, j, value in ring])
        self.assertRegex(self.ok("solve", ulp, "--explain"), r"A is symmetric up to rounding: .* by more than \d\.\de-17 of the largest .*\(A \+ A\^T\) / 2")
        b = self.write("b.mtx", array([1.0] * 8))
        told = self.overlapack("solve", path, "--rhs", b, "--null-pivots", "--explain").stdout
        self.assertIn("this system has no solution", told)
        self.assertIn("x does not solve the system", told)

    def test_no_progress_bar_in_a_pipe(self):
        self.assertEqual(self.overlapack("solve", self.tridiagonal()).stderr, "")


class Interrupt(CliCase):
    def test_interrupt_ends_with_130_and_one_sentence(self):
        """The signal goes out when the bar is first drawn, with all of the 79 Gflop ahead."""
        self.ok("generate", "cube", "50", "-o", "cube.mtx")
        terminal, end = pty.openpty()
        self.addCleanup(os.close, terminal)
        process = subprocess.Popen([EXECUTABLE, "solve", "cube.mtx", "--ranks", "2", "-o", "x.mtx"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=end)
        self.addCleanup(process.stdout.close)
        os.close(end)
        shown = b""
        while b"%" not in shown:
            shown += os.read(terminal, 4096)
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(OSError):  # EIO: the other end is closed
            while more := os.read(terminal, 4096):
                shown += more
        self.assertEqual(process.wait(timeout=120), 130, shown)
        _, _, left = shown.decode().rpartition("\x1b[K")  # the bar is wiped out
        self.assertEqual(left.count("\n"), 1, shown)
        self.assertTrue(left.startswith("overlapack: "), shown)
        self.assertFalse((self.folder / "x.mtx").exists())


def check_critical_path(case, report):
    """Its parts add up to the time from the first event of any rank to the last, which each rank's seconds add up to as well.
    Whether a message is on it is up to the clock: in virtual time tests/api/machine asks for that."""
    parts = report["critical_path"]
    length = sum(part["seconds"] for part in parts)
    for rank in report["traffic_of_rank"]:
        whole = rank["compute_s"] + rank["communication_s"] + rank["idle_s"]
        case.assertAlmostEqual(length, whole, delta=1e-9 * whole + 1e-12)
    case.assertAlmostEqual(sum(part["share"] for part in parts), 1, delta=1e-9)
    case.assertEqual(parts, sorted(parts, key=lambda part: -part["seconds"]))
    case.assertGreater(sum(part["seconds"] for part in parts if part["what"] == "compute"), 0)


class Mpi(CliCase):
    def setUp(self):
        super().setUp()
        if not MPIRUN:
            self.skipTest("no mpirun")
        engines = {e["name"]: e for e in self.ok_json("info")["engines"]}
        if not engines["mpi"]["available"]:
            self.skipTest("no mpi engine: " + engines["mpi"]["note"])

    def launch(self, ranks, *arguments):
        return subprocess.run(mpirun(ranks, EXECUTABLE, *arguments), cwd=self.folder, env=ENVIRONMENT, text=True, capture_output=True,
                              timeout=200)

    def test_solve_uses_mpi_by_itself_and_prints_once(self):
        for ranks in (1, 2, 4):
            with self.subTest(ranks=ranks):
                engine = ["--engine", "mpi"] if ranks == 1 else []  # who is alone takes threads
                result = self.launch(ranks, "solve", self.tridiagonal(n=300), "--json", "-o", "x.mtx", *engine)
                self.assertEqual(result.returncode, 0, result.stderr)
                report = json.loads(result.stdout)  # one object only
                self.assertEqual((report["engine"], report["ranks"], report["status"]), ("mpi", ranks, "ok"))
                self.assertLessEqual(report["backward_error"], DOUBLE_ACCURACY)
                self.assertTrue((self.folder / "x.mtx").exists())

    def test_a_process_that_is_alone_takes_threads(self):
        result = self.launch(1, "solve", self.tridiagonal(), "--json", "--ranks", 2)
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual((report["engine"], report["ranks"]), ("thread", 2))

    def test_critical_path(self):
        self.ok("generate", "cube", "20", "-o", "A.mtx")
        for options in ([], ["--experiment", "receive=probe"], ["--experiment", "posted=1"]):
            with self.subTest(options=options):
                result = self.launch(2, "solve", "A.mtx", "--experiment", "fronts=strips", "--experiment", "strip_border=8", "--experiment", "strip_rows=4", "--critical-path",
                                     "--json", *options)
                self.assertEqual(result.returncode, 0, result.stderr)
                check_critical_path(self, json.loads(result.stdout))

    def test_a_full_budget_is_counted(self):
        self.ok("generate", "cube", "9", "-o", "A.mtx")
        strips = ["--experiment", "fronts=strips", "--experiment", "strip_border=8", "--experiment", "strip_rows=4", "--experiment", "strip_panel=4"]
        for budget, eager in ((1, 0), ("1G", 0)):
            result = self.launch(3, "solve", "A.mtx", *strips, "--experiment", f"budget={budget}", "--experiment", f"eager_bytes={eager}", "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(json.loads(result.stdout)["times_full"] > 0, budget == 1)

    def test_the_short_protocol_goes_as_far_as_open_mpi_is_told(self):
        result = self.launch(2, "solve", self.tridiagonal(n=300), "--json", "--experiment", "eager_bytes=64K")
        if "Open MPI" in self.ok_json("info")["engines"][1]["note"]:
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertLessEqual(json.loads(result.stdout)["backward_error"], DOUBLE_ACCURACY)
        else:
            self.assertEqual(result.returncode, 2)
            self.assertIn("eager_bytes", result.stderr)

    def test_a_thread_may_move_the_messages(self):
        result = self.launch(2, "solve", self.tridiagonal(n=300), "--json", "--experiment", "progress_by=thread")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertLessEqual(json.loads(result.stdout)["backward_error"], DOUBLE_ACCURACY)
        self.refused(2, "solve", self.tridiagonal(n=300), "--experiment", "progress_by=thread", saying="leave progress_by at poll")

    def test_a_file_of_each_rank(self):
        whole = self.tridiagonal(n=300)
        lines = [line for line in (self.folder / whole).read_text().splitlines() if not line.startswith("%")]
        banner = (self.folder / whole).read_text().splitlines()[0]
        for r in range(3):  # rank 2 has no entries
            mine = lines[1 + r::2] if r < 2 else []
            head = lines[0].split()[:2] + [str(len(mine))]
            (self.folder / f"part.{r}.mtx").write_text("\n".join([banner, " ".join(head), *mine]) + "\n")
        once = self.ok_json("solve", whole, "--ranks", 3)
        here = self.ok_json("solve", "part.%r.mtx", "--ranks", 3)
        transposed = self.ok_json("solve", "part.%r.mtx", "--ranks", 3, "--transpose", "trans")
        self.assertLess(transposed["forward_error"], 1e-10)
        there = self.launch(3, "solve", "part.%r.mtx", "--json", "-o", "x.mtx")
        self.assertEqual(there.returncode, 0, there.stderr)
        for report in (here, json.loads(there.stdout)):
            self.assertEqual([report[k] for k in ("n", "nnz", "symmetry", "status")],
                             [once[k] for k in ("n", "nnz", "symmetry", "status")])
            self.assertLessEqual(report["backward_error"], DOUBLE_ACCURACY)
            self.assertLess(report["most_entries_of_rank"], report["nnz"])
        self.assertTrue((self.folder / "x.mtx").exists())
        self.refused(2, "solve", "part.%r.mtx", saying="--ranks")
        self.refused(2, "solve", "part.%r.mtx", "--ranks", 4, saying="part.3.mtx")
        self.refused(2, "plan", "part.%r.mtx", saying="a file of each rank")

    def test_an_error_of_the_reader_ends_all_ranks(self):
        result = self.launch(3, "solve", "nowhere.mtx")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.count("overlapack: "), 1, result.stderr)

    def test_ranks_that_are_threads_are_those_of_the_first_process(self):
        a = self.tridiagonal()
        for words in (["solve", a, "-o", "x.mtx"], ["inverse", a, "-o", "z.mtx"], ["dense", "--n", "20"], ["jacobi", "--grid", "4"]):
            with self.subTest(words=words):
                result = self.launch(2, *words, "--engine", "thread", "--ranks", 2, "--json")
                self.assertEqual(result.returncode, 0, result.stderr)
                report = json.loads(result.stdout)  # one object only
                self.assertEqual((report["engine"], report["ranks"]), ("thread", 2))
        refused = self.launch(2, "solve", "nowhere.mtx", "--engine", "thread")
        self.assertEqual((refused.returncode, refused.stderr.count("overlapack: ")), (2, 1), refused.stderr)

    def test_a_plan_tells_of_the_ranks_that_would_solve(self):
        for words in ([], ["-o", "a.analysis"]):
            report = json.loads(self.launch(2, "plan", self.tridiagonal(), "--json", *words).stdout)
            self.assertEqual((report["engine"], report["ranks"]), ("mpi", 2))
        solved = self.launch(2, "solve", self.tridiagonal(), "--analysis", "a.analysis", "--json")
        self.assertEqual(json.loads(solved.stdout)["ranks"], 2, solved.stderr)

    def test_commands_of_one_process_print_once(self):
        self.assertEqual(json.loads(self.launch(2, "info", "--json").stdout)["status"], "ok")
        self.assertEqual(json.loads(self.launch(2, "plan", self.tridiagonal(), "--json").stdout)["status"], "ok")

    def test_singular_ends_all_ranks(self):
        ones = [(i, j, 1) for i in range(1, 5) for j in range(1, 5)]
        result = self.launch(2, "solve", self.matrix("s.mtx", 4, ones), "--singular", "refuse")
        self.assertEqual(result.returncode, 3, result.stderr)


class WithoutLauncher(CliCase):
    def test_engine_mpi_is_refused(self):
        self.refused(2, "solve", self.tridiagonal(), "--engine", "mpi")

    def test_a_shell_that_srun_started_is_none(self):
        for pmi in ({"PMI_RANK": "0", "PMI_SIZE": "1"}, {"PMIX_RANK": "0", "SLURM_STEP_NUM_TASKS": "1", "SLURM_NTASKS": "4"}):
            with self.subTest(pmi=pmi):
                result = self.overlapack("solve", self.tridiagonal(), "--json", env={**os.environ, **pmi})
                self.assertEqual(result.returncode, 0, result.stdout)
                self.assertEqual(json.loads(result.stdout)["engine"], "thread")

    def test_the_sister_of_a_silent_singleton_speaks_for_itself(self):
        """prun tells a process its rank and no number. The one with rank 0 takes threads; the others see alone that they are several."""
        engines = {e["name"]: e for e in self.ok_json("info")["engines"]}
        if "Open MPI" not in engines["mpi"]["note"]:
            self.skipTest("no plugin for Open MPI: " + engines["mpi"]["note"])
        matrix = self.tridiagonal()
        first, second = (self.overlapack("solve", matrix, "--json", env={**ENVIRONMENT, "PMIX_RANK": rank, "PMIX_NAMESPACE": "prte-a@3"})
                         for rank in ("0", "1"))
        self.assertEqual((first.returncode, json.loads(first.stdout)["engine"]), (0, "thread"), first.stderr)
        self.assertEqual(second.returncode, 2, second.stdout)
        self.assertIn("the rank 1 (PMIX_RANK) and no number of processes", second.stderr)
        self.assertEqual(json.loads(second.stdout)["status"], "bad_plan")


if __name__ == "__main__":
    unittest.main()
