"""Ipopt of casadi's wheel (3.14) with the drop-in as its HSL library: casadi_test.py LIBRARY."""
import sys

try:
    import casadi
except ImportError:
    print("skipped: casadi is not installed (pip install casadi)")
    sys.exit(0)


def iterations(problem, arguments, solver, library):
    options = {"ipopt.linear_solver": solver, "ipopt.print_level": 0, "ipopt.sb": "yes", "print_time": False}
    if solver == "ma97":
        options["ipopt.hsllib"] = library
    nlp = casadi.nlpsol("problem", "ipopt", problem, options)
    optimum = float(nlp(**arguments)["f"])
    return nlp.stats()["return_status"], nlp.stats()["iter_count"], optimum


def hanging_chain(links=40):
    """Least energy of a chain between two points above a slope."""
    x, y = casadi.SX.sym("x", links), casadi.SX.sym("y", links)
    energy = casadi.sumsqr(casadi.diff(x)) * 50 + casadi.sumsqr(casadi.diff(y)) * 50 + casadi.sum1(y)
    ends = casadi.vertcat(x[0], y[0] - 1, x[-1] - 2, y[-1] - 1)
    ground = y - casadi.cos(0.1 * x) + 0.15 * x
    return {"x": casadi.vertcat(x, y), "f": energy, "g": casadi.vertcat(ends, ground)}, {
        "x0": 1, "lbg": casadi.vertcat(casadi.DM.zeros(4 + links)), "ubg": casadi.vertcat(casadi.DM.zeros(4), casadi.DM.inf(links))}


def rosenbrock(n=50):
    x = casadi.SX.sym("x", n)
    return {"x": x, "f": casadi.sumsqr(1 - x[:-1]) + 100 * casadi.sumsqr(x[1:] - x[:-1] ** 2), "g": casadi.sumsqr(x)}, {
        "x0": -1, "lbg": 0, "ubg": 30}


failed = 0
for build in (hanging_chain, rosenbrock):
    theirs, ours = (iterations(*build(), solver, sys.argv[1]) for solver in ("mumps", "ma97"))
    is_right = (theirs[0] == ours[0] == "Solve_Succeeded" and abs(theirs[2] - ours[2]) <= 1e-6 * max(1, abs(theirs[2]))
                and abs(theirs[1] - ours[1]) <= 0.1 * theirs[1])
    failed += not is_right
    print("ok" if is_right else "FAILED", build.__name__, "MUMPS:", theirs, "overlapack as MA97:", ours)
is_loaded = "liboverlapack_ma97" in open("/proc/self/maps").read()  # or another HSL library was used
print("the drop-in is loaded:", is_loaded)
failed += not is_loaded
sys.exit(1 if failed else 0)
