"""python3 -m stand_ins [--out DIR] NAME...: files of these matrices, made where they are not there."""
import argparse

from . import CATALOGUE, file_of

parser = argparse.ArgumentParser(prog="python3 -m stand_ins", description="Makes files of matrices: NAME.mtx.gz.")
parser.add_argument("names", nargs="+", choices=list(CATALOGUE), metavar="NAME", help=", ".join(CATALOGUE))
parser.add_argument("--out", default=".", metavar="DIR", help="default: here")
asked = parser.parse_args()
for name in asked.names:
    print(file_of(name, asked.out), flush=True)
