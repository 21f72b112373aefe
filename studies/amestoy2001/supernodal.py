"""Paper 1, section 5: supernodal LU on a Cray T3E-900. Items of study.py; by shapes alone, which takes the time of an exact run."""
import functools
import subprocess
import sys
from pathlib import Path

from simulated import Runs, matrix, plot, table

ITEMS = ["table7", "table8", "table9", "table10", "figure6", "nodes"]
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
# the paper's solver: nodes of at most 24 columns, static pivots
SUPERLU = ["--method", "supernodal", "--max-width", "24", "--pivot-threshold", "0", "--perturbation", "1.5e-8", "--refinement-steps", "0"]
PIPELINED = [*SUPERLU, "--node-order", "postorder", "--schedule", "pipelined"]
LOOK_AHEAD = [*SUPERLU, "--node-order", "postorder", "--schedule", "lookahead", "--depth", "1", "--rows-ahead", "off"]
FLAT = [*SUPERLU, "--node-order", "postorder", "--schedule", "flat"]
FORMS = {
    "Fig. 5": (FLAT, "no pipeline"),
    "Fig. 6": (PIPELINED, "pipeline, blocking sends"),
    "Fig. 7": (LOOK_AHEAD, "one column ahead, rows by blocking sends"),
    "rows ahead": ([*SUPERLU, "--node-order", "postorder", "--schedule", "lookahead", "--depth", "1"], "Fig. 7 with rows ahead"),
    "10 ahead": ([*SUPERLU, "--node-order", "postorder", "--schedule", "lookahead", "--depth", "10"], "ten columns and rows ahead"),
    "levels": ([*SUPERLU, "--node-order", "levels", "--schedule", "lookahead", "--depth", "10"], "the same, nodes by levels"),
}
DIFFERS = [
    "The matrices of Tables 9 and 10 are stand-ins of the paper's: same kind, order and density, other entries, other fill.",
    "Nodes are those of the tree of B + B^T, with row and column lists of their own, and are not SuperLU's supernodes.",
    "The kernels' rate is that of Linpack on T3E-900s; no number of the paper's tables went into the machine file.",
]


def largest_panel(report):
    """In MB; how lists and entries reach the ranks is no part of the paper's factorisation."""
    sent = report["messages_of_kind"]
    return max(sent[kind]["largest_bytes"] for kind in ("block column", "block row", "diagonal block") if kind in sent) / 1e6


class SupernodalStudy:
    """Has `a`, the arguments."""

    @functools.cached_property
    def runs_of_nodes(self):
        return Runs(self.a.overlapack, "cray-t3e-900", Path(self.a.out) / "supernodal_runs.json")

    def cube(self, points):
        path = Path(self.a.matrices) / f"cube_{points}.mtx"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run([self.a.overlapack, "generate", "cube", str(points), "--output", str(path)], check=True, stdout=sys.stderr)
        return path

    def nodes_run(self, path, ordering, ranks, options, eager):
        command = ["solve", path, "--ordering", ordering, "--grid", GRIDS[ranks], *options]
        return self.runs_of_nodes.report(ranks, command, "--phantom", "--eager-bytes", eager, keeps=("messages_of_kind",))

    def cubes(self, number, options, paper):
        ranks = [p for p in CUBES if p <= self.a.most_ranks and CUBES[p] <= self.a.largest_cube]
        times = [[self.nodes_run(self.cube(CUBES[p]), "metis", p, options, eager)["factor_s"] for p in ranks] for eager in (UNLIMITED, 4096)]
        rows = [[p, CUBES[p], *(t[i] for t in times), *(t[i] for t in paper), times[1][i] / times[0][i], paper[1][i] / paper[0][i]]
                for i, p in enumerate(ranks)]
        plot(Path(self.a.out) / f"table{number}.svg", f"Table {number}: supernodal LU of cubes", "processors", "factorisation, s",
             {label: (range(len(ranks)), curve[:len(ranks)], style) for label, curve, style in
              (("unlimited", times[0], "o-"), ("4 KB", times[1], "s-"), ("paper, unlimited", paper[0], "o--"), ("paper, 4 KB", paper[1], "s--"))}, ranks)
        return table(f"Table {number}: supernodal LU of cubes, {'blocking' if number == 7 else 'immediate'} sends and receives, seconds (simulated)",
                     ["processors", "grid size", "unlimited", "4 KB", "paper, unlimited", "paper, 4 KB", "4 KB / unlimited", "paper"], rows,
                     ["METIS orders the cubes; the paper does not say which ordering it used.", *DIFFERS[1:]])

    def table7(self):
        return self.cubes(7, PIPELINED, TABLE7)

    def table8(self):
        return self.cubes(8, LOOK_AHEAD, TABLE8)

    def node_cells(self):
        for name in [name for name in TABLE9 if name in (self.a.only or TABLE9)]:
            path = matrix(TABLE9[name][0], self.a.matrices, self.a.generator)
            for i, ranks in enumerate(PROCESSORS):
                if ranks <= self.a.most_ranks:
                    yield name, i, ranks, path

    def table9(self):
        rows = []
        for name, i, ranks, path in self.node_cells():
            off, on = (self.nodes_run(path, "amd", ranks, options, 0)["factor_s"] for options in (PIPELINED, LOOK_AHEAD))
            paper_off, paper_on = (TABLE9[name][column][i] for column in (1, 2))
            rows.append([name, ranks, off, on, paper_off, paper_on, off / on, paper_off / paper_on])
        return table("Table 9: mpi_isend and mpi_irecv OFF and ON, every message by the long protocol, seconds (simulated)",
                     ["matrix", "processors", "OFF", "ON", "paper OFF", "paper ON", "OFF / ON", "paper OFF / ON"], rows, DIFFERS)

    def table10(self):
        rows = [[name, ranks, largest_panel(self.nodes_run(path, "amd", ranks, LOOK_AHEAD, 0)), TABLE9[name][3][i]]
                for name, i, ranks, path in self.node_cells()]
        return table("Table 10: largest message, MB (simulated)", ["matrix", "processors", "largest", "paper"], rows, DIFFERS)

    def figure6(self):
        """What the pipeline gains, and what comes after it."""
        ranks, rows = min(64, self.a.most_ranks), []
        path = matrix(TABLE9["ECL32"][0], self.a.matrices, self.a.generator)
        for name, (options, meaning) in FORMS.items():
            free, long = (self.nodes_run(path, "amd", ranks, options, eager) for eager in (UNLIMITED, 0))
            rows.append([name, meaning, free["factor_s"], free["wait_share"], long["factor_s"], long["wait_share"]])
        return table(f"Figures 5 to 7 and what follows: ECL32 on {ranks} processors (simulated)",
                     ["form", "what it is", "short protocol: factorisation, s", "waiting share", "long protocol: factorisation, s", "waiting share"], rows,
                     ["Paper: on 64 processors the pipeline gains 10 to 40 % over the form without.",
                      "By the long protocol the sender of Fig. 6 waits until its receivers have ended their updates: there it may be slower than Fig. 5.",
                      *DIFFERS])

    def nodes(self):
        """Both solvers on one machine (Tables 4, 5, 9, 10), as they are meant to be used."""
        rows = []
        for name, _, ranks, path in self.node_cells():
            fronts = self.runs_of_nodes.report(ranks, ["solve", path, "--ordering", "amd", "--method", "multifrontal", "--refinement-steps", "0"], "--phantom")
            nodes = self.nodes_run(path, "amd", ranks, ["--method", "supernodal", "--max-width", "48", "--refinement-steps", "0"], 4096)
            rows.append([name, ranks, *(value for report in (fronts, nodes) for value in
                                        (report["factor_s"], report["bytes"] / ranks / 1e6, report["messages"]))])
        return table("Fronts and nodes on the same machine, 4 KB (simulated)",
                     ["matrix", "processors", "fronts: factorisation, s", "volume a rank, MB", "messages",
                      "nodes: factorisation, s", "volume a rank, MB", "messages"], rows, DIFFERS)


def add_options(parser):
    parser.add_argument("--largest-cube", type=int, default=64, help="Tables 7 and 8: cubes up to so many points along an edge")
