"""dense, hpl and solve --method dense."""
import json
import re
import subprocess
import unittest

from cli_case import EXECUTABLE, CliCase
from launch import ENVIRONMENT, MPIRUN, mpirun

BAD_INPUT, INACCURATE, OUT_OF_MEMORY = 2, 4, 5
SCHEDULES = ["flat", "lookahead", "split", "parity", "hybrid"]

HPL_DAT = """HPLinpack benchmark input file
a comment
HPL.out      output file name (if any)
6            device out (6=stdout,7=stderr,file)
2            # of problems sizes (N)
29 35        Ns
2            # of NBs
3 8          NBs
0            PMAP process mapping (0=Row-,1=Column-major)
2            # of process grids (P x Q)
2 1          Ps
2 2          Qs
16.0         threshold
1            # of panel fact
1            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
0            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
3            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
2            # of lookahead depth
0 1          DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
"""
CHECK = re.compile(r"^\|\|Ax-b\|\|_oo/\(eps\*\(\|\|A\|\|_oo\*\|\|x\|\|_oo\+\|\|b\|\|_oo\)\*N\)= +"
                   r"\d\.\d{8}e[-+]\d\d \.\.\.\.\.\. (PASSED|FAILED)$", re.MULTILINE)


def with_line(number, text):
    lines = HPL_DAT.splitlines()
    lines[number - 1] = text
    return "\n".join(lines) + "\n"


def rows(output):
    """The rows of the table, as words: variant, N, NB, P, Q, seconds, Gflops, schedule."""
    return [line.split() for line in output.splitlines() if re.match(r"W[RC]\d", line)]


def launch(case, ranks, *arguments):
    return subprocess.run(mpirun(ranks, EXECUTABLE, *arguments), cwd=case.folder, env=ENVIRONMENT, text=True, capture_output=True,
                          timeout=200)


class Dense(CliCase):
    def test_every_schedule_on_several_grids_passes_and_counts(self):
        for schedule in SCHEDULES:
            for grid, ranks, a_node in (("1x1", 1, 1), ("2x2", 4, 2), ("1x3", 3, 3)):
                if schedule == "parity" and ranks == 1:
                    continue
                with self.subTest(schedule=schedule, grid=grid):
                    report = self.ok_json("dense", "--n", 100, "--block", 8, "--grid", grid, "--schedule", schedule,
                                          "--experiment", f"ranks_per_node={a_node}", "--workers", 1)
                    self.assertEqual((report["status"], report["method"], report["n"]), ("ok", "dense", 100))
                    self.assertEqual((report["grid"], report["ranks"], report["schedule"]), (grid, ranks, schedule))
                    self.assertLess(report["scaled_residual"], 16)
                    # partial pivoting is backward stable row by row but for the growth of L and U, here below n
                    self.assertLess(report["backward_error"], 3 * 100 * 2.0**-52 * 100)
                    self.assertGreater(report["gflops"], 0)
                    self.assertEqual(report["panels"], 13 * ranks)
                    self.assertEqual(report["panels_ahead"] > 0, schedule not in ("flat", "parity"))
                    self.assertEqual(len(report["wait_share_of_rank"]), ranks)

    def test_qr_of_random_problems(self):
        for rows, grid, schedule in ((100, "1x1", "flat"), (100, "2x2", "lookahead"), (170, "3x1", "lookahead"), (170, "1x3", "flat")):
            with self.subTest(rows=rows, grid=grid, schedule=schedule):
                report = self.ok_json("dense", "--n", 100, "--rows", rows, "--factorization", "qr", "--block", 8, "--grid", grid, "--schedule", schedule)
                self.assertEqual((report["factorization"], report["rows"], report["n"], report["grid"]), ("qr", rows, 100, grid))
                for figure in ("factor_residual", "orthogonality"):  # in units of m eps; random errors are far below the bounds
                    self.assertGreater(report[figure], 0)
                    self.assertLess(report[figure], 30)
                self.assertLess(report["optimality"], rows * 2.0**-52)
                self.assertEqual(report["residual_norm"] > 0.1, rows > 100)
                self.assertEqual(report["panels_ahead"] > 0, schedule == "lookahead")
                self.assertGreater(report["gflops"], 0)
        for letter in "scz":
            self.assertLess(self.ok_json("dense", "--n", 50, "--type", letter, "--ranks", 2, "--factorization", "qr")["orthogonality"], 30)
        text = self.ok("dense", "--n", 30, "--rows", 40, "--factorization", "qr")
        self.assertIn("||A - Q R||", text)
        self.assertIn("40 x 30", text)

    def test_what_a_factorization_has_not_is_refused(self):
        self.refused(BAD_INPUT, "dense", "--n", 30, "--rows", 20, "--factorization", "qr", saying="at least as many rows as columns")
        self.refused(BAD_INPUT, "dense", "--n", 30, "--rows", 40, saying="--factorization qr")
        self.refused(BAD_INPUT, "dense", "--n", 30, "--factorization", "qr", "--schedule", "split", saying="flat and lookahead")
        self.refused(BAD_INPUT, "dense", "--n", 30, "--factorization", "cholesky", "--schedule", "split", saying="lookahead")

    def test_grids_by_columns_and_computing_with_mates(self):
        parity = ["dense", "--n", 60, "--block", 4, "--grid", "2x3", "--experiment", "ranks_per_node=2", "--schedule", "parity"]
        self.assertEqual(self.ok_json(*parity)["grid_order"], "columns")
        self.assertGreater(self.ok_json(*parity)["opposite_phases"], 0)
        self.refused(BAD_INPUT, *parity, "--experiment", "grid_order=rows", saying="side by side")
        self.assertEqual(self.ok_json("dense", "--n", 60, "--grid", "2x3")["grid_order"], "rows")
        self.assertIsNone(self.ok_json(*parity)["computing_with_mate"])
        share = self.ok_json(*parity, "--trace-summary")["computing_with_mate"]
        self.assertTrue(0 <= share <= 1, share)
        alone = self.ok_json("dense", "--n", 60, "--ranks", 3, "--experiment", "ranks_per_node=1", "--trace-summary")
        self.assertEqual(alone["computing_with_mate"], 0)

    def test_types_depth_and_broadcasts(self):
        for letter, name in (("s", "float32"), ("d", "float64"), ("c", "complex64"), ("z", "complex128")):
            report = self.ok_json("dense", "--n", 60, "--type", letter, "--ranks", 2, "--depth", 2, "--experiment", "broadcast=two_ring")
            self.assertEqual((report["type"], report["depth"], report["broadcast"]), (name, 2, "two_ring"))

    def test_seeds_make_other_matrices_and_grids_the_same(self):
        def residual(*arguments):
            return self.ok_json("dense", "--n", 40, "--block", 4, *arguments)["scaled_residual"]
        self.assertEqual(residual("--seed", 3), residual("--seed", 3))
        self.assertNotEqual(residual("--seed", 3), residual("--seed", 4))

    def test_no_equations_and_fewer_than_places(self):
        self.assertEqual(self.ok_json("dense", "--n", 0)["scaled_residual"], 0)
        for n in (1, 2, 3, 5):
            self.assertEqual(self.ok_json("dense", "--n", n, "--grid", "3x2", "--block", 2)["ranks"], 6)

    def test_ranks_outside_of_the_grid(self):
        report = self.ok_json("dense", "--n", 50, "--grid", "2x2", "--ranks", 5, "--block", 8)
        self.assertEqual((report["ranks"], report["grid"]), (5, "2x2"))

    def test_text_and_traces(self):
        text = self.ok("dense", "--n", 80, "--ranks", 2, "--trace", "t.json", "--trace-svg", "t.svg", "--trace-summary")
        self.assertIn("scaled residual", text)
        self.assertIn("rank", text)
        events = json.loads((self.folder / "t.json").read_text())["traceEvents"]
        self.assertIn("gemm", {e["name"] for e in events if e["ph"] == "X"})
        self.assertIn("dense LU", (self.folder / "t.svg").read_text())

    def test_bad_options_are_named(self):
        self.refused(BAD_INPUT, "dense", saying="--n")
        self.refused(BAD_INPUT, "dense", "--n", "-1", saying="--n")
        self.refused(BAD_INPUT, "dense", "--n", "4", "--grid", "2", saying="grid")
        self.refused(BAD_INPUT, "dense", "--n", "4", "--grid", "2x2", "--ranks", "3", saying="2 x 2")
        self.refused(BAD_INPUT, "dense", "--n", "4", "--block", "-2", saying="block")
        self.refused(BAD_INPUT, "dense", "--n", "4", "--type", "q", saying="type")
        self.refused(BAD_INPUT, "dense", "--n", "4", "--schedule", "zigzag", saying="lookahead")
        self.refused(BAD_INPUT, "dense", "--n", "4", "--schedule", "hybrid", "--workers", "1", "--experiment", "discipline=onesided", saying="makes no sense")
        self.refused(BAD_INPUT, "dense", "--n", "4", "--schedule", "parity", "--experiment", "discipline=superstep", saying="makes no sense")
        self.refused(BAD_INPUT, "dense", "--n", "4", "--experiment", "pivot_search=columns", saying="schedule flat")
        self.refused(BAD_INPUT, "dense", "--n", "4", "--experiment", "interchange=pairwise", saying="schedule flat")
        self.refused(BAD_INPUT, "dense", "--n", "4", "--experiment", "discipline=superstep", "--experiment", "interchange=mix", saying="pairwise")
        self.refused(BAD_INPUT, "dense", "--n", "4", "--experiment", "discipline=onesided", "--experiment", "interchange=mix", saying="pairwise")
        self.refused(BAD_INPUT, "dense", "--n", "4", "--experiment", "discipline=superstep", "--experiment", "broadcast=ring", saying="leave it out")
        self.refused(BAD_INPUT, "dense", "--n", "40", "--schedule", "parity", "--grid", "2x2", "--experiment", "ranks_per_node=4",
                     saying="node")
        self.refused(BAD_INPUT, "dense", "--n", "40", "--schedule", "parity", "--ranks", "1", saying="parity")
        self.refused(BAD_INPUT, "dense", "--n", "40", "--schedule", "hybrid", "--ranks", "1", saying="give workers")
        self.refused(BAD_INPUT, "dense", "--n", "40", "--schedule", "hybrid", "--ranks", "2", saying="give workers")
        self.refused(BAD_INPUT, "dense", "--n", "40", "--factorization", "qr", "--experiment", "discipline=superstep", saying="is for LU and Cholesky;")
        self.refused(BAD_INPUT, "dense", "--n", "40", "--factorization", "qr", "--schedule", "lookahead", "--depth", "2", "--experiment", "discipline=onesided", saying="at most 1 panel ahead")
        for factorization in ("cholesky", "qr"):
            report = self.ok_json("dense", "--n", 50, "--ranks", 4, "--factorization", factorization, "--experiment", "discipline=onesided")
            self.assertEqual(report["discipline"], "onesided")
            self.assertGreater(report["gets"], 0)

    def test_options_of_another_discipline_are_told(self):
        for discipline, others in (("messages", ["--experiment", "memory=copy", "--experiment", "sync=known", "--experiment", "row_swap=generic"]),
                                   ("superstep", ["--experiment", "memory=copy", "--experiment", "row_swap=generic"]), ("onesided", ["--experiment", "sync=known"])):
            names = ", ".join(sorted(f"experiment.{word.partition('=')[0]}" for word in others[1::2]))
            form = ["dense", "--n", 40, "--ranks", 2, "--experiment", f"discipline={discipline}", *others]
            self.assertEqual(", ".join(sorted(self.ok_json(*form)["unused_options"].split(", "))), names)
            self.assertIn("not used", self.ok(*form))
        self.assertEqual(self.ok_json("dense", "--n", 40, "--ranks", 2, "--experiment", "discipline=superstep", "--experiment", "sync=known")["unused_options"], "")
        self.refused(BAD_INPUT, "dense", "--n", "4", "--trace", "no/such/folder/t.json")
        self.refused(OUT_OF_MEMORY, "dense", "--n", "100", "--memory-limit", "1k")


class Supersteps(CliCase):
    def test_each_form_solves_and_tells_its_cost(self):
        for form in (["--experiment", "discipline=superstep"], ["--experiment", "discipline=superstep", "--experiment", "pivot_search=columns"],
                     ["--experiment", "discipline=superstep", "--experiment", "sync=known"]):
            report = self.ok_json("dense", "--n", 100, "--block", 10, "--grid", "2x2", *form)
            self.assertLess(report["scaled_residual"], 16)
            self.assertEqual((report["schedule"], report["discipline"], report["broadcast"]), ("flat", "superstep", "two_phase"))
            # registering; a column: search, exchange (if not local) and row of U, else one; a panel: L, U, rows right and left
            columns = 100 if "pivot_search=columns" not in form else 300 + 10
            self.assertLessEqual(report["supersteps"], 1 + columns + 10 * 4)
            self.assertGreaterEqual(report["supersteps"], 100)
            self.assertGreater(report["superstep_words"], 100 * 50)
            self.assertGreater(report["superstep_work_s"], 0)
            self.assertGreater(report["superstep_parts"]["compute_s"], 0)
            self.assertGreater(report["superstep_parts"]["exchange_s"], 0)
        self.assertIn("by superstep", self.ok("dense", "--n", 20, "--experiment", "discipline=superstep"))


class AsScalapack(CliCase):
    def test_look_ahead_in_supersteps(self):
        form = ["dense", "--n", 150, "--block", 10, "--grid", "2x2", "--experiment", "discipline=superstep"]
        flat = self.ok_json(*form, "--experiment", "interchange=shared")
        # each panel's U comes with the rows, where else it is sent in a superstep of its own
        self.assertEqual(self.ok_json(*form)["supersteps"], flat["supersteps"] + 15)
        for sync in ("full", "known"):
            report = self.ok_json(*form, "--schedule", "lookahead", "--experiment", f"sync={sync}")
            self.assertGreater(report["interchanges"]["shared"], 0)
            self.assertEqual((report["schedule"], report["depth"], report["panels_ahead"]), ("lookahead", 1, flat["panels"] - 4))
            self.assertEqual(report["supersteps"], flat["supersteps"])
            self.assertGreater(report["split_supersteps"], 0)
            self.assertLess(report["scaled_residual"], 16)
        self.assertEqual(flat["split_supersteps"], 0)
        self.refused(BAD_INPUT, *form, "--schedule", "lookahead", "--depth", 2, saying="depth 1")

    def test_cholesky_by_messages_and_in_supersteps(self):
        for letter in "sdcz":
            for discipline in ("messages", "superstep"):
                report = self.ok_json("dense", "--n", 90, "--block", 8, "--grid", "2x3", "--type", letter, "--factorization", "cholesky",
                                      "--experiment", f"discipline={discipline}")
                self.assertEqual((report["factorization"], report["discipline"], report["schedule"]), ("cholesky", discipline, "lookahead"))
                self.assertLess(report["backward_error"], 1e-14 if letter in "dz" else 1e-6)
                is_superstep = discipline == "superstep"
                # a panel: 1 down the process column of two, 2 along the row of three, 1 for the transposes; 1 to begin with
                self.assertEqual(report["supersteps"], 1 + 12 * 4 if is_superstep else 0)
                self.assertEqual(report["split_supersteps"] > 0, is_superstep)
                self.assertEqual((report["scopes"]["of_one"], report["scopes"]["of_two"] > 0, report["scopes"]["of_more"] > 0), (0, is_superstep, is_superstep))
        self.assertIn("forward and back substitution", self.ok("dense", "--n", 20, "--factorization", "cholesky", "--experiment", "discipline=superstep"))

    def test_columns_and_pairwise_interchanges_by_both_disciplines(self):
        for form in (["--schedule", "flat", "--experiment", "broadcast=direct"], ["--experiment", "discipline=superstep"]):
            report = self.ok_json("dense", "--n", 100, "--block", 10, "--grid", "2x2", "--experiment", "pivot_search=columns", "--experiment", "interchange=pairwise",
                                  *form)
            self.assertLess(report["scaled_residual"], 16)
            self.assertGreater(report["interchanges"]["pairwise"], 0)
            self.assertEqual(report["interchanges"]["direct"], 0)
            self.assertEqual(report["growth"], 0)


class Tournament(CliCase):
    def test_growth_is_told(self):
        for form in ([], ["--schedule", "flat"], ["--experiment", "discipline=superstep"]):
            report = self.ok_json("dense", "--n", 100, "--block", 10, "--grid", "3x2", "--experiment", "pivot_search=tournament", *form)
            self.assertLess(report["scaled_residual"], 16)
            self.assertGreater(report["growth"], 0.5)
            self.assertLess(report["growth"], 100)


class Auto(CliCase):
    def test_the_discipline_is_chosen_and_the_report_says_why(self):
        for grid, ranks in (("1x1", 1), ("2x2", 4), ("1x3", 3)):
            report = self.ok_json("dense", "--n", 100, "--block", 10, "--grid", grid, "--experiment", "discipline=auto")
            self.assertLess(report["scaled_residual"], 16)
            self.assertEqual(report["schedule"], "lookahead")
            self.assertIn(report["discipline"] + " of disciplines: ", report["choice"])
            for name in ("onesided", "superstep"):
                self.assertEqual(f" {name} " in report["choice"], ranks > 1, report["choice"])
        self.assertIn("of disciplines", self.ok("dense", "--n", 50, "--ranks", 2, "--experiment", "discipline=auto"))
        self.assertEqual(self.ok_json("dense", "--n", 50, "--ranks", 2)["choice"], "")

    @unittest.skipUnless(MPIRUN, "no mpirun")
    def test_under_mpirun_the_matrix_may_be_made_in_a_window(self):
        run = launch(self, 2, "dense", "--n", 100, "--block", 10, "--experiment", "discipline=auto", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        report = json.loads(run.stdout)
        self.assertLess(report["scaled_residual"], 16)
        self.assertIn("onesided ", report["choice"].split("were predicted")[0])

    def test_what_cannot_be_compared_is_refused(self):
        self.refused(BAD_INPUT, "dense", "--n", 4, "--schedule", "flat", "--experiment", "pivot_search=columns", "--experiment", "discipline=auto", saying="choose messages, onesided or superstep")
        self.refused(BAD_INPUT, "dense", "--n", 4, "--factorization", "cholesky", "--experiment", "discipline=auto", saying="auto is for LU;")


class OneSided(CliCase):
    def test_rows_are_swapped_in_place_or_packed(self):
        for swap in ("native", "generic"):
            report = self.ok_json("dense", "--n", 100, "--block", 10, "--grid", "2x2", "--experiment", "discipline=onesided", "--experiment", f"row_swap={swap}")
            self.assertLess(report["scaled_residual"], 16)
            self.assertEqual((report["schedule"], report["discipline"], report["broadcast"]), ("flat", "onesided", "direct"))
            self.assertGreater(report["row_swaps"], 0)
            for counted in ("signals", "puts", "gets"):
                self.assertGreater(report[counted], 0, counted)
        self.assertEqual(self.ok_json("dense", "--n", 100, "--block", 10, "--grid", "2x2", "--schedule", "flat")["signals"], 0)

    def test_it_takes_the_form_of_paper_3(self):
        """Row by row, with the broadcasts that were there before: two synchronisations for each exchange, and no others."""
        report = self.ok_json("dense", "--n", 100, "--block", 10, "--grid", "2x2", "--experiment", "discipline=onesided", "--experiment", "pivot_search=columns",
                              "--experiment", "interchange=pairwise", "--experiment", "broadcast=binary_tree")
        self.assertLess(report["scaled_residual"], 16)
        self.assertEqual(report["broadcast"], "binary_tree")
        self.assertEqual(report["signals"], 2 * report["row_swaps"])


    def test_the_matrix_is_lent_from_three_kinds_of_memory(self):
        on_two = ("--n", 60, "--block", 10, "--grid", "2x1", "--experiment", "discipline=onesided")
        for words, memory in ((("--experiment", "memory=user"), "user"), (("--experiment", "memory=copy"), "copy"), (("--experiment", "memory=attach"), "attach"), ((), "attach")):
            report = self.ok_json("dense", *on_two, *words)
            self.assertEqual(report["lent"], {"user": 0, "copy": 0, "attach": 0, memory: 2})
            self.assertLess(report["scaled_residual"], 16)
        self.refused(BAD_INPUT, "solve", self.tridiagonal(n=50), "--method", "dense", "--ranks", 2, "--experiment", "discipline=onesided", "--experiment", "memory=user",
                     saying="does not stand in a window")


class SolveDense(CliCase):
    def test_a_sparse_file_is_solved_as_a_dense_matrix(self):
        report = self.ok_json("solve", self.tridiagonal(n=50), "--method", "dense", "--ranks", 2, "--block", 8)
        self.assertEqual((report["method"], report["grid"]), ("dense", "1x2"))
        self.assertLessEqual(report["backward_error"], 45 * 2.0**-52)
        self.assertLessEqual(report["forward_error"], 5 * 45 * 2.0**-52)

    def test_cholesky_says_so_and_solves_with_every_transpose(self):
        hermitian = self.matrix("h.mtx", 3, [(1, 1, 4, 0), (2, 1, 1, 2), (2, 2, 5, 0), (3, 2, 0, -1), (3, 3, 6, 0)],
                                "complex hermitian")
        for op in ("none", "trans", "conj_trans"):
            arguments = ("solve", hermitian, "--method", "dense", "--factorization", "cholesky", "--transpose", op)
            report = self.ok_json(*arguments)
            self.assertEqual(report["factorization"], "cholesky")
            self.assertLess(report["forward_error"], 1e-14)
            self.assertIn(": cholesky in complex128 on ", self.ok(*arguments))
        self.assertIn(": lu in complex128 on ", self.ok("solve", hermitian, "--method", "dense"))

    def test_mixed_precision(self):
        report = self.ok_json("solve", self.tridiagonal(n=50), "--method", "dense", "--precision", "mixed")
        self.assertEqual(report["precision"], "float32")
        self.assertGreater(report["iterations"]["max"], 0)

    def test_singular(self):
        ones = [(i, j, 1) for i in range(1, 5) for j in range(1, 5)]
        self.refused(3, "solve", self.matrix("s.mtx", 4, ones), "--method", "dense", "--singular", "refuse", saying="singular")
        unsymmetric = [(i, j, i * 10 + 1) for i in range(1, 5) for j in range(1, 5)]
        A = self.matrix("u.mtx", 4, unsymmetric)
        self.refused(3, "solve", A, "--method", "dense", "--singular", "refuse", saying="singular")


class Hpl(CliCase):
    def hpl(self, text, *arguments):
        (self.folder / "HPL.dat").write_text(text)
        return self.overlapack("hpl", *arguments)

    def test_the_file_of_the_working_directory_runs_and_passes(self):
        result = self.hpl(HPL_DAT)
        self.assertEqual(result.returncode, 0, result.stderr)
        table = rows(result.stdout)
        self.assertEqual(len(table), 16)
        self.assertEqual(table[0][:5], ["WR03L2C4", "29", "3", "2", "2"])
        self.assertEqual([row[7] for row in table[:2]], ["flat", "lookahead"])
        self.assertEqual(CHECK.findall(result.stdout), ["PASSED"] * 16)
        self.assertIn("Finished     16 tests with the following results:\n"
                      "             16 tests completed and passed residual checks,", result.stdout)
        self.assertIn("T/V                N    NB     P     Q               Time                 Gflops", result.stdout)

    def test_schedules_from_the_line_and_from_the_file(self):
        result = self.hpl(HPL_DAT, "--schedule", "flat,split", "--ranks", 4)
        self.assertEqual({row[7] for row in rows(result.stdout)}, {"flat", "split"})
        result = self.hpl(HPL_DAT + "schedules: split hybrid\n", "--workers", 1)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual({row[7] for row in rows(result.stdout)}, {"split", "hybrid"})

    def test_hpccs_file(self):
        hpcc = HPL_DAT + "##### This line (no. 32) is ignored (it serves as a separator). ######\n0 PTRANS\n1200 Ns\n"
        self.assertEqual(self.hpl(hpcc).returncode, 0)

    def test_grids_larger_than_the_ranks_are_skipped(self):
        result = self.hpl(HPL_DAT, "--ranks", 2)
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertEqual(result.stdout.count("Need at least 4 processes for these tests"), 1)
        self.assertEqual(len(rows(result.stdout)), 8)
        self.assertIn("              8 tests skipped because of illegal input values.", result.stdout)

    def test_schedules_that_do_not_suit_a_grid_are_skipped(self):
        result = self.hpl(HPL_DAT, "--schedule", "parity", "--experiment", "ranks_per_node=4")
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertIn("node", result.stdout)

    def test_a_check_that_fails(self):
        result = self.hpl(with_line(13, "1e-30 threshold"))
        self.assertEqual(result.returncode, INACCURATE)
        self.assertEqual(CHECK.findall(result.stdout), ["FAILED"] * 16)
        self.assertIn("||x||_oo . . . . . . . . . . . . . . . . . . . = ", result.stdout)

    def test_without_checks(self):
        result = self.hpl(with_line(13, "0 threshold"))
        self.assertEqual(result.returncode, 0)
        self.assertIn("16 tests completed without checking,", result.stdout)
        self.assertEqual(CHECK.findall(result.stdout), [])

    def test_output_file(self):
        result = self.hpl(with_line(4, "8"))
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        self.assertEqual(len(rows((self.folder / "HPL.out").read_text())), 16)

    def test_no_equations(self):
        result = self.hpl(with_line(6, "0 1"))
        self.assertEqual(CHECK.findall(result.stdout), ["PASSED"] * 16)

    def test_illegal_values_are_named_with_their_line(self):
        for number, text, saying in ((6, "29 -35 Ns", "line 6: N is -35"), (8, "3 NBs", "line 8"), (10, "21", "line 10"),
                                     (11, "2 0", "line 11: P is 0"), (19, "1", "line 19: NDIV")):
            path = self.write("bad.dat", with_line(number, text))
            self.refused(BAD_INPUT, "hpl", path, saying=saying)
        self.refused(BAD_INPUT, "hpl", self.write("short.dat", HPL_DAT[:300]), saying="ends before")
        self.refused(BAD_INPUT, "hpl", "nowhere.dat", saying="nowhere.dat")
        self.refused(BAD_INPUT, "hpl", saying="HPL.dat")
        self.refused(BAD_INPUT, "hpl", self.write("ok.dat", HPL_DAT), "--schedule", "zigzag", saying="zigzag")


class Mpi(CliCase):
    def setUp(self):
        super().setUp()
        engines = {e["name"]: e for e in self.ok_json("info")["engines"]}
        if not MPIRUN or not engines["mpi"]["available"]:
            self.skipTest("no MPI")

    def test_a_matrix_lent_to_processes(self):
        for words, memory in (((), "user"), (("--experiment", "memory=copy"), "copy"), (("--experiment", "memory=attach"), "attach")):
            result = launch(self, 2, "dense", "--n", 60, "--block", 10, "--grid", "2x1", "--experiment", "discipline=onesided", *words, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            report = json.loads(result.stdout)
            self.assertEqual(report["lent"], {"user": 0, "copy": 0, "attach": 0, memory: 2})
            self.assertLess(report["scaled_residual"], 16)

    def test_dense_on_every_number_of_ranks(self):
        for ranks in (1, 2, 3, 4):
            result = launch(self, ranks, "dense", "--engine", "mpi", "--n", 90, "--block", 8, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            report = json.loads(result.stdout)
            self.assertEqual((report["engine"], report["ranks"]), ("mpi", ranks))
            self.assertLess(report["scaled_residual"], 16)

    def test_hpl(self):
        self.write("HPL.dat", HPL_DAT)
        result = launch(self, 4, "hpl")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(CHECK.findall(result.stdout), ["PASSED"] * 16)
        result = launch(self, 2, "hpl")
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertEqual(result.stdout.count("Need at least 4 processes"), 1)
        self.write("HPL.dat", with_line(6, "x"))
        result = launch(self, 2, "hpl")
        self.assertEqual((result.returncode, result.stderr.count("overlapack: ")), (BAD_INPUT, 1))

    def test_an_output_file_that_cannot_be_opened_ends_all_ranks(self):
        self.write("HPL.dat", with_line(4, "8").replace("HPL.out", "no/such/folder/HPL.out"))
        result = launch(self, 2, "hpl")
        self.assertEqual((result.returncode, result.stderr.count("overlapack: ")), (BAD_INPUT, 1))
        self.assertIn("no/such/folder/HPL.out", result.stderr)

    def test_solve_a_file_as_dense(self):
        result = launch(self, 3, "solve", self.tridiagonal(n=60), "--method", "dense", "--json", "-o", "x.mtx")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertLessEqual(json.loads(result.stdout)["backward_error"], 45 * 2.0**-52)


if __name__ == "__main__":
    unittest.main()
