"""simulate: virtual times that depend on the program and the machine alone, machine files, refusals."""
import json
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from cli_case import EXECUTABLE, CliCase

HAS_SIMGRID = os.environ.get("OVERLAPACK_HAS_SIMGRID") == "1"
MACHINES = Path(__file__).resolve().parents[3] / "machines"
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
        for place, value, saying in ((("name",), 5, "name"), (("eager_bytes", "value"), 1e300, "eager_bytes"),
                                     (("ranks_per_node", "value"), 0, "ranks_per_node"),
                                     (("compute", "kernels"), {"gemm": {"flops_per_s": "fast", "source": "us"}}, "kernels.gemm.flops_per_s"),
                                     (("compute", "kernels"), {"gemm": {"flops_per_s": 1e9, "half_width": -1, "source": "us"}}, "kernels.gemm needs")):
            machine = machine_file("cray-t3e-900")
            inner = machine
            for name in place[:-1]:
                inner = inner[name]
            inner[place[-1]] = value
            self.write("m.json", json.dumps(machine))
            self.refused(2, "simulate", "--machine", "m.json", "--", "info", saying=saying)

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

    def cube(self):
        if not (self.folder / "a.mtx").exists():
            self.ok("generate", "cube", "11", "-o", "a.mtx")
        return "a.mtx"

    def solve(self, *options, **kwargs):
        return self.simulate(*options, "--", "solve", self.cube(), "--experiment", "fronts=strips", "--experiment", "strip_border=8", "--experiment", "strip_rows=4",
                             **kwargs)

    def test_the_critical_path_ends_each_wait_by_a_message(self):
        report = self.simulate("--phantom", "--", "solve", self.cube(), "--experiment", "fronts=strips", "--experiment", "strip_border=8", "--experiment", "strip_rows=4",
                               "--critical-path")
        parts = {part["what"]: part for part in report["critical_path"]}
        self.assertAlmostEqual(sum(part["seconds"] for part in report["critical_path"]), report["factor_s"], delta=0.02 * report["factor_s"])
        self.assertNotIn("wait", parts)
        self.assertIn("flight", parts)

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

    def test_the_kernels_of_this_computer_decide_nothing(self):
        self.ok("generate", "convection", "14", "-o", "convection.mtx")  # SSE's rates make two more fronts of it
        reports = []
        for kernels in ("Prescott", "Haswell"):
            result = self.overlapack("simulate", *T3E, "--ranks", "4", "--phantom", "--", "solve", "convection.mtx", "--json",
                                     env={**os.environ, "OPENBLAS_CORETYPE": kernels})
            self.assertEqual(result.returncode, 0, result.stderr)
            reports.append(json.loads(result.stdout))
        self.assertEqual(reports[0]["fronts"], reports[1]["fronts"])
        self.assertEqual(reports[0]["factor_s"], reports[1]["factor_s"])

    def test_a_slow_host_and_a_slow_network_take_longer(self):
        usual = self.solve()["factor_s"]
        self.assertGreater(self.solve("--slow-host", "1:4")["factor_s"], usual)
        machine = machine_file("cray-t3e-900")
        machine["network"]["link_bytes_per_s"]["value"] /= 100
        self.write("slow.json", json.dumps(machine))
        self.assertGreater(self.solve(machine="slow.json")["factor_s"], usual)

    def test_narrow_products_are_slower_by_the_half_width(self):
        machine = machine_file("cray-t3e-900")
        machine["compute"]["memory_bytes_per_s"]["value"] = 1e30
        machine["compute"]["call_s"]["value"] = 0

        def factorization(half_width, *options, ranks):
            machine["compute"]["half_width"] = {"value": half_width, "source": "this test"}
            self.write("m.json", json.dumps(machine))
            return self.simulate("--phantom", "--", "solve", self.cube(), *options, machine="m.json", ranks=ranks)

        def factor_s(*arguments, **keywords):
            return factorization(*arguments, **keywords)["factor_s"]

        columns = ["--method", "supernodal", "--experiment", "max_width=1"]
        usual, narrow = (factorization(width, *columns, ranks=1) for width in (0, 4))
        self.assertAlmostEqual(narrow["factor_s"] - usual["factor_s"], 4 * usual["flops"] / 513e6, delta=0.001 * usual["factor_s"])
        for options in (columns, ["--method", "multifrontal"]):
            usual, wide, wider = (factor_s(width, *options, ranks=2) for width in (0, 1, 4))
            self.assertTrue(usual < wide < wider, (options, usual, wide, wider))
        # fronts eliminate many columns at once
        fronts = ["--method", "multifrontal"]
        self.assertLess(factor_s(4, *fronts, ranks=1), 3 * factor_s(0, *fronts, ranks=1))

    def test_auto_takes_the_discipline_that_is_faster_where_messages_need_calls(self):
        def factorization(discipline, progress):
            return self.simulate("--phantom", "--progress", progress, "--", "dense", "--n", 2000, "--block", 32,
                                 "--schedule", "lookahead", "--experiment", f"discipline={discipline}", machine="infiniband-hdr", ranks=64)

        for progress, faster in ("always", "messages"), ("calls", "onesided"):
            report = factorization("auto", progress)
            self.assertEqual(report["choice"].split()[0], faster)
            seconds = {d: factorization(d, progress)["factor_s"] for d in ("messages", "onesided")}
            self.assertEqual(min(seconds, key=seconds.get), faster)
            self.assertAlmostEqual(report["factor_s"], seconds[faster], delta=0.02 * seconds[faster])

    def test_messages_that_reach_less_than_a_link_take_longer(self):
        def on_switch(flow=None):
            machine = machine_file("infiniband-hdr")
            link = machine["network"]["link_bytes_per_s"]["value"]
            if flow:
                machine["network"]["flow_bytes_per_s"] = {"value": flow * link, "source": "test"}
            self.write("switch.json", json.dumps(machine))
            return self.solve("--ranks-per-node", "1", machine="switch.json")

        free = on_switch()
        self.assertEqual(on_switch(1), free)
        self.assertGreater(on_switch(0.01)["factor_s"], free["factor_s"])

    def simulators(self, program=b"smpimain"):
        """Processes of the simulator, or of its launcher, whose temporary files are in our folder."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if str(self.folder).encode() in (process / "cmdline").read_bytes() and program in (process / "cmdline").read_bytes():
                    found.append(process.name)
            except OSError:
                pass  # it has ended
        return found

    def eventually(self, condition):
        for _ in range(600):
            if condition():
                return True
            time.sleep(0.1)
        return False

    def test_what_is_ended_ends_the_simulator_too(self):
        for number, leaves_folder in ((signal.SIGTERM, False), (signal.SIGINT, False), (signal.SIGKILL, True)):
            run = subprocess.Popen([EXECUTABLE, "simulate", *T3E, "--ranks", "4", "--", "dense", "--n", "6000"], cwd=self.folder,
                                   env={**os.environ, "TMPDIR": str(self.folder)}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            self.assertTrue(self.eventually(self.simulators))
            run.send_signal(number)
            self.assertIn("" if leaves_folder else "stopped by a signal", run.communicate(timeout=60)[1].decode())
            self.assertEqual(run.returncode, -number if leaves_folder else 130)
            self.assertTrue(self.eventually(lambda: not self.simulators()))
            self.assertEqual(any(self.folder.glob("overlapack-simulate-*")), leaves_folder)

    def test_a_launcher_that_is_killed_takes_the_simulator_along(self):
        run = subprocess.Popen([EXECUTABLE, "simulate", *T3E, "--ranks", "64", "--phantom", "--", "dense", "--n", "1000000"], cwd=self.folder, text=True,
                               env={**os.environ, "TMPDIR": str(self.folder)}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.assertTrue(self.eventually(self.simulators))
        for launcher in self.simulators(b"smpirun"):
            os.kill(int(launcher), signal.SIGKILL)
        self.assertIn("smpirun was ended by signal 9", run.communicate(timeout=60)[1])
        self.assertTrue(self.eventually(lambda: not self.simulators()))

    def with_launcher(self, script, **kwargs):
        """simulate, with this in the place of the simulator's launcher."""
        self.write("smpirun", f"#!/bin/sh\n{script}\n").chmod(0o755)
        return subprocess.Popen([EXECUTABLE, "simulate", *T3E, "--", "info"], cwd=self.folder, text=True, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}, **kwargs)

    def test_signals_that_are_ignored_stay_so(self):
        """As under nohup."""
        run = self.with_launcher("touch started; until [ -e go ]; do sleep 0.05; done; exit 9",
                                 preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.assertTrue(self.eventually((self.folder / "started").exists))
        run.send_signal(signal.SIGHUP)
        self.write("go", "")
        self.assertEqual(run.communicate(timeout=60)[1], "")
        self.assertEqual(run.returncode, 9)

    def test_a_launcher_that_a_signal_ends_is_named(self):
        run = self.with_launcher("kill -KILL $$")
        self.assertIn("overlapack: smpirun was ended by signal 9 (Killed)", run.communicate(timeout=60)[1])
        self.assertEqual(run.returncode, 6)

    def test_a_machine_may_have_any_name(self):
        self.write("m.json", json.dumps({**machine_file("cray-t3e-900"), "name": 'an "old" <T3E> & more'}))
        self.assertTrue(self.simulate("--", "dense", "--n", "20", machine="m.json", ranks=2)["simulated"])

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

    def test_phantom_qr_takes_about_the_time_of_the_exact_run(self):
        for grid in ("2x2", "4x1", "1x4"):
            arguments = ("--", "dense", "--n", "400", "--rows", "600", "--block", "40", "--grid", grid, "--factorization", "qr")
            exact, phantom = self.simulate(*arguments), self.simulate("--phantom", *arguments)
            self.assertLess(abs(phantom["factor_s"] / exact["factor_s"] - 1), 0.2, grid)
            self.assertIsNone(phantom["orthogonality"])
            self.assertIn("nothing of QR depends", phantom["policy"])

    def test_phantom_supersteps_are_those_of_the_exact_run(self):
        arguments = ["--", "dense", "--n", "300", "--block", "20", "--grid", "2x2", "--experiment", "discipline=superstep"]
        for search, words in (("combined", 0.02), ("columns", 0.1)):  # which rows are exchanged is drawn at random
            exact = self.simulate(*arguments, "--experiment", f"pivot_search={search}")
            phantom = self.simulate("--phantom", *arguments, "--experiment", f"pivot_search={search}")
            self.assertLess(abs(phantom["supersteps"] / exact["supersteps"] - 1), 0.0001 if search == "combined" else 0.1)
            self.assertLess(abs(phantom["superstep_words"] / exact["superstep_words"] - 1), words)
            # combined: a panel's kernels, several a column, are charged as one
            self.assertLess(abs(phantom["factor_s"] / exact["factor_s"] - 1), 0.3 if search == "combined" else 0.1)

    def test_phantom_one_sided_is_the_exact_run(self):
        """Column by column each kernel is charged for itself: where no row leaves its process, the time is the same."""
        def both(grid, *form, ranks=4):
            arguments = ["--", "dense", "--n", "120", "--block", "10", "--grid", grid, "--experiment", "discipline=onesided", *form]
            return self.simulate(*arguments, ranks=ranks), self.simulate("--phantom", "--columns-per-exchange", "1", *arguments, ranks=ranks)
        columns = ("--experiment", "pivot_search=columns", "--experiment", "interchange=pairwise")
        for broadcast in ((), ("--experiment", "broadcast=direct"), ("--experiment", "broadcast=binary_tree")):
            exact, phantom = both("1x4", *columns, *broadcast)
            # a row that stays where it is is not charged for: 1 of some 60, by chance
            self.assertLess(abs(phantom["factor_s"] / exact["factor_s"] - 1), 0.01)
            for counted in ("signals", "puts", "gets"):
                self.assertEqual(phantom[counted], exact[counted], counted)
        for swap in ("native", "generic"):  # which rows are exchanged is drawn at random
            for form in (columns, ("--experiment", "pivot_search=combined"), ("--experiment", "pivot_search=combined", "--experiment", "interchange=pairwise")):
                exact, phantom = both("2x2", *form, "--experiment", f"row_swap={swap}")
                self.assertLess(abs(phantom["factor_s"] / exact["factor_s"] - 1), 0.3 if "pivot_search=combined" in form else 0.1)
                self.assertLess(abs(phantom["signals"] / exact["signals"] - 1), 0.1)
                self.assertGreater(phantom["row_swaps"], 0)

    def test_one_sided_accesses_have_their_own_costs(self):
        """Messages that pack and copy lose to gets that do not; a get that costs more makes the run longer."""
        arguments = ["dense", "--n", "128", "--type", "z", "--block", "8", "--grid", "2x2", "--experiment", "pivot_search=columns", "--experiment", "interchange=pairwise"]
        machine = machine_file("cray-x1")
        machine["onesided"]["put_s"]["value"] = 0
        times = {}
        for get_s in (0, 1e-3):
            machine["onesided"]["get_s"]["value"] = get_s
            self.write("m.json", json.dumps(machine))
            times[get_s] = self.simulate("--phantom", "--", *arguments, "--experiment", "discipline=onesided", machine="m.json", ranks=4)["factor_s"]
        self.assertGreater(times[1e-3], times[0] + 128 * 1e-3 / 2)
        machine["onesided"]["get_s"]["value"] = 0
        machine["network"]["link_bytes_per_s"]["value"] = 1e6
        self.write("m.json", json.dumps(machine))
        slow = self.simulate("--phantom", "--", *arguments, "--experiment", "discipline=onesided", machine="m.json", ranks=4)["factor_s"]
        self.assertGreater(slow, times[0] + 128 * 128 / 8 * 16 / 1e6)  # a quarter of the panels' half comes to each process
        machine["network"]["link_bytes_per_s"]["value"] = 1e10
        machine["network"]["copy_bytes_per_s"] = {"value": 1e6, "source": "slow"}
        self.write("slow.json", json.dumps(machine))
        before = self.simulate("--phantom", "--", *arguments, "--schedule", "flat", machine="cray-x1", ranks=4)["factor_s"]
        slower = self.simulate("--phantom", "--", *arguments, "--schedule", "flat", machine="slow.json", ranks=4)["factor_s"]
        self.assertGreater(before, times[0])
        self.assertGreater(slower, 1.5 * before)

    def test_columns_that_travel_together_take_the_time_of_all(self):
        """One column of a panel stands for those beside it: in time, supersteps and words, with a part of the messages."""
        arguments = ["dense", "--n", "256", "--block", "32", "--grid", "2x2", "--experiment", "discipline=superstep", "--experiment", "pivot_search=columns"]
        each, together = (self.simulate("--phantom", "--columns-per-exchange", columns, "--", *arguments, machine="cray-t3e-600") for columns in ("1", "32"))
        self.assertEqual(together["supersteps"], each["supersteps"])
        self.assertLess(abs(together["superstep_words"] / each["superstep_words"] - 1), 0.01)
        self.assertLess(abs(together["factor_s"] / each["factor_s"] - 1), 0.03)
        self.assertLess(together["messages"], each["messages"] / 5)
        for report in (each, together):
            self.assertLess(abs(sum(report["superstep_parts"].values()) / report["factor_s"] - 1), 0.05)

    def test_a_tournament_wins_where_messages_are_slow(self):
        arguments = ["--phantom", "--", "dense", "--n", "512", "--block", "32", "--grid", "4x4"]
        combined, tournament = (self.simulate(*arguments, "--experiment", f"pivot_search={search}", machine="ethernet-25g", ranks=16)["factor_s"] for search in ("combined", "tournament"))
        self.assertLess(tournament, combined / 2)

    def test_what_if_runs_once_for_each_value_and_draws(self):
        sweep = ["--phantom", "--what-if", "ranks=1:4", "--curves", "block=20,40"]
        found = self.simulate(*sweep, "--plot", "s.svg", "--", "dense", "--n", "400", "--block", "10")
        self.assertEqual([(run["curve"], run["value"]) for run in found["runs"]],
                         [(block, ranks) for block in ("20", "40") for ranks in ("1", "2", "4")])
        alone = self.simulate("--phantom", "--", "dense", "--n", "400", "--block", "40", ranks=2)
        self.assertEqual(found["runs"][4]["report"], alone)
        self.assertEqual(found["runs"][4]["seconds"], alone["factor_s"])
        picture = (self.folder / "s.svg").read_text()
        self.assertEqual(picture.count("<polyline"), 3)  # two curves and the ideal one
        self.assertIn("block = 40", picture)
        table = self.ok("simulate", *T3E, *sweep, "--", "dense", "--n", "400")
        self.assertIn("simulated", table)
        self.assertEqual(len(table.splitlines()), 2 + 6)

    def test_what_if_compares_solves_of_iterations_and_keeps_the_status(self):
        for method in ("jacobi", "multisplitting"):
            found = self.simulate("--what-if", "ranks=1,2", "--", "solve", self.cube(), "--method", method)
            self.assertEqual([run["seconds"] for run in found["runs"]], [run["report"]["solve_s"] for run in found["runs"]])
            self.assertEqual(found["status"], "ok")
        few = ["--", "solve", self.cube(), "--method", "jacobi", "--max-iterations", "3"]
        inaccurate = ["--", "solve", self.cube(), "--accuracy", "1e-30"]
        for command, status in ((few, "not_converged"), (inaccurate, "inaccurate")):
            result = self.overlapack("simulate", *T3E, "--what-if", "ranks=1,2", "--json", *command)
            self.assertEqual((result.returncode, json.loads(result.stdout)["status"]), (4, status), result.stderr)

    def test_what_if_changes_experiments(self):
        given = ["--experiment", "broadcast=two_ring", "--experiment=broadcast=ring", "--experiment", "grid_order=columns"]
        found = self.simulate("--phantom", "--what-if", "experiment.broadcast=ring,two_ring", "--", "dense", "--n", "100", "--block", "10", *given)
        self.assertEqual([(run["value"], run["report"]["broadcast"], run["report"]["grid_order"]) for run in found["runs"]],
                         [("ring", "ring", "columns"), ("two_ring", "two_ring", "columns")])
        self.refused(2, "simulate", *T3E, "--what-if", "broadcast=ring,two_ring", "--", "dense", "--n", "20", saying="--experiment broadcast=VALUE")

    def test_sweeps_that_cannot_be_are_refused(self):
        for sweep, saying in (("ranks", "names no option; give ranks=1:256 (doubled from 1 on)"), ("ranks=4:2", "no range"), ("ranks=1,,2", "missing"), ("ranks=2,2", "twice"),
                              ("ranks=0,1", "--ranks"), ("phantom=1", "no values"), ("nonsense=1", "nonsense = 1")):
            self.refused(2, "simulate", *T3E, "--what-if", sweep, "--", "dense", "--n", "20", saying=saying)
        self.refused(2, "simulate", *T3E, "--what-if", "ranks=1,2", "--", "info", saying="no time")
        self.refused(2, "simulate", *T3E, "--what-if", "ranks=1,2", "--curves", "ranks=1", "--", "dense", "--n", "20", saying="different")
        self.refused(2, "simulate", *T3E, "--plot", "s.svg", "--", "dense", "--n", "20", saying="--what-if")
        # at once: the runs before the value that cannot be take hours
        self.refused(2, "simulate", *T3E, "--what-if", "ranks=1:1000000000", "--", "dense", "--n", "20", saying="65536")

    def test_without_progress_long_messages_wait_for_both_sides(self):
        def naps(progress):
            report = self.simulate("--progress", progress, "--eager-bytes", "4096", "--", "probe", "--ranks-per-node", "1", ranks=2)
            return {test["bytes"]: (test["arrives_with_sender_away"], test["leaves_with_receiver_away"]) for test in report["nap_tests"]}

        self.assertEqual(set(naps("always").values()), {(True, True)})
        without = naps("calls")
        self.assertEqual([without.pop(bytes) for bytes in (1024, 4096)], [(True, True)] * 2)  # the short protocol
        self.assertEqual(set(without.values()), {(False, False)})
        self.refused(2, "simulate", *T3E, "--progress", "never", "--", "info", saying="always")
        self.assertEqual(set(naps("sender").values()), {(True, True)})  # their receives are posted before the messages are sent

    def test_progress_of_a_machine_is_one_of_three(self):
        machine = machine_file("cray-t3e-900")
        self.assertEqual(machine["network"]["progress"]["value"], "sender")
        machine["network"]["progress"]["value"] = "sometimes"
        self.write("m.json", json.dumps(machine))
        self.refused(2, "simulate", "--machine", "m.json", "--", "info", saying="must be always, calls or sender")

    def test_what_is_posted_before_it_is_sent_sets_out_at_once(self):
        """Paper 1's plan, whose kernels make no call: late posting waits for the sender's kernels, early posting does not."""
        self.ok("generate", "cube", "20", "-o", "cube.mtx")
        plan = MACHINES.parent / "studies" / "amestoy2001" / "plan.json"

        def seconds(progress, receive):
            report = self.simulate("--progress", progress, "--eager-bytes", "512", "--phantom", "--", "solve", "cube.mtx", "--plan", str(plan),
                                   "--experiment", "strip_border=8", "--ordering", "metis", "--experiment", f"receive={receive}")
            return report["factor_s"]

        always, sender = ({receive: seconds(progress, receive) for receive in ("probe", "immediate")} for progress in ("always", "sender"))
        self.assertGreater(sender["probe"], 1.02 * always["probe"])
        self.assertLess(sender["immediate"], sender["probe"])

    def test_without_progress_answers_are_right_and_late(self):
        always, calls = (self.solve("--eager-bytes", "0", "--progress", progress) for progress in ("always", "calls"))
        self.assertLess(calls["backward_error"], 1e-14)
        self.assertGreater(calls["factor_s"], always["factor_s"])
        self.assertEqual(calls, self.solve("--eager-bytes", "0", "--progress", "calls"))
        # Where all messages are short there is nothing to wait for, but kernels are charged by slices.
        short = [self.solve("--eager-bytes", 2**30, "--progress", progress)["factor_s"] for progress in ("always", "calls")]
        self.assertLess(abs(short[1] / short[0] - 1), 0.1)

    def test_a_probed_computer_is_a_machine(self):
        found = self.ok_json("probe", "--engine", "thread", "--ranks-per-node", "1", "--nap", "0.01", "--write-machine", "here.json")
        machine = json.loads((self.folder / "here.json").read_text())
        kernels = machine["compute"]["kernels"]
        self.assertEqual(kernels["gemm"]["coefficients"], found["kernel_models"][0]["coefficients"])
        self.assertTrue({"gemm", "trsm", "panel", "subtree", "update"} <= set(kernels))
        report = self.simulate("--", "dense", "--n", "300", "--block", "32", machine="here.json", ranks=2)
        # gemm does a quarter of n^3 (of a third, with narrow panels) on two ranks.
        self.assertGreater(report["factor_s"], 300**3 / 12 * kernels["gemm"]["coefficients"][0])
        self.refused(2, "simulate", *T3E, "--", "probe", "--write-machine", "m.json", saying="has a file")
        self.refused(2, "probe", "--phases", "--write-machine", "m.json", saying="--phases")

    def test_compressed_fronts_are_simulated_with_their_numbers_and_not_without(self):
        self.ok("generate", "cube", "24", "-o", "cube.mtx")
        blocks = ["--compression", "blr", "--compression-tolerance", "1e-4", "--experiment", "compression_order=100", "--experiment", "compression_block=16"]
        first, again = (self.simulate("--", "solve", "cube.mtx", *blocks) for _ in range(2))
        self.assertLess(first["backward_error"], 1e-14)
        self.assertLess(first["flops"], first["full_rank_flops"])
        self.assertGreater(first["low_rank_strips"], 0)
        self.assertGreater(first["panel_saved_bytes"], 0)
        self.assertEqual(first["factor_s"], again["factor_s"])
        self.refused(2, "simulate", *T3E, "--phantom", "--", "solve", "cube.mtx", *blocks, saying="--phantom")

    def test_fronts_by_shapes_alone_take_the_time_and_the_messages_of_the_exact_run(self):
        self.ok("generate", "cube", "20", "-o", "cube.mtx")
        self.ok("generate", "convection", "18", "-o", "convection.mtx")  # diagonally dominant: no pivot is delayed
        strips = ["--experiment", "strip_border=8", "--experiment", "strip_rows=4", "--ordering", "metis"]  # whose fronts are large enough
        cases = (("cube.mtx", "cholesky", ["--experiment", "receive=immediate"], []), ("cube.mtx", "cholesky", ["--experiment", "receive=probe"], ["--eager-bytes", "0"]),
                 ("cube.mtx", "ldlt", ["--experiment", "receive=probe"], ["--progress", "calls", "--eager-bytes", "4096"]),
                 ("convection.mtx", "lu", ["--experiment", "root=sequential", "--experiment", "receive=probe"], []),
                 ("convection.mtx", "lu", ["--experiment", "root=sequential", "--experiment", "receive=immediate"], ["--eager-bytes", "0"]))
        # What the solve, which a phantom leaves out, sends; and the totals, which have it in them.
        of_solve = {"collective", "vector part", "vector to strips", "vector from strips"}
        distributed = on_grid = 0
        for ranks in (2, 4, 7):
            for matrix, kind, receive, protocol in cases:
                with self.subTest(ranks=ranks, matrix=matrix, kind=kind, receive=receive, protocol=protocol):
                    command = ["--", "solve", matrix, "--factorization", kind, *receive, *strips]
                    exact, phantom = self.simulate(*protocol, *command, ranks=ranks), self.simulate("--phantom", *protocol, *command, ranks=ranks)
                    self.assertEqual(exact["pivots"]["delayed"], 0)
                    for key in ("factor_s", "flops", "factor_nnz", "peak_bytes", "fronts", "distributed_fronts", "strips", "pieces", "load_news", "grid_roots"):
                        self.assertEqual(phantom[key], exact[key], key)

                    def of_factorization(report):  # messages, bytes and the largest of each kind
                        return {kind: sent for kind, sent in report["messages_of_kind"].items() if kind not in of_solve}

                    self.assertEqual(of_factorization(phantom), of_factorization(exact))
                    self.assertGreater(len(of_factorization(phantom)), 0)
                    distributed += phantom["distributed_fronts"]
                    on_grid += phantom["grid_roots"]
                    self.assertEqual(exact["policy"], "")
                    self.assertIn("none is delayed", phantom["policy"])
                    for unknown in ("backward_error", "forward_error", "true_residual", "solve_s", "numerical_rank", "condition_estimate"):
                        self.assertIsNone(phantom[unknown], unknown)
                    self.assertIsNone(phantom["pivots"]["negative"])
        self.assertGreater(distributed, 0)
        self.assertGreater(on_grid, 0)

    def test_nodes_by_shapes_alone_take_the_time_and_the_messages_of_the_exact_run(self):
        self.ok("generate", "convection", "10", "-o", "convection.mtx")
        of_solve = {"collective", "sum of the solve", "part of the solve"}
        forms = (["--schedule", "flat"], ["--schedule", "pipelined"], ["--depth", "1", "--experiment", "rows_ahead=off", "--experiment", "node_order=postorder", "--experiment", "node_map=cyclic"],
                 ["--depth", "5", "--experiment", "node_map=cyclic"], ["--depth", "5"], ["--schedule", "pipelined", "--experiment", "node_map=subtrees"])
        for ranks, grid in ((2, "1x2"), (4, "2x2"), (6, "3x2")):
            for form in forms:
                for protocol in ([], ["--eager-bytes", "0"]):
                    with self.subTest(ranks=ranks, form=form, protocol=protocol):
                        command = ["--", "solve", "convection.mtx", "--method", "supernodal", "--experiment", "max_width=16", "--grid", grid, *form]
                        exact, phantom = self.simulate(*protocol, *command, ranks=ranks), self.simulate("--phantom", *protocol, *command, ranks=ranks)
                        self.assertEqual((exact["pivots"]["perturbed"], exact["status"]), (0, "ok"))
                        for key in ("factor_s", "flops", "factor_nnz", "peak_bytes", "nodes", "columns_ahead", "rows_ahead", "subtree_nodes",
                                    "border_messages", "panel_messages", "panel_bytes"):
                            self.assertEqual(phantom[key], exact[key], key)
                        self.assertEqual(exact["subtree_nodes"] > 0, "node_map=subtrees" in form or form == ["--depth", "5"])
                        sent, expected = ({kind: t for kind, t in report["messages_of_kind"].items() if kind not in of_solve} for report in (phantom, exact))
                        self.assertEqual(sent, expected)
                        self.assertIn("block column", sent)
                        self.assertEqual((sum(t["messages"] for t in sent.values()), sum(t["bytes"] for t in sent.values())),
                                         (exact["panel_messages"], exact["panel_bytes"]))

    def test_nodes_gain_by_receives_that_are_posted(self):
        """Paper 1, Table 9, on a small cube: blocking sends lose by the long protocol, and immediate ones do not."""
        self.ok("generate", "cube", "12", "-o", "cube.mtx")

        def seconds(eager, *form):
            return self.simulate("--phantom", "--eager-bytes", eager, "--", "solve", "cube.mtx", "--method", "supernodal", "--experiment", "max_width=24",
                                 "--experiment", "node_order=postorder", "--experiment", "node_map=cyclic", *form)["factor_s"]
        long, short = ([seconds(eager, "--schedule", "pipelined"), seconds(eager, "--depth", "1", "--experiment", "rows_ahead=off")] for eager in ("0", "1000000000"))
        self.assertGreater(long[0], 1.1 * long[1])
        self.assertLess(max(short) / min(short), 1.15)

    def test_fronts_by_shapes_alone_need_no_memory_for_numbers(self):
        self.ok("generate", "cube", "40", "-o", "cube.mtx")
        measure = "import resource, subprocess, sys; done = subprocess.run(sys.argv[1:]); " \
                  "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr); sys.exit(done.returncode)"
        run = subprocess.run([sys.executable, "-c", measure, EXECUTABLE, "simulate", *T3E, "--ranks", "16", "--phantom", "--", "solve",
                              "cube.mtx", "--factorization", "lu", "--json"], capture_output=True, text=True, timeout=120, cwd=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        phantom = json.loads(run.stdout)
        self.assertGreater(phantom["factor_s"], phantom["flops"] / 16 / 513e6)
        self.assertGreater(phantom["distributed_fronts"], 0)
        self.assertIn("in the root on the grid pivots are rows drawn at random", phantom["policy"])
        resident = 1024 * int(run.stderr.split()[-1])
        self.assertLess(resident, phantom["peak_bytes"] / 2)

    def on_nodes(self, *arguments, machine="gige-xeon-smp"):
        """Two ranks on nodes of their own, with two processors each."""
        return self.simulate("--ranks-per-node", "1", *arguments, machine=machine, ranks=2)

    def test_workers_take_shared_work_and_no_other_and_change_no_number(self):
        self.ok("generate", "cube", "24", "-o", "cube.mtx")
        dense = ["dense", "--n", "1600", "--block", "80", "--grid", "1x2", "--schedule"]
        cholesky = ["solve", "cube.mtx", "--factorization", "cholesky", "--ordering", "metis"]
        with_workers = ["--workers", "1"]
        for alone, shared in (([*dense, "lookahead"], [*dense, "hybrid", *with_workers]), (cholesky, [*cholesky, *with_workers])):
            for simulation in ([], ["--phantom"], ["--progress", "calls"], ["--phantom", "--progress", "calls"]):
                with self.subTest(command=alone[0], simulation=simulation):
                    one, two = self.on_nodes(*simulation, "--", *alone), self.on_nodes(*simulation, "--", *shared)
                    self.assertEqual(two["workers"], 1)
                    for key in ("backward_error", "flops"):
                        self.assertEqual(two[key], one[key], key)
                    self.assertLess(two["factor_s"], 0.99 * one["factor_s"])
                    self.assertGreater(two["factor_s"], one["factor_s"] / 2)
                    self.assertEqual(two, self.on_nodes(*simulation, "--", *shared))
                    if alone is cholesky and "--phantom" not in simulation:
                        self.assertEqual(self.on_nodes("--phantom", *simulation, "--", *shared)["factor_s"], two["factor_s"])

    def test_workers_of_sweeps_share_the_memory_of_their_node(self):
        machine = machine_file("gige-xeon-smp")
        factor = machine["compute"]["together_factor"]["value"]
        machine["compute"]["together_factor"]["value"] = 1
        self.write("wide.json", json.dumps(machine))
        command = ["--", "jacobi", "--grid", "80", "--variant", "sync", "--tolerance", "1e-1", "--workers"]
        alone, slowed = (self.on_nodes(*command, workers) for workers in ("0", "1"))
        free = self.on_nodes(*command, "1", machine="wide.json")
        self.assertEqual((alone["slices_by_others"], slowed["slices_by_others"]), (0, slowed["slices"] // 2))
        for key in ("iterations", "true_residual"):
            self.assertEqual(slowed[key], alone[key], key)
        # All but waiting and residuals is sweeps, half of which each thread takes.
        busy_s = [report["solve_s"] * (1 - report["wait_share"]) for report in (alone, slowed, free)]
        self.assertAlmostEqual(busy_s[1] / busy_s[0], factor / 2, delta=0.03)
        self.assertAlmostEqual(busy_s[2] / busy_s[0], 1 / 2, delta=0.03)

    def test_workers_without_a_processor_are_refused(self):
        command = ["--", "jacobi", "--grid", "8", "--workers", "1"]
        for machine, per_node in (("gige-xeon-smp", 2), ("cray-t3e-900", 1)):
            self.refused(2, "simulate", "--machine", machine, "--ranks", "2", "--ranks-per-node", per_node, *command, saying="needs 2 processors")

    def test_phantom_refuses_what_is_not_built_and_is_named_where_memory_is_short(self):
        self.ok("generate", "cube", "8", "-o", "a.mtx")
        for command, saying in ((["jacobi"], "dense and solve"), (["hpl"], "dense and solve"),
                                (["solve", "a.mtx", "--method", "jacobi"], "knows the methods multifrontal and supernodal"),
                                (["solve", "a.mtx", "--method", "dense"], "knows the methods multifrontal and supernodal"),
                                (["solve", "a.mtx", "--method", "block_triangular"], "knows the methods multifrontal and supernodal"),
                                (["solve", "a.%r.mtx"], "one file"), (["solve", "a.mtx", "--experiment", "steal=true"], "steal"),
                                (["solve", "a.mtx", "-o", "x.mtx"], "no x")):
            with self.subTest(command=command):
                self.refused(2, "simulate", *T3E, "--ranks", "2", "--phantom", "--", *command, saying=saying)
        self.refused(5, "simulate", *T3E, "--", "dense", "--n", "1000000", saying="--phantom")

    def test_blocks_of_two_ranks_iterate_as_blocks_of_one(self):
        self.ok("generate", "cube", "9", "-o", "a.mtx")

        def solve(ranks, *options):
            report = self.simulate("--", "solve", "a.mtx", "--method", "multisplitting", "--variant", "sync", "--overlap", 2, "--tolerance", "1e-10", "--experiment", "fronts=strips",
                                   "--experiment", "strip_border=8", "--experiment", "strip_rows=4", "--output", "x.mtx", *options, ranks=ranks)
            lines = [line for line in (self.folder / "x.mtx").read_text().splitlines() if not line.startswith("%")]
            return report, [float(line) for line in lines[1:]]

        alone, x = solve(2)
        groups, y = solve(4, "--ranks-per-block", 2)
        again, _ = solve(4, "--ranks-per-block", 2)
        self.assertEqual(groups, again)
        self.assertGreater(groups["solve_s"], 0)
        self.assertGreater(groups["group_solves"], 0)
        self.assertGreater(groups["messages"], alone["messages"])
        self.assertEqual(groups["iterations"], alone["iterations"])
        self.assertGreater(alone["iterations"]["max"], 3)
        # Both factorise the same blocks and take the same steps: they differ by rounding, which the iteration does not make larger.
        size = max(map(abs, x))
        self.assertLess(max(abs(a - b) for a, b in zip(x, y)), 1e-12 * size)

    def test_errors_of_the_command_come_through(self):
        result = self.overlapack("simulate", *T3E, "--ranks", "2", "--", "solve", "missing.mtx")
        self.assertEqual(result.returncode, 2)
        self.assertIn("missing.mtx", result.stderr)
        self.assertEqual(result.stderr.count("overlapack:"), 1, result.stderr)


if __name__ == "__main__":
    unittest.main()
