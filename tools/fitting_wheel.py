"""fitting_wheel.py FOLDER: print the wheel of overlapack in it that fits this Python, this computer and these sources; nothing without one.

It fits where it is of the version that CMakeLists.txt has, and newer than every file that a wheel is made of.
"""
import re
import sys
from pathlib import Path

from pip._vendor.packaging.tags import sys_tags
from pip._vendor.packaging.utils import InvalidWheelFilename, parse_wheel_filename

PARTS = ("CMakeLists.txt", "pyproject.toml", "cmake", "src", "include", "cli", "python")


def main(folder: str) -> None:
    version = re.search(r"project\(overlapack VERSION ([0-9.]+)", Path("CMakeLists.txt").read_text()).group(1)
    files = [file for part in PARTS for file in (Path(part), *Path(part).rglob("*")) if file.suffix != ".pyc" and file.is_file()]
    newest = max(file.stat().st_mtime for file in files)
    mine = set(sys_tags())
    fitting = [wheel for wheel in Path(folder).glob("overlapack-*.whl") if is_fit(wheel, version, mine) and wheel.stat().st_mtime > newest]
    if fitting:
        print(max(fitting, key=lambda wheel: wheel.stat().st_mtime))


def is_fit(wheel: Path, version: str, mine: set) -> bool:
    try:
        _, its_version, _, tags = parse_wheel_filename(wheel.name)
    except InvalidWheelFilename:
        return False
    return str(its_version) == version and not mine.isdisjoint(tags)


if __name__ == "__main__":
    main(sys.argv[1])
