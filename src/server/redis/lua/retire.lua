-- KEYS: parties. ARGV: parties that are considered dead from now on and no longer count. Their settled leases count as before.

for _, party in ipairs(ARGV) do redis.call('ZADD', KEYS[1], toInteger(now - INACTIVE_AFTER - 1), party) end
redis.call('PEXPIRE', KEYS[1], 2 * FORGET_AFTER)
return 1
