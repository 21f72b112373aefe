"""loop_ipopt.py LIBRARY [COUNT]: hs071, a problem of 4 unknowns, COUNT times by casadi's Ipopt, as a program does that controls something: with
its MUMPS, and with the drop-in LIBRARY as HSL_MA97. CPU microseconds a solve, least of 5."""
import sys
import time

import casadi


def solver(options):
    x = casadi.SX.sym("x", 4)
    f = x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2]
    g = casadi.vertcat(x[0] * x[1] * x[2] * x[3], casadi.sumsqr(x))
    quiet = {"ipopt.print_level": 0, "ipopt.sb": "yes", "print_time": False}
    return casadi.nlpsol("hs071", "ipopt", {"x": x, "f": f, "g": g}, {**quiet, **options})


def main():
    library, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    for name, options in (("MUMPS", {"ipopt.linear_solver": "mumps"}), ("overlapack", {"ipopt.linear_solver": "ma97", "ipopt.hsllib": library})):
        solve, seconds = solver(options), []
        for _ in range(5):
            start = time.process_time()
            for _ in range(count):
                result = solve(x0=[1, 5, 5, 1], lbx=1, ubx=5, lbg=[25, 40], ubg=[casadi.inf, 40])
            seconds.append((time.process_time() - start) / count)
        print(f"{name}: {1e6 * min(seconds):.0f} us, {solve.stats()['iter_count']} iterations, optimum {float(result['f']):.9f}")


if __name__ == "__main__":
    main()
