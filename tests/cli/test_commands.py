"""generate, plan, info, probe and the help."""
import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path

from cli_case import CliCase, EXECUTABLE
from launch import ENVIRONMENT, MPIRUN, mpirun

ROOT = Path(__file__).resolve().parents[2]


class Commands(CliCase):
    def test_help_names_every_command(self):
        text = self.ok("--help")
        for command in ("solve", "plan", "dense", "hpl", "generate", "probe", "simulate", "study", "info", "doctor"):
            self.assertIn(command, text)

    def test_help_is_a_command_too(self):
        self.assertEqual(self.ok("help"), self.ok("--help"))
        self.assertEqual(self.ok("help", "solve"), self.ok("solve", "--help"))

    def test_machines_are_listed_in_columns(self):
        lines = self.ok("simulate", "--list").splitlines()
        column = lines[0].index("what it is")
        self.assertGreater(len(lines), 3)
        for line in lines[1:]:
            self.assertEqual((line[column - 1], line[column] == " "), (" ", False), line)

    def test_info_names_what_it_has_without_an_error(self):
        self.assertNotRegex(self.ok("info"), r"shmem +no: the engine")

    def test_short_help_has_the_common_options_and_full_help_all_of_them(self):
        options = json.loads(self.ok("info", "--options", "--json"))
        flags = {c: {o["flag"] for o in options if c in o["commands"]} for c in ("solve", "plan", "dense", "jacobi")}
        for command, all_flags in flags.items():
            short, full = self.ok(command, "--help"), self.ok(command, "--help-all")
            shown = {flag for flag in all_flags if re.search(rf"^  {flag}\b(?!-)", short, re.MULTILINE)}
            self.assertTrue(all(re.search(rf"^  {flag}\b(?!-)", full, re.MULTILINE) for flag in all_flags))
            self.assertIn("--ranks", shown)
            self.assertEqual(shown, {o["flag"] for o in options if o["tier"] == "common" and command in o["commands"]})
            self.assertIn(f"{len(all_flags - shown) + 1} more options", short)  # and --experiment
            self.assertIn(f"overlapack {command} --help-all", short)
            self.assertNotIn("more options", full)
        self.assertIn("--method", self.ok("solve", "--help"))
        full = self.ok("solve", "--help-all")
        for group in ("Sparse factors", "Factors on disk", "Dense matrices", "Iterations"):
            self.assertEqual(full.count(f"\n{group}:\n"), 1)
        self.assertLess(full.index("\nFactors on disk:"), full.index("--disk-buffer"))
        self.assertEqual(self.overlapack("solve", "--help-everything").returncode, 2)

    def test_experiments_are_in_no_help_and_have_a_table_of_their_own(self):
        experiments = json.loads(self.ok("info", "--experiments", "--json"))
        options = json.loads(self.ok("info", "--options", "--json"))
        self.assertGreater(len(experiments), 30)
        self.assertTrue(all(e["tier"] == "experiment" and e["source"] for e in experiments))
        self.assertFalse({e["name"] for e in experiments} & {o["name"] for o in options})
        table, page = self.ok("info", "--experiments"), self.ok("info", "--options")
        full, short = self.ok("solve", "--help-all"), self.ok("solve", "--help")
        self.assertIn("--experiment NAME=VALUE", full)
        self.assertNotIn("--experiment", short)
        for name in (e["name"] for e in experiments):
            self.assertIn(f"| `{name}` |", table)
            self.assertNotIn(f"| `{name}` |", page)
            self.assertNotRegex(full, rf"(?m)^  --{name.replace('_', '-')}\b(?!-)")
        self.refused(2, "info", "--options", "--experiments", saying="one table")

    def test_experiments(self):
        self.ok("generate", "cube", "3", "-o", "a.mtx")
        used = self.ok_json("solve", "a.mtx", "--experiment", "relax=8", "--experiment=max_width=9", "--ranks", 1, "--method", "multifrontal")
        self.assertEqual(used["unused_options"], "experiment.max_width, experiment.relax")
        planned = json.loads(self.ok("plan", "a.mtx", "--experiment", "root_order=7", "--json"))
        self.assertEqual(planned["options"]["experiment"]["root_order"], 7)
        self.write("p.json", json.dumps({"method": "supernodal", "experiment": {"tolerance_of": 1}}))
        self.refused(2, "solve", "a.mtx", "--plan", "p.json", saying='no experiment "tolerance_of"')
        for words, saying in ((["--strip-border", "20"], "--strip-border is an experiment; give --experiment strip_border=VALUE"),
                              (["--steal"], "give --experiment steal=VALUE"),
                              (["--experiment", "ordering=amd"], "ordering is an option and no experiment; give it by its own name: --ordering"),
                              (["--experiment", "strip_bordr=2"], "did you mean strip_border?"),
                              (["--experiment", "qqq=2"], "`overlapack info --experiments` lists"),
                              (["--experiment", "mapping=nodes"], "solve has no experiment mapping (jacobi has it)"),
                              (["--experiment", "strip_border"], "give NAME=VALUE"), (["--experiment", "=2"], "give NAME=VALUE"),
                              (["--experiment", "strip_border="], 'experiment strip_border is ""'),
                              (["--experiment"], "wants a value"), (["--strip-bord", "2"], "solve has no option --strip-bord;")):
            with self.subTest(words=words):
                self.refused(2, "solve", "a.mtx", *words, saying=saying)

    def test_doctor_finds_this_computer_well_and_says_what_is_wrong_with_another(self):
        told = self.overlapack("doctor", "--json", env=ENVIRONMENT)
        report = json.loads(told.stdout)
        found = {finding["about"]: finding for finding in report["findings"]}
        self.assertEqual((told.returncode, report["status"]), (0, "ok"), told.stdout)
        self.assertEqual([about for about in found if found[about]["verdict"] == "wrong"], [])
        for about in ("solve", "MPI", "memory", "/dev/shm"):
            self.assertTrue(found[about]["found"], about)
        self.assertEqual(found["solve"]["verdict"], "ok")
        self.assertTrue(all(finding["advice"] for finding in report["findings"] if finding["verdict"] != "ok"))
        if "works" not in found["MPI"]["found"]:
            return
        (self.folder / "mpirun").write_text('#!/bin/sh\necho "out of slots [$OPENBLAS_CORETYPE]" >&2\nexit 3\n')
        (self.folder / "mpirun").chmod(0o755)
        result = self.overlapack("doctor", env={**ENVIRONMENT, "PATH": f"{self.folder}:{ENVIRONMENT['PATH']}"})
        self.assertEqual(result.returncode, 1)
        self.assertIn("mpirun -n 2 ended with 3: out of slots []", result.stdout)  # a core type that the command chose is not handed on
        self.assertRegex(result.stdout, r"(?m)^wrong  MPI ")
        if os.geteuid() == 0:  # the launcher's rule, no fault of the computer
            (self.folder / "mpirun").write_text('#!/bin/sh\necho "mpirun has detected an attempt to run as root." >&2\nexit 1\n')
            result = self.overlapack("doctor", env={**ENVIRONMENT, "PATH": f"{self.folder}:{ENVIRONMENT['PATH']}"})
            self.assertRegex(result.stdout, r"(?m)^note   MPI ")
            self.assertIn("mpirun starts nothing as root; run it as another user", result.stdout)
        for order, code, said in (("kill -INT $PPID; exec sleep 60", 130, "stopped by a signal"), ("kill -KILL $$", 1, "was ended by signal 9 (Killed)")):
            (self.folder / "mpirun").write_text(f"#!/bin/sh\n{order}\n")
            result = self.overlapack("doctor", env={**ENVIRONMENT, "PATH": f"{self.folder}:{ENVIRONMENT['PATH']}"})
            self.assertEqual(result.returncode, code, result.stdout)
            self.assertIn(said, result.stdout + result.stderr)

    def test_kernels_that_are_too_old_are_wrong_with_the_factor_and_the_variable(self):
        built = self.ok_json("info")
        if not built["blas"].startswith("OpenBLAS") or built["processor_level"] == "x86-64":
            self.skipTest(f"{built['blas']} on {built['processor_level']} has no older kernels to choose")
        environment = {**ENVIRONMENT, "OPENBLAS_CORETYPE": "PRESCOTT"}
        info = json.loads(self.overlapack("info", "--json", env=environment).stdout)
        if info["blas_level"] != "x86-64":
            self.skipTest(f"this OpenBLAS has one set of kernels, {info['blas']}")
        told = self.overlapack("doctor", "--json", env=environment)
        blas = next(finding for finding in json.loads(told.stdout)["findings"] if finding["about"] == "BLAS")
        self.assertEqual((told.returncode, blas["verdict"]), (1, "wrong"))
        self.assertRegex(blas["advice"], r"^\d+\.\d times slower than the core: OPENBLAS_CORETYPE=PRESCOTT in the environment chose them.*unset it$")
        self.assertEqual(info["processor_level"], built["processor_level"])

    def test_the_command_has_kernels_for_this_processor(self):
        built = self.ok_json("info")
        if not built["blas"].startswith("OpenBLAS") or not built["blas_level"]:
            self.skipTest(f"{built['blas']} chooses for itself")
        self.assertEqual(built["blas_level"], built["processor_level"])

    def test_version(self):
        self.assertRegex(self.ok("--version"), r"^overlapack \d+\.\d+\.\d+\n$")

    def test_generate_is_reproducible_and_tells_what_it_made(self):
        first = self.ok_json("generate", "cube", "4", "-o", "a.mtx")
        self.ok("generate", "cube", "4", "-o", "b.mtx")
        self.assertEqual(first["n"], 64)
        self.assertEqual((self.folder / "a.mtx").read_text(), (self.folder / "b.mtx").read_text())

    def test_plan_predicts_and_its_options_are_a_plan_file(self):
        self.ok("generate", "cube", "6", "-o", "a.mtx")
        plan = self.ok_json("plan", "a.mtx", "--ordering", "amd")
        self.assertGreater(plan["predicted_flops"], 0)
        self.assertGreater(plan["predicted_factor_nnz"], 0)
        self.assertGreater(plan["predicted_bytes"], 0)
        for what in (plan, plan["options"]):
            (self.folder / "p.json").write_text(json.dumps(what))
            report = self.ok_json("solve", "a.mtx", "--plan", "p.json")
            self.assertEqual(report["ordering"], "amd")
        self.assertEqual(report["factor_nnz"] >= plan["predicted_factor_nnz"] or report["pivots"]["delayed"] == 0, True)

    def test_info_loads_nothing_from_the_working_directory(self):
        """A program that was found through PATH knows itself by its bare name."""
        for name in ("overlapack", "overlapack_openmpi.so", "overlapack_mpich.so"):
            self.write(name, "not ours")
        result = subprocess.run(["overlapack", "info"], executable=EXECUTABLE, capture_output=True, text=True, timeout=120,
                                cwd=self.folder)
        self.assertEqual(result.stdout, self.ok("info"))
        self.assertNotIn(str(self.folder), result.stdout)

    def plant_programs(self, folder):
        """A copy of the executable there, and in lib/overlapack beside it programs that leave a mark; runs the copy on OpenSHMEM."""
        (self.folder / folder).mkdir(exist_ok=True)
        (self.folder / "lib" / "overlapack").mkdir(parents=True, exist_ok=True)
        copy = shutil.copy(EXECUTABLE, self.folder / folder)
        planted = self.write("lib/overlapack/overlapack_shmem", f"#!/bin/sh\ntouch {self.folder}/mark\n")
        planted.chmod(0o755)
        return planted, lambda: subprocess.run([copy, "jacobi", "--grid", "5", "--engine", "shmem", "--ranks", "1"], capture_output=True,
                                               text=True, timeout=120, env={**ENVIRONMENT, "OMPI_COMM_WORLD_SIZE": "1"})

    def test_programs_of_others_are_not_started(self):
        _, start = self.plant_programs("x")  # one level up is nobody's
        start()
        self.assertFalse((self.folder / "mark").exists())
        planted, start = self.plant_programs("bin")
        start()
        self.assertTrue((self.folder / "mark").exists())
        (self.folder / "mark").unlink()
        planted.chmod(0o777)
        result = start()
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("may be written to by everybody", result.stderr)
        self.assertFalse((self.folder / "mark").exists())

    def test_launchers_of_openshmem_get_the_ranks_by_all_their_names(self):
        planted, _ = self.plant_programs("bin")
        self.write("oshrun", '#!/bin/sh\necho "$@"\n').chmod(0o755)
        for words in (["--ranks", "3"], ["--ranks=3"], ["--threads", "3"], ["--threads=3"], ["-j", "3"], ["-j3"]):
            result = subprocess.run([self.folder / "bin" / "overlapack", "jacobi", "--grid", "5", "--engine", "shmem", *words], text=True,
                                    capture_output=True, timeout=120, env={**ENVIRONMENT, "PATH": f"{self.folder}:{ENVIRONMENT['PATH']}"})
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(f"-n 3 {planted}", result.stdout)

    def test_info(self):
        info = self.ok_json("info")
        engines = {e["name"]: e for e in info["engines"]}
        self.assertTrue(engines["thread"]["available"])
        self.assertTrue(all(e["note"] for e in info["engines"]))
        self.assertIn("overlapack", self.ok("info"))

    def test_probe(self):
        found = self.ok_json("probe", "--engine", "thread", "--nap", "0.01")
        self.assertTrue(found["kernels"] and found["messages"] and found["nap_tests"])
        self.assertTrue(all(m["latency_s"] > 0 for m in found["messages"]))

    def test_what_a_probe_prints(self):
        found = self.ok("probe", "--engine", "thread", "--nap", "0.01", "--write-machine", "here.json")
        for heading in ("One core, double", "STREAM triad", "Seconds of kernels", "Messages between two ranks", "Progress without calls", "S_m "):
            self.assertIn(heading, found)
        machine = json.loads((self.folder / "here.json").read_text())
        self.assertEqual(machine["name"], "here")
        self.assertGreater(machine["compute"]["kernels"]["gemm"]["flops_per_s"], 0)
        self.assertIn("dT measured", self.ok("probe", "--phases", "--engine", "thread", "--n", 400))
        self.assertIn("binary_tree", self.ok("probe", "--onesided", "--engine", "thread"))

    def test_probe_of_supersteps(self):
        bsp = self.ok_json("probe", "--bsp", "--engine", "thread", "--ranks", 3)["bsp"]
        self.assertEqual(bsp["p"], 3)
        self.assertAlmostEqual(bsp["g_flops"], bsp["g_s"] * bsp["s_flops_per_s"], delta=1e-9 * abs(bsp["g_flops"]))
        self.assertRegex(self.ok("probe", "--bsp", "--engine", "thread"), "^p = 2, s = ")

    def test_a_study_that_there_is_none_of(self):
        self.refused(2, "study", "nonesuch", "table1", saying="the studies are")

    def expect_transfers(self, found, ranks):
        """Each form of each transfer, with counts that follow from what it is; times are not looked at."""
        of = {}
        for one in found["transfers"]:
            self.assertGreater(one["seconds"], 0)
            of.setdefault((one["transfer"], one["form"]), []).append(one)
        self.assertEqual({name: len(rows) for name, rows in of.items()},
                         {**{("broadcast", form): 4 for form in ("binary_tree", "ring", "direct")},
                          **{("transpose", form): 5 for form in ("messages", "generic", "native")},
                          **{("memory", form): 7 for form in ("user", "copy", "attach")},
                          **{("get", form): 7 for form in ("user", "attach")}})
        for one in of["broadcast", "direct"]:
            self.assertEqual((one["gets"], one["signals"], one["messages"]), (ranks - 1, 2 * (ranks - 1), 0))
        for one in of["broadcast", "ring"] + of["broadcast", "binary_tree"]:
            self.assertEqual((one["gets"], one["signals"]), (0, 0))
            self.assertEqual(one["messages"], ranks - 1)
        for messages, generic, native in zip(of["transpose", "messages"], of["transpose", "generic"], of["transpose", "native"]):
            self.assertEqual((messages["signals"], generic["messages"], native["messages"]), (0, 0, 0))
            pairs = messages["messages"]  # one each way
            self.assertEqual((generic["signals"], generic["puts"], generic["gets"]), (3 * pairs, pairs, 0))
            self.assertEqual(native["signals"], 2 * pairs)
            self.assertGreaterEqual(native["gets"], pairs)
        for memory in ("user", "copy", "attach"):
            for one in of["memory", memory]:
                self.assertEqual((one["signals"], one["gets"], one["puts"]), (2, 1, memory == "attach"))
        for one in of["get", "user"] + of["get", "attach"]:
            self.assertEqual((one["signals"], one["gets"], one["puts"], one["messages"]), (0, 1, 0, 0))

    def test_probe_of_onesided_transfers(self):
        self.expect_transfers(self.ok_json("probe", "--onesided", "--engine", "thread", "--ranks", 4), 4)
        self.refused(2, "probe", "--onesided", "--bsp", saying="give one of them")
        self.refused(2, "probe", "--onesided", "--write-machine", "m.json", saying="measure no kernels")

    @unittest.skipIf(MPIRUN is None, "no mpirun")
    def test_probe_of_onesided_transfers_by_mpi(self):
        result = subprocess.run(mpirun(4, EXECUTABLE, "probe", "--onesided", "--json"), env=ENVIRONMENT, text=True, capture_output=True, timeout=200)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.expect_transfers(json.loads(result.stdout), 4)

    def test_documentation_of_options_is_current(self):
        self.assertEqual(self.ok("info", "--options"), (ROOT / "docs/options.md").read_text(),
                         "run: overlapack info --options > docs/options.md")
        self.assertEqual(self.ok("info", "--experiments"), (ROOT / "docs/experiments.md").read_text(),
                         "run: overlapack info --experiments > docs/experiments.md")

    def test_types_of_python_are_current(self):
        check = [sys.executable, ROOT / "tools" / "python_types.py", EXECUTABLE, "--check"]
        result = subprocess.run(list(map(str, check)), text=True, capture_output=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_documentation_of_reports_is_current(self):
        self.assertEqual(self.ok("info", "--report"), (ROOT / "docs/report.md").read_text(),
                         "run: overlapack info --report > docs/report.md")
        self.tridiagonal()
        schema = json.loads(self.ok("info", "--report", "--json"))
        report = self.ok_json("solve", "a.mtx")
        self.assertLessEqual(set(report) - {"file", "read", "read_s", "version"}, {entry["name"].split(".")[0] for entry in schema})


class BlasThreads(CliCase):
    def test_none_spins_when_it_starts(self):
        """They would for 0.1 s, beside the program's own (decision 0080)."""
        pipe = self.folder / "a.mtx"
        os.mkfifo(pipe)
        with subprocess.Popen([EXECUTABLE, "solve", pipe], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            with open(pipe, "w") as matrix:  # returns when the program opens it, too
                time.sleep(0.3)
                threads = [task for task in Path(f"/proc/{process.pid}/task").iterdir() if task.name != str(process.pid)]
                seconds = sum(int((task / "schedstat").read_text().split()[0]) * 1e-9 for task in threads)
                matrix.write("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2.0\n")
            process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertLess(seconds, 0.03)


class KeptAnalyses(CliCase):
    def test_serves_another_matrix_of_the_pattern(self):
        a, b = self.tridiagonal("a.mtx"), self.tridiagonal("b.mtx")
        b.write_text(b.read_text().replace("4.0", "5.0"))
        self.assertIn("analysis written to k.analysis", self.ok("plan", a, "-o", "k.analysis"))
        told = self.ok_json("solve", b, "--analysis", "k.analysis", "-o", "x.mtx")
        self.assertEqual(told["status"], "ok")
        self.assertLess(told["backward_error"], 1e-14)

    def test_refusals(self):
        a = self.tridiagonal("a.mtx")
        self.ok("plan", a, "-o", "k.analysis")
        for arguments, words in {
            (self.tridiagonal("b.mtx", 30), "--analysis", "k.analysis"): "order 30",
            (a, "--analysis", "nowhere"): "nowhere",
            (a, "--analysis", "k.analysis", "--method", "dense"): "--analysis is for factors of a sparse matrix",
            (a, "--analysis", "k.analysis", "--ordering", "natural"): "ordering is natural",
            (a, "--analysis", "k.analysis", "--null-pivots"): "give it to analyse (the command plan), or leave it out",
        }.items():
            self.refused(2, "solve", *arguments, saying=words)
        self.refused(2, "plan", a, "-o", "k.txt", saying=".analysis")
        self.refused(2, "plan", a, "-o", "-", saying="a file of its own")


if __name__ == "__main__":
    unittest.main()
