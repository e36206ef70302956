-- The values of the convolution study's --stride, --pad and --centre, for a problem of `rank` dimensions.
--
--   values.stride("2,1", 2)                    {2, 1}
--   values.padding("0:1,2", 2)                 {0, 2}, {1, 2}: in front and behind; of "same" nil, nil
--   values.centres("0,0;1,1", {3, 3})          {{0, 0}, {1, 1}}; of nil nil
--
-- An unreadable value ends the study with one sentence that names what was expected.
local options = require "heddle.kit.options"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local values = {}

local entries, split = options.entries, options.split

local LARGE <const> = 1 << 30 -- strides, paddings
local DIMENSIONS <const> = {"depth", "height", "width"}

local function whole(text, low)
    return options.whole(text, low, LARGE)
end

-- One value for all dimensions or one for each: the list that `read` makes of the pieces.
local function each_dimension(name, text, rank, expected, read)
    local pieces, list = split(text, ","), {}
    if #pieces ~= 1 and #pieces ~= rank then
        study.refuse("--%s: '%s' has %s; expected one, or one for each of %d dimensions", name, text,
            entries(pieces), rank)
    end
    for i = 1, rank do
        local piece = pieces[#pieces == 1 and 1 or i]
        list[i] = read(piece)
        if not list[i] then
            study.refuse("--%s: '%s'%s cannot be read; expected %s", name, piece,
                piece ~= text and (" of '%s'"):format(text) or "", expected)
        end
    end
    return list
end

function values.stride(text, rank)
    return each_dimension("stride", text, rank, "a whole number from 1 to " .. report.count(LARGE),
        function(piece) return whole(piece, 1) end)
end

-- "lo:hi", or one number for both.
local function side(piece)
    local lo, hi = piece:match "^(%d+):(%d+)$"
    lo, hi = whole(lo or piece, 0), whole(hi or piece, 0)
    return lo and hi and {lo, hi}
end

-- Padding in front and behind; nil, nil: that which keeps the size.
function values.padding(text, rank)
    if text == "same" then
        return nil, nil
    end
    local pairs_read = each_dimension("pad", text == "valid" and "0:0" or text, rank,
        ("same, valid, a number, or lo:hi (whole numbers from 0 to %s)"):format(report.count(LARGE)), side)
    local lo, hi = {}, {}
    for i, pair in ipairs(pairs_read) do
        lo[i], hi[i] = pair[1], pair[2]
    end
    return lo, hi
end

-- The predetermined elements; nil: the middle one.
function values.centres(text, kernel)
    if not text then
        return nil
    end
    local list = {}
    for i, one in ipairs(split(text, ";")) do
        local pieces, element = split(one, ","), {}
        for d, piece in ipairs(pieces) do
            element[d] = whole(piece, 0)
            if not element[d] then
                study.refuse("--centre: '%s' cannot be read; expected whole numbers from 0 on, as %s, with ';' " ..
                    "between elements", text, #kernel == 2 and "1,1" or "1,1,1")
            end
        end
        if #pieces ~= #kernel then
            study.refuse("--centre: '%s' has %s; the kernel has %d dimensions", one, entries(pieces), #kernel)
        end
        for d, index in ipairs(element) do
            if index >= kernel[d] then
                study.refuse("--centre: %s lies outside the kernel %s; its %s goes from 0 to %d", one,
                    table.concat(kernel, "x"), DIMENSIONS[3 - #kernel + d], kernel[d] - 1)
            end
        end
        list[i] = element
    end
    return list
end

return values
