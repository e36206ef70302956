-- The progress of a whole study, one line on a terminal: what runs, the share of all work done, the remaining time.
--
--   local line = progress.begin(12)      12 steps, or an amount of work in its own units
--   line.expect(3)                       3 more, if the number is known only later
--   line.step("words linear", 2)         the next step begins; it has 2 of the units (1)
--   line.share(0.5)                      half of this step is done; true, as a launch wants of its function `progress`
--
-- study.main clears the line at the end and before text. Nothing is shown if standard error is not a terminal.
-- The progress of a study that another one runs is that of the other's step.
local progress = {}

local LABEL <const> = 50 -- characters of a label, at most
local PAUSE <const> = 0.1 -- seconds between two pictures of the line

local current -- the line of the innermost study
local terminal -- whether standard error is one; nil: not known yet

-- Output and clock, replaced by tests.
progress.out, progress.now = nil, os.time

local function write(text)
    if progress.out then
        progress.out(text)
    elseif terminal then
        io.stderr:write(text)
    end
end

-- Formats the remaining time: 42, 7.5 -> "about 8 s to go".
local function remaining(seconds)
    return seconds < 99.5 and ("about %.0f s to go"):format(seconds) or ("about %.0f min to go"):format(seconds / 60)
end

local function show(line, label, share)
    local elapsed = progress.now() - line.began
    local text = ("%s: %.0f %%"):format(label:sub(1, LABEL), 100 * share)
    if share > 0.01 and elapsed > 0 then
        text = text .. ", " .. remaining(elapsed * (1 - share) / share)
    end
    line.shown = true
    write("\r\27[K  " .. text)
end

-- Begins the line of a study of `total` units.
function progress.begin(total)
    if terminal == nil then
        terminal = progress.out ~= nil or os.execute "test -t 2" == true
    end
    local parent, line = current, {began = progress.now(), drawn = -1}
    local done, units, label = 0, 0, ""
    total = total or 0
    function line.expect(more)
        total = total + more
    end
    function line.step(text, weight)
        done, units, label = done + units, weight or 1, text
        return line.share(0)
    end
    function line.share(part, detail)
        if terminal and (os.clock() - line.drawn >= PAUSE or progress.out) then
            line.drawn = os.clock()
            local share = math.min(1, (done + units * part) / math.max(total, done + units, 1e-9))
            local text = detail and label .. ", " .. detail or label
            if parent then
                parent.share(share, text)
            else
                show(line, text, share)
            end
        end
        return true
    end
    line.parent, current = parent, line
    return line
end

-- Takes the line away; the next step shows it again.
function progress.hide()
    local line = current
    while line and line.parent do
        line = line.parent
    end
    if line and line.shown then
        line.shown = false
        write "\r\27[K"
    end
end

-- The innermost line; progress.finish drops those that began after it.
function progress.mark()
    return current
end

function progress.finish(mark)
    progress.hide()
    current = mark
end

return progress
