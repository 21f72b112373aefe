"""Factors on disk as a user sees them: the same numbers, what is told, and nothing left in the scratch folder."""
import contextlib
import json
import os
import signal
import subprocess
import time
import unittest

from cli_case import EXECUTABLE, CliCase
from launch import ENVIRONMENT, MPIRUN, mpirun

BAD_INPUT = BAD_PLAN = 2
OUT_OF_MEMORY = 5


def open_files(process):
    """What a process has open; a file that it closes meanwhile is not among them."""
    links = []
    folder = f"/proc/{process.pid}/fd"
    for descriptor in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):
            links.append(os.readlink(f"{folder}/{descriptor}"))
    return links


class Disk(CliCase):
    def setUp(self):
        super().setUp()
        self.scratch = self.folder / "scratch"
        self.scratch.mkdir()
        self.ok("generate", "cube", "18", "-o", "A.mtx")

    def on_disk(self, *arguments):
        report = self.ok_json("solve", "A.mtx", "--factors", "disk", "--scratch", self.scratch, *arguments)
        self.assertEqual(list(self.scratch.iterdir()), [])
        self.assertEqual(report["factors"], "disk")
        return report

    def test_the_solution_has_the_same_bits_and_the_report_says_where_factors_are(self):
        self.ok("solve", "A.mtx", "--ranks", "1", "-o", "x.mtx")
        report = self.on_disk("--ranks", "1", "-o", "y.mtx", "--disk-buffer", "256k")
        self.assertEqual((self.folder / "x.mtx").read_text(), (self.folder / "y.mtx").read_text())
        self.assertEqual(report["fronts_on_disk"], report["fronts"])
        self.assertGreater(report["segments_ahead"], 0)
        self.assertGreaterEqual(report["disk_read_bytes"], report["disk_written_bytes"])
        self.assertAlmostEqual(report["disk_written_bytes"], report["predicted_scratch_bytes"], delta=0.05 * report["predicted_scratch_bytes"])
        self.assertLessEqual(report["peak_bytes"], 1.1 * report["predicted_bytes"])
        here = self.ok_json("solve", "A.mtx", "--ranks", "1")
        self.assertEqual((here["factors"], here["fronts_on_disk"], here["disk_written_bytes"]), ("memory", 0, 0))
        self.assertLess(report["peak_bytes"], here["peak_bytes"])

    def test_plan_says_both(self):
        text = self.ok("plan", "A.mtx")
        self.assertIn("--factors disk", text)
        report = self.ok_json("plan", "A.mtx")
        self.assertEqual(report["factors"], "memory")
        disk = self.ok_json("plan", "A.mtx", "--factors", "disk", "--scratch", self.scratch)
        self.assertEqual(disk["predicted_bytes"], report["predicted_disk_memory_bytes"])
        self.assertLess(disk["predicted_bytes"], report["predicted_bytes"])

    def test_auto_takes_the_disk_where_memory_does_not_suffice(self):
        plan = self.ok_json("plan", "A.mtx", "--disk-buffer", "64k")
        limit = int((plan["predicted_bytes"] + plan["predicted_disk_memory_bytes"]) / 2)
        limited = ("--memory-limit", limit, "--disk-buffer", "64k", "--ranks", 1)
        self.refused(OUT_OF_MEMORY, "solve", "A.mtx", *limited, saying="factors disk")
        self.assertEqual(self.ok_json("solve", "A.mtx", *limited, "--scratch", self.scratch)["factors"], "disk")
        self.refused(OUT_OF_MEMORY, "solve", "A.mtx", *limited, "--scratch", self.scratch, "--factors", "memory", saying="memory_limit")
        roomy = ("--memory-limit", int(2 * plan["predicted_bytes"]), "--scratch", self.scratch)
        self.assertEqual(self.ok_json("solve", "A.mtx", *roomy)["factors"], "memory")

    def test_what_does_not_go_is_refused(self):
        disk = ("--factors", "disk")
        self.refused(BAD_PLAN, "solve", "A.mtx", *disk, saying="scratch")
        for factors in (disk, []):  # also where memory suffices
            self.refused(BAD_INPUT, "solve", "A.mtx", *factors, "--scratch", "no/such/folder",
                         saying='scratch is "no/such/folder", which does not exist; give an existing folder')
        self.refused(BAD_INPUT, "plan", "A.mtx", "--scratch", "A.mtx", saying="which is no folder")
        for method in ("supernodal", "block_triangular", "jacobi", "multisplitting"):
            self.refused(BAD_PLAN, "solve", "A.mtx", *disk, "--scratch", self.scratch, "--method", method, saying="multifrontal")

    def test_a_trace_shows_the_disk(self):
        self.on_disk("--ranks", "2", "--disk-buffer", "64k", "--trace", "t.json", "--trace-svg", "t.svg")
        events = json.loads((self.folder / "t.json").read_text())["traceEvents"]
        kinds = {e["name"] for e in events if e["ph"] == "X" and e["cat"] == "disk"}
        self.assertEqual(kinds, {"read", "write"})
        self.assertIn("disk of rank 0", {e["args"]["name"] for e in events if e["ph"] == "M"})

    def test_a_killed_process_leaves_nothing(self):
        self.ok("generate", "cube", "30", "-o", "B.mtx")
        process = subprocess.Popen([EXECUTABLE, "solve", "B.mtx", "--factors", "disk", "--scratch", self.scratch, "--ranks", "1"],
                                   cwd=self.folder, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:  # until the file is open
            if any(str(self.scratch) in link for link in open_files(process)):
                break
        else:
            self.fail("no file was ever open")
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertEqual(list(self.scratch.iterdir()), [])

    def test_ranks_of_mpi_have_a_file_each(self):
        if not MPIRUN:
            self.skipTest("no mpirun")
        for ranks in (2, 4):
            result = subprocess.run(mpirun(ranks, EXECUTABLE, "solve", "A.mtx", "--factors", "disk", "--scratch", self.scratch, "--json"),
                                    cwd=self.folder, env=ENVIRONMENT, text=True, capture_output=True, timeout=200)
            self.assertEqual(result.returncode, 0, result.stderr)
            report = json.loads(result.stdout)
            self.assertEqual((report["factors"], report["status"]), ("disk", "ok"))
            self.assertGreaterEqual(report["fronts_on_disk"], report["fronts"] - report["grid_roots"])
            self.assertEqual(list(self.scratch.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
