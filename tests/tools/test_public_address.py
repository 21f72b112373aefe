"""No page has an address that was made up, and all that should have the project's own take it from packaging/address."""
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "https://forge.test/someone/overlapack"
SKIPPED = {".git", ".venv", ".pytest_cache", "dist", "out", "results", "__pycache__"}
PLACEHOLDER = re.compile(r"example\.(?:com|org|net)|your[-_]?(?:org|name|user)|(?:github|gitlab|bitbucket)\.\w+/|codeberg\.org|readthedocs|users\.noreply", re.IGNORECASE)
LINK = re.compile(r"https?://([\w.-]*)[^\s)\"'<>`\\]*")
# Whose pages may be linked or read, and why.
HOSTS = {
    "semver.org": "what versions mean",
    "ui.perfetto.dev": "shows timelines",
    "www.debian.org": "the format of debian/copyright",
    "deb.debian.org": "Debian's archive, for tools that fetch from it",
    "archive.ubuntu.com": "Ubuntu's archive, for tools that fetch from it",
    "simgrid.org": "the name of the format of platforms",
    "www.w3.org": "the name of the format of pictures",
    "x.y": "a link of tests", "a.b": "a link of tests", "forge.test": "an address of tests (.test is nobody's, RFC 2606)",
}


def module_of(root):
    spec = importlib.util.spec_from_file_location("public_address", root / "packaging" / "public_address.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def texts():
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        if SKIPPED.isdisjoint(parts) and not parts[0].startswith("build") and path.is_file() and path != Path(__file__).resolve():
            content = path.read_bytes()
            if b"\0" not in content:
                yield path.relative_to(ROOT), content.decode(errors="replace")


def faults(text, address):
    """What stands in a text that leads to nobody, or to a host that nobody has looked at."""
    if address:
        text = text.replace(address, "")
    links = [found[0] for found in LINK.finditer(text) if found[1] and found[1] not in HOSTS]
    return links + [found[0] for found in PLACEHOLDER.finditer(text)]


class Addresses(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def copy(self, address):
        """A tree of what carries the address, with that one."""
        ours = module_of(ROOT)
        names = ["CMakeLists.txt", "README.md", "cmake/address.cmake", "src/api/overlapack.pc.in", *filter(lambda name: (ROOT / name).exists(), ours.FILES)]
        for name in names:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)
        shutil.copytree(ROOT / "packaging", self.root / "packaging", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        self.write(address)
        return module_of(self.root)

    def write(self, address):
        (self.root / "packaging" / "address").write_text(address)
        subprocess.run([sys.executable, self.root / "packaging" / "public_address.py"], check=True, stdout=subprocess.DEVNULL)

    def check(self):
        return subprocess.run([sys.executable, self.root / "packaging" / "public_address.py", "--check"], capture_output=True, text=True)

    def test_no_address_is_made_up(self):
        address = module_of(ROOT).read_address()
        self.assertEqual([f"{path}: {fault}" for path, text in texts() for fault in faults(text, address)], [])

    def test_made_up_addresses_are_found(self):
        for text in ("https://example.com/x", "git clone https://github.com/overlapack/overlapack", "mail a@users.noreply.b.c", "see your-org/overlapack",
                     "https://overlapack.org/docs"):
            self.assertNotEqual(faults(text, ""), [], text)
            self.assertNotEqual(faults(text, ADDRESS), [], text)
        theirs = "https://github.com/them/overlapack"
        self.assertEqual(faults(f"see {theirs}/issues", theirs), [])
        self.assertNotEqual(faults(f"see {theirs}/issues", ADDRESS), [])

    def test_the_address_is_one_line_without_a_slash_at_its_end(self):
        text = (ROOT / "packaging" / "address").read_text()
        self.assertRegex(text, r"\A(?:https://[\w./-]+[\w-]\n?)?\Z")

    def test_files_say_what_the_address_is(self):
        self.assertEqual(module_of(ROOT).differing(ROOT), [])

    def test_every_file_carries_the_address(self):
        ours = self.copy("")
        without = {name: (self.root / name).read_text() for name in ours.FILES if (self.root / name).exists()}
        self.write(ADDRESS + "\n")
        for name, text in without.items():
            self.assertNotIn(ADDRESS, text, name)
            self.assertIn(ADDRESS, (self.root / name).read_text(), name)
        self.assertEqual(self.check().returncode, 0)
        (self.root / "packaging" / "address").write_text("")
        told = self.check()
        self.assertEqual(told.returncode, 1)
        for name in without:
            self.assertIn(f"{name} does not say", told.stderr)
        self.write("")
        self.assertEqual({name: (self.root / name).read_text() for name in without}, without)

    def test_without_an_address_pages_say_so(self):
        self.copy("")
        for name in ("SECURITY.md", "CONTRIBUTING.md"):
            self.assertIn("There is no public address yet", (self.root / name).read_text())

    def test_a_file_without_its_place_is_an_error(self):
        ours = self.copy("")
        (self.root / "SECURITY.md").write_text("nothing")
        with self.assertRaisesRegex(ValueError, "SECURITY.md has 0 places"):
            ours.filled(self.root, "SECURITY.md")

    def test_pypi_shows_no_dead_link(self):
        ours = self.copy("")
        self.assertEqual(ours.dynamic_metadata("urls", {}), {})
        text = ours.dynamic_metadata("readme", {})["text"]
        self.assertEqual(ours.LINK.findall("".join(ours.FENCE.split(text)[::2])), [])
        self.assertNotRegex(text, r"<img|<picture")
        self.assertIn("are in the source distribution", text)
        self.write(ADDRESS)
        self.assertTrue(all(link.startswith(ADDRESS) for link in ours.dynamic_metadata("urls", {}).values()))
        text = ours.dynamic_metadata("readme", {})["text"]
        self.assertIn(f"]({ADDRESS}/blob/v{ours.version(ROOT)}/LICENSE)", text)
        self.assertEqual(ours.LINK.findall("".join(ours.FENCE.split(text)[::2])), [])

    def test_pictures_and_code_of_the_page_for_pypi(self):
        ours = self.copy(ADDRESS)
        (self.root / "README.md").write_text('<picture>\n<source srcset="a/dark.svg"><img src="a/light.svg" alt="x"></picture>\n![y](b.svg)\n'
                                             "[z](c.md#d) [e](#f)\n```python\na[0](b)\n```\n")
        files, pages = f"{ADDRESS}/raw/v{ours.version(ROOT)}", f"{ADDRESS}/blob/v{ours.version(ROOT)}"
        self.assertEqual(ours.readme(self.root), f'<picture>\n<source srcset="{files}/a/dark.svg"><img src="{files}/a/light.svg" alt="x"></picture>\n'
                         f"![y]({files}/b.svg)\n[z]({pages}/c.md#d) [e](#f)\n```python\na[0](b)\n```\n")
        self.write("")
        self.assertTrue(ours.readme(self.root).startswith("\nz [e](#f)\n```python\na[0](b)\n```\n"))

    def test_recipes_of_a_released_sdist(self):
        ours = self.copy("")
        with self.assertRaisesRegex(ValueError, "address is empty"):
            ours.recipes(self.root, "0" * 64)
        self.write(ADDRESS)
        told = ours.recipes(self.root, "0" * 64)
        sdist = f"{ADDRESS}/releases/download/v{ours.version(ROOT)}/overlapack-{ours.version(ROOT)}.tar.gz"
        for name in ("conda/recipe.yaml", "spack/package.py"):
            self.assertIn(sdist, told[name])
            self.assertIn("0" * 64, told[name])
            self.assertIn(f'homepage{": " if name.endswith("yaml") else " = "}', told[name])

    def test_cmake_reads_the_address(self):
        cmake = os.environ.get("CMAKE_COMMAND") or shutil.which("cmake")
        if not cmake:
            self.skipTest("no cmake")
        self.copy(ADDRESS)
        script = self.root / "say.cmake"
        script.write_text("include(${CMAKE_CURRENT_LIST_DIR}/cmake/address.cmake)\n"
                          "configure_file(${CMAKE_CURRENT_LIST_DIR}/src/api/overlapack.pc.in ${CMAKE_CURRENT_LIST_DIR}/overlapack.pc @ONLY)\n")
        for address in (ADDRESS, ""):
            self.write(address)
            subprocess.run([cmake, "-P", script], check=True)
            self.assertIn(f"\nURL: {address}\n", (self.root / "overlapack.pc").read_text())
        self.assertIn('OVERLAPACK_ADDRESS="${overlapack_address}"', (ROOT / "cli" / "CMakeLists.txt").read_text())  # of --report-bug


if __name__ == "__main__":
    unittest.main()
