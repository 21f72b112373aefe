"""Tables of what bench/conditioning found: a row a solver, a column a condition number."""

ANSWERS = {"": "", "ok": "", "ill_conditioned": "ill ", "inaccurate": "inaccurate "}  # by status; any other one is a refusal


def _conditions(records: list[dict]) -> list[float]:
    return sorted({r["condition"] for r in records})


def header(records: list[dict]) -> list[str]:
    return ["solver", *(f"{condition:.0e}" for condition in _conditions(records))]


def rows(records: list[dict]) -> list[list[str]]:
    by_solver: dict[str, dict[float, dict]] = {}
    for record in records:
        by_solver.setdefault(record["solver"], {})[record["condition"]] = record
    return [[solver, *(_cell(found.get(condition)) for condition in _conditions(records))] for solver, found in by_solver.items()]


def _cell(record: dict | None) -> str:
    """Status unless ok, the error of x, and in parentheses its bound."""
    if record is None:
        return "-"
    text = ANSWERS.get(record["status"], record["status"])
    if record["error"] is not None:
        text += f"{record['error']:.0e}"
    if record["bound"] is not None:
        text += f" ({record['bound']:.0e})"
    return text.strip() or "x"


def faults(records: list[dict]) -> dict[str, int]:
    """Of ours."""
    ours = [r for r in records if r["peer"] == "overlapack"]
    return {
        "refused": sum(r["status"] not in ANSWERS and r["true_condition"] < 2**52 for r in ours),
        "above": sum(r["bound"] is not None and r["error"] is not None and r["error"] > r["bound"] for r in ours),
    }


def faults_text(found: dict[str, int]) -> str:
    return f"{found['refused']} refused below condition 1 / epsilon; {found['above']} errors above their bound"
