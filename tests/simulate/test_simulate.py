"""simulate: virtual times that depend on the program and the machine alone, machine files, refusals."""
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

from cli_case import EXECUTABLE, CliCase

HAS_SIMGRID = os.environ.get("OVERLAPACK_HAS_SIMGRID") == "1"
MACHINES = Path(__file__).resolve().parents[2] / "machines"
T3E = ["--machine", "cray-t3e-900"]


def machine_file(name):
    return json.loads((MACHINES / f"{name}.json").read_text())


class Machines(CliCase):
    def test_all_are_listed(self):
        listed = {m["name"] for m in self.ok_json("simulate", "--list")["machines"]}
        self.assertEqual(listed, {path.stem for path in MACHINES.glob("*.json")})
        self.assertTrue({"cray-t3e-900", "cray-t3e-600", "gige-xeon-smp", "ethernet-25g", "infiniband-hdr"} <= listed)

    def test_unknown_machines_and_impossible_runs_are_refused(self):
        self.refused(2, "simulate", "--machine", "cray-4", "--", "info", saying="cray-t3e-900")
        self.refused(2, "simulate", *T3E, saying="--list")
        self.refused(2, "simulate", *T3E, "--ranks", "0", "--", "info", saying="--ranks")
        self.refused(2, "simulate", *T3E, "--ranks", "2", "--slow-host", "7:2", "--", "info", saying="slow host 7")
        self.refused(2, "simulate", *T3E, "--slow-host", "x", "--", "info", saying="RANK:FACTOR")

    def test_a_number_without_its_source_is_refused(self):
        machine = machine_file("cray-t3e-900")
        del machine["network"]["latency_s"]["source"]
        self.write("m.json", json.dumps(machine))
        self.refused(2, "simulate", "--machine", "m.json", "--", "info", saying="latency_s")

    @unittest.skipUnless(HAS_SIMGRID, "built without SimGrid")
    def test_a_missing_launcher_names_the_package(self):
        self.folder.joinpath("empty").mkdir()
        result = self.overlapack("simulate", *T3E, "--", "info", env={**os.environ, "PATH": str(self.folder / "empty")})
        self.assertEqual(result.returncode, 2)
        self.assertIn("libsimgrid-dev", result.stderr)


@unittest.skipUnless(HAS_SIMGRID, "built without SimGrid")
class Simulated(CliCase):
    def simulate(self, *arguments, machine="cray-t3e-900", ranks=4):
        before = list(arguments[:arguments.index("--")])
        return self.ok_json("simulate", "--machine", machine, "--ranks", ranks, *before, *arguments[len(before):])

    def solve(self, *options, **kwargs):
        if not (self.folder / "a.mtx").exists():
            self.ok("generate", "cube", "11", "-o", "a.mtx")
        return self.simulate(*options, "--", "solve", "a.mtx", "--fronts", "strips", "--strip-border", "8", "--strip-rows", "4",
                             **kwargs)

    def test_the_report_is_the_usual_one_and_says_simulated(self):
        report = self.solve()
        self.assertTrue(report["simulated"])
        self.assertEqual(report["ranks"], 4)
        self.assertEqual(report["engine"], "mpi")
        self.assertLess(report["backward_error"], 1e-14)
        self.assertIsNone(report["analysis_s"])
        # No rank can do more than its rate: 513 Mflop/s each.
        self.assertGreater(report["factor_s"], report["flops"] / 4 / 513e6)
        self.assertGreater(report["messages"], 0)

    def test_the_same_run_takes_the_same_time_to_the_last_digit_whatever_the_computer_does(self):
        first = self.solve("--noise", "0.1", "--seed", "7")
        loads = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
        try:
            again = self.solve("--noise", "0.1", "--seed", "7")
        finally:
            for load in loads:
                load.kill()
                load.wait()
        self.assertEqual(first, again)
        other = self.solve("--noise", "0.1", "--seed", "8")
        self.assertNotEqual(first["factor_s"], other["factor_s"])
        self.assertGreater(first["factor_s"], self.solve()["factor_s"])

    def test_a_slow_host_and_a_slow_network_take_longer(self):
        usual = self.solve()["factor_s"]
        self.assertGreater(self.solve("--slow-host", "1:4")["factor_s"], usual)
        machine = machine_file("cray-t3e-900")
        machine["network"]["link_bytes_per_s"]["value"] /= 100
        self.write("slow.json", json.dumps(machine))
        self.assertGreater(self.solve(machine="slow.json")["factor_s"], usual)

    def test_traces_have_simulated_times(self):
        self.ok("simulate", *T3E, "--ranks", "2", "--", "dense", "--n", "200", "--trace", "t.json")
        events = json.loads((self.folder / "t.json").read_text())["traceEvents"]
        computing = [e for e in events if e.get("name") == "gemm"]
        self.assertTrue(computing)
        for event in computing:  # microseconds; at 513 Mflop/s no gemm is faster than its flops
            self.assertGreaterEqual(event["dur"] * 1e-6 * 513e6 * 1.001, event["args"]["flops"])

    def test_phantom_takes_about_the_time_of_the_exact_run_and_no_memory(self):
        arguments = ["--", "dense", "--n", "600", "--block", "40", "--grid", "2x2", "--schedule", "flat"]
        exact, phantom = self.simulate(*arguments), self.simulate("--phantom", *arguments)
        self.assertEqual(exact["policy"], "")
        self.assertIn("pivots", phantom["policy"])
        self.assertIsNone(phantom["backward_error"])
        # Random pivots move as many rows as those of a random matrix; the pivot search is one exchange for each panel.
        self.assertLess(abs(phantom["factor_s"] / exact["factor_s"] - 1), 0.2)
        huge = self.simulate("--phantom", "--", "dense", "--n", "40000", "--block", "400", "--grid", "2x2", "--schedule", "flat")
        self.assertGreater(huge["factor_s"], huge["flops"] / 4 / 513e6)

    def test_errors_of_the_command_come_through(self):
        result = self.overlapack("simulate", *T3E, "--ranks", "2", "--", "solve", "missing.mtx")
        self.assertEqual(result.returncode, 2)
        self.assertIn("missing.mtx", result.stderr)
        self.assertEqual(result.stderr.count("overlapack:"), 1, result.stderr)


if __name__ == "__main__":
    unittest.main()
