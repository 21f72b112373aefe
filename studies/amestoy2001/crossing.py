"""Paper 1, Tables 4 and 9 side by side: which of its two solvers is the faster one, on how many processors, by one rate of all kernels and by rates that
grow with the width of a product. An item of study.py."""
import functools
import json
from pathlib import Path

from paper import PROCESSORS, TABLE4
from simulated import geometric_mean, plot, table
from supernodal import LOOK_AHEAD, SMOKE_MATRICES, TABLE9, seconds_of

ITEMS = ["crossing"]
MACHINES = Path(__file__).resolve().parents[2] / "machines"
ENTRY_BYTES = 16  # a double that a product reads and writes
NEAR_GROWTH = 0.2
CROSSING = (8, 32)  # the paper's solvers take the same time on about 16 processors


def half_width(compute):
    """Columns of a product at which its flops take as long as reading and writing the matrix that it is subtracted from, both by the machine's file."""
    return compute["flops_per_s"]["value"] * ENTRY_BYTES / 2 / compute["memory_bytes_per_s"]["value"]


def crossing_of(ratios):
    """The number of processors at which the ratio passes 1, between two by their logarithms; None: it does not."""
    for (fewer, below), (more, above) in zip(ratios, ratios[1:]):
        if below <= 1 < above:
            return fewer * (more / fewer) ** ((1 - below) / (above - below))
    return None


def same_time(means):
    at = crossing_of(means)
    return f"they take the same time on {at:.0f}" if at else "there is no crossing"


class CrossingStudy:
    """Has `a`, the arguments, and the runs of study.py and supernodal.py."""

    @functools.cached_property
    def machine_of_widths(self):
        """A file beside the results: the machine of all pages, whose kernels are slower where products are narrow."""
        machine = json.loads((MACHINES / "cray-t3e-900.json").read_text())
        machine["name"] += "-widths"
        machine["compute"]["half_width"] = {
            "value": round(half_width(machine["compute"]), 2),
            "source": "derived: flops_per_s times 16 bytes over memory_bytes_per_s, halved: a processor that does not load and compute at once"}
        path = Path(self.a.out) / f"{machine['name']}.json"
        path.write_text(json.dumps(machine, indent=1) + "\n")
        return path

    def seconds_by_widths(self, name, ranks):
        """Of fronts and nodes, ON; None where they are not kept."""
        fronts = self.runs.report(ranks, self.command(name, "ON"), "--phantom", machine=self.machine_of_widths)
        nodes = self.nodes_run(self.node_matrix(name), "amd", ranks, LOOK_AHEAD, 0, machine=self.machine_of_widths)
        return fronts and nodes and [seconds_of(fronts), seconds_of(nodes)]

    def crossing(self):
        rows, not_run = [], []
        for name, i, ranks, path in self.node_cells():
            if self.a.smoke and name != next(iter(SMOKE_MATRICES)):  # no other is small for both solvers
                continue
            fronts, nodes = self.run(name, ranks, "ON"), self.nodes_run(path, "amd", ranks, LOOK_AHEAD, 0)
            by_widths = self.seconds_by_widths(name, ranks)
            if None in (fronts, nodes, by_widths):
                not_run.append(f"{name} on {ranks}")
                continue
            one_rate = [seconds_of(fronts), seconds_of(nodes)]
            paper = TABLE4[name][3][i], TABLE9[name][2][i]
            rows.append([name, ranks, *one_rate, *by_widths, *paper, *(a / b for a, b in (one_rate, by_widths, paper))])
        of = {label: [(ranks, geometric_mean([row[column] for row in rows if row[1] == ranks])) for ranks in PROCESSORS if any(row[1] == ranks for row in rows)]
              for label, column in (("one rate", -3), ("by widths", -2), ("paper", -1))}
        told = [f"{label}: fronts take {', '.join(f'{ratio:.2f}' for _, ratio in means)} times as long as nodes on {', '.join(str(ranks) for ranks, _ in means)} processors, "
                f"in geometric mean of {len({row[0] for row in rows})} matrices; {same_time(means)}." for label, means in of.items()]
        if rows:
            plot(Path(self.a.out) / "crossing.svg", "Fronts over nodes, ON (simulated; geometric means)", "processors", "seconds of fronts / of nodes",
                 {label: (range(len(means)), [ratio for _, ratio in means], style) for (label, means), style in zip(of.items(), ("o-C0", "o-C2", "s--C7"))},
                 [ranks for ranks, _ in of["paper"]])
        value = json.loads(self.machine_of_widths.read_text())["compute"]["half_width"]["value"]
        return table("Tables 4 and 9 side by side: fronts ON (4 KB) and nodes ON (long protocol), seconds (simulated)",
                     ["matrix", "processors", "fronts, one rate", "nodes, one rate", "fronts, by widths", "nodes, by widths", "paper, fronts", "paper, nodes",
                      "fronts / nodes, one rate", "by widths", "paper"], rows,
                     self.about_nodes(not_run, *told,
                                      f"One rate: the machine of all other pages. By widths: a product or panel of w columns has w / (w + {value:g}) of that rate. The {value:g} follows from "
                                      "the machine's file: it is where the flops take as long as reading and writing what is updated. It is fitted to no table.") +
                     (self.held_crossing(of) if rows else []), picture="crossing.svg")

    def held_crossing(self, of):
        """Fronts ahead on few processors, nodes on many."""
        at, paper = crossing_of(of["by widths"]), crossing_of(of["paper"])
        found = f"on {at:.0f} processors" if at else "nowhere"
        growth, of_paper = (means[-1][1] / means[0][1] for means in (of["by widths"], of["paper"]))
        return self.hold(f"from {of['paper'][0][0]} to {of['paper'][-1][0]} processors fronts lose to nodes by a factor of {growth:.1f}, within {NEAR_GROWTH:.0%} of the paper's {of_paper:.1f}",
                         abs(growth / of_paper - 1) <= NEAR_GROWTH) + self.hold(f"fronts are faster on few processors and nodes on many: by widths they take the same time {found}, between {CROSSING[0]} and {CROSSING[1]} "
                         f"(paper: {f'{paper:.0f}' if paper else 'nowhere'})", bool(at) and CROSSING[0] <= at <= CROSSING[1])
