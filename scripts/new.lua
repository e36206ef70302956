-- The command `heddle new NAME`: writes a kernel to begin with, with its own case.
local heddle = require "heddle"
local study = require "heddle.kit.study"

local TEXT <const> = [[
; NAME: y[i] = a * x[i], one thread for each element
;
; The lines below are a case: how the kernel is launched, on what, and what it should give. 'heddle run' runs the
; first one, 'heddle test' all of them at every warp width. W is the warp width, i the index of an element.
;
;! run NAME grid=2 block=2*W
;! in  x : f32[n] = iota
;! out y : f32[n]
;! arg a=2.5 n=4*W-3
;! expect y = a * x[i]

.kernel NAME
.param x : f32[n]                       ; a buffer of at least n elements
.param y : f32[n]
.param a : f32                          ; a number, as --arg a=2.5
.param n : u32
.reg   i, block, size, v, factor, at:2  ; 32-bit registers; at:2 is a pair, for an address
.pred  beyond

        s2r           block, %ctaid.x   ; which block, which thread of it?
        s2r           size, %ntid.x
        s2r           i, %tid.x
        mad.lo.s32    i, block, size, i ; i = block * size + thread
        ld.param.b32  v, [n]
        setp.ge.u32   beyond, i, v      ; threads beyond the end have nothing to do
@beyond exit
        ld.param.b64  at, [x]
        mad.wide.u32  at, i, 4, at      ; the address of x[i]
        ld.global.b32 v, [at]
        ld.param.b32  factor, [a]
        mul.f32       v, v, factor
        ld.param.b64  at, [y]
        mad.wide.u32  at, i, 4, at
        st.global.b32 [at], v
        exit
]]

local given = ...
return study.main("heddle new", function()
    local path = given:find "%.hd$" and given or given .. ".hd"
    local name = path:match "([^/]*)%.hd$"
    if not name:find "^[%a_][%w_]*$" then
        study.refuse("'%s' is not a name for a kernel: letters, digits and _, and no digit first", name)
    end
    if heddle.path(path) then
        study.refuse("%s is there already, and is not replaced", path)
    end
    heddle.write(path, (TEXT:gsub("NAME", name)))
    study.print(("wrote %s: 'heddle run %s' runs its case, 'heddle test %s' all of its warp widths"):format(path, path,
        path))
    return true
end)
