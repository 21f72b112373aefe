"""The headers of another version of MUMPS, made of those that are installed: mumps_headers.py INCLUDE OUT VERSION.

What the structs of MUMPS 5.7 have more than those of 5.3 to 5.6, and 5.9.1's more than 5.7's, stands here by name; MUMPS's own text stays
where it is installed. A version that is none gets the installed structs.
"""
import re
import sys
from pathlib import Path

SINCE_5_7 = [
    (r"rowsca_from_mumps;", r"rowsca_from_mumps; REAL *colsca_loc, *rowsca_loc; MUMPS_INT *rowind, *colind; NUMBER *pivots;"),
    (r"\*rhs_loc;", r"*rhs_loc, *rhsintr;"),
    (r"\*irhs_loc;", r"*irhs_loc, *glob2loc_rhs, *glob2loc_sol;"),
    (r"\blrhs_loc;", r"lrhs_loc, nsol_loc;"),
    (r"\bnpcol;", r"npcol, ld_rhsintr;"),
    (r"\*mapping;", r"*mapping; REAL *singular_values;"),
    (r"MUMPS_INT\s+instance_number;", r""),
    (r"metis_options\[40\];", r"metis_options[40]; MUMPS_INT instance_number;"),
    (r"(ooc_tmpdir|write_problem|save_dir)\[\d+\];", r"\1[1024];"),
    (r"ooc_prefix\[\d+\];", r"ooc_prefix[256];"),
]
SINCE_5_9 = [
    (r"MUMPS_INT\s+deficiency;", r""),
    (r"\*singular_values;", r"*singular_values; MUMPS_INT nb_singular_values;"),
]


def edited(text, letter, edits):
    for pattern, replacement in edits:
        replacement = replacement.replace("REAL", f"{letter}MUMPS_REAL").replace("NUMBER", f"{letter}MUMPS_COMPLEX")
        text, count = re.subn(pattern, replacement, text)
        if count == 0:
            sys.exit(f"the header of {letter.lower()}mumps_c has no {pattern}")
    return text


def main():
    include, out, version = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    out.mkdir(parents=True, exist_ok=True)
    minor = int(version.split(".")[1]) if version.startswith("5.") else 0
    for letter in "SDCZ":
        name = f"{letter.lower()}mumps_c.h"
        text = (include / name).read_text()
        if minor >= 7 and "singular_values" not in text:
            text = edited(text, letter, SINCE_5_7)
        if minor >= 9 and "nb_singular_values" not in text:
            text = edited(text, letter, SINCE_5_9)
        (out / name).write_text(re.sub(r'(define MUMPS_VERSION) "[^"]*"', rf'\1 "{version}"', text))


main()
