-- The command $HEDDLE as suites run it, and a folder of the suite's own for its files, removed at its end.
local heddle = require "heddle"
local test = require "tests.lib.test"

local command = {path = os.getenv "HEDDLE" or "build/heddle", folder = os.tmpname()}

os.remove(command.folder)
assert(os.execute("mkdir " .. command.folder))
test.at_end(function() os.execute("rm -rf " .. command.folder) end)

-- The path from any folder.
function command.absolute()
    return command.path:sub(1, 1) == "/" and command.path or os.getenv "PWD" .. "/" .. command.path
end

-- The contents of a file; nil when there is none.
function command.read(path)
    local file = io.open(path, "rb")
    local text = file and file:read "a"
    if file then file:close() end
    return text
end

-- Runs a line of the shell: the status (of a signal: its number, negative), and what it printed to both.
function command.run(line)
    local out, err = command.folder .. "/stdout", command.folder .. "/stderr"
    local _, how, status = os.execute(("%s >%s 2>%s"):format(line, out, err))
    return how == "exit" and status or -status, command.read(out), command.read(err)
end

-- Writes a tensor to NAME.npy in the folder; returns the file's name there.
function command.save(name, ...)
    local ctx <close> = heddle.new()
    ctx:buffer("saved", ...):save(("%s/%s.npy"):format(command.folder, name))
    return name .. ".npy"
end

-- Fails unless a text has these words, however it is broken into lines.
function command.says(out, text)
    test.ok(out:gsub("%s+", " "):find(text, 1, true), ("expected %q in %s"):format(text, out))
end

-- Runs `heddle ARGUMENTS`, after words that set its environment.
function command.heddle(arguments, environment)
    return command.run(("%s %s %s </dev/null"):format(environment or "", command.path, arguments))
end

-- Runs a command that must succeed; returns its output.
function command.good(arguments, environment)
    local status, out, err = command.heddle(arguments, environment)
    test.equal(err, "", arguments)
    test.equal(status, 0, arguments)
    return out
end

-- Copies kernels, scripts and boards, changes one file of the copy, and returns what makes it the home of a command.
function command.sabotage(file, from, to)
    local home = command.folder .. "/home"
    assert(os.execute(("rm -rf %s && mkdir %s && cp -r kernels scripts configs %s"):format(home, home, home)))
    local changed, n = command.read(home .. "/" .. file):gsub(from, to)
    test.ok(n > 0, "nothing to change in " .. file)
    heddle.write(home .. "/" .. file, changed)
    return "HEDDLE_HOME=" .. home
end

-- For the suite of a study: run(arguments, environment) runs it in the folder, and gives its status and what it printed
-- to both; good(arguments, environment) gives what it prints where all is well.
function command.study(name)
    local function run(arguments, environment)
        return command.run(("cd %s && %s %s study %s %s"):format(command.folder, environment or "</dev/null",
            command.absolute(), name, arguments))
    end
    local function good(arguments, environment)
        local status, out, err = run(arguments, environment)
        test.equal({status, err}, {0, ""}, arguments)
        return out
    end
    return run, good
end

return command
