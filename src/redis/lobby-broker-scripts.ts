/** Lua scripts of the lobby broker. Each runs atomically; times are in ms of the server's clock, versions in microseconds. */

const NOW = `local t = redis.call('TIME')
`

/** KEYS: version. ARGV: least, ttl. */
export const NEXT_VERSION = `${NOW}local now = t[1] * 1000000 + t[2]
local last = tonumber(redis.call('GET', KEYS[1]) or '0')
local version = string.format('%.0f', math.max(now, last + 1, tonumber(ARGV[1]) + 1))
redis.call('SET', KEYS[1], version, 'PX', ARGV[2])
return version`

/** KEYS: a hash with version and text. ARGV: version, text, ttl. */
export const PUT_NEWEST = `local stored = tonumber(redis.call('HGET', KEYS[1], 'v') or '0')
if stored > tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'v', ARGV[1], 't', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`

/** KEYS: hashes with a text. */
export const GET_ALL = `local texts = {}
for i, key in ipairs(KEYS) do texts[i] = redis.call('HGET', key, 't') end
return texts`

/** KEYS: a hash with a text. */
export const TAKE = `local text = redis.call('HGET', KEYS[1], 't')
redis.call('DEL', KEYS[1])
return text`

/** KEYS: a number. ARGV: amount, ttl. */
export const INCREMENT = `local sum = redis.call('INCRBY', KEYS[1], ARGV[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return sum`

/** KEYS: sorted sets of members by their end. ARGV: member, ttl. */
export const ADD_MEMBER = `${NOW}local now = math.floor(t[1] * 1000 + t[2] / 1000)
for i, key in ipairs(KEYS) do
  redis.call('ZADD', key, now + ARGV[2], ARGV[1])
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  redis.call('PEXPIRE', key, ARGV[2])
end
return 1`

/** KEYS: a sorted set of members by their end. ARGV: member. */
export const REMOVE_MEMBER = `return redis.call('ZREM', KEYS[1], ARGV[1])`

/** KEYS: sorted sets of members by their end. */
export const MEMBERS = `${NOW}local now = math.floor(t[1] * 1000 + t[2] / 1000)
local found = {}
for i, key in ipairs(KEYS) do found[i] = redis.call('ZRANGEBYSCORE', key, '(' .. now, '+inf') end
return found`
