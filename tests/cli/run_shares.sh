#!/bin/sh
# Does `heddle run --boards N` give each board its rows and no others, leave what one board leaves, and add up its time?
#
#   HEDDLE=build/heddle sh tests/cli/run_shares.sh
set -u
. "$(dirname "$0")/../lib/cli.sh"
widest=100

data="--grid 10 --block 64 --in x=random:3 --arg a=2 --arg n=630"
run="heddle run classic/saxpy $data --inout y=ones:y.npy --board teach8"

# ---- rows, blocks and bytes: a block of saxpy has 63 rows, so that boards get 3, 3 and 4 of them ----
says 0 "$run --boards 3 --link pcie4 --gather nvlink3 --print y[3] --json s.json" "the same bytes as on one board"
heddle run classic/saxpy $data --inout y=ones:one.npy --board teach8 --link pcie4 --json one.json -q
holds "the buffer of one board" "cmp y.npy one.npy"
holds "rows and blocks" "jq -c '[.boards[] | [.first_row, .rows, .launch.grid[0]]]' s.json | grep -qx '\[\[0,189,3\],\[189,189,3\],\[378,252,4\]\]'"
holds "bytes there and back" "jq -c '[.boards[] | [.in.bytes, .out.bytes]]' s.json | grep -qx '\[\[1512,756\],\[1512,756\],\[2016,1008\]\]'"
holds "the time is the slowest board's and the exchange" "jq -e '
    ([.boards[] | .in.seconds + .launch.seconds + .out.seconds] | max) + .gather.seconds
    - .seconds | fabs < 1e-12' s.json"
holds "that of one board is its copies and its kernel" "jq -s -e '.[0].one_board_seconds - .[1].copies.in.seconds -
    .[1].copies.out.seconds - .[1].seconds | fabs < 1e-12' s.json one.json"
holds "the exchange is heddle_transfer's" "heddle lua - >want <<'END' && jq .gather.seconds s.json | awk '{ getline w <\"want\"; exit !(\$1 - w < 1e-12 && w - \$1 < 1e-12) }'
print(heddle.new():transfer {link = \"nvlink3\", kind = \"all_gather\", boards = 3, bytes = 4 * 630}.us / 1e6)
END"
holds "a board is a launch of its rows" "heddle run classic/saxpy --grid 4 --block 64 --in x=f32[252]:random:3 --inout y=ones --arg a=2 \
    --arg n=252 --board teach8 --json last.json -q && [ \$(jq .cycles last.json) = \$(jq .boards[2].launch.cycles s.json) ]"

# ---- buffers without those rows are everybody's; other dimensions of the grid; the whole grid ----
M="heddle run classic/matmul_tiled --board teach32 --boards 2"
says 0 "$M --share m:y" "by 'm'"
holds "a block of rows for half of the grid" "$M --share m:y -q --json m.json && jq -c '[.boards[].launch.grid[1]]' m.json | tr -d '[]' | awk -F, '{ exit \$1 != \$2 }'"
cat >loop.hd <<'END'
; y[i] = i + 1, by blocks that loop over elements
.kernel loop
.param y : u32[n]
.param n : u32
.reg   i, s, c, limit, p:2, q:2
.pred  done
        s2r           i, %ctaid.x
        s2r           s, %ntid.x
        s2r           c, %tid.x
        mad.lo.u32    i, i, s, c
        s2r           c, %nctaid.x
        mul.lo.u32    s, s, c
        ld.param.b32  limit, [n]
        ld.param.b64  p, [y]
next:   setp.ge.u32   done, i, limit
    @done bra         end
        mad.wide.u32  q, i, 4, p
        ld.global.b32 c, [q]
        add.u32       c, c, 1
        st.global.b32 [q], c
        add.u32       i, i, s
        bra           next
end:    exit
END
L="heddle run loop.hd --grid 2 --block 32 --inout y=iota --arg n=1000 --board teach8"
says 0 "$L --boards 3 --share n:all" "the same bytes as on one board"
says 2 "$L --boards 3" "1,000 rows in 2 blocks cannot be shared out to 3 boards"

# ---- what cannot be shared out shows ----
says 1 "heddle run classic/stencil1d --board teach32 --boards 2" "rows depend on others"
says 1 "heddle run classic/total --board teach32 --boards 2 --share n" "every board has its own, and writes to it"
says 1 "heddle run classic/stencil1d --board teach32 --boards 2" "not those of one board"
holds "a buffer is not written then" "! heddle run classic/stencil1d --case 1 --out y=no.npy --board teach8 --boards 2 -q 2>err && [ ! -e no.npy ]"

cat >far.hd <<'END'
; y[i] = x[i ^ 32]
.kernel far
.param x : u32[n]
.param y : u32[n]
.param n : u32
.reg   i, s, c, p:2, q:2
        s2r           i, %ctaid.x
        s2r           s, %ntid.x
        s2r           c, %tid.x
        mad.lo.u32    i, i, s, c
        xor.b32       c, i, 32
        ld.param.b64  p, [x]
        mad.wide.u32  q, c, 4, p
        ld.global.b32 s, [q]
        ld.param.b64  p, [y]
        mad.wide.u32  q, i, 4, p
        st.global.b32 [q], s
        exit
END
F="heddle run far.hd --grid 4 --block 32 --in x=iota --out y=u32[128]:y.npy --arg n=128 --board teach8"
says 0 "$F --boards 2" "the same bytes as on one board"
says 1 "$F --boards 4" "board 1 of 4 has rows 0 to 31 of 'n', and its launch faults"

# ---- mistakes ----
says 2 "heddle run classic/saxpy --boards 2" "--boards is for timed launches"
says 2 "$run --boards 1" "--boards"
says 2 "$run --boards 65" "at most 64"
says 2 "$run --share n" "give their number with --boards"
says 2 "$run --boards 2 --share a" "'a' counts no rows"
says 2 "$run --boards 2 --share m" "'m' counts no rows"
says 2 "$run --boards 2 --share n:w" "'w' is no dimension of a grid; expected x, y, z or all"
says 2 "$run --boards 2 --gather nvlink9" "there is no link 'nvlink9'"
says 2 "$run --boards 2 --gather nvlink3:tree" "there is no way 'tree'"
says 2 "$run --boards 2 --beside 'classic/saxpy'" "has no place with --b"
says 2 "$run --boards 2 --section dram" "--section has no place with --boards"
says 2 "heddle debug classic/saxpy --board teach8 --boards 2" "--boards is for 'heddle run'"
says 2 "$run,teach32 --boards 2" "takes one board at a time"
says 2 "heddle run classic/transpose_naive --board teach32 --boards 2 --share cols" "it has to be the first factor"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
