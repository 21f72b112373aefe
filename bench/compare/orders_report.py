"""Table of what bench/orders found: operations of a Cholesky factorisation in the orders of a graph, and the seconds that they took."""

from .ratios import geometric_mean

HEADER = ["graph", "nodes", "METIS, Gflop", "dissection / METIS", "AMD / METIS", "METIS, s", "dissection / METIS, time"]


def rows(records: list[dict]) -> list[list[str]]:
    return [_row(r) for r in sorted(records, key=lambda r: r["orders"]["metis"]["flops"])] + [_means(records)]


def ratio(record: dict, order: str, quantity: str) -> float:
    return record["orders"][order][quantity] / record["orders"]["metis"][quantity]


def _row(r: dict) -> list[str]:
    metis = r["orders"]["metis"]
    return [r["graph"], f"{r['nodes']:,}", f"{metis['flops'] / 1e9:.3g}", f"{ratio(r, 'dissection', 'flops'):.2f}", f"{ratio(r, 'amd', 'flops'):.2f}",
            f"{metis['seconds']:.2g}", f"{ratio(r, 'dissection', 'seconds'):.2f}"]  # fmt: skip


def _means(records: list[dict]) -> list[str]:
    mean = lambda order, quantity: f"{geometric_mean([ratio(r, order, quantity) for r in records]):.2f}"
    return [f"geometric mean of {len(records)}", "", "", mean("dissection", "flops"), mean("amd", "flops"), "", mean("dissection", "seconds")]
