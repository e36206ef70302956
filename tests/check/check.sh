#!/bin/sh
# Does `heddle run --check` report its findings, clearly for a stranger, as text, JSON and SARIF?
#
#   HEDDLE=build/heddle sh tests/check/check.sh
set -u
. "$(dirname "$0")/../lib/cli.sh"

cat >exchange.hd <<'END'
; two warps: one writes what the other reads, and nothing orders them
.kernel exchange
.param y : u32[64]
.reg   t, o, v, py:2
.shared tile : u32[64]
        s2r          t, %tid.x
        ld.param.b64 py, [y]
        mad.wide.u32 py, t, 4, py
        shl.b32      o, t, 2
        st.shared.b32 [o], t
        xor.b32      o, o, 128
        ld.shared.b32 v, [o]          ; of the other warp
        st.global.b32 [py], v
        exit
END
sed 's/xor.b32 .*/bar.sync 0\n&/' exchange.hd >ordered.hd
sed 's/v, \[o\]/v, [o+65536]/' exchange.hd >beyond.hd
cat >rows.hd <<'END'
; both blocks write y[1,3] and y[1,4], by two instructions of one line
.kernel rows
.param y : u32[]
.reg   c, p:2
.macro store at
        st.global.b32 [p+\at], c
.endmacro
        ld.param.b64 p, [y]
        s2r          c, %ctaid.x
        store        44
        store        48
        exit
.kernel quiet
.param y : u32[]
        exit
END
cat >tiles.hd <<'END'
; the neighbours of a tile lie in another one, and two accesses go over an end
.kernel tiles
.param y : u32[64]
.shared tile : u32[8,4]
.shared half : u16[3,5]
.shared rest : b64[12]
.local own : u32[2]
.local more : u32
.reg   t, k, v:4, py:2
.pred  first
        s2r          t, %tid.x
        ld.param.b64 py, [y]
        shl.b32      k, t, 2
        mov.b32      v, 1
        mov.b32      v+1, 2
        st.shared.b32 [tile+k], v      ; threads from 32 on leave it
        setp.eq.u32  first, t, 0
        mov.b32      k, half
@first  st.shared.u16 [k+8], v
@first  st.shared.b32 [half+8], v      ; the last of one row and the first of the next
@first  st.shared.b32 [k+28], v        ; the last element and two bytes
@first  st.shared.u16 [k+30], v        ; the two bytes
        mov.b32      k, own
        st.local.b64 [k], v
        st.local.b32 [own+8], v
        ld.local.b32 v, [k+16]         ; what is computed may go on to the next
        exit
END
RUN="--block 64 --warp 32 --engine baseline --out y=u32[64]:y.npy"

# ---- text ----
report() { # report OPTIONS: what is printed, and the exit status, are on standard input
    shows 0 "{ heddle run $1 -q; echo status \$?; } 2>&1 | sed 's/memory [0-9,.]* [kM]*B/memory N B/'"
}
report "exchange.hd $RUN --check=race,sync" <<'END'
1 finding by race, sync; shadow memory N B

race read-write: a read and a write that nothing orders, shared tile[32]; 64 times
  exchange.hd:10: writes it: block 0, warp 1, lane 0
    10 | st.shared.b32 [o], t
       |               ^~~
  exchange.hd:12: read it before: block 0, warp 0, lane 0
    12 | ld.shared.b32 v, [o]
       |                  ^~~
  A bar.sync between them, which both warps reach, would order them.

status 1
END
report "exchange.hd $RUN --check=race --board teach32 --set sms=1" <<'END'
1 finding by race; shadow memory N B

race read-write: a read and a write that nothing orders, shared tile[32]; 64 times
  exchange.hd:12: reads it: block 0, warp 0, lane 0, cycle 26
    12 | ld.shared.b32 v, [o]
       |                  ^~~
  exchange.hd:10: wrote it before: block 0, warp 1, lane 0, cycle 21
    10 | st.shared.b32 [o], t
       |               ^~~
  A bar.sync between them, which both warps reach, would order them.

status 1
END
report "exchange.hd $RUN --check=init" <<'END'
1 finding by init; shadow memory N B

init store: an unwritten value stored to a buffer, y[0]
  exchange.hd:13: depends on it: block 0, warp 0, lane 0
    13 | st.global.b32 [py], v
       |               ^~~~
  exchange.hd:12: reads it: block 0, warp 0, lane 0
    12 | ld.shared.b32 v, [o]
       |                  ^~~
  Shared tile[32], read at line 12, was never written.

status 1
END
report "beyond.hd $RUN --check=all" <<'END'
beyond.hd:12: fault: out_of_bounds: load of 4 bytes at shared address 0x10080: 65,408 bytes past the
    end of the shared memory (256 bytes a block)
    12 |         ld.shared.b32 v, [o+65536]          ; of the other warp
  kernel exchange, block (0, 0, 0), warp 0, lane 0 = thread (0, 0, 0), instruction 6
  out_of_bounds: an access outside every allocation of its space
1 finding by race, init, sync, mem; shadow memory N B

mem out-of-bounds: an access outside of every allocation, bytes 65,664 to 65,667 of shared memory
  beyond.hd:12: reads it: block 0, warp 0, lane 0
    12 | ld.shared.b32 v, [o+65536]
       |                  ^~~~~~~~~
  65,408 bytes past the end of the shared memory (256 bytes a block).

status 1
END
report "rows.hd --entry rows --grid 2 --block 8 --warp 8 --out y=u32[4,8]:y.npy --check=race" <<'END'
4 findings by race; shadow memory N B

race same-value: two writes of the same value that nothing orders, y[1,3]; 28 times at 2
  instructions of the lines
  rows.hd:6: writes it: block 0, warp 0, lane 1
     6 | st.global.b32 [p+44], c
       |               ^~~~~~
  rows.hd:6: wrote it before: block 0, warp 0, lane 0
     6 | st.global.b32 [p+44], c
       |               ^~~~~~
  Lanes of one instruction write one byte: which value stays is not defined.

race write-write: two writes of different values that nothing orders, y[1,3]; 2 times at 2
  instructions of the lines
  rows.hd:6: writes it: block 1, warp 0, lane 0
     6 | st.global.b32 [p+44], c
       |               ^~~~~~
  rows.hd:6: wrote it before: block 0, warp 0, lane 7
     6 | st.global.b32 [p+44], c
       |               ^~~~~~
  Blocks are ordered by nothing but a release and an acquire of one location, or by another launch.

status 1
END
report "tiles.hd $RUN --check=mem" <<'END'
5 findings by mem; shadow memory N B

mem row: an access that begins in one row and ends in the next, shared half[0,4] to half[1,0]
  tiles.hd:20: writes it: block 0, warp 0, lane 0
    20 | @first st.shared.b32 [half+8], v
       |                      ^~~~~~~~
  A row of 'half' has 10 bytes.

mem extent: an access that leaves the declared extent, inside the memory, bytes 156 to 159 of shared
  memory
  tiles.hd:21: writes it: block 0, warp 0, lane 0
    21 | @first st.shared.b32 [k+28], v
       |                      ^~~~~~
  It begins in 'half', which has 30 bytes, and ends after it.

mem extent: an access that leaves the declared extent, inside the memory, bytes 158 to 159 of shared
  memory
  tiles.hd:22: writes it: block 0, warp 0, lane 0
    22 | @first st.shared.u16 [k+30], v
       |                      ^~~~~~
  It begins in bytes that belong to no variable, after 'half', which has 30.

mem extent: an access that leaves the declared extent, inside the memory, bytes 8 to 11 of local
  memory; 64 times
  tiles.hd:25: writes it: block 0, warp 0, lane 0
    25 | st.local.b32 [own+8], v
       |              ^~~~~~~
  Its address names 'own', which has 8 bytes.

mem extent: an access that leaves the declared extent, inside the memory, shared half[0,0] to
  half[0,1]; 32 times
  tiles.hd:16: writes it: block 0, warp 1, lane 0
    16 | st.shared.b32 [tile+k], v
       |               ^~~~~~~~
  Its address names 'tile', which has 128 bytes.

status 1
END
says 0 "heddle run ordered.hd $RUN --check=all" "no findings by race, init, sync, mem; shadow memory"
shows 0 "heddle run ordered.hd $RUN --check=all -q" </dev/null
says 1 "heddle run exchange.hd $RUN --check=race --color=always" "$(printf '       | \033[1;32m              ^~~\033[0m')"

# ---- how much is shown ----
ROWS="heddle run rows.hd --entry rows --grid 2 --block 8 --warp 8 --out y=u32[4,8]:y.npy --check=race -q"
says 1 "$ROWS --findings 1" "1 more pair of lines: --findings 0 shows all, --json FILE has them"
for n in 0 2; do
    $ROWS --findings $n >shown
    holds "both pairs of lines with --findings $n" 'grep -q "^race same-value" shown && grep -q "^race write-write" shown &&
        ! grep -q "more pair" shown'
done
script -qec "stty cols 60; $ROWS --color=never" /dev/null | tr -d '\r' >narrow
holds "a report folded for a narrow terminal" '! grep -q "^[^ ].\{60\}" narrow && grep -q "^race same-value" narrow'
shows 2 "heddle run exchange.hd $RUN --findings 3" <<'END'
heddle: error: --findings shows what checkers find: choose them with --check
END
shows 2 "heddle run exchange.hd $RUN --check=all --findings=-1" <<'END'
--findings: error: expected a whole number from 0 on
    --findings -1
               ^~
END
for n in few "''" 1.5; do
    says 2 "heddle run exchange.hd $RUN --check=all --findings=$n" "--findings: error: expected a whole number from 0 on"
done

# ---- several launches ----
heddle run exchange.hd $RUN --check=race --repeat 3 -q >repeated
holds "findings of each launch" 'test "$(grep -c "^launch [123] of 3, exchange: 1 finding by race" repeated)" -eq 3'
says 1 "heddle run rows.hd --entry quiet --entry rows --grid 2 --block 8 --warp 8 --out y=u32[32]:y.npy --check=race" \
    "launch 1 of 2, quiet: no findings by race"

# ---- wrong options ----
shows 2 "heddle run exchange.hd $RUN --check=init,rase" <<'END'
--check: error: unknown checker 'rase'; expected race, init, sync, mem, value or all; did you mean 'race'?
    --check init,rase
                 ^~~~
END
says 2 "heddle run exchange.hd $RUN --check=race,,init" "unknown checker ''"
shows 2 "heddle run exchange.hd $RUN --sarif x.sarif" <<'END'
heddle: error: --sarif writes what checkers find: choose them with --check
END
says 2 "heddle run exchange.hd $RUN --check=all --sarif y.npy" "y.npy' writes this file too"
says 2 "heddle run exchange.hd $RUN --check=all --sarif exchange.hd" "'exchange.hd' is read, and is not replaced"
holds "no file after wrong options" 'test ! -e x.sarif'

# ---- JSON and SARIF ----
heddle run exchange.hd $RUN --check=race,init -q --json x.json --sarif x.sarif >/dev/null
fields x.json "check.kinds.1=race" "check.kinds.2=init" "check.forgotten=0" "check.findings=(2)" "fault=null" \
    check.findings.2.kind=race check.findings.2.class=read-write check.findings.2.count=64 \
    check.findings.2.space=shared check.findings.2.variable=tile check.findings.2.address=128 check.findings.2.bytes=4 \
    "check.findings.2.where=shared tile[32]" check.findings.2.places=\(2\) \
    check.findings.2.places.1.line=10 check.findings.2.places.1.how=write check.findings.2.places.1.warp=1 \
    "check.findings.2.places.2.source=ld.shared.b32 v, [o]" \
    "check.findings.1.buffer=y" check.findings.1.variable=null "check.findings.1.where=y[0]"
R=runs.1.results
fields x.sarif version=2.1.0 runs=\(1\) runs.1.tool.driver.name=heddle $R=\(2\) runs.1.invocations.1.executionSuccessful=true \
    $R.1.ruleId=init/store $R.2.ruleId=race/read-write $R.2.ruleIndex=1 runs.1.tool.driver.rules.2.id=race/read-write \
    $R.2.level=error $R.2.locations.1.physicalLocation.artifactLocation.uri=exchange.hd \
    $R.2.locations.1.physicalLocation.region.startLine=10 $R.2.relatedLocations=\(1\) $R.2.relatedLocations.1.id=1 \
    $R.2.relatedLocations.1.physicalLocation.region.startLine=12

mkdir "a folder"
cp exchange.hd "a folder/ä.hd"
heddle run "a folder/ä.hd" $RUN --check=all -q --sarif blank.sarif >/dev/null
fields blank.sarif "$R.1.locations.1.physicalLocation.artifactLocation.uri=a%20folder/%C3%A4.hd"
heddle run ordered.hd $RUN --check=all -q --sarif none.sarif
fields none.sarif "$R=(0)"
heddle run exchange.hd $RUN --check=all -q --repeat 3 --sarif repeat.sarif >/dev/null
fields repeat.sarif "$R=(2)" # the same mistakes once
heddle run beyond.hd $RUN --check=all -q --json fault.json --sarif fault.sarif >/dev/null 2>&1
fields fault.json fault.kind=out_of_bounds check.findings=\(1\) check.findings.1.class=out-of-bounds
fields fault.sarif "$R=(1)" "$R.1.ruleId=mem/out-of-bounds" runs.1.invocations.1.executionSuccessful=false \
    runs.1.invocations.1.toolExecutionNotifications.1.level=error
holds "what the schema of SARIF requires" "heddle lua '$tests/lib/sarif.lua' x.sarif blank.sarif none.sarif repeat.sarif fault.sarif"
heddle run exchange.hd $RUN --check=race,init -q --sarif - >stdout.sarif
holds "SARIF on standard output, and nothing else" 'cmp stdout.sarif x.sarif'

# ---- what counts as written: the rows of `heddle doc contents` for commands and cases ----
cp "$tests/lib/count.hd" .
holds "three ways of commands, two of cases" 'heddle doc contents | grep -c "^run, debug, sweep\|^a kernel" | grep -qx 5'
COUNT="heddle run count.hd --block 32 --warp 32 --check=init -q"
heddle make zeros.npy u32[4]:zeros
for given in --inout=z=zeros --in=z=zeros --inout=z=u32[4]:zeros:z.npy --inout=z=fill:0 --in=z=iota --in=z=ones --in=z=random:7 \
    --in=z=expr:0 --in=z=zeros.npy --inout=z=@zeros.npy; do
    holds "written by $given" "$COUNT $given >shown && test ! -s shown"
done
for given in --out=z=u32[4] --out=z=z.npy --out=z=u32[4]:z.npy; do
    says 1 "$COUNT $given" "init store"
done
holds "unwritten by the first launch only" "$COUNT --out=z=z.npy --repeat 2 | grep '^launch' | grep -q '^launch 1 of 2'"
for line in "out z : u32[4]" "out z : u32[4] = zeros" "inout z : u32[4]" "inout z : u32[4] = zeros" \
    "inout z : u32[4] = ones"; do
    sed "1i;! run count grid=1 block=32 warp=32\n;! $line" count.hd >case.hd
    status=0
    [ "$line" = "out z : u32[4]" ] && status=1
    says $status "heddle run case.hd --check=init" "count"
    says $status "heddle test case.hd --check=init" "1 file"
    says $status "heddle run case.hd --case 1 --out z=z.npy --check=init" "wrote z"
done
printf 'run: count.hd\nblock: 32\nwarp: 32\ncheck: init\nover:\n  inout.z: [zeros, ones]\n' >written.yaml
says 0 "heddle sweep written.yaml -o written.db" "2 run; "
printf 'run: count.hd\nblock: 32\ncheck: init\nout: z=u32[4]\nover: {warp: [16, 32]}\n' >unwritten.yaml
says 1 "heddle sweep unwritten.yaml -o unwritten.db" "2 failed"

# ---- a row is left on purpose, where a padded tile is cleared by vectors ----
cat >clear.hd <<'END'
.kernel clear
.param y : f32[32]
.shared tile : f32[8,9]
.reg i, at, v:4, p:2
        s2r i, %tid.x
        mov.b32 v, 0
        mov.b32 v+1, 0
        mov.b32 v+2, 0
        mov.b32 v+3, 0
        shl.b32 at, i, 4
        st.shared.b128 [at], v
        exit
END
CLEAR="heddle run clear.hd --block 16 --warp 16 --out y=f32[32] -q --sarif rows.sarif --check"
holds "no finding of all" "$CLEAR=all >shown && test ! -s shown"
says 1 "$CLEAR=all,mem" "mem row: an access that begins in one row"
fields rows.sarif $R.1.ruleId=mem/row $R.1.level=warning
sed '1i;! run clear grid=1 block=16 warp=16\n;! out y : f32[32]' clear.hd | sed 's/^ *st.shared.*/& ;! check mem row/' >stated.hd
says 0 "heddle test stated.hd" "1 passed"
says 0 "heddle doc contents --markdown" '| unwritten | `--out NAME=...` |'

# ---- findings that are allowed ----
allowed() { # allowed NAME "LINE BESIDE st.shared" "LINE OF ITS OWN"
    sed "s/^\( *st.shared.b32 .*\)/fill: \1 $2/; s/^\( *ld.shared.b32 .*\);.*/swap: \1/" exchange.hd >"$1.hd"
    printf '%s\n' "$3" >>"$1.hd"
}
allowed beside ';! allow race: pairs swap' ''
says 1 "heddle run beside.hd $RUN --check=race,init" "1 other finding by race, init"
says 1 "heddle run beside.hd $RUN --check=race,init" "1 finding allowed (1 race)"
says 0 "heddle run beside.hd $RUN --check=race" "no other findings by race"
allowed label '' ';! allow race read-write at swap: pairs swap ;! allow init store in exchange at swap: pads'
says 0 "heddle run label.hd $RUN --check=race,init" "2 findings allowed (1 race, 1 init)"
allowed other ';! allow init: not this line' ';! allow sync at fill: nothing'
says 1 "heddle run other.hd $RUN --check=race,init" "2 findings by race, init"
says 1 "heddle run other.hd $RUN --check=race,init" "other.hd:10:39: warning: this allows nothing: no finding of 'init' is there"
holds "no warning of a checker that did not run" '! heddle run other.hd '"$RUN"' --check=race,init 2>&1 | grep -q "finding of .sync"'
allowed class ';! allow race write-write: another class' ''
says 1 "heddle run class.hd $RUN --check=race" "1 finding by race"
for case in "rice at swap: x|10: error: there is no checker 'rice'; did you mean 'race'?" \
    "race red-write at swap: x|15: error: there is no finding 'red-write'; did you mean 'read-write'?" \
    "race at swop: x|18: error: there is no label 'swop'; did you mean 'swap'?" \
    "race at swap|22: error: why? ': REASON' ends an allowance" "race at swap:  |25: error: why?" "race: x|1: error: which code?" \
    "race at line x: y|23: error: expected the number of a line" "race at swap on x: y|23: error: expected 'in KERNEL'"; do
    allowed wrong '' ";! allow ${case%%|*}"
    says 2 "heddle run wrong.hd $RUN --check=race" "wrong.hd:15:${case#*|}"
    says 1 "heddle lint wrong.hd" "wrong.hd:15:${case#*|}"
done
says 0 "heddle run wrong.hd $RUN" "exchange: grid 1"
says 1 "heddle prove label.hd label.hd --buffers y=u32[64] --block 64" "lines ';! allow' are for runs: a proof makes no exception"

printf '.kernel k\n.reg a, b\n mov.b32 a, b ;! allow lint unwritten: set before\n bra end\n nop ;! allow lint: for later\nend: exit\n' >warned.hd
shows 0 "heddle lint warned.hd" <<'END'
2 warnings allowed
END
echo ';! allow lint width in k at end: none' >>warned.hd
says 1 "heddle lint warned.hd" "warned.hd:7:4: warning: this allows nothing: lint does not warn of it there"
echo ';! allow lint early at end: none' >>warned.hd
says 1 "heddle lint warned.hd" "warned.hd:8:15: error: there is no finding 'early'; did you mean 'early-exit'?"
says 0 "heddle doc checks" "  early-exit           an exit of some threads before a barrier for all"

printf '# why\nallow race in exchange: pairs swap\nallow init in other at nowhere: x\nallow init at line 13: pads\n' >rows.txt
says 0 "heddle run exchange.hd $RUN --check=race,init --suppressions rows.txt" "2 findings allowed (1 race, 1 init)"
printf 'race in exchange\nallow race: x\nallow race in exchange at swap: x\n' >bad.txt
says 2 "heddle run label.hd $RUN --check=race --suppressions bad.txt" "bad.txt:1:1: error: expected 'allow CHECKER"
says 2 "heddle run label.hd $RUN --check=race --suppressions bad.txt" "bad.txt:2:1: error: which code?"
says 2 "heddle run exchange.hd $RUN --check=race --suppressions bad.txt" "bad.txt:3:27: error: there is no label 'swap'"
says 2 "heddle run exchange.hd $RUN --suppressions rows.txt" "--suppressions allows what checkers find: choose them with --check"
says 2 "heddle run exchange.hd $RUN --check=race --write-baseline exchange.hd" "'exchange.hd' is read, and is not replaced"

says 1 "heddle run exchange.hd $RUN --check=race,init --write-baseline known.txt" "2 findings by race, init"
shows 0 "tail -n 1 known.txt" <<'END'
allow race read-write in exchange at "st.shared.b32 [o], t", "ld.shared.b32 v, [o]": known
END
heddle run exchange.hd $RUN --check=race -q --json report.json >/dev/null
mkfifo endless
for text in suppressions baseline; do
    says 2 "heddle run exchange.hd $RUN --check=race --$text report.json" "report.json:1:1: error: this is JSON; expected lines"
    says 2 "timeout 10 heddle run exchange.hd $RUN --check=race --$text endless" "endless: error: expected a plain file"
    says 2 "timeout 10 heddle test exchange.hd --check race --$text endless" "'endless' cannot be read; expected a plain file"
done
heddle run exchange.hd $RUN --repeat=2 --check=race,init -q --write-baseline twice.txt >/dev/null
holds "launches share the lines of a baseline" 'cmp known.txt twice.txt'
sed 's/^ *st.shared/\n\n&/' exchange.hd >moved.hd
says 0 "heddle run moved.hd $RUN --check=race,init --baseline known.txt" "2 findings of the baseline (1 race, 1 init)"
sed 's/^ *ld.shared.b32 .*/&\n&/' exchange.hd >more.hd
says 1 "heddle run more.hd $RUN --check=race,init --baseline known.txt" "1 other finding by race, init"
heddle run beside.hd $RUN --check=race,init -q --json a.json --sarif a.sarif >/dev/null
fields a.json "check.findings.2.allowed=pairs swap" check.findings.2.allowed_by=beside.hd:10:39 check.findings.1.allowed=null \
    check.findings.2.known=false
fields a.sarif "$R.2.suppressions.1.kind=inSource" "$R.2.suppressions.1.justification=pairs swap"
heddle run exchange.hd $RUN --check=race,init -q --suppressions rows.txt --sarif b.sarif
fields b.sarif "$R.2.suppressions.1.kind=external"
cp rows.txt beside
heddle run beside.hd $RUN --check=race,init -q --suppressions beside --sarif d.sarif
fields d.sarif "$R.1.suppressions.1.kind=external" "$R.2.suppressions.1.kind=inSource"
heddle run more.hd $RUN --check=race,init -q --baseline known.txt --sarif c.sarif >/dev/null
holds "SARIF says which are new" '[ "$(grep -c "baselineState\": \"unchanged" c.sarif) $(grep -c "baselineState\": \"new" c.sarif)" = "2 1" ]'
holds "what the schema of SARIF requires" "heddle lua '$tests/lib/sarif.lua' a.sarif b.sarif c.sarif"

printf ';! run exchange block=64 warp=32\n;! out y : u32[64]\n' | tee -a label.hd beside.hd moved.hd >/dev/null
says 0 "heddle test --check race,init label.hd" "1 passed, 0 failed"
says 1 "heddle test --check race,init beside.hd" "0 passed, 1 failed"
says 0 "heddle test --check race,init beside.hd --suppressions rows.txt" "1 passed"
says 0 "heddle test --check race,init moved.hd --baseline known.txt" "1 passed"
says 0 "heddle test --check sync label.hd" "1 passed"
says 2 "heddle test --check race label.hd --suppressions bad.txt" "suppressions:1:1: error: expected 'allow"
heddle test --check race,init moved.hd --write-baseline again.txt >/dev/null
holds "heddle test writes the same lines" 'tail -n 2 again.txt >got && tail -n 2 known.txt | diff - got'

# ---- fences ----
order=$tests/../kernels/defects/order.hd
remedy() { # remedy NAME WORDS: of a case of kernels/defects/order.hd, with a clock and without one
    for board in "" "--board v100"; do
        says 0 "heddle run '$order' --case $1 --check=race -q $board | tr -s ' \\n' ' '" "$2"
    done
}
last=$(grep -n 'atom.global.add' "$order" | cut -d: -f1)
poll=$(grep -n -m1 'ld.global.b32.\\load v' "$order" | cut -d: -f1)
remedy last_no_fence_behind "Line $last reads what was released after the earlier access: a fence.gpu after line $last would order them. "
remedy last_no_fence_before "not released: a fence.gpu between it and the store or atomic that line $last reads would order them. "
remedy mail_no_fence "No fence.gpu stands after line $poll, nor between the earlier access and the store or atomic that it reads. "
remedy mail_block_read "after line $poll would order them; fence.block reaches its own block only. "

# ---- columns: of every finding and fault in the kernels that have some ----
widest=100
for file in "$tests"/../kernels/defects/*.hd; do
    cp "$file" defects.hd
    cp -R "$tests"/../kernels/defects/lib .
    : >all
    cases=$(heddle run defects.hd --case 1 2>&1 | sed -n 's/^ran case 1 of \([0-9]*\).*/\1/p')
    for case in $(seq "$cases"); do
        heddle run defects.hd --case "$case" --check=all >>all 2>&1 </dev/null
    done
    says 0 "cat all" "expectations: "
done
widest=

# ---- the manual ----
says 0 "heddle doc checks" "  read-write           a read and a write that nothing orders"
says 0 "heddle doc checks --markdown" '| `sync` | `members` | '
says 0 "heddle doc checks race | tr -s ' \\n' ' '" " race checker accesses to one byte, one of them a write, that nothing orders ;! check "

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
