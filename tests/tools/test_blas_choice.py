"""cmake/blas.cmake refuses, with a sentence, a library that is no BLAS for us."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = f"""cmake_minimum_required(VERSION 3.21)
project(choice LANGUAGES C CXX)
list(APPEND CMAKE_MODULE_PATH {ROOT / "cmake"})
include(blas)
"""
#: a gemm that does what one of 64-bit integers does where it is given 32 bits: nothing, after a look at all 64
GEMM = """#include <stdint.h>
void NAME(const char* ta, const char* tb, const int64_t* m, const int64_t* n, const int64_t* k, const TYPE* alpha, const TYPE* a,
          const int64_t* lda, const TYPE* b, const int64_t* ldb, const TYPE* beta, TYPE* c, const int64_t* ldc) {
  for (int64_t j = 0; j < *n; ++j)
    for (int64_t i = 0; i < *m; ++i)
      for (int64_t l = 0; l < *k; ++l) c[i + j * *ldc] += a[i + l * *lda] * b[l + j * *ldb];
}
"""
TYPES = {"sgemm_": "float", "dgemm_": "double", "cgemm_": "float _Complex", "zgemm_": "double _Complex"}


class BlasChoice(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "CMakeLists.txt").write_text(PROJECT)

    def library(self, names, integer):
        source = "".join(GEMM.replace("NAME", name).replace("TYPE", TYPES[name]).replace("int64_t", integer) for name in names)
        (self.folder / "gemm.c").write_text(source)
        file = self.folder / "libgemm.so"
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", file, self.folder / "gemm.c"], check=True)
        return file

    def configure(self, blas):
        command = [os.environ["CMAKE_COMMAND"], "-S", self.folder, "-B", self.folder / "build", f"-DOVERLAPACK_BLAS={blas}"]
        ended = subprocess.run(command, capture_output=True, text=True)
        return ended.returncode, " ".join((ended.stdout + ended.stderr).split())

    def test_gemm_of_four_types_with_short_integers_is_taken(self):
        code, told = self.configure(self.library(TYPES, "int"))
        self.assertEqual(code, 0, told)
        self.assertIn(f"BLAS: {self.folder / 'libgemm.so'}", told)

    def test_long_integers_are_refused(self):
        code, told = self.configure(self.library(TYPES, "int64_t"))
        self.assertNotEqual(code, 0)
        self.assertIn("computes a product of 2 x 2 wrongly, as one with 64-bit integers does", told)

    def test_a_library_without_complex_types_is_refused(self):
        code, told = self.configure(self.library(["sgemm_", "dgemm_"], "int"))
        self.assertNotEqual(code, 0)
        self.assertIn("this BLAS lacks one of sgemm, dgemm, cgemm and zgemm", told)

    def test_no_such_library(self):
        code, told = self.configure("NoSuchBlas")
        self.assertNotEqual(code, 0)
        self.assertIn("no BLAS called NoSuchBlas was found", told)


if __name__ == "__main__":
    unittest.main()
