"""Table of what bench/orders found: operations of a Cholesky factorisation in the orders of a graph, and the seconds that they took."""

from .ratios import geometric_mean

HEADER = ["graph", "nodes", "METIS, Gflop", "dissection / METIS", "effort high / METIS", "AMD / METIS", "METIS, s", "dissection / METIS, time", "effort high / METIS, time"]

ORDERS = ["dissection", "high", "amd"]


def rows(records: list[dict]) -> list[list[str]]:
    return [_row(r) for r in sorted(records, key=lambda r: r["orders"]["metis"]["flops"])] + [_means(records)]


def ratio(record: dict, order: str, quantity: str) -> float:
    return record["orders"][order][quantity] / record["orders"]["metis"][quantity]


def _row(r: dict) -> list[str]:
    metis = r["orders"]["metis"]
    of = lambda order, quantity: f"{ratio(r, order, quantity):.2f}"
    return [r["graph"], f"{r['nodes']:,}", f"{metis['flops'] / 1e9:.3g}", *(of(order, "flops") for order in ORDERS), f"{metis['seconds']:.2g}",
            of("dissection", "seconds"), of("high", "seconds")]  # fmt: skip


def _means(records: list[dict]) -> list[str]:
    mean = lambda order, quantity: f"{geometric_mean([ratio(r, order, quantity) for r in records]):.2f}"
    return [f"geometric mean of {len(records)}", "", "", *(mean(order, "flops") for order in ORDERS), "", mean("dissection", "seconds"), mean("high", "seconds")]
