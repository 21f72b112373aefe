#!/usr/bin/env python3
"""Steps of GMRES around blocks, with and without their coarse level: by the number of blocks, and on the way to a solution.

    bench/coarse_level.py           runs the cases on one rank, keeps the steps in results/coarse_level.json and draws the pictures of docs/jacobi.md
    bench/coarse_level.py --growth  runs few blocks and 64 on 2 and on 8 ranks, keeps their steps there, and writes the table of docs/lab/jacobi.md
    bench/coarse_level.py --draw    pictures and table from the steps that are kept
    bench/coarse_level.py --check   writes nothing; 1 if the table is not that of the steps that are kept

Steps do not depend on the load of the computer. The right-hand side is random. Blocks of the pictures overlap by one layer and are factorised; those of the table
overlap as by default, and are factorised or replaced by incomplete factors."""
import argparse
import itertools
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.io import mmread
from scipy.sparse import csc_array, csr_array

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "studies")]
from iterative.systems import jumps, write_system  # noqa: E402
from simulated import plot  # noqa: E402

RESULTS, PICTURES, PAGE = ROOT / "bench/results/coarse_level.json", ROOT / "docs/pictures", ROOT / "docs/lab/jacobi.md"
TABLE = re.compile(r"(<!-- bench/coarse_level\.py -->\n).*?(<!-- end -->)", re.DOTALL)
SIZE, BLOCKS, SOME_BLOCKS = 32, (4, 16, 64, 256), 64
TOLERANCES = [10.0**-k for k in range(1, 9)]
GROWTH = {"jumps:32": ("gmres",), "elasticity:16": ("gmres", "cg"), "cube:32": ("gmres", "cg")}  # of bench/preconditioners, smaller
FEW_BLOCKS = {2: 4, 8: 8}  # by ranks
LEVELS = {"none": "no coarse level", "near_null_space": "coarse level"}


def generated(kind):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "A.mtx"
        subprocess.run(["overlapack", "generate", kind, str(SIZE), "-o", path], check=True, stdout=subprocess.DEVNULL)
        return csc_array(mmread(path))


def steps(A, blocks, coarse, tolerance):
    import overlapack

    M = overlapack.iterate(A, method="multisplitting", accelerator="gmres", blocks=blocks, overlap=1, inner="direct", coarse=coarse, tolerance=tolerance, ranks=1)
    M.solve(np.random.default_rng(0).standard_normal(A.shape[0]))
    return M.report.iterations["max"]


def measure():
    found = {}
    for name, A in (("Laplacian", generated("cube")), ("coefficients that jump by 10^4", csc_array(jumps(SIZE)))):
        found[name] = {level: {"by_blocks": [steps(A, blocks, level, 1e-8) for blocks in BLOCKS],
                               "by_tolerance": [steps(A, SOME_BLOCKS, level, tolerance) for tolerance in TOLERANCES]} for level in LEVELS}
        print(name, found[name], flush=True)
    return {"points": SIZE, "blocks": BLOCKS, "tolerances": TOLERANCES, "steps": found}


def growth():
    """Steps around few and around 64 blocks, with a coarse level, by system, accelerator, what is inside and ranks."""
    import overlapack

    found = []
    for system, accelerators in GROWTH.items():
        with tempfile.TemporaryDirectory() as folder:
            file, about = write_system(system, "overlapack", Path(folder))
            read = np.load(file)
            A, b, near = csr_array((read["data"], read["indices"], read["indptr"])).tocsc(), read["b"], read["near"]
        for accelerator, inner, ranks in itertools.product(accelerators, ("ilu", "direct"), FEW_BLOCKS):
            counts = []
            for blocks in (FEW_BLOCKS[ranks], SOME_BLOCKS):
                M = overlapack.iterate(A, method="multisplitting", accelerator=accelerator, blocks=blocks, inner=inner, coarse="near_null_space",
                                       near_null_space=near if near.size else None, tolerance=1e-8, ranks=ranks)
                M.solve(b)
                counts.append(M.report.iterations["max"])
            found.append({"system": system, "unknowns": about["unknowns"], "accelerator": accelerator, "inner": inner, "ranks": ranks, "few": FEW_BLOCKS[ranks], "steps": counts})
            print(found[-1], flush=True)
    return {"version": overlapack.__version__, "rows": found}


def growth_text(kept):
    lines = [f"overlapack {kept['version']}, to 1e-8, engine thread. Steps do not depend on the load.", "",
             f"| system | accelerator | blocks by | ranks | few blocks | their steps | steps with {SOME_BLOCKS} blocks | ratio |", "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for row in kept["rows"]:
        few, some = row["steps"]
        lines.append(f"| {row['system'].replace(':', ' ')}, {row['unknowns']:,} unknowns | {row['accelerator']} | {row['inner']} | {row['ranks']} | {row['few']} | {few} | {some} | {some / few:.2f} |")
    of_inner = {inner: [row["steps"][1] / row["steps"][0] for row in kept["rows"] if row["inner"] == inner] for inner in ("ilu", "direct")}
    told = " and ".join(f"with {inner} {min(ratios):.2f} to {max(ratios):.2f}" for inner, ratios in of_inner.items())
    return "\n".join([*lines, "", f"The ratio is {told}.", ""])


def write_table(kept, is_check):
    """Returns whether the page had it already."""
    old = PAGE.read_text()
    new = TABLE.sub(lambda block: block[1] + growth_text(kept) + block[2], old)
    if not is_check:
        PAGE.write_text(new)
    return new == old


def draw(kept):
    def curves(what):
        return {f"{name}, {LEVELS[level]}": (range(len(of[what])), of[what], "o-" if level != "none" else "s--")
                for name, levels in kept["steps"].items() for level, of in levels.items()}

    size = f"{kept['points']}^3 unknowns"
    plot(PICTURES / "coarse-blocks.svg", f"Steps of GMRES to 1e-8, {size}", "blocks", "steps", curves("by_blocks"), kept["blocks"])
    plot(PICTURES / "coarse-convergence.svg", f"Steps of GMRES around {SOME_BLOCKS} blocks, {size}", "residual", "steps", curves("by_tolerance"),
         [f"{tolerance:.0e}" for tolerance in kept["tolerances"]])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    which = parser.add_mutually_exclusive_group()
    for option in ("--growth", "--draw", "--check"):
        which.add_argument(option, action="store_true")
    asked = parser.parse_args()
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    if asked.check:
        sys.exit(0 if write_table(kept["growth"], True) else f"{PAGE} differs from the steps: call bench/coarse_level.py --draw")
    if asked.growth:
        kept["growth"] = growth()
    elif not asked.draw:
        kept |= measure()
    RESULTS.write_text(json.dumps(kept, indent=1))
    if not asked.growth:
        draw(kept)
    write_table(kept["growth"], False)


if __name__ == "__main__":
    main()
