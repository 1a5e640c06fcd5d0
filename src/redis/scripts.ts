/** The steps of a shared budget as Redis runs them: each is atomic, takes one round trip, and knows one clock, the server's. */

/*
 * Keys of a bucket: `out`, a sorted set of leases in flight by the moment after which they are not coming back; `cool`, a list of
 * `release time:count` in order; `meta`, a hash: `n` slots that cool, `until` of a block, `probe` after it. All have a time to live.
 */

const PRELUDE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local function whole(number) return string.format('%.0f', math.ceil(number)) end
local function live(key, ms)
  if redis.call('PTTL', key) < ms then redis.call('PEXPIRE', key, whole(ms)) end
end
`

/** KEYS: parties, then out, cool, meta of each bucket. ARGV: party, want, hold, lease prefix, then limit, per, margin of each bucket. */
export const ACQUIRE = `${PRELUDE}
redis.call('ZADD', KEYS[1], whole(now), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', whole(now - 60000))
redis.call('PEXPIRE', KEYS[1], 120000)
local count, wait, blocked = tonumber(ARGV[2]), 0, 0
local buckets = (#KEYS - 1) / 3
for i = 0, buckets - 1 do
  local out, cool, meta = KEYS[3 * i + 2], KEYS[3 * i + 3], KEYS[3 * i + 4]
  local limit, per, margin = tonumber(ARGV[3 * i + 5]), tonumber(ARGV[3 * i + 6]), tonumber(ARGV[3 * i + 7])
  redis.call('ZREMRANGEBYSCORE', out, '-inf', whole(now))
  local inflight = redis.call('ZCARD', out)
  local facts = redis.call('HMGET', meta, 'n', 'until', 'probe')
  local cooling = tonumber(facts[1] or 0)
  local first
  while true do
    first = redis.call('LINDEX', cool, 0)
    if not first then break end
    local at, n = string.match(first, '(%d+):(%d+)')
    first = tonumber(at)
    if first > now then break end
    redis.call('LPOP', cool)
    cooling = redis.call('HINCRBY', meta, 'n', -n)
  end
  local free, hint = limit - inflight - cooling, per + margin
  if first then hint = first - now end
  if tonumber(facts[2] or 0) > now then
    free, hint = 0, facts[2] - now
  elseif facts[3] == '1' then
    if inflight > 0 then free = 0 elseif free > 1 then free = 1 end
    hint = math.min(hint, math.max(10, per / 50))
  end
  if free < 0 then free = 0 end
  if free < count then count, wait, blocked = free, hint, i end
end
local hold = tonumber(ARGV[3])
for i = 0, buckets - 1 do
  local out, lent = KEYS[3 * i + 2], hold + ARGV[3 * i + 6] + ARGV[3 * i + 7]
  for n = 1, count do redis.call('ZADD', out, whole(now + lent), ARGV[4] .. n) end
  if count > 0 then live(out, lent) end
end
return { count, math.ceil(wait), blocked, redis.call('ZCARD', KEYS[1]) }
`

/** KEYS: out, cool, meta of each bucket. ARGV: how, grace, number of leases, the leases, then per, margin, grain of each bucket. */
export const SETTLE = `${PRELUDE}
local how, leases = ARGV[1], tonumber(ARGV[3])
local from = now
if how == 'lost' then from = now + ARGV[2] end
for i = 0, #KEYS / 3 - 1 do
  local out, cool, meta = KEYS[3 * i + 1], KEYS[3 * i + 2], KEYS[3 * i + 3]
  for n = 1, leases do redis.call('ZREM', out, ARGV[3 + n]) end
  if how ~= 'unused' then
    local base = 3 + leases + 3 * i
    local per, margin, grain = tonumber(ARGV[base + 1]), tonumber(ARGV[base + 2]), tonumber(ARGV[base + 3])
    local at, n = math.ceil((from + per + margin) / grain) * grain, leases
    local last = redis.call('LINDEX', cool, -1)
    if last then
      local before, count = string.match(last, '(%d+):(%d+)')
      -- The list stays in order; whoever comes after a lost request waits out its grace.
      if tonumber(before) >= at then
        at, n = tonumber(before), n + count
        redis.call('RPOP', cool)
      end
    end
    redis.call('RPUSH', cool, whole(at) .. ':' .. n)
    redis.call('HINCRBY', meta, 'n', leases)
    if how == 'answered' then redis.call('HDEL', meta, 'probe') end
    live(cool, at - now + 1000)
    live(meta, at - now + 2000)
  end
end
return 1
`

/** KEYS: meta. ARGV: ms. After the block one request at a time, until one is answered or a minute has passed. */
export const BLOCK = `${PRELUDE}
local till = now + ARGV[1]
if tonumber(redis.call('HGET', KEYS[1], 'until') or 0) < till then redis.call('HSET', KEYS[1], 'until', whole(till)) end
redis.call('HSET', KEYS[1], 'probe', 1)
live(KEYS[1], ARGV[1] + 60000)
return 1
`

/** KEYS: parties. ARGV: party. */
export const LEAVE = `return redis.call('ZREM', KEYS[1], ARGV[1])`
