#!/usr/bin/env python3
"""Writes what stands between the markers of docs/papers.md: each table and figure of the five papers, and whether its shape holds.

    studies/overview.py            writes it
    studies/overview.py --check    writes nothing, says whether it differs and exits with 1 if it does

Verdicts are those of the criteria at the end of each page, which its study computes of its runs."""
import argparse
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
DOCUMENT = HERE.parent / "docs" / "papers.md"
BLOCK = re.compile(r"(<!-- studies/overview\.py -->\n).*?(<!-- end -->)", re.DOTALL)
CRITERION = re.compile(r"^- (holds|DOES NOT HOLD|not asked): (.*)$", re.MULTILINE)
NO_PAGE = None
# By study: item of the paper, what it shows, its page, and why there is no verdict where none is asked for.
ITEMS = {
    "amestoy2001": ("Paper 1, the multifrontal solver and supernodal LU", [
        ("Table 1", "the matrices", NO_PAGE, "a list; ours are below"),
        ("Table 2", "thresholds of the short protocol", NO_PAGE, "settings; its 4 KB is in the machine file"),
        ("Table 3", "OFF by threshold", "table3", ""),
        ("Table 4", "OFF and ON", "table4", ""),
        ("Table 5", "messages and volume", "table5", ""),
        ("Table 6", "ON by threshold", "table6", ""),
        ("Table 7", "supernodal LU, blocking", "table7", ""),
        ("Table 8", "supernodal LU, immediate", "table8", ""),
        ("Table 9", "supernodal LU, OFF and ON", "table9", ""),
        ("Table 10", "its largest messages", "table10", ""),
        ("not of the paper", "Tables 4 and 9, fronts beside nodes", "crossing", ""),
        ("Figure 1", "a timeline of OFF", "figure1", "a picture without numbers; Figure 3 sums it up"),
        ("Figure 2", "a timeline of ON", "figure2", "a picture without numbers; Figure 3 sums it up"),
        ("Figure 3", "time in communication", "figure3", ""),
        ("Figure 4", "the layout of blocks", NO_PAGE, "a diagram"),
        ("Figure 5", "supernodal LU without a pipeline", NO_PAGE, "an algorithm, `--schedule flat`; its times stand with Figure 6"),
        ("Figure 6", "the pipeline", "figure6", ""),
        ("Figure 7", "a column ahead", NO_PAGE, "an algorithm, `--schedule lookahead`; its times stand with Figure 6"),
    ]),
    "viet2006": ("Paper 2, opposite phases", [
        ("Table 1", "tasks of HPL", NO_PAGE, "a list"),
        ("Table 2", "tasks of the new program", NO_PAGE, "a list"),
        ("Table 3", "seconds saved", "table3", ""),
        ("Figure 1", "what the ranks of a node do", "figure1", "a sketch; ours are timelines"),
        *((f"Figure {number}", what, NO_PAGE, "a diagram" if number < 7 else "code") for number, what in (
            (2, "rearranged communication"), (3, "data and dependencies"), (4, "rearranged broadcasts"), (5, "how the schedules come about"),
            (6, "the schedules"), (7, "the program"))),
        ("Figure 8", "speed-ups of opposite phases", "figure8", "S_m and S_p are inputs of the simulated machine: no finding"),
        ("Figure 9", "rates by order", "figure9", ""),
        ("Figure 10", "rates by nodes", "figure10", ""),
        ("not of the paper", "all schedules, each at its best", "schedules", ""),
        ("not of the paper", "messages that move in calls alone", "progress", ""),
    ]),
    "tate2004": ("Paper 3, one-sided LU", [
        ("Figure 1", "before", "figure2", "stands with Figure 2; the SGI Origin's rows are not simulated"),
        ("Figure 2", "the vector swap", "figure2", ""),
        ("Figure 3", "three broadcasts", "figure3", ""),
        ("Figure 4", "new broadcasts, n = 5000", "figure4", ""),
        ("Figure 5", "new broadcasts, n = 10,000", "figure5", ""),
        ("Figure 6", "new broadcasts, n = 20,000", "figure6", ""),
        ("Figure 7", "a block transpose", NO_PAGE, "a diagram; its times stand with Figure 8"),
        ("Figure 8", "block transposes in three forms", "figure8", ""),
        ("Figure 9", "memory by pointers, measured", "figure9", ""),
        ("section 2", "synchronisations of a swap", "synchronisations", ""),
    ]),
    "horvitz1999": ("Paper 4, LU in supersteps", [
        ("Table 1", "rates of three layers", "table1", ""),
        ("Figure 1", "an unblocked LU", NO_PAGE, "code; it is src/dense/lu/panel"),
        ("Figure 2", "parts of the time", "figure2", ""),
        ("Figure 3", "communication saved", "figure3", ""),
        ("Figure 4", "a ScaLAPACK on BSP", NO_PAGE, "a diagram"),
        ("section 3", "grids and blocks", "grids", ""),
        ("section 3", "s, g and l", "sgl", ""),
    ]),
    "bethune2014": ("Paper 5, asynchronous Jacobi", [
        ("Table 1", "MPI: iterations and time", "table1", ""),
        ("Table 2", "SHMEM: iterations and time", "table2", ""),
        ("Table 3", "threads, measured", "table3", ""),
        ("Figure 1", "Jacobi by MPI", NO_PAGE, "code"),
        ("Figure 2", "Jacobi by OpenMP", NO_PAGE, "code"),
        ("Figure 3", "rates of iterations", "figure3", ""),
        ("Figure 4", "where the time goes", "figure4", ""),
        ("Figure 5", "cost of puts", "figure5", ""),
        ("Figure 6", "iterations to a solution", "figure6", ""),
        ("Figure 7", "iterations by process", "figure7", ""),
        ("Figure 8", "exact zeros, measured", "figure8", ""),
        ("Figure 9", "how residuals fall", "figure9", ""),
        ("Figure 10", "messages in flight", "figure10", ""),
        ("Figure 11", "halo period", "figure11", ""),
        ("section 6.1", "a slow core", "slow", ""),
        ("section 6.1, noise", "all ranks disturbed a little", "noise", ""),
        ("section 6.2", "batches of messages", "batches", ""),
    ]),
}


def verdict(page):
    """Whether the shape holds, and what decides: the first criterion that fails, else the first; and what was not asked."""
    found = CRITERION.findall(page)
    asked = [(holds == "holds", text) for holds, text in found if holds != "not asked"]
    unasked = [text for holds, text in found if holds == "not asked"]
    if not asked:
        return ("not asked", unasked[0]) if unasked else ("not computed", "the page has no criteria")
    left = "".join(f"; not asked: {text}" for text in unasked)
    failed = [text for holds, text in asked if not holds]
    if not failed:
        return "yes", asked[0][1] + left
    return "no" if len(failed) == len(asked) else f"in part, {len(asked) - len(failed)} of {len(asked)}", f"fails: {failed[0]}{left}"


def row(folder, item, what, page, why):
    """Of the table; `folder` has the pages of the study."""
    if not page:
        return [item, what, "–", why]
    file = folder / f"{page}.md"
    if not file.exists():
        raise SystemExit(f"{file} is missing: overlapack study {folder.parent.name} {page}")
    linked = f"[{item}](../studies/{folder.parent.name}/results/{page}.md)"
    return [linked, what, *(("–", why) if why else verdict(file.read_text()))]


def text(studies=HERE):
    lines = []
    for study, (title, items) in ITEMS.items():
        lines += [f"### {title}", "", "| | | shape holds | by what |", "| --- | --- | --- | --- |"]
        lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row(studies / study / "results", *item)) + " |" for item in items]
        lines.append("")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    is_check = parser.parse_args().check
    old = DOCUMENT.read_text()
    if not BLOCK.search(old):
        sys.exit(f"{DOCUMENT} has no <!-- studies/overview.py --> with an <!-- end -->")
    new = BLOCK.sub(lambda block: block[1] + "\n" + text() + block[2], old)
    if is_check and new != old:
        sys.exit(f"{DOCUMENT} is not what the pages of the studies say: run studies/overview.py")
    if not is_check:
        DOCUMENT.write_text(new)


if __name__ == "__main__":
    main()
