#!/usr/bin/env python3
"""Steps of GMRES around blocks, with and without their coarse level: by the number of blocks, and on the way to a solution.

    bench/coarse_level.py           runs the cases on one rank, keeps the steps in results/coarse_level.json and draws the pictures of docs/jacobi.md
    bench/coarse_level.py --draw    the pictures from the steps that are kept

Steps do not depend on the load of the computer. The right-hand side is random; blocks overlap by one layer and are factorised."""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.io import mmread
from scipy.sparse import csc_array

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "studies")]
from iterative.systems import jumps  # noqa: E402
from simulated import plot  # noqa: E402

RESULTS, PICTURES = ROOT / "bench/results/coarse_level.json", ROOT / "docs/pictures"
SIZE, BLOCKS, SOME_BLOCKS = 32, (4, 16, 64, 256), 64
TOLERANCES = [10.0**-k for k in range(1, 9)]
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


def draw(kept):
    def curves(what):
        return {f"{name}, {LEVELS[level]}": (range(len(of[what])), of[what], "o-" if level != "none" else "s--")
                for name, levels in kept["steps"].items() for level, of in levels.items()}

    size = f"{kept['points']}^3 unknowns"
    plot(PICTURES / "coarse-blocks.svg", f"Steps of GMRES to 1e-8, {size}", "blocks", "steps", curves("by_blocks"), kept["blocks"])
    plot(PICTURES / "coarse-convergence.svg", f"Steps of GMRES around {SOME_BLOCKS} blocks, {size}", "residual", "steps", curves("by_tolerance"),
         [f"{tolerance:.0e}" for tolerance in kept["tolerances"]])
    for picture in PICTURES.glob("coarse-*.svg"):  # pages of docs name no address of others
        picture.write_text(re.sub(r" *<metadata>.*?</metadata>\n", "", picture.read_text(), flags=re.DOTALL))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", action="store_true")
    if not parser.parse_args().draw:
        RESULTS.write_text(json.dumps(measure(), indent=1))
    draw(json.loads(RESULTS.read_text()))


if __name__ == "__main__":
    main()
