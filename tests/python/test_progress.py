"""Progress, stopping and Ctrl-C. The matrices are large enough to take a moment, small enough for any machine."""
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import weakref

import numpy as np
import overlapack
import pytest
from scipy import sparse


def cube(k):
    """The seven-point Laplacian of a k x k x k cube."""
    line = sparse.diags([-np.ones(k - 1), 2 * np.ones(k), -np.ones(k - 1)], [-1, 0, 1])
    one = sparse.eye(k)
    return sparse.csc_array(
        sparse.kron(sparse.kron(line, one), one) + sparse.kron(sparse.kron(one, line), one) + sparse.kron(one, sparse.kron(one, line))
    )


def test_a_watcher_and_its_factors_are_collected():
    class Solver:
        def __init__(self, make):
            self.factors = make(self.watch)

        def watch(self, phase, share):
            return False

    A = sparse.eye_array(10, format="csc")
    for make in (
        lambda watch: overlapack.factorize(A, progress=watch),
        lambda watch: overlapack.lu_factor(A.toarray(), progress=watch),
        lambda watch: overlapack.schur(A, [1], progress=watch),
        lambda watch: overlapack.factorize_batch(A, np.ones((2, 10)), progress=watch),
    ):
        solver = Solver(make)
        watched = weakref.ref(solver)
        del solver
        gc.collect()
        assert watched() is None


@pytest.mark.parametrize("make, solve", [
    (lambda A, **options: overlapack.factorize(A, **options), lambda factors: factors.solve(np.ones(27))),
    (lambda A, **options: overlapack.lu_factor(A.toarray(), **options), lambda factors: factors.solve(np.ones(27))),
    (lambda A, **options: overlapack.iterate(A, **options), lambda factors: factors.solve(np.ones(27))),
    (lambda A, **options: overlapack.schur(A, [1], **options), lambda factors: factors.expand(np.ones(27), np.ones(1))),
], ids=["sparse", "dense", "iteration", "schur"])
def test_a_report_is_read_between_calls(make, solve):
    """By another thread after the call that writes to it; by its own progress function at once."""
    kept, seen = [], []

    def watch(phase, share):
        if kept and not seen:
            seen.append(kept[0].report["n"])
            reader = threading.Thread(target=lambda: seen.append(kept[0].report["solve_s"]))
            reader.start()
            reader.join(0.1)  # longer than a report takes
            seen.append(reader if reader.is_alive() else None)
        return False

    kept.append(make(cube(3), ranks=1, progress=watch))
    time.sleep(0.05)  # progress is not called twice within 20 ms
    solve(kept[0])
    own, reader, *_ = seen
    assert own in (26, 27) and isinstance(reader, threading.Thread)
    reader.join(60)
    assert seen[2] == kept[0].report["solve_s"]


def test_an_exception_of_any_type_is_the_callers():
    wrong = []

    def watch(phase, share):
        return 1 + "one" if wrong else False

    factors = overlapack.factorize(cube(3), progress=watch)
    wrong.append(True)
    time.sleep(0.05)  # progress is not called twice within 20 ms
    with pytest.raises(TypeError, match="unsupported operand"):
        factors.substitute(np.ones(27))


def test_a_timeline_is_read_between_calls():
    kept, seen = [], []

    def watch(phase, share):
        if kept and not seen:
            seen.append(threading.Thread(target=lambda: seen.append(kept[0]._factors.timeline(".csv", ""))))
            seen[0].start()
            seen[0].join(0.1)
            assert seen[0].is_alive()
        return False

    kept.append(overlapack.factorize(cube(3), ranks=1, trace=True, progress=watch))
    kept[0].solve(np.ones(27))
    seen[0].join(60)
    assert seen[1] == kept[0]._factors.timeline(".csv", "")


def test_progress_is_called_with_phase_and_share():
    calls = []
    overlapack.factorize(cube(20), progress=lambda phase, share: calls.append((phase, share)))
    assert calls
    assert all(isinstance(phase, str) and 0 <= share <= 1 for phase, share in calls)


def test_a_true_answer_cancels_and_the_library_works_on():
    with pytest.raises(overlapack.Cancelled):
        overlapack.factorize(cube(20), progress=lambda phase, share: True)
    np.testing.assert_allclose(overlapack.solve(np.diag([2.0, 4.0]), [2.0, 4.0]), 1.0)


def test_an_exception_of_the_callback_comes_through():
    def fail(phase, share):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        overlapack.factorize(cube(20), progress=fail)


def test_each_thread_gets_the_exception_of_its_own_call():
    A, threads, raised, done = cube(3), [], {}, threading.Event()

    def have_the_gil():
        while not done.is_set():
            pass

    def call(name, work):
        try:
            work()
        except Exception as error:  # compared below
            raised[name] = repr(error)

    def fail(phase, share):
        if threads and phase == "solve":
            threads[-1].start()
            time.sleep(0.002)  # until it waits for the end of this call
        if threads:
            raise LookupError(phase)

    factors = overlapack.factorize(A, ranks=1, progress=fail)
    other = threading.Thread(target=have_the_gil)
    other.start()
    for _ in range(30):  # which of two that wait for the GIL goes on first is chance
        threads.append(threading.Thread(target=call, args=("factorisation", lambda: factors.refactorize(A))))
        call("solve", lambda: factors.solve(np.ones(27)))
        threads[-1].join(60)
        threads.clear()
        factors.refactorize(A)
        if raised != {name: repr(LookupError(name)) for name in ("solve", "factorisation")}:
            break
    done.set()
    other.join()
    assert raised == {name: repr(LookupError(name)) for name in ("solve", "factorisation")}


def test_the_gil_is_released():
    """A Python thread counts while the library works between two calls of progress; with the GIL held it could not."""
    count, seen = 0, []
    stop = threading.Event()

    def go_on():
        nonlocal count
        while not stop.is_set():
            count += 1
            time.sleep(0)  # lets others have the GIL

    def progress(phase, share):
        has_counted = seen and count > seen[-1]
        seen.append(count)
        return has_counted

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        with pytest.raises(overlapack.Cancelled):  # with the GIL held: minutes of work, and no error
            overlapack.factorize(cube(60), ranks=1, progress=progress)
    finally:
        stop.set()
        thread.join()


CTRL_C = """
    import os, signal, sys, threading
    import overlapack
    sys.path.insert(0, {folder!r})
    from test_progress import cube

    A = cube(60)  # minutes of work, were it not interrupted
    begun = []
    def progress(phase, share):
        if not begun:
            begun.append(phase)
            print("begun", flush=True)
    try:
        overlapack.factorize(A, ranks={ranks}, progress=progress)
    except KeyboardInterrupt:
        print("interrupted", threading.active_count(), flush=True)
        x = overlapack.solve([[2.0]], [4.0], ranks={ranks})
        print("then", x[0], flush=True)
"""


@pytest.mark.parametrize("ranks", [1, 3])
def test_ctrl_c_ends_all_ranks_and_the_process_lives_on(ranks):
    script = textwrap.dedent(CTRL_C.format(folder=os.path.dirname(__file__), ranks=ranks))
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert out.splitlines() == ["interrupted 1", "then 2.0"]
    assert process.returncode == 0
