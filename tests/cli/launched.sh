#!/bin/sh
# Does a kernel find what a compiled one needs of its launch, and is what does not fit refused?
#
#   HEDDLE=build/heddle sh tests/cli/launched.sh
set -u
. "$(dirname "$0")/../lib/cli.sh"

# ---- shared memory that the launch sizes ----
cat >sized.hd <<'END'
.kernel sized
.param y : u32[]
.shared x : u32[]
.reg   i, at, n, py:2
        s2r           i, %tid.x
        shl.b32       at, i, 2
        st.shared.b32 [x+at], i
        s2r           n, %dynamic_smem_size
        ld.param.b64  py, [y]
        st.global.b32 [py], n
        exit
END
says 0 "heddle run sized.hd --shared-bytes 128 --out y=u32[1]:y.npy --print y" "[0]  128"
says 1 "heddle run sized.hd --shared-bytes 124 --out y=u32[1]:y.npy" "shared memory (124 bytes a block); the address names 'x', to which the launch gives 124 bytes"
says 1 "heddle run sized.hd --out y=u32[1]:y.npy" "to which the launch gives 0 bytes"
says 2 "heddle run sized.hd --shared-bytes 0" "expected a whole number from 1 on"
says 2 "heddle run sized.hd --shared-bytes 65536 --board teach8 --out y=u32[1]:y.npy" "boards that take it: a100, b200, br100"
says 0 "heddle run sized.hd --shared-bytes 128 --board teach8 --out y=u32[1]:y.npy --json - | grep -c '\"shared_bytes\": 128'" "1"
says 2 "printf '.kernel k\n.shared x : b8[]\n.shared y : b8\n exit\n' >last.hd; heddle lint last.hd" "last.hd:3:9: error: shared memory of the launch's size is the last of its kernel, one '[]'"
says 2 "printf '.kernel k\n exit\n.func f\n.shared x : b8[]\n ret\n' >last.hd; heddle lint last.hd" "last.hd:4:9: error: '[]', shared memory of the launch's size, belongs to a kernel; a function takes its address"

# ---- pointers ----
cat >copy.hd <<'END'
.kernel copy
.param from : f32[n]
.param to : b8[4*n]
.param n : u32
.reg   i, v, pf:2, pto:2, z:2
.pred  none
        s2r           i, %tid.x
        ld.param.b64  pf, [from]
        ld.param.b64  pto, [to]
        mov.b64       z, 0
        setp.eq.u64   none, pto, z
@none   exit
        mad.wide.u32  pf, i, 4, pf
        mad.wide.u32  pto, i, 4, pto
        ld.global.b32 v, [pf]
        st.global.b32 [pto], v
        exit
END
RUN="heddle run copy.hd -q --block 4 --arg n=4 --inout all=f32[8]:iota:all.npy --print all"
says 0 "$RUN --arg from=all+16 --arg to=all" "[0..7]  4 5 6 7 4 5 6 7"
says 0 "$RUN --arg from=all+16 --arg to=null" "[0..7]  0 1 2 3 4 5 6 7"
says 2 "$RUN --arg from=all+20 --arg to=all" "copy.hd: error: kernel 'copy': parameter 'from : f32[n]' needs at least 4 elements, and buffer 'all' has 3 from there on"
says 2 "$RUN --arg from=all+33 --arg to=all" "parameter 'from : f32[n]': 'all+33' is past the end of the buffer, which has 32 bytes"
says 2 "$RUN --arg from=al+3 --arg to=all" "there is no buffer 'al+3'"
says 2 "$RUN --arg from=3 --arg to=all" "takes a buffer, and a number is given"
says 1 "$RUN --arg from=null --arg to=all" "fault: null: load of 4 bytes at global address 0x0"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
