-- KEYS: a lock. ARGV: its owner, ttl. Returns 1 if the owner holds it, from now on for `ttl` ms.

if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
