# shellcheck shell=bash
# Sourced by ./test after prepare.sh: tests of builds with another BLAS than the package's (docs/testing.md).

# file_of_blas NAME: what OVERLAPACK_BLAS is to be for it; installs it where it is missing.
file_of_blas() {
  case $1 in
    scipy-openblas32) echo "$1" ;;
    openblas)
      need libopenblas-dev has_library -lopenblas
      install_missing >&2
      echo OpenBLAS ;;
    blis)
      need libblis-serial-dev ls /usr/lib/*/blis-serial/libblis.so
      install_missing >&2
      echo /usr/lib/*/blis-serial/libblis.so ;;
    mkl)
      prepare_venv mkl >&2
      ls "$PWD/$venv"/lib/libmkl_rt.so.* ;;
    /*) echo "$1" ;;
    *) stop "--blas is \"$1\"; give scipy-openblas32, openblas, blis, mkl, or the file of a library with gemm." ;;
  esac
}

# with_blas NAME [ctest arguments]: all C++ tests that are not long, in build/blas-NAME; objects are shared with other trees by ccache.
with_blas() {
  local name file tree
  name=$(basename "$1")
  file=$(file_of_blas "$1") || exit 1
  tree=build/blas-$name
  shift
  say "BLAS: $file"
  logged "configure-$name" cmake --preset release -B "$tree" -DOVERLAPACK_BLAS="$file" -DOVERLAPACK_SMPI=OFF -DPython3_EXECUTABLE="$PWD/$venv/bin/python" ||
    stop "cmake failed; its output is in build/configure-$name.log."
  build_in "$tree" all
  "$tree/cli/overlapack" doctor || true
  ctest --test-dir "$tree" --output-on-failure -j "$(nproc)" -L '^(unit|engine|algorithm|stress|dropin|cli)$' -LE "$long_labels" "$@"
}
