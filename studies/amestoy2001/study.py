#!/usr/bin/env python3
"""Paper 1, the multifrontal solver on a Cray T3E-900: python3 study.py ITEM --overlapack EXE; `overlapack study` does so.

ITEM: table3, table4, table5, table6, figure1, figure2, figure3, waits, forms, progress, spread, all."""
import collections
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from simulated import main, matrix, plot, Runs, table  # noqa: E402

THRESHOLDS = [0, 128, 512, 1024, 4096, 65536, 524288, 2097152, 8388608]
NAMES = ["0", "128", "512", "1K", "4K", "64K", "512K", "2M", "8M"]
TABLE3 = [37.7, 37.0, 37.4, 38.3, 37.6, 32.8, 28.3, 26.4, 26.4]
TABLE6 = [27.1, 27.3, 26.5, 26.6, 26.4, 26.2, 26.2, 26.4, 26.2]
PROCESSORS = [4, 8, 16, 32, 64]
# matrix: stand-in, ordering, OFF, ON (None: not enough memory), largest message and volume a processor in MB (Table 5)
TABLE4 = {
    "BMWCR1_1": ("bmwcra_like", "metis", [None, None, 24.7, 20.4, 11.4], [None, None, 22.7, 16.6, 9.6]),
    "BMW3_2": ("bmw3_2_like", "metis", [None, 24.6, 16.4, 9.2, 6.2], [None, 22.6, 15.9, 8.2, 5.7]),
    "CRANKSG2": ("crankseg_like", "metis", [None, 37.6, 22.1, 13.3, 8.9], [None, 26.4, 18.1, 11.3, 8.0]),
    "SHIP_003": ("ship_like", "metis", [None, None, 37.3, 24.5, 17.9], [None, None, 30.8, 21.1, 15.7]),
    "BBMAT": ("bbmat_like", "amd", [46.0, 25.7, 19.9, 17.2, 12.9], [45.2, 24.7, 18.0, 15.2, 12.5]),
    "ECL32": ("ecl32_like", "amd", [56.7, 38.4, 26.5, 19.9, 15.3], [54.0, 35.4, 23.4, 18.4, 15.7]),
    "INVEXTR1": ("invextr_like", "amd", [37.7, 26.9, 19.4, 21.6, 20.0], [36.8, 25.6, 19.5, 21.3, 18.9]),
    "MIXTANK": ("mixtank_like", "amd", [57.3, 36.7, 25.4, 23.2, 17.1], [52.9, 33.5, 24.1, 19.7, 16.9]),
}
TABLE5 = {
    "BMWCR1_1": [None, None, 7.3, 2.7, 2.2], "BMW3_2": [None, 10.0, 2.2, 1.2, 1.3], "CRANKSG2": [None, 7.0, 4.0, 2.1, 1.6],
    "SHIP_003": [None, None, 5.6, 2.6, 2.1], "BBMAT": [4.8, 3.0, 2.6, 2.5, 2.4], "ECL32": [12.9, 6.1, 3.4, 3.4, 3.2],
    "INVEXTR1": [7.2, 5.1, 3.4, 2.8, 2.5], "MIXTANK": [16.0, 7.3, 4.3, 3.9, 3.9],
}
MEMORY = 256 * 2**20  # bytes of a processor (section 2)
THRESHOLDS_OF_PROGRESS = [0, 512, 4096, 65536, 524288, 2097152]
# the paper's algorithms: one receive buffer, and late messages are waited for
PAPER = ["--posted", "1", "--early", "wait"]
# other forms of receiving: options, what they are
FORMS = {
    "OFF": (["--receive", "probe", "--early", "wait"], "the paper's Algorithm 1"),
    "ON": (["--receive", "immediate", *PAPER], "the paper's Algorithms 2 to 4"),
    "OFF, parked": (["--receive", "probe"], "early messages are kept until their turn"),
    "ON, parked": (["--receive", "immediate", "--posted", "1"], "the same with one posted receive"),
    "K = 4, parked": (["--receive", "immediate", "--posted", "4"], "the default"),
    "K = 4, no chains": (["--receive", "immediate", "--posted", "4", "--chain-pivots", "0"], "long fronts stay whole"),
    "K = 4, strips alike": (["--receive", "immediate", "--posted", "4", "--strip-choice", "static"], "whatever ranks have to do"),
}
DIFFERS = [
    "The matrices are stand-ins of the paper's: same kind, order and density, other entries, other fill.",
    "The kernels' rate is that of Linpack on T3E-900s; no number of the paper's tables went into the machine file.",
    "Our solver is not MUMPS: fronts are in strips, the root in blocks for LU only, and symmetric matrices are factorised as their entries allow.",
]


def waits_of(events):
    """What ranks wait for, in seconds of all ranks: the work that makes the message that ends a wait, and its way."""
    for event in events:
        event["begin"], event["end"] = float(event["begin_s"]), float(event["end_s"])
    sends, received = collections.defaultdict(list), collections.defaultdict(list)
    for event in sorted(events, key=lambda e: e["begin"]):
        if event["what"] == "send":
            sends[event["rank"], event["peer"], event["kind"], event["bytes"]].append(event["begin"])
    for event in sorted(events, key=lambda e: e["end"]):
        if event["what"] == "receive":
            sent = sends[event["peer"], event["rank"], event["kind"], event["bytes"]]
            received[event["rank"]].append((event["end"], sent.pop(0)))
    found = dict.fromkeys(["compute", "work", "way", "other"], 0.0)
    for event in events:
        length = event["end"] - event["begin"]
        if event["what"] in ("compute", "pack"):
            found["compute"] += length
        if event["what"] != "wait":
            continue
        ended_by = [times for times in received[event["rank"]] if event["begin"] <= times[0] <= event["end"] + 1e-5]
        if ended_by:
            end, sent = max(ended_by)
            way = min(length, max(0.0, event["end"] - max(event["begin"], sent)))
            found["way"] += way
            found["work"] += length - way
        else:
            found["other"] += length
    return found


class Study:
    def __init__(self, arguments):
        self.a = arguments
        self.runs = Runs(arguments.overlapack, "cray-t3e-900", Path(arguments.out) / "runs.json")

    def run(self, name, ranks, receive, *simulation):
        return self.run_form(name, ranks, ["--receive", receive, *PAPER], *simulation)

    def run_form(self, name, ranks, options, *simulation):
        """By shapes alone where no pivot is delayed, which takes the time of an exact run to the last digit."""
        stand_in, ordering = TABLE4[name][:2]
        path = matrix(stand_in, self.a.matrices, self.a.generator)

        def solve(ranks, options, *simulation):
            return self.runs.report(ranks, ["solve", path, "--ordering", ordering, *options, "--refinement-steps", "0"], *simulation)

        exact = solve(8, ["--receive", "probe", *PAPER])
        return solve(ranks, options, *(["--phantom"] if exact["pivots"]["delayed"] == 0 else []), *simulation)

    def thresholds(self, number, receive, paper):
        reports = [self.run("CRANKSG2", 8, receive, "--eager-bytes", size) for size in THRESHOLDS]
        seconds = [report["factor_s"] for report in reports]
        rows = [[name, s, p, s / seconds[-1], p / paper[-1]] for name, s, p in zip(NAMES, seconds, paper)]
        spread = max(seconds) / min(seconds) - 1
        text = table(f"Table {number}: factorisation of CRANKSG2 on 8 processors, seconds, receive {receive} (simulated)",
                     ["MPI_BUFFER_MAX", "ours", "paper", "ours / ours at 8M", "paper / paper at 8M"], rows,
                     [f"Spread of ours over all thresholds: {100 * spread:.1f} %; of the paper's: "
                      f"{100 * (max(paper) / min(paper) - 1):.1f} %.", *DIFFERS])
        plot(Path(self.a.out) / f"table{number}.svg", f"Table {number}: short protocol, receive {receive}", "MPI_BUFFER_MAX",
             "factorisation, s", {"simulated": (range(9), seconds, "o-"), "paper": (range(9), paper, "s--")}, NAMES)
        return text

    def forms(self):
        """The paper's algorithms beside ours."""
        rows = []
        for name, (options, meaning) in FORMS.items():
            short, long = (self.run_form("CRANKSG2", 8, options, "--eager-bytes", size) for size in (4096, 2097152))
            rows.append([name, meaning, short["factor_s"], short["wait_share"], short["parked"], short["late_receives"], long["factor_s"],
                         long["wait_share"]])
        return table("Forms of receiving: CRANKSG2 on 8 processors (simulated)",
                     ["form", "what it is", "4 KB: factorisation, s", "waiting share", "parked", "late receives", "2 MB: factorisation, s",
                      "waiting share"], rows, DIFFERS)

    def progress(self):
        """Tables 3 and 6 on an MPI that moves long messages only in calls."""
        sizes, names = THRESHOLDS_OF_PROGRESS, [NAMES[THRESHOLDS.index(size)] for size in THRESHOLDS_OF_PROGRESS]
        default = FORMS["K = 4, parked"][0]
        curves = {}
        for form in ("OFF", "ON", "default"):
            for progress in ("always", "calls"):
                # an option that says what is so anyway is left out: then these are the runs of Tables 3 and 6
                more = ["--progress", progress] if progress == "calls" else []
                curves[form, progress] = [
                    (self.run_form("CRANKSG2", 8, default, "--eager-bytes", size, *more) if form == "default" else
                     self.run("CRANKSG2", 8, "probe" if form == "OFF" else "immediate", "--eager-bytes", size, *more))["factor_s"] for size in sizes]
        rows = [[name, *(seconds[i] for seconds in curves.values()), *(paper[THRESHOLDS.index(size)] for paper in (TABLE3, TABLE6))]
                for i, (name, size) in enumerate(zip(names, sizes))]
        colours = {"OFF": "C3", "ON": "C0", "default": "C2"}
        plot(Path(self.a.out) / "progress.svg", "CRANKSG2 on 8 processors: progress always, or in calls only (simulated)", "MPI_BUFFER_MAX", "factorisation, s",
             {f"{form}, {progress}": (range(len(sizes)), seconds, ("o-" if progress == "always" else "s--") + colours[form])
              for (form, progress), seconds in curves.items()}, names)
        return table("Progress: CRANKSG2 on 8 processors, messages that move by themselves (always) or in calls only, seconds (simulated)",
                     ["MPI_BUFFER_MAX", *(f"{form}, {progress}" for form, progress in curves), "paper OFF", "paper ON"], rows,
                     ["OFF and ON: the paper's Algorithms 1, and 2 to 4. default: four posted receives, early messages parked.",
                      "In calls only: a message above MPI_BUFFER_MAX is announced; its receiver answers in the first call in which the announcement is there "
                      "and its receive is posted; it sets out in the sender's first call after that. Updates of strips and fronts are then cut into slices, with a "
                      "call behind each.",
                      "Neighbouring cells that differ by a few per cent are alike: item spread.",
                      *DIFFERS])

    def spread(self):
        """How far the times of item progress go apart when kernels are disturbed by next to nothing."""
        rows, noise, seeds = [], 0.001, range(1, 7)
        path = matrix(TABLE4["CRANKSG2"][0], self.a.matrices, self.a.generator)
        for size in THRESHOLDS_OF_PROGRESS[1:5]:
            row = [NAMES[THRESHOLDS.index(size)]]
            for form in ("OFF", "ON"):
                command = ["solve", path, "--ordering", "metis", *FORMS[form][0], "--refinement-steps", "0"]
                simulation = ["--phantom", "--eager-bytes", size, "--progress", "calls"]
                seconds = [self.runs.report(8, command, *simulation, "--noise", noise, "--seed", seed)["factor_s"] for seed in seeds]
                row += [self.runs.report(8, command, *simulation)["factor_s"], min(seconds), sum(seconds) / len(seconds), max(seconds)]
            rows.append([*row, row[7] / row[3]])
        return table("Progress in calls only, CRANKSG2 on 8 processors: seconds when every node and kernel is slower by chance (simulated)",
                     ["MPI_BUFFER_MAX", "OFF, undisturbed", "least", "mean", "most", "ON, undisturbed", "least", "mean", "most", "mean ON / OFF"], rows,
                     [f"{len(seeds)} seeds; slower by the half-normal distribution with a sigma of {100 * noise:g} %. By shapes alone: no pivot of this matrix is delayed, and "
                      "undisturbed an exact run takes the same time to the last digit.",
                      "So small a change makes messages come in another order, and masters choose other ranks for strips: single runs with OFF and ON that are a few per "
                      "cent apart do not tell which is faster.",
                      "On an MPI that moves in calls ON gains nothing, for want of a second receive: from its answer until the body is here and treated it answers nobody else. "
                      "In the trace of a cube of 30 x 30 x 30 by Cholesky (8 processors, 4 KB; ON 2.24 s, OFF 2.13 s) ranks wait 1.27 s with ON, 1.10 s with OFF, for a body whose "
                      "sender computes, and 0.40 s and 0.25 s of it while another sender that has announced a message is in a call and could send. With early messages parked, "
                      "one receive takes 2.05 s, OFF 1.98 s, two receives 1.81 s.",
                      "Large differences come from the strips that loads choose: the same cube by LDL^T takes 1.92 s with OFF and 2.27 s with ON on average of 6 seeds, "
                      "but 2.08 s and 2.12 s without regard to loads (--strip-choice static).",
                      *DIFFERS[:2]])

    def table3(self):
        return self.thresholds(3, "probe", TABLE3)

    def table6(self):
        return self.thresholds(6, "immediate", TABLE6)

    def cells(self):
        """(matrix, processors, OFF, ON, paper's OFF and ON, or None) of every cell of Table 4 that was asked for."""
        for name in self.a.only or TABLE4:
            for ranks, off, on in zip(PROCESSORS, *TABLE4[name][2:]):
                if ranks <= self.a.most_ranks:
                    yield name, ranks, self.run(name, ranks, "probe"), self.run(name, ranks, "immediate"), off, on

    def table4(self):
        rows, ratios = [], []
        for name, ranks, off, on, paper_off, paper_on in self.cells():
            ours = [report["factor_s"] if report["most_bytes_of_rank"] <= MEMORY else None for report in (off, on)]
            ratio, paper_ratio = (pair[1] / pair[0] if None not in pair else None for pair in (ours, [paper_off, paper_on]))
            if ratio and paper_ratio:
                ratios.append(ratio)
            megabytes = max(off["most_bytes_of_rank"], on["most_bytes_of_rank"]) / 1e6
            rows.append([name, ranks, *("-" if cell is None else cell for cell in (*ours, paper_off, paper_on, ratio, paper_ratio)), megabytes])
        return table("Table 4: factorisation with mpi_irecv OFF and ON, seconds (simulated)",
                     ["matrix", "processors", "OFF", "ON", "paper OFF", "paper ON", "ON / OFF", "paper ON / OFF", "ours, MB of the fullest"], rows,
                     [f"ON <= OFF in {sum(ratio <= 1 for ratio in ratios)} of {len(ratios)} cells that both have (paper: 32 of 34); the largest ON / OFF is "
                      f"{max(ratios):.3f}.",
                      "-: more than 256 MB a processor. Ours is the most that the fullest processor had at a time, without MPI's own buffers.",
                      *DIFFERS])

    def table5(self):
        rows = []
        for name, ranks, _, on, _, _ in self.cells():
            paper = TABLE5[name][PROCESSORS.index(ranks)]
            rows.append([name, ranks, on["largest_message_bytes"] / 1e6, "-" if paper is None else paper, on["bytes"] / ranks / 1e6])
        return table("Table 5: largest message, and volume sent by a processor, MB (simulated)",
                     ["matrix", "processors", "largest", "paper", "volume"], rows, DIFFERS)

    def figure3(self):
        off, on = (self.run("CRANKSG2", 8, receive) for receive in ("probe", "immediate"))
        rows = [[label, report["factor_s"], report["wait_share"], report["factor_s"] * report["wait_share"]]
                for label, report in (("OFF", off), ("ON", on))]
        return table("Figure 3: time in communication, CRANKSG2 on 8 processors, 4 KB (simulated)",
                     ["mpi_irecv", "factorisation, s", "waiting share", "waiting, s a rank"], rows,
                     [f"ON / OFF of the waiting time: {rows[1][3] / rows[0][3]:.2f} (paper: almost a factor of three).",
                      "The paper's chart counts time in MPI calls; ours counts waiting, in which those calls are made.", *DIFFERS])

    def traced(self, receive, *options):
        """A run of CRANKSG2 on 8 processors that is traced as the options say. Its file is named without a folder, since pictures show the name."""
        path = matrix("crankseg_like", self.a.matrices, self.a.generator)
        executable = str(Path(self.a.overlapack).resolve()) if "/" in self.a.overlapack else self.a.overlapack
        words = [executable, "simulate", "--machine", "cray-t3e-900", "--ranks", 8, "--", "solve", path.name, "--ordering", "metis", "--receive", receive,
                 *PAPER, "--refinement-steps", 0, *options, "--json"]
        return json.loads(subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True, cwd=path.parent).stdout)

    def trace(self, receive):
        """Events of CRANKSG2 on 8 processors."""
        with tempfile.TemporaryDirectory() as folder:
            self.traced(receive, "--trace-csv", Path(folder) / "t.csv")
            with (Path(folder) / "t.csv").open() as file:
                return list(csv.DictReader(file))

    def picture(self, number, receive):
        name = f"figure{number}.svg"
        report = self.traced(receive, "--trace-svg", Path(self.a.out).resolve() / name)
        return (f"## Figure {number}: what the processors do, receive {receive}, CRANKSG2 on 8 processors, 4 KB (simulated)\n\n![{name}]({name})\n\n"
                f"- The solve is at the end. Waiting share of the factorisation: {report['wait_share']:.3f}. The paper's figure is a picture without numbers.\n")

    def figure1(self):
        return self.picture(1, "probe")

    def figure2(self):
        return self.picture(2, "immediate")

    def waits(self):
        """Why ON gains less here than in the paper."""
        rows = []
        for name, receive in (("OFF", "probe"), ("ON", "immediate")):
            events = self.trace(receive)
            found = waits_of(events)
            busiest = collections.Counter()
            for event in events:
                if event["what"] in ("compute", "pack"):
                    busiest[event["rank"]] += event["end"] - event["begin"]
            rows.append([name, max(event["end"] for event in events), found["compute"] / 8, max(busiest.values()), min(busiest.values()),
                         found["work"] / 8, found["way"] / 8, found["other"] / 8, sum(float(e["bytes"]) for e in events if e["what"] == "send") / 8e6])
        return table("Who waits for what: CRANKSG2 on 8 processors, 4 KB, seconds a rank (simulated)",
                     ["mpi_irecv", "factorisation and solve", "computing", "busiest rank", "least busy", "waiting for work", "for a message on its way", "other waits",
                      "sent, MB a rank"], rows,
                     ["A wait ends with a message. Until that message was sent its receiver waited for the sender's work, afterwards for the network.",
                      "Nearly all waits are for work that others have not done: strips of the upper fronts lie on some ranks only. "
                      "Posted receives can hide only the ways of messages.",
                      "Our senders never wait: a message owns its bytes and leaves by itself (ideal progress). In the paper, with OFF, the sender of a large "
                      "message waits for a receiver that is computing, and a full send buffer stops the sender. That may be where its factor of three comes from. "
                      "A sender that waits for a receiver's calls is in item progress.",
                      f"300 MB/s carry what a rank sends in {rows[0][-1] / 300:.2f} s.", *DIFFERS[:2]])


ITEMS = ["table3", "table6", "figure1", "figure2", "figure3", "waits", "forms", "progress", "spread", "table4", "table5"]


def add_options(parser):
    parser.add_argument("--matrices", default="matrices", help="folder of NAME.mtx.gz; made by the generator where missing")
    parser.add_argument("--generator", help="a program that makes stand-ins: GENERATOR NAME --out DIR --fmt mtx.gz")
    parser.add_argument("--only", action="append", choices=list(TABLE4), help="Tables 4 and 5: these matrices")
    parser.add_argument("--most-ranks", type=int, default=64, help="Tables 4 and 5: processors up to here")


if __name__ == "__main__":
    main(Study, ITEMS, __doc__, HERE / "results", add_options)
