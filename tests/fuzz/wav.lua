-- Any bytes as a WAV file: a recording with all samples, in range, or a message.
local wav = require "heddle.signal.wav"

local bytes = (...):gsub("%x%x", function(two) return string.char(tonumber(two, 16)) end)

for _, channel in ipairs {1, "mix", bytes:byte(-1) or 0} do
    local sound, message = wav.decode(bytes, channel)
    if sound then
        assert(#sound.samples == sound.frames and sound.rate > 0 and sound.channels > 0)
        for _, v in ipairs(sound.samples) do
            assert(sound.coding == "float" or (v >= -1 and v <= 1), tostring(v))
        end
    else
        assert(message:find "^it" and not message:find "%c", message)
    end
end
