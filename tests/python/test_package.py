"""The package as an installed thing: import, types, options, console script, files."""
import bz2
import gzip
import json
import lzma
import os
import subprocess
import sys
import threading
import typing
import zipfile
from importlib import resources
from pathlib import Path

import numpy as np
import overlapack
import pytest
import scipy.io
from overlapack import _core, _options, _report
from scipy import sparse


def run(*arguments):
    return subprocess.run([sys.executable, "-m", "overlapack._command", *arguments], capture_output=True, text=True, timeout=120)


def test_import_loads_neither_scipy_nor_mpi():
    code = """
import sys, overlapack
assert not any(name.split(".")[0] in ("scipy", "mpi4py") for name in sys.modules), "imported too much"
assert "libmpi" not in open("/proc/self/maps").read()
x = overlapack.solve([[2.0, 1.0], [0.0, 4.0]], [4.0, 8.0])
assert "scipy" not in sys.modules
print(x.tolist())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.stderr) == ("[1.0, 2.0]\n", "")


def test_threads_of_its_blas_sleep():
    """They would spin for 0.1 s (decision 0080); NumPy's are NumPy's."""
    code = """
import os, time, numpy
threads = lambda: set(os.listdir("/proc/self/task"))
before, environment = threads(), dict(os.environ)
import overlapack
assert dict(os.environ) == environment
time.sleep(0.3)
print(sum(int(open(f"/proc/self/task/{thread}/schedstat").read().split()[0]) for thread in threads() - before))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert int(done.stdout) < 20e6  # nanoseconds of processor time


def test_subinterpreters_are_refused():
    interpreters = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    pytest.importorskip(interpreters)
    code = f'''
import {interpreters} as interpreters
import overlapack
interpreters.run_string(interpreters.create(), """
try:
    from overlapack import _core
except ImportError as error:
    print("refused", "interpreter" in str(error), flush=True)
""")
print(overlapack.solve([[2.0]], [1.0]))
'''
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "refused True\n[0.5]\n"), done.stderr


def test_typed_keywords_are_the_table():
    table = {entry["name"]: entry for entry in json.loads(_core.options_schema())}
    plain, experiments = typing.get_type_hints(_options.Options), typing.get_type_hints(_options.Experiment)
    beyond = {"user_order", "signs", "progress", "comm", "verbose", "threads", "n_jobs", "experiment"}
    assert set(plain) - beyond == {name for name, entry in table.items() if entry["tier"] != "experiment"}
    assert set(experiments) == {name for name, entry in table.items() if entry["tier"] == "experiment"}
    typed = {**plain, **experiments}
    for name, entry in table.items():
        choices = typing.get_args(typed[name])
        assert set(choices) == set(entry.get("choices") or ())
        if not choices:
            assert typed[name].__name__ == entry["type"]


def test_typed_entries_of_reports_are_the_table():
    def without_none(hint):
        return next((part for part in typing.get_args(hint) if part is not type(None)), hint)

    hints = typing.get_type_hints(_report.Report)
    table = json.loads(_core.report_schema())
    assert set(hints) == {entry["name"].split(".")[0] for entry in table}
    for entry in table:
        name, dot, _ = entry["name"].partition(".")
        hint = hints[name]
        if dot or entry["type"] == "dict":
            assert hint is _report.Report, name
        elif entry["type"] == "list":
            assert typing.get_origin(hint) is list, name
        else:
            assert without_none(hint).__name__ == entry["type"], name
            assert (type(None) in typing.get_args(hint)) == entry["may_be_null"], name


def test_is_typed():
    folder = resources.files(overlapack)
    assert (folder / "py.typed").is_file() and (folder / "_core.pyi").is_file()


def test_console_script():
    done = run("--version")
    assert done.returncode == 0 and overlapack.__version__ in done.stdout
    assert run("no-such-command").returncode == 2


def test_read_matrix(tmp_path):
    A = sparse.coo_array(([1.0, 2.0, 3.0, 5.0], ([0, 1, 2, 0], [0, 1, 2, 2])), shape=(3, 3))
    path = tmp_path / "a.mtx"
    path.write_text("%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 1\n2 2 2\n3 3 3\n1 3 5\n")
    np.testing.assert_array_equal(overlapack.read_matrix(path).toarray(), A.toarray())
    sparse.save_npz(tmp_path / "a.npz", sparse.csc_matrix(A))
    np.testing.assert_array_equal(overlapack.read_matrix(str(tmp_path / "a.npz")).toarray(), A.toarray())


def test_read_matrix_without_scipy(tmp_path, monkeypatch):
    (tmp_path / "a.mtx").write_text("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n")
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(overlapack.BadPlan, match="pip install scipy"):
        overlapack.read_matrix(tmp_path / "a.mtx")


def test_read_matrix_that_is_packed(tmp_path):
    text = b"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 4\n2 1 5\n"
    expected = [[4.0, 0], [5, 0]]
    for name, packed in {"a.mtx.bz2": bz2.compress(text), "a.mtx.xz": lzma.compress(text), "a.mtx.gz": gzip.compress(text)}.items():
        (tmp_path / name).write_bytes(packed)
        np.testing.assert_array_equal(overlapack.read_matrix(tmp_path / name).toarray(), expected)
        (tmp_path / name).write_bytes(packed[:-9])
        with pytest.raises(overlapack.BadInput, match=f"{name}.*again"):
            overlapack.read_matrix(tmp_path / name)
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/a.mtx", text)
    np.testing.assert_array_equal(overlapack.read_matrix(tmp_path / "a.zip").toarray(), expected)
    (tmp_path / "a.mtx.zst").write_bytes(b"\x28\xb5\x2f\xfd\x24\x00\x01\x00\x00")
    with pytest.raises(overlapack.BadInput, match="a.mtx.zst.*again" if sys.version_info >= (3, 14) else "zstd -dc .*a.mtx.zst"):
        overlapack.read_matrix(tmp_path / "a.mtx.zst")


def test_read_matrix_of_matlab(tmp_path):
    A = sparse.csc_matrix([[4.0, 1.5], [0, 3]])
    scipy.io.savemat(tmp_path / "one.mat", {"A": A, "n": 3})
    np.testing.assert_array_equal(overlapack.read_matrix(tmp_path / "one.mat").toarray(), A.toarray())
    scipy.io.savemat(tmp_path / "suitesparse.mat", {"Problem": {"A": A, "name": "a/a", "b": np.ones((2, 1))}})
    np.testing.assert_array_equal(overlapack.read_matrix(tmp_path / "suitesparse.mat").toarray(), A.toarray())
    scipy.io.savemat(tmp_path / "two.mat", {"A": A, "B": A})
    with pytest.raises(overlapack.BadInput, match="2 sparse matrices.*A, B"):
        overlapack.read_matrix(tmp_path / "two.mat")


def test_read_matrix_of_a_pipe_and_of_a_damaged_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 4\n",))
    writer.start()
    assert overlapack.read_matrix(tmp_path / "pipe")[0, 0] == 4
    writer.join()
    (tmp_path / "bad.mat").write_bytes(b"MATLAB 5.0 MAT-file" + bytes(40))
    with pytest.raises(overlapack.BadInput, match="bad.mat: cannot be read"):
        overlapack.read_matrix(tmp_path / "bad.mat")


def test_read_matrix_says_what_it_assumed(tmp_path):
    (tmp_path / "a.mtx").write_text("%%MatrixMarket matrix coordinate general\n1 1 1\n1 1 4\n")
    with pytest.warns(UserWarning, match="a.mtx: a banner without a field, read as real"):
        assert overlapack.read_matrix(tmp_path / "a.mtx")[0, 0] == 4


@pytest.mark.parametrize("suffix, beginning", [("svg", "<"), ("json", "{"), ("csv", "rank,")])
def test_timeline(tmp_path, make_matrix, suffix, beginning):
    path = Path(tmp_path / f"timeline.{suffix}")
    overlapack.factorize(make_matrix(300), trace=True, ranks=2).write_timeline(path)
    assert path.read_text().lstrip().startswith(beginning)


def test_timeline_with_an_unknown_suffix_names_the_known_ones(tmp_path, make_matrix):
    factors = overlapack.factorize(make_matrix(5), trace=True)
    with pytest.raises(overlapack.BadInput, match="svg"):
        factors.write_timeline(tmp_path / "timeline.gif")
