"""Block low-rank fronts as a user sees them: what is told, what is refused, and solutions as accurate as ever."""
import unittest

from cli_case import CliCase

BAD_PLAN, OUT_OF_MEMORY = 2, 5
SMALL = ("--compression", "blr", "--experiment", "compression_order=100", "--experiment", "compression_block=16")


class LowRank(CliCase):
    def setUp(self):
        super().setUp()
        self.ok("generate", "cube", "14", "-o", "A.mtx")

    def test_solutions_are_accurate_and_the_report_says_what_was_won(self):
        for kind in ("ldlt", "cholesky", "lu"):
            report = self.ok_json("solve", "A.mtx", *SMALL, "--compression-tolerance", "1e-6", "--factorization", kind, "--ranks", "2")
            self.assertEqual(report["factorization"], kind)
            self.assertLessEqual(report["backward_error"], 1e-14)
            self.assertGreater(report["low_rank_fronts"], 0)
            self.assertGreater(report["blocks_compressed"], 0)
            self.assertLess(report["factor_nnz"], report["full_rank_nnz"])
            self.assertGreater(report["mean_rank"], 0)
            self.assertGreaterEqual(report["largest_rank"], report["mean_rank"])
        text = self.ok("solve", "A.mtx", *SMALL)
        self.assertIn("of the entries", text)

    def test_fronts_in_strips_are_compressed_too(self):
        self.ok("generate", "cube", "24", "-o", "B.mtx")
        for kind in ("ldlt", "cholesky", "lu"):
            run = ("solve", "B.mtx", *SMALL, "--compression-tolerance", "1e-4", "--factorization", kind, "--ranks", "3")
            strips, whole = self.ok_json(*run, "--experiment", "fronts=strips"), self.ok_json(*run)
            for report in (strips, whole):
                self.assertLessEqual(report["backward_error"], 1e-14)
                self.assertLess(report["factor_nnz"], 0.9 * report["full_rank_nnz"])
            self.assertGreater(strips["low_rank_strips"], 0)
            self.assertGreater(strips["panel_saved_bytes"], 0)
            self.assertEqual((whole["low_rank_strips"], whole["panel_saved_bytes"]), (0, 0))

    def test_single_precision_saves_memory_and_no_accuracy(self):
        for kind in ("ldlt", "lu"):
            run = ("solve", "A.mtx", *SMALL, "--compression-tolerance", "1e-6", "--factorization", kind, "--ranks", "1")
            mixed, working = self.ok_json(*run), self.ok_json(*run, "--experiment", "compression_precision=working")
            for report in (mixed, working):
                self.assertLessEqual(report["backward_error"], 1e-14)
            self.assertGreater(mixed["blocks_mixed"], 0)
            self.assertGreater(mixed["mixed_saved_bytes"], 0)
            self.assertLess(mixed["peak_bytes"], working["peak_bytes"])
            self.assertEqual((working["blocks_mixed"], working["mixed_saved_bytes"]), (0, 0))
        self.assertIn("saved by single precision", self.ok("solve", "A.mtx", *SMALL, "--compression-tolerance", "1e-6"))
        self.refused(BAD_PLAN, "solve", "A.mtx", *SMALL, "--experiment", "compression_precision=single", saying="compression_precision")

    def test_without_it_nothing_is_compressed(self):
        report = self.ok_json("solve", "A.mtx")
        self.assertEqual((report["low_rank_fronts"], report["blocks_compressed"], report["gmres_steps"]), (0, 0, 0))
        self.assertEqual(report["factor_nnz"], report["full_rank_nnz"])

    def test_a_singular_matrix_is_never_ok_where_its_system_has_no_solution(self):
        n = 14  # Neumann's problem in a cube: rows sum to zero
        place = {(i, j, k): (i * n + j) * n + k + 1 for i in range(n) for j in range(n) for k in range(n)}
        entries, diagonal = [], dict.fromkeys(place.values(), 0.0)
        for (i, j, k), here in place.items():
            for there in (place.get((i + 1, j, k)), place.get((i, j + 1, k)), place.get((i, j, k + 1))):
                if there:
                    entries.append((there, here, -1.0))
                    diagonal[here] += 1
                    diagonal[there] += 1
        self.matrix("N.mtx", n**3, entries + [(v, v, d) for v, d in diagonal.items()], "real symmetric")
        self.write("b.mtx", f"%%MatrixMarket matrix array real general\n{n**3} 1\n" + "1.0\n" * (n**3 // 2) + "2.0\n" * (n**3 - n**3 // 2))
        for tolerance in ("1e-8", "1e-3"):
            run = self.overlapack("solve", "N.mtx", *SMALL, "--compression-tolerance", tolerance, "--rhs", "b.mtx")
            self.assertIn(run.returncode, (3, 4), run.stdout + run.stderr)
            self.assertIn("singular", run.stdout + run.stderr)

    def test_a_loose_tolerance_makes_a_preconditioner(self):
        loose = (*SMALL, "--compression-tolerance", "0.3")
        for kind in ("ldlt", "cholesky"):  # flexible GMRES, conjugate gradients
            report = self.ok_json("solve", "A.mtx", *loose, "--factorization", kind)
            self.assertGreater(report["gmres_steps"], 0)
            self.assertLessEqual(report["backward_error"], 1e-14)
        several = self.ok_json("solve", "A.mtx", *loose, "--ranks", "2", "--transpose", "trans")
        self.assertLessEqual(several["backward_error"], 1e-14)

    def test_memory_is_predicted_as_a_range_and_watched_inside_of_it(self):
        plan = self.ok_json("plan", "A.mtx", *SMALL)
        least, most = plan["predicted_least_bytes"], plan["predicted_bytes"]
        self.assertLess(least, most)
        self.assertGreaterEqual(most, self.ok_json("plan", "A.mtx")["predicted_bytes"])
        self.assertEqual(self.ok_json("plan", "A.mtx")["predicted_least_bytes"], 0)
        self.assertIn(" to ", self.ok("plan", "A.mtx", *SMALL))
        tight, loose = ([*SMALL, "--compression-tolerance", value] for value in ("1e-14", "1e-2"))
        peaks = [self.ok_json("solve", "A.mtx", *more, "--ranks", "1")["peak_bytes"] for more in (tight, loose)]
        self.assertLess(least, peaks[1])
        limit = (peaks[0] + peaks[1]) // 2
        self.ok("solve", "A.mtx", *loose, "--ranks", "1", "--memory-limit", limit)
        for ranks in ("1", "2"):
            self.refused(OUT_OF_MEMORY, "solve", "A.mtx", *tight, "--ranks", ranks, "--memory-limit", limit, saying="compression_tolerance")
        self.refused(OUT_OF_MEMORY, "solve", "A.mtx", *loose, "--memory-limit", int(least) - 1, saying="predicted")
        self.ok("solve", "A.mtx", *tight, "--ranks", "1", "--memory-limit", most)
        self.ok("solve", "A.mtx", *loose, "--ranks", "1", "--memory-limit", limit, "--scratch", ".")  # auto stays in memory

    def test_what_is_not_done_with_it_is_refused(self):
        for more, saying in ((("--method", "supernodal"), "method"), (("--factors", "disk", "--scratch", "."), "disk"),
                             (("--experiment", "root=grid"), "grid"), (("--null-pivots",), "null_pivots"),
                             (("--perturbation", "1e-8"), "perturbation"), (("--experiment", "compression_order=0"), "compression")):
            self.refused(BAD_PLAN, "solve", "A.mtx", "--compression", "blr", *more, saying=saying)
        for value in ("1e-17", "2"):
            self.refused(BAD_PLAN, "solve", "A.mtx", "--compression", "blr", "--compression-tolerance", value, saying="tolerance")
        self.refused(BAD_PLAN, "solve", "A.mtx", "--compression", "hss", saying="compression")


if __name__ == "__main__":
    unittest.main()
