# Functions that suites of the command share: sourced, as `. "$(dirname "$0")/../lib/cli.sh"`. Puts heddle into PATH,
# moves to an empty folder that is removed at the end, and counts. A suite ends with "$passed passed, $failed failed".
HEDDLE=$(realpath "${HEDDLE:-build/heddle}")
tests=$(realpath "$(dirname "$0")/..")
PATH=$(dirname "$HEDDLE"):$PATH
unset HEDDLE_HOME NO_COLOR
LC_ALL=C
export PATH LC_ALL
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
passed=0 failed=0

at() { [ -z "${DOING:-}" ] || echo "$1" >"$DOING"; } # what is being done, for scripts/test.sh
ok() { passed=$((passed + 1)); }
bad() { # bad WHAT: what is wrong; the output is in the file got
    failed=$((failed + 1))
    echo "FAILED: $1"
    sed 's/^/    /' got | head -n 40
}
shows() { # shows STATUS COMMAND: prints what is on standard input, both streams together,
    # with blanks for tabs, folded at $columns if that is set
    want=$1 command=$2
    cat >expected
    at "$command"
    sh -c "$command" >got 2>&1 </dev/null
    status=$?
    if [ "$status" -ne "$want" ]; then
        bad "exit status $status, not $want: $command"
    elif ! fold -w "${columns:-100000}" got | tr '\t' ' ' | diff expected - >differences; then
        bad "output of: $command"
        cat differences
    else
        ok
    fi
}
narrow() { # no line is wider than $widest, if that is set, but of JSON, progress, cases, commands to copy, wrong input.
    # The folder of the tree does not count: it is as long as its user made it.
    [ -z "${widest:-}" ] || ! grep -vE '^ *["{]|^  heddle |error: |^ran case |\[K' got | sed "s|$(dirname "$tests")/||g" |
        grep -qE ".{$((widest + 1))}"
}
says() { # says STATUS COMMAND TEXT: the output has this text
    at "$2"
    sh -c "$2" >got 2>&1 </dev/null
    status=$?
    if [ "$status" -ne "$1" ]; then
        bad "exit status $status, not $1: $2"
    elif ! grep -qF -e "$3" got; then
        bad "no '$3' in the output of: $2"
    elif ! narrow; then
        bad "a line of more than $widest columns in the output of: $2"
    else
        ok
    fi
}
fields() { # fields FILE PATH=VALUE...: of JSON (lib/fields.lua)
    if heddle lua "$tests/lib/fields.lua" "$@" >got 2>&1; then ok; else bad "fields of $1"; fi
}
holds() { # holds WHAT COMMAND: the command is true
    at "$1"
    if sh -c "$2" >got 2>&1 </dev/null; then ok; else bad "$1"; fi
}
