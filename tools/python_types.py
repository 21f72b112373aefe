#!/usr/bin/env python3
"""Write the types of Python's keywords and of the report's entries as the library's tables have them: into python/overlapack/_options.py
and _report.py, each below a line "# tools/python_types.py: TABLE" and down to the next empty line.

    tools/python_types.py OVERLAPACK            OVERLAPACK: the executable of this source; writes them
    tools/python_types.py OVERLAPACK --check    writes nothing; exit code 1 if a file is another one
"""
import json
import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "python" / "overlapack"
NUMBERS = {"null_vector": "float", "wait_share_of_rank": "float", "iterations_of_rank": "int", "batches": "int"}  # of lists


def of_option(option):
    choices = option.get("choices")
    return f"Literal[{', '.join(json.dumps(choice) for choice in choices)}]" if choices else option["type"]


def of_entry(entry):
    if entry["type"] == "list":
        return f"list[{NUMBERS.get(entry['name'], 'Any')}]"
    return "Report" if entry["type"] == "dict" else entry["type"] + (" | None" if entry["may_be_null"] else "")


def members(table):
    """name -> type, for each entry of a table; entries of an object are one member."""
    if table == "report":
        return lambda rows: {row["name"].partition(".")[0]: "Report" if "." in row["name"] else of_entry(row) for row in rows}
    return lambda rows: {row["name"]: of_option(row) for row in rows}


def filled(text, tables):
    """The text of a file with its blocks made anew."""

    def block(match):
        return match[1] + "".join(f"    {name}: {kind}\n" for name, kind in tables(match[2]).items())

    return re.sub(r"( +# tools/python_types\.py: (\w+)\n)(?: +\S.*\n)*", block, text)


def main():
    program, check = sys.argv[1], "--check" in sys.argv

    def tables(table):
        return members(table)(json.loads(subprocess.run([program, "info", f"--{table}", "--json"], check=True, capture_output=True, text=True).stdout))

    is_other = False
    for path in (PACKAGE / "_options.py", PACKAGE / "_report.py"):
        old = path.read_text()
        if (new := filled(old, tables)) != old:
            is_other = True
            if not check:
                path.write_text(new)
            print(f"{path.name}: {'other types than the tables; call tools/python_types.py' if check else 'written'}")
    return is_other and check


if __name__ == "__main__":
    sys.exit(main())
