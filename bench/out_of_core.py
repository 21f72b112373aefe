#!/usr/bin/env python3
"""Cubes with factors in memory and on disk: time, predicted and measured peaks of memory, what the disk carried.

    bench/out_of_core.py OVERLAPACK POINTS LIMIT [RANKS]   runs both, with LIMIT bytes for the one on disk, and adds them to the results
    bench/out_of_core.py --table                           the table of docs/out-of-core.md from the results that are kept
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path

from compare import blas, launch, store

RESULTS = Path(__file__).parent / "results" / "out_of_core.json"
KEPT = """factors ranks factor_s solve_s predicted_bytes peak_bytes disk_written_bytes disk_read_bytes disk_wait_s
times_disk_full_budget segments_ahead backward_error process_peak_bytes cpu_s peer machine blas blas_variables""".split()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    blas.add_options(parser)
    options, arguments = parser.parse_known_args()
    kernels = blas.Choice.of(options)
    if arguments == ["--table"]:
        return print("\n\n".join(f"{about}:\n\n{table(group)}" for about, group in store.by_machine(kept()).items()))
    program, points, limit = arguments[:3]
    ranks = arguments[3] if len(arguments) > 3 else "1"
    about = store.announce(program, kernels)
    with tempfile.TemporaryDirectory() as folder:
        matrix = str(Path(folder) / "cube.mtx")
        subprocess.run([program, "generate", "cube", points, "-o", matrix], check=True, stdout=subprocess.DEVNULL)
        for more in ([], ["--memory-limit", limit, "--scratch", folder]):
            report = launch.reported([program, "solve", matrix, "--ranks", ranks, "--json", *more], launch.environment("threads", int(ranks), kernels))
            keep(report | about, points, limit if more else None)


def kept():
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else []


def keep(report, points, limit):
    row = {"cube": int(points), "memory_limit": limit and float(limit), **{key: report[key] for key in KEPT}}
    RESULTS.write_text(json.dumps([*kept(), row], indent=1) + "\n")


def table(rows):
    lines = ["| cube | factors | ranks | limit, MB | predicted, MB | peak, MB | process, MB | factor, s | solve, s | written, MB | read, MB | waited, s |",
             "|---|---|---|---|---|---|---|---|---|---|---|---|"]
    for r in rows:
        cells = [f"{r['cube']}^3", r["factors"], r["ranks"], megabytes(r["memory_limit"])]
        cells += [megabytes(r[key]) for key in ("predicted_bytes", "peak_bytes", "process_peak_bytes")]
        cells += [f"{r['factor_s']:.1f}", f"{r['solve_s']:.1f}", megabytes(r["disk_written_bytes"]), megabytes(r["disk_read_bytes"])]
        lines.append("| " + " | ".join(map(str, [*cells, f"{r['disk_wait_s']:.1f}"])) + " |")
    return "\n".join(lines)


def megabytes(value):
    return f"{value / 1e6:.0f}" if value else "–"


if __name__ == "__main__":
    main()
