#!/usr/bin/env bash
# Runs a ScaLAPACK program plain or with the drop-in, and checks who did its work.
# usage: run_program.sh MPIRUN RANKS PROGRAM plain|linked|preloaded [DROP_IN TELL_CALLS [PLAN PATTERN]]
#   plain      ScaLAPACK's own routines: what the program expects is right
#   linked     the program is linked with the drop-in
#   preloaded  the drop-in is put before the program, which is not changed
# With a plan, JSON or its file, the program runs by it, and the counters of every process must match the pattern; with the pattern
# "refused: WORDS" the plan must be none: the first process says WORDS, and no call runs here.
set -uo pipefail
mpirun=$1 ranks=$2 program=$3 mode=$4 drop_in=${5:-} tell_calls=${6:-} plan=${7:-} pattern=${8:-}
preload=
case $mode in
  linked) preload=$tell_calls ;;
  preloaded) preload=$drop_in:$tell_calls ;;
esac
told=$(mktemp -d)
trap 'rm -rf "$told"' EXIT
output=$("$mpirun" -n "$ranks" -x TELL_CALLS_FOLDER="$told" ${preload:+-x LD_PRELOAD="$preload"} ${plan:+-x OVERLAPACK_SCALAPACK_PLAN="$plan"} \
  "$program" 2>&1)
code=$?
grep -v 'had an illegal value' <<<"$output"
if [[ $pattern == refused:* ]]; then
  ((code == 0)) || { echo "the program failed: exit code $code"; exit 1; }
  grep -q "OVERLAPACK_SCALAPACK_PLAN: .*${pattern#refused: }" <<<"$output" || { echo "nothing was said of the plan"; exit 1; }
  (($(cat "$told"/* | grep -c '^drop-in: 0 calls here') == ranks)) || { echo "the drop-in ran by another plan"; exit 1; }
  exit 0
fi
((code == 0)) || { echo "the program failed: exit code $code"; exit 1; }
[[ $mode == plain ]] && exit 0
cat "$told"/*
counters=$(cat "$told"/* | grep -c '^drop-in: [1-9][0-9]* calls here')
((counters == ranks)) || { echo "the drop-in ran on $counters of $ranks processes"; exit 1; }
[[ -z $pattern ]] && exit 0
matching=$(grep -h '^drop-in counters: ' "$told"/* | grep -cE "$pattern")
((matching == ranks)) || { echo "the counters of $matching of $ranks processes match $pattern"; exit 1; }
