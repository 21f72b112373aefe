"""Tables of bench/dropin_compare."""

from . import ratios


def time_of(record: dict) -> float:
    """Without what the problem's own functions took."""
    return record["total_s"] - record.get("functions_s", 0)


def counts_of(record: dict) -> str:
    if record["status"] != "ok":
        return f"{record['status']}: {record.get('message', '')}"
    if "events" in record:
        return ", ".join(f"{name} {event['calls']}" for name, event in record["events"].items())
    return f"{record['iterations']} iterations, optimum {record['optimum']:.8g}"


def faults(theirs: dict, ours: dict) -> str:
    """What makes two runs no pair: one failed, or they went elsewhere."""
    for record in (theirs, ours):
        if record["status"] != "ok":
            return f"{record['peer']}: {record['status']} {record.get('message', '')}"
    if "optimum" in ours and abs(ours["optimum"] - theirs["optimum"]) > 1e-5 * max(1, abs(theirs["optimum"])):
        return "another optimum"
    return ""


def pairs_of(records: list[dict]) -> dict[tuple, list[tuple[dict, dict]]]:
    """(host, problem, ranks, size) -> MUMPS's and our record of each round."""
    pairs: dict[tuple, list] = {}
    for ours in records:
        if ours["peer"] == "overlapack":
            key = (ours["host"], ours["problem"], ours["ranks"], ours["size"])
            theirs = [r for r in records if r["peer"] == "mumps" and r["round"] == ours["round"]
                      and (r["host"], r["problem"], r["ranks"], r["size"]) == key]
            pairs.setdefault(key, []).extend((record, ours) for record in theirs)
    return pairs


def ratios_of(rounds: list[tuple[dict, dict]]) -> tuple[list[float], list[float]]:
    """MUMPS's time over ours, round by round; the least time of each."""
    found = [time_of(theirs) / time_of(ours) for theirs, ours in rounds]
    return found, [min(time_of(pair[k]) for pair in rounds) for k in (0, 1)]


def print_report(records: list[dict], is_counts_only: bool) -> int:
    """A row a problem; means over the problems that both solved in every round. 1 where a run failed or answers differ."""
    code = 0
    means: dict[tuple, list[float]] = {}
    for (host, problem, ranks, size), rounds in pairs_of(records).items():
        wrong = next(filter(None, (faults(*pair) for pair in rounds)), "")
        code = code or int(bool(wrong))
        row = f"{host} {problem} ({size}), {ranks} rank(s)"
        if is_counts_only or wrong:
            theirs, ours = rounds[0]
            print(f"{row}\n    MUMPS       {counts_of(theirs)}\n    overlapack  {counts_of(ours)}{'   WRONG: ' + wrong if wrong else ''}")
            continue
        found, best = ratios_of(rounds)
        means.setdefault((host, ranks), []).append(ratios.geometric_mean(found))
        noisy = sum(record["is_noisy"] for pair in rounds for record in pair)
        print(f"{row}: MUMPS {best[0]:.3f} s, overlapack {best[1]:.3f} s, ratio {ratios.geometric_mean(found):.2f} "
              f"{_bounds(ratios.interval(found))}{f', {noisy} runs disturbed' if noisy else ''}")
    for (host, ranks), found in means.items():
        print(f"{host}, {ranks} rank(s), {len(found)} problems: geometric mean {ratios.geometric_mean(found):.2f} {_bounds(ratios.interval(found))}")
    return code


def _bounds(bounds: tuple[float, float] | None) -> str:
    return f"[{bounds[0]:.2f}, {bounds[1]:.2f}]" if bounds else ""
