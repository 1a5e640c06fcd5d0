-- KEYS: sorted sets of members by their end.

local t = redis.call('TIME')
local now = math.floor(t[1] * 1000 + t[2] / 1000)
local found = {}
for i, key in ipairs(KEYS) do found[i] = redis.call('ZRANGEBYSCORE', key, '(' .. now, '+inf') end
return found
