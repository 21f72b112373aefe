"""What calls tell while they work: on stdout with verbose=True, or as records of the logger "overlapack"."""
import logging
import re
import subprocess
import sys

import launch
import numpy as np
import overlapack
import pytest
from overlapack import _voice
from scipy import sparse

A = sparse.csc_array(sparse.kronsum(*[sparse.diags_array([[-1.0] * 9, [2.0] * 10, [-1.0] * 9], offsets=[-1, 0, 1])] * 2))
b = np.ones(100)
LAYOUT = overlapack.Layout((2, 2), 2, (1, 1))
TIME = r"[\d.]+ (s|ms|us)"
ANALYSIS = rf"analysis {TIME}, ordering \w+; [\d.]+( k)? entries, [\d.]+ kflop and [\d.]+ kB predicted"
FACTORIZATION = rf"factorisation {TIME}, (multifrontal|block_triangular) ldlt on 1 rank, [\d.]+( k)? entries, [\d.]+ kflop, .*flop/s"
SOLVE = rf"solve {TIME}, 1 right-hand side.*, backward error [\d.e-]+"
#: all that take options, with what they say
CALLS = {
    "solve": (lambda **o: overlapack.solve(A, b, ranks=1, **o), [ANALYSIS, FACTORIZATION, SOLVE]),
    "dense": (lambda **o: overlapack.solve(A.toarray(), b, **o), ["factorisation .* dense lu .*", SOLVE]),
    "dense cholesky": (lambda **o: overlapack.solve(A.toarray(), b, factorization="cholesky", **o), ["factorisation .* cholesky .*", SOLVE]),
    "jacobi": (lambda **o: overlapack.solve(A, b, method="jacobi", **o), [rf"solve {TIME}, .* jacobi async on \d+ ranks?, .*iterations.*"]),
    "factorize": (lambda **o: overlapack.factorize(A, ranks=1, **o), [ANALYSIS, FACTORIZATION]),
    "parts": (lambda **o: overlapack.factorize([A], distributed=True, ranks=1, **o), [ANALYSIS, FACTORIZATION]),
    "plan": (lambda **o: overlapack.plan(A, **o), [ANALYSIS]),
    "schur": (lambda **o: overlapack.schur(A, [0], ranks=1, **o), [f"Schur complement {TIME}", ANALYSIS, FACTORIZATION]),
    "splu": (lambda **o: overlapack.splu(A, ranks=1, **o), [ANALYSIS, FACTORIZATION]),
    "spsolve": (lambda **o: overlapack.spsolve(A, b, ranks=1, **o), [ANALYSIS, FACTORIZATION, SOLVE]),
    "lu_factor": (lambda **o: overlapack.lu_factor(A.toarray(), **o), ["factorisation .* dense lu .*"]),
    "cholesky_factor": (lambda **o: overlapack.cholesky_factor(A.toarray(), **o), ["factorisation .* dense cholesky .*"]),
    "qr_factor": (lambda **o: overlapack.qr_factor(A.toarray(), **o), ["factorisation .* dense qr .*"]),
    "lstsq": (lambda **o: overlapack.lstsq(A.toarray(), b, **o), ["factorisation .* dense qr .*", f"solve {TIME}, 1 right-hand side"]),
    "multiply_parts": (lambda **o: overlapack.multiply_parts(np.eye(2), LAYOUT, np.eye(2), LAYOUT, **o), [f"product {TIME}"]),
    "solve_triangle_parts": (lambda **o: overlapack.solve_triangle_parts(np.eye(2), LAYOUT, np.eye(2), LAYOUT, **o),
                             [f"triangular solve {TIME}"]),
}


def require_lines(lines, expected):
    assert len(lines) == len(expected), lines
    for line, pattern in zip(lines, expected):
        assert re.fullmatch(pattern, line), (line, pattern)


@pytest.mark.parametrize("name", CALLS)
def test_verbose_tells_on_stdout(name, capfd):
    call, expected = CALLS[name]
    call()
    assert capfd.readouterr() == ("", "")
    call(verbose=True)
    out, err = capfd.readouterr()
    assert err == "" and out.endswith("\n")
    require_lines(out.splitlines(), [f"overlapack: {pattern}" for pattern in expected])
    call(verbose=0)
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("name", CALLS)
def test_who_listens_to_the_logger_hears_it_once(name, caplog, capfd):
    call, expected = CALLS[name]
    with caplog.at_level(logging.INFO, "overlapack"):
        for options in ({}, {"verbose": True}):
            caplog.clear()
            call(**options)
            assert {(record.name, record.levelno) for record in caplog.records} == {("overlapack", logging.INFO)}
            assert {record.pathname for record in caplog.records} == {__file__}  # of the caller, as a warning's
            require_lines([record.getMessage() for record in caplog.records], expected)
    assert capfd.readouterr() == ("", "")


def test_factors_stay_as_they_were_made(capfd):
    loud, quiet = overlapack.factorize(A, ranks=1, verbose=True), overlapack.factorize(A, ranks=1)
    capfd.readouterr()
    loud.solve(b)
    loud.refactorize(2 * A)
    loud.solve_part(b, np.arange(100))
    loud(b)
    quiet.refactorize(2 * A).solve(b)
    require_lines(capfd.readouterr().out.splitlines(), [f"overlapack: {line}" for line in (SOLVE, FACTORIZATION, SOLVE, SOLVE)])


def test_factors_from_a_file_are_told_as_loaded(tmp_path, capfd):
    overlapack.factorize(A, ranks=1).save(tmp_path / "f")
    overlapack.load_factors(tmp_path / "f", verbose=True).solve(b)
    require_lines(capfd.readouterr().out.splitlines(), [f"overlapack: loading {TIME}", f"overlapack: {SOLVE}"])


def test_delayed_pivots_and_steps_are_told(capfd):
    B = sparse.diags_array([np.ones(19), np.ones(20), np.ones(19)], offsets=[-1, 0, 1])
    saddle = sparse.block_array([[None, B], [B.T, sparse.eye_array(20)]], format="csc")
    factors = overlapack.factorize(saddle, ordering="natural", matching="off", scaling="off", method="multifrontal", verbose=True)
    assert factors.report.pivots.delayed > 1
    assert f", {factors.report.pivots.delayed} delayed pivots\n" in capfd.readouterr().out
    overlapack.solve(A, b, precision="mixed", verbose=True)
    assert re.search(r"\d+ refinement steps?, backward error", capfd.readouterr().out)


def test_a_long_call_tells_how_far_it_is(capfd, monkeypatch):
    monkeypatch.setattr(_voice, "_FIRST_S", 0.0)
    seen = []
    overlapack.factorize(A, ranks=1, verbose=True, progress=lambda phase, share: seen.append(phase))
    first, *_, before_last, last = capfd.readouterr().out.splitlines()
    assert re.fullmatch(r"overlapack: (analysis|factorisation) after 0 s(: \d+% done)?", first) and seen
    assert "analysis" in before_last and "factorisation" in last
    with pytest.raises(overlapack.Cancelled):
        overlapack.factorize(A, verbose=True, progress=lambda phase, share: True)


def test_a_call_tells_after_10_20_40_seconds(capfd, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(_voice.time, "monotonic", lambda: clock[0])
    voice = _voice.Voice()
    voice.is_verbose = True
    watch = voice.watching(None)
    for _ in range(2):  # calls: each counts from its begin
        for _ in range(45):
            watch("factorisation", 0.5)
            clock[0] += 1
        voice.begin()
    told = [f"overlapack: factorisation after {s} s: 50% done" for s in (10, 20, 40)]
    assert capfd.readouterr().out.splitlines() == 2 * told
    voice.is_first = False  # another rank
    clock[0] += 100
    assert not watch("factorisation", 0.5) and capfd.readouterr().out == ""


def test_a_later_solve_counts_from_its_own_begin(capfd, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(_voice.time, "monotonic", lambda: clock[0])
    factors = overlapack.factorize(A, ranks=1, verbose=True)
    capfd.readouterr()
    clock[0] += 1000
    factors.solve(b)
    clock[0] += 1000
    factors.refactorize(A)
    require_lines(capfd.readouterr().out.splitlines(), [f"overlapack: {SOLVE}", f"overlapack: {FACTORIZATION}"])


def test_what_verbose_cannot_be():
    for call in (lambda **o: overlapack.solve(A, b, **o), lambda **o: overlapack.plan(A, **o), lambda **o: overlapack.lu_factor(np.eye(2), **o)):
        with pytest.raises(overlapack.BadPlan, match=r'verbose is <Logger .*; give True or False: .*logging.getLogger\("overlapack"\)'):
            call(verbose=logging.getLogger("mine"))


def test_a_logger_without_a_handler_leaves_it_to_verbose():
    """Level INFO without a handler: nobody would see the record."""
    code = """
import logging, overlapack
logging.getLogger("overlapack").setLevel(logging.INFO)
overlapack.solve([[2.0]], [4.0])
overlapack.solve([[2.0]], [4.0], verbose=True)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr == "" and len(done.stdout.splitlines()) == 2, done.stderr


PROGRAM = """
import logging, sys, numpy as np, overlapack
from scipy import sparse
A = sparse.diags_array([[-1.0] * 99, [2.0] * 100, [-1.0] * 99], offsets=[-1, 0, 1]).tocsc()
if "log" in sys.argv:
    logging.basicConfig(level=logging.INFO, format="overlapack: %(message)s")
factors = overlapack.factorize(A, verbose=True)
factors.solve(np.ones(100))
overlapack.plan(A, verbose=True)
overlapack.lu_factor(A.toarray(), verbose=True)
"""


@pytest.mark.skipif(not launch.MPIRUN, reason="there is no mpirun here")
@pytest.mark.parametrize("how", ["print", "log"])
def test_only_rank_0_speaks(tmp_path, how):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = subprocess.run(launch.mpirun(2, sys.executable, program, how), env=launch.ENVIRONMENT, capture_output=True, text=True, timeout=120)
    text = done.stderr if how == "log" else done.stdout
    told = [line.split()[1] for line in text.splitlines() if line.startswith("overlapack: ")]
    assert told == ["analysis", "factorisation", "solve", "analysis", "factorisation"], done.stderr
