"""Completion and manual pages: what the program writes of its own tables, as bash, zsh, fish and man take it."""
import os
import re
import shlex
import shutil
import subprocess
import unittest
from pathlib import Path

from cli_case import EXECUTABLE, CliCase

COMMANDS = ("solve", "plan", "dense", "hpl", "jacobi", "generate", "probe", "simulate", "study", "diagnose", "inverse", "info", "doctor", "completion")

# Sets what bash sets before it calls the function; a word a line comes out.
TRY = """
source ./script
compopt() { :; }
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_overlapack
printf '%s\\n' "${COMPREPLY[@]}"
"""


class Completion(CliCase):
    def setUp(self):
        super().setUp()
        (self.folder / "script").write_text(self.ok("completion", "bash"))

    def completed(self, *words):
        result = subprocess.run(["bash", "-c", TRY, "bash", "overlapack", *words], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.split()

    def test_commands(self):
        self.assertEqual(self.completed("")[:len(COMMANDS)], list(COMMANDS))
        self.assertEqual(self.completed("so"), ["solve"])
        self.assertEqual(self.completed("help", "st"), ["study"])
        self.assertEqual(self.completed("simulate", "--ranks", "4", "--", "je"), [])
        self.assertEqual(self.completed("simulate", "--ranks", "4", "--", "ja"), ["jacobi"])

    def test_options(self):
        self.assertEqual(self.completed("solve", "a.mtx", "--orde"), ["--ordering", "--ordering-effort"])
        self.assertEqual(self.completed("simulate", "--", "plan", "--orde"), ["--ordering", "--ordering-effort"])
        self.assertEqual(self.completed("generate", "--orde"), [])
        listed = set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", self.ok("solve", "--help-all"), flags=re.M)) - {"--help-all"}
        self.assertEqual(set(self.completed("solve", "--")) - {"--help-all"}, listed | {"--help"})

    def test_experiments(self):
        self.assertEqual(self.completed("solve", "--strip"), [])
        self.assertEqual(self.completed("solve", "--experiment", "strip_b"), ["strip_border="])
        self.assertEqual(self.completed("jacobi", "--experiment", "map"), ["mapping="])
        self.assertEqual(self.completed("solve", "--experiment", "map"), [])
        self.assertEqual(self.completed("solve", "--experiment", "strip_border", "=", ""), [])
        self.assertRegex(self.ok("completion", "fish"), r"from jacobi' -l experiment -x -a '[^']*\bmapping= ")

    def test_values(self):
        self.assertEqual(self.completed("solve", "--ordering", "m"), ["metis"])
        self.assertEqual(self.completed("solve", "--ordering", "=", "m"), ["metis"])  # bash takes = for a word
        self.assertEqual(self.completed("solve", "--ordering", "="), self.completed("solve", "--ordering", ""))
        self.assertEqual(self.completed("solve", "--transpose", ""), ["none", "trans", "conj_trans"])
        self.assertEqual(self.completed("generate", "bordered-"), ["bordered-symmetric"])
        self.assertEqual(self.completed("completion", ""), ["bash", "zsh", "fish"])
        for words in (["solve", ""], ["solve", "--rhs", ""], ["solve", "--ranks", ""], ["generate", "cube", ""]):  # files, numbers
            self.assertEqual(self.completed(*words), [])

    def test_every_shell_takes_its_script(self):
        for shell in ("bash", "zsh", "fish"):
            script = self.write(f"script.{shell}", self.ok("completion", shell))
            if shutil.which(shell):
                result = subprocess.run([shell, "-n", script], capture_output=True, text=True, timeout=60)
                self.assertEqual((result.returncode, result.stderr), (0, ""), shell)

    def test_descriptions_for_zsh_end_with_the_first_bracket(self):
        lines = [line.removesuffix("\\") for line in self.ok("completion", "zsh").splitlines() if line.startswith("        '")]
        described = [spec for line in lines for spec in shlex.split(line.removesuffix(";;")) if "[" in spec]
        self.assertGreater(len(described), 100)
        for spec in described:
            self.assertRegex(spec, r"^[^\[\]]*\[[^\[\]]+\][^\[\]]*$")

    def test_zsh_takes_experiments_again_and_without_a_space(self):
        self.assertRegex(self.ok("completion", "zsh"), r"'\*--experiment=\[[^\]]+\]:\S+:\{compadd -S \"\" -- [^}]*\bstrip_rows=[^}]*\}'")

    def test_fish_knows_values_and_files(self):
        script = self.ok("completion", "fish")
        of_solve = "complete -c overlapack -n '__fish_seen_subcommand_from solve'"
        self.assertIn(f"{of_solve} -l ordering -x -a 'auto dissection metis amd scotch natural user'", script)
        self.assertIn(f"{of_solve} -s o -l output -r -F", script)
        self.assertIn(f"{of_solve} -F\n", script)

    def test_an_unknown_shell(self):
        self.refused(2, "completion", "bsh", saying="(did you mean bash?)")


class Share(CliCase):
    def setUp(self):
        super().setUp()
        self.ok("share", "share")

    def test_what_is_installed(self):
        files = {str(path.relative_to(self.folder / "share")) for path in (self.folder / "share").rglob("*") if path.is_file()}
        self.assertEqual(files, {"bash-completion/completions/overlapack", "zsh/site-functions/_overlapack", "fish/vendor_completions.d/overlapack.fish",
                                 "man/man1/overlapack.1", *(f"man/man1/overlapack-{command}.1" for command in COMMANDS)})
        self.assertEqual((self.folder / "share/bash-completion/completions/overlapack").read_text(), self.ok("completion", "bash"))

    def test_pages_have_every_option(self):
        for command in COMMANDS:
            page = (self.folder / f"share/man/man1/overlapack-{command}.1").read_text().replace("\\-", "-")
            options = re.findall(r"^  (?:-\w,)?(--[\w-]+)", self.ok(command, "--help-all" if "--help-all" in self.ok(command, "--help") else "--help"),
                                 flags=re.M)
            for option in set(options) - {"--help", "--help-all"}:
                self.assertIn(f"\\fB{option}\\fR", page)
            self.assertIn(f"overlapack-{command} - ", page)
        self.assertIn(".SS Sparse factors\n", (self.folder / "share/man/man1/overlapack-solve.1").read_text())

    def test_man_has_no_complaint(self):
        if shutil.which("man") is None:
            return
        for page in (self.folder / "share/man/man1").iterdir():
            result = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True, timeout=60,
                                    env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
            self.assertEqual((result.returncode, result.stderr), (0, ""), page)
            self.assertIn("EXIT STATUS", result.stdout)


class Hidden(CliCase):
    def test_help_does_not_list_what_packages_use(self):
        self.assertNotIn("share", self.ok("--help"))
        self.assertNotIn("share", self.overlapack("sharf").stderr)


if __name__ == "__main__":
    unittest.main()
