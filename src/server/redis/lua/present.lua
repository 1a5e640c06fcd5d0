-- KEYS: parties. ARGV: party. Records a heartbeat, and returns the number of parties.

redis.call('ZADD', KEYS[1], toInteger(now), ARGV[1])
redis.call('PEXPIRE', KEYS[1], 2 * FORGET_AFTER)
return redis.call('ZCOUNT', KEYS[1], toInteger(now - INACTIVE_AFTER), '+inf')
