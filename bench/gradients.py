#!/usr/bin/env python3
"""Solves and gradients in JAX and PyTorch beside the library's own calls.

    bench/gradients.py              runs the cases with what is installed of JAX and PyTorch and keeps them in results/gradients.json
    bench/gradients.py --table      the tables of docs/howto/gradients.md from the results that are kept

A forward run has new values each time, so that it analyses and factorises; so has a gradient, which solves with the transpose too.
A call with kept factors has the values of the one before: its overhead is its time less the library's own (solve_s of the report).
All times are the least of several runs, turn by turn, in one process and on one rank.
"""
import importlib
import json
import os
import sys
import time
from pathlib import Path

import numpy as np
from scipy import sparse

RESULTS = Path(__file__).parent / "results" / "gradients.json"
OPTIONS = {"ranks": 1}


def convection(points, dimensions):
    line = sparse.diags_array([[-1.3] * (points - 1), [2.1] * points, [-0.7] * (points - 1)], offsets=[-1, 0, 1])
    A = line
    for _ in range(dimensions - 1):
        A = sparse.kronsum(A, line)
    return sparse.csr_array(A)


CASES = {"grid 12^2": (12, 2, 200), "grid 60^2": (60, 2, 20), "grid 22^3": (22, 3, 6)}


def least(works, runs):
    """Seconds of each, the least of so many runs that take turns."""
    best = dict.fromkeys(works, float("inf"))
    for run in range(runs + 2):
        for name, work in works.items():
            start = time.perf_counter()
            work(run)
            if run >= 2:  # what is compiled and allocated once is there
                best[name] = min(best[name], time.perf_counter() - start)
    return best


def in_jax(A, b):
    """What makes values of the package's own, a forward run with them, and one with the gradient."""
    import jax
    import overlapack.jax as ours

    jax.config.update("jax_enable_x64", True)
    pattern, b = (jax.numpy.array(A.indices), jax.numpy.array(A.indptr)), jax.numpy.array(b)
    solve = jax.jit(lambda data: ours.solve((data, *pattern), b, **OPTIONS))
    loss = jax.jit(jax.value_and_grad(lambda data: ours.solve((data, *pattern), b, **OPTIONS).sum()))
    return jax.numpy.array, lambda data: solve(data).block_until_ready(), lambda data: loss(data)[1].block_until_ready()


def in_torch(A, b):
    import torch
    import overlapack.torch as ours

    torch.set_num_threads(1)
    pattern, b = (torch.from_numpy(A.indptr), torch.from_numpy(A.indices)), torch.from_numpy(b)

    def gradient(data):
        data.grad = None
        ours.solve((data, *pattern), b, **OPTIONS).sum().backward()

    return lambda data: torch.tensor(data, requires_grad=True), lambda data: ours.solve((data.detach(), *pattern), b, **OPTIONS), gradient


def run(name):
    import overlapack

    points, dimensions, runs = CASES[name]
    A = convection(points, dimensions)
    b = np.random.default_rng(1).standard_normal(A.shape[0])
    values = [A.data * (1 + 1e-3 * k) for k in range(2 * (runs + 2))]
    factors = overlapack.factorize(A, **OPTIONS)
    own = []
    for _ in range(max(runs, 20)):
        factors.solve(b)
        own.append(factors.report.solve_s)

    def library(k):
        overlapack.factorize(sparse.csr_array((values[k], A.indices, A.indptr), shape=A.shape), **OPTIONS).solve(b)

    row = {"case": name, "n": A.shape[0], "nnz": A.nnz, "library_s": least({"library": library}, runs)["library"], "own_solve_s": min(own)}
    for package, make in (("jax", in_jax), ("torch", in_torch)):
        if importlib.util.find_spec(package) is None:
            continue
        convert, forward, gradient = make(A, b)
        importlib.import_module(f"overlapack.{package}").clear_cache()  # the other package had the same values
        given = [convert(data) for data in values]
        found = least({"forward": lambda k: forward(given[2 * k]), "gradient": lambda k: gradient(given[2 * k + 1])}, runs)
        kept = least({"kept": lambda _: forward(given[0])}, max(runs, 100 if points < 100 else 10))["kept"]
        version = importlib.import_module(package).__version__
        row[package] = {"version": version, "forward_s": found["forward"], "gradient_s": found["gradient"], "kept_s": kept}
    return row


def table(rows):
    lines = ["| case | library, factorise and solve | JAX, forward | with gradient | PyTorch, forward | with gradient |", "|---|---|---|---|---|---|"]
    for r in rows:
        cells = [f"{r['case']}, n = {r['n']}", f"{1e3 * r['library_s']:.2f} ms"]
        for package in ("jax", "torch"):
            p = r.get(package)
            cells += [f"{1e3 * p['forward_s']:.2f} ms", f"{1e3 * p['gradient_s']:.2f} ms ({p['gradient_s'] / p['forward_s']:.2f})"] if p else ["not run", "not run"]
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "| case | the library's solve | JAX, factors kept | PyTorch, factors kept |", "|---|---|---|---|"]
    for r in rows:
        cells = [r["case"], f"{1e6 * r['own_solve_s']:.0f} us"]
        for package in ("jax", "torch"):
            p = r.get(package)
            cells.append(f"{1e6 * p['kept_s']:.0f} us (+{1e6 * (p['kept_s'] - r['own_solve_s']):.0f})" if p else "not run")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        print(table(json.loads(RESULTS.read_text())["rows"]))
    else:
        model = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")), "unknown")
        kept = {"processor": model, "processors": os.cpu_count(), "rows": [run(name) for name in CASES]}
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n")
        print(table(kept["rows"]))
