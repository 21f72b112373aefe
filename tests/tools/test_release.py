"""tools/release in a small tree, where stand-ins make what takes long: what it refuses, what it leaves in dist, what it says was not tried."""
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPIED = ["CMakeLists.txt", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "README.md", "SECURITY.md", "cmake", "debian", "packaging", "tools/release",
          "tools/prepare.sh", "tests/tools/test_recipes.py"]
VERSION = re.search(r"project\(overlapack VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
WHEEL = f"overlapack-{VERSION}-cp312-abi3-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl"
STAND_INS = {
    "tools/wheel": f'echo "$@" >build/wheel.args; echo sdist >dist/overlapack-{VERSION}.tar.gz; echo wheel >dist/{WHEEL}',
    "tools/debs": f"echo deb >dist/overlapack_{VERSION}-1_amd64.deb",
    "tools/try_bare": 'echo "$@" >build/bare.args',
    "docs/build": 'mkdir -p "$1"; echo page >"$1/index.html"; echo "$1/index.html: 1 pages, no broken link"',
    "build/release-tools/bin/twine": 'for file in "$@"; do echo "$file: PASSED"; done',
    "build/release-tools/bin/auditwheel": 'printf "is consistent with the following platform\\ntag: \\"%s\\".\\n" "$(cat needed)"',
    "build/release-tools/bin/abi3audit": 'echo "$@" >build/abi3.args',
}


@unittest.skipUnless(shutil.which("git"), "no git")
class Release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in COPIED:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, self.root / name)
        for name, line in STAND_INS.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(f"#!/bin/sh\nset -e\n{line}\n")
            (self.root / name).chmod(0o755)
        (self.root / "build" / "release-tools" / ".whole").touch()
        (self.root / "needed").write_text("manylinux_2_27_x86_64")
        (self.root / ".gitignore").write_text("/build/\n/dist/\n__pycache__/\n")
        self.git("init", "-q")
        self.commit()

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.test", "-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null", *arguments],
                       cwd=self.root, check=True, stdout=subprocess.DEVNULL)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "all")

    def change(self, name, old, new):
        text = (self.root / name).read_text()
        self.assertIn(old, text)
        (self.root / name).write_text(text.replace(old, new))

    def run_it(self, *arguments):
        return subprocess.run([self.root / "tools" / "release", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=100)

    def made(self, *arguments):
        done = self.run_it(*arguments)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines, untried = done.stdout.split("== not tried\n")
        return lines, untried

    def refused(self, sentence, *arguments):
        done = self.run_it(*arguments)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("refused", done.stdout)
        self.assertIn(sentence, done.stderr)

    def test_all_steps(self):
        (self.root / "packaging" / "address").write_text("https://forge.test/overlapack")
        subprocess.run([sys.executable, self.root / "packaging" / "public_address.py"], check=True, stdout=subprocess.DEVNULL)
        self.commit()
        lines, untried = self.made("-a", "x86_64", "-p", "python3.12", "-p", "python3.11")
        for step in ("tree", "changes", "wheels", "debs", "site", "recipes", "metadata", "audit", "bare", "checksums"):
            self.assertRegex(lines, rf"(?m)^{step} +\d+ s   \S")
        self.assertEqual((self.root / "build" / "wheel.args").read_text(), "-a x86_64 python3.12 python3.11\n")
        self.assertIn(WHEEL, (self.root / "build" / "abi3.args").read_text())
        dist = self.root / "dist"
        sums = dict(reversed(line.split("  ")) for line in (dist / "SHA256SUMS").read_text().splitlines())
        files = {str(path.relative_to(dist)) for path in dist.rglob("*") if path.is_file()}
        self.assertEqual(set(sums), files - {"SHA256SUMS"})
        self.assertEqual(files, {f"CHANGES-{VERSION}.md", "SHA256SUMS", WHEEL, "conda/recipe.yaml", "conda/variants.yaml", "spack/package.py",
                                 f"overlapack-{VERSION}.tar.gz", f"overlapack-site-{VERSION}.tar.gz", f"overlapack_{VERSION}-1_amd64.deb"})
        for name, checksum in sums.items():
            self.assertEqual(hashlib.sha256((dist / name).read_bytes()).hexdigest(), checksum, name)
            self.assertIn(name, lines)
        self.assertIn(sums[f"overlapack-{VERSION}.tar.gz"], (dist / "conda" / "recipe.yaml").read_text())
        self.assertIn("wheels: none for cp311 on x86_64", untried)
        self.assertIn("wheels: none for cp312 on aarch64", untried)
        self.assertNotIn("cp312 on x86_64", untried)
        self.assertIn("tag: none is at this commit", untried)

    def test_steps_that_are_named_or_skipped(self):
        lines, untried = self.made("changes", "recipes", "--skip", "changes")
        self.assertNotRegex(lines, r"(?m)^(tree|changes|wheels) ")
        self.assertIn("changes: --skip", untried)
        self.assertIn("wheels: not asked for", untried)
        self.assertIn("recipes: packaging/address is empty", untried)
        self.assertEqual(self.run_it("nonsense").returncode, 2)
        self.assertEqual(self.run_it("--skip").returncode, 2)
        self.assertEqual(self.run_it("-x").returncode, 2)
        self.assertIn("usage:", self.run_it("--help").stdout)

    def test_what_differs_from_the_commit_is_refused(self):
        (self.root / "more").write_text("")
        self.refused("?? more", "tree")

    def test_versions_and_tags(self):
        self.git("tag", "v99.0")
        self.refused(f"The tag at this commit is v99.0, but the version is {VERSION}", "tree")
        self.git("tag", "-d", "v99.0")
        self.git("tag", f"v{VERSION}")
        self.assertNotIn("tag:", self.made("tree")[1])
        self.git("commit", "-q", "--allow-empty", "-m", "more")
        self.refused(f"The tag v{VERSION} is another commit's", "tree")
        self.change("CITATION.cff", f"version: {VERSION}", "version: 98.0")
        self.commit()
        self.refused(f"The version is not {VERSION} everywhere", "tree")

    def test_the_changes_of_this_version(self):
        changelog = self.root / "CHANGELOG.md"
        changelog.write_text(f"# Changelog\n\n## {VERSION}.1\n\nnewer\n\n## {VERSION} (not released)\n\nNew: [x](docs/x.md)\n\n## 0.0.1\n\nolder\n")
        self.assertIn("changes: CHANGELOG.md calls", self.made("changes")[1])
        self.assertEqual((self.root / "dist" / f"CHANGES-{VERSION}.md").read_text(), "New: x\n")
        self.git("tag", f"v{VERSION}")
        self.refused("not released, but this commit has its tag", "changes")
        changelog.write_text(f"# Changelog\n\n## {VERSION}\n\n## 0.0.1\n\nolder\n")
        self.refused("CHANGELOG.md has nothing below", "changes")

    def test_a_wheel_that_promises_too_much_is_refused(self):
        self.made("wheels", "audit")
        (self.root / "needed").write_text("manylinux_2_9_x86_64")
        self.made("audit")
        (self.root / "needed").write_text("manylinux_2_28_x86_64")
        self.refused("its name promises that it runs on older ones", "audit")
        (self.root / "needed").write_text("linux_x86_64")
        self.refused("needs an unknown platform", "audit")

    def test_what_fails_is_refused_with_its_log(self):
        (self.root / "tools" / "debs").write_text("#!/bin/sh\necho 'error: no compiler'\nexit 3\n")
        done = self.run_it("debs")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error: no compiler", done.stdout)
        self.assertIn("tools/debs failed", done.stderr)
        self.refused("run the step wheels first", "metadata")

    def test_files_of_another_version_are_refused(self):
        self.made("debs")
        (self.root / "dist" / "overlapack-98.0.tar.gz").write_text("")
        self.refused("overlapack-98.0.tar.gz", "checksums")


if __name__ == "__main__":
    unittest.main()
