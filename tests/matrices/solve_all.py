#!/usr/bin/env python3
"""Solve every matrix of a folder on one rank, on four thread ranks and under mpirun -n 4, by the command line.

Each must be solved (status ok) to a componentwise backward error of at most 1e-15 (double) without a perturbed pivot.
Without a folder the matrices are small ones that `overlapack generate` makes, one of each kind. Prints one line a matrix
and way, and a summary; exits with 1 if a run broke its promise.

    solve_all.py --overlapack PATH [--matrices DIR] [--mpirun PATH] [--only NAME,...] [--ways threads1,threads4,mpi4]
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import launch  # noqa: E402

BACKWARD_ERROR = 1e-15
GENERATED = {"cube": 12, "convection": 10, "elasticity": 6, "saddle": 6, "bordered": 20, "bordered-symmetric": 20,
             "random": 500, "dense": 100}  # kind: size


def command_of(way, options, matrix):
    solve = [options.overlapack, "solve", str(matrix), "--json"]
    if way == "mpi4":
        return [options.mpirun, "-n", "4", *solve]
    return [*solve, "--engine", "thread", "--ranks", way.removeprefix("threads")]


def run(way, options, matrix):
    done = subprocess.run(command_of(way, options, matrix), capture_output=True, text=True, timeout=options.timeout,
                          env=launch.ENVIRONMENT)
    try:
        return json.loads(done.stdout), done
    except json.JSONDecodeError:
        return {"status": "no report", "message": (done.stdout + done.stderr)[-300:]}, done


def is_kept(report, done, ranks):
    return (report["status"] == "ok" and done.returncode == 0 and report["ranks"] == ranks
            and report["backward_error"] <= BACKWARD_ERROR and report["pivots"]["perturbed"] == 0)


def generate(options, folder):
    for kind, size in GENERATED.items():
        subprocess.run([options.overlapack, "generate", kind, str(size), "-o", folder / f"{kind}.mtx.gz"], check=True,
                       capture_output=True, timeout=options.timeout)


def line(name, way, report):
    if report["status"] != "ok":
        return f"{name:22} {way:9} {report['status']}: {report.get('message')}"
    pivots = report["pivots"]
    return (f"{name:22} {way:9} {report['factorization']:5} {report['n']:8} backward {report['backward_error']:.1e} "
            f"forward {report['forward_error']:.1e} steps {report['iterations']['max']} "
            f"delayed {pivots['delayed']:5} 2x2 {pivots['two_by_two']:6} messages {report['messages']:5} "
            f"factor {report['factor_s']:.3f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--overlapack", required=True)
    parser.add_argument("--matrices", type=pathlib.Path)
    parser.add_argument("--mpirun", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--ways", default="threads1,threads4,mpi4")
    parser.add_argument("--timeout", type=float, default=120)
    options = parser.parse_args()
    if options.matrices:
        return solve_all(options)
    with tempfile.TemporaryDirectory() as folder:
        options.matrices = pathlib.Path(folder)
        generate(options, options.matrices)
        return solve_all(options)


def solve_all(options):
    ways = [way for way in options.ways.split(",") if way != "mpi4" or options.mpirun]
    wanted = set(filter(None, options.only.split(",")))
    matrices = sorted(path for path in options.matrices.glob("*.mtx.gz")
                      if not wanted or path.name.removesuffix(".mtx.gz") in wanted)
    if not matrices:
        sys.exit(f"no matrix found in {options.matrices}")
    runs = broken = 0
    for matrix in matrices:
        for way in ways:
            report, done = run(way, options, matrix)
            kept = is_kept(report, done, int(way[-1]))
            runs += 1
            broken += not kept
            print(("     " if kept else "FAIL ") + line(matrix.name.removesuffix(".mtx.gz"), way, report), flush=True)
    print(f"{len(matrices)} matrices, {runs} runs, {broken} broken; ways: {', '.join(ways)}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
