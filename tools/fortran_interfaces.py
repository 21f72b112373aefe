#!/usr/bin/env python3
"""Write fortran/c_interface.inc, overlapack.h as Fortran sees it: enumerators, olp_matrix and bind(c) interfaces.

    tools/fortran_interfaces.py            writes it
    tools/fortran_interfaces.py --check    writes nothing; exit code 1 if the file is another one, or if the module leaves a
                                           function of the header unused that is not an exception below

Functions keep their names; those that return text are c_NAME for olp_NAME, since the module has functions of those names. A
parameter that C reads, a matrix or whole numbers, is optional: absent, C gets a null pointer. Other pointers are type(c_ptr).
"""
import re
import sys
from pathlib import Path

HEADER = "include/overlapack/overlapack.h"
RESULT = "fortran/c_interface.inc"
# Functions that the module does without, and why.
EXCEPTIONS = {"olp_set_communicator": "it takes the address of C's MPI_Comm; Fortran's number goes to olp_set_fortran_communicator"}

# Members of olp_matrix with another start value than 0: Fortran's arrays begin at 1.
DEFAULTS = {"type": "olp_float64", "index_bytes": "8", "base": "1"}
MEMBERS = {"int": "integer(c_int)", "int64_t": "integer(c_int64_t)", "void*": "type(c_ptr)"}

VALUES = {"int": "integer(c_int), value", "olp_status": "integer(c_int), value", "int64_t": "integer(c_int64_t), value",
          "double": "real(c_double), value", "olp_progress": "type(c_funptr), value"}
READ = {"char*": "character(kind=c_char), intent(in) :: {}(*)", "olp_matrix*": "type(olp_matrix), intent(in), optional :: {}",
        "int*": "integer(c_int), intent(in), optional :: {}(*)",
        "int64_t*": "integer(c_int64_t), intent(in), optional :: {}(*)",
        "unsigned char*": "integer(c_signed_char), intent(in), optional :: {}(*)"}
RESULTS = {"olp_status": "integer(c_int)", "int": "integer(c_int)", "const char*": "type(c_ptr)"}


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)


def fortran_name(name):
    return "value_type" if name == "type" else name


def split(declaration):
    """("const olp_matrix*", "A") of "const olp_matrix* A"."""
    words = re.fullmatch(r"(.*?)\s*(\w+)", " ".join(declaration.split()))
    return words[1].replace(" *", "*"), words[2]


def enumerators(header):
    return [[name.strip().lower() for name in body.split(",") if name.strip()]
            for body in re.findall(r"enum \w+ \{(.*?)\}", header, re.DOTALL)]


def members(header):
    body = re.search(r"typedef struct olp_matrix \{(.*?)\}", header, re.DOTALL)[1]
    for line in filter(None, map(str.strip, body.split(";"))):
        first, *others = line.split(",")
        kind, name = split(first)
        for member in (name, *map(str.strip, others)):
            yield kind.removeprefix("const "), member


def functions(header):
    """[(result, name, [(type, name)])] of each prototype."""
    found = re.findall(r"OLP_API\s+([\w\s*]+?)\s*(\w+)\(([^()]*)\);", header)
    if len(found) != len(re.findall(r"^OLP_API\b", header, re.MULTILINE)):
        raise SystemExit(f"{HEADER}: a prototype has another form than OLP_API RESULT NAME(PARAMETERS);")
    return [(result, name, [split(p) for p in inside.split(",") if p.strip() != "void"]) for result, name, inside in found]


def declared(kind, name):
    if kind in VALUES:
        return f"{VALUES[kind]} :: {name}"
    if kind.startswith("const ") and kind[6:] in READ:
        return READ[kind[6:]].format(name)
    if kind == "olp_matrix*":
        return f"type(olp_matrix), intent(inout) :: {name}"
    if re.fullmatch(r"olp_\w+\*\*|const char\*\*", kind):
        return f"type(c_ptr), intent(out) :: {name}"
    if kind.endswith("*"):
        return f"type(c_ptr), value :: {name}"
    raise SystemExit(f"{HEADER}: no rule for the type {kind}")


def used_name(result, name):
    return name.replace("olp_", "c_", 1) if result in ("const char*", "int") else name


def wrapped(line, indent):
    """The line in pieces of at most 120 columns."""
    lines, rest = [], " " * indent + line
    while len(rest) > 120:
        cut = rest.rindex(", ", 0, 118) + 2
        lines.append(rest[:cut] + "&")
        rest = " " * (indent + 2) + rest[cut:]
    return [*lines, rest]


def interface(result, name, parameters):
    own = used_name(result, name)
    kind = "subroutine" if result == "void" else f"{RESULTS[result]} function"
    names = ", ".join(fortran_name(p) for _, p in parameters)
    yield from wrapped(f"{kind} {own}({names}) bind(c, name='{name}')", 4)
    yield "      import"
    for p_kind, p in parameters:
        yield f"      {declared(p_kind, fortran_name(p))}"
    yield f"    end {kind.split()[-1]}"


def generated(header):
    header = without_comments(header)
    lines = ["! Made from overlapack.h by tools/fortran_interfaces.py; change that.", ""]
    for names in enumerators(header):
        lines += ["  enum, bind(c)", *wrapped("enumerator :: " + ", ".join(names), 4), "  end enum",
                  *wrapped("public :: " + ", ".join(names), 2), ""]
    lines += ["  !> As struct olp_matrix: a description of arrays that belong to the caller.", "  type, bind(c), public :: olp_matrix"]
    for kind, name in members(header):
        value = DEFAULTS.get(name, "c_null_ptr" if kind == "void*" else "0")
        lines.append(f"    {MEMBERS[kind]} :: {fortran_name(name)} = {value}")
    lines += ["  end type", "", "  interface"]
    for function in functions(header):
        lines += interface(*function)
    return "\n".join([*lines, "  end interface", ""])


def unused(header, module):
    """Functions of the header that the module's code does not name."""
    code = re.sub(r"!.*", "", module)
    return [name for result, name, _ in functions(without_comments(header))
            if name not in EXCEPTIONS and not re.search(rf"\b{used_name(result, name)}\b", code)]


def main(root, check):
    header = (root / HEADER).read_text(encoding="utf-8")
    if not check:
        (root / RESULT).write_text(generated(header), encoding="utf-8")
        return 0
    sources = [p for p in sorted((root / "fortran").iterdir()) if p.suffix in (".F90", ".inc") and p != root / RESULT]
    complaints = [f"{sources[0].parent}: {name} of {HEADER} is not used; wrap it, or name it in EXCEPTIONS of {Path(__file__).name}"
                  for name in unused(header, "\n".join(p.read_text(encoding="utf-8") for p in sources))]
    if (root / RESULT).read_text(encoding="utf-8") != generated(header):
        complaints.append(f"{RESULT} is not what {HEADER} says; run tools/{Path(__file__).name}")
    print(*complaints, sep="\n", end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parent.parent, "--check" in sys.argv[1:]))
