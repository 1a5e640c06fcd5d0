/** The steps of a shared budget as Redis runs them: each is atomic, takes one round trip, and knows one clock, the server's. */
import { ARRIVAL_GRACE, DEAD_AFTER, FORGET_AFTER, REFUSAL_PART, REFUSAL_WINDOW, INACTIVE_AFTER } from '../rate-limit/shared/store'

/*
 * Keys of a bucket: `out`, a sorted set of leases in flight by the moment after which they are not coming back; `cool`, a list of
 * `release time:count` in order; `meta`, a hash: `n` slots that cool, `until` of a block, `probe` after it, `turns` of those who wait as
 * `party,slots,until;` with the next first. All have a time to live.
 */

/** ms for which a server is remembered: a month. */
const LIFE = 2_592_000_000

const PRELUDE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local function whole(number) return string.format('%.0f', math.ceil(number)) end
local function live(key, ms)
  if redis.call('PTTL', key) < ms then redis.call('PEXPIRE', key, whole(ms)) end
end
`

/** When the slot in place `k` (0 is the first to come) is free; nil when fewer cool. */
const RELEASE = `
local function release(cool, k)
  local seen = 0
  for _, entry in ipairs(redis.call('LRANGE', cool, 0, k)) do
    local at, n = string.match(entry, '(%d+):(%d+)')
    seen = seen + n
    if k < seen then return tonumber(at) end
  end
end
`

/**
 * How many slots of a bucket cool; what is over is forgotten. The list has a time to live of its own, and what it does not hold does not
 * cool, whatever was counted. No release lies further ahead than one can: the clock of another host, which has taken over, may be behind
 * the one that it was noted by; then everything counts as just answered, and nobody's turn is kept.
 */
const COOLING = `
local function coolingOf(cool, meta, longest)
  local cooling = tonumber(redis.call('HGET', meta, 'n') or 0)
  local last = redis.call('LINDEX', cool, -1)
  if not last then
    redis.call('HDEL', meta, 'n')
    return 0
  end
  if tonumber(string.match(last, '%d+')) > now + longest * 1.001 + ${ARRIVAL_GRACE + 1} then
    redis.call('DEL', cool)
    redis.call('RPUSH', cool, whole(now + longest) .. ':' .. cooling)
    redis.call('HDEL', meta, 'turns')
    live(cool, longest + 1000)
  end
  while true do
    local at, n = string.match(redis.call('LINDEX', cool, 0) or '', '(%d+):(%d+)')
    if not at or tonumber(at) > now then return cooling end
    redis.call('LPOP', cool)
    cooling = redis.call('HINCRBY', meta, 'n', -n)
  end
end
`

/** Forgets what parties had under way that have been silent for so long. `silent`: names and last signs of life in turns. */
const BURY = `
local function bury(out, silent, span)
  for i = 1, #silent, 2 do
    if silent[i + 1] + span <= now then
      for _, lease in ipairs(redis.call('ZRANGE', out, 0, -1)) do
        if string.sub(lease, 1, #silent[i] + 1) == silent[i] .. ':' then redis.call('ZREM', out, lease) end
      end
    end
  end
end
`

/** The turns of a bucket that still hold, none larger than `part`: a party's own, those before and after it, what these keep. */
const TURNS = `
local function turnsOf(text, party, part)
  local found = { own = 0, before = '', after = '', kept = 0, ends = math.huge, keptAfter = 0, endsAfter = math.huge }
  for who, slots, till in string.gmatch(text, '([^,]+),(%d+),(%d+);') do
    slots, till = math.min(tonumber(slots), part), tonumber(till)
    local turn = who .. ',' .. slots .. ',' .. whole(till) .. ';'
    if till <= now then
    elseif who == party then found.own = slots
    elseif found.own == 0 then
      found.before, found.kept, found.ends = found.before .. turn, found.kept + slots, math.min(found.ends, till)
    else
      found.after, found.keptAfter, found.endsAfter = found.after .. turn, found.keptAfter + slots, math.min(found.endsAfter, till)
    end
  end
  return found
end
`

/**
 * Until when locks are not granted, since the server may have forgotten some: it was started again, or another has taken over. `life` holds
 * the server's own id and since when it is known. A server that does not tell its id is known by the key alone.
 */
const CALM = `
local function calmUntil(life, fence)
  local info = redis.pcall('INFO', 'server')
  if type(info) ~= 'string' then info = '' end
  local run, uptime = string.match(info, 'run_id:(%w+)') or '', tonumber(string.match(info, 'uptime_in_seconds:(%d+)') or 0)
  local known = redis.call('HMGET', life, 'run', 'since')
  local since = tonumber(known[2] or 0)
  if known[1] ~= run then
    since = now
    if not known[1] and uptime * 1000 > fence then since = 0 end
    redis.call('HSET', life, 'run', run, 'since', whole(since))
  end
  redis.call('PEXPIRE', life, ${LIFE})
  return since + fence
end
`

/**
 * KEYS: parties, then out, cool, meta of each bucket, then life with a fence. ARGV: party, want, hold, lease prefix, then limit, per, margin,
 * patience of each bucket, then the fence or 0. The steps are those of `grant` in the ledger.
 */
export const ACQUIRE = `${PRELUDE}${RELEASE}${COOLING}${BURY}${TURNS}${CALM}
redis.call('ZADD', KEYS[1], whole(now), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', whole(now - ${FORGET_AFTER}))
redis.call('PEXPIRE', KEYS[1], ${2 * FORGET_AFTER})
local parties = redis.call('ZCOUNT', KEYS[1], whole(now - ${INACTIVE_AFTER}), '+inf')
local silent = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', whole(now - ${DEAD_AFTER}), 'WITHSCORES')
local party, want, hold = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local count, blocked, books = want, 0, {}
local fence, calm = tonumber(ARGV[#ARGV]), 0
if fence > 0 then calm = calmUntil(KEYS[#KEYS], fence) end
for i = 0, math.floor((#KEYS - 1) / 3) - 1 do
  local book = { out = KEYS[3 * i + 2], cool = KEYS[3 * i + 3], meta = KEYS[3 * i + 4] }
  local limit = tonumber(ARGV[4 * i + 5])
  book.per, book.margin, book.patience = tonumber(ARGV[4 * i + 6]), tonumber(ARGV[4 * i + 7]), tonumber(ARGV[4 * i + 8])
  redis.call('ZREMRANGEBYSCORE', book.out, '-inf', whole(now))
  local inflight = redis.call('ZCARD', book.out)
  local cooling = coolingOf(book.cool, book.meta, book.per + book.margin)
  local facts = redis.call('HMGET', book.meta, 'until', 'probe', 'turns')
  if fence == 0 and limit - inflight - cooling < want then
    bury(book.out, silent, ${DEAD_AFTER} + book.per + book.margin)
    inflight = redis.call('ZCARD', book.out)
  end
  book.till, book.probes, book.text, book.part = math.max(calm, tonumber(facts[1] or 0)), facts[2] == '1', facts[3] or '', math.ceil(limit / parties)
  book.turns = turnsOf(book.text, party, book.part)
  book.free = math.max(0, limit - inflight - cooling)
  local mine = book.free - book.turns.kept
  if book.turns.before .. book.turns.after ~= '' then mine = math.min(mine, book.turns.own > 0 and book.turns.own or book.part) end
  if book.probes then mine = math.min(mine, inflight > 0 and 0 or 1) end
  if book.till > now then mine = 0 end
  if mine < 0 then mine = 0 end
  if mine < count then count, blocked = mine, i end
  books[i] = book
end
local wait = 0
for i, book in pairs(books) do
  local turns, rest = book.turns, i == blocked and want - count or 0
  local lent = hold + book.per + book.margin
  for n = 1, count do redis.call('ZADD', book.out, whole(now + lent), ARGV[4] .. n) end
  if count > 0 then live(book.out, lent) end
  local first, last, left = turns.before, turns.after, turns.own - count
  if rest > 0 then
    local kept, ends = turns.kept, turns.ends
    if left <= 0 then
      first, last, left, kept, ends = first .. last, '', book.part, kept + turns.keptAfter, math.min(ends, turns.endsAfter)
    end
    local missing = kept - (book.free - count)
    if missing >= 0 then wait = math.min(release(book.cool, missing) or now + book.per + book.margin, ends) - now end
    if book.probes then wait = math.min(wait, math.max(10, book.per / 50)) end
    if book.till > now then wait = book.till - now end
    first = first .. party .. ',' .. math.min(rest, left) .. ',' .. whole(now + wait + book.patience) .. ';'
  end
  if want > 0 and first .. last ~= book.text then
    redis.call('HSET', book.meta, 'turns', first .. last)
    if rest > 0 then live(book.meta, wait + book.patience) end
  end
end
return { count, math.ceil(wait), blocked, parties }
`

/**
 * KEYS: out, cool, meta of each bucket. ARGV: how, grace, slots of the first bucket that the service has counted, number of leases, the
 * leases, then per, margin, grain of each bucket. The steps are those of `settlePage` in the ledger.
 */
export const SETTLE = `${PRELUDE}${COOLING}
local how, used, leases = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local from = now
if how == 'lost' then from = now + ARGV[2] end
for i = 0, #KEYS / 3 - 1 do
  local out, cool, meta = KEYS[3 * i + 1], KEYS[3 * i + 2], KEYS[3 * i + 3]
  for n = 1, leases do redis.call('ZREM', out, ARGV[4 + n]) end
  if how ~= 'unused' then
    local base = 4 + leases + 3 * i
    local per, margin, grain = tonumber(ARGV[base + 1]), tonumber(ARGV[base + 2]), tonumber(ARGV[base + 3])
    redis.call('ZREMRANGEBYSCORE', out, '-inf', whole(now))
    local known = coolingOf(cool, meta, per + margin) + leases + redis.call('ZCARD', out)
    local new = i == 0 and leases + math.max(0, used - known) or leases
    local at, n = math.ceil((from + per + margin) / grain) * grain, new
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
    redis.call('HINCRBY', meta, 'n', new)
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

/** KEYS: meta. Ends a block; one request at a time tries. */
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
live(KEYS[1], ${REFUSAL_WINDOW + 2 * REFUSAL_PART})
return { total, math.ceil((oldest + 1) * ${REFUSAL_PART} + ${REFUSAL_WINDOW} - now) }
`

/** KEYS: parties. ARGV: party. */
export const LEAVE = `return redis.call('ZREM', KEYS[1], ARGV[1])`
