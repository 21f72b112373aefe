#!/usr/bin/env python3
"""Paper 1, the multifrontal solver and supernodal LU on a Cray T3E-900: python3 study.py ITEM,... --overlapack EXE; `overlapack study` does so.

ITEM: table3, table4, table5, table6, figure1, figure2, figure3, waits, progress, spread; of supernodal.py table7 to table10, figure6, levels, nodes; of crossing.py crossing; of scale.py scale; all. Three forms each: the paper's
mpi_irecv OFF and ON (plan.json), and ours, which is what `overlapack solve` does unless told otherwise. Each table of the paper ends with the criteria
that it was held to, computed; the exit code tells whether all hold."""
import csv
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import crossing  # noqa: E402
import scale  # noqa: E402
import supernodal  # noqa: E402
from paper import (FACTOR_TABLE5, FORMS, LEAST_TABLE3, MACHINE_FILE, MEMORY, MOST_ON, MOST_TABLE6, NAMES, NEAR_TABLE3, NEAR_TABLE4, PROCESSORS,  # noqa: E402
                   TABLE3, TABLE4, TABLE5, TABLE6, THRESHOLDS)
from simulated import add_kept, bars, command_line, Criteria, generated, geometric_mean, main, plot, Runs, stand_in, table  # noqa: E402
from waits import waits_of  # noqa: E402

MACHINE = "cray-t3e-900"
FIGURE_3, LEAST_FIGURE_3 = 3, 2  # the paper: time in MPI calls goes down "by almost a factor of three"
FEW_DELAYED = 0.001  # of the unknowns: pivots that an exact run delays on 8 processors
SMOKE = {"CRANKSG2": ("cube", 28), "BBMAT": ("convection", 14)}  # small problems in the place of stand-ins
SMOKE_STRIPS = ["--experiment", "strip_border=64", "--experiment", "strip_rows=16"]
SMOKE_THRESHOLDS = [0, 4096, 8388608]


def seconds_of(report):
    """Of the factorisation, once each rank has its part of the matrix; the paper's entries are distributed before."""
    return report["factor_s"] - report["deal_s"]


def in_communication(report):
    """Seconds of a rank in which it does not compute, on the average."""
    ranks = report["seconds_of_rank"]
    return sum(rank["communication_s"] + rank["idle_s"] for rank in ranks) / len(ranks)


def sent(report):
    """Bytes of all point-to-point messages, and of the largest: not of collectives, which bring the tree and the entries."""
    kinds = [of_kind for kind, of_kind in report["messages_of_kind"].items() if kind != "collective"]
    return sum(kind["bytes"] for kind in kinds), max((kind["largest_bytes"] for kind in kinds), default=0)


def ratio(a, b):
    return None if a is None or b is None else a / b


def dashes(cells):
    return ["-" if cell is None else cell for cell in cells]


class Study(Criteria, supernodal.SupernodalStudy, crossing.CrossingStudy, scale.ScaleStudy):
    def __init__(self, arguments):
        super().__init__(arguments.smoke)
        self.a = arguments
        self.a.matrices = Path(arguments.matrices or Path(arguments.out) / "matrices")
        self.runs = Runs(arguments.overlapack, MACHINE, Path(arguments.out) / "runs.json", makes=not arguments.kept)
        self.not_run = []
        self.thresholds = SMOKE_THRESHOLDS if arguments.smoke else THRESHOLDS
        self.names = [NAMES[THRESHOLDS.index(size)] for size in self.thresholds]

    def path(self, name):
        if self.a.smoke:
            kind, points = SMOKE[name]
            return generated(self.a.overlapack, kind, points, Path(self.a.out))
        return stand_in(TABLE4[name][0], self.a.matrices)

    def command(self, name, form):
        options = [*FORMS[form], *(SMOKE_STRIPS if self.a.smoke else [])]
        return ["solve", self.path(name), "--ordering", TABLE4[name][1], *options, "--refinement-steps", "0"]

    def run(self, name, ranks, form, *simulation):
        """By shapes alone where next to no pivot is delayed: where none is, and the root on one rank, that takes the time of an exact run to the last digit."""
        def report(ranks, form, *simulation):
            keeps = ("messages_of_kind", "seconds_of_rank") if ranks <= 8 else ("messages_of_kind",)
            return self.runs.report(ranks, self.command(name, form), *simulation, keeps=keeps)

        exact = report(8, "ours")
        if exact is None:
            return None
        by_shapes = exact["pivots"]["delayed"] <= FEW_DELAYED * exact["n"]
        return report(ranks, form, *(["--phantom"] if by_shapes else []), *simulation)

    def about(self, reports):
        """What differs from the paper, as the runs tell."""
        grid = sum(report["grid_roots"] > 0 for report in reports)
        shapes = sum(bool(report["policy"]) for report in reports)
        what = "small problems" if self.a.smoke else "stand-ins of the paper's: same kind, order and density, other entries, other fill"
        return [f"The matrices are {what}. {MACHINE_FILE}",
                f"OFF and ON: plan.json with receive probe and immediate. Of the {len(reports)} runs {grid} had their root on a grid (the paper's type 3; ours chooses it "
                f"for LU and Cholesky), {shapes} were made by shapes alone, as are all of matrices of which an exact run on 8 processors delays at most {100 * FEW_DELAYED:g} % of the pivots.",
                "Seconds are those after each processor has its part of the tree and of the matrix; the column distribution tells the seconds before.",
                *([f"Not run: {', '.join(self.not_run)} processors."] if self.not_run else [])]

    # ---- Tables 3 and 6

    def by_threshold(self, number, form, paper):
        runs = {name: [self.run("CRANKSG2", 8, name, "--eager-bytes", size) for size in self.thresholds] for name in FORMS}
        seconds = {name: [seconds_of(report) for report in reports] for name, reports in runs.items()}
        paper = [paper[THRESHOLDS.index(size)] for size in self.thresholds]
        mine = seconds[form]
        rows = [[label, *(seconds[name][i] for name in FORMS), runs[form][i]["deal_s"], paper[i], mine[i] / mine[-1], paper[i] / paper[-1]]
                for i, label in enumerate(self.names)]
        flat = [i for i, size in enumerate(self.thresholds) if size >= 512]

        def spread(values):
            return 100 * (max(values[i] for i in flat) / min(values[i] for i in flat) - 1)

        at = self.thresholds.index(4096)
        notes = ["Between 512 bytes and 8 MB the time changes by " + ", ".join(f"{spread(seconds[name]):.1f} % ({name})" for name in FORMS) +
                 f"; the paper's {form} by {spread(paper):.1f} %.",
                 f"At 4 KB ON takes {seconds['ON'][at] / seconds['OFF'][at]:.2f} of OFF's time (the paper's {TABLE6[4] / TABLE3[4]:.2f}). "
                 f"Ours, which posts several receives and has no counterpart in the paper, takes {seconds['ours'][at] / seconds['OFF'][at]:.2f}. One run each: see spread.md."]
        plot(Path(self.a.out) / f"table{number}.svg", f"Table {number}: CRANKSG2 on 8 processors (simulated)", "MPI_BUFFER_MAX", "factorisation, s",
             {**{name: (range(len(rows)), seconds[name], style) for name, style in zip(FORMS, ("o-C3", "o-C0", "o-C2"))},
              f"paper {form}": (range(len(rows)), paper, "s--C7")}, self.names)
        return table(f"Table {number}: factorisation of CRANKSG2 on 8 processors, seconds (simulated)",
                     ["MPI_BUFFER_MAX", *FORMS, "distribution", f"paper {form}", f"{form} / {form} at 8M", "paper / paper at 8M"], rows,
                     [*notes, *self.about([report for reports in runs.values() for report in reports]),
                      *self.held_by_threshold(number, seconds, rows, {name: spread(seconds[name]) for name in FORMS})], picture=f"table{number}.svg")

    def held_by_threshold(self, number, seconds, rows, spreads):
        """Table 3: OFF depends on the threshold as the paper's does. Table 6: ON does not."""
        at = self.thresholds.index(4096)
        if number == 3:
            ours, most = rows[at][-2], max(abs(row[-2] - row[-1]) for row in rows)
            return (self.hold(f"OFF at 4 KB takes {ours:.2f} times its time at 8 MB, at least {LEAST_TABLE3} (paper: {TABLE3[4] / TABLE3[-1]:.2f})", ours >= LEAST_TABLE3)
                    + self.hold(f"over its time at 8 MB OFF is within {NEAR_TABLE3} of the paper's ratio at every threshold, at most {most:.2f} away", most <= NEAR_TABLE3))
        on = seconds["ON"][at] / seconds["OFF"][at]
        return (self.hold(f"from 512 bytes on ON changes by {spreads['ON']:.1f} %, at most {MOST_TABLE6} % (paper: 1.5 %)", spreads["ON"] <= MOST_TABLE6)
                + self.hold(f"ON depends less on the threshold than OFF, {spreads['ON']:.1f} % and {spreads['OFF']:.1f} %", spreads["ON"] < spreads["OFF"])
                + self.hold(f"at 4 KB ON takes {on:.2f} of OFF's time, less than {MOST_ON} (paper: {TABLE6[4] / TABLE3[4]:.2f})", on < MOST_ON))

    def table3(self):
        return self.by_threshold(3, "OFF", TABLE3)

    def table6(self):
        return self.by_threshold(6, "ON", TABLE6)

    # ---- Tables 4 and 5

    def cells(self):
        """(matrix, processors, {form: report}) of every cell that was asked for; what is not run is noted."""
        self.not_run = []
        for name in self.a.only or (SMOKE if self.a.smoke else TABLE4):
            for ranks in PROCESSORS:
                if ranks > self.a.most_ranks:
                    continue
                runs = {form: self.run(name, ranks, form) for form in FORMS}
                if None in runs.values():
                    self.not_run.append(f"{name} on {ranks}")
                else:
                    yield name, ranks, runs

    def table4(self):
        rows, cells, faster, below, reports, too_large, of_kind = [], [], 0, 0, [], [], {"metis": [], "amd": []}  # symmetric matrices, unsymmetric ones
        for name, ranks, runs in self.cells():
            reports += runs.values()
            ours = {form: seconds_of(report) if report["most_bytes_of_rank"] <= MEMORY else None for form, report in runs.items()}
            paper_off, paper_on = (TABLE4[name][column][PROCESSORS.index(ranks)] for column in (2, 3))
            on, best = ratio(ours["ON"], ours["OFF"]), ratio(ours["ours"], ours["OFF"])
            fullest = max(report["most_bytes_of_rank"] for report in runs.values()) / 1e6
            if paper_off is None:
                too_large.append(fullest)
            if on is not None and best is not None and paper_off is not None:
                cells.append((on, best))
                of_kind[TABLE4[name][1]].append((on, paper_on / paper_off))
                faster += on <= 1
                below += best < min(1, on)
            rows.append([name, ranks, *dashes(ours.values()), runs["ON"]["deal_s"], *dashes((paper_off, paper_on, on, best, ratio(paper_on, paper_off))),
                         fullest])
        paper_cells = [(off, on) for _, _, *columns in TABLE4.values() for off, on in zip(*columns) if off is not None]
        notes = [f"ON <= OFF in {faster} of {len(cells)} cells that both have (paper: {sum(on <= off for off, on in paper_cells)} of {len(paper_cells)}); "
                 f"ours is below both in {below}."]
        if cells:
            notes.append(f"Geometric mean of ON / OFF {geometric_mean([on for on, _ in cells]):.3f}, of ours / OFF {geometric_mean([best for _, best in cells]):.3f}; the largest ON / OFF "
                         f"is {max(on for on, _ in cells):.3f} (paper: {geometric_mean([on / off for off, on in paper_cells]):.3f} and "
                         f"{max(on / off for off, on in paper_cells):.3f}).")
        if too_large:
            notes.append(f"Of these cells {len(too_large)} did not fit into the paper's memory; there our fullest processor has {min(too_large):.0f} to {max(too_large):.0f} MB.")
        return table("Table 4: factorisation with mpi_irecv OFF and ON, seconds (simulated)",
                     ["matrix", "processors", *FORMS, "distribution", "paper OFF", "paper ON", "ON / OFF", "ours / OFF", "paper ON / OFF", "MB of the fullest"], rows,
                     [*notes, "-: more than 256 MB a processor. MB: the most that the fullest processor had at a time, without MPI's own buffers.",
                      *self.about(reports), *self.held_cells(of_kind)])

    def held_cells(self, of_kind):
        """Table 4: ON / OFF of ours and of the paper, by kind of matrix."""
        if not all(of_kind.values()):
            return []
        cells = [cell for kind in of_kind.values() for cell in kind]
        ours, papers = (geometric_mean(column) for column in zip(*cells))
        (symmetric, of_symmetric), (unsymmetric, of_unsymmetric) = (map(geometric_mean, zip(*of_kind[kind])) for kind in ("metis", "amd"))
        least = sum(paper <= 1 for _, paper in cells)
        faster = sum(on <= 1 for on, _ in cells)
        return (self.hold(f"ON takes {ours:.2f} of OFF's time in geometric mean of {len(cells)} cells, within {NEAR_TABLE4} of the paper's {papers:.2f}", abs(ours - papers) <= NEAR_TABLE4)
                + self.hold(f"ON is not slower in {faster} of {len(cells)} cells, at least as many as in the paper ({least})", faster >= least)
                + self.hold(f"symmetric matrices gain more than unsymmetric ones, {symmetric:.2f} and {unsymmetric:.2f} (paper: {of_symmetric:.2f} and {of_unsymmetric:.2f})",
                            symmetric < unsymmetric))

    def table5(self):
        rows, quotients, reports, of_largest, by_name = [], [], [], [], {}
        for name, ranks, runs in self.cells():
            reports += runs.values()
            paper_largest, paper_volume = (column[PROCESSORS.index(ranks)] for column in TABLE5[name])
            figures = {form: sent(report) for form, report in runs.items()}
            volume, largest = figures["ON"][0] / ranks / 1e6, figures["ON"][1] / 1e6
            by_name.setdefault(name, []).append(largest)
            if paper_volume is not None:
                quotients.append(volume / paper_volume)
                of_largest.append(largest / paper_largest)
            rows.append([name, ranks, largest, figures["ours"][1] / 1e6, *dashes([paper_largest]), volume, figures["ours"][0] / ranks / 1e6,
                         *dashes([paper_volume, ratio(volume, paper_volume)])])
        notes = ["Point-to-point messages of the factorisation; the tree and the entries of the matrix, which collectives bring, are not among them."]
        if quotients:
            notes.append(f"ON sends {geometric_mean(quotients):.1f} times the paper's volume (geometric mean of {len(quotients)} cells; {min(quotients):.1f} to {max(quotients):.1f}).")
        return table("Table 5: largest message, and volume sent by a processor, MB (simulated)",
                     ["matrix", "processors", "largest, ON", "largest, ours", "paper", "volume, ON", "volume, ours", "paper", "ON / paper"], rows,
                     [*notes, *self.about(reports), *(self.held_messages(quotients, of_largest, by_name) if quotients else [])])

    def held_messages(self, volumes, largest, by_name):
        """Table 5: ratios to the paper's of volumes and of largest messages, and these by matrix and number of processors."""
        volume, size = geometric_mean(volumes), geometric_mean(largest)
        falls = sum(sizes[-1] < sizes[0] for sizes in by_name.values())
        return (self.hold(f"a processor sends {volume:.1f} times the paper's volume in geometric mean, within a factor of {FACTOR_TABLE5}", 1 / FACTOR_TABLE5 <= volume <= FACTOR_TABLE5)
                + self.hold(f"the largest message is {size:.2f} times the paper's in geometric mean, within a factor of {FACTOR_TABLE5}", 1 / FACTOR_TABLE5 <= size <= FACTOR_TABLE5)
                + self.hold(f"it is smaller on the most processors than on the fewest with {falls} of {len(by_name)} matrices", falls == len(by_name)))

    # ---- Figures 1 to 3

    def figure3(self):
        runs = {form: self.run("CRANKSG2", 8, form) for form in FORMS}
        spent = {form: in_communication(report) for form, report in runs.items()}
        whole = {form: spent[form] + sum(rank["compute_s"] for rank in report["seconds_of_rank"]) / 8 for form, report in runs.items()}
        rows = [[form, whole[form], whole[form] - spent[form], spent[form], spent[form] / whole[form], spent[form] / spent["OFF"],
                 spent[form] / whole[form] * whole["OFF"] / spent["OFF"]] for form in FORMS]
        bars(Path(self.a.out) / "figure3.svg", "Figure 3: CRANKSG2 on 8 processors, 4 KB (simulated)", "seconds a processor", list(FORMS),
             {"computing": [row[2] for row in rows], "communication": [row[3] for row in rows]})
        return table("Figure 3: time in communication, CRANKSG2 on 8 processors, 4 KB (simulated)",
                     ["form", "whole, s", "computing, s", "communication, s", "share", "seconds / OFF's", "share / OFF's"], rows,
                     [f"From OFF to ON the time in communication goes down by a factor of {spent['OFF'] / spent['ON']:.2f}, to ours by {spent['OFF'] / spent['ours']:.2f} "
                      f"(paper, OFF to ON: almost {FIGURE_3}).",
                      "Communication is all the time in which a processor does not compute: packing, sending, waiting for messages and for the end. Of the whole factorisation, "
                      "with distribution.", *self.about(runs.values()),
                      *self.hold(f"from OFF to ON the time in communication goes down by a factor of {spent['OFF'] / spent['ON']:.2f}, at least {LEAST_FIGURE_3} (paper: almost {FIGURE_3})",
                                 spent["OFF"] / spent["ON"] >= LEAST_FIGURE_3)], picture="figure3.svg")

    def picture(self, name, form):
        """Draws a run; the time that its ranks wait, as a share."""
        folder, path = Path(self.a.out).resolve(), self.path("CRANKSG2")
        # The picture shows the name of the file, which therefore is named without a folder.
        words = [path.name if word == path else word for word in self.command("CRANKSG2", form)]
        return command_line(self.a.overlapack, MACHINE, 8, [*words, "--trace-svg", folder / name], path.parent, "--phantom")["wait_share"]

    def figure(self, number, forms):
        pictures = {form: f"figure{number}{'' if form == forms[0] else '_' + form}.svg" for form in forms}
        shares = self.runs.measured(f"figure{number}", lambda: {form: self.picture(name, form) for form, name in pictures.items()})
        return (f"## Figure {number}: what the processors do, CRANKSG2 on 8 processors, 4 KB (simulated)\n\n" +
                "".join(f"{form}:\n\n![{name}]({name})\n\n" for form, name in pictures.items()) +
                "".join(f"- {form}: waiting {100 * share:.1f} % of the time.\n" for form, share in shares.items()) +
                "- The paper's figure is a picture without numbers.\n")

    def figure1(self):
        return self.figure(1, ["OFF"])

    def figure2(self):
        return self.figure(2, ["ON", "ours"])

    # ---- Why

    def traced_waits(self):
        rows = []
        for form in FORMS:
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "t.csv"
                command_line(self.a.overlapack, MACHINE, 8, [*self.command("CRANKSG2", form), "--trace-csv", file], None, "--phantom")
                with file.open() as lines:
                    found = waits_of(csv.DictReader(lines), eager_bytes=4096)
            rows.append([form, *(found[key] / 8 for key in ("compute", "work", "long", "short", "other"))])
        return rows

    def waits(self):
        """What the ranks wait for."""
        rows = self.runs.measured("waits", self.traced_waits)
        return table("Who waits for what: CRANKSG2 on 8 processors, 4 KB, seconds a rank (simulated)",
                     ["form", "computing", "for work", "for a long message on its way", "for a short one", "other waits"], rows,
                     ["A wait ends with a message. Until that message was sent its receiver waited for the sender's work; from then on for the message, of which a long one "
                      "sets out in a call of its sender unless its receive was posted.",
                      *(f"{form}: {100 * row[3] / sum(row[2:]):.0f} % of the waiting is for long messages that were sent already." for form, row in zip(FORMS, rows)),
                      f"From OFF to ON waits for such messages go from {rows[0][3]:.2f} to {rows[1][3]:.2f} s, with ours to {rows[2][3]:.2f} s."])

    def progress(self):
        """The same on networks whose long messages set out at other times."""
        kinds = ("always", "calls", "sender")
        rows, reports = [], []
        for size in self.thresholds if self.a.smoke else (0, 4096, 2097152):
            runs = [self.run("CRANKSG2", 8, form, "--eager-bytes", size, *([] if kind == "sender" else ["--progress", kind])) for kind in kinds for form in FORMS]
            reports += runs
            rows.append([NAMES[THRESHOLDS.index(size)], *map(seconds_of, runs)])
        columns = [f"{form}, {kind}" for kind in kinds for form in FORMS]
        at = next(row for row in rows if row[0] == "4K")
        styles = {"OFF": "C3", "ON": "C0", "ours": "C2"}, {"always": "o-", "calls": "s--", "sender": "^:"}
        plot(Path(self.a.out) / "progress.svg", "CRANKSG2 on 8 processors: when long messages set out (simulated)", "MPI_BUFFER_MAX", "factorisation, s",
             {name: (range(len(rows)), [row[i + 1] for row in rows], styles[1][name.split(", ")[1]] + styles[0][name.split(", ")[0]]) for i, name in enumerate(columns)},
             [row[0] for row in rows])
        return table("Progress: CRANKSG2 on 8 processors, seconds, by when long messages set out (simulated)", ["MPI_BUFFER_MAX", *columns], rows,
                     ["always: when a receive is posted, whatever the ranks do; calls: in calls of both sides; sender: at once if the receive was posted before, else in a call "
                      "of the sender (docs/simulate.md).",
                      *(f"{kind}, 4 KB: ON / OFF {at[3 * k + 2] / at[3 * k + 1]:.2f}, ours / OFF {at[3 * k + 3] / at[3 * k + 1]:.2f}." for k, kind in enumerate(kinds)),
                      *self.about(reports)], picture="progress.svg")

    def spread(self):
        """How far times go apart when kernels are disturbed by next to nothing."""
        noise, seeds, rows = 0.001, range(1, 3 if self.a.smoke else 6), []
        for form in FORMS:
            seconds = [seconds_of(self.run("CRANKSG2", 8, form, "--noise", noise, "--seed", seed)) for seed in seeds]
            rows.append([form, seconds_of(self.run("CRANKSG2", 8, form)), min(seconds), sum(seconds) / len(seconds), max(seconds), 100 * (max(seconds) / min(seconds) - 1)])
        off, on, ours = (row[3] for row in rows)
        return table("CRANKSG2 on 8 processors, 4 KB: seconds when every node and kernel is slower by chance (simulated)",
                     ["form", "undisturbed", "least", "mean", "most", "most / least - 1, %"], rows,
                     [f"{len(seeds)} seeds; slower by the half-normal distribution with a sigma of {100 * noise:g} %. Messages then come in another order, and masters choose other ranks.",
                      f"Means: ON / OFF {on / off:.3f}, ours / OFF {ours / off:.3f}.",
                      "Two runs that are closer than the last column are alike."])


ITEMS = ["table3", "table6", "figure1", "figure2", "figure3", "waits", "spread", "progress", "table4", "table5", *supernodal.ITEMS, *crossing.ITEMS, *scale.ITEMS]


def add_options(parser):
    parser.add_argument("--matrices", help="folder of the matrices, which are made where they are missing; default: OUT/matrices")
    parser.add_argument("--only", action="append", choices=list(TABLE4), help="tables of several matrices: these")
    parser.add_argument("--most-ranks", type=int, default=64, help="tables of several numbers of processors: up to here")
    supernodal.add_options(parser)
    scale.add_options(parser)
    add_kept(parser)
    parser.add_argument("--smoke", action="store_true", help="small problems and few thresholds: what a test runs")


if __name__ == "__main__":
    made = main(Study, ITEMS, __doc__, HERE / "results", add_options)
    sys.exit(1 if made.failed else 0)
