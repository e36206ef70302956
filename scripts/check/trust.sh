#!/bin/sh
# The commands of docs/trust.md exist: suites of `make test ONLY=...`, targets of make, and scripts.
page=docs/trust.md
bad=0 n=0
suites=$(echo criterion functional; find tests -name '*.lua' -o -name '*.sh')
commands=$(grep -oE '`(make|[A-Z]+=[^ ]+ [A-Za-z=/]+ sh) [^`]*`' "$page" | tr -d '`' | sort -u)
[ -n "$commands" ] || { echo "$page: no commands"; bad=1; }
IFS='
'
for command in $commands; do
    n=$((n + 1))
    word=$(echo "$command" | sed -nE 's/.*ONLY=([a-z_]+).*/\1/p')
    target=$(echo "$command" | sed -nE 's/^make ([A-Z]+=[^ ]+ )*([a-z]+).*/\2/p')
    script=$(echo "$command" | sed -nE 's/.* sh ([a-z_./]+)$/\1/p')
    if [ -n "$word" ] && ! echo "$suites" | grep -q "$word"; then
        echo "$page: \`$command\`: there is no such suite"
        bad=1
    elif [ -n "$target" ] && ! grep -qE "^$target:.*## " Makefile; then
        echo "$page: \`$command\`: there is no such target"
        bad=1
    elif [ -n "$script" ] && [ ! -e "$script" ]; then
        echo "$page: \`$command\`: there is no such script"
        bad=1
    fi
done
[ $bad -eq 0 ] && echo "$n commands"
exit $bad
