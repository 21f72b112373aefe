"""Tables of what bench/jacobi measured: a row a name, with the ratio to the one that its part is about, round by round."""

from dataclasses import dataclass

from .ratios import geometric_mean, interval


@dataclass(frozen=True)
class Part:
    """How the values of a part are read."""

    unit: str
    base: str  # the record that the others are compared with
    ratio: str  # what the ratio is
    is_base_over_it: bool


PARTS = {
    "sweep": Part("GB/s", "triad", "share of the triad's bytes a second", False),
    "matrix": Part("s", "its bytes", "time over that of its bytes", False),
    "petsc": Part("s an iteration", "overlapack sync", "its time over ours", False),
    "variants": Part("s", "sync", "time of sync over its own", True),
    "blocks": Part("s", "jacobi async", "time of asynchronous Jacobi over its own", True),
    "levels": Part("s", "direct", "time of the direct factors over its own", True),
}
HEADER = ["part", "what", "best", "iterations", "ratio", "of what"]


def rows(records: list[dict]) -> list[list[str]]:
    """Of each record; a name that failed in a round has its status in place of figures."""
    return [[record["part"] + ", " + record["case"], record["name"], *_figures(record, _base(records, record))] for record in records]


def _base(records: list[dict], record: dict) -> dict:
    name = PARTS[record["part"]].base
    return next(r for r in records if (r["part"], r["case"], r["name"]) == (record["part"], record["case"], name))


def _figures(record: dict, base: dict) -> list[str]:
    part = PARTS[record["part"]]
    if "status" in record:
        return [record["status"], "", "", ""]
    best = max(record["values"]) if part.unit == "GB/s" else min(record["values"])
    iterations = f"{min(record['iterations']):.0f}" if "iterations" in record else ""
    if record is base or "status" in base:
        return [f"{best:.3g} {part.unit}", iterations, "", ""]
    above, below = (base, record) if part.is_base_over_it else (record, base)
    ratios = [a / b for a, b in zip(above["values"], below["values"], strict=True)]
    bounds = interval(ratios)
    text = f"{geometric_mean(ratios):.2f}" + (f" [{bounds[0]:.2f}, {bounds[1]:.2f}]" if bounds else "")
    return [f"{best:.3g} {part.unit}", iterations, text, part.ratio]


def disturbed(records: list[dict]) -> int:
    """Runs that others disturbed; a case's records tell the same number."""
    return sum({(r["part"], r["case"]): r["disturbed_runs"] for r in records}.values())


def print_report(records: list[dict]) -> None:
    for case, *cells in rows(records):
        print(f"  {case:<64} " + "  ".join(f"{cell:<20}" for cell in cells))
    print(f"{disturbed(records)} runs were disturbed by other processes")
