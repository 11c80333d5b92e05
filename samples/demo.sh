#!/bin/sh
# The main job on the samples: each command is shown, then run. The exit code of a "no" is an answer, not a failure.
set -u
remi_ref=${1:-remi-ref}
here=$(dirname "$0")
export REMI_REF_LANG="${REMI_REF_LANG:-en}"
failed=0

show() {
    expected=$1
    shift
    printf '\n$ remi-ref'
    for word in "$@"; do
        case $word in *\ *) printf ' "%s"' "$word" ;; *) printf ' %s' "$word" ;; esac
    done
    printf '\n'
    "$remi_ref" "$@"
    code=$?
    if [ "$code" -ne "$expected" ]; then
        printf 'exit %s, %s was expected\n' "$code" "$expected"
        failed=1
    fi
}

echo "== A hand that can open"
show 0 can-open "R10 R11 J N5 A5 G5 R2 A9 N13 G1 A3 N7 G8 R6"
echo
echo "== One that cannot, and what it misses"
show 1 can-open "R9 R10 R11 N5 A5 R2 A9 N13 G1 A3 N7 G8 R6 G12"
echo
echo "== A finished round with a double game"
show 0 score "$here/rounds/double-game.yaml"
echo
echo "== The tiles in a photo"
show 0 scan "$here/photos/table.jpg"
exit $failed
