"""Matrices of the studies and benchmarks that are made anew wherever they are wanted: by formulas and one seed, with NumPy and SciPy alone.

Most stand for a matrix of paper 1 (Amestoy, Duff, L'Excellent, Li 2001), which is not given away with the project: same kind,
order and density, other entries. What is alike and what is not is said in the file that makes each. In a shell:

    cd studies && python3 -m stand_ins [--out DIR] NAME...

Right-hand sides are A times ones, as in the paper."""
import gzip
import importlib
import os
from dataclasses import dataclass
from pathlib import Path

SEED = 2001


@dataclass(frozen=True)
class StandIn:
    made_by: str  # file and function
    stands_for: str  # a matrix of paper 1; empty: of none
    is_symmetric: bool
    n: int
    nnz: int  # in both triangles


CATALOGUE = {
    "bbmat_like": StandIn("aerofoil.bbmat_like", "BBMAT", False, 38688, 1512561),
    "ecl32_like": StandIn("device.ecl32_like", "ECL32", False, 52650, 641920),
    "invextr_like": StandIn("viscous_flow.invextr_like", "INVEXTR1", False, 30626, 2526810),
    "mixtank_like": StandIn("viscous_flow.mixtank_like", "MIXTANK", False, 29510, 2510291),
    "bmwcra_like": StandIn("crankshaft.bmwcra_like", "BMWCR1_1", True, 144108, 10161000),
    "bmw3_2_like": StandIn("car_body.bmw3_2_like", "BMW3_2", True, 235914, 13042182),
    "crankseg_like": StandIn("crankshaft.crankseg_like", "CRANKSG2", True, 58968, 8247358),
    "ship_like": StandIn("hull.ship_like", "SHIP_003", True, 122712, 7067664),
    "cube11_41": StandIn("model_problems.cube11", "", True, 68921, 734761),
    "convdiff3d_40": StandIn("model_problems.convdiff3d", "", False, 64000, 438400),
    "helmholtz3d": StandIn("model_problems.helmholtz3d", "", True, 21952, 148960),
    "kkt_pdeopt3d": StandIn("model_problems.kkt_pdeopt3d", "", True, 24000, 139200),
    "chem_like": StandIn("plant.chem_like", "", False, 18100, 116344),
    "circuit_pl": StandIn("circuit.circuit_pl", "", False, 99000, 472416),
}
OF_PAPER_1 = [name for name, made in CATALOGUE.items() if made.stands_for]


def make(name, *sizes):
    """The matrix in compressed columns, both triangles; other sizes than the catalogue's: see the function that makes it."""
    from .entries import canonical

    module, function = CATALOGUE[name].made_by.split(".")
    return canonical(getattr(importlib.import_module(f".{module}", __name__), function)(SEED, *sizes))


def write(name, path):
    """Into a Matrix Market file, compressed; of a symmetric matrix the lower triangle. The file is there when it is whole."""
    import scipy.io

    A = make(name)
    part = Path(f"{path}.{os.getpid()}")  # others may make it at the same time
    part.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(part, "wb", compresslevel=4) as out:
        scipy.io.mmwrite(out, A, comment=f" {name}, seed {SEED}", symmetry="symmetric" if CATALOGUE[name].is_symmetric else "general", precision=17)
    part.replace(path)


def file_of(name, folder):
    """NAME.mtx.gz in a folder, made where it is not there."""
    path = Path(folder) / f"{name}.mtx.gz"
    if not path.exists():
        write(name, path)
    return path
