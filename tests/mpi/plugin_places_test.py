"""plugin_places_test.py PROGRAM PLANTED LIBRARIES: which plugins a program runs, by where it lies and where they do. PROGRAM FOLDER goes
to the folder and tells of its MPI; PLANTED is a plugin that leaves a mark; LIBRARIES is where an installation has its libraries."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, PLANTED = map(Path, sys.argv[1:3])
LIBRARIES = sys.argv[3]
NAMES = ("overlapack_openmpi.so", "overlapack_mpich.so")
NOBODY = 65534


class PluginPlaces(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        self.mark = self.root / "mark"

    def program(self, folder):
        (self.root / folder).mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(PROGRAM, self.root / folder))

    def plant(self, folder):
        (self.root / folder).mkdir(parents=True, exist_ok=True)
        for name in NAMES:
            shutil.copy(PLANTED, self.root / folder / name)
        return self.root / folder

    def told(self, program, go_to="/", **kwargs):
        done = subprocess.run([program, go_to], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "PLANTED_PLUGIN_MARK": str(self.mark)}, **kwargs)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_one_level_up_is_nobodys(self):
        for folder in ("lib", "overlapack", "."):
            self.plant(folder)
        self.told(self.program("x"))
        self.assertFalse(self.mark.exists())

    def test_the_working_directory_does_not_count(self):
        """Nor does it where the program was started by a name within another one."""
        folder = self.plant("theirs")
        shutil.copy(PROGRAM, folder)
        self.program("mine")
        self.told("./" + PROGRAM.name, go_to=folder, cwd=self.root / "mine")
        self.assertFalse(self.mark.exists())

    def test_its_own_installation_counts(self):
        self.plant("lib/overlapack")
        for folder in ("bin", LIBRARIES):
            self.mark.unlink(missing_ok=True)
            self.told(self.program(folder))
            self.assertTrue(self.mark.exists(), folder)

    def test_beside_it_counts(self):
        self.plant("x")
        self.told(self.program("x"))
        self.assertTrue(self.mark.exists())

    @unittest.skipUnless(os.geteuid() == 0, "only root can give files to others")
    def test_what_another_user_put_into_the_installation_does_not_count(self):
        for folder in ("bin", "lib/overlapack"):
            for name in NAMES:
                os.chown(self.plant(folder) / name, NOBODY, NOBODY)
        self.told(self.program("bin"))
        self.assertFalse(self.mark.exists())

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "only root can become another user, by setpriv")
    def test_who_installed_the_program_is_trusted_by_others(self):
        """root's installation, run by another user, who could not have changed it."""
        self.root.chmod(0o777)  # for the mark
        for folder in (self.plant("lib/overlapack"), self.root / "lib"):
            folder.chmod(0o755)
        program = self.program("bin")
        program.parent.chmod(0o755)
        done = subprocess.run(["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", program, "/"], capture_output=True,
                              text=True, timeout=60, env={**os.environ, "PLANTED_PLUGIN_MARK": str(self.mark)})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(self.mark.exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
