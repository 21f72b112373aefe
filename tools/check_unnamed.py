#!/usr/bin/env python3
"""Fail where two files of one target give a name in their unnamed namespaces: compiled together (CMake's unity build), one would
be taken for the other, by a better fitting overload without a word.

    tools/check_unnamed.py BUILD      a build tree of a preset with a unity build
"""
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

IDENTIFIER = r"[A-Za-z_]\w*"
# A definition that begins a line of an unnamed namespace: of a type or alias, or the name before ( of a function or = { [ ; of a
# constant.
TYPE = re.compile(rf"^(?:class|struct|enum class|enum|union|using|concept)\s+(?:alignas\([^)]*\)\s*)?({IDENTIFIER})")
OTHER = re.compile(rf"^(?:\[\[[^\]]*\]\]\s*)?[A-Za-z_][\w:<>,\s*&\[\].()]*?[\s*&](?!const\b)({IDENTIFIER})\s*(?:\(|=|\{{|\[|;)")


def unnamed_names(path):
    """The names at the top of the file's unnamed namespaces."""
    inside = False
    for line in path.read_text().splitlines():
        if line == "namespace {":
            inside = True
        elif inside and line.startswith("}") and "namespace" in line:
            inside = False
        elif inside and line[:1] not in ("", " ", "}", "#", "/", ")") and not line.startswith(("template", "namespace", "using namespace", "using enum")):
            found = TYPE.match(line) or OTHER.match(line)
            if found and not (line.startswith("using ") and "=" not in line):
                yield found.group(1)


def main(build):
    problems = 0
    targets = defaultdict(set)
    for command in json.loads(Path(build, "compile_commands.json").read_text()):
        unit = Path(command["file"])
        if unit.parent.name == "Unity":
            targets[unit.parent.parent].update(re.findall(r'^#include "(.*)"', unit.read_text(), flags=re.M))
    if not targets:
        sys.exit(f"{build} holds no unity build")
    for target, sources in sorted(targets.items()):
        places = defaultdict(list)
        for source in sorted(sources):
            for name in set(unnamed_names(Path(source))):
                places[name].append(Path(source).name)
        for name, files in sorted(places.items()):
            if len(files) > 1:
                problems += 1
                print(f"{target.stem}: {name} in the unnamed namespaces of {', '.join(files)}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
