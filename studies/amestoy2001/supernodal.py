"""Paper 1, section 5: supernodal LU on a Cray T3E-900. Items of study.py; by shapes alone, which takes the time of an exact run."""
import functools
from pathlib import Path

from paper import MACHINE_FILE
from simulated import command_line, generated, geometric_mean, plot, Runs, stand_in, table

ITEMS = ["table7", "table8", "table9", "table10", "figure6", "levels", "nodes"]
CUBES = {1: 29, 2: 33, 4: 36, 8: 41, 16: 46, 32: 51, 64: 57, 128: 64}  # processors: points along an edge
GRIDS = {1: "1x1", 2: "1x2", 4: "2x2", 8: "2x4", 16: "4x4", 32: "4x8", 64: "8x8", 128: "8x16"}
UNLIMITED = 2**30
TABLE7 = [[57.0, 62.3, 53.3, 61.5, 62.7, 65.7, 76.2, 80.7], [57.9, 108.2, 92.4, 102.5, 104.2, 101.6, 119.3, 111.0]]
TABLE8 = [[55.9, 61.8, 53.4, 61.3, 62.9, 66.0, 76.8, 75.9], [55.9, 62.8, 53.8, 62.4, 64.2, 68.5, 78.3, 77.0]]
PROCESSORS = [4, 8, 16, 32, 64]
# stand-in, OFF, ON, largest message in MB
TABLE9 = {
    "BBMAT": ("bbmat_like", [113.1, 57.2, 31.7, 17.2, 11.3], [64.7, 36.6, 21.3, 12.8, 9.2], [0.19, 0.18, 0.09, 0.09, 0.05]),
    "ECL32": ("ecl32_like", [194.7, 97.3, 51.1, 27.3, 17.1], [106.8, 56.7, 31.2, 18.3, 12.3], [0.32, 0.32, 0.16, 0.16, 0.09]),
    "INVEXTR1": ("invextr_like", [88.1, 44.2, 23.9, 12.9, 8.3], [49.7, 30.0, 16.5, 10.1, 7.1], [0.24, 0.24, 0.12, 0.12, 0.07]),
    "MIXTANK": ("mixtank_like", [131.2, 65.8, 34.5, 18.4, 11.0], [70.8, 38.2, 21.1, 11.9, 7.9], [0.32, 0.33, 0.17, 0.16, 0.09]),
}
WIDTH = 24  # the most columns of a node


# the paper's solver: static pivots
def superlu(node_map):
    return ["--method", "supernodal", "--experiment", f"node_map={node_map}", "--experiment", f"max_width={WIDTH}", "--pivot-threshold", "0", "--perturbation", "1.5e-8", "--refinement-steps", "0"]


SUPERLU = superlu("cyclic")
PIPELINED = [*SUPERLU, "--experiment", "node_order=postorder", "--schedule", "pipelined"]
LOOK_AHEAD = [*SUPERLU, "--experiment", "node_order=postorder", "--schedule", "lookahead", "--depth", "1", "--experiment", "rows_ahead=off"]
FLAT = [*SUPERLU, "--experiment", "node_order=postorder", "--schedule", "flat"]
FORMS = {
    "Fig. 5": (FLAT, "no pipeline"),
    "Fig. 6": (PIPELINED, "pipeline, blocking sends"),
    "Fig. 7": (LOOK_AHEAD, "one column ahead, rows by blocking sends"),
    "rows ahead": ([*SUPERLU, "--experiment", "node_order=postorder", "--schedule", "lookahead", "--depth", "1"], "Fig. 7 with rows ahead"),
    "10 ahead": ([*SUPERLU, "--experiment", "node_order=postorder", "--schedule", "lookahead", "--depth", "10"], "ten columns and rows ahead"),
    "levels": ([*SUPERLU, "--experiment", "node_order=levels", "--schedule", "lookahead", "--depth", "10"], "the same, nodes by levels"),
}


SMOKE_CUBES = {1: 6, 2: 9, 4: 10}
SMOKE_MATRICES = {"BBMAT": ("convection", 9), "ECL32": ("process", 40)}
TIMELINE = ("dense", 288, 4)  # 12 nodes: a picture in which tasks can be told apart
CLUSTER = "infiniband-hdr"
SUBTREES = [*superlu("subtrees"), "--experiment", "node_order=levels", "--schedule", "lookahead", "--depth", "10"]
FAR_OFF = 2  # of times to the paper's: a factor that has a word on the page
NEAR_CUBES, MOST_TABLE8, NEAR_TABLE9 = 0.2, 1.05, 0.2  # bars of criteria
PAPER_PIPELINE = "10 to 40 %"  # on 64 processors, over the form without


def largest_panel(report):
    """In MB; how lists and entries reach the ranks is no part of the paper's factorisation."""
    sent = report["messages_of_kind"]
    return max(sent[kind]["largest_bytes"] for kind in ("block column", "block row", "diagonal block") if kind in sent) / 1e6


def seconds_of(report):
    """Of the factorisation, once each rank has its part of the matrix; the paper's entries are distributed before."""
    return report["factor_s"] - report["deal_s"]


def between(values):
    values = list(values)
    return f"{min(values):.2f} to {max(values):.2f}" if values else "-"


def far_off(quotients):
    """A line where times are more than twice as long, or as short, as the paper's; quotients: paper's times over ours."""
    far = [quotient for quotient in quotients if not 1 / FAR_OFF <= quotient <= FAR_OFF]
    if not far:
        return []
    return [f"The paper's times are {geometric_mean(quotients):.1f} times ours in geometric mean ({between(quotients)}), in {len(far)} of {len(quotients)} cells by more than a factor of {FAR_OFF}: "
            f"the machine file has the rate of large products for blocks of {WIDTH} columns as well, which is a part of it ([with rates by width](crossing.md) nodes take 1.3 times as long). The rest is not explained: the paper's kernels "
            "and the fill of its matrices are not known."]


class SupernodalStudy:
    """Has `a`, the arguments."""

    @functools.cached_property
    def runs_of_nodes(self):
        return Runs(self.a.overlapack, "cray-t3e-900", Path(self.a.out) / "supernodal_runs.json", makes=not self.a.kept)

    def nodes_run(self, path, ordering, ranks, options, eager, machine=None):
        """None: not among those that are kept, and no others are to be made."""
        command = ["solve", path, "--ordering", ordering, "--grid", GRIDS[ranks], *options]
        return self.runs_of_nodes.report(ranks, command, "--phantom", "--eager-bytes", eager, keeps=("messages_of_kind",), machine=machine)

    def about_nodes(self, not_run, *first):
        problems = "small problems" if self.a.smoke else "stand-ins of the paper's: same kind, order and density, other entries, other fill"
        return [*first, *([f"Not run: {', '.join(not_run)} processors."] if not_run else []),
                f"The matrices of Tables 9 and 10 are {problems}.",
                "Nodes are those of the tree of B + B^T, with row and column lists of their own, and are not SuperLU's supernodes. By shapes alone, "
                "which takes the time of an exact run to the last digit.",
                f"Seconds are those after each processor has its part of the matrix. {MACHINE_FILE}"]

    # ---- Tables 7 and 8

    def cubes(self, number, options, paper):
        cubes = SMOKE_CUBES if self.a.smoke else CUBES
        rows, not_run, ticks = [], [], []
        for i, (ranks, points) in enumerate(cubes.items()):
            if not self.a.kept and (ranks > self.a.most_ranks or points > self.a.largest_cube):
                not_run.append(str(ranks))
                continue
            path = generated(self.a.overlapack, "cube", points, self.a.matrices)
            runs = [self.nodes_run(path, "metis", ranks, options, eager) for eager in (UNLIMITED, 4096)]
            if None in runs:
                not_run.append(str(ranks))
                continue
            free, short = map(seconds_of, runs)
            paper_free, paper_short = (column[i] for column in paper)
            rows.append([ranks, points, free, short, paper_free, paper_short, short / free, paper_short / paper_free])
            ticks.append(ranks)
        curves = {label: (range(len(rows)), [row[column] for row in rows], style) for label, column, style in
                  (("unlimited", 2, "o-"), ("4 KB", 3, "s-"), ("paper, unlimited", 4, "o--"), ("paper, 4 KB", 5, "s--"))}
        plot(Path(self.a.out) / f"table{number}.svg", f"Table {number}: supernodal LU of cubes (simulated)", "processors", "factorisation, s", curves, ticks)
        several = [row for row in rows if row[0] > 1]
        notes = [f"From 2 to {several[-1][0]} processors 4 KB takes {between(row[6] for row in several)} times as long as unlimited "
                 f"(paper: {between(row[7] for row in several)})."] if several else []
        if number == 7:
            notes.append("By the long protocol the sender of a block column waits until its receivers have ended their updates.")
        notes += far_off([row[4] / row[2] for row in rows] + [row[5] / row[3] for row in rows])
        return table(f"Table {number}: supernodal LU of cubes, {'blocking' if number == 7 else 'immediate'} sends and receives, seconds (simulated)",
                     ["processors", "grid size", "unlimited", "4 KB", "paper, unlimited", "paper, 4 KB", "4 KB / unlimited", "paper"], rows,
                     [*self.about_nodes(not_run, *notes, "METIS orders the cubes; the paper does not say which ordering it used."), *self.held_cubes(number, several)],
                     picture=f"table{number}.svg")

    def held_cubes(self, number, rows):
        """Of several processors: by blocking sends short messages are as much slower as in the paper, by immediate ones they are not."""
        if not rows:
            return []
        ours, papers = (between(row[column] for row in rows) for column in (6, 7))
        told = f"4 KB takes {ours} times as long as unlimited on 2 to {rows[-1][0]} processors"
        if number == 7:
            return self.hold(f"{told}, within {NEAR_CUBES} of the paper's ratio ({papers}) on each number", all(abs(row[6] - row[7]) <= NEAR_CUBES for row in rows))
        return self.hold(f"{told}, at most {MOST_TABLE8} (paper: {papers})", max(row[6] for row in rows) <= MOST_TABLE8)

    def table7(self):
        return self.cubes(7, PIPELINED, TABLE7)

    def table8(self):
        return self.cubes(8, LOOK_AHEAD, TABLE8)

    # ---- Tables 9 and 10

    def node_matrix(self, name):
        if self.a.smoke:
            return generated(self.a.overlapack, *SMOKE_MATRICES[name], self.a.out)
        return stand_in(TABLE9[name][0], self.a.matrices)

    def node_cells(self):
        """(matrix, place among PROCESSORS, processors, file) of what was asked for."""
        for name in [name for name in (SMOKE_MATRICES if self.a.smoke else TABLE9) if name in (self.a.only or TABLE9)]:
            for i, ranks in enumerate(PROCESSORS):
                if ranks <= self.a.most_ranks:
                    yield name, i, ranks, self.node_matrix(name)

    def table9(self):
        rows, not_run = [], []
        for name, i, ranks, path in self.node_cells():
            runs = [self.nodes_run(path, "amd", ranks, options, 0) for options in (PIPELINED, LOOK_AHEAD)]
            if None in runs:
                not_run.append(f"{name} on {ranks}")
                continue
            off, on = map(seconds_of, runs)
            paper_off, paper_on = (TABLE9[name][column][i] for column in (1, 2))
            rows.append([name, ranks, off, on, paper_off, paper_on, off / on, paper_off / paper_on])
        notes = far_off([row[4] / row[2] for row in rows] + [row[5] / row[3] for row in rows])
        if rows:
            above = sum(row[6] > row[7] for row in rows)
            notes.append(f"OFF / ON is above the paper's in {above} of {len(rows)} cells. Our ON is nearer to its computing: it takes {geometric_mean([row[5] / row[3] for row in rows]):.1f} times less than the "
                         f"paper's in geometric mean, OFF {geometric_mean([row[4] / row[2] for row in rows]):.1f} times less.")
        for ranks in dict.fromkeys(row[1] for row in rows):
            cells = [row for row in rows if row[1] == ranks]
            notes.append(f"{ranks} processors: OFF / ON {between(row[6] for row in cells)} (paper, the same matrices: {between(row[7] for row in cells)}).")
        return table("Table 9: mpi_isend and mpi_irecv OFF and ON, every message by the long protocol, seconds (simulated)",
                     ["matrix", "processors", "OFF", "ON", "paper OFF", "paper ON", "OFF / ON", "paper OFF / ON"], rows,
                     [*self.about_nodes(not_run, *notes), *(self.held_gains(rows) if rows else [])])

    def held_gains(self, rows):
        """Table 9: OFF / ON, ours and the paper's."""
        by_name = {name: [row[6] for row in rows if row[0] == name] for name in dict.fromkeys(row[0] for row in rows)}
        mean = geometric_mean([row[6] / row[7] for row in rows])
        return (self.hold(f"ON is faster in all of {len(rows)} cells, {between(row[6] for row in rows)} times (paper: {between(row[7] for row in rows)})", min(row[6] for row in rows) > 1)
                + self.hold("what it gains falls with the processors, with each matrix", all(a > b for gains in by_name.values() for a, b in zip(gains, gains[1:])))
                + self.hold(f"OFF / ON is {mean:.2f} times the paper's in geometric mean, {between(row[6] / row[7] for row in rows)}, within {NEAR_TABLE9:.0%}", abs(mean - 1) <= NEAR_TABLE9))

    def table10(self):
        rows, not_run = [], []
        for name, i, ranks, path in self.node_cells():
            report = self.nodes_run(path, "amd", ranks, LOOK_AHEAD, 0)
            if report is None:
                not_run.append(f"{name} on {ranks}")
                continue
            largest, paper = largest_panel(report), TABLE9[name][3][i]
            rows.append([name, ranks, largest, paper, largest / paper])
        notes = [f"Ours are {between(row[4] for row in rows)} times the paper's."] if rows else []
        return table("Table 10: largest message, MB (simulated)", ["matrix", "processors", "largest", "paper", "largest / paper"], rows,
                     [*self.about_nodes(not_run, *notes), *(self.held_panels(rows) if rows else [])])

    def held_panels(self, rows):
        """Table 10: the largest messages, ours and the paper's."""
        mean = geometric_mean([row[4] for row in rows])
        sizes = {name: [row[2] for row in rows if row[0] == name] for name in dict.fromkeys(row[0] for row in rows)}
        return (self.hold(f"the largest message is {mean:.2f} times the paper's in geometric mean, {between(row[4] for row in rows)}, within {NEAR_TABLE9:.0%}", abs(mean - 1) <= NEAR_TABLE9)
                + self.hold("it is not larger on more processors, with each matrix", all(a >= b for of in sizes.values() for a, b in zip(of, of[1:]))))

    # ---- Figures 5 to 7

    def timelines(self):
        """Draws the three forms on a small problem."""
        kind, points, ranks = TIMELINE
        pictures = {"Fig. 5": "figure6_flat.svg", "Fig. 6": "figure6_pipelined.svg", "Fig. 7": "figure6_lookahead.svg"}

        def draw_all():
            path, folder, found = generated(self.a.overlapack, kind, points, self.a.matrices), Path(self.a.out).resolve(), {}
            for form, name in pictures.items():
                words = ["solve", path.name, "--ordering", "natural", "--grid", GRIDS[ranks], *FORMS[form][0], "--trace-svg", folder / name]
                report = command_line(self.a.overlapack, "cray-t3e-900", ranks, words, path.parent, "--phantom", "--eager-bytes", 0)
                found[form] = [1e3 * seconds_of(report), 100 * report["wait_share"]]
            return found

        found = self.runs_of_nodes.measured("timelines", draw_all)
        lines = [f"## Timelines of {kind} {points} on {ranks} processors, long protocol (simulated)", ""]
        for form, name in pictures.items():
            lines += [f"{form}, {FORMS[form][1]}: {found[form][0]:.2f} ms, of which a processor waits {found[form][1]:.0f} %.", "",
                      f"![{name}]({name})", ""]
        return "\n".join(lines)

    def figure6(self):
        """What the pipeline gains, and what comes after it."""
        name = next(iter(SMOKE_MATRICES)) if self.a.smoke else (self.a.only or ["BBMAT"])[0]
        ranks, rows, not_run = min(64, self.a.most_ranks), [], []
        path = self.node_matrix(name)
        for form, (options, meaning) in FORMS.items():
            runs = [self.nodes_run(path, "amd", ranks, options, eager) for eager in (UNLIMITED, 0)]
            if None in runs:
                not_run.append(f"{form} on {ranks}")
                continue
            rows.append([form, meaning, *(value for report in runs for value in (seconds_of(report), report["wait_share"]))])
        free, long = ({row[0]: row[column] for row in rows} for column in (2, 4))
        notes = []
        if not not_run:
            notes = [f"Fig. 5 takes {free['Fig. 5'] / free['Fig. 6']:.2f} times as long as Fig. 6 by the short protocol, and {long['Fig. 5'] / long['Fig. 6']:.2f} times by the "
                     f"long one, where its senders wait for receivers that update (paper, on 64 processors: the pipeline gains {PAPER_PIPELINE}).",
                     f"Fig. 7 takes {free['Fig. 7'] / free['levels']:.2f} times as long as ten panels ahead by levels, by the long protocol "
                     f"{long['Fig. 7'] / long['levels']:.2f} times."]
        text = table(f"Figures 5 to 7 and what follows: {name} on {ranks} processors (simulated)",
                     ["form", "what it is", "short protocol: factorisation, s", "waiting share", "long protocol: factorisation, s", "waiting share"], rows,
                     [*self.about_nodes(not_run, *notes), *self.held_pipeline(ranks, free)])
        return text + "\n" + self.timelines()

    def held_pipeline(self, ranks, seconds):
        """Of Figs. 5 and 6 by the short protocol; the paper tells of 64 processors alone."""
        if ranks != 64 or not {"Fig. 5", "Fig. 6"} <= seconds.keys():
            return self.not_asked(f"the pipeline gains {PAPER_PIPELINE} on 64 processors in the paper; these runs are on {ranks}")
        gain = seconds["Fig. 5"] / seconds["Fig. 6"]
        return self.hold(f"the pipeline gains {100 * (gain - 1):.0f} % on {ranks} processors by the short protocol, 10 to 40 % as in the paper", 1.1 <= gain <= 1.4)

    @functools.cached_property
    def runs_of_cluster(self):
        return Runs(self.a.overlapack, CLUSTER, Path(self.a.out) / "supernodal_cluster_runs.json", makes=not self.a.kept)

    def levels(self):
        """The order of nodes, and more panels ahead, on a cluster of today."""
        rows, not_run = [], []
        for name, _, ranks, path in self.node_cells():
            if ranks < 16 and not self.a.smoke:
                continue
            forms = [*(FORMS[form][0] for form in ("Fig. 7", "10 ahead", "levels")), SUBTREES]
            runs = [self.runs_of_cluster.report(ranks, ["solve", path, "--ordering", "amd", "--grid", GRIDS[ranks], *form], "--phantom",
                                                keeps=("messages_of_kind",)) for form in forms]
            if None in runs:
                not_run.append(f"{name} on {ranks}")
                continue
            seconds = [1e3 * seconds_of(report) for report in runs]
            rows.append([name, ranks, *seconds, *(100 * report["wait_share"] for report in runs), *(seconds[0] / ours for ours in seconds[1:])])
        notes = [f"{ranks} processors: ten ahead in postorder {between(row[10] for row in rows if row[1] == ranks)} times as fast as Fig. 7, by levels "
                 f"{between(row[11] for row in rows if row[1] == ranks)} times, with leaf subtrees on one rank each {between(row[12] for row in rows if row[1] == ranks)} times." for ranks in dict.fromkeys(row[1] for row in rows)]
        return table(f"Ten panels ahead, and nodes by levels, on {CLUSTER} (simulated)",
                     ["matrix", "processors", "Fig. 7, ms", "10 ahead, ms", "by levels, ms", "and subtrees, ms", "waiting, %", "waiting, %", "waiting, %", "waiting, %", "Fig. 7 / 10 ahead",
                      "Fig. 7 / by levels", "Fig. 7 / subtrees"], rows,
                     [*([f"Not run: {', '.join(not_run)} processors."] if not_run else []), *notes, f"Nodes of at most 24 columns; the machine is assumed (machines/{CLUSTER}.json). By shapes alone."])

    # ---- Both solvers

    def nodes(self):
        """Both solvers on one machine (Tables 4, 5, 9, 10), as they are meant to be used."""
        rows, not_run = [], []
        for name, _, ranks, path in self.node_cells():
            fronts = self.runs_of_nodes.report(ranks, ["solve", path, "--ordering", "amd", "--method", "multifrontal", "--refinement-steps", "0"], "--phantom")
            nodes = self.nodes_run(path, "amd", ranks, ["--method", "supernodal", "--experiment", "max_width=48", "--refinement-steps", "0"], 4096)
            if fronts is None or nodes is None:
                not_run.append(f"{name} on {ranks}")
                continue
            rows.append([name, ranks, *(value for report in (fronts, nodes) for value in
                                        (seconds_of(report), report["bytes"] / ranks / 1e6, report["messages"])), seconds_of(fronts) / seconds_of(nodes)])
        faster = [f"{row[0]} on {row[1]}" for row in rows if row[-1] > 1]
        means = [f"{ranks} processors: fronts take {geometric_mean([row[-1] for row in rows if row[1] == ranks]):.2f} times as long as nodes in geometric mean of "
                 f"{sum(row[1] == ranks for row in rows)} matrices." for ranks in sorted({row[1] for row in rows})]
        return table("Fronts and nodes on the same machine, 4 KB (simulated)",
                     ["matrix", "processors", "fronts: factorisation, s", "volume a rank, MB", "messages",
                      "nodes: factorisation, s", "volume a rank, MB", "messages", "fronts / nodes"], rows,
                     self.about_nodes(not_run, f"Nodes are faster in {len(faster)} of {len(rows)} cells{': ' + ', '.join(faster) if faster else ''}.",
                                      *means))


def add_options(parser):
    parser.add_argument("--largest-cube", type=int, default=64, help="Tables 7 and 8: cubes up to so many points along an edge")
