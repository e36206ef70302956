-- Statistics of a list of numbers.
local stats = {}

function stats.sum(list)
    local sum, lost = 0.0, 0.0 -- Kahan: what rounding took away is added later
    for i = 1, #list do
        local v = list[i] - lost
        local next_sum = sum + v
        lost = (next_sum - sum) - v
        sum = next_sum
    end
    return sum
end

function stats.mean(list)
    return stats.sum(list) / #list
end

-- Root of the mean square.
function stats.rms(list)
    local squares = {}
    for i = 1, #list do
        squares[i] = list[i] * list[i]
    end
    return math.sqrt(stats.sum(squares) / #list)
end

-- Standard deviation of the values themselves (divided by n).
function stats.deviation(list)
    local mean, squares = stats.mean(list), {}
    for i = 1, #list do
        squares[i] = (list[i] - mean) ^ 2
    end
    return math.sqrt(stats.sum(squares) / #list)
end

-- The smallest and the largest value.
function stats.range(list)
    local low, high = list[1], list[1]
    for i = 2, #list do
        low, high = math.min(low, list[i]), math.max(high, list[i])
    end
    return low, high
end

-- The value below which the share `q` of the sorted list lies; 0.5 is the median.
function stats.quantile(list, q)
    local sorted = table.move(list, 1, #list, 1, {})
    table.sort(sorted)
    local at = 1 + q * (#sorted - 1)
    local low = math.floor(at)
    local high = math.min(low + 1, #sorted)
    return sorted[low] + (at - low) * (sorted[high] - sorted[low])
end

return stats
