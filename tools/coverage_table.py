#!/usr/bin/env python3
"""What share of lines and branches ran, a row a folder.

    tools/coverage_table.py BUILD [--unrun] [--write WORDS]

BUILD: a tree of the preset coverage in which tests have run. Prints the table; with --unrun instead each file's lines that did not
run; with --write puts the table into docs/testing.md, under a line that says with WORDS which tests these were.

gcovr reads what the programs counted; its JSON stays in BUILD/coverage.json. A line that several instances of a template have counts
as run if one ran it. Branches that only exceptions take are left out: nearly every call is one. So are those of lines without a
condition, which come from code that the compiler has put there: copies, destructors, loops of the library, callers' conditions.
"""
import argparse
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/testing.md"
BLOCK = re.compile(r"(<!-- tools/coverage_table\.py -->\n).*?(<!-- end -->)", re.DOTALL)
DECIDES_NOTHING = r"(?!.*(?:\b(?:if|for|while|switch|case|catch)\b|&&|\|\||\?))"
FOLDERS = "(src|include|cli|dropins|scalapack|python)/"


def counted(build: Path):
    """gcovr's files: each with its lines, each with its count and branches."""
    out = build / "coverage.json"
    subprocess.run([sys.executable, "-m", "gcovr", "--root", ROOT, "--filter", FOLDERS, "--exclude-throw-branches", "--exclude-unreachable-branches",
                    "--exclude-branches-by-pattern", DECIDES_NOTHING,
                    "--merge-mode-functions", "merge-use-line-min", "--gcov-ignore-errors", "no_working_dir_found", "--gcov-suspicious-hits-threshold", "0",  # a checksum adds 10^10 bytes
                    "-j", "2",
                    "--json", out, build], check=True, cwd=ROOT)
    return [{"file": file["file"], "lines": merged(file["lines"])} for file in json.loads(out.read_text())["files"]]


def merged(lines):
    """One entry a line, where gcovr has one for each instance of a template: counts summed, of branches those with the same number."""
    counts, branches = defaultdict(int), defaultdict(lambda: defaultdict(int))
    for line in lines:
        if line.get("gcovr/excluded"):
            continue
        counts[line["line_number"]] += line["count"]
        for branch in line["branches"]:
            if not branch.get("gcovr/excluded"):
                branches[line["line_number"]][branch["branchno"]] += branch["count"]
    return [{"line_number": number, "count": counts[number], "branches": [{"count": count} for count in branches[number].values()]}
            for number in sorted(counts)]


def folder_of(path: str) -> str:
    """src/sparse/multifrontal/solve/solve.cpp -> src/sparse/multifrontal; outside of src the first folder."""
    parts = path.split("/")[:-1]
    return "/".join(parts[:3] if parts[0] == "src" else parts[:1])


def shares(files):
    """folder -> [lines, run, branches, taken], the whole under the name "all"."""
    sums = defaultdict(lambda: [0, 0, 0, 0])
    for file in files:
        lines = file["lines"]
        branches = [branch for line in lines for branch in line["branches"]]
        figures = (len(lines), sum(line["count"] > 0 for line in lines), len(branches), sum(branch["count"] > 0 for branch in branches))
        for name in (folder_of(file["file"]), "all"):
            sums[name] = [a + b for a, b in zip(sums[name], figures)]
    return sums


def table(files) -> str:
    rows = ["| folder | lines | run | branches | taken |", "|---|---|---|---|---|"]
    for name, (lines, run, branches, taken) in sorted(shares(files).items(), key=lambda row: (row[0] == "all", row[0])):
        rows.append(f"| {name} | {lines} | {percent(run, lines)} | {branches} | {percent(taken, branches)} |")
    return "\n".join(rows) + "\n"


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def unrun(files) -> str:
    """A line a file: the numbers of the lines that did not run, as ranges up to a line that did."""
    rows = []
    for file in sorted(files, key=lambda file: file["file"]):
        ranges = []
        for line in file["lines"]:
            if line["count"] > 0:
                ranges.append(None)
            elif ranges and ranges[-1]:
                ranges[-1][1] = line["line_number"]
            else:
                ranges.append([line["line_number"]] * 2)
        found = [f"{first}-{last}" if last > first else str(first) for first, last in filter(None, ranges)]
        if found:
            rows.append(f"{file['file']}: {', '.join(found)}\n")
    return "".join(rows)


def main() -> int:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("build", type=Path)
    arguments.add_argument("--unrun", action="store_true")
    arguments.add_argument("--write", metavar="WORDS")
    asked = arguments.parse_args()
    files = counted(asked.build.resolve())
    print(unrun(files) if asked.unrun else table(files), end="")
    if asked.write:
        text, times = BLOCK.subn(lambda found: f"{found[1]}{asked.write}\n\n{table(files)}{found[2]}", PAGE.read_text())
        if times != 1:
            sys.exit(f"{PAGE} has no place for the table")
        PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
