"""The console script `overlapack`: becomes the executable that is installed beside this file."""
import os
import sys


def main() -> None:
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "overlapack")
    try:
        os.execv(program, ["overlapack", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"overlapack: cannot start {program}: {error.strerror}; install the package again")


if __name__ == "__main__":
    main()
