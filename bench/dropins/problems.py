"""Twenty problems for Ipopt in casadi's words, of a size that is given: from collections (COPS 3, Luksan and Vlcek, Maros and
Meszaros' kinds of quadratic programs) and from practice, written from their formulas.

Each function takes a size and gives (problem, arguments) for casadi.nlpsol.
"""
import casadi as ca
import numpy as np

INF = ca.inf


def chained_rosenbrock(n):
    """Luksan and Vlcek 1999, problem 1."""
    x = ca.SX.sym("x", n)
    f = ca.sum1(100 * (x[:-1] ** 2 - x[1:]) ** 2 + (x[:-1] - 1) ** 2)
    a, b, c = x[:-2], x[1:-1], x[2:]
    g = 3 * b ** 3 + 2 * c - 5 + ca.sin(b - c) * ca.sin(b + c) + 4 * b - a * ca.exp(a - b) - 3
    return {"x": x, "f": f, "g": g}, {"x0": [-1.2 if i % 2 == 0 else 1 for i in range(n)], "lbg": 0, "ubg": 0}


def chained_wood(n):
    """Luksan and Vlcek 1999, problem 2, with sums of neighbours bounded."""
    x = ca.SX.sym("x", 2 * (n // 2))
    a, b, c, d = x[0:-2:2], x[1:-2:2], x[2::2], x[3::2]
    f = ca.sum1(100 * (a ** 2 - b) ** 2 + (a - 1) ** 2 + 90 * (c ** 2 - d) ** 2 + (c - 1) ** 2 + 10 * (b + d - 2) ** 2 + (b - d) ** 2 / 10)
    g = x[:-1] + x[1:]
    return {"x": x, "f": f, "g": g}, {"x0": [-2 if i % 2 else 1 for i in range(x.numel())], "lbg": -3, "ubg": 3}


def hanging_chain(n):
    """COPS 3: least energy of a chain of given length."""
    x, u, h, length = ca.SX.sym("x", n + 1), ca.SX.sym("u", n + 1), 1 / n, 4
    middle = lambda f: h / 2 * (f[:-1] + f[1:])  # noqa: E731
    s = ca.sqrt(1 + u ** 2)
    g = ca.vertcat(x[1:] - x[:-1] - middle(u), ca.sum1(middle(s)) - length, x[0] - 1, x[-1] - 3)
    t = np.linspace(0, 1, n + 1)
    return {"x": ca.vertcat(x, u), "f": ca.sum1(middle(x * s)), "g": g}, {
        "x0": np.r_[4 * abs(t - 0.25) + 0.5, np.where(t < 0.25, -4, 4)], "lbg": 0, "ubg": 0}


def electrons(n):
    """COPS 3: charges on a sphere."""
    n = max(5, n // 100)
    p = ca.SX.sym("p", n, 3)
    f = sum(1 / ca.norm_2(p[i, :] - p[j, :]) for i in range(n) for j in range(i))
    rng = np.random.default_rng(1)
    at = rng.normal(size=(n, 3))
    at /= np.linalg.norm(at, axis=1, keepdims=True)
    return {"x": ca.vec(p), "f": f, "g": ca.sum2(p ** 2)}, {"x0": at.ravel("F"), "lbg": 1, "ubg": 1}


def square(n, name="u"):
    m = max(4, int(np.sqrt(n)))
    return m, ca.SX.sym(name, m, m)


def framed(u, border=0.0):
    m = u.shape[0]
    row, column = ca.SX.ones(1, m + 2) * border, ca.SX.ones(m, 1) * border
    return ca.vertcat(row, ca.horzcat(column, u, column), row)


def torsion(n):
    """COPS 3: elastic and plastic torsion of a bar, bounds alone."""
    m, u = square(n)
    w = framed(u)
    h = 1 / (m + 1)
    f = ca.sum1(ca.vec((w[1:, :] - w[:-1, :]) ** 2)) / 2 + ca.sum1(ca.vec((w[:, 1:] - w[:, :-1]) ** 2)) / 2 - 5 * h * h * ca.sum1(ca.vec(u))
    i = np.arange(1, m + 1)
    distance = h * np.minimum(i, m + 1 - i)
    bound = np.minimum.outer(distance, distance).ravel("F")
    return {"x": ca.vec(u), "f": f}, {"x0": bound, "lbx": -bound, "ubx": bound}


def minimal_surface(n):
    """COPS 3: least surface above an obstacle."""
    m, u = square(n)
    w = framed(u)
    h = 1 / (m + 1)
    dx, dy = (w[1:, 1:] - w[:-1, 1:]) / h, (w[1:, 1:] - w[1:, :-1]) / h
    f = h * h * ca.sum1(ca.vec(ca.sqrt(1 + dx ** 2 + dy ** 2)))
    t = abs(np.linspace(0, 1, m + 2)[1:-1] - 0.5) < 0.25
    return {"x": ca.vec(u), "f": f}, {"x0": 0.5, "lbx": np.where(np.outer(t, t), 0.3, 0).ravel("F"), "ubx": INF}


def heated_plate(n):
    """Distributed control of a semilinear elliptic equation, both bounded (the kind of Mittelmann's elliptic problems)."""
    m, y = square(n, "y")
    _, u = square(n)
    w, h = framed(y), 1 / (m + 1)
    state = 4 * y - w[:-2, 1:-1] - w[2:, 1:-1] - w[1:-1, :-2] - w[1:-1, 2:] + h * h * (y ** 3 - u)
    t = np.linspace(0, 1, m + 2)[1:-1]
    goal = ca.DM(np.outer(np.sin(np.pi * t), np.sin(2 * np.pi * t)))
    f = h * h * (ca.sumsqr(ca.vec(y - goal)) / 2 + 1e-3 * ca.sumsqr(ca.vec(u)) / 2)
    return {"x": ca.vertcat(ca.vec(y), ca.vec(u)), "f": f, "g": ca.vec(state)}, {
        "x0": 0, "lbg": 0, "ubg": 0, "lbx": np.r_[np.full(m * m, -0.2), np.full(m * m, -20)],
        "ubx": np.r_[np.full(m * m, 0.2), np.full(m * m, 20)]}


def boundary_control(n):
    """A parabolic equation in one dimension, controlled at its end."""
    m = max(4, int(np.sqrt(n)))
    y, u = ca.SX.sym("y", m, m), ca.SX.sym("u", m - 1)
    k, h = 1 / (m - 1), 1 / (m - 1)
    now, before = y[:, 1:], y[:, :-1]
    inner = (now[1:-1, :] - before[1:-1, :]) / k - (now[:-2, :] - 2 * now[1:-1, :] + now[2:, :]) / h ** 2
    ends = ca.vertcat(now[0, :] - now[1, :], (now[-1, :] - now[-2, :]) / h + now[-1, :] - u.T)
    goal = ca.DM(0.5 * (1 - np.linspace(0, 1, m) ** 2))
    f = ca.sumsqr(y[:, -1] - goal) * h / 2 + 1e-4 * ca.sumsqr(u) * k
    return {"x": ca.vertcat(ca.vec(y), u), "f": f, "g": ca.vertcat(ca.vec(inner), ca.vec(ends), y[:, 0])}, {
        "x0": 0, "lbg": 0, "ubg": 0, "lbx": np.r_[np.full(m * m, -INF), np.full(m - 1, -1)],
        "ubx": np.r_[np.full(m * m, INF), np.full(m - 1, 1)]}


def controlled(states, controls, slope, start, end, steps, time, cost=None, low=-INF, high=INF, guess=None):
    """Trapezoidal collocation of x' = slope(x, u) over `time` (None: to be least)."""
    x, u, t = ca.SX.sym("x", states, steps + 1), ca.SX.sym("u", controls, steps + 1), ca.SX.sym("t")
    h = (t if time is None else time) / steps
    rates = ca.horzcat(*[slope(x[:, k], u[:, k]) for k in range(steps + 1)])
    gaps = x[:, 1:] - x[:, :-1] - h / 2 * (rates[:, 1:] + rates[:, :-1])
    ends = [x[i, 0] - v for i, v in enumerate(start) if v is not None] + [x[i, -1] - v for i, v in enumerate(end) if v is not None]
    f = t if time is None else ca.sum2(ca.horzcat(*[cost(x[:, k], u[:, k]) for k in range(steps + 1)])) * h
    first = np.array([v or 0 for v in start], float)
    last = np.array([first[i] if v is None else v for i, v in enumerate(end)], float)
    at = np.linspace(first, last, steps + 1).ravel() if guess is None else np.tile(guess, steps + 1)
    n, m = states * (steps + 1), controls * (steps + 1)
    variables = ca.vertcat(ca.vec(x), ca.vec(u), *([t] if time is None else []))
    extra = [1.0] if time is None else []
    return {"x": variables, "f": f, "g": ca.vertcat(ca.vec(gaps), *ends)}, {
        "x0": np.r_[at, np.full(m, 0.1), extra], "lbg": 0, "ubg": 0, "lbx": np.r_[np.full(n, -INF), np.full(m, low), np.full(len(extra), 0.01)],
        "ubx": np.r_[np.full(n, INF), np.full(m, high), np.full(len(extra), 100)]}


def van_der_pol(n):
    return controlled(2, 1, lambda x, u: ca.vertcat((1 - x[1] ** 2) * x[0] - x[1] + u, x[0]), [0, 1], [None, None], n // 3, 10,
                      lambda x, u: ca.sumsqr(x) + u ** 2, -1, 1)


def fastest_stop(n):
    """A double integrator with drag, in least time."""
    return controlled(2, 1, lambda x, u: ca.vertcat(x[1], u - 0.1 * x[1] * ca.fabs(x[1] + 1e-3)), [0, 0], [10, 0], n // 3, None, low=-1, high=1)


def pendulum_on_cart(n):
    def slope(x, u):
        s, c = ca.sin(x[1]), ca.cos(x[1])
        d = 1 + 0.3 * (1 - c * c)
        return ca.vertcat(x[2], x[3], (0.5 * 0.3 * s * x[3] ** 2 + u + 0.3 * 9.81 * c * s) / d,
                          -(0.5 * 0.3 * c * s * x[3] ** 2 + u * c + 1.3 * 9.81 * s) / (0.5 * d))
    return controlled(4, 1, slope, [0, 0, 0, 0], [1, np.pi, 0, 0], n // 5, 2, lambda x, u: u ** 2, -20, 20)


def reactor(n):
    """Two reactions one after the other in a stirred tank, cooled."""
    def slope(x, u):
        rate = x[0] * ca.exp(-1 / (1 + x[1] ** 2))
        return ca.vertcat(1 - x[0] - 2 * rate, -x[1] + 3 * rate - u * (x[1] + 0.2))
    return controlled(2, 1, slope, [0.8, 0.1], [None, None], n // 3, 8, lambda x, u: (x[0] - 0.4) ** 2 + (x[1] - 0.5) ** 2 + 0.01 * u ** 2, 0, 2)


def aircraft_descent(n):
    """A glider in rising air (of the kind of COPS 3's): as far as possible, as a tracking problem of fixed time."""
    def slope(x, u):
        v = ca.sqrt(x[2] ** 2 + x[3] ** 2 + 1e-6)
        lift, drag = 0.03 * u * v, (0.002 + 0.004 * u ** 2) * v
        rise = 2.5 * ca.exp(-((x[0] / 30 - 2.5) ** 2))
        return ca.vertcat(x[2], x[3] + rise, -lift * x[3] - drag * x[2], lift * x[2] - drag * x[3] - 0.3)
    return controlled(4, 1, slope, [0, 20, 12, -1], [None, None, None, None], n // 5, 10,
                      lambda x, u: -0.01 * x[0] + 0.001 * (x[1] - 20) ** 2 + 0.01 * u ** 2, 0, 1.4, guess=[50, 20, 12, -1])


def portfolio(n):
    """Least variance by factors, with a return that is wanted."""
    rng = np.random.default_rng(2)
    k = max(3, n // 50)
    factors, x, y = rng.normal(size=(k, n)) * (rng.random((k, n)) < 0.1), ca.SX.sym("x", n), ca.SX.sym("y", k)
    gain = rng.random(n)
    f = ca.sumsqr(y) + ca.sum1(ca.DM(0.1 + rng.random(n)) * x ** 2)
    g = ca.vertcat(y - ca.mtimes(ca.sparsify(ca.DM(factors)), x), ca.sum1(x) - 1, ca.dot(ca.DM(gain), x) - 0.6)
    return {"x": ca.vertcat(x, y), "f": f, "g": g}, {
        "x0": 0.01, "lbg": 0, "ubg": np.r_[np.zeros(k + 1), INF], "lbx": np.r_[np.zeros(n), np.full(k, -INF)], "ubx": INF}


def support_vectors(n):
    rng = np.random.default_rng(3)
    k, m = max(3, n // 40), n // 2
    side = np.where(np.arange(m) % 2 == 0, 1.0, -1.0)
    points = rng.normal(size=(m, k)) * (rng.random((m, k)) < 0.3) + side[:, None] / k
    w, b, s = ca.SX.sym("w", k), ca.SX.sym("b"), ca.SX.sym("s", m)
    g = ca.DM(side) * (ca.mtimes(ca.sparsify(ca.DM(points)), w) + b) + s
    return {"x": ca.vertcat(w, b, s), "f": ca.sumsqr(w) / 2 + 10 * ca.sum1(s), "g": g}, {
        "x0": 0, "lbg": 1, "ubg": INF, "lbx": np.r_[np.full(k + 1, -INF), np.zeros(m)], "ubx": INF}


def tracking(n):
    """Linear control with a quadratic cost, bounds on states and controls."""
    rng = np.random.default_rng(4)
    s, steps = 8, n // 10
    A = np.eye(s) * 0.95 + 0.1 * np.diag(np.ones(s - 1), 1)
    B = rng.normal(size=(s, 2))
    x, u = ca.SX.sym("x", s, steps + 1), ca.SX.sym("u", 2, steps)
    gaps = x[:, 1:] - ca.mtimes(ca.DM(A), x[:, :-1]) - ca.mtimes(ca.DM(B), u)
    goal = ca.DM(np.outer(np.ones(s), np.sin(np.arange(steps + 1) / 9)))
    f = ca.sumsqr(ca.vec(x - goal)) + 0.1 * ca.sumsqr(ca.vec(u))
    total = s * (steps + 1)
    return {"x": ca.vertcat(ca.vec(x), ca.vec(u)), "f": f, "g": ca.vertcat(ca.vec(gaps), x[:, 0])}, {
        "x0": 0, "lbg": 0, "ubg": 0, "lbx": np.r_[np.full(total, -3), np.full(2 * steps, -0.5)],
        "ubx": np.r_[np.full(total, 3), np.full(2 * steps, 0.5)]}


def smoothing_spline(n):
    """Nearest convex and growing curve to noisy data (the kind of LISWET)."""
    rng = np.random.default_rng(5)
    t = np.linspace(0, 1, n)
    data, x = t ** 2 + 0.05 * rng.normal(size=n), ca.SX.sym("x", n)
    return {"x": x, "f": ca.sumsqr(x - ca.DM(data)) / 2, "g": ca.vertcat(x[2:] - 2 * x[1:-1] + x[:-2], x[1:] - x[:-1])}, {
        "x0": 0, "lbg": 0, "ubg": INF}


def flows(n):
    """Convex costs of flows in a grid of streets."""
    m = max(4, int(np.sqrt(n / 2)))
    nodes = np.arange(m * m).reshape(m, m)
    arcs = np.r_[np.c_[nodes[:, :-1].ravel(), nodes[:, 1:].ravel()], np.c_[nodes[:-1].ravel(), nodes[1:].ravel()]]
    count = len(arcs)
    x = ca.SX.sym("x", count)
    balance = ca.SX.zeros(m * m)
    for k, (a, b) in enumerate(arcs):
        balance[int(a)] -= x[k]
        balance[int(b)] += x[k]
    supply = np.zeros(m * m)
    supply[0], supply[-1] = -m, m
    rng = np.random.default_rng(6)
    f = ca.sum1(ca.DM(1 + rng.random(count)) * x ** 2 + x ** 4 / 50)
    return {"x": x, "f": f, "g": balance}, {"x0": 0.5, "lbg": supply, "ubg": supply, "lbx": -0.8 * m, "ubx": 0.8 * m}


def entropy(n):
    """The flattest distribution with given moments."""
    x, t = ca.SX.sym("x", n), np.linspace(-1, 1, n)
    powers = ca.DM(np.vstack([t ** k for k in range(5)]))
    return {"x": x, "f": ca.sum1(x * ca.log(x * n)), "g": ca.mtimes(powers, x)}, {
        "x0": 1 / n, "lbg": [1, 0.1, 0.3, 0.05, 0.15], "ubg": [1, 0.1, 0.3, 0.05, 0.15], "lbx": 1e-12, "ubx": INF}


def growth_rates(n):
    """Parameters of predators and prey from noisy data: a fit to a discretised differential equation."""
    steps = n // 2
    rng = np.random.default_rng(7)
    x, p, h = ca.SX.sym("x", 2, steps + 1), ca.SX.sym("p", 4), 15 / steps
    def slope(x):
        return ca.vertcat(p[0] * x[0, :] - p[1] * x[0, :] * x[1, :], p[2] * x[0, :] * x[1, :] - p[3] * x[1, :])
    rates = slope(x)
    gaps = x[:, 1:] - x[:, :-1] - h / 2 * (rates[:, 1:] + rates[:, :-1])
    truth, at = [], np.array([1.0, 0.5])
    for _ in range(steps + 1):
        truth.append(at)
        for _ in range(10):
            at = at + h / 10 * np.array([at[0] - at[0] * at[1], at[0] * at[1] - at[1]])
    data = np.array(truth) + 0.02 * rng.normal(size=(steps + 1, 2))
    return {"x": ca.vertcat(ca.vec(x), p), "f": ca.sumsqr(ca.vec(x - ca.DM(data.T))), "g": ca.vec(gaps)}, {
        "x0": np.r_[data.ravel(), 0.8, 0.8, 0.8, 0.8], "lbg": 0, "ubg": 0, "lbx": np.r_[np.full(2 * (steps + 1), -INF), np.zeros(4)], "ubx": INF}


PROBLEMS = {f.__name__: f for f in (
    chained_rosenbrock, chained_wood, hanging_chain, electrons, torsion, minimal_surface, heated_plate, boundary_control, van_der_pol,
    fastest_stop, pendulum_on_cart, reactor, aircraft_descent, portfolio, support_vectors, tracking, smoothing_spline, flows, entropy,
    growth_rates)}
