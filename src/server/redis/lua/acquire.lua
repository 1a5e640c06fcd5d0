-- Grants leases. Same algorithm as `allocate` in `rate-limit/shared/allocate.ts`.
-- KEYS: parties, then each bucket, then life with a fence. ARGV: party, want, hold, lease prefix, the fence or 0, then limit, per, margin,
-- reservation hold of each bucket.

-- ms for which the id of a server is stored: a month.
local LIFE = 2592000000

-- Release time of the slot at index `k` (0 is the next), or nil if fewer slots are releasing.
local function releaseAt(log, k)
  local seen = 0
  for from = 1, #log, 20 do
    seen = seen + tonumber(string.sub(log, from + 13, from + 19))
    if k < seen then return tonumber(string.sub(log, from, from + 12)) end
  end
end

-- Drops in-flight leases of dead parties. A lease is a heartbeat too: only old ones can be from a dead party.
local function dropDeadParties(leases, parties, span)
  local kept, count, lastSeen = {}, 0, {}
  for _, entry in ipairs(leases) do
    local seen = entry[3]
    if seen + span <= now then
      local party = string.match(entry[1], '^[^:]*')
      lastSeen[party] = lastSeen[party] or tonumber(redis.call('ZSCORE', parties, party) or now)
      seen = lastSeen[party]
    end
    if seen + span > now then
      kept[#kept + 1] = entry
      count = count + entry[2]
    end
  end
  return kept, count
end

-- The unexpired reservations of a bucket, capped at `part`, with index and slots of the party's own, and the slots before and after it.
local function reservationsOf(packed, party, part)
  local found = { list = {}, own = 0, index = 0, before = 0, after = 0, ends = math.huge, last = math.huge, waiting = 0 }
  if not packed or packed == '' then return found end
  local list, stored = found.list, cmsgpack.unpack(packed)
  for i = 1, #stored, 3 do
    local owner, slots, till = stored[i], math.min(stored[i + 1], part), stored[i + 2]
    if till > now then
      list[#list + 1], list[#list + 2], list[#list + 3] = owner, slots, till
      if owner == party then found.own, found.index = slots, #list - 2
      else
        found.waiting, found.last = found.waiting + 1, till
        if found.own == 0 then found.before, found.ends = found.before + slots, till
        else found.after = found.after + slots end
      end
    end
  end
  return found
end

-- Time until which locks are not granted, because the server may have lost some: it was restarted or replaced. `life` holds the server's id
-- and the time since when it is known. If the server does not provide its id, the key's existence has to do.
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
  redis.call('PEXPIRE', life, LIFE)
  return since + fence
end

-- Grants leases of a bucket in memory: nothing is written.
local function openBucket(key, party, parties, args)
  local bucket = { key = key, limit = args[1], per = args[2], margin = args[3], hold = args[4], fields = {} }
  local stored = redis.call('HMGET', key, 'out', 'log', 'n', 'until', 'probe', 'turns', 'ttl')
  local isBehind
  bucket.leases, bucket.inflight, bucket.outChanged = leasesOf(stored[1], ARGV[4])
  bucket.log, bucket.n, isBehind = releasingOf(stored[2], stored[3], bucket.per + bucket.margin)
  bucket.logChanged = bucket.log ~= (stored[2] or '')
  bucket.till, bucket.probes, bucket.ttl = tonumber(stored[4] or 0), stored[5] == '1', not isBehind and stored[7]
  bucket.turns = stored[6] or ''
  bucket.part = math.ceil(bucket.limit / parties)
  bucket.reservations = reservationsOf(isBehind and '' or bucket.turns, party, bucket.part)
  return bucket
end
local function availableOf(bucket)
  local reservations = bucket.reservations
  bucket.free = math.max(0, bucket.limit - bucket.inflight - bucket.n)
  local available = bucket.free - reservations.before
  if reservations.waiting > 0 then available = math.min(available, reservations.own > 0 and reservations.own or bucket.part) end
  if bucket.probes then available = math.min(available, bucket.inflight > 0 and 0 or 1) end
  if bucket.till > now then return 0 end
  return math.max(0, available)
end
local function timeOfTurn(bucket, index, free, ends)
  local rounds, k, span = math.floor(index / bucket.limit), index % bucket.limit, bucket.per + bucket.margin
  local first = k < free and now or releaseAt(bucket.log, k - free) or now + span
  if rounds == 0 then return math.min(first, ends) end
  return now + math.max(span, (first + rounds * span - now) / 2)
end

local party, want, hold, fence, fenced = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[5]), 0
if redis.call('ZADD', KEYS[1], toInteger(now), party) == 1 then
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', toInteger(now - FORGET_AFTER))
end
redis.call('PEXPIRE', KEYS[1], 2 * FORGET_AFTER)
local parties = redis.call('ZCOUNT', KEYS[1], toInteger(now - INACTIVE_AFTER), '+inf')
local count, blocked, buckets = want, 0, {}
if fence > 0 then fenced = fencedUntil(KEYS[#KEYS], fence) end
for i = 0, (#ARGV - 5) / 4 - 1 do
  local args = {}
  for n = 1, 4 do args[n] = tonumber(ARGV[4 * i + 5 + n]) end
  local bucket = openBucket(KEYS[i + 2], party, parties, args)
  if fence == 0 and bucket.limit - bucket.inflight - bucket.n < want then
    local before = bucket.inflight
    bucket.leases, bucket.inflight = dropDeadParties(bucket.leases, KEYS[1], DEAD_AFTER + bucket.per + bucket.margin)
    bucket.outChanged = bucket.outChanged or bucket.inflight ~= before
  end
  bucket.till = math.max(fenced, bucket.till)
  local available = availableOf(bucket)
  if available < count then count, blocked = available, i end
  buckets[i] = bucket
end
local wait = 0
for i, bucket in pairs(buckets) do
  local reservations, rest, fields, life = bucket.reservations, i == blocked and want - count or 0, bucket.fields, 0
  if count > 0 then
    local leaseTime = hold + bucket.per + bucket.margin
    bucket.leases[#bucket.leases + 1] = { ARGV[4], count, math.ceil(now), leaseTime, ',' }
    bucket.outChanged, life = true, leaseTime + 1
  end
  local list, left, place = reservations.list, reservations.own - count, reservations.index
  if want > 0 and reservations.index > 0 and (rest == 0 or left <= 0) then
    for _ = 1, 3 do table.remove(list, reservations.index) end
    place = 0
  end
  if rest > 0 then
    local reserved, ends = reservations.before, reservations.ends
    if left <= 0 then left, reserved, ends = bucket.part, reserved + reservations.after, reservations.last end
    if reserved >= bucket.free - count then wait = timeOfTurn(bucket, reserved, bucket.free - count, ends) - now end
    if bucket.probes then wait = math.min(wait, math.max(10, bucket.per / 50)) end
    if bucket.till > now then wait = bucket.till - now end
    if place == 0 then place = #list + 1 end
    list[place], list[place + 1], list[place + 2] = party, math.min(rest, left), math.ceil(now + wait + bucket.hold)
    life = math.max(life, wait + bucket.hold)
  end
  if bucket.outChanged then
    fields[#fields + 1] = 'out'
    fields[#fields + 1] = #bucket.leases > 0 and cmsgpack.pack(bucket.leases) or ''
  end
  if bucket.logChanged then
    for _, field in ipairs({ 'log', bucket.log, 'n', bucket.n }) do fields[#fields + 1] = field end
    if #bucket.log > 0 then life = math.max(life, tonumber(string.sub(bucket.log, -20, -8)) - now) end
  end
  if want > 0 then
    local turns = #list > 0 and cmsgpack.pack(list) or ''
    if turns ~= bucket.turns then
      fields[#fields + 1] = 'turns'
      fields[#fields + 1] = turns
    end
  end
  if #fields > 0 then writeBucket(bucket.key, bucket.ttl, life, fields) end
end
return { count, math.ceil(wait), blocked, parties }
