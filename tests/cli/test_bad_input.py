"""Bad lines, files and numbers: each gives the exit code of its kind and one sentence, and leaves nothing behind."""
import bz2
import gzip
import json
import lzma
import shutil
import subprocess
import unittest
from pathlib import Path

from cli_case import EXECUTABLE, CliCase

ROOT = Path(__file__).resolve().parents[2]
OK, BAD_INPUT, SINGULAR, INACCURATE, OUT_OF_MEMORY, CANCELLED = 0, 2, 3, 4, 5, 130


class CommandLine(CliCase):
    def test_unknown_command_says_the_nearest_or_lists_them(self):
        message = self.refused(BAD_INPUT, "slove", "a.mtx", saying="(did you mean solve?)")["message"]
        self.assertNotIn("the commands are", message)
        self.refused(BAD_INPUT, "help", "genrate", saying="did you mean generate?")
        message = self.refused(BAD_INPUT, "quadrature", saying="the commands are solve, plan")["message"]
        self.assertNotIn("did you mean", message)

    def test_unknown_option(self):
        a = self.tridiagonal()
        self.refused(BAD_INPUT, "solve", a, "--pivotting", "1", saying="solve has no option --pivotting; ")
        self.refused(BAD_INPUT, "solve", a, "--rank", "2", saying='solve has no option --rank (did you mean --ranks, under "Where and how it runs"?)')
        self.refused(BAD_INPUT, "solve", a, "--odrering=amd", saying='did you mean --ordering, under "Sparse factors"?')
        self.refused(BAD_INPUT, "solve", a, "--compression-t", "1", saying="did you mean --compression-tolerance,")  # the only one
        self.refused(BAD_INPUT, "plan", a, "--rhs", "b.mtx", saying="plan has no option --rhs (solve, diagnose have one)")
        self.refused(BAD_INPUT, "dense", "--n", "5", "--jsno", saying="(did you mean --json?)")
        self.refused(BAD_INPUT, "solve", a, "b.mtx", saying='"b.mtx" is one word too many')

    def test_a_simulated_command_stands_behind_dashes(self):
        machine = ["--machine", "infiniband-hdr", "--ranks", "2"]
        self.refused(BAD_INPUT, "simulate", *machine, "solve", self.tridiagonal(), saying="stands behind --")
        self.refused(BAD_INPUT, "simulate", "--rank", "2", "--", "solve", self.tridiagonal(), saying="did you mean --ranks?")

    def test_missing_argument(self):
        self.refused(BAD_INPUT, "solve", saying="matrix is required; `overlapack solve --help`")
        self.refused(BAD_INPUT, "solve", self.tridiagonal(), "--json", "--ordering", saying="--ordering wants a value")

    def test_the_value_that_was_meant(self):
        for words, meant in [(["solve", self.tridiagonal(), "--ordering", "mets"], "metis"), (["plan", self.tridiagonal(), "--type", "flaot32"], "float32"),
                             (["solve", self.tridiagonal(), "--transpose", "tran"], "trans"), (["generate", "cub", "3", "-o", "x.mtx"], "cube"),
                             (["probe", "--engine", "thraed"], "thread"),
                             (["simulate", "--machine", "cray-t3e-90", "--", "info"], "cray-t3e-900")]:
            self.refused(BAD_INPUT, *words, saying=f"(did you mean {meant}?)")

    def test_threads_are_ranks(self):
        for words in (["--threads", "2"], ["-j2"], ["-j", "2"], ["--threads=2"]):
            self.assertEqual(self.ok_json("solve", self.tridiagonal(), *words)["ranks"], 2)
            self.assertEqual(self.ok_json("dense", "--n", "10", *words)["ranks"], 2)
        self.assertEqual(self.ok_json("probe", "--bsp", "--threads", "3")["bsp"]["p"], 3)
        self.assertNotIn("--threads", self.ok("solve", "--help-all"))

    def test_value_out_of_range_names_the_option(self):
        for flag, value in [("--pivot-threshold", "2"), ("--pivot-threshold", "nan"), ("--ranks", "-1"),
                            ("--ranks", "1.5"), ("--ranks", "many"), ("--memory-limit", "4Q"),
                            ("--ordering", "best"), ("--engine", "carrier_pigeon"), ("--method", "magic")]:
            with self.subTest(flag=flag, value=value):
                self.refused(BAD_INPUT, "solve", self.tridiagonal(), flag, value, saying=flag[2:].split("-")[0])

    def test_counts_are_whole_numbers(self):
        for arguments in (["dense", "--n", "10.7"], ["generate", "cube", "3.5", "-o", "a.mtx"], ["jacobi", "--grid", "5.5"]):
            with self.subTest(arguments=arguments):
                self.refused(BAD_INPUT, *arguments, saying="whole number")

    def test_plan_files(self):
        a = self.tridiagonal()
        self.refused(BAD_INPUT, "solve", a, "--plan", "missing.json", saying="missing.json")
        self.refused(BAD_INPUT, "solve", a, "--plan", self.write("p.json", '{"orderng": "amd"}'), saying="(did you mean ordering?)")
        for text in ["", "[]", "{", '{"no_such_option": 1}', '{"ranks": "few"}', '{"ranks": [1]}',
                     '{"ordering": "user"}']:
            with self.subTest(text=text):
                self.refused(BAD_INPUT, "solve", a, "--plan", self.write("p.json", text))


class Files(CliCase):
    def test_missing_file(self):
        self.refused(BAD_INPUT, "solve", "nowhere.mtx", saying="nowhere.mtx")

    def test_a_folder_is_no_file(self):
        self.refused(BAD_INPUT, "solve", self.folder)

    def test_mangled_files(self):
        head = "%%MatrixMarket matrix coordinate real general\n"
        for name, text in {
                "empty": "", "no head": "1 2 3\n", "truncated": head + "2 2 3\n1 1 1.0\n",
                "index out of range": head + "2 2 2\n1 1 1.0\n3 2 1.0\n", "index zero": head + "2 2 1\n0 1 1\n",
                "not a number": head + "2 2 2\n1 1 x\n2 2 1\n", "nan": head + "2 2 2\n1 1 nan\n2 2 1\n",
                "infinite": head + "2 2 2\n1 1 inf\n2 2 1\n", "too many": head + "2 2 1\n1 1 1\n2 2 1\n",
                "not square": head + "2 3 2\n1 1 1\n2 2 1\n", "no rows": head + "0 0 0\n",
                "negative size": head + "-2 2 0\n", "binary": "\x00\x01\x02"}.items():
            with self.subTest(name):
                self.refused(BAD_INPUT, "solve", self.write("bad.mtx", text))

    def test_packed_by_others(self):
        a = self.tridiagonal()
        for packer, pack in [("bzip2", bz2.compress), ("xz", lzma.compress)]:
            packed = self.folder / f"a.{packer}"
            packed.write_bytes(pack(a.read_bytes()))
            message = self.refused(BAD_INPUT, "solve", packed.name, saying=f"{packer} -dc {packed.name} | overlapack solve -")["message"]
            if shutil.which(packer):  # what it says is to be typed
                command = message.split("as in: ")[1].replace("overlapack", EXECUTABLE)
                done = subprocess.run(command, shell=True, cwd=self.folder, capture_output=True, text=True)
                self.assertIn("backward error", done.stdout, done.stderr)

    def test_damaged_gzip(self):
        data = gzip.compress(self.tridiagonal().read_bytes())
        (self.folder / "cut.mtx.gz").write_bytes(data[:len(data) // 2])
        self.refused(BAD_INPUT, "solve", "cut.mtx.gz")

    def test_right_hand_side_of_wrong_length(self):
        b = self.write("b.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n")
        self.refused(BAD_INPUT, "solve", self.tridiagonal(), "--rhs", b)

    def test_output_that_cannot_be_written_is_known_before_the_work(self):
        self.refused(BAD_INPUT, "solve", self.tridiagonal(), "-o", "no/such/folder/x.mtx")
        self.refused(BAD_INPUT, "solve", self.tridiagonal(), "--trace", self.folder)
        self.refused(BAD_INPUT, "generate", "cube", "3", "-o", "no/such/folder/x.mtx")

    def test_an_empty_name_is_refused(self):
        for words in (["solve", self.tridiagonal(), "-o", ""], ["plan", self.tridiagonal(), "-o", ""],
                      ["generate", "cube", "3", "-o", ""], ["dense", "--n", "10", "--trace", ""]):
            self.refused(BAD_INPUT, *words, saying="is empty; give the name of a file")

    def test_what_is_read_is_not_overwritten(self):
        a = self.tridiagonal()
        before = a.read_bytes()
        b = self.write("b.mtx", "%%MatrixMarket matrix array real general\n20 1\n" + "1\n" * 20)
        (self.folder / "link.mtx").symlink_to("a.mtx")
        for output in (a, "./a.mtx", "link.mtx", b):
            self.refused(BAD_INPUT, "solve", a, "--rhs", b, "-o", output, saying="give --output another name")
        self.refused(BAD_INPUT, "inverse", a, "-o", "a.mtx", saying="give --output another name")
        self.assertEqual(a.read_bytes(), before)

    def test_a_right_hand_side_saved_as_a_row(self):
        b = self.write("b.mtx", "%%MatrixMarket matrix array real general\n1 20\n" + "1\n" * 20)
        self.refused(BAD_INPUT, "solve", self.tridiagonal(), "--rhs", b, saying="is 1 x 20, but right-hand sides are columns; save it as 20 x 1")

    def test_output_is_not_named_as_a_format_that_it_is_not(self):
        for name in ("x.npz", "x.csv", "x.rb", "x.txt"):
            self.refused(BAD_INPUT, "solve", self.tridiagonal(), "-o", name, saying=".mtx or .mtx.gz or .npy")
        self.refused(BAD_INPUT, "generate", "cube", "3", "-o", "a.npy", saying=".mtx")
        for flag, ending in [("--trace", ".json"), ("--trace-csv", ".csv"), ("--trace-svg", ".svg"), ("--trace-chart", ".svg")]:
            self.refused(BAD_INPUT, "solve", self.tridiagonal(), flag, "t.txt", saying=ending)
        self.refused(BAD_INPUT, "generate", "cube", "3", "-o", "a.npz", saying=".mtx")


class Numbers(CliCase):
    def test_structurally_singular(self):
        self.refused(SINGULAR, "solve", self.matrix("s.mtx", 3, [(1, 1, 1), (2, 1, 1), (3, 3, 2)]))

    def test_numerically_singular(self):
        ones = [(i, j, 1) for i in range(1, 5) for j in range(1, 5)]
        unsymmetric = [(i, j, i * 10 + 1) for i in range(1, 5) for j in range(1, 5)]
        for name, entries in (("s.mtx", ones), ("u.mtx", unsymmetric)):
            A = self.matrix(name, 4, entries)
            self.refused(SINGULAR, "solve", A, "--singular", "refuse")
            result = self.overlapack("solve", A, "--json")  # b = A times ones is one that it can be solved with
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(json.loads(result.stdout)["status"], "ill_conditioned")
            self.assertIn("singular to working precision", result.stderr)

    def test_singular_ends_with_one_code(self):
        A = self.matrix("s.mtx", 2, [(i, j, 1) for i in (1, 2) for j in (1, 2)])
        b = self.write("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n2\n")
        B = self.write("two.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n1\n1\n2\n")
        for method in ("multifrontal", "block_triangular", "dense"):
            for refused in ((), ("--singular", "refuse")):
                report = self.refused(SINGULAR, "solve", A, "--rhs", b, "--method", method, *refused)
                self.assertEqual(report["status"], "singular")
        for with_x in (("--rhs", b, "--null-pivots"), ("--rhs", B), ("--rhs", B, "--method", "dense")):
            result = self.overlapack("solve", A, *with_x, "-o", "x.npy", "--json")
            self.assertEqual((result.returncode, json.loads(result.stdout)["status"]), (SINGULAR, "singular"))
            x = self.folder / "x.npy"
            self.assertEqual(x.exists(), "--null-pivots" in with_x)  # no file holds NaN
            x.unlink(missing_ok=True)
        self.assertIn("x not written", self.overlapack("solve", A, "--rhs", B, "-o", "x.npy").stdout)

    def test_report_bug_is_one_block(self):
        A = self.matrix("s.mtx", 2, [(1, 1, 1), (2, 1, 1)])
        result = self.overlapack("solve", A, "--ranks", "2", "--report-bug")
        self.assertEqual(result.returncode, SINGULAR)
        block = result.stderr.split("---- bug report")[1].split("---- to here ----")[0]
        for part in ("overlapack", "machine", "engine thread", "s.mtx", '{"ranks":2}', "singular in factorize"):
            self.assertIn(part, block)
        address = (ROOT / "packaging" / "address").read_text().strip()
        self.assertIn(f"Paste it here: {address}/issues" if address else "There is no public address for it yet", result.stderr)
        self.assertNotIn("bug report", self.overlapack("solve", self.tridiagonal(), "--report-bug").stderr)

    def test_memory_limit(self):
        self.refused(OUT_OF_MEMORY, "solve", self.tridiagonal(n=1000), "--memory-limit", "10", saying="memory_limit")
        self.ok("generate", "elasticity", "6", "-o", "e.mtx")
        buffer = ["--disk-buffer", "64k"]
        of_memory = self.ok_json("plan", "e.mtx", *buffer)
        self.assertLess(of_memory["predicted_disk_memory_bytes"], of_memory["predicted_bytes"])
        for limit, helps in [(of_memory["predicted_bytes"] - 1, True), (of_memory["predicted_disk_memory_bytes"] - 1, False)]:
            message = self.refused(OUT_OF_MEMORY, "solve", "e.mtx", *buffer, "--memory-limit", str(int(limit)))["message"]
            self.assertRegex(message, r"predicted to need [\d.]+ [kM]B \(\d+ bytes\), more than the [\d.]+ [kM]B")
            self.assertEqual("factors disk" in message, helps, message)

    def test_a_plan_says_that_it_does_not_fit(self):
        a = self.tridiagonal(n=1000)
        fits = self.ok_json("plan", a)
        limit = ["--memory-limit", str(int(fits["predicted_bytes"]) - 1)]
        for output in ([], ["-o", "a.analysis"]):
            result = self.overlapack("plan", a, *limit, *output)
            self.assertEqual(result.returncode, OUT_OF_MEMORY)
            self.assertIn("\nmemory ", result.stdout)  # all the same
            self.assertRegex(result.stderr, r"^overlapack: the factorisation is predicted to need .* of memory_limit; raise it")
        self.assertTrue((self.folder / "a.analysis").exists())
        told = self.overlapack("plan", a, *limit, "--json")
        report = json.loads(told.stdout)
        self.assertEqual((told.returncode, report["status"], report["predicted_bytes"]), (OUT_OF_MEMORY, "out_of_memory", fits["predicted_bytes"]))
        self.assertEqual(self.refused(OUT_OF_MEMORY, "solve", a, *limit)["message"], report["message"])
        self.ok("plan", a, "--memory-limit", str(int(fits["predicted_bytes"])))

    def test_choices_that_the_command_line_does_not_have(self):
        self.refused(BAD_INPUT, "solve", self.tridiagonal(), "--ordering", "user", saying='add "user_order": [...] to the file of --plan')
        order = self.write("p.json", json.dumps({"user_order": list(range(20))}))
        self.assertEqual(self.ok_json("solve", self.tridiagonal(), "--ordering", "user", "--plan", order)["ordering"], "user")
        for words in (["dense", "--n", "5"], ["solve", self.tridiagonal(), "--method", "dense"]):
            self.refused(BAD_INPUT, *words, "--factorization", "ldlt", saying="which is for sparse matrices; choose lu, cholesky, qr or auto")

    def test_memory_limit_of_other_commands(self):
        self.refused(OUT_OF_MEMORY, "dense", "--n", "100", "--memory-limit", "1k", saying="1.02 kB of memory_limit; raise it")
        self.refused(OUT_OF_MEMORY, "jacobi", "--grid", "10", "--memory-limit", "1k", saying="the iteration is predicted to need")

    def test_time_limit(self):
        self.refused(CANCELLED, "solve", self.tridiagonal(n=1000), "--time-limit", "1e-9", saying="time_limit")

    def test_cholesky_and_ldlt_want_symmetry(self):
        for factorization in ("cholesky", "ldlt"):
            self.refused(BAD_INPUT, "solve", self.tridiagonal(), "--factorization", factorization)

    def test_a_solution_that_misses_its_accuracy_is_not_silent(self):
        b = self.write("b.mtx", "%%MatrixMarket matrix array real general\n200 1\n" +
                       "".join(f"{1 / (3 + i % 7)}\n" for i in range(200)))  # no exact arithmetic possible
        result = self.overlapack("solve", self.tridiagonal(n=200), "--rhs", b, "--accuracy", "1e-300",
                                 "--refinement-steps", "0")
        self.assertEqual(result.returncode, INACCURATE, result.stdout)
        self.assertIn("backward error", result.stderr)


class Generate(CliCase):
    def test_replaced_pivots_grow_as_far_as_they_must(self):
        # numbers grow beyond 1e20 beside a replaced pivot: once an endless loop
        growth = Path(__file__).with_name("growth.mtx")
        for ordering in ("metis", "amd"):
            result = self.overlapack("solve", growth, "--ordering", ordering, "--matching", "off", "--perturbation", "1e-8")
            self.assertIn(result.returncode, (OK, INACCURATE), result.stderr)

    def test_unknown_kind_and_size(self):
        self.refused(BAD_INPUT, "generate", "pyramid", "3", "-o", "x.mtx", saying="cube")
        self.refused(BAD_INPUT, "generate", "cube", "0", "-o", "x.mtx")
        self.refused(BAD_INPUT, "generate", "cube", "three", "-o", "x.mtx")


if __name__ == "__main__":
    unittest.main()
