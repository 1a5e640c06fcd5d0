/** Lua scripts of the rate limit store in Redis. Each is atomic, takes one round trip, and uses the server's clock only. */
import { ARRIVAL_GRACE, DEAD_AFTER, FORGET_AFTER, REFUSAL_PART, REFUSAL_WINDOW, INACTIVE_AFTER } from '../rate-limit/shared/store-port'

/*
 * Keys of a bucket: `out`, a sorted set of in-flight leases with the time at which they expire; `cool`, a list of `release time:count` in
 * order; `meta`, a hash: `n` number of releasing slots, `until` end of a block, `probe` set after a block, `turns` the reservations as
 * `party,slots,until;` in order. All have a time to live.
 */

/** ms for which the id of a server is stored: a month. */
const LIFE = 2_592_000_000

const PRELUDE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local function toInteger(number) return string.format('%.0f', math.ceil(number)) end
local function extendTtl(key, ms)
  if redis.call('PTTL', key) < ms then redis.call('PEXPIRE', key, toInteger(ms)) end
end
`

/** Release time of the slot at index `k` (0 is the next); nil if fewer slots are releasing. */
const RELEASE_AT = `
local function releaseAt(cool, k)
  local seen = 0
  for _, entry in ipairs(redis.call('LRANGE', cool, 0, k)) do
    local at, n = string.match(entry, '(%d+):(%d+)')
    seen = seen + n
    if k < seen then return tonumber(at) end
  end
end
`

/**
 * Number of releasing slots of a bucket; expired entries are removed. The list has a time to live of its own, and slots missing from it do
 * not count, whatever the counter says. A release beyond the longest possible one means that a failover moved the data to a host whose
 * clock is behind: then all requests count as just answered, and reservations are dropped.
 */
const RELEASING = `
local function releasingOf(cool, meta, longest)
  local releasing = tonumber(redis.call('HGET', meta, 'n') or 0)
  local last = redis.call('LINDEX', cool, -1)
  if not last then
    redis.call('HDEL', meta, 'n')
    return 0
  end
  if tonumber(string.match(last, '%d+')) > now + longest * 1.001 + ${ARRIVAL_GRACE + 1} then
    redis.call('DEL', cool)
    redis.call('RPUSH', cool, toInteger(now + longest) .. ':' .. releasing)
    redis.call('HDEL', meta, 'turns')
    extendTtl(cool, longest + 1000)
  end
  while true do
    local at, n = string.match(redis.call('LINDEX', cool, 0) or '', '(%d+):(%d+)')
    if not at or tonumber(at) > now then return releasing end
    redis.call('LPOP', cool)
    releasing = redis.call('HINCRBY', meta, 'n', -n)
  end
end
`

/** Drops in-flight leases of dead parties. `dead`: names and times of the last heartbeats, alternating. */
const DROP_DEAD_PARTIES = `
local function dropDeadParties(out, dead, span)
  for i = 1, #dead, 2 do
    if dead[i + 1] + span <= now then
      for _, lease in ipairs(redis.call('ZRANGE', out, 0, -1)) do
        if string.sub(lease, 1, #dead[i] + 1) == dead[i] .. ':' then redis.call('ZREM', out, lease) end
      end
    end
  end
end
`

/** The unexpired reservations of a bucket, capped at `part`: the party's own, those before and after it, and their sums. */
const RESERVATIONS = `
local function reservationsOf(text, party, part)
  local found = { own = 0, before = '', after = '', reserved = 0, ends = math.huge, reservedAfter = 0, endsAfter = math.huge }
  for owner, slots, till in string.gmatch(text, '([^,]+),(%d+),(%d+);') do
    slots, till = math.min(tonumber(slots), part), tonumber(till)
    local reservation = owner .. ',' .. slots .. ',' .. toInteger(till) .. ';'
    if till <= now then
    elseif owner == party then found.own = slots
    elseif found.own == 0 then
      found.before, found.reserved, found.ends = found.before .. reservation, found.reserved + slots, math.min(found.ends, till)
    else
      found.after, found.reservedAfter, found.endsAfter = found.after .. reservation, found.reservedAfter + slots, math.min(found.endsAfter, till)
    end
  end
  return found
end
`

/**
 * Time until which locks are not granted, because the server may have lost some: it was restarted or replaced. `life` holds the server's id
 * and the time since when it is known. If the server does not provide its id, the key's existence has to do.
 */
const FENCE = `
local function fencedUntil(life, fence)
  local info = redis.pcall('INFO', 'server')
  if type(info) ~= 'string' then info = '' end
  local run, uptime = string.match(info, 'run_id:(%w+)') or '', tonumber(string.match(info, 'uptime_in_seconds:(%d+)') or 0)
  local known = redis.call('HMGET', life, 'run', 'since')
  local since = tonumber(known[2] or 0)
  if known[1] ~= run then
    since = math.floor(now)
    if not known[1] and uptime * 1000 > fence then since = 0 end
    redis.call('HSET', life, 'run', run, 'since', toInteger(since))
  end
  redis.call('PEXPIRE', life, ${LIFE})
  return since + fence
end
`

/**
 * KEYS: parties, then out, cool, meta of each bucket, then life with a fence. ARGV: party, want, hold, lease prefix, then limit, per,
 * margin, reservation hold of each bucket, then the fence or 0. Same algorithm as `allocate` in `rate-limit/shared/allocate-slots.ts`.
 */
export const ACQUIRE = `${PRELUDE}${RELEASE_AT}${RELEASING}${DROP_DEAD_PARTIES}${RESERVATIONS}${FENCE}
redis.call('ZADD', KEYS[1], toInteger(now), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', toInteger(now - ${FORGET_AFTER}))
redis.call('PEXPIRE', KEYS[1], ${2 * FORGET_AFTER})
local parties = redis.call('ZCOUNT', KEYS[1], toInteger(now - ${INACTIVE_AFTER}), '+inf')
local dead = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', toInteger(now - ${DEAD_AFTER}), 'WITHSCORES')
local party, want, hold = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local count, blocked, buckets = want, 0, {}
local fence, fenced = tonumber(ARGV[#ARGV]), 0
if fence > 0 then fenced = fencedUntil(KEYS[#KEYS], fence) end
for i = 0, math.floor((#KEYS - 1) / 3) - 1 do
  local bucket = { out = KEYS[3 * i + 2], cool = KEYS[3 * i + 3], meta = KEYS[3 * i + 4] }
  local limit = tonumber(ARGV[4 * i + 5])
  bucket.per, bucket.margin, bucket.hold = tonumber(ARGV[4 * i + 6]), tonumber(ARGV[4 * i + 7]), tonumber(ARGV[4 * i + 8])
  redis.call('ZREMRANGEBYSCORE', bucket.out, '-inf', toInteger(now))
  local inflight = redis.call('ZCARD', bucket.out)
  local releasing = releasingOf(bucket.cool, bucket.meta, bucket.per + bucket.margin)
  local state = redis.call('HMGET', bucket.meta, 'until', 'probe', 'turns')
  if fence == 0 and limit - inflight - releasing < want then
    dropDeadParties(bucket.out, dead, ${DEAD_AFTER} + bucket.per + bucket.margin)
    inflight = redis.call('ZCARD', bucket.out)
  end
  bucket.till, bucket.probes, bucket.text, bucket.part = math.max(fenced, tonumber(state[1] or 0)), state[2] == '1', state[3] or '', math.ceil(limit / parties)
  bucket.reservations = reservationsOf(bucket.text, party, bucket.part)
  bucket.free = math.max(0, limit - inflight - releasing)
  local available = bucket.free - bucket.reservations.reserved
  if bucket.reservations.before .. bucket.reservations.after ~= '' then available = math.min(available, bucket.reservations.own > 0 and bucket.reservations.own or bucket.part) end
  if bucket.probes then available = math.min(available, inflight > 0 and 0 or 1) end
  if bucket.till > now then available = 0 end
  if available < 0 then available = 0 end
  if available < count then count, blocked = available, i end
  buckets[i] = bucket
end
local wait = 0
for i, bucket in pairs(buckets) do
  local reservations, rest = bucket.reservations, i == blocked and want - count or 0
  local leaseTime = hold + bucket.per + bucket.margin
  for n = 1, count do redis.call('ZADD', bucket.out, toInteger(now + leaseTime), ARGV[4] .. n) end
  if count > 0 then extendTtl(bucket.out, leaseTime) end
  local first, last, left = reservations.before, reservations.after, reservations.own - count
  if rest > 0 then
    local reserved, ends = reservations.reserved, reservations.ends
    if left <= 0 then
      first, last, left, reserved, ends = first .. last, '', bucket.part, reserved + reservations.reservedAfter, math.min(ends, reservations.endsAfter)
    end
    local missing = reserved - (bucket.free - count)
    if missing >= 0 then wait = math.min(releaseAt(bucket.cool, missing) or now + bucket.per + bucket.margin, ends) - now end
    if bucket.probes then wait = math.min(wait, math.max(10, bucket.per / 50)) end
    if bucket.till > now then wait = bucket.till - now end
    first = first .. party .. ',' .. math.min(rest, left) .. ',' .. toInteger(now + wait + bucket.hold) .. ';'
  end
  if want > 0 and first .. last ~= bucket.text then
    redis.call('HSET', bucket.meta, 'turns', first .. last)
    if rest > 0 then extendTtl(bucket.meta, wait + bucket.hold) end
  end
end
return { count, math.ceil(wait), blocked, parties }
`

/**
 * KEYS: out, cool, meta of each bucket. ARGV: how, grace, used slots of the first bucket as the service reported them, number of leases,
 * the leases, then per, margin, grain of each bucket. Same algorithm as `settleBucket` in `rate-limit/shared/bucket-state.ts`.
 */
export const SETTLE = `${PRELUDE}${RELEASING}
local how, used, leases = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local from = now
if how == 'lost' then from = now + ARGV[2] end
for i = 0, #KEYS / 3 - 1 do
  local out, cool, meta = KEYS[3 * i + 1], KEYS[3 * i + 2], KEYS[3 * i + 3]
  for n = 1, leases do redis.call('ZREM', out, ARGV[4 + n]) end
  if how ~= 'unused' then
    local base = 4 + leases + 3 * i
    local per, margin, grain = tonumber(ARGV[base + 1]), tonumber(ARGV[base + 2]), tonumber(ARGV[base + 3])
    redis.call('ZREMRANGEBYSCORE', out, '-inf', toInteger(now))
    local known = releasingOf(cool, meta, per + margin) + leases + redis.call('ZCARD', out)
    local new = i == 0 and leases + math.max(0, used - known) or leases
    local at, n = math.ceil((from + per + margin) / grain) * grain, new
    local last = redis.call('LINDEX', cool, -1)
    if last then
      local before, count = string.match(last, '(%d+):(%d+)')
      -- The list stays in order: after a lost request, later ones are released no earlier than its grace ends.
      if tonumber(before) >= at then
        at, n = tonumber(before), n + count
        redis.call('RPOP', cool)
      end
    end
    redis.call('RPUSH', cool, toInteger(at) .. ':' .. n)
    redis.call('HINCRBY', meta, 'n', new)
    if how == 'answered' then redis.call('HDEL', meta, 'probe') end
    extendTtl(cool, at - now + 1000)
    extendTtl(meta, at - now + 2000)
  end
end
return 1
`

/** KEYS: meta. ARGV: ms. After the block, one request at a time until one is answered or a minute has passed. */
export const BLOCK = `${PRELUDE}
local till = now + ARGV[1]
if tonumber(redis.call('HGET', KEYS[1], 'until') or 0) < till then redis.call('HSET', KEYS[1], 'until', toInteger(till)) end
redis.call('HSET', KEYS[1], 'probe', 1)
extendTtl(KEYS[1], ARGV[1] + 60000)
return 1
`

/** KEYS: meta. Ends a block; then one request at a time is allowed. */
export const UNBLOCK = `return redis.call('HDEL', KEYS[1], 'until')`

/** KEYS: refusals, a hash of counts by part. ARGV: count. */
export const COUNT_REFUSALS = `${PRELUDE}
local current = math.floor(now / ${REFUSAL_PART})
if tonumber(ARGV[1]) > 0 then redis.call('HINCRBY', KEYS[1], current, ARGV[1]) end
local total, oldest = 0, current
local parts = redis.call('HGETALL', KEYS[1])
for i = 1, #parts, 2 do
  local part = tonumber(parts[i])
  if part < current - ${REFUSAL_WINDOW / REFUSAL_PART} then redis.call('HDEL', KEYS[1], parts[i])
  else total, oldest = total + parts[i + 1], math.min(oldest, part) end
end
extendTtl(KEYS[1], ${REFUSAL_WINDOW + 2 * REFUSAL_PART})
return { total, math.ceil((oldest + 1) * ${REFUSAL_PART} + ${REFUSAL_WINDOW} - now) }
`

/** KEYS: parties. ARGV: party. */
export const LEAVE = `return redis.call('ZREM', KEYS[1], ARGV[1])`
