"""What tools/wheel does beside compiling.

wheel_parts.py refresh NEW OLD        make the tree OLD as NEW is; files that are the same keep their time
wheel_parts.py finish WHEEL FOLDER    look at what a repaired wheel has, add the licences of all that is in it, write it to FOLDER
"""
import filecmp
import importlib.metadata
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Libraries that auditwheel puts in, by the beginning of their names: Debian's package whose licence they are under.
GRAFTED = {"libmetis": "libmetis5", "libamd": "libamd2", "libsuitesparseconfig": "libsuitesparseconfig5"}
# Headers that are compiled in.
HEADERS = ["libcli11-dev", "nlohmann-json3-dev"]
# Packages of PyPI, parts of which are in the wheel as they are.
FROM_PYPI = ["nanobind", "scipy-openblas32"]
# What any Linux with Python has (PEP 600); all else has to be in the wheel.
OF_THE_SYSTEM = re.compile(r"lib(c|m|dl|rt|z|pthread|stdc\+\+|gcc_s)\.so\.\d+|ld-linux[\w-]*\.so\.\d")
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
        if path.parent.name == "overlapack.libs" and package_of(path) is None:
            found.append(f"{path.name} has no licence in tools/wheel_parts.py")
    return found


def package_of(library: Path):
    return next((package for start, package in GRAFTED.items() if library.name.startswith(start)), None)


def add_licences(tree: Path) -> list[str]:
    """dist-info/licenses/NAME.txt for all that others wrote; the names."""
    folder = next(tree.glob("*.dist-info")) / "licenses"
    folder.mkdir(exist_ok=True)
    grafted = {package_of(path) for path in (tree / "overlapack.libs").iterdir()}
    for package in sorted(grafted | set(HEADERS)):
        shutil.copy(Path("/usr/share/doc") / package / "copyright", folder / f"{package}.txt")
    for name in FROM_PYPI:
        files = importlib.metadata.distribution(name).files or []
        text = next(path for path in files if re.fullmatch(r"LICEN[CS]E.*", path.name))
        shutil.copy(text.locate(), folder / f"{name}.txt")
    return sorted(path.stem for path in folder.iterdir())


def finish(wheel: Path, folder: Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([sys.executable, "-m", "wheel", "unpack", "-d", place, wheel], check=True, stdout=subprocess.DEVNULL)
        tree = next(Path(place).iterdir())
        if found := faults(tree):
            sys.exit("\n".join(found))
        licences = add_licences(tree)
        subprocess.run([sys.executable, "-m", "wheel", "pack", "-d", folder, tree], check=True, stdout=subprocess.DEVNULL)
        print(f"{wheel.name}:", ", ".join(sorted(path.name for path in programs(tree))))
        print("licences:", ", ".join(licences))


if __name__ == "__main__":
    command, *paths = sys.argv[1:]
    {"refresh": refresh, "finish": finish}[command](*map(Path, paths))
