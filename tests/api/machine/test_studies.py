"""The studies in their small form: every item makes its page, and the page has the shape that the paper's has."""
import json
import re
import sys
import unittest
from pathlib import Path

from cli_case import CliCase
from test_simulate import HAS_SIMGRID

STUDIES = Path(__file__).resolve().parents[3] / "studies"
SAME, NEARLY = ("status", "iterations", "sends", "looks", "snapshots", "batches"), ("solve_s", "true_residual")  # of runs that are made twice


def table_of(text):
    """The rows of the only table of a page, as dicts."""
    lines = [line.strip("| ") .split(" | ") for line in text.splitlines() if line.startswith("|")]
    columns, rows = lines[0], [[number(cell) for cell in line] for line in lines[2:]]
    for row in rows:
        assert len(row) == len(columns), (columns, row)
    return columns, rows


def number(cell):
    return float(cell) if re.fullmatch(r"-?[0-9.]+(e[+-]?\d+)?", cell) else cell


@unittest.skipUnless(HAS_SIMGRID, "built without SimGrid")
class Amestoy2001(CliCase):
    def item(self, name, *more):
        self.ok("study", "amestoy2001", name, "--", "--smoke", "--out", self.folder / "out", *more)
        return (self.folder / "out" / f"{name}.md").read_text()

    def test_tables_3_and_6(self):
        """OFF suffers from long messages, ON and ours do not."""
        columns, rows = table_of(self.item("table3"))
        self.assertEqual(columns[:4], ["MPI_BUFFER_MAX", "OFF", "ON", "ours"])
        self.assertEqual([row[0] for row in rows], [0.0, "4K", "8M"])
        at = {row[0]: dict(zip(columns, row)) for row in rows}
        self.assertGreater(at["4K"]["OFF"], 1.02 * at["8M"]["OFF"])  # little: panels of symmetric fronts are short
        for form in ("ON", "ours"):
            self.assertLess(at["4K"][form], 0.97 * at["4K"]["OFF"])
            self.assertLess(at["4K"][form] / at["8M"][form], at["4K"]["OFF"] / at["8M"]["OFF"])
        columns, again = table_of(self.item("table6"))
        self.assertEqual([row[1:4] for row in again], [row[1:4] for row in rows])
        self.assertIn("paper ON", columns)

    def test_tables_4_and_5(self):
        page = self.item("table4", "--most-ranks", "8")
        columns, rows = table_of(page)
        self.assertEqual([row[:2] for row in rows], [["CRANKSG2", 4], ["CRANKSG2", 8], ["BBMAT", 4], ["BBMAT", 8]])
        for row in (dict(zip(columns, row)) for row in rows):
            self.assertLess(abs(row["ON / OFF"] - row["ON"] / row["OFF"]), 0.02)
            self.assertGreater(row["distribution"], 0)
        self.assertRegex(page, r"Of these cells 1 did not fit into the paper's memory; there our fullest processor has \d+ to \d+ MB")
        told = re.search(r"ON <= OFF in (\d+) of (\d+) cells", page)
        both = [row for row in rows if row[columns.index("paper OFF")] != "-"]
        self.assertEqual(int(told[2]), len(both))
        self.assertEqual(int(told[1]), sum(row[columns.index("ON / OFF")] <= 1 for row in both))
        columns, rows = table_of(self.item("table5", "--most-ranks", "8"))
        for row in (dict(zip(columns, row)) for row in rows):
            self.assertLess(row["largest, ON"], row["volume, ON"] * row["processors"])
        self.assertEqual([row[columns.index("volume, ours") + 1] for row in rows], ["-", 31, 35, 35])

    def test_tables_7_to_10(self):
        """Blocking sends lose by the long protocol, immediate ones do not; tables of the same runs agree."""
        ratios = []
        for item in ("table7", "table8"):
            columns, rows = table_of(self.item(item, "--most-ranks", "4", "--matrices", self.folder))
            self.assertEqual([row[0] for row in rows], [1, 2, 4])
            ratios.append([row[columns.index("4 KB / unlimited")] for row in rows])
        self.assertIn("Not run: 4 processors.", self.item("table7", "--most-ranks", "2", "--matrices", self.folder))
        self.assertLess(abs(ratios[0][0] - 1), 0.02)  # one processor sends nothing
        for blocking, immediate in zip(ratios[0][1:], ratios[1][1:]):
            self.assertGreater(blocking, 1.02 * immediate)
        columns, rows = table_of(self.item("table9", "--most-ranks", "8"))
        self.assertEqual([row[:2] for row in rows], [["BBMAT", 4], ["BBMAT", 8], ["ECL32", 4], ["ECL32", 8]])
        for row in (dict(zip(columns, row)) for row in rows):
            self.assertGreater(row["OFF / ON"], 1)
            self.assertLess(abs(row["OFF / ON"] - row["OFF"] / row["ON"]), 0.02)
        columns, rows = table_of(self.item("table10", "--most-ranks", "8", "--only", "BBMAT"))
        self.assertTrue(all(row[columns.index("largest")] > 0 for row in rows))
        page = (self.item("table10", "--most-ranks", "16", "--only", "BBMAT", "--kept"))
        self.assertIn("Not run: BBMAT on 16", page)

    def test_figures_5_to_7_and_both_solvers(self):
        page = self.item("figure6", "--most-ranks", "4", "--only", "BBMAT")
        columns, rows = table_of(page.split("\n## Timelines")[0])
        self.assertEqual([row[0] for row in rows], ["Fig. 5", "Fig. 6", "Fig. 7", "rows ahead", "10 ahead", "levels"])
        for form in ("flat", "pipelined", "lookahead"):
            self.assertIn("<svg", (self.folder / "out" / f"figure6_{form}.svg").read_text()[:400])
        columns, rows = table_of(self.item("nodes", "--most-ranks", "4", "--only", "BBMAT"))
        self.assertEqual(len(rows), 1)
        self.assertGreater(rows[0][columns.index("messages")], 0)
        columns, rows = table_of(self.item("crossing", "--most-ranks", "4"))
        self.assertEqual([row[:2] for row in rows], [["BBMAT", 4]])
        for solver in ("fronts", "nodes"):
            self.assertGreater(rows[0][columns.index(f"{solver}, by widths")], rows[0][columns.index(f"{solver}, one rate")])
        columns, rows = table_of(self.item("levels", "--most-ranks", "4", "--only", "BBMAT"))
        self.assertEqual(rows[0][:2], ["BBMAT", 4])
        times = rows[0][2:6]
        self.assertTrue(all(seconds > 0 for seconds in times))
        for ratio, seconds in zip(rows[0][-3:], times[1:]):
            self.assertLess(abs(ratio - times[0] / seconds), 0.02 * ratio)

    def test_figures(self):
        columns, rows = table_of(self.item("figure3"))
        self.assertEqual([row[0] for row in rows], ["OFF", "ON", "ours"])
        for row in rows:
            self.assertLess(abs(row[1] - row[2] - row[3]), 0.01 * row[1])
        self.assertLess(rows[2][columns.index("communication, s")], rows[0][columns.index("communication, s")])
        for name, pictures in (("figure1", ["figure1.svg"]), ("figure2", ["figure2.svg", "figure2_ours.svg"])):
            page = self.item(name)
            for picture in pictures:
                self.assertIn(f"({picture})", page)
                self.assertIn("<svg", (self.folder / "out" / picture).read_text()[:2000])

    def test_scale(self):
        page = self.item("scale")
        columns, rows = table_of(page)
        self.assertEqual(len(rows), 3 * 2 * 3 * 2)  # matrices, progress, forms, numbers of ranks
        ours = {tuple(row[:4]): row for row in rows}
        for row in rows:
            self.assertGreater(row[columns.index("GB sent")], 0)
            first = ours[(*row[:3], 4)]
            self.assertLess(abs(row[columns.index("gain over the least")] - first[4] / row[4]), 0.02 * first[4] / row[4])
        self.assertEqual(len(re.findall(r"gain from 4 to 8 ranks [\d.]+; (more than 4 ranks do not pay|8 ranks pay)", page)), 3 * 2)
        self.assertRegex(page, r"paper takes [\d.]+ to [\d.]+ times ours")

    def test_waits_progress_and_spread(self):
        columns, rows = table_of(self.item("waits"))
        long = [row[columns.index("for a long message on its way")] for row in rows]
        self.assertLess(long[2], long[0])
        columns, rows = table_of(self.item("progress"))
        self.assertEqual(len(columns), 10)
        self.assertEqual(len(rows), 3)
        columns, rows = table_of(self.item("spread"))
        for row in rows:
            self.assertLessEqual(row[2], row[3])
            self.assertLessEqual(row[3], row[4])

    def test_what_is_no_item_is_refused(self):
        result = self.overlapack("study", "amestoy2001", "table3,table99")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("table99", result.stderr)


@unittest.skipUnless(HAS_SIMGRID, "built without SimGrid")
class Horvitz1999(CliCase):
    def item(self, name):
        self.ok("study", "horvitz1999", name, "--", "--smoke", "--out", self.folder / "out")
        return (self.folder / "out" / f"{name}.md").read_text()

    def test_table_1_and_figure_3(self):
        columns, rows = table_of(self.item("table1"))
        self.assertEqual(columns, ["n", "BSPlib", "BSPlib, paper", "native BLACS", "native BLACS, paper", "MPI BLACS", "MPI BLACS, paper"])
        self.assertEqual([row[0] for row in rows], [48, 96])
        for row in rows:  # the layers differ in the time of a message
            self.assertGreater(row[1], row[3])
            self.assertGreater(row[3], row[5])
        columns, rows = table_of(self.item("figure3"))
        for row in rows:
            self.assertLess(abs(row[4] - 1 + row[1] / row[2]), 0.01)

    def test_figure_2_and_costs(self):
        page = self.item("figure2")
        self.assertIn("holds: the parts sum to the time within 2 % at all orders", page)
        columns, rows = table_of(page)
        for row in rows:
            self.assertGreater(min(row[1:]), 0)
            self.assertLess(abs(sum(row[1:6]) / row[7] - 1), 0.02)
        columns, rows = table_of(self.item("sgl"))
        for row in rows:
            self.assertLess(abs(row[columns.index("predicted / run")] - 1), 0.3)
        columns, rows = table_of(self.item("forms"))
        for row in rows:
            self.assertGreater(row[4], 1.5)

    def test_look_ahead_on_clusters(self):
        columns, rows = table_of(self.item("lookahead"))
        self.assertEqual([row[:2] for row in rows], [["ethernet-25g", 96], ["infiniband-hdr", 96]])
        for row in rows:
            self.assertGreater(min(row[2:]), 0)
            self.assertLess(row[columns.index("ahead, known")], 1.05 * row[columns.index("flat, known")])
            self.assertLess(row[columns.index("ahead, known, tournament")], row[columns.index("ahead, known")])  # one search a panel
        columns, rows = table_of(self.item("grids"))
        self.assertEqual([row[0] for row in rows], ["4x4", "8x2", "2x8"])

    def test_panels_of_several_blocks(self):
        columns, rows = table_of(self.item("panels"))
        self.assertEqual([row[0] for row in rows], [4, 8])
        for row in rows:
            one, two, four = row[-3:]  # supersteps: multipliers of a column also travel along process rows
            self.assertGreater(two, one)
            self.assertGreater(four, one)


@unittest.skipUnless(HAS_SIMGRID, "built without SimGrid")
class Viet2006(CliCase):
    def item(self, name):
        self.ok("study", "viet2006", name, "--", "--smoke", "--out", self.folder / "out")
        return table_of((self.folder / "out" / f"{name}.md").read_text())

    def test_tables_and_figures(self):
        columns, rows = self.item("table3")
        self.assertEqual([row[0] for row in rows], [192, 256])
        for row in rows:
            self.assertGreater(row[columns.index("T_m")], 0)
            self.assertLess(abs(row[columns.index("saved / model")] - row[7] / row[5]), 0.02 * abs(row[7] / row[5]) + 0.01)
        columns, rows = self.item("best")
        self.assertEqual([row[0] for row in rows], ["flat", "lookahead", "split", "parity"])
        columns, rows = self.item("schedules")
        for row in rows:
            self.assertLess(abs(row[5] - row[4] / row[1]), 0.02)
            self.assertLess(abs(row[6] - row[4] / min(row[1:4])), 0.02)
        columns, rows = self.item("figure9")
        for row in rows:
            self.assertLess(abs(row[6] - row[4] / row[1]), 0.02)
        columns, rows = self.item("ahead")
        for row in rows:
            self.assertLess(abs(row[3] - row[2] / row[1]), 0.02)

    def test_nodes_and_phases(self):
        columns, rows = self.item("figure8")
        self.assertEqual([row[0] for row in rows], ["S_m", "S_p"])
        columns, rows = self.item("figure10")
        self.assertEqual([row[:2] for row in rows], [[2, "2x2"], [4, "2x4"]])
        columns, rows = self.item("mates")
        self.assertEqual([row[0] for row in rows], [2, 4, 8])
        for row in rows:
            self.assertLess(abs(row[5] - row[3] / row[2]), 0.02)


@unittest.skipUnless(HAS_SIMGRID, "built without SimGrid")
class Tate2004(CliCase):
    def item(self, name):
        self.ok("study", "tate2004", name, "--", "--smoke", "--out", self.folder / "out")
        return (self.folder / "out" / f"{name}.md").read_text()

    def test_figures(self):
        columns, rows = table_of(self.item("figure2"))
        self.assertEqual([row[0] for row in rows], [1, 2, 4, 8])
        for row in rows:
            self.assertLess(abs(row[5] - row[1] / row[3]), 0.02 * row[5])
        self.assertGreater(rows[2][5], 1.5)  # rows leave their process
        for name, counts in (("figure4", [2, 4, 8]), ("figure5", [4, 8]), ("figure6", [32])):
            columns, rows = table_of(self.item(name))
            self.assertEqual([row[0] for row in rows], counts)
            for row in rows:
                self.assertLess(abs(row[5] - row[1] / row[3]), 0.02 * row[5])

    def test_transfers(self):
        columns, rows = table_of(self.item("figure3"))
        self.assertEqual([row[0] for row in rows], [form for form in ("binary_tree", "ring", "direct") for _ in range(3)])
        for row in rows:
            self.assertEqual(row[2:5], sorted(row[2:5]))  # 2, 4 and 8 processors
        ring, direct = rows[5], rows[8]
        self.assertLess(direct[4] / direct[2], ring[4] / ring[2])
        page = self.item("figure8")
        columns, rows = table_of(page)
        self.assertEqual([row[0] for row in rows], ["cray-x1"] * 5 + ["infiniband-hdr"] * 5)
        self.assertIn("holds: of each pair of processes general transfers synchronise 3 times for 2", page)
        at = {(row[0], row[1]): dict(zip(columns, row)) for row in rows}
        self.assertGreater(at["cray-x1", 8]["native / messages"], 1)  # a signal costs more than a short message
        self.assertLess(at["cray-x1", 64800]["native / messages"], 0.5)
        self.assertEqual([row[-3:-1] for row in rows], [[6, 4]] * 10)
        self.assertIn("cray-x1: strided gets lose to messages at 8", page)

    def test_kinds_of_memory(self):
        columns, rows = table_of(self.item("figure9"))
        self.assertEqual([row[:2] for row in rows], [["thread", 10**i] for i in range(7)])
        for row in rows:
            self.assertGreater(min(row[2:]), 0)

    def test_synchronisations(self):
        columns, rows = table_of(self.item("synchronisations"))
        self.assertEqual([row[columns.index("of an exchange")] for row in rows], [2, 3, 2])
        for row in rows:
            self.assertEqual(row[2], row[1] * row[3])
            self.assertLess(row[columns.index("backward error")], 1e-13)
        self.assertLess(rows[2][columns.index("exchanges a panel")], 2)


@unittest.skipUnless(HAS_SIMGRID, "built without SimGrid")
class Bethune2014(CliCase):
    def item(self, name):
        self.ok("study", "bethune2014", name, "--", "--smoke", "--out", self.folder / "out")
        page = (self.folder / "out" / f"{name}.md").read_text()
        self.assertNotIn("HOLD", page)  # small problems are not held to the paper
        return page

    def rows(self, name):
        columns, rows = table_of(self.item(name).split("\n## ")[0])
        return [dict(zip(columns, row)) for row in rows]

    def test_iterations_and_times(self):
        rows = self.rows("table1")
        self.assertEqual([(row["ranks"], row["variant"]) for row in rows], [(ranks, variant) for ranks in (8, 16) for variant in ("sync", "async", "racy")])
        for row in rows:
            self.assertLessEqual(row["min"], row["mean"])
            self.assertLessEqual(row["mean"], row["max"])
            self.assertLessEqual(row["true residual"], 0.01)
        for row in rows[0], rows[3]:  # in step all ranks do as many
            self.assertEqual(row["min"], row["max"])
        for row in rows[1], rows[4]:  # asynchronous ones need more, each by itself
            self.assertLess(row["min"], row["max"])
            self.assertGreater(row["iterations / sync"], 1)
        self.assertEqual([row["ranks"] for row in self.rows("figure6")], [8, 16])
        self.assertEqual(sum(row["ranks"] for row in self.rows("figure7")), 16)

    def test_puts_in_place_of_messages(self):
        """Table 2: a halo is a put with a count behind it; sync and racy are Table 1's."""
        rows = self.rows("table2")
        self.assertEqual([(row["ranks"], row["variant"]) for row in rows], [(ranks, variant) for ranks in (8, 16) for variant in ("sync", "async", "racy")])
        messages = self.rows("table1")
        self.assertEqual([rows[k]["ms"] for k in (0, 2, 3, 5)], [messages[k]["ms"] for k in (0, 2, 3, 5)])
        for k in 1, 4:
            self.assertLessEqual(rows[k]["true residual"], 0.01)
            self.assertLess(rows[k]["ms"], messages[k]["ms"])  # a put costs its sender less than a message, and its receiver nothing
        report = self.ok_json("simulate", "--machine", "xe6-gemini-like", "--ranks", 4, "--", "jacobi", "--grid", 4, "--experiment", "halo_by=puts", "--tolerance", "1e-2")
        self.assertEqual(report["put_sends"], report["sends"])
        self.assertGreater(report["put_sends"], 0)

    def test_parts_of_an_iteration(self):
        rows = self.rows("figure4")
        self.assertEqual([row["variant"] for row in rows], ["sync", "async", "racy"])
        talk = [sum(row[kind] for kind in ("pack", "send", "receive", "access", "wait")) for row in rows]
        self.assertGreater(talk[0], max(talk[1:]))
        self.assertEqual([row["access"] > 0 for row in rows], [False, False, True])
        self.assertGreaterEqual(min(row["accounted"] for row in rows), 0.95)
        rows = self.rows("figure5")
        self.assertEqual([row["ranks"] for row in rows], [8, 16])
        self.assertGreaterEqual(min(row["accounted"] for row in rows), 0.85)  # begin and end weigh in 32 short iterations

    def test_runs_that_are_kept_are_those_of_this_program(self):
        """Otherwise the pages are older than the code: what is simulated depends on nothing else."""
        kept = json.loads((STUDIES / "bethune2014/results/runs.json").read_text())
        words = "simulate --machine xe6-gemini-like --ranks 32 -- jacobi --grid 4 --variant {} --tolerance 1e-2 --experiment in_flight=100 --experiment halo_period=1 --experiment residual_period=10"
        for variant in ("sync", "async", "racy"):
            name = words.format(variant)
            old, new = kept[f"{name} --json"], self.ok_json(*name.split())
            since = f"the program has changed since {old['made_by']}, which made the pages: make them anew (overlapack study bethune2014 all, then studies/overview.py)"
            self.assertEqual([new[field] for field in SAME], [old[field] for field in SAME], since)
            for field in NEARLY:
                self.assertLessEqual(abs(new[field] / old[field] - 1), 5e-4, since)  # the pages print three digits

    def test_messages_in_flight(self):
        rows = self.rows("figure10")
        self.assertEqual([row["R"] for row in rows], [1, 2, 4, 8, 32, 512])
        self.assertEqual(rows[0]["most in flight"], 1)
        self.assertLess(rows[0]["sends an iteration"], rows[1]["sends an iteration"])

    def test_ranks_that_are_disturbed(self):
        rows = self.rows("slow")
        places = ("corner", "edge", "inside", "slab at the source", "slab in the middle", "slab far from it")
        self.assertEqual([(row["place"], row["slower by"]) for row in rows], [(place, by) for place in places for by in (2, 4)])
        gains = {row["place"]: min(row["sync / async"], row["sync / racy"]) for row in rows[::2]}
        for place in ("corner", "edge", "inside", *places[4:]):  # a slow rank keeps all ranks waiting in step alone
            self.assertGreater(gains[place], 1)
        for place in places[4:]:
            self.assertGreater(gains[place], gains[places[3]])
        self.assertGreater(rows[1]["sync, ms"], 1.5 * rows[0]["sync, ms"])
        rows = self.rows("noise")
        self.assertEqual(sorted({row["noise"] for row in rows}), [0, 0.02, 0.05, 0.1])
        for row in rows:
            self.assertEqual(row["spread of iterations"] == 0, row["variant"] == "sync")


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
