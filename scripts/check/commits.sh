#!/bin/sh
# The subject of a commit names what changed: `area: Verb ...` or `area, area: Verb ...`, at most 60 characters.
# Commits after $first are looked at.
first=41aaa6bd0a64
if ! git cat-file -e "$first" 2>/dev/null; then
    echo "not looked at: no history here back to $first"
    exit 0
fi
git log --no-merges --format='%h %s' "$first..HEAD" | awk '
    {
        subject = substr($0, length($1) + 2)
        why = ""
        if (length(subject) > 60)
            why = length(subject) " characters, not 60"
        else if (subject !~ /^[a-z][a-z0-9_.\/]*(, [a-z][a-z0-9_.\/]*)*: [A-Z][a-z]+ /)
            why = "not `area: Verb what`, as in \"dram: Close idle rows\""
        else if (subject ~ /: (Say|Let|Ask|Tell) /)
            why = "names no change: \"run: Report the kernel\", not \"run: Say which kernel\""
        if (why != "") {
            print $1 " \"" subject "\": " why
            bad = 1
        }
    }
    END {
        if (!bad)
            print NR " commits"
        exit bad
    }'
