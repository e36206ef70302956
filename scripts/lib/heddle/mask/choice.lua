-- Which methods of the mask study run on a problem.
--
--   local list, left_out = choice.choose(p, option)
--   for _, what in ipairs(list) do bench:run(p, what, true) end                         {name, order} in order
--   for _, what in ipairs(left_out) do print(what.label, what.why) end                  with all methods
--
-- option: method ("all" or a name), order (nil: linear, or every possible one with all methods).
local launch = require "heddle.mask.launch"
local report = require "heddle.kit.report"
local softmax = require "heddle.mask.softmax"
local study = require "heddle.kit.study"

local choice = {}

-- The baseline of a method, by its kind of result; the method that makes the mask that it reads.
choice.baselines = {fill = "bool", store = "bool-store", softmax = "softmax-bool"}
choice.needs = {words = "convert", flat = "convert-flat", bits = "convert-bits"}

local WORDS_OF_32 <const> = "it takes words of 32 bits; use --result int32 or float"

-- Methods for the published words of two rows, besides the orders "packed" and "interleaved".
local two_rows = {["words-heads"] = true, ["words-store"] = true, ["softmax-words"] = true}

-- Whether the rows of a problem are whole tiles, so that its flat view has the same words.
local function whole_tiles(p)
    return p.width % p.layout.tile == 0 and p.height % p.layout.rows == 0
end

-- Whether a method can run on a problem; if not, why.
function choice.possible(p, name, order)
    local rows, method = p.layout.rows, launch.methods[name]
    if rows ~= 2 and order and order ~= "linear" then
        return false, ("the %s order is that of two rows, each a half of a word; here a word describes %s. Use " ..
            "--rows 2, or --order linear"):format(order, report.plural(rows, "row"))
    elseif rows ~= 2 and (two_rows[name] or method.flat) then
        return false, ("it takes words of two rows; here a word describes %s. Use --rows 2"):format(
            report.plural(rows, "row"))
    elseif order == "interleaved" and p.size ~= 2 then
        return false, ("the interleaved order is for elements of 2 bytes, and %s has %d"):format(p.type.name, p.size)
    elseif name == "bool-wide" and p.size > 2 then
        return false, ("it is for elements of 1 and 2 bytes, and %s has %d"):format(p.type.name, p.size)
    elseif name == "causal" and not p:causal() then
        return false, "the mask is not that of causal attention: true exactly where the column is behind the row"
    elseif method.flat and not p:flat() then
        return false, ("%s share a mask, and an image is not made of pairs of whole lines of 128 bytes"):format(
            report.plural(p.heads, "image"))
    elseif (method.kernel == "words-heads" or name == "softmax-words") and p.bits ~= 32 then
        return false, WORDS_OF_32
    elseif name:find "^softmax" and p.type.name ~= "fp32" then
        return false, ("it takes scores of fp32, not %s"):format(p.type.name)
    elseif name:find "^softmax" and p:largest_score() >= softmax.LIMIT then
        return false, ("it takes scores whose size, times --scale, is below %s; here they reach %.3g"):format(
            report.count(softmax.LIMIT), p:largest_score())
    end
    return true
end

-- The orders in which a method is run: as --order says, or linear, or all that are possible.
local function orders_of(name, option)
    if launch.methods[name].kernel ~= "words" then
        return {false}
    elseif option.order then
        return {option.order}
    end
    return option.method == "all" and launch.orders or {"linear"}
end

-- The methods to run, in order: {name, order}; and with all methods those that do not fit the problem: {label, why}. A
-- method requested by name that cannot run ends the study. `wanted`: a set of names, of all methods only these.
function choice.choose(p, option, wanted)
    local list, left_out, asked = {}, {}, option.method ~= "all"
    local function add(name, must)
        for _, order in ipairs(orders_of(name, option)) do
            local yes, why = choice.possible(p, name, order)
            if yes then
                list[#list + 1] = {name = name, order = order or nil}
            elseif must then
                study.refuse("--method %s: %s", name, why)
            else
                left_out[#left_out + 1] = {label = launch.label {name = name, order = order or nil}, why = why}
            end
        end
    end
    if asked then
        local method = launch.methods[option.method]
        for _, name in ipairs {choice.needs[method.mask] or false, choice.baselines[method.gives]} do
            if name and name ~= option.method then
                add(name)
            end
        end
        add(option.method, true)
        return list, {}
    end
    for _, name in ipairs(launch.giving("words", "flat", "bits", "fill", "store", wanted and "softmax")) do
        local method = launch.methods[name]
        if wanted and not wanted[name] then
            goto next
        elseif method.flat and whole_tiles(p) then
            left_out[#left_out + 1] = {label = name, why = "rows are whole tiles, which a flat view has as well"}
        elseif p.heads > 1 or not method.kernel:find "-heads$" then
            add(name, method.kernel == "words" and option.order)
        elseif not p.kind then -- generated masks have a sweep of heads
            left_out[#left_out + 1] = {label = name, why = "no two images of x share one of the mask; see --heads"}
        end
        ::next::
    end
    return list, left_out
end

return choice
