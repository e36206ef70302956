#!/bin/sh
# Files that call one another, by way of others too, are read together or not at all: at most 5 of them. An edge leads
# from the file that calls a function to the one that defines it; a circle is a strongly connected component.
objects=${BUILD:-build}/obj
set -- "$objects"/exec_*
{ find "$objects/isa" "$objects/sim" "$@" -name '*.o' | sort; } | xargs nm -A -g | awk -v most=5 '
{
    n = split($1, path, ":")
    file = path[1]
    sub(/.*\/obj\//, "", file)
    sub(/\.o$/, "", file)
    sub(/^exec_.*/, "sim/arch/exec", file)
    if (!(file in number)) {
        number[file] = ++files
        name[files] = file
    }
    if ($(NF - 1) == "T" || $(NF - 1) == "W")
        home[$NF] = number[file]
    else if ($(NF - 1) == "U")
        calls[number[file] " " $NF] = 1
}
function reach(from, mark,    stack, top, at, to, k, list, n) { # what `from` reaches, into seen[mark, ...]
    stack[top = 1] = from
    while (top) {
        at = stack[top--]
        n = split(next_of[at], list, " ")
        for (k = 1; k <= n; k++)
            if (!((mark, list[k]) in seen)) {
                seen[mark, list[k]] = 1
                stack[++top] = list[k]
            }
    }
}
END {
    for (c in calls) {
        split(c, part, " ")
        if (part[2] in home && home[part[2]] != part[1])
            edge[part[1], home[part[2]]] = 1
    }
    for (e in edge) {
        split(e, part, SUBSEP)
        next_of[part[1]] = next_of[part[1]] " " part[2]
    }
    for (i = 1; i <= files; i++)
        reach(i, i)
    for (i = 1; i <= files; i++) {
        if (i in done || !((i, i) in seen))
            continue
        size = 0
        text = ""
        for (k = i; k <= files; k++)
            if ((i, k) in seen && (k, i) in seen) {
                done[k] = 1
                size++
                text = text " " name[k]
            }
        if (size > largest)
            largest = size
        if (size > most) {
            print size " files call one another:" text
            bad = 1
        } else if (ENVIRON["VERBOSE"]) {
            print size " files:" text
        }
    }
    print files " files, the largest circle has " largest + 0
    exit bad || !files
}'
