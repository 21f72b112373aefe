#!/usr/bin/env python3
"""Runs an example of PETSc's, as its package has it, with MUMPS and with overlapack, and compares what it prints.

    petsc_examples.py NAME --petsc FOLDER --examples FOLDER --library FILE --mpirun FILE --compiler FILE [--preloaded]

The sources are compiled as they are; the drop-in comes by -dll_prepend, and is chosen by the option that chooses MUMPS.
--preloaded: the library is the one with MUMPS's functions, and comes before PETSc's MUMPS by LD_PRELOAD; the options are the same.
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
    "mumps_by_itself": ("ksp/ksp/tutorials/ex52.c", False,
                        ["-use_mumps_lu", "-use_mumps_ch", "-use_mumps_ch -mat_type sbaij", "-use_mumps_lu -m 50 -n 50"]),
    "same_pattern": ("ksp/ksp/tutorials/ex6.c", False, [f"-f {LINEAR} -num_numfac 2 -pc_type lu -pc_factor_mat_solver_type SOLVER"]),
    "loaded": ("ksp/ksp/tutorials/ex72.c", False,
               [f"-f0 {LINEAR} {DIRECT} -pc_type cholesky -num_numfac 2 -num_rhs 2",
                f"-f0 {GENERAL} {DIRECT} -pc_type lu -num_numfac 2 -num_rhs 2 -trans"]),
    "inertia": ("ksp/ksp/tests/ex33.c", False,
                ["-sigma 2.0 -pc_factor_mat_solver_type SOLVER -mat_mumps_icntl_13 1 -mat_mumps_icntl_24 1"]),
    "schur": ("mat/tests/ex192.c", False,
              ["-solver 0 -symmetric_solve", "-solver 0 -symmetric_solve -hermitian_solve"]),
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

ON_ONE_RANK = {"schur"}  # as the example itself says

ROUNDING = re.compile(r"\b\d(\.\d+)?e-(1[2-9]|[2-9]\d)\b|(?<=error )0\.")  # errors of either solver below 1e-11


def run(chosen, ranks, program, options, is_ours):
    """What it printed, with one name for both solvers and one word for rounding errors."""
    solver = "overlapack" if is_ours and not chosen.preloaded else "mumps"
    command = [chosen.mpirun, "-n", str(ranks)]
    if chosen.preloaded and is_ours:
        command += ["-x", "LD_PRELOAD=" + chosen.library]
    command += [program, "-options_left", "no", *options.replace("SOLVER", solver).split()]  # no word on options of the other solver
    if not chosen.preloaded:
        command += ["-dll_prepend", chosen.library]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=200)
    return done.returncode, ROUNDING.sub("ROUNDING", re.sub(solver, "SOLVER", done.stdout, flags=re.IGNORECASE))


def is_preloaded(chosen, program):
    """Factors on a disc (ICNTL(22)) are what only MUMPS has."""
    return "INFOG(1)=-800" in run(chosen, 1, program, "-use_mumps_lu -mat_mumps_icntl_22 1 -info", True)[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=EXAMPLES)
    for option in ("--petsc", "--examples", "--library", "--mpirun", "--compiler"):
        parser.add_argument(option, required=True)
    parser.add_argument("--preloaded", action="store_true")
    chosen = parser.parse_args()
    source, _, runs = EXAMPLES[chosen.name]
    petsc, data = Path(chosen.petsc), Path(chosen.examples).parents[1] / "datafiles/matrices"
    links = next(petsc.glob("lib/libpetsc*.so")).stem.removeprefix("lib")
    failed = passed = 0
    with tempfile.TemporaryDirectory() as work:
        program = os.path.join(work, chosen.name)
        subprocess.run([chosen.compiler, "-w", Path(chosen.examples) / source, "-o", program, f"-I{petsc}/include", f"-L{petsc}/lib",
                        f"-l{links}", "-lm"], check=True)
        for options in runs:
            options = options.replace("@DATA@", str(data))
            for ranks in (1,) if chosen.name in ON_ONE_RANK else (1, 2, 4):
                theirs, ours = (run(chosen, ranks, program, options, is_ours) for is_ours in (False, True))
                is_right = theirs[0] == 0 and ours == theirs
                failed += not is_right
                passed += is_right
                print(f"{'ok' if is_right else 'FAILED'}: {source} on {ranks} ranks, {options}")
                if not is_right:
                    print(f"exit codes: {theirs[0]} with MUMPS, {ours[0]} with overlapack")
                    print(*difflib.unified_diff(theirs[1].splitlines(), ours[1].splitlines(), "mumps", "overlapack", lineterm=""), sep="\n")
        if chosen.name == "mumps_by_itself" and not is_preloaded(chosen, program):
            print("FAILED: PETSc called its own MUMPS")
            failed += 1
    print(f"{passed} runs passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
