#!/usr/bin/env python3
"""What a rank keeps of its team: bytes behind the opening and inside of a run, on more and more simulated ranks, and the law
constant + c p that they follow (c by the last two). Built by: ninja -C build/release bench_comm_memory (SimGrid, -DOVERLAPACK_BENCH=ON)."""
import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="host" suffix="" radical="0-{last}" speed="10Gf" bw="10GBps" lat="1us"/>
</platform>
"""


def measure(program, ranks):
    """(bytes behind the opening, bytes in a run) of the rank in the middle."""
    with tempfile.TemporaryDirectory() as folder:
        platform, hosts = Path(folder, "cluster.xml"), Path(folder, "hosts")
        platform.write_text(PLATFORM.format(last=ranks - 1))
        hosts.write_text("".join(f"host{i}\n" for i in range(ranks)))
        done = subprocess.run(
            ["smpirun", "-np", str(ranks), "-platform", platform, "-hostfile", hosts, "--cfg=smpi/simulate-computation:no",
             "--cfg=contexts/stack-size:256", "--log=root.thres:warning", program],
            capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"smpirun failed on {ranks} ranks: {done.stderr[-500:]}")
    size, opened, running = map(int, done.stdout.split())
    assert size == ranks
    return opened, running


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default="build/release/bench/comm_memory/bench_comm_memory.so")
    parser.add_argument("--ranks", type=int, nargs="+", default=[64, 256, 1024, 2048])
    options = parser.parse_args()
    rows = [(ranks, *measure(options.program, ranks)) for ranks in options.ranks]
    print("| ranks | bytes behind the opening | bytes in a run |\n|---|---|---|")
    for row in rows:
        print("| {} | {} | {} |".format(*row))
    (p, opened_p, running_p), (q, opened_q, running_q) = rows[-2:]
    for what, at_p, at_q in (("behind the opening", opened_p, opened_q), ("in a run", running_p, running_q)):
        slope = (at_q - at_p) / (q - p)
        constant = at_q - slope * q
        print(f"{what}: {constant / 1024:.0f} KiB + {slope:.1f} p bytes; at 10,000 ranks {(constant + slope * 10_000) / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
