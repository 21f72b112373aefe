#!/usr/bin/env python3
"""Runs an example of PETSc's, as its package has it, with MUMPS and with overlapack, and compares what it prints.

    petsc_examples.py NAME --petsc FOLDER --examples FOLDER --library FILE --mpirun FILE [--list]

The sources are compiled as they are; the drop-in comes by -dll_prepend, and is chosen by the option that chooses MUMPS.
"""
import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

DIRECT = "-ksp_type preonly -pc_factor_mat_solver_type SOLVER"
LINEAR = "@DATA@/spd-real-int32-float64"
GENERAL = "@DATA@/ns-real-int32-float64"
STOKES = ("-stokes_pc_use_amat -stokes_ksp_type fgmres -stokes_pc_type fieldsplit -stokes_pc_fieldsplit_block_size 3"
          " -stokes_pc_fieldsplit_type SYMMETRIC_MULTIPLICATIVE -stokes_fieldsplit_u_ksp_type preonly -stokes_fieldsplit_u_pc_type lu"
          " -stokes_fieldsplit_p_ksp_type preonly -stokes_fieldsplit_p_pc_type jacobi -c_str 0 -solcx_eta0 1.0 -solcx_eta1 1.0e6"
          " -solcx_xc 0.5 -solcx_nz 2 -mx 20 -my 20 -stokes_ksp_monitor_short -stokes_fieldsplit_u_pc_factor_mat_solver_type SOLVER")
# name: (source, is complex, options of each run). The options are those of the tests with MUMPS at the end of the source, or
# its options with that solver.
EXAMPLES = {
    "laplace": ("ksp/ksp/tutorials/ex2.c", False,
                [f"{DIRECT} -pc_type lu -m 30 -n 41", f"{DIRECT} -pc_type cholesky -m 30 -n 41 -mat_type sbaij",
                 f"{DIRECT} -pc_type bjacobi -sub_pc_type lu -sub_pc_factor_mat_solver_type SOLVER -ksp_type gmres -m 9 -n 8"]),
    "mumps_tutorial": ("ksp/ksp/tutorials/ex52.c", False,
                       [f"{DIRECT} -pc_type lu -m 50 -n 50", f"{DIRECT} -pc_type cholesky -mat_type sbaij", f"{DIRECT} -pc_type cholesky"]),
    "same_pattern": ("ksp/ksp/tutorials/ex6.c", False, [f"-f {LINEAR} -num_numfac 2 -pc_type lu -pc_factor_mat_solver_type SOLVER"]),
    "loaded": ("ksp/ksp/tutorials/ex72.c", False,
               [f"-f0 {LINEAR} {DIRECT} -pc_type cholesky -num_numfac 2 -num_rhs 2",
                f"-f0 {GENERAL} {DIRECT} -pc_type lu -num_numfac 2 -num_rhs 2 -trans"]),
    "inertia": ("ksp/ksp/tests/ex33.c", False,
                ["-sigma 2.0 -pc_factor_mat_solver_type SOLVER -mat_mumps_icntl_13 1 -mat_mumps_icntl_24 1"]),
    "factored_matrices": ("mat/tests/ex28.c", False, ["-mat_solver_type SOLVER"]),
    "cavity": ("snes/tutorials/ex19.c", False,
               ["-pc_type fieldsplit -pc_fieldsplit_block_size 4 -pc_fieldsplit_type SCHUR -pc_fieldsplit_0_fields 0,1,2"
                " -pc_fieldsplit_1_fields 3 -fieldsplit_0_pc_type lu -fieldsplit_1_pc_type lu -snes_monitor_short -ksp_monitor_short"
                " -fieldsplit_0_pc_factor_mat_solver_type SOLVER -fieldsplit_1_pc_factor_mat_solver_type SOLVER",
                "-da_refine 3 -snes_monitor_short -pc_type redundant -dm_mat_type aij -redundant_ksp_type preonly"
                " -redundant_pc_factor_mat_solver_type SOLVER"]),
    "stokes": ("ksp/ksp/tutorials/ex43.c", False, [STOKES]),
    "helmholtz": ("ksp/ksp/tutorials/ex11.c", True,
                  [f"-n 12 -norandom {DIRECT} -pc_type lu -ksp_monitor_short", "-n 12 -norandom -pc_type asm -sub_pc_type lu"
                   " -sub_pc_factor_mat_solver_type SOLVER -ksp_monitor_short"]),
}


ROUNDING = re.compile(r"\b\d(\.\d+)?e-(1[2-9]|[2-9]\d)\b|(?<=error )0\.")  # errors of either solver below 1e-11


def run(mpirun, ranks, program, options, solver, library):
    """What it printed, with one name for both solvers and one word for rounding errors."""
    # options of the other solver are not read: no word about that
    command = [mpirun, "-n", str(ranks), program, "-dll_prepend", library, "-options_left", "no",
               *options.replace("SOLVER", solver).split()]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=200)
    return done.returncode, ROUNDING.sub("ROUNDING", re.sub(solver, "SOLVER", done.stdout, flags=re.IGNORECASE))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=EXAMPLES)
    for option in ("--petsc", "--examples", "--library", "--mpirun", "--compiler"):
        parser.add_argument(option, required=True)
    chosen = parser.parse_args()
    source, _, runs = EXAMPLES[chosen.name]
    petsc, data = Path(chosen.petsc), Path(chosen.examples).parents[1] / "datafiles/matrices"
    links = next(petsc.glob("lib/libpetsc*.so")).stem.removeprefix("lib")
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        program = os.path.join(work, chosen.name)
        subprocess.run([chosen.compiler, "-w", Path(chosen.examples) / source, "-o", program, f"-I{petsc}/include", f"-L{petsc}/lib",
                        f"-l{links}", "-lm"], check=True)
        for options in runs:
            options = options.replace("@DATA@", str(data))
            for ranks in (1, 2, 4):
                theirs, ours = (run(chosen.mpirun, ranks, program, options, solver, chosen.library) for solver in ("mumps", "overlapack"))
                is_right = theirs[0] == 0 and ours == theirs
                failed += not is_right
                print(f"{'ok' if is_right else 'FAILED'}: {source} on {ranks} ranks, {options}")
                if not is_right:
                    print(f"exit codes: {theirs[0]} with MUMPS, {ours[0]} with overlapack")
                    print(*difflib.unified_diff(theirs[1].splitlines(), ours[1].splitlines(), "mumps", "overlapack", lineterm=""), sep="\n")
    print(f"{3 * len(runs) - failed} runs passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
