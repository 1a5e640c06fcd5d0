-- KEYS: sorted sets of members by their end. ARGV: member, ttl.

local t = redis.call('TIME')
local now = math.floor(t[1] * 1000 + t[2] / 1000)
for i, key in ipairs(KEYS) do
  redis.call('ZADD', key, now + ARGV[2], ARGV[1])
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  redis.call('PEXPIRE', key, ARGV[2])
end
return 1
