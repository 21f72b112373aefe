#!/usr/bin/env python3
"""Solves one system and tells what it took: a line of JSON from each rank. Started by bench/preconditioners, under mpirun for several ranks.

preconditioned.py SYSTEM ours '{"method": ..., "accelerator": ...}'    overlapack.iterate; methods with factors: overlapack.factorize
preconditioned.py SYSTEM petsc -ksp_type cg -pc_type gamg ...          petsc4py, rows in equal slabs

SYSTEM is an .npz with data, indices, indptr of rows, b, and near, the near null space, of k or no columns. Seconds are those of the set-up
and the solution, of a matrix that each library has, by the clock and of the processor (waiting for others counts, as MPI polls). Bytes are the growth of the peak, its copy of the matrix included."""

import json
import os
import sys
import time

import numpy as np

TOLERANCE = 1e-8
CYCLE = 60  # directions that GMRES keeps, ours and PETSc's


def resident_bytes(field: str) -> int:
    with open("/proc/self/status") as lines:
        return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(field + ":"))


def libraries() -> str:
    """Files of a BLAS that are in this process, but for numpy's."""
    with open("/proc/self/maps") as maps:
        found = {line.split()[-1] for line in maps if "blas" in line.split()[-1].lower() and "numpy" not in line and "scipy.libs" not in line}
    return ", ".join(sorted(os.path.basename(os.path.realpath(file)) for file in found))


def ours(system: dict, rank: int, words: list[str]) -> dict:
    import overlapack
    from scipy.sparse import csr_array

    options = json.loads(words[0])
    A = b = near = None
    if rank == 0:
        A = csr_array((system["data"], system["indices"], system["indptr"])).tocsc()
        b, near = system["b"], system["near"] if system["near"].size else None
    begin, start, cpu = resident_bytes("VmRSS"), time.perf_counter(), time.process_time()
    if options["method"] == "multisplitting":
        solver = overlapack.iterate(A, near_null_space=near if "coarse" in options else None, tolerance=TOLERANCE, **options)
    else:
        solver = overlapack.factorize(A, **options)
    x = solver.solve(b)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    report = solver.report
    iterations = report["iterations"]["max"] if options["method"] == "multisplitting" else 1
    residual = 0.0 if A is None else float(np.linalg.norm(b - A @ x) / np.linalg.norm(b))
    return {"seconds": seconds, "cpu_s": cpu, "iterations": iterations, "residual": residual, "begin": begin, "blas": libraries()}


def petsc(system: dict, rank: int, words: list[str]) -> dict:
    import petsc4py

    petsc4py.init(["petsc", "-ksp_gmres_restart", str(CYCLE), "-ksp_norm_type", "unpreconditioned", "-ksp_rtol", str(TOLERANCE),
                   "-ksp_max_it", "3000", *words])  # fmt: skip
    from petsc4py import PETSc

    begin, n = resident_bytes("VmRSS"), len(system["b"])
    ranks = PETSc.COMM_WORLD.size
    unit = 3 if system["near"].size else 1  # unknowns of a node stay together
    first, last = (unit * (n // unit * (rank + k) // ranks) for k in (0, 1))
    start = system["indptr"][first : last + 1]
    mine = slice(start[0], start[-1])
    A = PETSc.Mat().createAIJ(((last - first, n), (last - first, n)), csr=((start - start[0]).astype(np.int32), system["indices"][mine].astype(np.int32), system["data"][mine]))
    A.setBlockSize(unit)
    x, b = A.createVecs()
    b.array[:] = system["b"][first:last]
    if system["near"].size:
        vectors = []
        for column in np.linalg.qr(system["near"])[0].T:
            vectors.append(b.duplicate())
            vectors[-1].array[:] = column[first:last]
        A.setNearNullSpace(PETSc.NullSpace().create(vectors=vectors))
    ksp = PETSc.KSP().create()
    ksp.setOperators(A)
    ksp.setFromOptions()
    if ksp.getType() == "gmres":
        ksp.setPCSide(PETSc.PC.Side.RIGHT)
    PETSc.COMM_WORLD.barrier()
    begun, cpu = time.perf_counter(), time.process_time()
    ksp.setUp()
    ksp.solve(b, x)
    PETSc.COMM_WORLD.barrier()
    seconds, cpu = time.perf_counter() - begun, time.process_time() - cpu
    r = A * x
    r.axpy(-1, b)
    return {"seconds": seconds, "cpu_s": cpu, "iterations": ksp.getIterationNumber(), "residual": r.norm() / b.norm(), "begin": begin, "blas": libraries()}


def main() -> None:
    rank = int(os.environ.get("OMPI_COMM_WORLD_RANK", 0))
    with np.load(sys.argv[1]) as file:
        system = dict(file)
    result = {"ours": ours, "petsc": petsc}[sys.argv[2]](system, rank, sys.argv[3:])
    result["bytes"] = resident_bytes("VmHWM") - result.pop("begin")
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
