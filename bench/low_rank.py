#!/usr/bin/env python3
"""Fronts of full rank and block low-rank fronts: entries, operations, times, peaks of memory, backward errors.

    bench/low_rank.py OVERLAPACK KIND SIZES [TOLERANCES] [RANKS]   lists with commas; TOLERANCES none or numbers (none,1e-4,1e-8,1e-12);
                                                                  adds its runs to the results
    bench/low_rank.py --table                                     the tables of docs/low-rank.md from the results that are kept
"""
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

RESULTS = Path(__file__).parent / "results" / "low_rank.json"
KEPT = """n ranks factorization factor_nnz full_rank_nnz flops full_rank_flops low_rank_fronts blocks_compressed blocks_full mean_rank
largest_rank analysis_s factor_s solve_s predicted_bytes peak_bytes backward_error gmres_steps status""".split()


def main(arguments):
    if arguments == ["--table"]:
        return print(tables(kept()))
    program, kind, sizes = arguments[:3]
    tolerances = (arguments[3] if len(arguments) > 3 else "none,1e-4,1e-8,1e-12").split(",")
    ranks = arguments[4] if len(arguments) > 4 else "1"
    for size in sizes.split(","):
        with tempfile.TemporaryDirectory() as folder:
            matrix = str(Path(folder) / "A.mtx")
            subprocess.run([program, "generate", kind, size, "-o", matrix], check=True, stdout=subprocess.DEVNULL)
            for tolerance in tolerances:
                more = [] if tolerance == "none" else ["--compression", "blr", "--compression-tolerance", tolerance]
                keep(run(folder, [program, "solve", matrix, "--ranks", ranks, "--json", *more]), kind, int(size), tolerance)


def run(folder, command):
    """The report, with the processor time of the whole process."""
    out = Path(folder) / "report.json"
    with out.open("w") as stream:
        process = subprocess.Popen(command, stdout=stream)
        _, status, usage = os.wait4(process.pid, 0)
    report = json.loads(out.read_text())
    if status != 0 and report["status"] != "inaccurate":
        raise SystemExit(out.read_text())
    return {**report, "iterations": report["iterations"]["max"], "cpu_s": usage.ru_utime + usage.ru_stime}


def kept():
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else []


def keep(report, kind, size, tolerance):
    row = {"kind": kind, "size": size, "tolerance": tolerance, **{key: report[key] for key in [*KEPT, "iterations", "cpu_s"]}}
    RESULTS.write_text(json.dumps([*kept(), row], indent=1) + "\n")


def tables(rows):
    return "\n\n".join([runs(rows), exponents(rows)])


def runs(rows):
    head = ["matrix", "tolerance", "ranks", "entries, M", "Gflop", "of full rank: entries", "flops", "compressed blocks", "mean rank",
            "factor, s", "peak, MB", "backward error", "steps"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for r in rows:
        blocks = r["blocks_compressed"] + r["blocks_full"]
        cells = [f"{r['kind']} {r['size']}", r["tolerance"], r["ranks"], f"{r['factor_nnz'] / 1e6:.1f}", f"{r['flops'] / 1e9:.1f}",
                 percent(r["factor_nnz"], r["full_rank_nnz"]), percent(r["flops"], r["full_rank_flops"]),
                 percent(r["blocks_compressed"], blocks) if blocks else "–", f"{r['mean_rank']:.0f}" if blocks else "–",
                 f"{r['factor_s']:.2f}", f"{r['peak_bytes'] / 1e6:.0f}", f"{r['backward_error']:.1e}",
                 f"{r['iterations']}" + (f" + {r['gmres_steps']}" if r["gmres_steps"] else "")]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def percent(part, whole):
    return f"{100 * part / whole:.0f} %"


def exponents(rows):
    """Least squares lines through log(n) and log(entries), log(flops), of each kind and tolerance with three sizes at least."""
    lines = ["| matrix | tolerance | sizes | entries ~ n^p | flops ~ n^p |", "|---|---|---|---|---|"]
    for kind, tolerance in dict.fromkeys((r["kind"], r["tolerance"]) for r in rows):
        of = {r["size"]: r for r in rows if (r["kind"], r["tolerance"]) == (kind, tolerance)}
        if len(of) < 3:
            continue
        slopes = [f"{slope([(r['n'], r[what]) for r in of.values()]):.2f}" for what in ("factor_nnz", "flops")]
        lines.append("| " + " | ".join([kind, tolerance, ", ".join(map(str, sorted(of))), *slopes]) + " |")
    return "\n".join(lines)


def slope(points):
    x, y = [math.log(a) for a, _ in points], [math.log(b) for _, b in points]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


if __name__ == "__main__":
    main(sys.argv[1:])
