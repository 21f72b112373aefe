# shellcheck shell=bash
# Sourced by ./test after prepare.sh: tests of builds with sanitizers, and of one that counts what runs (docs/testing.md).

# instrumented asan|tsan|coverage K/N [ctest arguments]: of the tests that the arguments choose, without the labels $long_labels, all for 0/1, those of share K of N;
# builds what they need in the preset's tree, runs them, and lists what did not run.
instrumented() {
  local preset=$1 share=$2 result=0 chosen
  shift 2
  say "$preset: configure"
  logged "configure-$preset" cmake --preset "$preset" -DOVERLAPACK_PYTHON=ON -DOVERLAPACK_BLAS="$blas" \
    -DPython_EXECUTABLE="$PWD/$venv/bin/python" -DPython3_EXECUTABLE="$PWD/$venv/bin/python" ||
    stop "cmake failed; its output is in build/configure-$preset.log."
  chosen=$(ctest --preset "$preset" -N -LE "$long_labels" "$@" | $venv/bin/python tools/sanitized_tests.py "build/$preset" "$share") || return 1
  local tests files counted
  { read -r tests; read -r files; read -r counted; } <<<"$chosen"
  say "$preset, share $share: $counted"
  # shellcheck disable=SC2086
  build_in "build/$preset" $files
  ctest --preset "$preset" -j "$(nproc)" -LE "$long_labels" "$@" -R "$tests" || result=$?
  say "$preset: what was skipped"
  local without=(--without SimGrid)
  [ "$preset" = coverage ] || without+=(--without OpenSHMEM)
  $venv/bin/python tools/skipped_tests.py "build/$preset/Testing/Temporary/LastTest.log" ${CI:+--strict} "${without[@]}" || result=1
  return $result
}

# covered [ctest arguments]: what these tests run of each folder; where none are chosen, all of them, for docs/testing.md.
covered() {
  local result=0 write=()
  find build/coverage -name '*.gcda' -delete 2>/dev/null || true  # counts of runs before
  instrumented coverage 0/1 "$@" || result=$?
  [ $# -gt 0 ] || write=(--write "All tests of \`./test --coverage\`, GCC $(g++ -dumpfullversion).")
  say "coverage: what has run"
  $venv/bin/python tools/coverage_table.py build/coverage "${write[@]}" || result=1
  echo "lines that have not run: $venv/bin/python tools/coverage_table.py build/coverage --unrun"
  return $result
}

# share_of_commit: the sanitizer and the share that this commit takes, so that twenty commits one after the other take all of both. By
# the day, where the history is not here to count.
share_of_commit() {
  local number=$(($(date +%s) / 86400))
  [ "$(git rev-parse --is-shallow-repository 2>/dev/null)" = false ] && number=$(git rev-list --count HEAD)
  if ((number % 2)); then echo "tsan $((number / 2 % 10))/10"; else echo "asan $((number / 2 % 10))/10"; fi
}
