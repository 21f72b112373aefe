"""What commands say while they work and where they are stopped: progress, quiet and verbose, Ctrl-C in each phase, versions."""
import gzip
import json
import os
import pty
import re
import signal
import subprocess
import unittest

from cli_case import EXECUTABLE, CliCase

CANCELLED = 130


class Telling(CliCase):
    def test_quiet_leaves_what_was_asked_for(self):
        a = self.tridiagonal()
        for words in (["solve", a, "-o", "x.mtx"], ["plan", a], ["dense", "--n", "20"], ["jacobi", "--grid", "5"],
                      ["generate", "cube", "3", "-o", "b.mtx"]):
            for flag in ("-q", "--quiet"):
                result = self.overlapack(*words, flag)
                self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""), words)
        self.assertIn("factorised", self.ok("solve", a, "-q", "--explain"))
        self.assertIn("critical path", self.ok("solve", a, "-q", "--critical-path"))
        self.assertEqual(self.ok_json("solve", a, "-q")["status"], "ok")
        self.refused(2, "solve", a, "-q", "-v", saying="give one of them")

    def test_verbose_says_each_phase(self):
        self.ok("generate", "cube", "16", "-o", "a.mtx")
        for flag in ("-v", "--verbose"):
            result = self.overlapack("solve", "a.mtx", "--ordering-effort", "high", "-o", "x.mtx", flag)
            said = [re.fullmatch(r" *\d+\.\d s  (.*)", line)[1] for line in result.stderr.splitlines()]
            for phase in ("reading: a.mtx", "analysis: ordering by AMD", "analysis: nested dissection", "analysis: structure of L",
                          "factorisation", "solve", "writing: x.mtx"):
                self.assertEqual(said.count(phase), 1, said)
            self.assertEqual(said[0], "reading: a.mtx")
            self.assertLess(said.index("analysis: nested dissection"), said.index("factorisation"))
            self.assertIn("backward error", result.stdout)

    def test_every_json_has_the_version(self):
        a = self.tridiagonal()
        version = self.ok("--version").split()[1]
        for words in (["solve", a], ["plan", a], ["dense", "--n", "20"], ["jacobi", "--grid", "5"], ["generate", "cube", "3", "-o", "b.mtx"],
                      ["probe", "--bsp"], ["simulate", "--list"], ["info"]):
            self.assertEqual(self.ok_json(*words)["version"], version, words)
        self.assertEqual(json.loads(self.overlapack("doctor", "--json").stdout)["version"], version)
        self.assertEqual(self.refused(2, "solve", "nowhere.mtx")["version"], version)

    def test_version_behind_a_command(self):
        for command in ("solve", "info", "simulate"):
            self.assertEqual(self.ok(command, "--version"), self.ok("--version"))

    def test_a_report_that_is_lost_is_no_success(self):
        a = self.tridiagonal()
        for words in (["solve", a], ["solve", a, "--json"], ["plan", a], ["info"], ["--help"], ["--version"]):
            with open("/dev/full", "w") as full:
                result = subprocess.run([EXECUTABLE, *map(str, words)], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
            self.assertEqual(result.returncode, 2, words)
            self.assertRegex(result.stderr, r"^overlapack: standard output cannot be written to its end \(No space left on device\)")

    def test_a_reader_that_has_seen_enough_is_no_fault(self):
        for words in (["solve", "--help-all"], ["solve", self.tridiagonal()]):
            with self.subTest(words=words):
                program = subprocess.Popen([EXECUTABLE, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                           restore_signals=False)  # Python ignores SIGPIPE
                program.stdout.close()
                self.assertEqual(program.stderr.read(), "")
                program.stderr.close()
                self.assertEqual(program.wait(timeout=120), 2)

    def test_a_file_above_the_limit_of_its_size_is_an_error(self):
        self.ok("generate", "cube", "12", "-o", "a.mtx")
        for words, code, said in (("-o x.mtx", 2, "File too large"), ("--factors disk --scratch .", 5, "no room left")):
            result = subprocess.run(f"ulimit -f 8; exec {EXECUTABLE} solve a.mtx {words}", shell=True, cwd=self.folder, timeout=120,
                                    capture_output=True, text=True)
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertIn(said, result.stderr)
            self.assertFalse((self.folder / "x.mtx").exists())

    def test_a_named_pipe_is_opened_once(self):
        """Its reader would take a first opening that checks for all there is."""
        a = self.tridiagonal()
        os.mkfifo(self.folder / "pipe")
        with subprocess.Popen(["cat", "pipe"], cwd=self.folder, stdout=subprocess.PIPE, text=True) as reader:
            self.ok("solve", a, "-o", "pipe")
            self.assertEqual(len(reader.communicate(timeout=120)[0].splitlines()), 23)

    def test_closed_streams_are_no_files(self):
        """What is said has to go nowhere, and not to the file of factors that is the next to be opened."""
        self.ok("generate", "cube", "8", "-o", "a.mtx")
        for closed in ("2>&-", ">&- 2>&-", "<&- >&- 2>&-", "<&- 2>&-", ">&-"):
            result = subprocess.run(f"{EXECUTABLE} solve a.mtx -v --factors disk --scratch . --ranks 2 -o x.mtx {closed}", shell=True,
                                    cwd=self.folder, timeout=120, capture_output=True)
            self.assertEqual(result.returncode, 0, closed)
            for number in (self.folder / "x.mtx").read_text().splitlines()[-512:]:
                self.assertAlmostEqual(float(number), 1, places=10)
            (self.folder / "x.mtx").unlink()

    def test_pipes(self):
        for middle in ("", "gzip | "):
            result = subprocess.run(f"{EXECUTABLE} generate cube 5 -o - 2>made | {middle}{EXECUTABLE} solve - -o - 2>solved", shell=True, text=True,
                                    capture_output=True, cwd=self.folder, timeout=120)
            self.assertRegex(result.stdout, r"^%%MatrixMarket matrix array real general\n")
            self.assertEqual(len(result.stdout.splitlines()), 128)
            self.assertIn("n = 125", (self.folder / "made").read_text())
            self.assertIn("backward error", (self.folder / "solved").read_text())

    def test_gzip_by_standard_input(self):
        packed = gzip.compress(self.tridiagonal().read_bytes())
        result = subprocess.run([EXECUTABLE, "solve", "-", "--json"], input=packed, capture_output=True, timeout=120)
        self.assertEqual(json.loads(result.stdout)["n"], 20)


class Stopped(CliCase):
    def setUp(self):
        super().setUp()
        self.ok("generate", "cube", "50", "-o", "cube.mtx")

    def stop(self, mark, *words, number=signal.SIGINT):
        """The signal goes out when the command says that it has come to `mark`."""
        with subprocess.Popen([EXECUTABLE, *words, "-v"], cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            for line in process.stderr:
                if line.rstrip().endswith(mark):
                    break
            process.send_signal(number)
            out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, CANCELLED, err)
        return out, err.splitlines()

    def test_in_every_phase(self):
        for mark in ("reading: cube.mtx", "nested dissection", "factorisation"):
            for number, name in ((signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "a signal (SIGTERM)")):
                with self.subTest(mark=mark, name=name):
                    out, err = self.stop(mark, "solve", "cube.mtx", "--ranks", "2", "-o", "x.mtx", number=number)
                    self.assertEqual(out, "")
                    self.assertRegex(err[-1], rf"^overlapack: stopped by {re.escape(name)} in ")
                    self.assertEqual([path.name for path in self.folder.iterdir()], ["cube.mtx"])

    def test_within_an_ordering_that_nothing_stops(self):
        """METIS takes seconds for this graph, and goes on for all it knows."""
        self.ok("generate", "cube", "70", "-o", "large.mtx")
        for number in (signal.SIGINT, signal.SIGTERM):
            _, err = self.stop("ordering by METIS", "plan", "large.mtx", "--ordering", "metis", number=number)
            self.assertTrue(err[-1].endswith("in analysis: ordering by METIS"), err)

    def test_as_json(self):
        out, _ = self.stop("factorisation", "solve", "cube.mtx", "--ranks", "2", "--json")
        told = json.loads(out)
        self.assertEqual(told["status"], "cancelled")
        self.assertTrue(told["message"].startswith("stopped by Ctrl-C in "), told)

    def test_with_a_bug_report(self):
        _, err = self.stop("factorisation", "solve", "cube.mtx", "--ranks", "2", "--report-bug")
        self.assertIn("---- to here ----", err)
        self.assertIn("stopped by a signal", "\n".join(err))

    def test_an_unfinished_file_does_not_stay(self):
        _, err = self.stop("writing: large.mtx", "generate", "cube", "90", "-o", "large.mtx")
        self.assertTrue(err[-1].endswith("in writing: large.mtx"), err)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["cube.mtx"])

    def test_what_is_ignored_stays_so(self):
        """As in the background of a script."""
        script = f'trap "" INT; {EXECUTABLE} solve cube.mtx --ranks 2 -v & trap - INT; echo $!; wait $!; echo ended $?'
        with subprocess.Popen(["bash", "-c", script], cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as shell:
            number = int(shell.stdout.readline())
            for line in shell.stderr:
                if line.rstrip().endswith("factorisation"):
                    break
            os.kill(number, signal.SIGINT)
            out, _ = shell.communicate(timeout=120)
        self.assertIn("ended 0", out)


class Bar(CliCase):
    def shown(self, *words):
        """The states that a terminal shows one after the other, without their times."""
        terminal, end = pty.openpty()
        self.addCleanup(os.close, terminal)
        process = subprocess.Popen([EXECUTABLE, *words], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=end)
        os.close(end)
        text = b""
        try:
            while more := os.read(terminal, 65536):
                text += more
        except OSError:  # EIO: the other end is closed
            pass
        self.assertEqual(process.wait(timeout=120), 0)
        self.assertTrue(text.endswith(b"\r\x1b[K"), text[-100:])
        return [state for state in re.split(r"\r|\x1b\[K", text.decode()) if state]

    def test_bar(self):
        self.ok("generate", "cube", "50", "-o", "cube.mtx")
        states = self.shown("solve", "cube.mtx", "--ranks", "2")
        self.assertTrue(states)
        for state in states:
            self.assertRegex(state, r"^(reading  +\d+\.\d s, cube\.mtx|"
                                    r"analysis  +(\[#*\.*\] +\d+ %  )?\d+\.\d s(, [\w ]+)?|"
                                    r"factorisation (\[#*\.*\] +\d+ %  )?\d+\.\d s(, about [\w ]+ left)?|"
                                    r"solve  +\d+\.\d s)$")
            self.assertLess(len(state), 80)
        self.assertTrue(any("nested dissection" in state for state in states))
        shares = [int(re.search(r"(\d+) %", state)[1]) for state in states if state.startswith("factorisation") and "%" in state]
        self.assertEqual(shares, sorted(shares))
        self.assertGreater(len(set(shares)), 2)


if __name__ == "__main__":
    unittest.main()
