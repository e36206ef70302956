# Functions for suites that validate JSON, sourced after cli.sh; `top` is the project, `python` a validator or empty.
python=
for name in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! "$name" -c 'import jsonschema' 2>/dev/null || python=$name
done
valid() { # valid MANY FILE...: their schemas take the files, and would find a mistake in any member, if there are more than MANY
    least=$1
    shift
    if "$python" "$top/tests/lib/schema.py" heddle "$@" >got 2>&1 &&
        [ "$(sed -n 's/.* files, \([0-9]*\) mistakes/\1/p' got)" -gt "$least" ]; then
        ok
    else
        bad "schemas"
    fi
    grep ' files, ' got
}
