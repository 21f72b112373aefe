"""What the studies share: runs of `overlapack simulate`, matrices, tables beside the paper's, files of results."""
import argparse
import functools
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

from stand_ins import write

HERE = Path(__file__).resolve().parent


class Runs:
    """Runs of one executable, each made once; kept in a file, if one is given, so that an interrupted study goes on. Each has the program
    that made it beside it, as `made_by`; those that are older than this field have none."""

    asked = {}  # by a page: name of the run, or of the measurement, and the program that made it
    asked_of = {}  # by all pages: file of kept runs, and the names

    def __init__(self, overlapack, machine, kept=None, makes=True):
        """makes: runs that are not kept; else there is no report of them."""
        self.overlapack, self.machine, self.kept, self.makes = overlapack, machine, kept and Path(kept), makes
        self.found = json.loads(self.kept.read_text()) if self.kept and self.kept.exists() else {}

    def report(self, ranks, command, *simulation, keeps=(), needs=(), machine=None):
        """The report of one simulated run, less what it tells of each rank but for the fields `keeps`. A kept run without one of the
        fields `needs`, which is older than they are, is made again. machine: the path of a file, instead of the machine of these runs."""
        words = ["simulate", "--machine", str(machine or self.machine), "--ranks", str(ranks), *map(str, simulation), "--", *map(str, command), "--json"]
        name = " ".join(Path(word).name if "/" in word else word for word in words)
        is_found = name in self.found and set(needs) <= set(self.found[name])
        if not is_found and not self.makes:
            return None
        if not is_found:
            print(f"  {name}", file=sys.stderr, flush=True)
            run = subprocess.run([self.overlapack, *words], capture_output=True, text=True)
            if run.returncode not in (0, 4):
                raise SystemExit(f"{name}\nended with {run.returncode}: {run.stderr.strip()}")
            self.keep(name, without_ranks(json.loads(run.stdout), keeps))
        self.ask(name)
        return self.found[name]

    def measured(self, name, measure):
        """The rows that `measure` gives: of the clock or of a trace, so that they are made anew unless no runs are to be made."""
        name = f"measured: {name}"
        if self.makes:
            conditions = {"processors": os.cpu_count(), "load": round(os.getloadavg()[0], 1)}
            self.keep(name, {"rows": measure(), **conditions})
        if name not in self.found:
            raise SystemExit(f"{self.kept} does not have what was {name}: leave out --kept")
        self.ask(name)
        return self.found[name]["rows"]

    def ask(self, name):
        self.asked[name] = self.found[name].get("made_by")
        if self.kept:
            self.asked_of.setdefault(self.kept, set()).add(name)

    @classmethod
    def prune(cls):
        """Leave the kept runs out that no page asked for."""
        for kept, names in cls.asked_of.items():
            found = json.loads(kept.read_text())
            kept.write_text(json.dumps({name: report for name, report in found.items() if name in names}, indent=1))

    def conditions(self, name):
        """Of what was measured: `processors` of the computer, and its mean `load` of the minute before. What is older than these fields has none."""
        found = self.found[f"measured: {name}"]
        return {field: found[field] for field in ("processors", "load") if field in found}

    def keep(self, name, report):
        self.found.pop(name, None)  # what is made last stands last
        self.found[name] = {**report, "made_by": self.program}
        if self.kept:
            self.kept.parent.mkdir(parents=True, exist_ok=True)
            self.kept.write_text(json.dumps(self.found, indent=1))

    @functools.cached_property
    def program(self):
        """Its version, and when its code was changed last, where the sources are there with their history."""
        version = subprocess.run([self.overlapack, "--version"], capture_output=True, text=True).stdout.strip() or "overlapack"
        try:
            last, changed = (subprocess.run(["git", *words, "--", "src", "include", "cli"], capture_output=True, text=True, cwd=HERE.parent).stdout.strip()
                             for words in (("log", "-1", "--date=format:%Y-%m-%d %H:%M", "--format=%cd, %h"), ("status", "--porcelain")))
        except FileNotFoundError:  # no git
            return version
        return f"{version}{f' of {last}' if last else ''}{' and changes' if changed else ''}"


def made_by(programs):
    """The line of a page that tells by which programs its runs were made, the newest first: by date, and by version where there is none."""
    def age(program):
        version, _, date = program.partition(" of ")
        return date, [int(number) for number in re.findall(r"\d+", version)]

    known = sorted({program for program in programs if program}, key=age, reverse=True)
    told = [f"{programs.count(program)} by {'' if program == known[0] else 'an older program, '}{program}" for program in known]
    if None in programs:
        told.append(f"{programs.count(None)} by an older program, which left no version")
    return f"- Runs of this page: {'; '.join(told)}.\n" if told else ""


class Criteria:
    """A study that is held to something: lines at the end of its pages, of which overview.py makes the table of docs/papers.md."""

    def __init__(self, is_small):
        self.is_small, self.failed = is_small, []

    def hold(self, text, holds, of_paper=True):
        """A line, or none: what is known of the paper's sizes says nothing of small problems."""
        if self.is_small and of_paper:
            return []
        if not holds:
            self.failed.append(text)
        return [f"{'holds' if holds else 'DOES NOT HOLD'}: {text}"]

    def not_asked(self, text):
        """A line for what these runs cannot answer, whatever they show."""
        return [] if self.is_small else [f"not asked: {text}"]


def without_ranks(report, keeps=()):
    """A report less what it tells of each rank and of each kind of message, which is most of it, and less the place of its matrix.
    keeps seconds_of_rank: of what it tells of each rank, where its time went."""
    def is_dropped(field, value):
        return field == "file" or (field not in keeps and field.endswith(("_of_rank", "_of_kind")) and isinstance(value, (list, dict)))
    kept = {field: value for field, value in report.items() if not is_dropped(field, value)}
    if "seconds_of_rank" in keeps:
        kept["seconds_of_rank"] = [{name: rank[name] for name in rank if name.endswith("_s")} for rank in report["traffic_of_rank"]]
    return kept


def stand_in(name, folder):
    """The file of a matrix of the stand-ins, made where it is not there."""
    path = Path(folder) / f"{name}.mtx.gz"
    if not path.exists():
        print(f"  making {path}", file=sys.stderr, flush=True)
        try:
            write(name, path)
        except ImportError as missing:
            raise SystemExit(f"{missing.name} is missing, by which {path} is made: python3 -m pip install numpy scipy")
    return path


def generated(overlapack, kind, points, folder):
    """The file of a model problem, made where it is not there."""
    path = Path(folder).resolve() / f"{kind}{points}.mtx"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([overlapack, "generate", kind, str(points), "-o", str(path)], check=True, stdout=subprocess.DEVNULL)
    return path


def command_line(overlapack, machine, ranks, command, folder, *simulation):
    """The report of a run that writes files beside it, and is made whenever it is asked for."""
    executable = str(Path(overlapack).resolve()) if "/" in overlapack else overlapack
    words = [executable, "simulate", "--machine", machine, "--ranks", ranks, *simulation, "--", *command, "--json"]
    return json.loads(subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True, cwd=folder).stdout)


def geometric_mean(values):
    return math.prod(values) ** (1 / len(values))


def table(title, columns, rows, notes, picture=None):
    """Text in Markdown."""
    cells = [[f"{value:.3g}" if isinstance(value, float) else str(value) for value in row] for row in rows]
    lines = [f"## {title}", "", "| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(row) + " |" for row in cells]
    shown = [f"![{picture}]({picture})", ""] if picture else []
    return "\n".join(lines + [""] + shown + [f"- {note}" for note in notes]) + "\n"


def draw(path, title, ylabel, fill):
    """A picture that fill(axes) draws; says what to install where matplotlib is missing."""
    try:
        import matplotlib
    except ImportError:
        print("no plot: install matplotlib for Python", file=sys.stderr)
        return
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "overlapack"
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(figsize=(7, 4))
    axes.set(title=title, ylabel=ylabel)
    fill(axes)
    axes.legend()
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)
    path = Path(path)
    path.write_text(re.sub(r" *<metadata>.*?</metadata>\n", "", path.read_text(), flags=re.DOTALL))  # dates, and addresses of others


def plot(path, title, xlabel, ylabel, curves, ticks=None, is_log=False):
    """Curves {label: [y]} over ticks."""
    def fill(axes):
        for label, (x, y, style) in curves.items():
            axes.plot(x, y, style, label=label)
        if ticks:
            axes.set_xticks(range(len(ticks)), ticks)
        axes.set(xlabel=xlabel)
        axes.set_yscale("log") if is_log else axes.set_ylim(0, None)

    draw(path, title, ylabel, fill)


def bars(path, title, ylabel, labels, parts):
    """A bar for each label, of the parts {name: [height]} one above the other."""
    def fill(axes):
        bottom = [0.0] * len(labels)
        for name, heights in parts.items():
            axes.bar(labels, heights, bottom=bottom, label=name)
            bottom = [a + b for a, b in zip(bottom, heights)]

    draw(path, title, ylabel, fill)


def add_kept(parser):
    parser.add_argument("--kept", action="store_true", help="make pages of the runs that are kept in OUT, and no others")


def main(study, items, description, results, add_options=lambda parser: None):
    """The command line of a study: `study` is made of the arguments, and has a method for each item, which gives its text. Returns it."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("item", help=f"all, or some of these with commas between them: {', '.join(items)}")
    parser.add_argument("--overlapack", default="overlapack")
    parser.add_argument("--out", default=str(results))
    parser.add_argument("--prune", action="store_true", help="leave out of OUT the kept runs that none of these items asks for")
    add_options(parser)
    arguments = parser.parse_args()
    made = study(arguments)
    Path(arguments.out).mkdir(parents=True, exist_ok=True)
    asked = items if arguments.item == "all" else arguments.item.split(",")
    if not set(asked) <= set(items):
        parser.error(f"there is no item {', '.join(sorted(set(asked) - set(items)))}; the items are all, {', '.join(items)}")
    for item in asked:
        Runs.asked.clear()
        text = getattr(made, item)() + made_by(list(Runs.asked.values()))
        (Path(arguments.out) / f"{item}.md").write_text(text)
        print(text)
    if arguments.prune:
        Runs.prune()
    return made
