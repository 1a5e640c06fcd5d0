/** Lua scripts of the rate limit store in Redis. Each is atomic, takes one round trip, and uses the server's clock only. */
import { FORGET_AFTER, INACTIVE_AFTER, REFUSAL_PART, REFUSAL_WINDOW } from '../rate-limit/store-port'
import { LEASES, PRELUDE, RELEASING, WRITE_BUCKET } from './lua-bucket'

/**
 * KEYS: each bucket. ARGV: how, grace, used slots of the first bucket as the service reported them, number of leases, the leases, then per,
 * margin, grain of each bucket. Same algorithm as `settleBucket` in `rate-limit/shared/bucket-state.ts`.
 */
export const SETTLE = `${PRELUDE}${WRITE_BUCKET}${LEASES}${RELEASING}
local how, used, leases = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local from = now
if how == 'lost' then from = now + ARGV[2] end
local function endLeases(entries)
  local byPrefix, ended = {}, 0
  for _, entry in ipairs(entries) do byPrefix[entry[1]] = entry end
  for n = 1, leases do
    local prefix, index = string.match(ARGV[4 + n], '^(.*):([^:]*)$')
    local entry = byPrefix[prefix or '']
    if entry and not string.find(entry[5], ',' .. index .. ',', 1, true) then
      entry[2], entry[5], ended = entry[2] - 1, entry[5] .. index .. ',', ended + 1
    end
  end
  local kept = {}
  for _, entry in ipairs(entries) do if entry[2] > 0 then kept[#kept + 1] = entry end end
  return kept, ended
end
for i, key in ipairs(KEYS) do
  local base = 4 + leases + 3 * (i - 1)
  local per, margin, grain = tonumber(ARGV[base + 1]), tonumber(ARGV[base + 2]), tonumber(ARGV[base + 3])
  local stored = redis.call('HMGET', key, 'out', 'log', 'n', 'probe', 'ttl')
  local entries, inflight, changed = leasesOf(stored[1])
  local ended, fields, life = 0, {}, 0
  entries, ended = endLeases(entries)
  if changed or ended > 0 then fields = { 'out', #entries > 0 and cmsgpack.pack(entries) or '' } end
  if how ~= 'unused' then
    local log, releasing, isBehind = releasingOf(stored[2], stored[3], per + margin)
    if isBehind then
      stored[5] = false
      redis.call('HDEL', key, 'turns')
    end
    local known = releasing + leases + inflight - ended
    local new = i == 1 and leases + math.max(0, used - known) or leases
    local at, n = math.ceil((from + per + margin) / grain) * grain, new
    -- The log stays in order: after a lost request, later ones are released no earlier than its grace ends.
    if #log > 0 and tonumber(string.sub(log, -20, -8)) >= at then
      at, n = tonumber(string.sub(log, -20, -8)), n + tonumber(string.sub(log, -7))
      log = string.sub(log, 1, -21)
    end
    log = log .. string.format('%013.0f%07d', at, n)
    for _, field in ipairs({ 'log', log, 'n', releasing + new }) do fields[#fields + 1] = field end
    if how == 'answered' and stored[4] then redis.call('HDEL', key, 'probe') end
    life = at - now + 2000
  end
  if #fields > 0 then writeBucket(key, stored[5], life, fields) end
end
return 1
`

/** KEYS: a bucket. ARGV: a lease. Returns 1 if the lease was renewed, 0 if it has ended. */
export const RENEW = `${PRELUDE}${WRITE_BUCKET}${LEASES}
local stored = redis.call('HMGET', KEYS[1], 'out', 'ttl')
local prefix, index = string.match(ARGV[1], '^(.*):([^:]*)$')
local entries = leasesOf(stored[1])
for _, entry in ipairs(entries) do
  if entry[1] == prefix and not string.find(entry[5], ',' .. index .. ',', 1, true) then
    entry[3] = math.ceil(now)
    writeBucket(KEYS[1], stored[2], entry[4] + 1, { 'out', cmsgpack.pack(entries) })
    return 1
  end
end
return 0
`

/** KEYS: a bucket. ARGV: ms. After the block, one request at a time until one is answered or a minute has passed. */
export const BLOCK = `${PRELUDE}${WRITE_BUCKET}
local till, fields = now + ARGV[1], { 'probe', 1 }
local stored = redis.call('HMGET', KEYS[1], 'until', 'ttl')
if tonumber(stored[1] or 0) < till then fields = { 'probe', 1, 'until', toInteger(till) } end
writeBucket(KEYS[1], stored[2], ARGV[1] + 60000, fields)
return 1
`

/** KEYS: a bucket. Ends a block; then one request at a time is allowed. */
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
local life = ${REFUSAL_WINDOW + 2 * REFUSAL_PART}
if redis.call('PTTL', KEYS[1]) < life then redis.call('PEXPIRE', KEYS[1], life) end
return { total, math.ceil((oldest + 1) * ${REFUSAL_PART} + ${REFUSAL_WINDOW} - now) }
`

/** KEYS: each bucket. ARGV: ms for each, in which nothing is granted. */
export const PAUSE = `${PRELUDE}${WRITE_BUCKET}
for i, key in ipairs(KEYS) do
  local stored = redis.call('HMGET', key, 'until', 'ttl')
  local till = math.max(tonumber(stored[1] or 0), now + ARGV[i])
  writeBucket(key, stored[2], till - now + 1000, { 'until', toInteger(till) })
end
return 1
`

/** KEYS: parties. ARGV: party. Records a heartbeat, and returns the number of parties. */
export const PRESENT = `${PRELUDE}
redis.call('ZADD', KEYS[1], toInteger(now), ARGV[1])
redis.call('PEXPIRE', KEYS[1], ${2 * FORGET_AFTER})
return redis.call('ZCOUNT', KEYS[1], toInteger(now - ${INACTIVE_AFTER}), '+inf')
`

/** KEYS: parties. ARGV: parties that are considered dead from now on and no longer count. Their settled leases count as before. */
export const RETIRE = `${PRELUDE}
for _, party in ipairs(ARGV) do redis.call('ZADD', KEYS[1], toInteger(now - ${INACTIVE_AFTER} - 1), party) end
redis.call('PEXPIRE', KEYS[1], ${2 * FORGET_AFTER})
return 1
`

/** KEYS: parties. ARGV: party. */
export const LEAVE = `return redis.call('ZREM', KEYS[1], ARGV[1])`
