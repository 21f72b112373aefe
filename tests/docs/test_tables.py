"""The tables of pages of docs/ and the bar chart of README.md are those that bench/tables.py makes of the runs in bench/results."""
import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "bench" / "tables.py"


def tables(*arguments):
    return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def test_the_pages_are_what_the_runs_tell():
    done = tables("--check")
    assert done.returncode == 0, done.stdout + done.stderr


def run_of(peer, matrix, turn, seconds, **more):
    times = {"factor_s": seconds, "solve_s": seconds, "analysis_s": seconds, "peak_bytes": 1e6}
    return {"peer": peer, "matrix": matrix, "ranks": 1, "round": turn, "status": "ok", "variant": "metis", "version": "1.2.3",
            "time": "2026-01-02T00:00:00Z", "is_noisy": False, "backward_error": 1e-16, **times, **more}


@pytest.fixture
def made(tmp_path):
    """Pages about three matrices: MUMPS always twice as slow, UMFPACK sometimes faster, KLU without an answer to one."""
    records = []
    for m, matrix in enumerate(["a", "b", "c"]):
        for turn in range(2):
            records.append(run_of("overlapack", matrix, turn, 1.0))
            records.append(run_of("mumps", matrix, turn, 2 + m / 10))
            records.append(run_of("umfpack", matrix, turn, [0.5, 1.0, 3.0][m]))
            if matrix != "b":
                records.append(run_of("klu", matrix, turn, 0.5))
    records.append(run_of("klu", "b", "choice", 0, status="timeout", message="stopped after 60 s"))
    records += [run_of("superlu_dist", m, "choice", 0, status="crashed", message="exit 139") for m in "abc"]
    records += [run_of("cholmod", m, "choice", 0, status="not run", message="SPD only") for m in "abc"]
    machine = {"cpu": "a processor", "cpus": 2, "memory_gib": 8, "system": "Linux"}
    matrices = {name: {"n": 10 * (i + 1), "nnz": 5, "is_symmetric": False, "kind": "small"} for i, name in enumerate("abc")}
    (tmp_path / "docs" / "pictures").mkdir(parents=True)
    (tmp_path / "docs" / "lab").mkdir()
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "sparse.json").write_text(
        json.dumps({"machine": machine, "matrices": matrices, "records": records}))
    of_jacobi = [{"part": "variants", "case": "a cube", "name": "sync", "values": [2.0, 4.0], "iterations": [10, 11]},
                 {"part": "variants", "case": "a cube", "name": "async", "values": [1.0, 2.0], "iterations": [12, 12]},
                 {"part": "variants", "case": "a cube", "name": "racy", "values": [], "status": "not_converged"},
                 {"part": "sweep", "case": "256^3", "name": "triad", "values": [20.0, 10.0]},
                 {"part": "sweep", "case": "256^3", "name": "sweep", "values": [10.0, 5.0]}]
    (tmp_path / "results" / "jacobi.json").write_text(json.dumps({
        "machine": machine, "records": [{"time": "2026-01-02T00:00:00Z", "disturbed_runs": 3, **r} for r in of_jacobi]}))
    of_programs = [{"host": "ipopt", "problem": problem, "ranks": 1, "size": 9, "round": turn, "peer": peer, "status": status, "message": "gone astray",
                    "total_s": seconds, "functions_s": 1.0, "optimum": 1.0, "is_noisy": False, "time": "2026-01-02T00:00:00Z"}
                   for problem, status in (("short", "ok"), ("endless", "failed")) for turn in range(2)
                   for peer, seconds in (("mumps", 4.0), ("overlapack", 2.0))]
    (tmp_path / "results" / "dropins.json").write_text(json.dumps({"machine": machine, "records": of_programs}))
    of_messages = [{"what": what, "bytes": size, "us": us, "is_noisy": turn == "2", "time": f"2026-01-02T00:00:0{turn}Z"} for turn in "12"
                   for what, size, us in (("message", 1000, {"mpi": 3.0, "MPI_Isend": 1.5, "MPI_Send": 1.25, "thread": 0.5}),
                                          ("first opening", 0, {"mpi": 9.0, "MPI_Comm_dup": 6.0, "MPI_Allreduce": 3.0}))]
    (tmp_path / "results" / "latency.json").write_text(json.dumps({"machine": machine, "records": of_messages}))
    of_conditions = [{"peer": peer, "family": "equal_rows", "condition": condition, "solver": solver, "true_condition": condition, "status": status,
                      "error": error, "bound": None} for condition in (1e2, 1e17) for peer, solver, status, error in (
                          ("overlapack", "dense", "ok", 1e-15), ("overlapack", "mixed", "BadInput", None), ("NumPy", "NumPy", "LinAlgError", None))]
    (tmp_path / "results" / "conditioning.json").write_text(json.dumps({"machine": machine, "records": of_conditions}))
    to_solution = [{**run_of(peer, matrix, 0, seconds, solution_s=seconds), "ranks": 2} for matrix, times in (("a", (1.0, 2.5, 20.0)), ("cti_lap", (3.0, 3.0, 1.5)))
                   for peer, seconds in zip(("overlapack", "pardiso", "mumps"), times)]
    to_solution.append({**run_of("splu", "a", "choice", 0, status="timeout", message="stopped after 200 s"), "ranks": 2})
    (tmp_path / "results" / "solution.json").write_text(json.dumps({"machine": machine, "matrices": {"a": matrices["a"], "cti_lap": matrices["b"]}, "records": to_solution}))
    nodes = [{**r, "peer": {"overlapack": "supernodal", "mumps": "multifrontal"}.get(r["peer"], r["peer"])} for r in records]
    (tmp_path / "results" / "supernodal.json").write_text(json.dumps({"machine": machine, "matrices": matrices, "records": nodes}))
    for page, names in (("docs/performance.md", ["sparse-means", "solution", "dense", "sparse-matrices", "sparse-unsolved", "dropins", "latency"]),
                        ("docs/lab/jacobi.md", ["jacobi"]), ("docs/supernodal.md", ["supernodal-means"]), ("docs/testing.md", ["conditioning"])):
        (tmp_path / page).write_text("".join(f"<!-- bench/tables.py {n} -->\n<!-- end -->\n" for n in names))
    options = ["--results", tmp_path / "results", "--pages", tmp_path]
    assert tables("--check", *options).returncode == 1
    assert tables(*options).returncode == 0
    assert tables("--check", *options).returncode == 0
    return tmp_path, options


def test_bold_is_what_is_better_in_its_whole_interval(made):
    folder, _ = made
    rows = {line.split(" | ")[0]: line for line in (folder / "docs/performance.md").read_text().splitlines()}
    # ratios 2, 2.1, 2.2: logarithms with a deviation of 0.0477, Student's t of 4.303 with two degrees of freedom
    assert re.search(r"\| \*\*2\.10\*\* \[1\.86, 2\.36\] \|", rows["| MUMPS 1.2.3"])
    assert rows["| MUMPS 1.2.3"].endswith("| 3 of 3 | 0 |")
    assert "**" not in rows["| UMFPACK 1.2.3"] and "| 1.14 [" in rows["| UMFPACK 1.2.3"]
    assert rows["| UMFPACK 1.2.3"].endswith("| 1 of 3 | 0 |")
    assert "| 0.50 [0.50, 0.50] |" in rows["| KLU 1.2.3"] and rows["| KLU 1.2.3"].endswith("| 0 of 2 | 1 |")


def test_every_matrix_and_every_failure_has_its_row(made):
    folder, _ = made
    text = (folder / "docs" / "performance.md").read_text()
    for name in "abc":
        assert re.search(rf"^\| {name} \| small \|", text, re.MULTILINE)
    assert "| crashed |" in text and "CHOLMOD" not in text
    assert re.search(r"^\| SuperLU_DIST 1\.2\.3 \| 1 rank (\| - )+\| 3 \|$", text, re.MULTILINE)
    assert "| timeout |" in text and "- KLU 1.2.3, 1 rank, b: timeout, stopped after 60 s" in text


def test_jacobi_is_compared_round_by_round(made):
    folder, _ = made
    text = (folder / "docs" / "lab" / "jacobi.md").read_text()
    assert "2 processors; 2026-01-02; 6 runs were disturbed" in text
    assert "| variants, a cube | async | 1 s | 12 | 2.00 [2.00, 2.00] | time of sync over its own |" in text
    assert "| variants, a cube | racy | not_converged |" in text
    assert "| sweep, 256^3 | sweep | 10 GB/s |  | 0.50 [0.50, 0.50] | share of the triad's bytes a second |" in text


def test_programs_are_compared_without_their_own_functions(made):
    folder, _ = made
    text = (folder / "docs" / "performance.md").read_text()
    assert "ipopt, 1 rank: **3.00** over 1 problems" in text or "ipopt, 1 rank: 3.00 over 1 problems" in text
    assert "| ipopt | short | 1 | 3.000 | 1.000 | **3.00** [3.00, 3.00] |" in text
    assert "| ipopt | endless | 1 | - | - | mumps: failed gone astray |" in text


def test_a_method_of_ours_is_compared_as_ours(made):
    folder, _ = made
    text = (folder / "docs" / "supernodal.md").read_text()
    assert re.search(r"\| our fronts 1\.2\.3 \| 1 rank \| \*\*2\.10\*\* \[1\.86, 2\.36\] \|", text)


def test_without_runs_the_page_says_so(made):
    folder, _ = made
    assert "No run is kept. `bench/dense_compare" in (folder / "docs/performance.md").read_text()


def test_times_to_a_solution_are_bars_and_rows(made):
    folder, options = made
    page = (folder / "docs" / "performance.md").read_text()
    assert "| cti_lap | 3D mesh | 20 | 3.000 | 3.000 (1.0) | 1.500 (0.5) | not run |\n| a | small | 10 | 1.000 | 2.500 (2.5) | 20.000 (20.0) | timeout |\n" in page
    pictures = [(folder / "docs" / "pictures" / f"solution-{theme}.svg").read_text() for theme in ("light", "dark")]
    assert pictures[0] != pictures[1]
    for picture in pictures:
        tree = ElementTree.fromstring(picture)
        texts = [t.text for t in tree.iter("{http://www.w3.org/2000/svg}text")]
        assert {"1 s", "3 s", "2.5", "20.0 →", "0.5", "SciPy splu: timeout", "SciPy splu: not run"} <= set(texts)
        lengths = [float(bar.get("width")) for bar in tree.iter("{http://www.w3.org/2000/svg}rect") if bar.get("width") != "12"]
        assert lengths == [60, 60, 30, 60, 150, 480]  # of cti_lap, then of a; the last is cut off
    (folder / "docs" / "pictures" / "solution-dark.svg").write_text(pictures[1].replace("2.5", "3.5"))
    done = tables("--check", *options)
    assert done.returncode == 1 and "solution-dark.svg" in done.stdout


def test_a_figure_that_was_typed_in_is_found(made):
    folder, options = made
    page = folder / "docs/performance.md"
    page.write_text(page.read_text().replace("1.14", "1.41"))
    done = tables("--check", *options)
    assert done.returncode == 1 and "docs/performance.md" in done.stdout


def test_runs_of_another_processor_have_tables_of_their_own(made):
    folder, options = made
    runs = json.loads((folder / "results" / "sparse.json").read_text())
    runs["machine"] |= {"vendor": "GenuineIntel", "family": "6", "model": "207", "vectors": "AVX-512"}
    for record in runs["records"]:
        record["blas"] = "OpenBLAS 0.3.34 DYNAMIC_ARCH, kernels SkylakeX" if record["peer"] == "overlapack" else "none"
    (folder / "results" / "intel").mkdir()
    (folder / "results" / "intel" / "sparse.json").write_text(json.dumps(runs))
    page = folder / "docs/performance.md"
    page.write_text("<!-- bench/tables.py sparse-means -->\n<!-- end -->\n<!-- bench/tables.py intel/sparse-means -->\n<!-- end -->\n"
                    "<!-- bench/tables.py intel/dense -->\n<!-- end -->\n")
    assert tables(*options).returncode == 0
    old, new, none = page.read_text().split("<!-- end -->\n")[:3]
    assert "a processor, 2 processors" in old and "kernels not recorded" in old
    assert "a processor (family 6, model 207, AVX-512), 2 processors" in new
    assert "OpenBLAS 0.3.34, kernels SkylakeX (overlapack); no BLAS (MUMPS, UMFPACK, KLU, SuperLU_DIST, CHOLMOD)" in new
    assert "--json bench/results/intel/dense.json" in none


def test_messages_beside_mpi(made):
    folder, _ = made
    page = (folder / "docs" / "performance.md").read_text()
    assert "; 1 of 2 runs were disturbed" in page
    assert "| 1,000 bytes | 3 | 1.5 | 1.25 | 0.5 | 2.00 [2.00, 2.00] |\n" in page
    assert "| first opening | 9 | 3 | 6 | - | 3.00 [3.00, 3.00] |\n" in page


def test_refusals_of_ours_are_counted_below_a_condition(made):
    folder, _ = made
    page = (folder / "docs" / "testing.md").read_text()
    assert "; 6 solves, 1 refused below condition 1 / epsilon; 0 errors above their bound.\n" in page
    assert "| mixed | BadInput | BadInput |\n" in page and "| NumPy | LinAlgError | LinAlgError |\n" in page
