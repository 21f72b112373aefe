"""packaging/wheel/wheel_parts.py on small trees: what would stand against giving a wheel away, and which files keep their time."""
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packaging/wheel"))
import wheel_parts  # noqa: E402

PROGRAM = shutil.which("true")  # needs the C library alone


@unittest.skipUnless(shutil.which("readelf"), "no readelf")
class Faults(unittest.TestCase):
    def setUp(self):
        self.tree = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.tree)
        (self.tree / "overlapack.libs").mkdir()

    def put(self, name):
        shutil.copy(PROGRAM, self.tree / name)

    def test_what_needs_the_system_alone_is_right(self):
        self.put("overlapack.libs/libmetis-1234.so.5")
        self.put("program")
        self.assertEqual(wheel_parts.faults(self.tree), [])

    def test_a_library_without_a_licence(self):
        self.put("overlapack.libs/libforeign.so.1")
        self.assertIn("libforeign.so.1 has no licence", wheel_parts.faults(self.tree)[0])

    def test_a_licence_that_is_kept_out(self):
        self.put("overlapack.libs/libquadmath-1.so.0")
        self.assertTrue(any("keeps out" in fault for fault in wheel_parts.faults(self.tree)))

    def test_a_library_that_is_not_inside(self):
        self.put("program")
        kept = wheel_parts.OF_THE_SYSTEM
        wheel_parts.OF_THE_SYSTEM = wheel_parts.re.compile("nothing")
        try:
            found = wheel_parts.faults(self.tree)
        finally:
            wheel_parts.OF_THE_SYSTEM = kept
        self.assertIn("program needs libc.so.6, which is not in the wheel", found)


class Claims(unittest.TestCase):
    def test_the_oldest_glibc_of_the_name_counts(self):
        self.assertTrue(wheel_parts.is_old_enough("overlapack-0.1.0-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl"))
        self.assertFalse(wheel_parts.is_old_enough("overlapack-0.1.0-cp311-cp311-manylinux_2_35_aarch64.whl"))
        self.assertFalse(wheel_parts.is_old_enough("overlapack-0.1.0-cp311-cp311-linux_x86_64.whl"))

    def test_each_licence_is_said_once_and_ours_first(self):
        said = wheel_parts.expression().split(" AND ")
        self.assertEqual(said[0], "BSD-3-Clause")
        self.assertEqual(len(said), len(set(said)))
        self.assertIn("LGPL-2.1-or-later", said)  # METIS's sort


class Refresh(unittest.TestCase):
    def test_only_what_has_changed_is_written(self):
        with tempfile.TemporaryDirectory() as place:
            new, old = Path(place, "new"), Path(place, "old")
            for folder in (new / "src", old / "src", old / "gone", old / "build"):
                folder.mkdir(parents=True)
            for tree in (new, old):
                (tree / "src" / "same").write_text("a")
            (new / "src" / "other").write_text("new")
            (old / "src" / "other").write_text("old")
            (old / "gone" / "file").write_text("x")
            (old / "build" / "object").write_text("kept")
            os.utime(old / "src" / "same", (1, 1))
            wheel_parts.refresh(new, old)
            self.assertEqual((old / "src" / "same").stat().st_mtime, 1)
            self.assertEqual((old / "src" / "other").read_text(), "new")
            self.assertFalse((old / "gone").exists())
            self.assertTrue((old / "build" / "object").exists())


if __name__ == "__main__":
    unittest.main()
