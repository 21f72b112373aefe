#!/bin/sh
# run_pytest.sh PYTHON FOLDER: the tests of a folder on the installed package; 77, which ctest shows as skipped,
# where the package or pytest is not installed.
"$1" -c 'import overlapack, pytest, scipy' || exit 77
exec "$1" -m pytest -q -p no:cacheprovider "$2"
