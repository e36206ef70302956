-- Whether a block of a kernel fits an SM of the context's board, by the rules of a launch (sim/api/board.c), to choose
-- among kernels. A launch reports which resource is missing.
--
--   fits.block(ctx, kernel, 128, 32)      kernel: one of program:kernels(); threads of a block; lanes of a warp
--
-- Without a board everything fits.
local fits = {}

local function up(n, unit)
    return (n + unit - 1) // unit * unit
end

function fits.block(ctx, kernel, threads, width)
    local known, most = pcall(ctx.board_value, ctx, "max_threads_per_block")
    if not known then
        return true
    end
    local function of(key)
        return (ctx:board_value(key))
    end
    local warps, shared = (threads + width - 1) // width, kernel.shared_bytes + of "sm.shared_reserved"
    return threads <= most and warps <= of "sm.max_warps"
        and kernel.shared_bytes <= of "max_shared_per_block" and kernel.regs <= of "max_registers_per_thread"
        and warps * up(kernel.regs * width, of "sm.register_unit") <= of "sm.registers"
        and (shared == 0 or up(shared, of "sm.shared_unit") <= of "sm.shared_bytes")
end

return fits
