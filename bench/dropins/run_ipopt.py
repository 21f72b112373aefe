"""run_ipopt.py PROBLEM SIZE SOLVER [LIBRARY]: one problem by casadi's Ipopt, with its MUMPS or with the drop-in as HSL_MA97; a line
of JSON. functions_s is what the problem's functions took, the rest is Ipopt and the solver."""
import json
import sys

import casadi
from problems import PROBLEMS

name, size, solver, *library = sys.argv[1:]
problem, arguments = PROBLEMS[name](int(size))
options = {"ipopt.linear_solver": "ma97" if library else "mumps", "ipopt.print_level": 0, "ipopt.sb": "yes", "print_time": False, "record_time": True,
           "ipopt.max_iter": 500}
if library:
    options["ipopt.hsllib"] = library[0]
solve = casadi.nlpsol("problem", "ipopt", problem, options)
optimum = float(solve(**arguments)["f"])
stats = solve.stats()
total = stats["t_wall_total"]
functions = sum(value for key, value in stats.items() if key.startswith("t_wall_nlp"))
maps = open("/proc/self/maps").read()
is_loaded = "liboverlapack_ma97" in maps
its_blas = next((line.split()[-1] for line in maps.splitlines() if "casadi-tp-openblas" in line), "")
is_ok = stats["return_status"] in ("Solve_Succeeded", "Solved_To_Acceptable_Level") and is_loaded == bool(library)
print(json.dumps({"status": "ok" if is_ok else "failed", "message": stats["return_status"], "optimum": optimum,
                  "iterations": stats["iter_count"], "total_s": total, "functions_s": functions, "n": problem["x"].numel(),
                  "constraints": problem["g"].numel() if "g" in problem else 0, "version": casadi.__version__, "blas_file": its_blas}))
