#!/usr/bin/env python3
"""Fronts of full rank and block low-rank fronts: entries, operations, times, peaks of memory, backward errors.

    bench/low_rank.py OVERLAPACK KIND SIZES [TOLERANCES] [RANKS]   lists with commas; TOLERANCES none or numbers (none,1e-4,1e-8,1e-12);
                                                                  adds its runs to the results, in the place of older ones of the same
    bench/low_rank.py --mumps BUILD KIND SIZES [TOLERANCES] [RANKS]
                                                                  the drivers of bench/peers in that build tree: overlapack and MUMPS
                                                                  with block low-rank fronts, one after the other on the same ranks
    bench/low_rank.py --table                                     the tables of docs/lab/low-rank.md from the results that are kept
"""
import argparse
import json
import math
import subprocess
import tempfile
from pathlib import Path

from compare import blas, launch, store

RESULTS = Path(__file__).parent / "results" / "low_rank.json"
BESIDE_MUMPS = RESULTS.with_name("low_rank_mumps.json")
KEPT = """n ranks factorization factor_nnz full_rank_nnz flops full_rank_flops low_rank_fronts blocks_compressed blocks_full mean_rank
largest_rank blocks_mixed mixed_saved_bytes contributions_compressed analysis_s factor_s solve_s predicted_bytes peak_bytes backward_error gmres_steps status""".split()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    blas.add_options(parser)
    options, arguments = parser.parse_known_args()
    kernels = blas.Choice.of(options)
    if arguments == ["--table"]:
        return print(tables(kept(RESULTS), kept(BESIDE_MUMPS)))
    is_beside = arguments[0] == "--mumps"
    program, kind, sizes = arguments[is_beside : is_beside + 3]
    more = arguments[is_beside + 3 :]
    tolerances = (more[0] if more else "none,1e-4,1e-8,1e-12").split(",")
    ranks = more[1] if len(more) > 1 else "1"
    if is_beside:
        return beside_mumps(Path(program), kind, sizes.split(","), tolerances, int(ranks), kernels)
    about = store.announce(program, kernels)
    for size in sizes.split(","):
        with tempfile.TemporaryDirectory() as folder:
            matrix = str(Path(folder) / "A.mtx")
            subprocess.run([program, "generate", kind, size, "-o", matrix], check=True, stdout=subprocess.DEVNULL)
            for tolerance in tolerances:
                more = [] if tolerance == "none" else ["--compression", "blr", "--compression-tolerance", tolerance]
                report = launch.reported([program, "solve", matrix, "--ranks", ranks, "--json", *more],
                                         launch.environment("threads", int(ranks), kernels), ("ok", "inaccurate"))
                keep(report | {"iterations": report["iterations"]["max"]}, about, kind, int(size), tolerance)


def kept(file):
    return json.loads(file.read_text()) if file.exists() else []


def write(file, rows):
    file.write_text(json.dumps(rows, indent=1) + "\n")


def case_of(row):
    return row["kind"], row["size"], row["tolerance"], row["ranks"], machine_of(row)


def machine_of(row):
    return store.machine_text(row["machine"]) if "machine" in row else ""


def keep(report, about, kind, size, tolerance):
    row = {"kind": kind, "size": size, "tolerance": tolerance, **about, **{key: report[key] for key in [*KEPT, "iterations", "cpu_s"]}}
    rows = kept(RESULTS)
    blas.require_same_kernels(row, [r for r in rows if machine_of(r) == machine_of(row)])
    place = next((i for i, r in enumerate(rows) if case_of(r) == case_of(row)), len(rows))
    write(RESULTS, [*rows[:place], row, *rows[place + 1 :]])


def beside_mumps(build, kind, sizes, tolerances, ranks, kernels):
    from compare import matrices  # with SciPy, which the rest does without

    found = launch.newest(build, build, {"overlapack": "bench_overlapack", "mumps": "bench_mumps", "generate": "overlapack"})
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            source = Path(folder) / f"{kind}{size}.mtx"
            subprocess.run([found["generate"], "generate", kind, size, "-o", source], check=True, stdout=subprocess.DEVNULL)
            matrix = matrices.prepare(source.stem, source, Path(folder))
            for tolerance in tolerances:
                for peer, variant, start in (("overlapack", "default", "threads"), ("mumps", "metis", "mpi")):
                    more = "" if tolerance == "none" else f"_blr{tolerance}"
                    command = [*launch.prefix(start, ranks, launch.find_mpirun()), found[peer], matrix.binary,
                               "--variant", variant + more, "--ranks", str(ranks), "--budget", "0"]
                    started = launch.environment(start, ranks, kernels, peer == "overlapack")
                    run = subprocess.run(command, env=started, check=True, capture_output=True, text=True)
                    report = json.loads(run.stdout)
                    if report["status"] != "ok":
                        raise SystemExit(run.stdout)
                    row = {"kind": kind, "size": int(size), "tolerance": tolerance, "ranks": ranks, "n": matrix.n, **report,
                           "machine": store.describe_machine(), "blas_variables": blas.recorded(started)}
                    blas.require_new_kernels(row, row["machine"], kernels)
                    blas.require_same_kernels(row, [r for r in kept(BESIDE_MUMPS) if machine_of(r) == machine_of(row)])
                    write(BESIDE_MUMPS, [*kept(BESIDE_MUMPS), row])


def tables(rows, rows_beside):
    parts = [f"{about}:\n\n{runs(group)}\n\n{exponents(group)}" for about, group in store.by_machine(rows).items()]
    return "\n\n".join(parts + [f"{about}:\n\n{beside(group)}" for about, group in store.by_machine(rows_beside).items()])


def beside(rows):
    """The shortest factorisation of each."""
    head = ["matrix", "tolerance", "ranks", "solver", "entries, M", "Gflop", "factor, s", "growth of the process, MB", "told peak, MB",
            "backward error", "ours / MUMPS: time", "memory"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    cases = dict.fromkeys(map(case_of, rows))
    for case in cases:
        best = {}
        for r in rows:
            if case_of(r) == case and r["factor_s"] < best.get(r["peer"], r)["factor_s"] + 1e-9:
                best[r["peer"]] = r
        for peer, r in best.items():
            ratios = ["", ""]
            if peer == "overlapack" and "mumps" in best:
                ratios = [f"{r[key] / best['mumps'][key]:.2f}" for key in ("factor_s", "peak_bytes")]
            cells = [f"{r['kind']} {r['size']}", r["tolerance"], r["ranks"], peer if peer == "overlapack" else f"MUMPS {r['version']}",
                     f"{r['factor_nnz'] / 1e6:.1f}", f"{r['flops'] / 1e9:.1f}", f"{r['factor_s']:.2f}", f"{r['peak_bytes'] / 1e6:.0f}",
                     f"{r['reported_bytes'] / 1e6:.0f}", f"{r['backward_error']:.1e}", *ratios]
            lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def runs(rows):
    head = ["matrix", "tolerance", "ranks", "entries, M", "Gflop", "of full rank: entries", "flops", "compressed blocks", "mean rank",
            "saved by single precision, MB", "factor, s", "peak, MB", "backward error", "steps"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for r in rows:
        blocks = r["blocks_compressed"] + r["blocks_full"]
        cells = [f"{r['kind']} {r['size']}", r["tolerance"], r["ranks"], f"{r['factor_nnz'] / 1e6:.1f}", f"{r['flops'] / 1e9:.1f}",
                 percent(r["factor_nnz"], r["full_rank_nnz"]), percent(r["flops"], r["full_rank_flops"]),
                 percent(r["blocks_compressed"], blocks) if blocks else "–", f"{r['mean_rank']:.0f}" if blocks else "–",
                 f"{r['mixed_saved_bytes'] / 1e6:.1f}" if "mixed_saved_bytes" in r and blocks else "–",
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
    main()
