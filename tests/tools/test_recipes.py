"""debian/ and packaging/: recipes that nobody builds here say the same as the sources."""
import os
import re
import sys
import types
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CMAKE = "".join(path.read_text() for path in (ROOT / "CMakeLists.txt", *sorted((ROOT / "cmake").glob("*.cmake"))))
VERSION = re.search(r"project\(overlapack VERSION ([\d.]+)", CMAKE)[1]
OPTIONS = set(re.findall(r"(?:option|set)\((OVERLAPACK_\w+)", CMAKE))
#: what docs/dependencies.md says is linked into the library and its programs, as each recipe calls it
LINKED = {
    "debian/control": ["libopenblas-dev", "libmetis-dev", "libsuitesparse-dev", "zlib1g-dev", "nlohmann-json3-dev", "libcli11-dev"],
    "packaging/conda/recipe.yaml": ["libblas", "metis", "suitesparse", "zlib", "nlohmann_json", "cli11", "nanobind"],
    "packaging/spack/package.py": ["blas", "metis", "suite-sparse", "zlib-api", "nlohmann-json", "cli11"],
}


def text(path: str) -> str:
    return (ROOT / path).read_text()


def run_spack_recipe(source):
    """The class of the recipe, and what it said: word -> its arguments without a name."""
    told = {}

    def word(name):
        return lambda *arguments, **named: told.setdefault(name, []).append(arguments)

    class CMakePackage:
        def define(self, name, value):
            return "value", name, value

        def define_from_variant(self, name, variant):
            return "variant", name, variant

    spack = types.ModuleType("spack.package")
    spack.CMakePackage = CMakePackage
    for name in ("license", "version", "variant", "depends_on", "generator"):
        setattr(spack, name, word(name))
    modules = {"spack": types.ModuleType("spack"), "spack.package": spack}
    sys.modules.update(modules)
    try:
        names = {}
        exec(compile(source, "package.py", "exec"), names)
    finally:
        for name in modules:
            del sys.modules[name]
    return names["Overlapack"], told


class Recipes(unittest.TestCase):
    def test_options_are_those_of_cmake(self):
        for path in ("debian/rules", "packaging/spack/package.py"):
            named = set(re.findall(r"OVERLAPACK_\w+", text(path)))
            self.assertTrue(named)
            self.assertEqual(named - OPTIONS, set(), path)

    def test_versions_are_the_projects(self):
        self.assertIn(f"overlapack ({VERSION}-", text("debian/changelog"))
        self.assertIn(f'version: "{VERSION}"', text("packaging/conda/recipe.yaml"))
        self.assertIn(f"\nversion: {VERSION}\n", text("CITATION.cff"))
        self.assertIn(f"Package: liboverlapack{'.'.join(VERSION.split('.')[:2])}\n", text("debian/control"))  # SOVERSION

    def test_workflows_run_what_is_there(self):
        commands = [run for path in ROOT.glob(".github/workflows/*.yml") for run in re.findall(r"run: (\S+/\S+)", path.read_text())]
        self.assertEqual([run for run in commands if not os.access(ROOT / run, os.X_OK)], [])
        if (ROOT / ".github").exists():  # an sdist has none
            self.assertEqual(set(commands), {".ci/run", "docs/build", "tools/release"})

    def test_what_is_linked_is_asked_for(self):
        for path, packages in LINKED.items():
            words = re.findall(r"[\w.-]+", text(path))
            for package in packages:
                self.assertIn(package, words, path)

    def test_spack_can_run_it(self):
        """With stand-ins for the words of Spack, which record what they are told."""
        package, told = run_spack_recipe(text("packaging/spack/package.py"))
        self.assertEqual(told["version"], [("main",)])
        variants = [name for name, in told["variant"]]
        self.assertEqual([name for name in package().cmake_args() if name[0] == "variant" and name[2] not in variants], [])
        self.assertIn(("metis@5:",), told["depends_on"])

    def test_recipes_of_a_release_are_whole(self):
        sys.path.insert(0, str(ROOT / "packaging"))
        self.addCleanup(sys.path.remove, str(ROOT / "packaging"))
        import public_address
        self.addCleanup(setattr, public_address, "read_address", public_address.read_address)
        public_address.read_address = lambda root: "https://forge.test/overlapack"
        told = public_address.recipes(ROOT, "f" * 64)
        package, words = run_spack_recipe(told["spack/package.py"])
        self.assertEqual(words["version"], [("main",), (VERSION,)])
        self.assertEqual(package.url, f"https://forge.test/overlapack/releases/download/v{VERSION}/overlapack-{VERSION}.tar.gz")
        recipe = self.yaml(told["conda/recipe.yaml"])
        self.assertEqual(recipe["source"], {"url": package.url, "sha256": "f" * 64})
        self.assertEqual(recipe["about"]["homepage"], "https://forge.test/overlapack")

    def yaml(self, document):
        try:
            import yaml
        except ImportError:
            self.skipTest("no PyYAML")
        return yaml.safe_load(document)

    def test_conda_is_yaml(self):
        recipe = self.yaml(text("packaging/conda/recipe.yaml"))
        self.assertEqual(recipe["package"]["name"], "overlapack")
        self.assertLessEqual({"build", "host", "run"}, set(recipe["requirements"]))


if __name__ == "__main__":
    unittest.main()
