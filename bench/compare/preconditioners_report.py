"""Table of what bench/preconditioners measured: a row a solver of a system."""

from .ratios import geometric_mean

HEADER = ["system", "solver", "iterations", "s", "processor, s", "over our least", "MB", "over our direct factors"]


def rows(records: list[dict], matrices: dict[str, dict]) -> list[list[str]]:
    """Of PCASM the overlap that takes least, of each Krylov method and inner solver; all others."""
    return [row for name in dict.fromkeys(r["system"] for r in records) for row in _of_system(name, records, matrices[name])]


def _of_system(name: str, records: list[dict], about: dict) -> list[list[str]]:
    runs: dict[str, list[dict]] = {}
    for record in records:
        if record["system"] == name:
            runs.setdefault(record["solver"], []).append(record)
    good = {solver: found for solver, found in runs.items() if all(r["status"] == "ok" for r in found)}
    ours = {solver: found for solver, found in good.items() if solver.startswith("ours") and "direct" not in solver}
    least = min(ours, key=lambda solver: processor_s(ours[solver]), default=None)
    kept = _with_best_overlaps(good)
    told = f"{name.replace(':', ' ')}, {about['unknowns']:,} unknowns"
    table = []
    for solver, found in runs.items():
        if solver not in good:
            table.append([told, solver, found[-1]["status"], "", "", "", "", ""])
        elif solver in kept:
            table.append([told, solver, str(found[0]["iterations"]), f"{min(r['seconds'] for r in found):.3g}", f"{processor_s(found):.3g}", ratio(found, good.get(least), "cpu_s"),
                          f"{most(found) / 1e6:.0f}", ratio(found, good.get("ours: direct"), "bytes")])  # fmt: skip
    return table


def _with_best_overlaps(good: dict[str, list[dict]]) -> set[str]:
    best: dict[str, str] = {}
    for solver in good:
        family = solver.split(", overlap")[0]
        if family not in best or processor_s(good[solver]) < processor_s(good[best[family]]):
            best[family] = solver
    return set(best.values())


def processor_s(found: list[dict]) -> float:
    return min(r["cpu_s"] for r in found)


def most(found: list[dict]) -> int:
    return min(r["bytes"] for r in found)


def ratio(found: list[dict], base: list[dict] | None, quantity: str) -> str:
    """In geometric mean of rounds."""
    if base is None:
        return ""
    return f"{geometric_mean([a[quantity] / b[quantity] for a, b in zip(found, base)]):.2f}"


def growth(records: list[dict], system: str, method: str) -> float | None:
    """Iterations with 64 blocks over those with 4."""
    counts = {r["solver"]: r["iterations"] for r in records if r["system"] == system and r["status"] == "ok"}
    few, many = (counts.get(f"ours: {method}, {blocks} blocks") for blocks in (4, 64))
    return many / few if few and many else None


def growth_text(records: list[dict]) -> str:
    told = [f"{system.replace(':', ' ')} with {method} {grows:.2f}" for system in dict.fromkeys(r["system"] for r in records)
            for method in ("gmres", "cg") if (grows := growth(records, system, method))]  # fmt: skip
    return f"Iterations with 64 blocks over those with 4: {', '.join(told)}."


def print_report(records: list[dict], matrices: dict[str, dict]) -> None:
    for row in rows(records, matrices):
        print(f"  {row[0]:<32} {row[1]:<40} " + "  ".join(f"{cell:>10}" for cell in row[2:]))
    print(growth_text(records))
