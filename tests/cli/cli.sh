#!/bin/sh
# Does the command do what it promises: its output word for word, its exit status, and never half a file?
#
#   HEDDLE=build/heddle sh tests/cli/cli.sh
set -u
. "$(dirname "$0")/../lib/cli.sh"
columns=110

. "$tests/lib/saxpy.sh"
holds "the size of a .npy file" 'test $(wc -c <x.npy) -eq $((128 + 1024)) && test $(wc -c <y.npy) -eq $((128 + 1024))'

# ---- run ----
RUN="heddle run saxpy.hd --grid 4 --block 64 --in x=x.npy --inout y=y.npy:z.npy --arg a=2.5 --arg n=256"
RUN="$RUN --engine baseline"
shows 0 "$RUN" <<'END'
saxpy: grid 4, block 64, warp 32, engine baseline
  work     136 warp-instructions of 8 warps in 4 blocks
  lanes    30.12 of 32 in an instruction, 94.1 %
  classes  ld.param 23.5 %, imul 17.6 %, sreg 17.6 %, branch 11.8 %
  lines     8   5.9 %  s2r i, %ctaid.x
            9   5.9 %  s2r t, %ntid.x
           10   5.9 %  s2r xv, %tid.x
  wrote y = f32[16,16] to z.npy
END
shows 0 "$RUN --profile | sed -n '/ line /,/limit, /p'" <<'END'
  line  issued  share  source
     8       8  5.9 %  s2r i, %ctaid.x
     9       8  5.9 %  s2r t, %ntid.x
    10       8  5.9 %  s2r xv, %tid.x
    11       8  5.9 %  mad.lo.s32 i, i, t, xv
    12       8  5.9 %  ld.param.b32 limit, [n]
END
cp z.npy first.npy
for width in 8 16 64; do
    says 0 "$RUN --warp $width" "warp $width, engine"
    holds "the same at warp width $width" 'cmp z.npy first.npy'
done
says 0 "$ONE --grid 4 --block 8x8 --arg n=0" "saxpy: grid 4, block 8x8,"
says 0 "heddle run - --in x=x.npy --inout y=y.npy:z.npy --arg a=1 --arg n=4 <saxpy.hd" "saxpy: grid 1, block 32,"
says 0 "heddle run saxpy.hd --in x=- --inout y=y.npy:z.npy --arg a=1 --arg n=4 <x.npy" "wrote y"
says 0 "heddle run two.hd --entry two" "two: grid 1, block 8, warp 8"
shows 2 "heddle run two.hd" <<'END'
two.hd: error: 2 kernels: name the one to run
two.hd: its kernels are 'one', 'two'
END
says 0 "heddle run classic/saxpy.hd --in x=x.npy --inout y=y.npy:z.npy --arg a=1 --arg n=4" "saxpy: grid 1"
says 0 "heddle run classic/saxpy --in x=x.npy --inout y=y.npy:z.npy --arg a=1 --arg n=4" "saxpy: grid 1"
says 2 "heddle run matmul_tiled --grid 2" "kernels/classic/matmul_tiled.hd: "
mkdir elsewhere
shows 2 "cd elsewhere && heddle run saxpy.hd" <<'END'
saxpy.hd: error: no such file, and several kernels that ship have the name: bench/saxpy.hd, classic/saxpy.hd
END
says 2 "heddle run classic/saxpi" "classic/saxpi: error: no such file, and no kernel that ships has the name; did you mean 'classic/saxpy'?"
says 2 "heddle run divergnce" "did you mean 'divergence'?"
says 2 "heddle run saxpi.hd" "saxpi.hd: error: cannot be read"
# The example of the help works as it is typed.
holds "the example of the help" 'cd elsewhere && eval "$(heddle run --help | tr "\n" " " | sed "s/.*Example: //")" &&
    test -s y_out.npy'
cp y.npy a:b.npy
says 0 "heddle run saxpy.hd --in x=x.npy --inout y=a:b.npy:c:d.npy --arg a=1 --arg n=4" "to c:d.npy"
says 0 "$ONE --board teach8 --set sms=2 --arg n=4" "warp 8"

# JSON has the same facts.
SHORTEN="sed 's/\"lines\":.*\"outputs\"/\"outputs\"/; s/\"sources\".*\"fault\"/\"fault\"/; s/\$/!/'"
shows 0 "$RUN --json - | tr -d ' \n' | $SHORTEN | tr '!' '\n'" <<'END'
{"format":"heddle-run-2","heddle":"0.1.0","file":"saxpy.hd","kernel":"saxpy","engine":"baseline","grid":[4,1,1
],"block":[64,1,1],"warp":32,"blocks":4,"warps":8,"warp_instructions":136,"thread_instructions":4096,"lanes_pe
r_instruction":30.117647058823529,"simt_efficiency":0.94117647058823528,"classes":{"imul":24,"cmp":8,"fp32":8,
"sreg":24,"ld.global":16,"ld.param":32,"st.global":8,"branch":16},"outputs":[{"name":"y","file":"z.npy","type"
:"f32","shape":[16,16]}],"fault":null}
END

# ---- faults: exit status 1, nothing written ----
rm -f z.npy
sed 's/f32\[n\]/f32[]/' saxpy.hd >open.hd
OPEN="heddle run open.hd --in x=x.npy --inout y=y.npy:z.npy --arg a=1 --arg n=1000"
shows 1 "$OPEN --grid 5 --block 64 --json f.json" <<'END'
open.hd:20: fault: out_of_bounds: load of 4 bytes at global address 0x10000400: just past the end of
    'x' (1,024 bytes)
    20 |         ld.global.b32 xv, [px]
  kernel saxpy, block (4, 0, 0), warp 0, lane 0 = thread (0, 0, 0), instruction 12
  out_of_bounds: an access outside every allocation of its space
END
holds "no output after a fault" 'test ! -e z.npy'
holds "the fault as JSON" 'grep -q "\"kind\": \"out_of_bounds\"" f.json && grep -q "\"outputs\": \[\]" f.json'
says 1 "heddle run forever.hd --max-instructions 1000" "instruction_limit"

# ---- wrong input: exit status 2, pointed at ----
mkdir shut
shows 2 "heddle run saxpy.hd --in xx=x.npy --inout y=y.npy:z.npy --arg a=2,5 --arg n=2.5" <<'END'
saxpy.hd: error: kernel 'saxpy': parameter 'a': f32 takes a number such as 2.5, -1e-3, inf or nan, or its bits
 as 0x..., not '2,5'
saxpy.hd: error: kernel 'saxpy': parameter 'n': u32 takes a whole number, not '2.5'
saxpy.hd: error: kernel 'saxpy': there is no parameter 'xx'; did you mean 'x'?
saxpy.hd: error: kernel 'saxpy': parameter 'x : f32[n]' is not given
saxpy.hd: kernel 'saxpy' takes x : f32[n], y : f32[n], a : f32, n : u32
END
shows 2 "heddle run saxpy.hd --in x=x.npy --inout y=y.npy:z.npy --arg a=1 --arg n=257" <<'END'
saxpy.hd: error: kernel 'saxpy': parameter 'x : f32[n]' needs at least 257 elements, and buffer 'x' has 256
saxpy.hd: error: kernel 'saxpy': parameter 'y : f32[n]' needs at least 257 elements, and buffer 'y' has 256
END
head -c 1000 x.npy >short.npy
shows 2 "heddle run saxpy.hd --in x=short.npy" <<'END'
short.npy: error: byte 1000: the file is cut short: 1,024 bytes of data expected, got 872
END
shows 2 "heddle run saxpy.hd --in x=/dev/zero" <<'END'
/dev/zero: error: byte 0: not a .npy file: it starts with '\x00\x00\x00\x00\x00\x00', not with '\x93NUMPY'
END
shows 2 "heddle run /dev/zero" <<'END'
/dev/zero: error: it is longer than 268,435,456 bytes, the most that is read
END
shows 2 "heddle run saxpy.hd --in x=none.npy" <<'END'
none.npy: error: cannot be read: No such file or directory
END
shows 2 "heddle run saxpy.hd --in x=." <<'END'
.: error: cannot be read: Is a directory
END
shows 2 "heddle run none.hd" <<'END'
none.hd: error: cannot be read: No such file or directory
END
printf '.kernel k\n        ffna.f32 r0, r1, r2, r3\n        exit\n' >typo.hd
shows 2 "heddle run typo.hd" <<'END'
typo.hd:2:9: error: unknown instruction 'ffna.f32'; did you mean 'fma.f32'?
     2 |         ffna.f32 r0, r1, r2, r3
       |         ^~~~
END
# A mark of the byte order is passed over; bytes that a terminal must not see are not shown; the caret stays.
printf '\357\273\277  ffna\n' >mark.hd
shows 2 "heddle run mark.hd" <<'END'
mark.hd:1:3: error: an instruction outside a kernel: '.kernel NAME' must come first
     1 |   ffna
       |   ^~~~
END
printf '\357\273\277.kernel k\n exit\n' >mark.hd
says 0 "heddle run mark.hd" "k: grid 1"
printf '.kernel k\n mov.b32 \303\244 \220\302\233\033 r1\n' >bytes.hd
says 2 "heddle run bytes.hd" "$(printf ' mov.b32 \303\244 ???? r1')"
holds "no byte of it" '! heddle run bytes.hd 2>&1 | grep -q "$(printf "\220\|\033")"'
head -c 100000 /dev/zero | tr '\0' x >long
says 2 "heddle run two.hd --out \"y=f32[\$(cat long)]:z\"" "expected a dimension"
holds "a long value is cut" 'test $(heddle run two.hd --out "y=f32[$(cat long)]:z" 2>&1 | wc -c) -lt 1200'
shows 2 "heddle run saxpy.hd --grid 4,x" <<'END'
--grid: error: expected a number from 1 to 2^31 - 1
    --grid 4,x
             ^
END
shows 2 "heddle run saxpy.hd --block 1,2,3,4" <<'END'
--block: error: more than three dimensions
    --block 1,2,3,4
                  ^
END
shows 2 "heddle run saxpy.hd --out 'y=f32[4,b]:y'" <<'END'
--out: error: expected a dimension, then ',' or ']'
    --out y=f32[4,b]:y
                  ^
END
says 0 "heddle run make.hd --out 'y=f32[4, 8]:/dev/null' --arg a=1" "wrote y = f32[4,8] to /dev/null"
shows 2 "heddle run saxpy.hd --block 40x50" <<'END'
--block: error: at most 1,024 threads are a block
    --block 40x50
            ^~~~~
END
shows 2 "heddle run saxpy.hd --out y=y.npy" <<'END'
--out: error: kernel 'saxpy': the size of parameter 'y : f32[n]' needs 'n', which is not given
    --out y=y.npy
            ^~~~~
END
shows 2 "heddle run saxpy.hd --out 'y=f33[4]:z.npy'" <<'END'
heddle: error: buffer 'y': unknown type 'f33'; did you mean 'f32'?
END
says 2 "heddle run saxpy.hd --out 'y=f32[4]:'" "expected ':' and a file"
says 2 "heddle run saxpy.hd --inout y=y.npy" "expected IN.npy:OUT.npy"
says 2 "heddle run saxpy.hd --in x.npy" "expected NAME=TYPE[SHAPE] or NAME=FILE.npy"
says 2 "heddle run saxpy.hd --in x=x.npy --in x=y.npy" "'x' was given before, as --in x=x.npy"
says 2 "heddle run saxpy.hd --inout x=x.npy:z.npy --inout y=y.npy:z.npy" "z.npy' writes this file too"
says 2 "heddle run saxpy.hd --inout x=x.npy:z.npy --inout y=y.npy:./shut/../z.npy" "z.npy' writes this file too"
ln -s . here
says 2 "heddle run saxpy.hd --inout x=x.npy:here/x.npy --inout y=y.npy:z.npy" "'x.npy' is read, and is not replaced"
says 2 "heddle run saxpy.hd --inout x=x.npy:here/z.npy --inout y=y.npy:z.npy" "here/z.npy' writes this file too"
says 2 "heddle run saxpy.hd --out 'y=f32[4]:z.npy' --json z.npy" "z.npy' writes this file too"
cp saxpy.hd read.hd
says 2 "heddle run read.hd --json ./read.hd" "'read.hd' is read, and is not replaced"
says 2 "heddle run saxpy.hd --in x=x.npy --json x.npy" "'x.npy' is read, and is not replaced"
echo 'sms: 2' >read.yaml
says 2 "heddle run saxpy.hd --board read.yaml --json read.yaml" "'read.yaml' is read, and is not replaced"
holds "what was read is there" 'cmp read.hd saxpy.hd && test "$(cat read.yaml)" = "sms: 2"'
says 2 "heddle run saxpy.hd --warp 33" "expected 8, 16, 32 or 64"
says 2 "heddle run saxpy.hd --json ''" "--json: error: expected a file"
says 2 "heddle run saxpy.hd --max-instructions 0" "expected a whole number from 1 on"
says 2 "heddle run saxpy.hd --max-instructions 1.5" "expected a whole number from 1 on"
says 2 "heddle run saxpy.hd --max-instructions 1e" "expected a whole number from 1 on"
says 1 "heddle run forever.hd --max-instructions 1e3" "instruction_limit"
says 2 "heddle run saxpy.hd --engine fast" "unknown engine 'fast'"
says 2 "heddle run saxpy.hd --out 'y=f32[99999999999999]:z.npy'" "larger than the global memory"
says 2 "heddle run saxpy.hd --board a101" "did you mean 'a100'?"
says 2 "heddle run saxpy.hd --set smss=2" "did you mean 'sms'?"
says 2 "heddle run saxpy.hd two.hd" "one file is run at a time"
says 2 "heddle run" "which file?"
shows 2 "heddle run saxpy.hd --gird 4" <<'END'
heddle run: error: unknown option '--gird'; did you mean '--grid'?
END
shows 2 "heddle rnu" <<'END'
heddle: error: unknown command 'rnu'; did you mean 'run'?
END
shows 2 "heddle saxpy.hd" <<'END'
heddle: error: unknown command 'saxpy.hd'; did you mean 'heddle run saxpy.hd'?
END
holds "nothing was written" 'test ! -e z.npy'

# ---- files are whole or not there ----
mkdir -p out
says 2 "heddle run make.hd --out y=f32[32]:none/z.npy --arg a=1" "none/z.npy: error: cannot be written: No such file"
says 2 "heddle run make.hd --out y=f32[32]:out --arg a=1" "out: error: cannot be written: Is a directory"
echo >real.npy
ln -s ../real.npy out/link.npy
says 0 "heddle run make.hd --out y=f32[32]:out/link.npy --arg a=1 -q; echo done" done
holds "a link stays a link" 'test -L out/link.npy && test $(wc -c <real.npy) -eq 256'
says 0 "heddle run make.hd --out y=f32[32]:/dev/null --arg a=1" "to /dev/null"
holds "a device stays a device" 'test -c /dev/null'
chmod 600 real.npy
says 0 "heddle run make.hd --out y=f32[32]:real.npy --arg a=1" wrote
holds "the mode stays" 'test "$(stat -c %a real.npy)" = 600'
(umask 027 && heddle run make.hd --out y=f32[32]:new.npy --arg a=1 -q)
holds "a new file has the mode of the umask" 'test "$(stat -c %a new.npy)" = 640'
# A limit on file sizes makes the second of two files fail: the first is then not replaced either.
cat >pair.hd <<'END'
.kernel pair
.param a : u8[]
.param b : u8[]
        exit
END
echo before >a.npy
says 2 "ulimit -f 16; heddle run pair.hd --out a=u8[10]:a.npy --out b=u8[1000000]:b.npy" "b.npy: error: cannot be"
holds "all files or none" 'test "$(cat a.npy)" = before && test ! -e b.npy'
says 2 "heddle run pair.hd --out a=u8[10]:a.npy --out b=u8[10]:/dev/full" "/dev/full: error: cannot be written: No space"
holds "no file before a device" 'test "$(cat a.npy)" = before'
holds "a pipe behind a link stays" 'heddle run pair.hd --out a=u8[10]:a.npy --out b=u8[10]:/dev/stdout -q |
    cat >piped.npy; cmp piped.npy a.npy && test -L /dev/stdout'
# A limit on memory: an error, and no output. (A sanitizer's own memory is beyond such a limit.)
[ -n "${SAN:-}" ] ||
    says 2 "ulimit -v 500000; heddle run make.hd --out y=f32[300000000]:big.npy --arg a=1" "error: out of memory"
holds "no temporary files stay" 'test -z "$(find . -name "*.heddle-*")"'
# A single message if standard output cannot be written.
shows 2 "heddle dis saxpy.hd >/dev/full" <<'END'
standard output: error: cannot be written: No space left on device
END
shows 2 "heddle dis saxpy.hd >&-" <<'END'
standard output: error: cannot be written: Bad file descriptor
END
for words in help --help --version "asm --help"; do
    shows 2 "heddle $words >/dev/full" <<'END'
heddle: error: cannot write to standard output: No space left on device
END
done
shows 2 "heddle doc isa >/dev/full" <<'END'
heddle: error: cannot write to standard output
END
# Ctrl-C: no output, and what shells expect. (A shell's background job would ignore it, hence env.)
says 130 "env --default-signal=INT timeout --foreground -s INT 3 heddle run forever.hd >out.txt 2>&1
    status=\$?; cat out.txt; [ \$status -eq 124 ] && status=130; exit \$status" "stopped after"
# A study prints no more than that, as when memory runs out.
says 130 "env --default-signal=INT timeout --foreground --preserve-status -s INT 3 heddle study spconv >out.txt" \
    "heddle study spconv: error: interrupted"
[ -n "${SAN:-}" ] || {
    says 2 "ulimit -v 110000; heddle study mask --length 512 --text made >out.txt" "study mask: error: out of memory"
    holds "one line" '[ "$(ulimit -v 110000; heddle study mask --length 512 --text made 2>&1 >out.txt | wc -l)" = 1 ]'
}

# ---- asm, dis, lint ----
shows 0 "heddle asm saxpy.hd" </dev/null
holds "the object has the default name" 'test -s saxpy.hdo'
says 0 "heddle dis saxpy.hdo" ".kernel saxpy"
shows 0 "heddle dis saxpy.hdo -o again.hd && heddle asm again.hd -o - | cmp - saxpy.hdo" </dev/null
shows 0 "heddle asm - -o stdin.hdo <saxpy.hd && heddle run stdin.hdo --in x=x.npy --inout y=y.npy:z.npy --arg a=2.5 \
    --arg n=256 --grid 4 --block 64 -q && cmp z.npy first.npy" </dev/null
says 2 "heddle asm - <saxpy.hd" "needs -o FILE"
cp saxpy.hd own.hd
ln -s own.hd linked.hd
says 2 "heddle asm own.hd -o own.hd" "--output: error: 'own.hd' is read, and is not replaced"
says 2 "heddle asm own.hd -o linked.hd" "is not replaced"
says 2 "heddle asm - -o out/../own.hd <own.hd" "is not replaced"
says 2 "heddle dis own.hd -o ./own.hd" "is not replaced"
holds "the source is there" 'cmp own.hd saxpy.hd'
says 2 "heddle asm saxpy.hdo" "saxpy.hdo: error: is an object file already"
says 2 "heddle asm typo.hd" "typo.hd:2:9: error: unknown instruction"
holds "no object from an error" 'test ! -e typo.hdo'
head -c 100 saxpy.hdo >cut.hdo
says 2 "heddle run cut.hdo" "cut.hdo: error: "
says 2 "heddle dis cut.hdo" "cut.hdo: error: "
shows 0 "heddle lint saxpy.hd make.hd two.hd" </dev/null
printf '.kernel k\n        bra out\n        nop\nout:    exit\n' >dead.hd
says 1 "heddle lint saxpy.hd dead.hd" "dead.hd:3:9: warning: "
says 2 "heddle lint dead.hd typo.hd" "unknown instruction"
{ printf '.kernel long\n.param n : u32\n.reg r\n'; seq -f 'l%.0f: add.u32 r, r, 1' 60000; echo ' exit'; } >long.hd
says 1 "(ulimit -t 5; heddle lint long.hd)" "long.hd:4:" # each line is found from the one before

# ---- colour ----
says 2 "heddle --color=always rnu" "$(printf '\033[1;31m error: \033[0m')"
says 2 "heddle run typo.hd --color=always" "$(printf '\033[1;32m       |         ^~~~\033[0m')"
holds "no colour in a pipe" '! heddle rnu 2>&1 | grep -q "$(printf "\033")"'
says 2 "heddle --color=red rnu" "expected auto, always or never"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
