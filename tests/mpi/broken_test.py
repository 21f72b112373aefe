"""MPI that fails in a transfer, or whose other processes do not come: each rank ends with a sentence, in time.

Usage: broken_test.py RANKS LAUNCHER... PROGRAM"""
import re
import subprocess
import sys

ranks, *command = sys.argv[1:]
ranks = int(ranks)
failures = []


def ends(*words):
    """What each rank printed."""
    try:
        done = subprocess.run(command + list(words), capture_output=True, text=True, timeout=30)
    except subprocess.TimeoutExpired as hung:
        failures.append(f"{words}: hung; printed {hung.stdout}")
        return {}
    return dict(re.findall(r"rank (\d+) ends: (.*)", done.stdout))


def expect(words, wanted, of_ranks=range(ranks)):
    found = ends(*words)
    for rank in of_ranks:
        text = found.get(str(rank), "nothing printed")
        if not re.search(wanted, text) or "opened again" in text:
            failures.append(f"{words}: rank {rank} ended with: {text}")


for at in (1, 2, 3, 5, 8, 13, 40, 150):
    expect(("transfer", str(at)), "comm_failure: .*(MPI_ERR_OTHER|other error|known error)|comm_failure: a transfer")
expect(("alone",), "comm_failure: nothing has happened .* other ranks of the communicator", of_ranks=[0])
expect(("different",), "comm_failure: the ranks of a communicator were called for different")
for way in ("opens", "runs"):
    expect((way,), "singular: rank 0 met a zero")

print("\n".join(failures) or "each rank ended in time")
sys.exit(bool(failures))
