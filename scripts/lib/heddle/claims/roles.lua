-- Roles of methods in the pictures of a study, which give their colours, from its claims.
--
--   local role = roles.of(claims.rows)
--   role "unfold"                         "proposed": a claim is about it
--   role "im2col"                         "rival": a claim compares another method with it
--   role "none"                           "control": neither; or only a claim with `controls` names it
--   roles.by(role, {"unfold", "im2col"})  {unfold = "proposed", im2col = "rival"}
local roles = {}

function roles.of(rows)
    local found = {}
    for _, row in ipairs(rows) do
        for _, name in ipairs(row.controls and {} or row.rivals or {}) do
            found[name] = found[name] or "rival"
        end
        for _, name in ipairs(row.methods or {}) do
            found[name] = "proposed"
        end
    end
    return function(name) return found[name] or "control" end
end

function roles.by(role, names)
    local found = {}
    for _, name in ipairs(names) do
        found[name] = role(name)
    end
    return found
end

return roles
