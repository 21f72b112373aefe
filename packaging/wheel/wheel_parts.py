"""What tools/wheel does beside compiling.

wheel_parts.py refresh NEW OLD                 make the tree OLD as NEW is; files that are the same keep their time
wheel_parts.py finish WHEEL FOLDER SOURCES     look at what a repaired wheel has, add the licences of all that is in it, write it to FOLDER;
                                               SOURCES has the sources of METIS, SuiteSparse and zlib as Debian's packages unpack
"""
import filecmp
import importlib.metadata
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# What is compiled in or beside, and its licences; Debian's file debian/copyright of each has their texts.
FROM_SOURCES = {"metis": "Apache-2.0 AND LGPL-2.1-or-later", "suitesparse": "BSD-3-Clause", "zlib": "Zlib"}
# Headers and libraries of the system: Debian's package with the text.
FROM_DEBIAN = {
    "libcli11-dev": "BSD-3-Clause",
    "nlohmann-json3-dev": "MIT",
    "libstdc++-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
}
# Packages of PyPI, parts of which are in the wheel as they are; OpenBLAS has a part of GCC's Fortran library inside.
FROM_PYPI = {"nanobind": "BSD-3-Clause AND MIT", "scipy-openblas32": "BSD-3-Clause AND GPL-3.0-or-later WITH GCC-exception-3.1"}
OURS = "BSD-3-Clause"
GLIBC_MINOR = 28
# The only library of others that may stand beside OpenBLAS: what its user may put another in place of.
GRAFTED = re.compile(r"libmetis-\w+\.so\.5")
# What any Linux with Python has (PEP 600); all else has to be in the wheel.
OF_THE_SYSTEM = re.compile(r"lib(c|m|dl|rt|pthread|gcc_s)\.so\.\d+|ld-linux[\w-]*\.so\.\d")
COPYLEFT = re.compile(r"libgfortran|libquadmath|libscotch")
# A static libquadmath (LGPL) leaves its functions' names behind; a static libgfortran may be in any program, by its exception.
COPYLEFT_INSIDE = re.compile(rb"quadmath_snprintf|strtoflt128")


def refresh(new: Path, old: Path) -> None:
    kept = {path.relative_to(new) for path in new.rglob("*")}
    for path in sorted(old.rglob("*"), reverse=True):
        inside = path.relative_to(old)
        if inside.parts[0] != "build" and inside not in kept:
            path.rmdir() if path.is_dir() else path.unlink()
    for inside in sorted(kept):
        if (new / inside).is_dir():
            (old / inside).mkdir(exist_ok=True)
        elif not (old / inside).exists() or not filecmp.cmp(new / inside, old / inside, shallow=False):
            shutil.copy(new / inside, old / inside)


def needed(path: Path) -> list[str]:
    told = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.+)\]", told)


def is_program(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def programs(tree: Path) -> list[Path]:
    return [path for path in tree.rglob("*") if path.is_file() and is_program(path)]


def faults(tree: Path) -> list[str]:
    """What stands against giving the unpacked wheel away, a sentence each."""
    found = []
    inside = {path.name for path in programs(tree)}
    for path in programs(tree):
        for name in needed(path):
            if name not in inside and not OF_THE_SYSTEM.fullmatch(name):
                found.append(f"{path.name} needs {name}, which is not in the wheel")
        if COPYLEFT.match(path.name) or COPYLEFT_INSIDE.search(path.read_bytes()):
            found.append(f"{path.name} is under a licence that docs/decisions/0003 keeps out")
        if path.parent.name == "overlapack.libs" and not GRAFTED.fullmatch(path.name):
            found.append(f"{path.name} has no licence in packaging/wheel/wheel_parts.py")
    return found


def texts(sources: Path):
    """(name, file with its licence) of all that others wrote."""
    for name in FROM_SOURCES:
        yield name, sources / name / "debian/copyright"
    for name in FROM_DEBIAN:
        yield name, Path("/usr/share/doc") / name / "copyright"
    for name in FROM_PYPI:
        files = importlib.metadata.distribution(name).files or []
        yield name, next(path for path in files if re.fullmatch(r"LICEN[CS]E.*", path.name)).locate()


def expression() -> str:
    """The licences of all that is in the wheel, as SPDX writes them."""
    parts = " AND ".join([OURS, *FROM_SOURCES.values(), *FROM_DEBIAN.values(), *FROM_PYPI.values()]).split(" AND ")
    return " AND ".join(dict.fromkeys(parts))


def add_licences(tree: Path, sources: Path) -> list[str]:
    """dist-info/licenses/NAME.txt for all that others wrote, named in METADATA; the names."""
    info = next(tree.glob("*.dist-info"))
    names = []
    for name, text in texts(sources):
        shutil.copy(text, info / "licenses" / f"{name}.txt")
        names.append(name)
    metadata = (info / "METADATA").read_text()
    said = f"License-Expression: {OURS}\nLicense-File: LICENSE\n"
    if said not in metadata:
        sys.exit(f"METADATA does not say {said!r}, to which the licences of what is inside are added")
    files = "".join(f"License-File: {name}.txt\n" for name in names)
    (info / "METADATA").write_text(metadata.replace(said, f"License-Expression: {expression()}\nLicense-File: LICENSE\n{files}"))
    return names


def is_old_enough(name: str) -> bool:
    """The oldest glibc that the wheel's name claims to run with."""
    claimed = [int(minor) for minor in re.findall(r"manylinux_2_(\d+)_", name)]
    return bool(claimed) and min(claimed) <= GLIBC_MINOR


def finish(wheel: Path, folder: Path, sources: Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([sys.executable, "-m", "wheel", "unpack", "-d", place, wheel], check=True, stdout=subprocess.DEVNULL)
        tree = next(Path(place).iterdir())
        found = faults(tree)
        if not is_old_enough(wheel.name):
            found.append(f"{wheel.name} needs a glibc that is newer than 2.{GLIBC_MINOR}")
        if found:
            sys.exit("\n".join(found))
        licences = add_licences(tree, sources)
        subprocess.run([sys.executable, "-m", "wheel", "pack", "-d", folder, tree], check=True, stdout=subprocess.DEVNULL)
        print(f"{wheel.name}:", ", ".join(sorted(path.name for path in programs(tree))))
        print("licences:", ", ".join(licences))


if __name__ == "__main__":
    command, *paths = sys.argv[1:]
    {"refresh": refresh, "finish": finish}[command](*map(Path, paths))
