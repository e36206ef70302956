-- Stages of the dense methods of a convolution, which compute every output. For heddle.spconv_pipeline.
local stage = require "heddle.spconv_stage"

local dense = {}

local ceil, THREADS = stage.ceil, stage.THREADS

-- What kernels without a matrix ask for: tensors, and how they lie.
local function tensors(self)
    local p = self.p
    return {
        x = self.x, weight = self.weight, bias = self.bias or "none_f32", biased = self.bias and 1 or 0, y = self.y,
        outputs = p.outputs, sc = self.in_sc, sp = self.in_sp, ysc = self.out_sc, ysp = self.out_sp,
    }
end

-- Every output by itself, four filters at a time.
function dense.direct(self)
    local p = self.p
    if p.outputs > 0 then
        self:launch("direct", "spconv/direct", "direct_" .. self.type, {ceil(p.outputs, THREADS), ceil(p.filters, 4)},
            THREADS, tensors(self))
        self.macs.issued = p.filters * p.channels * p.volume * p.outputs
    end
end

return dense
