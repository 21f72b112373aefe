"""What the documentation says is true: snippets run and print what stands there, links and paths exist."""
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from launch import ENVIRONMENT, MPIRUN, mpirun  # noqa: E402
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
BLOCK = re.compile(r"^```([\w+]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def snippets(language):
    """(page, number, code, the output that stands in the ```text block right behind it, or None)"""
    for page in PAGES:
        text = page.read_text()
        for number, block in enumerate(BLOCK.finditer(text), 1):
            if block.group(1) == language:
                behind = BLOCK.match(text, block.end() + len(re.match(r"\n*", text[block.end():]).group(0)))
                output = behind.group(2) if behind and behind.group(1) == "text" else None
                yield pytest.param(block.group(2), output, id=f"{page.relative_to(ROOT)}-{number}")


def run(command, folder):
    environment = dict(ENVIRONMENT, PATH=os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"])
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("code, output", list(snippets("python")))
def test_python_snippets(tmp_path, code, output):
    for module, name in (("jax", "JAX"), ("torch", "PyTorch")):
        if f"overlapack.{module}" in code and importlib.util.find_spec(module) is None:
            pytest.skip(f"{name} is not installed")
    done = run([sys.executable, "-c", code], tmp_path)
    assert done.returncode == 0, done.stderr
    assert output is None or done.stdout == output


@pytest.mark.parametrize("code, output", list(snippets("sh")))
def test_shell_snippets(tmp_path, code, output):
    if "mpirun" in code and not shutil.which("mpirun"):
        pytest.skip("no mpirun")
    done = run(["bash", "-euc", code], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    if output is None:
        return
    if "mpirun" in code:  # ranks write at once, and mpirun mixes what they write
        assert sorted(done.stdout) == sorted(output)
    else:
        assert done.stdout == output


def is_program(param):
    """Fragments are those of examples/, which tests/api compares."""
    return "main(" in param.values[0] or "end program" in param.values[0]


def check_compiled(folder, compiler, flags, sources, code, output, ranks=1):
    """The last of the sources is the code."""
    (folder / sources[-1]).write_text(code)
    library = Path(os.environ["OVERLAPACK_LIBRARY"])
    made = run([compiler, *flags, *sources, "-o", "snippet", library, f"-Wl,-rpath,{library.parent}"], folder)
    assert made.returncode == 0, made.stderr
    done = run(["./snippet"] if ranks == 1 else mpirun(ranks, "./snippet"), folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == output


COMPILED = pytest.mark.skipif("OVERLAPACK_LIBRARY" not in os.environ,
                              reason="no OVERLAPACK_LIBRARY and OVERLAPACK_CXX; ctest sets them")


@COMPILED
@pytest.mark.parametrize("code, output", list(snippets("cpp")))
def test_cpp_snippets(tmp_path, code, output):
    flags = ["-std=c++20", "-Wall", "-Werror", f"-I{ROOT / 'include'}"]
    ranks = 2 if "// mpirun -n 2 " in code else 1
    if ranks > 1 and not MPIRUN:
        pytest.skip("no mpirun")
    if "Eigen" in code:
        flags += ["-isystem", next((p for p in ("/usr/include/eigen3", "/usr/local/include/eigen3") if os.path.exists(p)), "")]
        if not flags[-1]:
            pytest.skip("no Eigen")
    check_compiled(tmp_path, os.environ["OVERLAPACK_CXX"], flags, ["snippet.cpp"], code, output, ranks)


@COMPILED
@pytest.mark.skipif("OVERLAPACK_CC" not in os.environ, reason="no C compiler")
@pytest.mark.parametrize("code, output", [param for param in snippets("c") if is_program(param)])
def test_c_snippets(tmp_path, code, output):
    check_compiled(tmp_path, os.environ["OVERLAPACK_CC"], ["-std=c99", "-Wall", "-Werror", f"-I{ROOT / 'include'}"], ["snippet.c"], code, output)


@COMPILED
@pytest.mark.parametrize("code, output", [param for param in snippets("fortran") if is_program(param)])
def test_fortran_programs(tmp_path, code, output):
    """On two ranks, with the module compiled beside it."""
    compiler = next(filter(None, map(shutil.which, ("mpifort.openmpi", "mpifort", "mpifort.mpich"))), None)
    if not (compiler and MPIRUN):
        pytest.skip("no Fortran compiler of an MPI")
    check_compiled(tmp_path, compiler, [], [ROOT / "fortran" / "overlapack.F90", "snippet.f90"], code, output, ranks=2)


def test_there_are_snippets():
    assert list(snippets("python")) and list(snippets("sh")) and list(snippets("cpp"))
    assert any(map(is_program, snippets("c"))) and any(map(is_program, snippets("fortran")))
    assert any(param.values[1] for param in snippets("python"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = BLOCK.sub("", page.read_text())
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links {target}"


def test_the_trees_name_what_exists():
    page = (ROOT / "CONTRIBUTING.md").read_text()
    tree = next(b.group(2) for b in BLOCK.finditer(page) if b.group(2).startswith("quickstart, test "))
    for line in tree.splitlines():
        for name in re.split(r",\s", re.split(r"\s{2,}", line)[0]):
            assert (ROOT / name).exists(), name
    table = re.findall(r"^\| ([\w/]+) \|", (ROOT / "docs" / "map.md").read_text(), re.MULTILINE)
    for name in table:
        assert name == "folder" or (ROOT / name).is_dir(), name


def sources(machine, found):
    """name -> source of every number of a machine's file; rates of kernels are numbers, too."""
    for name, value in machine.items():
        if isinstance(value, dict):
            if "source" in value:
                found[name] = value["source"]
            else:
                sources(value, found)
    return found


def test_the_sources_of_machines_are_counted():
    """A source that says so, or that points to one that does, is no document."""
    told, counted = {}, [0, 0]
    for path in sorted((ROOT / "machines").glob("*.json")):
        found = sources(json.loads(path.read_text()), {})

        def is_guess(source):
            same = re.fullmatch(r"as (\w+)", source)
            return is_guess(found[same.group(1)]) if same else bool(re.search(
                "assumed|from memory|order of magnitude|not from a document", source))

        told[path.stem] = (len(found), sum(map(is_guess, found.values())))
        counted = [a + b for a, b in zip(counted, told[path.stem])]
    page = (ROOT / "docs" / "simulate.md").read_text()
    whole, guessed = re.search(r"machines/ has (\d+) numbers, and (\d+)\s", page).groups()
    assert [int(whole), int(guessed)] == counted, told
    for name, of, all_of in re.findall(r"`([\w-]+)` \((\d+) of (\d+)\)", page):
        assert told[name] == (int(all_of), int(of)), name


@pytest.mark.parametrize("name", ["options", "experiments"])
def test_options_page_is_the_table(name):
    program = shutil.which("overlapack", path=os.path.dirname(sys.executable))
    page = (ROOT / "docs" / f"{name}.md").read_text()
    command = re.search(r"writes this page: `overlapack ([\w -]+)`", page).group(1)  # the one that the page names
    made = subprocess.run([program, *command.split()], capture_output=True, text=True, timeout=60)
    assert page == made.stdout, f"overlapack {command} > docs/{name}.md: {made.stderr}"
