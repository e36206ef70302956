#!/bin/sh
# The claims that a page judges for a board, as a table: `scripts/verdicts.sh docs/claims/mask.md a100`. A verdict's
# text is shown up to its first full stop.
set -u
rows=$(awk -v board="$2" '
    function put(    name, verdict, rest) {
        if (text ~ /^- .*: \*\*[a-z ]+\*\*/) {
            name = verdict = rest = text
            sub(/: \*\*.*/, "", name)
            sub(/^[^*]*\*\*/, "", verdict)
            sub(/\*\*.*/, "", verdict)
            sub(/^[^*]*\*\*[a-z ]+\*\* */, "", rest)
            if (!match(rest, /\. /)) RSTART = length(rest)
            printf "| %s | %s | %s |\n", substr(name, 3), verdict, substr(rest, 1, RSTART - 1)
        }
        text = ""
    }
    /^###? / { put(); here = $0 ~ "^### (Board )?" board ","; next }
    !here { next }
    /^  / { text = text " " substr($0, 3); next }
    { put(); text = $0 }
    END { put() }' "$1" | sed 's/|  |$/| |/')
if [ -z "$rows" ]; then
    echo "$1 judges nothing on $2" >&2
    exit 1
fi
printf '%s\n' '| claim | verdict | when |' '| --- | --- | --- |' "$rows"
