-- KEYS: a sorted set of members by their end. ARGV: member.

return redis.call('ZREM', KEYS[1], ARGV[1])
