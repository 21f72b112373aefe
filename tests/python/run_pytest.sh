#!/bin/sh
# run_pytest.sh PYTHON FOLDER: the tests of a folder on the installed package. 77, which ctest shows as skipped, where
# overlapack, pytest or SciPy is not installed; what is installed and cannot be imported makes the tests fail.
missing=$("$1" -c 'from importlib.util import find_spec
print(*[name for name in ("overlapack", "pytest", "scipy") if find_spec(name) is None])') || exit 1
if [ -n "$missing" ]; then
  echo "skipped: not installed: $missing"
  exit 77
fi
"$1" -c 'import overlapack, scipy' || exit 1
exec "$1" -m pytest -q -rs -p no:cacheprovider "$2"
