-- KEYS: version. ARGV: least, ttl. Versions are in microseconds.

local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local last = tonumber(redis.call('GET', KEYS[1]) or '0')
local version = string.format('%.0f', math.max(now, last + 1, tonumber(ARGV[1]) + 1))
redis.call('SET', KEYS[1], version, 'PX', ARGV[2])
return version
