"""What help() shows: every example runs and gives what stands there, every parameter is told of, and nothing points to files that a
wheel does not have."""
import doctest
import importlib
import importlib.util
import inspect
import re
from pathlib import Path

import overlapack
import pytest
from overlapack import convergence, scipy, timeline

#: those of packages that are installed
GRADIENTS = [importlib.import_module(f"overlapack.{name}") for name in ("jax", "torch") if importlib.util.find_spec(name)]
SECTIONS = ["Parameters", "Returns", "Raises", "Warns", "Notes", "Examples"]


def members():
    """(name, what is documented) of everything public, each once."""
    found = {}
    for module in (overlapack, scipy, timeline, convergence, *GRADIENTS):
        found[module.__name__] = module
        for name in module.__all__:
            thing = getattr(module, name)
            found.setdefault(f"{thing.__module__}.{name}", thing)
            if inspect.isclass(thing):
                for attribute, value in inspect.getmembers(thing):
                    is_ours = inspect.isfunction(value) or isinstance(value, property)
                    if is_ours and not attribute.startswith("_"):
                        owner = getattr(value, "fget", value).__qualname__
                        found.setdefault(owner, value)
    return [pytest.param(thing, id=name) for name, thing in found.items()]


def functions():
    return [p for p in members() if inspect.isfunction(p.values[0]) and not p.values[0].__name__.startswith("_")]


def sections(doc):
    """Title -> its lines; under "" what stands before."""
    parts = re.split(r"^(\w+)\n-+\n", doc, flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2]))}


@pytest.mark.parametrize("thing", members())
def test_there_is_one_and_its_examples_run(thing, tmp_path, monkeypatch):
    doc = inspect.getdoc(thing)
    assert doc and doc.splitlines()[0].strip()
    assert not re.search(r"\bdocs/|\.md\b", doc)
    monkeypatch.chdir(tmp_path)
    said = []
    for test in doctest.DocTestFinder(recurse=False).find(thing.fget if isinstance(thing, property) else thing, "example", globs={}):
        doctest.DocTestRunner().run(test, out=said.append)
    assert not said, "".join(said)


@pytest.mark.parametrize("thing", functions())
def test_sections_are_numpydocs_in_their_order(thing):
    found = [name for name in sections(inspect.getdoc(thing)) if name]
    assert found == [name for name in SECTIONS if name in found]


MAIN = [overlapack.solve, overlapack.factorize, overlapack.plan, overlapack.load_factors, overlapack.read_matrix, overlapack.schur,
        overlapack.lu_factor, overlapack.lu_solve, overlapack.cholesky_factor, overlapack.qr_factor, overlapack.lstsq, overlapack.splu,
        overlapack.spsolve, overlapack.multiply_parts, overlapack.solve_triangle_parts]


def parameters_told(doc):
    """The names before the colons of the section Parameters."""
    lines = sections(doc).get("Parameters", "").splitlines()
    heads = [line.partition(" : ")[0] for line in lines if line and not line[0].isspace()]
    return {name.lstrip("*") for head in heads for name in head.split(", ")}


@pytest.mark.parametrize("function", MAIN, ids=lambda function: function.__name__)
def test_main_functions_tell_of_all_parameters_and_have_an_example(function):
    doc = inspect.getdoc(function)
    assert set(inspect.signature(function).parameters) <= parameters_told(doc)
    assert {"Parameters", "Returns", "Examples"} <= set(sections(doc)) and ">>> " in doc


@pytest.mark.parametrize("thing", [overlapack.Factorization, overlapack.LuFactorization, overlapack.QrFactorization])
def test_methods_tell_of_all_parameters(thing):
    for name, method in inspect.getmembers(thing, inspect.isfunction):
        if not name.startswith("_") and "Parameters" in sections(inspect.getdoc(method)):
            assert set(inspect.signature(method).parameters) - {"self"} == parameters_told(inspect.getdoc(method)), name


def test_messages_point_to_no_file_of_the_sources():
    for path in Path(overlapack.__file__).parent.glob("*.py"):
        assert not re.search(r"\bdocs/\w", path.read_text()), path


def test_where_they_point_there_is_something():
    import subprocess

    program = Path(overlapack.__file__).parent / "overlapack"
    for option in ("--options", "--report"):
        told = subprocess.run([program, "info", option], capture_output=True, text=True, timeout=60)
        assert told.returncode == 0 and len(told.stdout) > 1000
