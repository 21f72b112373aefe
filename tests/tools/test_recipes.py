"""debian/ and packaging/: recipes that nobody builds here say the same as the sources."""
import ast
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CMAKE = "".join(path.read_text() for path in (ROOT / "CMakeLists.txt", *sorted((ROOT / "cmake").glob("*.cmake"))))
VERSION = re.search(r"project\(overlapack VERSION ([\d.]+)", CMAKE)[1]
OPTIONS = set(re.findall(r"(?:option|set)\((OVERLAPACK_\w+)", CMAKE))
#: what docs/dependencies.md says is linked into the library and its programs, as each recipe calls it
LINKED = {
    "debian/control": ["libopenblas-dev", "libmetis-dev", "libsuitesparse-dev", "zlib1g-dev", "nlohmann-json3-dev", "libcli11-dev"],
    "packaging/conda/recipe.yaml": ["libopenblas", "metis", "suitesparse", "zlib", "nlohmann_json", "cli11", "nanobind"],
    "packaging/spack/package.py": ["blas", "metis", "suite-sparse", "zlib-api", "nlohmann-json", "cli11"],
}


def text(path: str) -> str:
    return (ROOT / path).read_text()


class Recipes(unittest.TestCase):
    def test_options_are_those_of_cmake(self):
        for path in ("debian/rules", "packaging/spack/package.py"):
            named = set(re.findall(r"OVERLAPACK_\w+", text(path)))
            self.assertTrue(named)
            self.assertEqual(named - OPTIONS, set(), path)

    def test_versions_are_the_projects(self):
        self.assertIn(f"overlapack ({VERSION}-", text("debian/changelog"))
        self.assertIn(f'version: "{VERSION}"', text("packaging/conda/recipe.yaml"))
        self.assertIn(f"Package: liboverlapack{'.'.join(VERSION.split('.')[:2])}\n", text("debian/control"))  # SOVERSION

    def test_what_is_linked_is_asked_for(self):
        for path, packages in LINKED.items():
            words = re.findall(r"[\w.-]+", text(path))
            for package in packages:
                self.assertIn(package, words, path)

    def test_spack_is_python(self):
        classes = [node.name for node in ast.parse(text("packaging/spack/package.py")).body if isinstance(node, ast.ClassDef)]
        self.assertEqual(classes, ["Overlapack"])

    def test_conda_is_yaml(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("no PyYAML")
        recipe = yaml.safe_load(text("packaging/conda/recipe.yaml"))
        self.assertEqual(recipe["package"]["name"], "overlapack")
        self.assertLessEqual({"build", "host", "run"}, set(recipe["requirements"]))


if __name__ == "__main__":
    unittest.main()
