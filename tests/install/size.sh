#!/bin/sh
# Does scripts/check/size.sh find what grew, and by how much, and a row that leaves much room?
set -u
check=$(realpath "$(dirname "$0")/../../scripts/check/size.sh")
. "$(dirname "$0")/../lib/cli.sh"

mkdir -p scripts/check isa
cp "$check" scripts/check
git init -q .
budget() { # budget ROW...: beside those of the folders
    printf '%s\n' "lines isa 600" "lines scripts 300" "$@" >scripts/check/budget.txt
}
text() { # text LINES: of a file without functions
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) print "/* " i " */" }'
}
body() { # body LINES HEAD: a function
    echo "$2 {"
    text "$1" | sed 's/^/    /'
    echo "}"
}
finds() { # finds TEXT
    says 1 "sh scripts/check/size.sh" "$1"
}
passes() { # passes TEXT
    says 0 "sh scripts/check/size.sh" "$1"
}

# ---- lines of a folder ----
budget
text 420 >isa/a.c
passes "functions over 40 lines: 0, with more than 5 parameters: 0; files over 500 lines: 0"
text 190 >isa/b.c
finds "isa: 610 lines, 10 more than the 600 of scripts/check/budget.txt"
text 10 >isa/b.c
text 300 >isa/a.c
finds "isa: 310 lines, 290 less than the 600 of scripts/check/budget.txt: lower the row to 400"
text 400 >isa/a.c
mkdir sim
text 1 >sim/new.c
finds "sim/new.c: its folder has no row"
rm -r sim
budget "lines gone 100"
finds "gone: no lines"

# ---- files, functions, parameters ----
budget
text 501 >isa/a.c
finds "isa/a.c: 501 lines; at most 500"
budget "file isa/a.c  for a reason"
passes "files over 500 lines: 1"
text 450 >isa/a.c
finds "not needed any more: file isa/a.c"
budget
body 40 "int right(int a, int b)" >isa/b.c
passes "functions over 40 lines: 0"
body 41 "int wrong(int a, int b)" >isa/b.c
finds "isa/b.c:1: wrong has 41 lines; at most 40"
body 1 "int right(int a, int b, int c, int d, int (*e)(int, int))" >isa/b.c
passes "with more than 5 parameters: 0"
body 1 "int wrong(int a, int b, int c, int d,
          int e, int f)" >isa/b.c
finds "isa/b.c:1: wrong has 6 parameters; at most 5"
budget "parameters wrong  for a reason"
passes "with more than 5 parameters: 1"
budget "parameters wrong  for a reason" "parameters other  for none"
finds "not needed any more: parameters other"
budget $(i=0; while [ $i -lt 11 ]; do i=$((i + 1)); echo "parameters,f$i,r"; done)
sed -i 's/,/ /g' scripts/check/budget.txt
finds "11 functions with more than five parameters; at most 10"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
