"""Table of what bench/latency measured: a row a message or call, medians over the runs, ratios in pairs of the same run."""

import statistics

from .ratios import geometric_mean, interval

HEADER = ["what", "mpi, us", "MPI_Isend, us", "MPI_Send, us", "thread, us", "mpi / MPI_Isend"]
CALLS_HEADER = ["what", "mpi, us", "MPI_Allreduce, us", "MPI_Comm_dup, us", "thread, us", "mpi / MPI_Allreduce"]


def rows(records: list[dict], header: list[str] = HEADER) -> list[list[str]]:
    """Those of messages, or of calls; the last column compares the first way with the second."""
    ways = [cell.removesuffix(", us") for cell in header[1:-1]]
    groups: dict[tuple[str, int], list[dict]] = {}
    for record in records:
        if set(ways[:2]) <= set(record["us"]):
            groups.setdefault((record["what"], record["bytes"]), []).append(record["us"])
    return [[_name(*key), *(_median(runs, way) for way in ways), _ratio(runs, *ways[:2])] for key, runs in groups.items()]


def _name(what: str, size: int) -> str:
    return f"{size:,} bytes" if what == "message" else what


def _median(runs: list[dict], way: str) -> str:
    values = [us[way] for us in runs if way in us]
    return f"{statistics.median(values):.3g}" if values else "-"


def _ratio(runs: list[dict], ours: str, theirs: str) -> str:
    ratios = [us[ours] / us[theirs] for us in runs]
    bounds = interval(ratios)
    return f"{geometric_mean(ratios):.2f}" + (f" [{bounds[0]:.2f}, {bounds[1]:.2f}]" if bounds else "")
