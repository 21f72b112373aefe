"""What the study of paper 5 makes of its runs."""
import sys
import unittest
from pathlib import Path

STUDIES = Path(__file__).resolve().parents[2] / "studies"
sys.path[:0] = [str(STUDIES / "bethune2014"), str(STUDIES)]
import measured  # noqa: E402
import simulated  # noqa: E402


class Held(simulated.Criteria, measured.MeasuredStudy):
    def __init__(self):
        super().__init__(is_small=False)


class Figure8(unittest.TestCase):
    def test_the_front_of_numbers(self):
        """Numbers of 4 slabs of 150 planes: 6^-d is subnormal from 6^-396 on."""
        front = measured.Front(planes=150, slabs=4, iterations=450)
        self.assertEqual(front.first, 396)
        self.assertEqual(front.slabs_of(1, 395), set())
        self.assertEqual(front.slabs_of(396, 450), {2})
        self.assertGreater(front.end, 600)  # a plane farther an iteration at most
        self.assertIn(f"until iteration {front.end}. The subnormal planes lie in slab 2 at iteration 396 and in slab 2 at iteration 450", front.text())

    def held(self, slowest, rank):
        rows = [[name, f"{begin} to {begin + 99}", 100, seconds, rank] for name, seconds in (("zero start", slowest), ("zero start, flush to zero", 100)) for begin in (101, 401)]
        study = Held()
        lines = study.held_sweeps(rows)
        return [line.split(":")[0] for line in lines[-2:]], study.failed, lines

    def test_the_slowest_rank_decides(self):
        verdicts, failed, lines = self.held(160, 6)
        self.assertEqual((verdicts, failed), (["holds", "holds"], []))
        self.assertIn("holds: in step the slowest rank's sweep takes 1.60 to 1.60 times", lines[-2])
        self.assertEqual(self.held(140, 6)[0], ["DOES NOT HOLD", "holds"])
        self.assertEqual(self.held(160, 5)[0], ["holds", "DOES NOT HOLD"])


if __name__ == "__main__":
    unittest.main()
