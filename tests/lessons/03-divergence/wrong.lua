-- Wrong solutions as changes of the reference: {gate, words of the reason, {old text, new text}, ...}.

return {
    -- guard of thread: Compares the thread with n in place of its element.
    {"end", "past the end of 'x'",
     {[[        and.b32       t, t, 63
        shl.b32       t, t, 1
@is_odd add.u32       t, t, 1
        mad.lo.u32    i, block, 128, t]], [[and.b32 i, t, 63
shl.b32 i, i, 1
@is_odd add.u32 i, i, 1
mad.lo.u32 i, block, 128, i]]},
     {"setp.ge.u32   beyond, i, v", "setp.ge.u32 beyond, t, v"}},
    -- halves: The second half of the threads takes the odd path, with elements as they were.
    {"results", "elements of y are wrong",
     {"setp.ge.u32   is_odd, t, 64", [[mad.lo.u32 i, block, 128, t
setp.ge.u32 is_odd, t, 64]]},
     {[[        and.b32       t, t, 63
        shl.b32       t, t, 1
@is_odd add.u32       t, t, 1
        mad.lo.u32    i, block, 128, t]], ""}},
    -- large values: Right for values below 1,000 only.
    {"proof", "on other data",
     {"@is_odd bra           odd", [[min.u32 v, v, 1000
@is_odd bra odd]]}},
    -- loaded twice: Loads each element twice.
    {"loads", "where at most",
     {"ld.global.b32 v, [at]", [=[ld.global.b32 v, [at]
ld.global.b32 v, [at]]=]}},
    -- stored twice: Stores each element twice.
    {"stores", "at most one store",
     {"        exit", [[st.global.b32 [at], v
exit]]}},
}
