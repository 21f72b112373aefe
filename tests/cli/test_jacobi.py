"""jacobi and solve --method jacobi."""
import json
import shutil
import subprocess
import unittest

from cli_case import CliCase, EXECUTABLE
from launch import ENVIRONMENT, MPIRUN, mpirun

BAD_INPUT, INACCURATE = 2, 4

GRID = """%%MatrixMarket matrix coordinate real general
3 3 7
1 1 4
2 2 4
3 3 4
1 2 -1
2 1 -1
2 3 -1
3 2 -1
"""


class Stencil(CliCase):
    def test_each_variant_tells_the_residual_of_what_it_returns(self):
        for variant in ["sync", "async", "racy"]:
            for ranks in [1, 2]:
                report = self.ok_json("jacobi", "--grid", 6, "--ranks", ranks, "--variant", variant,
                                      "--tolerance", 1e-5, "--experiment", "residual_period=10")
                self.assertEqual(report["status"], "ok")
                self.assertLessEqual(report["true_residual"], 1e-5)
                self.assertEqual((report["method"], report["variant"], report["ranks"]), ("jacobi", variant, ranks))
                self.assertEqual(report["n"], 6 ** 3 * ranks)
                self.assertEqual(report["grid"], f"1x1x{ranks}")
                self.assertLessEqual(report["iterations"]["min"], report["iterations"]["mean"])
                self.assertEqual(report["sends"] > 0, ranks > 1)

    def test_openshmem(self):
        self.refused(BAD_INPUT, "hpl", "--engine", "shmem", saying="jacobi")
        if shutil.which("oshrun") is None:
            self.skipTest("no oshrun")
        for variant in ["sync", "async", "racy"]:
            result = self.overlapack("jacobi", "--grid", 6, "--ranks", 2, "--engine", "shmem", "--variant", variant, "--tolerance", 1e-4, "--json",
                                     env=ENVIRONMENT)
            if result.returncode == BAD_INPUT and "built without OpenSHMEM" in result.stderr:
                self.skipTest(result.stderr)
            self.assertEqual(result.returncode, 0, result.stderr)
            report = json.loads(result.stdout)
            self.assertEqual((report["engine"], report["ranks"], report["variant"]), ("shmem", 2, variant))
            self.assertLessEqual(report["true_residual"], 1e-4)
            self.assertGreater(report["sends"], 0)
        result = self.overlapack("dense", "--n", 300, "--type", "z", "--ranks", 2, "--grid", "2x1", "--engine", "shmem", "--experiment", "discipline=onesided", "--json",
                                 env=ENVIRONMENT)
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual((report["engine"], report["ranks"], report["discipline"]), ("shmem", 2, "onesided"))
        self.assertLess(report["scaled_residual"], 16)
        for counted in ("row_swaps", "signals", "puts", "gets"):
            self.assertGreater(report[counted], 0, counted)
        for name in ["SHMEM_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_HEAP_SIZE", "SMA_SYMMETRIC_SIZE"]:  # by whichever name, it is heard
            small = {**ENVIRONMENT, name: "32M"}
            result = self.overlapack("jacobi", "--grid", 6, "--ranks", 2, "--engine", "shmem", env=small)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn("the symmetric heap is too small for this engine", result.stderr)
        self.ok("generate", "cube", 6, "-o", "cube.mtx")
        for method in ["jacobi", "multisplitting"]:
            result = self.overlapack("solve", "cube.mtx", "--method", method, "--ranks", 2, "--engine", "shmem", "--tolerance", 1e-9, "--json",
                                     env=ENVIRONMENT)
            self.assertEqual(result.returncode, 0, result.stderr)
            report = json.loads(result.stdout)
            self.assertEqual((report["engine"], report["ranks"], report["method"]), ("shmem", 2, method))
            self.assertLessEqual(report["true_residual"], 1e-9)
            self.assertGreater(report["sends"], 0)
        result = self.overlapack("solve", "none.mtx", "--method", "jacobi", "--ranks", 2, "--engine", "shmem", env=ENVIRONMENT)
        self.assertEqual(result.returncode, BAD_INPUT, result.stderr)

    def test_the_text_names_what_was_done(self):
        text = self.ok("jacobi", "--grid", 4, "--ranks", 2, "--variant", "async", "--tolerance", "1e-3",
                       "--experiment", "slow_rank=1:2", "--experiment", "halo_period=2", "--experiment", "in_flight=3", "--shifted")
        for word in ["Laplace in a cube of 1x1x2 boxes", "jacobi async on 2 ranks", "halos sent", "residual"]:
            self.assertIn(word, text)

    def test_a_limit_that_is_too_low_is_told(self):
        result = self.overlapack("jacobi", "--grid", 5, "--ranks", 2, "--max-iterations", 3, "--tolerance", "1e-12")
        self.assertEqual(result.returncode, INACCURATE)
        self.assertIn("raise max_iterations", result.stderr)
        self.assertIn("not_converged", result.stdout)

    def test_a_trace_is_written(self):
        self.ok("jacobi", "--grid", 4, "--ranks", 2, "--tolerance", "1e-3", "--trace", "t.json")
        self.assertIn("sweep", (self.folder / "t.json").read_text())

    def test_the_history_is_written(self):
        report = self.ok_json("jacobi", "--grid", 4, "--ranks", 3, "--boxes", "slabs", "--experiment", "mapping=nodes", "--experiment", "residual_sum=doubling", "--tolerance", "1e-3",
                              "--experiment", "residual_period=10", "--history", "h.csv", "--history-svg", "h.svg")
        self.assertEqual((report["mapping"], report["residual_sum"], report["in_flight"], report["halo_period"]), ("nodes", "doubling", 0, 0))
        self.assertEqual(len(report["iterations_of_rank"]), 3)
        self.assertEqual(report["history"][-1][2:], [report["true_residual"], True])
        self.assertGreater(sum(report["batches"]), 0)
        self.assertGreaterEqual(report["most_in_flight"], 1)
        self.assertGreaterEqual(report["halo_period_mean"], 1)
        rows = (self.folder / "h.csv").read_text().splitlines()
        self.assertEqual((rows[0], len(rows) - 1), ("iteration,seconds,residual,is_true", len(report["history"])))
        for word in ["residual", "ranks by their iterations", "halos that had come"]:
            self.assertIn(word, (self.folder / "h.svg").read_text())

    def test_what_cannot_work_is_refused(self):
        for arguments, saying in [
            (["--boxes", "2x2x1", "--ranks", 3], "do not fit 3 ranks"),
            (["--boxes", "2x2", "--ranks", 4], "XxYxZ"),
            (["--boxes", "slabs", "--ranks", 3, "--experiment", "mapping=nodes", "--experiment", "ranks_per_node=2"], "same number"),
            (["--experiment", "in_flight=-1"], "in_flight"),
            (["--experiment", "halo_period=-1"], "halo_period"),
            (["--variant", "lazy"], "variant"),
            (["--experiment", "slow_rank=1", "--ranks", 2], "slow_rank"),
            (["--experiment", "slow_rank=1:0.5", "--ranks", 2], "slow_rank"),
            (["--experiment", "slow_rank=2:3", "--ranks", 2], "rank 2 is to be slow"),
            (["--grid", 0], "--grid"),
        ]:
            self.refused(BAD_INPUT, "jacobi", *arguments, saying=saying)

    def test_workers_take_slices(self):
        arguments = ["jacobi", "--grid", 60, "--workers", 1, "--max-iterations", 2000, "--tolerance", 1e-2, "--json"]
        launches = [[EXECUTABLE, *arguments]]
        if MPIRUN and any(e["name"] == "mpi" and e["available"] for e in self.ok_json("info")["engines"]):
            launches.append(mpirun(2, EXECUTABLE, *arguments))
        launches.append([EXECUTABLE, *arguments, "--engine", "shmem", "--ranks", 2])
        for launch in launches:
            result = subprocess.run(list(map(str, launch)), cwd=self.folder, env=ENVIRONMENT, text=True, capture_output=True, timeout=200)
            if result.returncode == BAD_INPUT and "built without OpenSHMEM" in result.stderr:
                continue
            self.assertEqual(result.returncode, 0, result.stderr)
            report = json.loads(result.stdout[result.stdout.index("{"):])
            self.assertEqual(report["workers"], 1)
            self.assertGreater(report["slices"], 2 * report["iterations"]["min"])
            self.assertGreater(report["slices_by_others"], 0)

    def test_alone_within_oshrun_starts_no_other(self):
        if not shutil.which("oshrun"):
            self.skipTest("no oshrun")
        launch = ["oshrun", "--mca", "memory", "^patcher", "-n", "1", EXECUTABLE, "jacobi", "--grid", "10", "--engine", "shmem", "--json"]
        result = subprocess.run(launch, cwd=self.folder, env=ENVIRONMENT, text=True, capture_output=True, timeout=200)
        if result.returncode == BAD_INPUT and "built without OpenSHMEM" in result.stderr:
            self.skipTest("built without OpenSHMEM")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout[result.stdout.index("{"):])
        self.assertEqual((report["engine"], report["ranks"]), ("shmem", 1))


class Matrix(CliCase):
    def test_solve(self):
        (self.folder / "a.mtx").write_text(GRID)
        for variant in ["sync", "async", "racy"]:
            report = self.ok_json("solve", "a.mtx", "--method", "jacobi", "--ranks", 2, "--variant", variant,
                                  "--tolerance", "1e-12", "--experiment", "residual_period=5")
            self.assertEqual(report["method"], "jacobi")
            self.assertLessEqual(report["true_residual"], 1e-12)
            self.assertLessEqual(report["forward_error"], 1e-11)
            self.assertLess(report["radius"]["lower"], 1)

    def test_rows_stay_in_their_order_where_halos_are_small(self):
        """A path with 400 unknowns has two halos of one; in another order, each rank needs most unknowns of the other."""
        for step, consecutive in [(1, True), (201, False)]:
            number = [step * i % 400 + 1 for i in range(400)]
            entries = [f"{a} {a} 4" for a in number] + [f"{a} {b} -1\n{b} {a} -1" for a, b in zip(number, number[1:])]
            (self.folder / "path.mtx").write_text("%%MatrixMarket matrix coordinate real general\n400 400 1198\n" + "\n".join(entries) + "\n")
            report = self.ok_json("solve", "path.mtx", "--method", "jacobi", "--ranks", 2, "--tolerance", "1e-12")
            self.assertEqual(report["consecutive_rows"], consecutive)
            self.assertLessEqual(report["true_residual"], 1e-12)

    def test_no_history_of_factors(self):
        (self.folder / "a.mtx").write_text(GRID)
        self.refused(BAD_INPUT, "solve", "a.mtx", "--history", "h.csv", saying="does not iterate")

    def test_a_zero_on_the_diagonal(self):
        (self.folder / "a.mtx").write_text(GRID.replace("2 2 4", "2 2 0"))
        self.refused(BAD_INPUT, "solve", "a.mtx", "--method", "jacobi", saying="row 1 has a zero on the diagonal")

    def test_a_radius_above_one(self):
        (self.folder / "a.mtx").write_text(GRID.replace(" 4\n", " 0.5\n"))
        self.refused(BAD_INPUT, "solve", "a.mtx", "--method", "jacobi", saying="spectral radius")
        result = self.overlapack("solve", "a.mtx", "--method", "jacobi", "--variant", "sync", "--ranks", 2)
        self.assertEqual(result.returncode, INACCURATE)
        self.assertIn("diverges", result.stderr)

    def test_multisplitting(self):
        self.ok("generate", "cube", 6, "-o", "cube.mtx")
        for variant in ["sync", "async", "racy"]:
            for inner in ["direct", "cg"]:
                report = self.ok_json("solve", "cube.mtx", "--method", "multisplitting", "--ranks", 2, "--variant", variant,
                                      "--inner", inner, "--overlap", 1, "--tolerance", "1e-10")
                self.assertEqual((report["method"], report["inner"], report["overlap"]), ("multisplitting", inner, 1))
                self.assertLessEqual(report["true_residual"], 1e-10)
                self.assertGreater(report["sends"], 0)
        text = self.ok("solve", "cube.mtx", "--method", "multisplitting", "--ranks", 2)
        for word in ["multisplitting sync on 2 ranks", "overlap 4", "inner direct", "entries in the factors"]:
            self.assertIn(word, text)

    def test_preconditioner(self):
        self.ok("generate", "cube", 8, "-o", "cube.mtx")
        for accelerator in ["gmres", "cg"]:
            text = self.ok("solve", "cube.mtx", "--method", "multisplitting", "--ranks", 2, "--accelerator", accelerator,
                           "--blocks", 6, "--coarse", "near_null_space")
            for word in [f"{accelerator} around multisplitting sync on 2 ranks", "6 blocks", "a coarse level of 6 unknowns"]:
                self.assertIn(word, text)
        self.refused(BAD_INPUT, "solve", "cube.mtx", "--method", "multisplitting", "--accelerator", "cg", "--variant", "racy",
                     saying="use variant sync")

    def test_groups_of_ranks(self):
        self.ok("generate", "cube", 6, "-o", "cube.mtx")
        report = self.ok_json("solve", "cube.mtx", "--method", "multisplitting", "--ranks", 4, "--ranks-per-block", 2)
        self.assertEqual((report["ranks"], report["ranks_per_block"], len(report["iterations_of_rank"])), (4, 2, 2))
        self.assertGreater(report["group_solves"], 0)
        self.assertIn("by groups of 2 ranks", self.ok("solve", "cube.mtx", "--method", "multisplitting", "--ranks", 4,
                                                      "--ranks-per-block", 2, "--inner", "cg"))
        self.refused(BAD_INPUT, "solve", "cube.mtx", "--method", "multisplitting", "--ranks", 4, "--ranks-per-block", 3,
                     saying="divides that of the ranks")

    def test_plan_says_that_there_is_none(self):
        (self.folder / "a.mtx").write_text(GRID)
        self.refused(BAD_INPUT, "plan", "a.mtx", "--method", "jacobi", saying="no factors")


if __name__ == "__main__":
    unittest.main()
