-- KEYS: a bucket. ARGV: ms. After the block, one request at a time until one is answered or a minute has passed.

local till, fields = now + ARGV[1], { 'probe', 1 }
local stored = redis.call('HMGET', KEYS[1], 'until', 'ttl')
if tonumber(stored[1] or 0) < till then fields = { 'probe', 1, 'until', toInteger(till) } end
writeBucket(KEYS[1], stored[2], ARGV[1] + 60000, fields)
return 1
