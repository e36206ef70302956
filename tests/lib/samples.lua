-- Kernels that suites of the Lua module launch, and names of files that are not there yet.
local samples = {}

samples.copy64 = [[
.kernel copy
.param dst : u64[1]
.param v   : u64
.reg to:2, value:2
        ld.param.b64  to, [dst]
        ld.param.b64  value, [v]
        st.global.b64 [to], value
        exit
]]

samples.count_up = [[
.kernel up
.param dst : u32[n]
.param n   : u32
.reg i, t, u, to:2, limit
.pred beyond
        s2r          i, %ctaid.x
        s2r          t, %ntid.x
        s2r          u, %tid.x
        mad.lo.u32   i, i, t, u
        ld.param.b32 limit, [n]
        setp.ge.u32  beyond, i, limit
@beyond exit
        ld.param.b64 to, [dst]
        mad.wide.u32 to, i, 4, to
        st.global.b32 [to], i
        exit
]]

function samples.scratch(name)
    return os.tmpname() .. name
end

return samples
