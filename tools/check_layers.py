#!/usr/bin/env python3
"""Fail when a file reaches upward in the layers of docs/map.md, or does what its layer may not do.

    tools/check_layers.py [ROOT]      prints one line a violation; exit code 1 if there is any

Checked: include lines between layers and between rooms, namespaces, link lists of CMake, headers that belong to the engines, calls
that a library has no right to make (print, exit, abort, environment, clocks, files), and unfinished marks.
"""
import re
import sys
from fnmatch import fnmatch
from pathlib import Path

# Each folder and the folders that it may include; docs/map.md draws the same arrows.
BELOW = {
    "base": [],
    "kernels": ["base"],
    "trace": ["base"],
    "comm": ["base", "kernels", "trace"],
    "dist": ["base", "kernels", "trace", "comm"],
    "dense": ["base", "kernels", "trace", "comm", "dist"],
    "sparse": ["base", "kernels", "trace", "comm", "dist", "dense"],
    "iterative": ["base", "kernels", "trace", "comm", "dist"],
}
BELOW["api"] = list(BELOW)

# Folders made of rooms, and the rooms that each room may include. Files beside the rooms include any; no room includes them.
ROOMS = {
    "sparse": {
        "factors": ["matrix", "matching", "analysis", "rows"],
        "multifrontal": ["matrix", "matching", "analysis", "rows", "factors"],
        "block_triangular": ["matrix", "matching", "analysis", "rows", "factors"],
        "supernodal": ["matrix", "matching", "analysis", "rows", "factors"],
        "batch": ["matrix", "matching", "analysis"],
        "methods": ["matrix", "matching", "analysis", "rows", "factors", "multifrontal", "block_triangular", "supernodal"],
    },
    "api": {
        "words": [],
        "io": [],
        "run": ["words"],
        "plan": ["words", "run"],
        "refine": ["words", "run", "plan"],
        "sparse": ["words", "run", "plan", "refine", "io"],
        "diagnose": [],
        "dense": ["words", "run", "plan", "refine"],
        "iterative": ["words", "run", "plan", "refine"],
        "hpl": ["words", "run", "plan", "refine", "io", "dense"],
        "machine": ["run", "hpl"],
        "programs": ["words", "run", "plan", "iterative"],
        "c": ["words", "io"],
    },
    "trace": {"record": [], "pictures": ["record"]},
    "kernels": {
        "small": [],
        "product": ["small"],
        "update": ["small", "product"],
        "sparse": ["small", "product"],
        "pivoting": ["small", "product", "update"],
        "low_rank": ["product", "update", "pivoting"],
    },
    "comm/engine/mpi": {
        "load": [],
        "plugin": ["load"],
        "process": ["load"],
        "run": ["load", "process"],
        "rank": ["load", "process", "run"],
    },
    "dense/lu": {
        "plan": [],
        "panel": ["plan"],
        "schedule": ["plan", "panel"],
        "solve": ["plan", "panel"],
    },
    "sparse/analysis": {
        "graph": [],
        "dissection": ["graph"],
        "fronts": ["graph"],
        "columns": ["graph", "fronts"],
    },
    "sparse/supernodal": {
        "layout": [],
        "factors": ["layout"],
        "factorize": ["layout", "factors"],
        "solve": ["layout", "factors"],
    },
    "sparse/multifrontal": {
        "plan": [],
        "front": ["plan"],
        "message": ["plan", "front"],
        "factors": ["plan", "front", "message"],
        "tiles": ["plan", "front"],
        "factorize": ["plan", "front", "message", "factors", "tiles"],
        "solve": ["plan", "front", "message", "factors"],
        "inverse": ["plan", "front", "message", "factors", "solve"],
    },
}

# The namespace of a folder and of those inside it that have none of their own. A file has it, or one inside it, beside whichever others.
NAMESPACES = {
    "base": "overlapack",
    **{layer: f"overlapack::{layer}" for layer in ("kernels", "trace", "comm", "dist", "dense", "sparse", "iterative")},
    "kernels/small": "overlapack::kernels::small",
    **{f"comm/{room}": f"overlapack::comm::{room}" for room in ("collective", "onesided", "superstep")},
    **{f"comm/engine/{engine}": f"overlapack::comm::{engine}" for engine in ("mpi", "shmem", "thread")},
    "comm/engine/mpi/plugin": "overlapack::comm::mpi::plugin",
    **{f"sparse/{method}": f"overlapack::sparse::{method}" for method in ("multifrontal", "supernodal", "block_triangular")},
    "api": "overlapack",  # public names are there
    **{f"api/{room}": f"overlapack::{room}" for room in ("c", "io")},
}

# What others call a folder by, in their namespace.
FACES = ("src/comm/engine/*/open_*", "src/kernels/small/dispatch.*")

# Public headers of lower layers; the others of include/overlapack describe the api.
LAYER_OF_HEADER = {"blas_info.hpp": "kernels", "choices.hpp": "base", "error.hpp": "base", "export.hpp": "base", "figure.hpp": "base", "sparse_figures.hpp": "base", "dense_figures.hpp": "base", "iteration_figures.hpp": "base", "handle.hpp": "base", "nearest.hpp": "base", "printed.hpp": "base", "quiet_floats.hpp": "base", "scalar.hpp": "base",
                   "sparse_matrix.hpp": "base", "triangular_factors.hpp": "base",
                   "trace.hpp": "trace", "generate.hpp": "sparse"}

# They include overlapack/... and their own files alone: what they need, every user may have.
USERS = ("cli", "python", "fortran", "examples", "dropins")
# These include layers too:
INSIDERS = {
    "scalapack": "a face of the library beside src/api: it factorises in place, in memory laid out by its caller",
    "bench": "measures kernels and phases that no user calls by themselves",
    "studies": "programs for single figures of papers; most of a study is Python",
}
BELOW["users"] = ["api", "base", "trace", "sparse"]  # by their public headers
BELOW["insiders"] = list(BELOW)
SOURCES = {".cpp", ".hpp", ".h", ".c", ".cc", ".inl"}

LIBRARIES = ("src", "include", "python", "scalapack", "dropins")  # guests in the programs of others
# Faces for programs that know nothing of this library, and can be told, and can tell it, in no other way (decisions 0042 and 0043):
BSPLIB, SCALAPACK_PLAN = "dropins/bsplib/program.cpp", "scalapack/given_plan.cpp"
# What stands in a file of the folders at the left of `unless` only. Patterns see code without comments and strings.
ENGINE_HEADERS = r"#\s*include\s*<(mpi\.h|(p?shmem|shmemx)\.h|thread|atomic|mutex|shared_mutex|condition_variable" \
                 r"|stop_token|future|semaphore|latch|barrier|pthread\.h|threads\.h|stdatomic\.h)>"
RULES = [
    # (what, pattern, where it is looked for, where it may stand)
    ("header of the engines", ENGINE_HEADERS, ("src", "include", "cli", "python", "scalapack"),
     ("src/comm/engine/*",)),
    ("prints", r"\bstd\s*::\s*(cout|cerr|clog)\b|(?<![\w:.>])(std\s*::\s*)?(printf|fprintf|vprintf|vfprintf|puts|fputs"
               r"|putchar|perror)\s*\(|#\s*include\s*<iostream>", LIBRARIES, (BSPLIB, SCALAPACK_PLAN)),
    ("ends the process", r"(?<![\w:.>])(std\s*::\s*|::\s*)?(exit|_exit|_Exit|quick_exit)\s*\("
                         r"|\bstd\s*::\s*(abort|terminate)\b|(?<![\w:.>])(::\s*)?abort\s*\(\s*\)",
     LIBRARIES, (BSPLIB,)),
    ("reads the environment", r"\b(secure_)?getenv\s*\(|\bsetenv\s*\(|\bputenv\s*\(|\benviron\b",
     LIBRARIES, ("src/comm/engine/*", SCALAPACK_PLAN)),
    ("reads a clock", r"\b(steady_clock|system_clock|high_resolution_clock|clock_gettime|gettimeofday)\b",
     ("src", "include"), ("src/comm/engine/*", "src/api/*")),
    ("opens files", r"#\s*include\s*<(fstream|zlib\.h)>|\bfopen\s*\(", ("src", "include"), ("src/api/*", "src/comm/engine/*")),
]
# Lines that stand where no other like them may.
EXCEPTIONS = {
    "src/comm/team.cpp": r'#include "comm/engine/[\w/]+\.hpp"',  # opens an engine by its name
    "src/sparse/analysis/graph/ordering.cpp": r"#include <mutex>",  # around METIS, whose random state is process-global
    "src/kernels/product/blas_call.cpp": r"#include <(atomic|pthread\.h)>",  # a BLAS bears so many callers of the whole process
    "src/base/processors.cpp": r"#include <fstream>",  # the control group's quota is told in files
    "src/base/own_file.cpp": r"#include <fstream>",  # the system tells in one which file this code is from
    "src/base/spares.hpp": r"#include <mutex>",  # between slices, which an engine runs
    "python/kept_factors.hpp": r"#include <mutex>",  # XLA's threads ask, which hold no lock of Python
    "python/kept_factors.cpp": r"#include <pthread\.h>",  # a forked child begins anew
    "cli/run_watch.cpp": r"#include <(atomic|condition_variable|mutex|thread)>",  # the command owns its process, and hears Ctrl-C beside its work
    "src/base/large_memory.cpp": r"#include <(mutex|pthread\.h)>",  # what waits for reuse is the whole process's
}
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX)\b")


def main(root: Path) -> int:
    problems = [p for folder in ("src", "include", *USERS, *INSIDERS) for p in check_folder(root, root / folder)]
    for problem in problems:
        print(problem)
    if not problems:
        print("layers: every include, link and call stays within its layer")
    return 1 if problems else 0


def check_folder(root, folder):
    for path in sorted(folder.rglob("*")):
        if path.name == "CMakeLists.txt":
            yield from check_links(root, path)
        elif path.suffix in SOURCES and path.is_file():
            yield from check_source(root, path)


def check_source(root, path):
    name = path.relative_to(root).as_posix()
    layer = layer_of_file(name)
    text = path.read_text(encoding="utf-8", errors="replace")
    is_face = any(fnmatch(name, face) for face in FACES)
    if name.startswith("src/") and not is_face and not has_its_namespace(name, text):
        yield f"{name}:1: is in the namespaces {', '.join(namespaces_of(text))}; its folder's is {namespace_of(name)}"
    for number, line in enumerate(text.splitlines(), 1):
        if UNFINISHED.search(line):
            yield f"{name}:{number}: unfinished mark"
    for number, line in enumerate(code_lines(text), 1):
        if re.fullmatch(EXCEPTIONS.get(name, "(?!)"), line.strip()):
            continue
        included = re.match(r'\s*#\s*include\s*["<]([^">]+)[">]', line)
        target = layer_of_include(included.group(1)) if included else None
        if layer == "users" and target and not included.group(1).startswith("overlapack/"):
            yield f"{name}:{number}: includes {included.group(1)}, which is not installed; use overlapack/..."
        elif target and target != layer and target not in BELOW[layer]:
            yield f"{name}:{number}: {layer} includes {included.group(1)} of the layer {target}"
        if included and climbs_between_rooms(name, included.group(1)):
            yield f"{name}:{number}: includes {included.group(1)} of a room that is not below its own"
        if included and "comm/engine/" in included.group(1) and not name.startswith("src/comm/engine/"):
            yield f"{name}:{number}: includes an engine; only src/comm/engine may (comm/team.hpp opens engines)"
        for what, pattern, scope, allowed in RULES:
            if name.split("/")[0] in scope and not any(fnmatch(name, a) for a in allowed) and re.search(pattern, line):
                yield f"{name}:{number}: {what}: {line.strip()}"


def namespaces_of(text):
    return re.findall(r"^namespace (overlapack[\w:]*) \{", text, re.MULTILINE)


def namespace_of(name):
    folder = max((f for f in NAMESPACES if name.startswith(f"src/{f}/")), key=len, default=None)
    return NAMESPACES.get(folder)


def has_its_namespace(name, text):
    """Does a file open the namespace of its folder, or one inside it? One that opens none has nothing to name."""
    found, wanted = namespaces_of(text), namespace_of(name)
    return not found or wanted is None or any(f == wanted or f.startswith(wanted + "::") for f in found)


def climbs_between_rooms(name, target):
    """Does a file of a room include one of its folder that is neither in its own room nor in one below?"""
    for folder, rooms in ROOMS.items():
        room, other = room_in(folder, name.removeprefix("src/")), room_in(folder, target)
        if room in rooms and other is not None and other != room and other not in rooms[room]:
            return True
    return False


def room_in(folder, path):
    """The room of a file of the folder, "" beside the rooms; None elsewhere."""
    if not path.startswith(folder + "/"):
        return None
    room, slash, _ = path[len(folder) + 1:].partition("/")
    return room if slash else ""


def layer_of_file(name):
    """The layer that a file of the project belongs to."""
    parts = name.split("/")
    if parts[0] == "src":
        return parts[1]
    if parts[0] == "include":
        return LAYER_OF_HEADER.get(parts[-1], "api")
    return "insiders" if parts[0] in INSIDERS else "users"


def layer_of_include(target):
    """The layer that an include line names; None for anything that is not ours."""
    first, _, rest = target.partition("/")
    if first == "overlapack" and rest:
        return LAYER_OF_HEADER.get(rest, "api")
    return first if first in BELOW and rest and first not in ("users", "insiders") else None


def code_lines(text):
    """The lines without comments, and without strings save those of include lines."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    tokens = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)

    def strip(match):
        start = text.rfind("\n", 0, match.start()) + 1
        is_include = re.match(r"\s*#\s*include", text[start:match.start()]) and match.group(0)[0] == '"'
        return match.group(0) if is_include else blank(match)

    return tokens.sub(strip, text).splitlines()


def check_links(root, path):
    """LINKS of overlapack_layer(folder ...) name lower folders only."""
    name = path.relative_to(root).as_posix()
    text = re.sub(r"#[^\n]*", "", path.read_text(encoding="utf-8"))
    for call in re.finditer(r"overlapack_layer\(\s*(\w+)([^)]*)\)", text):
        layer = layer_of_file(name)
        links = re.search(r"\bLINKS\b([^)]*?)(?:\b[A-Z_]{4,}\b|$)", call.group(2))
        for target in links.group(1).split() if links else []:
            if target in BELOW and target != layer and target not in BELOW[layer]:
                yield f"{name}: the target {call.group(1)} of the layer {layer} links {target}"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)))
