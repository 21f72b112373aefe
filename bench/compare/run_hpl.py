#!/usr/bin/env python3
"""Runs HPL inside of Debian's hpcc and prints one line of JSON, as the drivers do: the shortest of the repeats, the resident
memory of HPL's own section, the residual of its check. hpcc's other tests run as well and are ignored."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# hpcc's input: HPL.dat, then its own lines. Depth 1, 1-ring modified: the advice of HPL's tuning page.
INPUT = """HPLinpack benchmark input file
dense_compare
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
{repeats}            # of problems sizes (N)
{sizes}      Ns
1            # of NBs
{block}      NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
{rows}       Ps
{cols}       Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
##### This line (no. 32) is ignored (it serves as a separator). ######
0            Number of additional problem sizes for PTRANS
1200         values of N
0            number of additional blocking sizes for PTRANS
40           values of NB
"""
ROW = re.compile(r"^(W[RC]\S+) +(\d+) +(\d+) +(\d+) +(\d+) +(\S+) +(\S+) *$", re.MULTILINE)
CHECK = re.compile(r"\|\|Ax-b\|\|_oo/\(eps.*?\)= *(\S+) \.+ (PASSED|FAILED)")


def squarest(ranks: int) -> tuple[int, int]:
    rows = max(r for r in range(1, int(ranks**0.5) + 1) if ranks % r == 0)
    return rows, ranks // rows


def resident_bytes(launcher: int) -> int:
    """Of all processes that mpirun started."""
    total = 0
    try:
        for child in Path(f"/proc/{launcher}/task/{launcher}/children").read_text().split():
            total += int(Path(f"/proc/{child}/statm").read_text().split()[1])
    except OSError:  # one has just ended
        return 0
    return total * os.sysconf("SC_PAGE_SIZE")


def run(command: list[str], folder: Path) -> tuple[int, int]:
    """hpcc's exit code, and its largest resident memory while HPL ran, beyond what it had when MPI was up. Memory of the
    tests before HPL does not count: malloc gives it back."""
    give_back = os.environ | {"MALLOC_MMAP_THRESHOLD_": "131072", "MALLOC_TRIM_THRESHOLD_": "131072"}
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, env=give_back)
    output = folder / "hpccoutf.txt"
    before = largest = 0
    is_in_hpl = False
    while process.poll() is None:
        now = resident_bytes(process.pid)
        if not output.exists():  # hpcc opens it after MPI_Init
            before = now
        elif not is_in_hpl:
            is_in_hpl = "Begin of HPL section" in output.read_text(errors="replace")
        if is_in_hpl:
            largest = max(largest, now)
        time.sleep(0.02)
    return process.returncode, max(0, largest - before)


def result(folder: Path, code: int, grown: int, n: int) -> dict:
    output = folder / "hpccoutf.txt"
    text = output.read_text(errors="replace") if output.exists() else ""
    rows = [row for row in ROW.finditer(text) if int(row[2]) == n]
    checks = CHECK.findall(text)
    if not rows or len(checks) != len(rows):
        return {"status": "failed", "message": f"hpcc ended with {code} and {len(rows)} rows of HPL"}
    if any(verdict != "PASSED" for _, verdict in checks):
        return {"status": "inaccurate", "message": f"residuals {', '.join(value for value, _ in checks)}"}
    flops = 2 / 3 * n**3 + 3 / 2 * n**2
    times = [flops / (float(row[7]) * 1e9) for row in rows]
    version = re.search(r"HPLinpack (\S+)", text)
    hpcc = re.search(r"This is the DARPA/DOE HPC Challenge Benchmark version (\S+)", text)
    return {
        "status": "ok",
        "version": f"HPL {version[1] if version else '?'} in hpcc {hpcc[1] if hpcc else '?'}",
        "parameters": f"{rows[0][1]} grid={rows[0][4]}x{rows[0][5]} block={rows[0][3]}",
        "system_s": min(times),
        "system_times_s": times,
        "system_bytes": grown,
        "residual": max(float(value) for value, _ in checks),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hpcc", default="hpcc")
    parser.add_argument("--mpirun", default="mpirun")
    for name in ("n", "block", "ranks", "repeats"):
        parser.add_argument(f"--{name}", type=int, required=True)
    options = parser.parse_args()
    rows, cols = squarest(options.ranks)
    sizes = " ".join([str(options.n)] * options.repeats)
    folder = Path(tempfile.mkdtemp(prefix="hpcc"))
    try:
        text = INPUT.format(repeats=options.repeats, sizes=sizes, block=options.block, rows=rows, cols=cols)
        (folder / "hpccinf.txt").write_text(text)
        sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
        from compare.launch import prefix

        code, grown = run([*prefix("mpi", options.ranks, options.mpirun), options.hpcc], folder)
        out = result(folder, code, grown, options.n)
    finally:
        shutil.rmtree(folder)
    print(json.dumps({"peer": "hpl"} | out))


if __name__ == "__main__":
    main()
