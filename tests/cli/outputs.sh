#!/bin/sh
# Does no output replace an input or another output, whatever the command, the option and the link? Does a signal leave
# no file?
#
#   HEDDLE=build/heddle sh tests/cli/outputs.sh
set -u
here=$(realpath "$(dirname "$0")")
. "$(dirname "$0")/../lib/cli.sh"

kernels=$here/../../kernels
cat >own.hd <<'END'
.kernel pair
.param a : u8[]
.param b : u8[]
        exit
END
cat >first.hd <<'END'
.kernel first
.param y : f32[]
        exit
END
heddle asm first.hd -o k.hdo
echo '.macro nothing
.endmacro' >part.hd
printf '.include "part.hd"\n' | cat - first.hd >whole.hd
cat >base.yaml <<'END'
sms: 1
END
cat >board.yaml <<'END'
base: base.yaml
warp_width: 8
END
heddle run first.hd --out 'y=f32[4]:x.npy' -q
heddle run first.hd --out 'y=f32[64,64]:square.npy' -q
heddle run first.hd --out 'y=f32[1,1,4,4]:t.npy' -q
heddle run first.hd --out 'y=f32[1,1,3,3]:w.npy' -q
heddle run first.hd --out 'y=f32[4]:n.npy' --json a.json -q
cp a.json b.json
printf '0 0 0\n1 1 1\n' >scan.xyz
echo 'A sentence.' >text.txt
printf 'local h = require "heddle"\nh.write(arg[1], "x")\n' >script.lua
printf 'return {}\n' >extra.lua

# Every way to name an input as an output: INPUT, and a command with OUT for a name of it.
cat >cases <<'END'
first.hd	heddle run first.hd --out y=f32[4]:OUT
first.hd	heddle run - --out y=f32[4]:OUT <first.hd
part.hd	heddle run whole.hd --out y=f32[4]:OUT
part.hd	heddle asm whole.hd -o OUT
part.hd	heddle prove whole.hd first.hd --buffers y=f32[4] --json OUT
part.hd	heddle lua -e 'local h = require "heddle" h.new():load "whole.hd" h.write("OUT", "x")'
k.hdo	heddle run k.hdo --out y=f32[4]:OUT
first.hd	heddle run first.hd --inout y=x.npy:OUT
x.npy	heddle run first.hd --inout y=x.npy:OUT
x.npy	heddle run own.hd --in a=x.npy --out b=u8[4]:OUT
x.npy	heddle run own.hd --in a=x.npy --out b=u8[4]:n.npy --json OUT
x.npy	heddle run own.hd --in a=- --out b=u8[4]:OUT <x.npy
first.hd	heddle run first.hd --out y=f32[4]:n.npy --json OUT
board.yaml	heddle run first.hd --board board.yaml --out y=f32[4]:OUT
base.yaml	heddle run first.hd --board board.yaml --out y=f32[4]:OUT
base.yaml	heddle run first.hd --board board.yaml --out y=f32[4]:n.npy --json OUT
a.json	heddle diff a.json b.json --json OUT
b.json	heddle diff a.json b.json --json OUT
first.hd	heddle asm first.hd -o OUT
k.hdo	heddle dis k.hdo -o OUT
first.hd	heddle prove first.hd own.hd --buffers y=u8[4] --json OUT
own.hd	heddle prove first.hd own.hd --buffers y=u8[4] --json OUT
base.yaml	heddle prove first.hd first.hd --board board.yaml --buffers y=f32[4] --json OUT
board.yaml	heddle board board.yaml --json OUT
base.yaml	heddle board board.yaml --json OUT
scan.xyz	heddle voxelize scan.xyz --grid 2,2,2 -o OUT
scan.xyz	heddle voxelize scan.xyz --grid 2,2,2 --json OUT
script.lua	heddle lua script.lua OUT
extra.lua	LUA_PATH='./?.lua;;' heddle lua -e 'require "extra" require "heddle".write("OUT", "x")'
first.hd	heddle lua -e 'local h = require "heddle" h.new():load "first.hd" h.write("OUT", "x")'
first.hd	heddle lua -e 'local h = require "heddle" local p = h.new():load "first.hd" h.write({n = "", OUT = ""})'
x.npy	heddle lua -e 'local c = require "heddle".new() c:npy("x", "x.npy"):save "OUT"'
board.yaml	heddle lua -e 'local h = require "heddle" h.new():board "board.yaml" h.write("OUT", "x")'
base.yaml	heddle lua -e 'local h = require "heddle" h.new():board "board.yaml" h.write("OUT", "x")'
x.npy	heddle study reorder --in x.npy --out OUT
x.npy	heddle study reorder --in x.npy --json OUT
board.yaml	heddle study reorder --board board.yaml --json OUT
x.npy	heddle study rfft --in x.npy --out OUT
square.npy	heddle study mask --mask square.npy --out OUT
square.npy	heddle study mask --mask square.npy --words OUT
square.npy	heddle study mask --mask square.npy --json OUT
board.yaml	heddle study mask --mask square.npy --board board.yaml --json OUT
text.txt	heddle study mask --text text.txt --json OUT
t.npy	heddle study spconv --x t.npy --weight w.npy --out OUT
w.npy	heddle study spconv --x t.npy --weight w.npy --json OUT
board.yaml	heddle study spconv --x t.npy --weight w.npy --board teach8,board.yaml --json OUT
board.yaml	heddle study gemm --board board.yaml --json OUT
END
mkdir folder
while IFS='	' read -r input command; do
    sum=$(cksum <"$input")
    ln -sf "$input" soft
    ln -sf soft softer
    ln -f "$input" hard
    for name in "$input" "./folder/../$input" "$work/$input" softer hard; do
        line=$(printf '%s' "$command" | sed "s|OUT|$name|")
        case $line in *"{n = "*) line=$(printf '%s' "$command" | sed "s|OUT|[\"$name\"]|") ;; esac
        case $line in heddle\ lua* | LUA_PATH*) want=1 ;; *) want=2 ;; esac
        says $want "$line" "$(case $line in *study*) echo 'error: --' ;; *voxelize*) echo 'name another file' ;; *) echo 'is read, and is not replaced' ;; esac)"
        [ "$sum" = "$(cksum <"$input")" ] || bad "$input was replaced: $line"
    done
    rm -f soft softer hard
done <cases

# Two outputs that are one file: A and B are its names, of an existing file and of a new one.
cat >cases <<'END'
heddle run own.hd --out a=u8[4]:A --out b=u8[4]:B
heddle run own.hd --inout a=x.npy:A --out b=u8[4]:B
heddle run first.hd --out y=f32[4]:A --json B
heddle lua -e 'require "heddle".write({["A"] = "1", ["B"] = "2"})'
heddle study reorder --out A --json B
heddle study mask --mask square.npy --out A --words B
heddle study spconv --x t.npy --weight w.npy --out A --json B
heddle voxelize scan.xyz --grid 2,2,2 -o A --json B
END
while read -r command; do
    for there in yes no; do
        [ $there = no ] || echo old >one
        ln -sf one soft
        ln -sf "$work/soft" softer
        [ $there = no ] || ln -f one hard
        for pair in "one ./one" "one soft" "softer folder/../one" "one $([ $there = yes ] && echo hard || echo ./one)"; do
            line=$(printf '%s' "$command" | sed "s|A|${pair% *}|; s|\([^-a-z]\)B|\1${pair#* }|")
            case $line in heddle\ lua*) want=1 ;; *) want=2 ;; esac
            says $want "$line" "$(case $line in
                *study* | *voxelize*) echo 'both would be written to' ;;
                *lua*) echo 'is the same file' ;;
                *) echo 'writes this file too' ;;
                esac)"
            [ $there = no ] && [ -e one ] && bad "written: $line"
        done
        rm -f one soft softer hard
    done
done <cases

# Files that are no input, and those that a script has written itself, may be replaced.
says 0 "heddle run first.hd --inout y=x.npy:new.npy" "wrote y"
says 0 "heddle run first.hd --inout y=x.npy:new.npy" "wrote y"
says 0 "heddle lua -e 'local h = require \"heddle\" for _ = 1, 3 do
    h.write(\"made.hd\", \".kernel k\n exit\n\") h.new():load \"made.hd\" end print \"done\"'" "done"
holds "a dangling link stays, and its target is made" \
    'ln -s folder/to dangling && ln -s dangling there && heddle run first.hd --inout y=x.npy:there -q &&
    test -L there && test -L dangling && cmp folder/to x.npy'
says 2 "ln -s around around; heddle run first.hd --inout y=x.npy:around" "cannot be written"
says 2 "cp text.txt text.html; heddle study mask --text text.html --plot text.html" "text.html is the input of --text"

# Signals: what a slow pipe holds up is killed, and no temporary file is left.
for signal in INT TERM HUP PIPE QUIT ALRM USR1; do
    holds "no temporary file after SIG$signal" "mkfifo slow
        env --default-signal=$signal heddle run own.hd --out a=u8[300000]:slow --out b=u8[300000]:big.npy -q & pid=\$!
        exec 3<slow; sleep 0.1; kill -$signal \$pid; sleep 0.1; cat <&3 >/dev/null; exec 3<&-
        wait \$pid; rm slow big.npy 2>/dev/null; test -z \"\$(find . -name '.heddle-*')\""
done
for signal in INT TERM; do
    holds "a pipe that nobody reads can be given up by SIG$signal" "mkfifo unread
        env --default-signal=$signal timeout -k 5 -s $signal 0.2 heddle run own.hd --out a=u8[3]:unread --out b=u8[3]:big.npy -q
        [ \$? -eq 124 ] && rm unread && test ! -e big.npy && test -z \"\$(find . -name '.heddle-*')\""
done
holds "a reader may come later" "mkfifo late; { sleep 0.1; cat late >come; } & heddle run own.hd --out a=u8[300000]:late --out b=u8[3]:b.npy -q && wait &&
    [ \$(wc -c <come) -gt 300000 ]"
holds "a closed pipe leaves none" 'heddle run own.hd --out a=u8[300000]:/dev/stdout --out b=u8[3]:big.npy -q | true
    test ! -e big.npy && test -z "$(find . -name ".heddle-*")"'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
