#!/bin/sh
# Can a row that is added to the instruction set be certified falsely? Five rows that no certifier knows, and a vote with
# its law, are added to a copy, by docs/adding.md, and built: each is refused as unknown, or judged as it behaves.
#
#   HEDDLE=build/heddle sh tests/prove/additions.sh
set -u
root=$PWD
. "$(dirname "$0")/../lib/cli.sh"

# ---- the copy ----

BUILD=${BUILD:-build}
cd "$root" || exit 2
{
    find isa sim Makefile configs scripts/*.sh -type f
    find "$BUILD/obj/isa" "$BUILD/obj/sim" "$BUILD"/obj/*.[od] -name '*.[od]'
    find "$BUILD" -maxdepth 1 -type f ! -perm -u+x # the flags that the objects were compiled with
} | xargs cp -a --parents -t "$work"
cd "$work" || exit 2
# Compiles as the build did, but without optimization: what is new is run a few times only. A compiler that looks for
# another of its name, as ccache does, finds it in the present PATH.
compiler=$(command -v "${CC:-gcc}")
mkdir bin
printf '#!/bin/sh\nPATH="%s" exec "%s" "$@" -O0 -g0\n' "$PATH" "$compiler" >"bin/${CC:-gcc}"
chmod +x "bin/${CC:-gcc}"
after() { # after FILE PATTERN: inserts standard input after the first line that matches
    cat >row
    line=$(grep -n -m 1 -e "$2" "$1" | cut -d : -f 1)
    [ -n "$line" ] && sed -i "${line}r row" "$1" || { echo "no '$2'" >got; bad "$1"; }
}
after isa/ops_warp.def '^WARP(.*VOTE_UNI' <<'END'
WARP(0x3f8, VOTE_NONE, "vote.none", VOTE, VOTE, 0, vote_none, "p = a holds in no active lane", "None.")
WARP(0x3f9, VOTE_NOT_ALL, "vote.not_all", VOTE, VOTE, 0, vote_NOT_ALL, "p = a fails in some active lane", "Not all.")
WARP(0x3fa, REDUX_XNOR_B32, "redux.xnor.b32", REDUX, REDUX, 0, redux_xnor, "d = xnor of a", "Xnor.")
END
after isa/laws.def '^VOTE(ALL' <<'END'
VOTE(NOT_ALL, no)
END
after isa/ops_memory.def '^WARP(.* "st",' <<'END'
WARP(0x3fb, STX, "stx", ST, STX, M_SPACE | M_HINT | M_MTYPE, store, "space[a + offset] = b", "Store.")
END
after isa/classes.def '^CLASS(ST,' <<'END'
CLASS(STX, "stx", LSU, STORE, OWN, "other stores")
END
after sim/board/fields.def '^TIMING(ST,' <<'END'
TIMING(STX, 0, 1)
END
after isa/ops_logic.def '^LANE(' <<'END'
LANE(0x03e, SWAP16_B32, "swap16.b32", B32, ANY, NO, NO, MOV, 0, a << 16 | a >> 16, "Halves swapped.")
LANE(0x03f, ROT_B32, "rot.b32", B32, B32, B32, NO, SHIFT, 0, funnel_l(a, a, b & 31), "Rotated to the left.")
END
after sim/arch/exec_warp.h '^/\* ---- votes' <<'END'
static enum step exec_vote_none(struct warp *w, const struct uop *u) {
    put_bits(w, u->pd, pred_bits(w, u->pa) & w->exec ? 0 : FULL);
    return members_ok(w, u) ? STEP_NEXT : STEP_FAULT;
}
static enum step exec_redux_xnor(struct warp *w, const struct uop *u) {
    const u32 *a_row = SOURCE(a);
    u32 v[W], x = ~0u;
    for (u64 left = w->exec; left; left &= left - 1)
        x ^= a_row[first_lane(left)];
    for (u32 l = 0; l < W; l++)
        v[l] = x;
    put32(w, u->d, v);
    return members_ok(w, u) ? STEP_NEXT : STEP_FAULT;
}
END
at "the build of the copy"
PATH=$work/bin:$PATH
make -j2 SETUP=no CC="${CC:-gcc}" BUILD="$BUILD" "$BUILD/heddle" >got 2>&1 || bad "the copy's build"
PATH=$work/$BUILD:$PATH
holds "the rows are there" "for row in vote.none redux.xnor.b32 stx swap16.b32 rot.b32; do heddle doc \$row || exit; done"

# ---- verdicts on them ----

cat >two.hd <<'END'
.macro begin
    s2r i, %tid.x
    ld.param.b64 px, [x]
    ld.param.b64 py, [y]
    mad.wide.u32 px, i, 4, px
    mad.wide.u32 py, i, 4, py
    ld.global.b32 v, [px]
.endmacro
.kernel b
.param x : u32[]
.param y : u32[]
.reg i, v, px:2, py:2
    begin
    redux.xnor.b32 v, v
    st.global.b32 [py], v
    exit
.macro votes name, how, not
.kernel \name
.param x : u32[]
.param y : u32[]
.reg i, v, px:2, py:2
.pred p, q
    begin
    setp.ne.s32 p, v, 0
    vote.\how q, p
    mov.b32 v, 0
    @\not mov.b32 v, 1
    st.global.b32 [py], v
    exit
.endmacro
    votes a, none, q
    votes not_all, not_all, q
    votes all, all, !q
    votes any, any, q
.kernel none
.param x : u32[]
.param y : u32[]
.reg i, v, px:2, py:2
    begin
    mov.b32 v, 0
    st.global.b32 [py], v
    exit
.kernel store
.param y : u32[]
.reg i, py:2
    s2r i, %tid.x
    ld.param.b64 py, [y]
    stx.global.b32 [py], i
    exit
.kernel swap
.param y : u32[]
.shared cells : b32[32]
.reg i, v, at, py:2
    s2r i, %tid.x
    ld.param.b64 py, [y]
    mad.wide.u32 py, i, 4, py
    shl.b32 at, i, 2
    st.shared.b16 [at], i
    ld.shared.b32 v, [at]
    swap16.b32 v, v
    st.global.b16 [py], v
    exit
.kernel rotate
.param y : u32[]
.reg i, u, v, py:2
    s2r i, %tid.x
    ld.param.b64 py, [y]
    rot.b32 v, i, 3
    redux.xnor.b32 v, u
    st.global.b32 [py], v
    exit
END
unknown() { # unknown ENTRY OTHER BUFFERS: a proof stops at what it does not know
    holds "no proof of $1 and $2" "
        heddle prove two.hd two.hd --entry-a $1 --entry-b $2 --buffers $3 --warp 32 >said 2>&1
        grep -q 'heddle has a bug: .* that sim/prove does not know' said && ! grep -q equal said || ! cat said"
}
says 0 "heddle run two.hd --entry a --block 32 --warp 32 --in x=u32[32]:zeros --out y=u32[32] --print y" "1"
unknown a none in:x=u32[32],out:y=u32[32]
unknown b none in:x=u32[32],out:y=u32[32]
unknown store store out:y=u32[32]
proof() { # proof STATUS ENTRY TEXT: of the vote with a law and another
    says "$1" "heddle prove two.hd two.hd --entry-a not_all --entry-b $2 --buffers in:x=u32[32],out:y=u32[32] --warp 32" "$3"
}
proof 0 all "equal for all inputs"
proof 1 any different
store="heddle run two.hd --entry store --block 64 --warp 32 --out y=u32[4]"
says 1 "$store --check race" "race write-write: two writes of different values"
says 1 "$store --schedule all" "y[0] depends on the order of warps"
swap="heddle run two.hd --entry swap --block 32 --warp 32 --out y=u32[32]"
says 134 "heddle run two.hd --entry rotate --out y=u32[4] --check value" "a shift that laws.def does not have"
says 134 "heddle run two.hd --entry rotate --out y=u32[4] --check init" "that the checker of unwritten values does not know"
says 1 "$swap --check init" "init store: an unwritten value"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
