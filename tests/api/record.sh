#!/bin/sh
# Is a field of a result refused that no walk could show, or that nothing explains?
#
#   HEDDLE=build/heddle sh tests/api/record.sh
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/../lib/cli.sh"
header() { # header LINE: one with a structure that has the line, which starts in line 3
    printf '/* A result. */\nstruct heddle_r {\n    %s\n};\nstruct heddle_r heddle_r(void);\n' "$1" >r.h
}
refused() { # refused LINE MESSAGE
    header "$1"
    says 2 "$(dirname "$HEDDLE")/lua $root/scripts/records.lua r.h" "r.h:3: struct heddle_r: $2"
}
taken() { # taken LINE TEXT: the table has the text
    header "$1"
    says 0 "$(dirname "$HEDDLE")/lua $root/scripts/records.lua r.h" "$2"
}
refused 'uint32_t warps;' 'the field warps needs a comment, on its line'
refused 'uint32_t warps; /* [hex] */' 'the field warps needs a comment, on its line'
refused 'uint32_t warps, blocks;' 'the field blocks needs a comment, on its line'
refused 'void *data; /* bytes */' 'the field data is of no kind'
refused 'float share; /* of all */' 'the field share is of no kind'
refused 'const uint64_t *stall; /* cycles by reason */' 'the field stall is of no kind that sim/api/record.h knows, or it lacks nstall'
refused 'struct elsewhere place; /* where */' 'the field place is of no kind'
refused 'void (*done)(void); /* called at the end */' 'a function is no kind of field'
refused 'uint32_t warps; /* [hexx] that ran */' 'the field warps: [hexx] is neither an annotation nor a size'
refused 'uint32_t warps; /* [hex 16] that ran */' 'the field warps: [hex 16] is neither an annotation nor a size'
refused 'uint32_t warps; /* [if] that ran */' 'the field warps: [if] is neither an annotation nor a size'
refused 'double s; /* [whole unless n] seconds */' 'the field s: [whole unless n] is neither an annotation nor a size'
refused 'uint32_t v; /* [word name] of a verdict */' 'the field v: [word name] names no member'
says 2 "$(dirname "$HEDDLE")/lua $root/scripts/records.lua r.h" 'r.h:3: '
header 'uint32_t warps; /* [not json jva] that ran */'
says 2 "$(dirname "$HEDDLE")/lua $root/scripts/records.lua r.h" 'r.h:3: [not json jva]: json, lua, python and page are known'
taken 'const char *name; /* [words] "a" or "b" */' '.name = "name", .doc = "\"a\" or \"b\"", '
taken 'uint32_t v; /* [word name] a number */ const char *name; /* "a" */' '.name = "v", .doc = "\"a\"", .kind = HEDDLE_KIND_TEXT'
taken 'uint32_t line; /* [not lua json] [exists] where */' '.without = HEDDLE_LUA | HEDDLE_JSON'
taken 'uint32_t n; const uint8_t *bytes; /* [n] all */' '.kind = HEDDLE_KIND_BYTES'
taken 'uint64_t at; /* [if at != UINT64_MAX] when */' '.unknown = true'
taken 'uint64_t warps; /* that ran "all" */' '.doc = "that ran \"all\"", .kind = HEDDLE_KIND_WHOLE'
taken 'uint64_t of; /* [if of > 1] all */' 'return r->of > 1;'
taken 'uint32_t n; const char *const *words; /* [n] sentences */' '.list = true'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
