-- KEYS: a hash with version and text. ARGV: version, text, ttl.

local stored = tonumber(redis.call('HGET', KEYS[1], 'v') or '0')
if stored > tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'v', ARGV[1], 't', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
